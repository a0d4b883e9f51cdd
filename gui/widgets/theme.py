"""The light and dark themes: named colours, the palette, the style sheet and the icons.

A widget reads ``current_theme`` when it paints.  ``gui.widgets.dressing`` brings another theme to the parts of a
window: their new style sheet makes Qt paint them, and what they made of colours is made again by ``on_theme``.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import cast

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPalette, QPen, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from gui.widgets.text_size import px


@dataclass(frozen=True)
class Theme:
    """All colours of a theme, as "#rrggbb".  Ramps run from low to high, diverging ones from -1 to +1."""

    name: str
    window: str
    panel: str
    raised: str
    hover: str
    line: str
    text: str
    dim: str
    faint: str  # the faintest readable text; lines and borders
    disabled: str  # disabled controls
    accent: str  # best move, selection: cyan-blue
    on_accent: str
    selection: str
    warn: str
    warn_panel: str
    good: str
    busy: str
    # boards
    discs_body: str
    discs_edge: str
    discs_hole: str
    wood: str
    wood_line: str
    felt: str
    felt_line: str
    chip: str
    cell: str
    cell_line: str
    first: dict[str, str]  # board kind -> colour of player 0
    second: dict[str, str]
    prior_ramp: tuple[str, ...]
    share_ramp: tuple[str, ...]
    value_ramp: tuple[str, ...]
    series: tuple[str, ...]  # curves of a chart, after Okabe and Ito (2008): distinguishable by the colour-blind

    @property
    def dark(self) -> bool:
        return self.name == "dark"

    def color(self, token: str, alpha: float = 1.0) -> QColor:
        """Return a named colour with opacity ``alpha``."""
        return with_alpha(QColor(getattr(self, token)), alpha)


DARK = Theme(
    name="dark",
    window="#14171b",
    panel="#1a1e23",
    raised="#242a31",
    hover="#2c333b",
    line="#2a3038",
    text="#e3e7ec",
    dim="#a3adb9",
    faint="#8894a0",
    disabled="#66717d",
    accent="#3fbce6",
    on_accent="#06222d",
    selection="#1f3b49",
    warn="#f0a35e",
    warn_panel="#38291b",
    good="#58c08c",
    busy="#3fbce6",
    discs_body="#23456e",
    discs_edge="#2e578a",
    discs_hole="#12161b",
    wood="#b78d52",
    wood_line="#4a3517",
    felt="#2b6349",
    felt_line="#1d4633",
    chip="#b9c3cd",
    cell="#20262d",
    cell_line="#3a434d",
    first={"discs": "#dc5040", "hexagons": "#dc5040", "stones": "#17191c", "marks": "#e8edf2"},
    second={"discs": "#f2c744", "hexagons": "#4f93ea", "stones": "#f1efe9", "marks": "#ee86b4"},
    prior_ramp=("#2a2338", "#58418a", "#8f68cf", "#cfaaf7"),
    share_ramp=("#17302a", "#22624c", "#3da677", "#a4ecc0"),
    value_ramp=("#f08a3c", "#b06b3c", "#4a4d52", "#3f74b8", "#58a6f5"),
    series=("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#f0e442"),
)

LIGHT = Theme(
    name="light",
    window="#f2f4f6",
    panel="#ffffff",
    raised="#e9ecef",
    hover="#dfe4e8",
    line="#d8dde2",
    text="#1a2026",
    dim="#48535e",
    faint="#5f6974",
    disabled="#89939d",
    accent="#0a6c96",
    on_accent="#ffffff",
    selection="#d4ebf5",
    warn="#9a4e08",
    warn_panel="#fdf0e0",
    good="#166f45",
    busy="#0a6c96",
    discs_body="#3a6fb3",
    discs_edge="#2f5f9d",
    discs_hole="#eef2f6",
    wood="#e3bf84",
    wood_line="#8a6a3a",
    felt="#4f9a74",
    felt_line="#357354",
    chip="#7d8996",
    cell="#ffffff",
    cell_line="#c4ccd4",
    first={"discs": "#d5402f", "hexagons": "#d5402f", "stones": "#1b1d20", "marks": "#20262d"},
    second={"discs": "#f0bd2c", "hexagons": "#2f6fc6", "stones": "#fbfaf6", "marks": "#c03a7c"},
    prior_ramp=("#efe8fa", "#cdb6ef", "#9a6fd6", "#5b2f9e"),
    share_ramp=("#e2f3ea", "#a5dcc0", "#4bb083", "#13704a"),
    value_ramp=("#c8620f", "#e8b183", "#e4e6e8", "#8fb8e6", "#1f6fc4"),
    series=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"),
)

# Colours to be distinguished differ in blue against yellow or in lightness, never only in red against green.
DARK_COLOUR_BLIND = replace(
    DARK,
    warn="#f5a13c",
    good="#7fd8c8",
    first=DARK.first | {"discs": "#d4561a", "hexagons": "#e69f00", "marks": "#f4f6f8"},
    second=DARK.second | {"discs": "#f8e36b", "hexagons": "#56b4e9", "marks": "#e69f00"},
    prior_ramp=("#22283a", "#565b6c", "#a2976f", "#f6dd55"),
    share_ramp=("#16283b", "#1f4f7d", "#4a8fcc", "#e2f2ff"),
    value_ramp=("#f5902b", "#a8703c", "#4a4d52", "#3a74bf", "#6ab4ff"),
)
LIGHT_COLOUR_BLIND = replace(
    LIGHT,
    warn="#9a4c00",
    good="#0b6a75",
    first=LIGHT.first | {"discs": "#c24a10", "hexagons": "#c97f00", "marks": "#20262d"},
    second=LIGHT.second | {"discs": "#f7dc4a", "hexagons": "#0a62a3", "marks": "#c97f00"},
    prior_ramp=("#f7f0cf", "#dcc46c", "#a5831f", "#5c4500"),
    share_ramp=("#e3eef8", "#a3c4e6", "#5079b0", "#172a4a"),
    value_ramp=("#c05a00", "#e8b57c", "#e4e6e8", "#88b4e6", "#1763b8"),
)

DARK_INK, LIGHT_INK = "#000000", "#ffffff"  # on a ground of any colour one of the two can be read
EVEN = 0.179  # the luminance on which both have the same contrast, 4.58
READABLE = 4.5  # the least contrast of a text by WCAG 2, level AA

THEMES = {"dark": DARK, "light": LIGHT}
COLOURS = {"standard": THEMES, "colour-blind": {"dark": DARK_COLOUR_BLIND, "light": LIGHT_COLOUR_BLIND}}


def pick_theme(choice: str, colours: str = "standard") -> Theme:
    """Return the theme for "dark", "light" or, with any other choice, the desktop's setting."""
    if choice not in ("dark", "light"):
        choice = "dark" if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"
    return COLOURS[colours][choice]


class _Now:
    """The theme in force."""

    theme = DARK


def current_theme() -> Theme:
    """Return the theme in force."""
    return _Now.theme


def set_current_theme(theme: Theme) -> None:
    """Put a theme in force and set its palette; ``recolour`` and a style sheet bring it to the widgets."""
    _Now.theme = theme
    QApplication.setPalette(palette(theme))


class _OnTheme(QObject):
    """A child of a widget with what is to be run when the theme has changed."""

    def __init__(self, owner: QWidget, run: Callable[[], object]) -> None:
        super().__init__(owner)
        self.run = run


class _Icon(_OnTheme):
    """The icon of a button."""

    shown = ("", "")  # the names of drawing and colour


def on_theme(owner: QWidget, run: Callable[[], object]) -> None:
    """Run something now and, as long as its owner lives, when the theme has changed; while it is hidden, when shown."""
    _OnTheme(owner, run)
    run()


def set_icon(button: QAbstractButton, name: str, token: str = "text") -> None:
    """Give a button an icon in a colour of the theme, in this and every later theme."""

    def write() -> None:
        button.setIcon(icon(name, token))

    listener = button.findChild(_Icon, options=Qt.FindChildOption.FindDirectChildrenOnly) or _Icon(button, write)
    if listener.shown != (name, token):  # an icon set again would lay out the window again
        listener.run, listener.shown = write, (name, token)
        write()


def recolour(top: QWidget, within: bool = True) -> None:
    """Run what ``on_theme`` registered for a widget and, if ``within``, for all widgets in it."""
    option = Qt.FindChildOption
    for listener in top.findChildren(
        _OnTheme, options=option.FindChildrenRecursively if within else option.FindDirectChildrenOnly
    ):
        listener.run()


def style_sheet(theme: Theme) -> str:
    """Return the style sheet with the theme's colours and with lengths scaled to the text size."""
    colours = {key: value for key, value in asdict(theme).items() if isinstance(value, str)}
    icons = Path(str(files("resources").joinpath("icons"))).as_posix()
    sheet = re.sub(r"(\d+)px", lambda length: f"{px(int(length[1]))}px", _resource("styles/plyscope.qss").decode())
    return Template(sheet).substitute(colours, icons=icons)


def palette(theme: Theme) -> QPalette:
    """Return the palette for what the style sheet does not cover."""
    result = QPalette()
    role = QPalette.ColorRole
    for key, colour in (
        (role.Window, theme.window),
        (role.WindowText, theme.text),
        (role.Base, theme.panel),
        (role.AlternateBase, theme.raised),
        (role.Text, theme.text),
        (role.Button, theme.raised),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.warn),
        (role.ToolTipBase, theme.raised),
        (role.ToolTipText, theme.text),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.on_accent),
        (role.Link, theme.accent),
        (role.PlaceholderText, theme.faint),
        (role.Accent, theme.accent),
        (role.Light, theme.hover),
        (role.Midlight, theme.raised),
        (role.Mid, theme.line),
        (role.Dark, theme.line),
        (role.Shadow, theme.window),
    ):
        result.setColor(key, QColor(colour))
    for key in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, key, QColor(theme.disabled))
    return result


def with_alpha(colour: QColor, alpha: float) -> QColor:
    """Return a copy with opacity ``alpha`` in [0, 1]."""
    result = QColor(colour)
    result.setAlphaF(max(0.0, min(1.0, alpha)))
    return result


def mix(a: QColor, b: QColor, t: float) -> QColor:
    """Return the mixture of two colours: ``a`` at t = 0, ``b`` at t = 1."""
    low, high = (cast("tuple[float, ...]", colour.getRgbF()) for colour in (a, b))
    return QColor.fromRgbF(*(x + (y - x) * t for x, y in zip(low[:3], high[:3], strict=True)))


@lru_cache(maxsize=16)
def _table(stops: tuple[str, ...]) -> tuple[QColor, ...]:
    colours = [QColor(stop) for stop in stops]
    last = len(colours) - 1
    table = []
    for step in range(256):
        at = step / 255 * last
        low = min(int(at), last - 1)
        table.append(mix(colours[low], colours[low + 1], at - low))
    return tuple(table)


def ramp(stops: tuple[str, ...], t: float) -> QColor:
    """Return the colour at ``t`` in [0, 1] on a ramp of evenly spaced stops."""
    return _table(stops)[round(255 * max(0.0, min(1.0, t)))]


def ink(background: QColor) -> QColor:
    """Return black or white, whichever is more readable on ``background``: at least 4.58 : 1 on any colour."""
    return QColor(LIGHT_INK if _luminance(background.rgb()) < EVEN else DARK_INK)


def fainter_ink(background: QColor, strength: float) -> QColor:
    """Return ``ink`` mixed with its ``background`` to ``strength`` in [0, 1], or to the least that can be read."""
    return QColor.fromRgb(_fainter_ink(background.rgb(), round(16 * max(0.0, min(1.0, strength)))))


@lru_cache(maxsize=4096)
def _fainter_ink(rgb: int, step: int) -> int:
    ground = QColor.fromRgb(rgb)
    full = ink(ground)
    while step < 16 and contrast(mix(ground, full, step / 16), ground) < READABLE:
        step += 1
    return mix(ground, full, step / 16).rgb()


def contrast(a: QColor, b: QColor) -> float:
    """Return the contrast of two opaque colours by WCAG 2: 1 for equal ones, 21 for black on white."""
    low, high = sorted((_luminance(a.rgb()), _luminance(b.rgb())))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=4096)
def _luminance(rgb: int) -> float:
    """The relative luminance of WCAG 2, from 0 for black to 1 for white."""
    shares = ((rgb >> shift & 0xFF) / 255 for shift in (16, 8, 0))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def line_color(theme: Theme) -> QColor:
    """Return the colour of the principal variation."""
    return QColor("#ff5a5f" if theme.dark else "#d3222f")


def round_pen(colour: QColor, width: float) -> QPen:
    """Return a pen with round ends and joins."""
    return QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


def figure_font(base: QFont, scale: float = 1.0, bold: bool = False) -> QFont:
    """Return ``base`` with tabular digits."""
    font = QFont(base)
    font.setFeature(QFont.Tag("tnum"), 1)
    if scale == 1.0:
        pass  # keep following the application's size, which may change
    elif base.pointSizeF() > 0:
        font.setPointSizeF(base.pointSizeF() * scale)
    else:
        font.setPixelSize(max(1, round(base.pixelSize() * scale)))
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font


def icon(name: str, token: str = "text") -> QIcon:
    """Return the icon ``resources/icons/<name>.svg`` in a colour of the current theme, sharp at every scale."""
    return _icon(name, getattr(current_theme(), token), current_theme().disabled)


@lru_cache(maxsize=256)
def _icon(name: str, normal: str, disabled: str) -> QIcon:
    result = QIcon()
    for mode, colour in ((QIcon.Mode.Normal, normal), (QIcon.Mode.Disabled, disabled)):
        renderer = QSvgRenderer(QByteArray(_resource(f"icons/{name}.svg").replace(b"currentColor", colour.encode())))
        _draw_into(result, renderer, (16, 20, 24, 32, 40, 64), mode)
    return result


def _draw_into(target: QIcon, renderer: QSvgRenderer, sizes: Sequence[int], mode: QIcon.Mode) -> None:
    for pixels in sizes:
        pixmap = QPixmap(pixels, pixels)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer.render(painter, QRectF(0, 0, pixels, pixels))
        painter.end()
        target.addPixmap(pixmap, mode)


def app_icon() -> QIcon:
    """Return the program's icon."""
    result = QIcon()
    renderer = QSvgRenderer(QByteArray(_resource("icons/plyscope.svg")))
    _draw_into(result, renderer, (16, 32, 48, 64, 128, 256), QIcon.Mode.Normal)
    return result


@lru_cache(maxsize=64)
def _resource(path: str) -> bytes:
    return files("resources").joinpath(path).read_bytes()
