"""The decorators for compiled code.

A kernel (``jit``) is called from Python; the functions it calls (``jitable``, and those chosen by ``overload``) are
compiled on their own, once for each set of types, and linked into every kernel that needs them.  What was compiled is
kept on disk (core._kernel_files), so most of one game's kernels is there already for the next game.  Nothing of numba
is changed, for programs that have kernels of their own import this too.
"""

import operator
from collections.abc import Callable, Iterable
from typing import Any, Final, Generic, TypeVar, TypeVarTuple

import numba
import numba.experimental.function_type  # registers types that would else come amid the first compilation
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.datamodel import models, register_default
from numba.core.imputils import lower_constant
from numba.core.typing.templates import infer_global
from numba.extending import intrinsic, lower_builtin, type_callable

from core._kernel_files import KernelFiles, note_operations, processor, read_sources
from core.machine import kernels_are_shared

F = TypeVar("F", bound=Callable[..., Any])
A = TypeVarTuple("A")
R = TypeVar("R")
T = TypeVar("T", bound=tuple[Any, ...])

if kernels_are_shared() and numba.config.CPU_NAME is None and (_common := processor()):
    numba.config.CPU_NAME, numba.config.CPU_FEATURES = _common, ""

if numba.config.DISABLE_JIT:
    # Interpreted, the hashes and the random generator wrap around as they do compiled.
    np.seterr(over="ignore")


# Kernels allocate nothing, so nothing needs counting: without this every call that passes a tree would touch the
# reference count of each of its arrays, which was measured to make a simulation 14 times slower.
_OPTIONS: Final[dict[str, Any]] = {"_nrt": False, "error_model": "numpy", "no_cfunc_wrapper": True}


def jit(function: F) -> F:
    """Compile without the GIL and keep on disk; interpreted when ``NUMBA_DISABLE_JIT=1``.  It makes no arrays."""
    kernel = numba.njit(nogil=True, **_OPTIONS)(function)
    if not numba.config.DISABLE_JIT:
        kernel._cache = KernelFiles(function)
    return kernel  # type: ignore[no-any-return]


class Bound(Generic[*A, R]):
    """A kernel as one driver calls it: numba looks at the type of every array of the arguments, which took 15 µs for a
    tree and a batch, and here it does so only when one of the tuples is another object than in the last call.

    Arguments at the places ``alike`` may be other objects in every call; their types must not change.  Nor may those of
    arguments that are no tuples.  The other tuples stay alive until ``forget``, or a call with others.
    """

    def __init__(self, kernel: Callable[[*A], R], alike: Iterable[int] = ()) -> None:
        self._kernel: Any = kernel
        self._alike = frozenset(alike)
        self._last: list[tuple[int, object]] = []
        self._entry: Any = None

    def __call__(self, *args: *A) -> R:
        if self._entry is None:
            return self._bind(args)
        for place, last in self._last:
            if args[place] is not last:
                return self._bind(args)
        return self._entry(*args)  # type: ignore[no-any-return]

    def forget(self) -> None:
        """Let go of the tuples of the last call."""
        self._entry, self._last = None, []

    def _bind(self, args: tuple[Any, ...]) -> R:
        """Call by way of numba, and note how to call it directly."""
        result: R = self._kernel(*args)
        compiled = getattr(self._kernel, "overloads", None)  # interpreted there are none
        if compiled:
            overload_of = compiled.get(tuple(map(numba.typeof, args)))
            self._entry = overload_of and overload_of.entry_point
            self._last = [(i, arg) for i, arg in enumerate(args) if isinstance(arg, tuple) and i not in self._alike]
        return result


def jitable(function: F) -> F:
    """Leave ``function`` plain Python, and let compiled code call it compiled, in line."""
    read_sources(function.__module__)
    infer_global(function, _Callee(function, lambda *args: function))
    return function


def apart(function: F) -> F:
    """As ``jitable``, but compiled code calls it: for what is rarely needed where a short loop is hot."""
    read_sources(function.__module__)
    infer_global(function, _Callee(function, lambda *args: function, inline=False))
    return function


def overload(function: Callable[..., Any], *, inline: bool = True) -> Callable[[F], F]:
    """Let compiled code that calls ``function`` call what the decorated one returns for the numba types of the
    arguments; None: there is nothing for them.  ``inline`` False: it is so large that a call costs nothing beside it.
    """

    def decorate(choose: F) -> F:
        infer_global(function, _Callee(function, choose, inline))
        return choose

    return decorate


class ByType(dict[type, T]):
    """Operations selected by the type of a named tuple, themselves a named tuple of functions: one table for Python and
    for compiled code.

    Python runs the functions of the table interpreted, by ``table[type(state)]``; kernels pick them at compile time.
    """

    def register(self, kind: type, operations: T) -> None:
        """Register the operations for a type of named tuple."""
        self[kind] = operations
        note_operations(kind, operations)

    def compiled(self, *, by: int = 0, inline: bool = True) -> Callable[[F], F]:
        """Let kernels that call the decorated function run the operation of its name for the type of its argument
        ``by``; ``inline`` as for ``overload``."""

        def decorate(function: F) -> F:
            def choose(*args: Any) -> Any:
                kind = args[by]
                named = isinstance(kind, types.NamedTuple | types.NamedUniTuple)
                operations = self.get(kind.instance_class) if named else None
                return operations and getattr(operations, function.__name__)

            overload(function, inline=inline)(choose)
            return function

        return decorate


class _Callee(types.Callable, types.Dummy):  # type: ignore[misc]
    """The numba type of a plain function that compiled code may call.

    Numba's own overloads are compiled again for every width of an integer and for every set of options of the caller.
    """

    def __init__(self, function: Callable[..., Any], choose: Callable[..., Any], inline: bool = True) -> None:
        self._choose = choose
        self._inline = inline
        self._chosen: dict[tuple[Any, ...], Any] = {}
        super().__init__(f"callee({function.__module__}.{function.__qualname__})")

    @property
    def key(self) -> str:
        return str(self.name)

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """The signature that a call with arguments of these types has; it is compiled by then."""
        if kws:
            raise numba.TypingError(f"{self.name} is called with names of arguments")
        args = tuple(map(_widest, args))
        if args not in self._chosen:
            function = self._choose(*args)
            if function is None:
                return None
            compiled = numba.njit(forceinline=self._inline, no_cpython_wrapper=True, **_OPTIONS)(function)
            compiled._cache = KernelFiles(function)
            self._chosen[args] = compiled
        self._chosen[args].compile(args)
        return self._chosen[args].overloads[args].signature

    def get_call_signatures(self) -> tuple[tuple[()], bool]:
        return (), True

    def get_impl_key(self, sig: Any) -> Any:
        return self._chosen[tuple(sig.args)].overloads[tuple(sig.args)].entry_point


register_default(_Callee)(models.OpaqueModel)


@lower_constant(_Callee)  # type: ignore[untyped-decorator]
def _nothing(context: Any, _builder: Any, _type: Any, value: Any) -> Any:
    return context.get_dummy_value()


def _widest(arg: Any) -> Any:
    """Map integer types of any width to the widest one, as arguments are widened when passed."""
    arg = types.unliteral(arg)
    if isinstance(arg, types.Integer) and arg.bitwidth < 64:
        return types.int64
    return arg


@intrinsic  # type: ignore[untyped-decorator]
def row_of_arrays(_context: Any, arrays: Any, _row: Any) -> Any:
    """In compiled code: the named tuple of row ``_row`` of each of the C-contiguous ``arrays`` of such a tuple."""
    parts = [types.Array(array.dtype, array.ndim - 1, "C") for array in arrays.types]
    row_type = types.BaseTuple.from_types(parts, arrays.instance_class)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        rows = []
        for i, (whole, part) in enumerate(zip(signature.args[0].types, parts, strict=True)):
            take = context.get_function(operator.getitem, part(whole, signature.args[1]))
            rows.append(take(builder, (builder.extract_value(args[0], i), args[1])))
        return context.make_tuple(builder, signature.return_type, rows)

    return row_type(arrays, _row), generate


def seldom(condition: bool) -> bool:
    """``condition``; in compiled code also: where registers are short, keep them for when it does not hold."""
    return condition


@type_callable(seldom)  # type: ignore[untyped-decorator]
def _type_of_seldom(_context: Any) -> Any:
    return lambda condition: types.boolean


@lower_builtin(seldom, types.boolean)  # type: ignore[untyped-decorator]
def _compile_seldom(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
    bit = ir.IntType(1)
    expect = builder.module.declare_intrinsic("llvm.expect", [bit], ir.FunctionType(bit, [bit, bit]))
    return builder.call(expect, [args[0], bit(0)])


def prefetch(_array: Any, _i: int) -> None:
    """In compiled code: ask the processor for element or row ``_i``, which is soon needed; any number is harmless."""


@overload(prefetch)
def _choose_prefetch(_array: Any, _i: Any) -> Any:
    return _compiled_prefetch


def _compiled_prefetch(array: Any, i: int) -> None:
    _prefetch(array, i)


@intrinsic  # type: ignore[untyped-decorator]
def _prefetch(_context: Any, array: Any, i: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        parts = context.make_array(signature.args[0])(context, builder, args[0])
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        at = context.cast(builder, args[1], signature.args[1], types.intp)
        place = builder.mul(at, builder.extract_value(parts.strides, 0))
        address = builder.gep(builder.bitcast(parts.data, byte), [place])
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        ask = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        builder.call(ask, [address, word(0), word(3), word(1)])  # to read; into all caches; data
        return context.get_dummy_value()

    return types.void(array, i), generate
