"""Operations selected by the type of a named tuple: one table for Python and for compiled code.

Python runs the functions of the table interpreted, by ``table[type(state)]``; kernels pick them at compile time.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import types

from core._jit import overload
from core._kernel_files import note_operations

T = TypeVar("T", bound=tuple[Any, ...])
F = TypeVar("F", bound=Callable[..., Any])


class ByType(dict[type, T]):
    """Type of named tuple -> its operations, a named tuple of functions."""

    def register(self, kind: type, operations: T) -> None:
        """Register the operations for a type of named tuple."""
        self[kind] = operations
        note_operations(kind, operations)

    def compiled(self, *, by: int = 0, inline: bool = True) -> Callable[[F], F]:
        """Let kernels that call the decorated function run the operation of its name for the type of its argument
        ``by``; ``inline`` as for ``core._jit.overload``."""

        def decorate(function: F) -> F:
            def choose(*args: Any) -> Any:
                kind = args[by]
                named = isinstance(kind, types.NamedTuple | types.NamedUniTuple)
                operations = self.get(kind.instance_class) if named else None
                return operations and getattr(operations, function.__name__)

            overload(function, inline=inline)(choose)
            return function

        return decorate
