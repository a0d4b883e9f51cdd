"""What several threads do to one array without losing an update: additions, locks, barriers.

A lock is one element of an array, 0 while nobody holds it.  It is for a few hundred instructions at a time: who waits
reads it again and again, and soon lets other threads run.  Interpreted, one Python lock stands for all of this.
"""

import ctypes
import threading
from typing import Any, Final

import llvmlite.binding
import llvmlite.ir
import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.extending import intrinsic
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

from core._jit import apart, jitable, overload

_SPINS: Final = 200  # readings of a lock between two offers of the processor
_OFFER: Final = "plyscope_let_others_run"
_interpreted: Final = threading.Lock()
_intrinsic: Any = intrinsic  # to mypy it takes the arguments of its maker

_windows: Any = getattr(ctypes, "windll", None)
_system = ctypes.CDLL(None).sched_yield if _windows is None else _windows.kernel32.SwitchToThread
llvmlite.binding.add_symbol(_OFFER, ctypes.cast(_system, ctypes.c_void_p).value)


def add(array: NDArray[np.integer], index: int, amount: int) -> int:
    """Add ``amount`` to an element of an integer array; returns what it was before."""
    with _interpreted:
        before = int(array[index])
        array[index] = before + amount
        return before


def load(array: NDArray[np.integer], index: int) -> int:
    """An element as it is now, which is read anew in every call."""
    return int(array[index])


def store(array: NDArray[np.integer], index: int, value: int) -> None:
    """Set an element, after all that this thread wrote before."""
    array[index] = value


def _take(array: NDArray[np.integer], index: int) -> bool:
    """Set an element from 0 to 1; False where it was not 0."""
    with _interpreted:
        free = array[index] == 0
        if free:
            array[index] = 1
        return bool(free)


def barrier() -> None:
    """Memory barrier: what this thread wrote before is seen by others before what it writes after."""


def let_others_run() -> None:
    """Offer the processor to another thread."""


@apart
def _wait(locks: NDArray[np.int64], index: int) -> None:
    """Take a lock that another thread holds."""
    while not _take(locks, index):
        spins = 0
        while load(locks, index) != 0:
            spins += 1
            if spins == _SPINS:
                let_others_run()
                spins = 0


@jitable
def acquire(locks: NDArray[np.int64], index: int) -> None:
    """Take the lock ``index``, and wait while another thread holds it.  It may not be taken twice."""
    if not _take(locks, index):
        _wait(locks, index)


@jitable
def release(locks: NDArray[np.int64], index: int) -> None:
    """Give the lock ``index`` back."""
    store(locks, index, 0)


# Compiled.  Each choice is a function round an intrinsic, because only functions are kept on disk.


def _pointer(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """The address of an element; the index is not negative."""
    return cgutils.get_item_pointer(context, builder, kind, make_array(kind)(context, builder, array), [index])


@_intrinsic  # type: ignore[untyped-decorator]
def _add(_typing: Any, array: Any, index: Any, amount: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature.args[0], *args[:2])
        value = context.cast(builder, args[2], types.int64, array.dtype)
        before = builder.atomic_rmw("add", place, value, "seq_cst")
        return context.cast(builder, before, array.dtype, types.int64)

    return types.int64(array, types.int64, types.int64), code


@_intrinsic  # type: ignore[untyped-decorator]
def _load(_typing: Any, array: Any, index: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature.args[0], *args)
        loaded = builder.load_atomic(place, "acquire", array.dtype.bitwidth // 8)
        return context.cast(builder, loaded, array.dtype, types.int64)

    return types.int64(array, types.int64), code


@_intrinsic  # type: ignore[untyped-decorator]
def _store(_typing: Any, array: Any, index: Any, value: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature.args[0], *args[:2])
        stored = context.cast(builder, args[2], types.int64, array.dtype)
        builder.store_atomic(stored, place, "release", array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), code


@_intrinsic  # type: ignore[untyped-decorator]
def _exchange(_typing: Any, array: Any, index: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature.args[0], *args)
        free, taken = (llvmlite.ir.Constant(place.type.pointee, n) for n in (0, 1))
        done = builder.cmpxchg(place, free, taken, "seq_cst", "acquire")
        return builder.extract_value(done, 1)

    return types.boolean(array, types.int64), code


@_intrinsic  # type: ignore[untyped-decorator]
def _fence(_typing: Any) -> Any:
    def code(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        builder.fence("acq_rel")
        return context.get_dummy_value()

    return types.void(), code


@_intrinsic  # type: ignore[untyped-decorator]
def _offer(_typing: Any) -> Any:
    def code(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        kind = llvmlite.ir.FunctionType(llvmlite.ir.IntType(32), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, _OFFER), [])
        return context.get_dummy_value()

    return types.void(), code


@overload(add)
def _compiled_add(_array: Any, _index: Any, _amount: Any) -> Any:
    return lambda array, index, amount: _add(array, index, amount)  # noqa: PLW0108


@overload(load)
def _compiled_load(_array: Any, _index: Any) -> Any:
    return lambda array, index: _load(array, index)  # noqa: PLW0108


@overload(store)
def _compiled_store(_array: Any, _index: Any, _value: Any) -> Any:
    return lambda array, index, value: _store(array, index, value)  # noqa: PLW0108


@overload(_take)
def _compiled_take(_array: Any, _index: Any) -> Any:
    return lambda array, index: _exchange(array, index)  # noqa: PLW0108


@overload(barrier)
def _compiled_barrier() -> Any:
    return lambda: _fence()  # noqa: PLW0108


@overload(let_others_run)
def _compiled_let_others_run() -> Any:
    return lambda: _offer()  # noqa: PLW0108
