"""The size of the text and of all that goes with it, for the whole application.  Knows fonts and layouts, no view.

Fonts and the style sheet follow the application's; what a widget was given in pixels (margins, icons, fixed sizes) is
given anew by ``fit``.  A size that a widget takes from its own font stands under ``by_font``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QDialogButtonBox,
    QDockWidget,
    QHeaderView,
    QLayout,
    QTreeView,
    QWidget,
)

from gui.widgets.late import waits

SIZES: Final = (85, 100, 115, 130, 150)  # per cent
USUAL: Final = 100
CHINESE_FONTS: Final = (  # for the letters that the application's own font has not, the first that is there
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Microsoft YaHei",
    "PingFang SC",
    "WenQuanYi Micro Hei",
)
_UNBOUNDED: Final = 16777215  # QWIDGETSIZE_MAX
_KEPT, _MADE, _LEFT, _MEASURE = "plain_sizes", "made_at", "left_at", "measure_text"  # properties; an attribute


class _Now:
    """What holds for the one application."""

    size = USUAL
    points = 0.0  # of the font at 100 %; 0 until it was looked at


def scale() -> float:
    """1 at 100 %."""
    return _Now.size / 100


def px(length: float) -> int:
    """A length meant for 100 %, at the size of the text; a hair line stays one."""
    return round(length * scale()) if length > 1 else round(length)


def fixed_font() -> QFont:
    """The system's font of one width for all letters, at the size of the text."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * scale())
    return with_chinese(font)


def with_chinese(font: QFont) -> QFont:
    """The font with fall-backs for Chinese; Latin letters and figures stay its own.

    The family it stands for is named too: of several families Qt passes over those that only stand for one, such as
    "Sans Serif"."""
    own = [name for name in font.families() if name not in CHINESE_FONTS]
    result = QFont(font)
    result.setFamilies(own)
    result.setFamilies(list(dict.fromkeys([*own, QFontInfo(result).family(), *CHINESE_FONTS])))
    return result


def larger(size: int) -> int:
    """The next size up."""
    return next((step for step in SIZES if step > size), SIZES[-1])


def smaller(size: int) -> int:
    """The next size down."""
    return next((step for step in reversed(SIZES) if step < size), SIZES[0])


def by_font(widget: QWidget, measure: Callable[[], object]) -> None:
    """Run ``measure``, which gives ``widget`` a size taken from a font, now and whenever the text changes its size."""
    setattr(widget, _MEASURE, measure)
    measure()


def measure_anew(widget: QWidget) -> None:
    """Take the sizes that ``by_font`` gave it once more: its words have changed."""
    measure = getattr(widget, _MEASURE, None)
    if measure is not None:
        measure()


def give_room(button: QAbstractButton) -> None:
    """Make a button wide enough for its text in bold, as the style sheet sets that of a default button."""

    def measure() -> None:
        bold = QFont(button.font())
        bold.setWeight(QFont.Weight.DemiBold)
        button.setMinimumWidth(QFontMetrics(bold).horizontalAdvance(button.text()) + px(40))

    by_font(button, measure)


def resize_text(app: QApplication, size: int, dress: Callable[[], object]) -> None:
    """Give the application text of ``size`` per cent; ``dress`` renews its style sheet.

    Raises ``ValueError`` for a size that is none of ``SIZES``."""
    if size not in SIZES:
        raise ValueError(f"the text size is {size!r}; it must be one of {', '.join(map(str, SIZES))} %")
    before, font = _Now.size, app.font()
    _Now.points = _Now.points or font.pointSizeF()
    if size == before:
        return
    pinned = [(widget, widget.font().pointSizeF()) for widget in app.allWidgets() if _has_own_font(widget)]
    _Now.size = size
    font.setPointSizeF(_Now.points * size / 100)
    app.setFont(font)
    windows = [top for top in app.topLevelWidgets() if top.parentWidget() is None]  # the others are in these
    for window in windows:
        app.sendEvent(window, QEvent(QEvent.Type.ApplicationFontChange))  # Qt's own may come later
    dress()
    for widget, points in sorted(pinned, key=lambda found: _depth(found[0])):
        own = widget.font()
        if points > 0 and abs(own.pointSizeF() - points) < 1e-6:  # it did not follow the application's
            own.setPointSizeF(points * size / before)
            widget.setFont(own)
    for window in windows:
        fit(window, before / 100)


def _has_own_font(widget: QWidget) -> bool:
    return widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)


def _depth(widget: QWidget) -> int:
    depth, parent = 0, widget.parentWidget()
    while parent is not None:
        depth, parent = depth + 1, parent.parentWidget()
    return depth


def fit(top: QWidget, made: float | None = None) -> None:
    """Bring what ``top`` and the widgets in it were given in pixels to the size of the text.

    ``made``: the scale at which those not fitted before were made; None: the present one."""
    for widget in _fitted_now(top, made or scale()):
        layout = widget.layout()
        if layout is not None:
            _fit_layout(layout)
        if isinstance(widget, QDialogButtonBox):
            for button in widget.buttons():
                give_room(button)
        measure = getattr(widget, _MEASURE, None)
        if measure is not None:
            measure()
        elif not widget.isWindow() and not isinstance(widget, QDockWidget):  # their layouts set those
            low, high = widget.minimumSize(), widget.maximumSize()
            _renew(widget, "minimum", (low.width(), low.height()), partial(_call, widget.setMinimumSize))
            _renew(widget, "maximum", (high.width(), high.height()), partial(_call, widget.setMaximumSize))
        if isinstance(widget, QAbstractButton | QAbstractItemView):
            icon = widget.iconSize()
            _renew(widget, "icon", (icon.width(), icon.height()), partial(_set_icon, widget))
        if isinstance(widget, QAbstractItemView):
            widget.scheduleDelayedItemsLayout()
        if isinstance(widget, QTreeView):
            _renew(widget, "indentation", (widget.indentation(),), partial(_call, widget.setIndentation))
        if isinstance(widget, QHeaderView):
            _fit_header(widget, made or scale())


def _fitted_now(top: QWidget, made: float) -> list[QWidget]:
    """``top`` and the widgets in it but those of parts that wait; these note at which scale they were made."""
    found = [top, *top.findChildren(QWidget)]
    waiting: set[int] = set()
    for part in found[1:]:
        if waits(part):
            if part.property(_LEFT) is None:
                part.setProperty(_LEFT, made)
            waiting.update(id(widget) for widget in (part, *part.findChildren(QWidget)))
    return [widget for widget in found if id(widget) not in waiting]


def fit_late(part: QWidget) -> None:
    """Fit a part that waited."""
    made = part.property(_LEFT)
    if made is not None:
        part.setProperty(_LEFT, None)
        fit(part, made)


def _fit_layout(layout: QLayout) -> None:
    sides = layout.contentsMargins()
    now = (sides.left(), sides.top(), sides.right(), sides.bottom())
    _renew(layout, "margins", now, partial(_call, layout.setContentsMargins))
    _renew(layout, "spacing", (layout.spacing(),), partial(_call, layout.setSpacing))
    for inner in layout.children():
        if isinstance(inner, QLayout):
            _fit_layout(inner)


def _fit_header(header: QHeaderView, made: float) -> None:
    """Its sections were measured by the font of the time: they grow with it."""
    ratio = scale() / float(header.property(_MADE) or made)
    header.setProperty(_MADE, scale())
    if ratio == 1.0:
        return
    if header.orientation() == Qt.Orientation.Vertical:
        header.setDefaultSectionSize(round(header.defaultSectionSize() * ratio))
        return
    for i in range(header.count()):
        if not header.isSectionHidden(i):
            header.resizeSection(i, round(header.sectionSize(i) * ratio))


def _set_icon(widget: QAbstractButton | QAbstractItemView, lengths: tuple[int, ...]) -> None:
    widget.setIconSize(QSize(*lengths))


def _call(give: Callable[..., object], lengths: tuple[int, ...]) -> None:
    give(*lengths)


def _renew(thing: QObject, name: str, now: tuple[int, ...], give: Callable[[tuple[int, ...]], object]) -> None:
    """``give`` the sizes meant for 100 % at the present size; each that code has changed meanwhile is a new one."""
    kept: dict[str, Any] = thing.property(_KEPT) or {}
    if name not in kept and all(length <= 1 or length >= _UNBOUNDED for length in now):
        return  # the same at every size of the text
    kept = dict(kept)
    plain = tuple(
        old if given == found else found for old, given, found in zip(*kept.get(name, (now, now)), now, strict=True)
    )
    given = tuple(length if length >= _UNBOUNDED else px(length) for length in plain)
    if given != now:
        give(given)
    if name in kept or given != now:
        kept[name] = (plain, given)
        thing.setProperty(_KEPT, kept)
