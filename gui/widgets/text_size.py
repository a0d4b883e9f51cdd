"""The text size of the whole application, and everything that scales with it.

Fonts and the style sheet follow the application's; sizes set in pixels (margins, icons, fixed sizes) are updated by
``fit``.  A size that a widget computes from its own font is registered with ``by_font``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final
from weakref import WeakSet

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QDialogButtonBox,
    QHeaderView,
    QLayout,
    QTreeView,
    QWidget,
)
from shiboken6 import isValid

LATE: Final = "late"  # property of a part that is fitted when it is shown (gui.widgets.dressing)


def may_wait(part: QWidget) -> bool:
    """Whether a part is fitted later: it is hidden."""
    return part.isHidden() and bool(part.property(LATE))


SIZES: Final = (85, 100, 115, 130, 150)  # per cent
USUAL: Final = 100
CHINESE_FONTS: Final = (  # the first installed one is used for characters missing in the application's font
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Microsoft YaHei",
    "PingFang SC",
    "WenQuanYi Micro Hei",
)
_UNBOUNDED: Final = 16777215  # QWIDGETSIZE_MAX
_SIZE_RESOLVED: Final = 2  # QFont::SizeResolved
_KEPT, _MADE, _LEFT, _MEASURE = "plain_sizes", "made_at", "left_at", "measure_text"  # properties; an attribute


_measured: Final[WeakSet[QWidget]] = WeakSet()  # the widgets with a measurement


class _Now:
    """The application's current text size."""

    size = USUAL
    points = 0.0  # font size at 100 %; 0 until read


def scale() -> float:
    """Return the current scale, 1 at 100 %."""
    return _Now.size / 100


def px(length: float) -> int:
    """Scale a length given for 100 %; a hairline stays 1 px."""
    return round(length * scale()) if length > 1 else round(length)


def fixed_font() -> QFont:
    """Return the system's monospace font at the current text size."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * scale())
    return with_chinese(font)


def with_chinese(font: QFont) -> QFont:
    """Return the font with fallbacks for Chinese; Latin letters and digits keep their font.

    The actual family is named too, because Qt skips aliases such as "Sans Serif" when several families are given.
    """
    families = [name for name in font.families() if name not in CHINESE_FONTS]
    result = QFont(font)
    result.setFamilies(families)
    result.setFamilies(list(dict.fromkeys([*families, QFontInfo(result).family(), *CHINESE_FONTS])))
    return result


def larger(size: int) -> int:
    """Return the next larger size."""
    return next((step for step in SIZES if step > size), SIZES[-1])


def smaller(size: int) -> int:
    """Return the next smaller size."""
    return next((step for step in reversed(SIZES) if step < size), SIZES[0])


def by_font(widget: QWidget, measure: Callable[[], object]) -> None:
    """Run ``measure``, which sets a size of ``widget`` from its font, now and at every change of the text size."""
    setattr(widget, _MEASURE, measure)
    _measured.add(widget)
    measure()


def measure_all() -> None:
    """Repeat the measurement of every widget after its text may have changed."""
    for widget in tuple(_measured):
        if isValid(widget):
            measure_anew(widget)


def measure_anew(widget: QWidget) -> None:
    """Repeat the measurement of ``by_font`` after the widget's text has changed."""
    measure = vars(widget).get(_MEASURE)  # a tenth of the time of getattr where there is none
    if measure is not None:
        measure()


def give_room(button: QAbstractButton) -> None:
    """Make a button wide enough for its text in bold, which the style sheet uses for default buttons."""

    def measure() -> None:
        bold = QFont(button.font())
        bold.setWeight(QFont.Weight.DemiBold)
        button.setMinimumWidth(QFontMetrics(bold).horizontalAdvance(button.text()) + px(40))

    by_font(button, measure)


def resize_text(app: QApplication, size: int, dress: Callable[[], object]) -> None:
    """Set the application's text size in per cent; ``dress`` renews its style sheet.

    Raises ``ValueError`` for a size not in ``SIZES``.
    """
    if size not in SIZES:
        raise ValueError(f"the text size is {size!r}; it must be one of {', '.join(map(str, SIZES))} %")
    before, font = _Now.size, app.font()
    _Now.points = _Now.points or font.pointSizeF()
    if size == before:
        return
    pinned = [(widget, widget.font().pointSizeF()) for widget in app.allWidgets() if _has_own_size(widget)]
    _Now.size = size
    font.setPointSizeF(_Now.points * size / 100)
    app.setFont(font)
    windows = [top for top in app.topLevelWidgets() if top.parentWidget() is None]  # the others are inside these
    for window in windows:
        app.sendEvent(window, QEvent(QEvent.Type.ApplicationFontChange))  # Qt's own event may come later
    dress()
    for widget, points in pinned:
        widget_font = widget.font()
        if points > 0 and abs(widget_font.pointSizeF() - points) < 1e-6:  # the theme has not set it anew
            widget_font.setPointSizeF(points * size / before)
            widget.setFont(widget_font)
    for window in windows:
        fit(window, before / 100)


def _has_own_size(widget: QWidget) -> bool:
    """Whether a widget's font has a size of its own; else it follows the application's, hidden ones when shown."""
    own = Qt.WidgetAttribute.WA_SetFont  # the quicker question: few have any font of their own
    return widget.testAttribute(own) and bool(widget.font().resolveMask() & _SIZE_RESOLVED)


def fit(top: QWidget, made: float | None = None) -> None:
    """Scale the pixel sizes of ``top`` and the widgets in it to the current text size.

    ``made``: the scale at which widgets not yet fitted were created; None: the current one.
    """
    for widget in _fitted_now(top, made or scale()):
        if not isValid(widget):  # deleted while another was fitted, as a splitter's handles are
            continue
        layout = widget.layout()
        if layout is not None:
            _fit_layout(layout)
        if isinstance(widget, QDialogButtonBox):
            for button in widget.buttons():
                give_room(button)
        measure = vars(widget).get(_MEASURE)
        if measure is not None:
            measure()
        elif not widget.isWindow():
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
    """Return ``top`` and its widgets except those of waiting parts, which record their scale."""
    widgets = [top]
    for part in top.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if not may_wait(part):
            widgets += _fitted_now(part, made)
        elif part.property(_LEFT) is None:
            part.setProperty(_LEFT, made)
    return widgets


def fit_late(part: QWidget) -> None:
    """Fit a part that was waiting."""
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
    """Scale the header's sections, which were measured with an earlier font."""
    ratio = scale() / float(header.property(_MADE) or made)
    header.setProperty(_MADE, scale())
    if ratio == 1.0:
        return
    if header.orientation() == Qt.Orientation.Vertical:
        header.setDefaultSectionSize(round(header.defaultSectionSize() * ratio))
        return
    hidden = [i for i in range(header.count()) if header.isSectionHidden(i)]
    sizes = [round(header.sectionSize(i) * ratio) for i in range(header.count())]
    blocked = header.blockSignals(True)
    for i in hidden:  # only while it is shown does Qt tell how wide it is
        header.setSectionHidden(i, False)
        header.resizeSection(i, round(header.sectionSize(i) * ratio))
        header.setSectionHidden(i, True)
    header.blockSignals(blocked)
    for i, size in enumerate(sizes):
        if i not in hidden:  # another width may show and hide others meanwhile, which keep theirs
            header.resizeSection(i, size)


def _set_icon(widget: QAbstractButton | QAbstractItemView, lengths: tuple[int, ...]) -> None:
    widget.setIconSize(QSize(*lengths))


def _call(give: Callable[..., object], lengths: tuple[int, ...]) -> None:
    give(*lengths)


def _renew(thing: QObject, name: str, now: tuple[int, ...], give: Callable[[tuple[int, ...]], object]) -> None:
    """Apply ``give`` to the sizes for 100 % scaled to the current one; sizes changed by code since count as new."""
    for length in now:  # of thousands of widgets: the quickest way to ask
        if 1 < length < _UNBOUNDED:
            break
    else:
        return  # independent of the text size
    kept: dict[str, Any] = dict(thing.property(_KEPT) or {})
    plain = tuple(
        old if given == size else size for old, given, size in zip(*kept.get(name, (now, now)), now, strict=True)
    )
    given = tuple(length if length >= _UNBOUNDED else px(length) for length in plain)
    if given != now:
        give(given)
    if name in kept or given != now:
        kept[name] = (plain, given)
        thing.setProperty(_KEPT, kept)
