"""Tests of the colours for the colour-blind: distinguishable with each of the three kinds of colour blindness."""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFileDialog,
    QMessageBox,
    QProxyStyle,
    QStyle,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.widgets.board.board_layers import paint_marks
from gui.widgets.board.board_paint import KINDS, LOOKS
from gui.widgets.board.geometry import Geometry
from gui.widgets.board.overlays.overlay import Mark
from gui.widgets.dialogs import OK_CANCEL, Dialog
from gui.widgets.figures import opacity_of
from gui.widgets.theme import COLOURS, Theme, current_theme, fainter_ink, ink, mix, ramp, style_sheet

# Machado, Oliveira and Fernandes (2009), table 1, severity 1.0: linear RGB -> linear RGB as perceived.
SEEN = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "all colours": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
XYZ = np.array(
    ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
)
WHITE = XYZ.sum(axis=1)  # D65
THEMES = list(COLOURS["colour-blind"].values())
EVERY_THEME = [theme for themes in COLOURS.values() for theme in themes.values()]


def linear(colour: str) -> NDArray[np.float64]:
    """Convert "#rrggbb" to linear RGB [3] in [0, 1]."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """Convert linear RGB [3] to CIELAB [3]."""
    t = XYZ @ rgb / WHITE
    f = np.where(t > (6 / 29) ** 3, np.cbrt(np.maximum(t, 0.0)), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array((116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])))


def difference(a: str, b: str, kind: str) -> float:
    """Return the perceived CIE 1976 colour difference; about 2 is just noticeable."""
    matrix = np.array(SEEN[kind])
    first, second = (lab(np.clip(matrix @ linear(colour), 0.0, 1.0)) for colour in (a, b))
    return float(np.linalg.norm(first - second))


def pairs(theme: Theme) -> list[tuple[str, str, str]]:
    """Return the pairs that must be distinguishable: name, colour, colour."""
    low, _, middle, _, high = theme.value_ramp
    found = [
        ("good, warn", theme.good, theme.warn),
        ("accent, warn", theme.accent, theme.warn),
        ("best, better", theme.accent, theme.warn),
        ("lost, won", low, high),
        ("lost, even", low, middle),
        ("even, won", middle, high),
        ("rare, sure", theme.prior_ramp[0], theme.prior_ramp[-1]),
        ("few, all visits", theme.share_ramp[0], theme.share_ramp[-1]),
        ("best, most visits", theme.accent, theme.share_ramp[-1]),
        ("prior, visits", theme.prior_ramp[-1], theme.share_ramp[-1]),
    ]
    found += [(f"players {kind}", theme.first[kind], theme.second[kind]) for kind in theme.first]
    found += [
        ("disc, board", theme.first["discs"], theme.discs_body),
        ("disc, board", theme.second["discs"], theme.discs_body),
    ]
    return found


@pytest.mark.parametrize("kind", SEEN)
@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_distinguished_colours_differ(theme: Theme, kind: str) -> None:
    seen = {name: difference(a, b, kind) for name, a, b in pairs(theme)}
    assert {name: round(d) for name, d in seen.items() if d < 25} == {}


@pytest.mark.parametrize("kind", SEEN)
@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_curve_colours_of_a_chart_differ(theme: Theme, kind: str) -> None:
    for a, b in combinations(theme.series, 2):
        assert difference(a, b, kind) > 9


@pytest.mark.parametrize("kind", SEEN)
@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_ramps_are_monotonic_in_lightness_for_every_kind_of_sight(theme: Theme, kind: str) -> None:
    matrix = np.array(SEEN[kind])
    for stops in (theme.prior_ramp, theme.share_ramp):
        lightness = [lab(np.clip(matrix @ linear(stop), 0.0, 1.0))[0] for stop in stops]
        steps = np.diff(lightness)
        assert (abs(steps) > 8).all()
        assert len(set(np.sign(steps))) == 1


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_the_style_sheet_has_no_placeholders_left(theme: Theme) -> None:
    assert "$" not in style_sheet(theme)


def test_the_colour_test_detects_red_against_green() -> None:
    assert difference("#c04040", "#5f7f20", "deuteranopia") < 25 < difference("#c04040", "#5f7f20", "all colours")


def contrast(a: str, b: str) -> float:
    """Return the WCAG 2 contrast: 21 for black on white, 1 for equal colours."""
    light, dark = sorted(
        (float(np.array((0.2126, 0.7152, 0.0722)) @ linear(colour)) for colour in (a, b)), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", EVERY_THEME, ids=lambda t: t.name)
def test_every_text_can_be_read_on_every_ground(theme: Theme) -> None:
    grounds = {"window": theme.window, "panel": theme.panel, "raised": theme.raised}
    read = {name: getattr(theme, name) for name in ("text", "dim", "faint", "accent", "warn", "good", "busy")}
    pairs = {(a, b): contrast(read[a], grounds[b]) for a in read for b in grounds}
    pairs |= {(a, "selection"): contrast(read[a], theme.selection) for a in ("text", "dim", "accent")}
    pairs["warn", "warn_panel"] = contrast(theme.warn, theme.warn_panel)
    pairs["on_accent", "accent"] = contrast(theme.on_accent, theme.accent)
    assert {pair: round(c, 2) for pair, c in pairs.items() if c < 4.5} == {}


@pytest.mark.parametrize("theme", EVERY_THEME, ids=lambda t: t.name)
def test_figures_of_few_visits_can_be_read(theme: Theme) -> None:
    seen = mix(theme.color("panel"), theme.color("text"), opacity_of(0)).name()
    assert contrast(seen, theme.panel) >= 4.5


OPACITIES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@pytest.mark.parametrize("theme", EVERY_THEME, ids=lambda t: t.name)
@pytest.mark.parametrize("name", [field.name for field in fields(Theme) if field.name.endswith("_ramp")])
def test_every_figure_on_a_heat_colour_can_be_read(theme: Theme, name: str) -> None:
    stops = getattr(theme, name)
    heat = {
        mix(theme.color(kind.under), ramp(stops, step / 24), opacity).name()
        for kind in {**KINDS, **LOOKS}.values()
        for opacity in OPACITIES
        for step in range(25)
    }
    assert len(heat) > 400
    for fill in heat:
        for strength in (0.0, 0.55, 0.8):
            shown = contrast(fainter_ink(QColor(fill), strength).name(), fill)
            assert 4.5 <= shown <= contrast(ink(QColor(fill)).name(), fill) + 1e-9, fill


@pytest.mark.parametrize("theme", EVERY_THEME, ids=lambda t: t.name)
@pytest.mark.parametrize("opacity", OPACITIES)
def test_a_figure_is_painted_as_readable_as_its_ink(qapp: QApplication, theme: Theme, opacity: float) -> None:
    """The square of tic-tac-toe is filled by its mark: the pixel that differs most from it is of a figure."""
    kind, g = KINDS["tictactoe"], Geometry(1, 1, 0.0, 0.0, 100.0)
    for share in (0.0, 0.3, 0.6, 0.8, 1.0):
        picture = QImage(100, 100, QImage.Format.Format_RGB32)
        picture.fill(theme.color(kind.under))
        painter = QPainter(picture)
        mark = Mark(0, 0, ramp(theme.prior_ramp, share), opacity, "63", "", "")
        paint_marks(painter, g, kind, [mark], QApplication.font(), theme, faded=False)
        painter.end()
        fill = picture.pixelColor(15, 50).name()
        seen = {picture.pixelColor(x, y).name() for x in range(30, 70) for y in range(30, 70)}
        assert max(contrast(colour, fill) for colour in seen) >= 4.4  # 4.5 less what smooth edges take


def test_disabled_text_is_fainter_than_any_other() -> None:
    for theme in (COLOURS["standard"]["dark"], COLOURS["standard"]["light"]):
        assert contrast(theme.disabled, theme.panel) < contrast(theme.faint, theme.panel)


class DesktopStyle(QProxyStyle):
    """The style of a desktop that puts its own icons on the buttons of dialogs, as those of Linux do."""

    def styleHint(self, hint: QStyle.StyleHint, *others: object) -> int:
        wanted = hint == QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons
        return 1 if wanted else super().styleHint(hint, *others)  # type: ignore[arg-type]


def test_buttons_of_dialogs_have_no_icons_of_the_desktop(qtbot: QtBot) -> None:
    window, style = QWidget(), DesktopStyle("Fusion")
    qtbot.addWidget(window)
    window.setStyle(style)
    window.setStyleSheet(style_sheet(current_theme()))
    dialogs = (
        Dialog("Rename", window, OK_CANCEL),
        QMessageBox(QMessageBox.Icon.Question, "Rename", "Really?", QMessageBox.StandardButton.Yes, window),
    )
    for dialog in dialogs:
        assert all(button.icon().isNull() for button in dialog.findChildren(QAbstractButton))


def test_the_icons_of_a_file_dialog_have_room(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet(style_sheet(current_theme()))
    dialog = QFileDialog(window)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.show()
    buttons = [button for button in dialog.findChildren(QToolButton) if button.isVisible()]
    assert len(buttons) >= 5
    assert all(button.size() == button.size().expandedTo(button.sizeHint()) for button in buttons)
