"""How numba makes machine code of our functions, so that it takes less time to compile.

A function that only compiled code calls is made again as a part of every kernel that calls it: it gets no machine code
of its own, and one that is compiled in line is only tidied up, as it is optimised where it stands.  A kernel is
optimised once, with all that it calls.
"""

from typing import Any, Final

import llvmlite.binding
from numba import types
from numba.core import codegen, compiler
from numba.core.datamodel import models
from numba.core.datamodel.registry import default_manager

_KIND: Final = "callee"  # of a stored library, beside numba's own "object" and "bitcode"


class _Library(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel with all that it calls."""

    def _optimize_functions(self, module: Any) -> None:
        """Leave the kernel's own functions as they are until all that they call stands beside them."""
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Optimise once: numba does so before and after it removes what counts references, of which there are none."""
        manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)

    @classmethod
    def _unserialize(cls, generator: Any, state: Any) -> Any:
        name, kind, content = state
        if kind != _KIND:
            return super()._unserialize(generator, state)
        callee = _Callee(generator, name)
        callee._final_module = callee._shared_module = llvmlite.binding.parse_bitcode(content)
        callee._finalized = True
        return callee


codegen.JITCPUCodegen._library_class = _Library


class _WithoutEngine:
    """Numba's code generator without the engine that loads machine code."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> Any:
        return getattr(self._generator, name)

    def set_env(self, name: str, env: object) -> None:
        """Set nothing: no code that could ask for it is loaded."""


class _Callee(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of a function of which no machine code is made."""

    inline = False  # whether it is compiled in line wherever it is called

    @property
    def codegen(self) -> Any:
        return _WithoutEngine(self._codegen)

    def _optimize_final_module(self) -> None:
        if not self.inline:
            super()._optimize_final_module()
            return
        manager, builder = self._codegen._module_pass_manager(
            opt=0, loop_vectorize=False, slp_vectorize=False, cost="cheap"
        )
        manager.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """0: there is nothing to run."""
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """Name, kind and content to be stored."""
        return self.name, _KIND, self._get_module_for_linking().as_bitcode()


class CalleeCompiler(compiler.Compiler):  # type: ignore[misc]
    """Numba's compiler for a function that only compiled code calls."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        if self.state.library is None:
            library = _Callee(self.state.targetctx.codegen(), "callee")
            library.inline = bool(self.state.flags.forceinline)
            library.enable_object_caching()
            self.state.library = library


# Numba takes tuples and arrays apart where a function is called, number by number, and puts them together in it: of a
# tree, some hundreds.


class _Whole:
    """A kind of values that compiled code hands over as they are."""

    def get_argument_type(self) -> Any:
        return self.get_value_type()  # type: ignore[attr-defined]

    def as_argument(self, builder: Any, value: Any) -> Any:
        return value

    def from_argument(self, builder: Any, value: Any) -> Any:
        return value


class _Tuple(_Whole, models.TupleModel):  # type: ignore[misc]
    """Tuples of different types."""


class _UniTuple(_Whole, models.UniTupleModel):  # type: ignore[misc]
    """Tuples of one type."""


class _Array(_Whole, models.ArrayModel):  # type: ignore[misc]
    """Arrays."""


_MODELS: Final = {
    types.Tuple: _Tuple,
    types.NamedTuple: _Tuple,
    types.UniTuple: _UniTuple,
    types.NamedUniTuple: _UniTuple,
    types.Array: _Array,
}
for _type, _model in _MODELS.items():
    default_manager.register(_type, _model)
