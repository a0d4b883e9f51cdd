"""Stops exceptions from entering Qt: a failing override of a Qt method reports its error and returns Qt's default.

With Python 3.11, PySide6 before 6.12 crashes when an exception leaves a Python method called by C++.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any, Final

from shiboken6 import Shiboken

OURS: Final = ("gui", "tests", "__main__")
QT: Final = ("PySide6", "Shiboken", "shiboken6")
WITH_AN_ANSWER: Final = ("viewportEvent", "sceneEvent", "sceneEventFilter", "nativeEvent")  # events with a return value
MARK: Final = "guarded_override"


def guard_overrides() -> None:
    """Keep exceptions inside every override of a Qt method, in all existing and future classes.

    The exception goes to ``sys.excepthook``, as for slots.  Qt gets the base class's result.
    """
    root: Any = Shiboken.Object
    if is_guarded(root):
        return

    def init_subclass(cls: Any, /, **options: Any) -> None:
        super(root, cls).__init_subclass__(**options)
        _guard(cls)

    setattr(root, MARK, True)
    root.__init_subclass__ = classmethod(init_subclass)
    for cls in subclasses(root):
        _guard(cls)


def subclasses(base: type) -> list[type]:
    """Return all direct and indirect subclasses of ``base``."""
    derived_from: dict[type, None] = {}
    waiting = [base]
    while waiting:
        derived: list[type] = type.__subclasses__(waiting.pop())
        fresh = [cls for cls in derived if cls not in derived_from]
        derived_from.update(dict.fromkeys(fresh))
        waiting.extend(fresh)
    return list(derived_from)


def overrides(cls: type) -> dict[str, tuple[Any, Callable[..., Any]]]:
    """Return the Qt methods overridden by ``cls`` or its non-Qt mixins: name -> (override, Qt's method)."""
    methods: dict[str, tuple[Any, Callable[..., Any]]] = {}
    if _is_of(cls, QT):
        return methods
    for origin in (cls, *(origin for origin in cls.__mro__[1:-1] if not issubclass(origin, Shiboken.Object))):
        for name, method in vars(origin).items():
            of_qt = None if name.startswith("__") or name in methods else _of_qt(cls, name)
            if of_qt is not None and callable(method):
                methods[name] = (method, of_qt)
    return methods


def is_guarded(method: object) -> bool:
    return getattr(method, MARK, False) is True


def _guard(cls: type) -> None:
    if not _is_of(cls, OURS):
        return
    for name, (method, of_qt) in overrides(cls).items():
        if isinstance(method, FunctionType) and not is_guarded(method):
            setattr(cls, name, _guarded(method, of_qt))


def _is_of(cls: type, packages: tuple[str, ...]) -> bool:
    return cls.__module__.partition(".")[0] in packages


def _of_qt(cls: type, name: str) -> Callable[..., Any] | None:
    for base in cls.__mro__[1:]:
        if _is_of(base, QT) and name in vars(base):
            method = vars(base)[name]
            return method if type(method).__name__ == "method_descriptor" else None
    return None


def _guarded(method: FunctionType, of_qt: Callable[..., Any]) -> Callable[..., Any]:
    code = method.__code__
    # PySide passes a slot only the arguments it declares, but a method with *args all of them: cut them off here.
    most = None if code.co_flags & 4 else code.co_argcount - 1

    @wraps(method)
    def guarded(self: Any, *args: Any, **named: Any) -> Any:
        try:
            return method(self, *args[:most], **named)
        except BaseException as error:
            _report(error)
        return _answer(self, of_qt, args)

    setattr(guarded, MARK, True)
    return guarded


def _report(error: BaseException) -> None:
    try:
        sys.excepthook(type(error), error, error.__traceback__)
    except BaseException as worse:
        print(f"{error!r} could not be reported: {worse!r}", file=sys.__stderr__)


def _answer(thing: Any, of_qt: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Return the Qt class's result; None for events and painting, which the override may have half done."""
    name = of_qt.__name__
    if name.startswith(("paint", "draw")) or (name.endswith("Event") and name not in WITH_AN_ANSWER):
        return None
    try:
        return of_qt(thing, *args)
    except Exception:  # Qt has no implementation: it is abstract
        return _neutral(name)


def _neutral(name: str) -> Any:
    from PySide6.QtCore import QModelIndex, QRectF

    if name in ("index", "parent"):
        return QModelIndex()
    if name == "boundingRect":
        return QRectF()
    return 0 if name in ("rowCount", "columnCount") else None
