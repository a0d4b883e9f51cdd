"""Previews of settings: each is the tree of a search with these, and the present tree stays as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from core.engine import Analysis, EvaluatorSource, Search
from core.glass.icicle import Icicle, lay_out
from core.search import Limit
from core.text import Text
from gui.jobs.preview import SettingsPreview, alone
from gui.model.sources import UniformSource
from gui.window import MainWindow
from tests.gui.conftest import open_window


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    """Open Connect Four with a real search of 1 500 simulations that has ended."""
    window = open_window(qtbot, Analysis(), "connect4")
    window.state.set_limit(1500)
    window.commands.open_dock("icicle")
    rest(qtbot, window)
    return window


def rest(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    qtbot.waitUntil(lambda: not session.searching and session.present is not None and bool(session.present.reason))
    qtbot.waitUntil(lambda: session.present is not None and bool(session.present.icicles))
    qtbot.waitUntil(lambda: canvas_of(window).scene.icicle is not None)


def canvas_of(window: MainWindow) -> Any:
    view: Any = window.commands.open_dock("icicle")
    return view.canvas


@pytest.mark.parametrize("source", [None, UniformSource()])
def test_a_preview_is_the_tree_of_a_search_with_its_settings(
    qtbot: QtBot, window: MainWindow, source: EvaluatorSource | None
) -> None:
    window.state.set_source(source)
    rest(qtbot, window)
    session, settings = window.session, window.state.settings
    assert settings is not None
    before, most = session.present, session.present.simulations
    preview, drawn = SettingsPreview(session, window), list[tuple[Icicle, str]]()
    preview.changed.connect(lambda *shown: drawn.append(shown))
    for c in (1, 2, 3):  # the newest is searched to the end
        changed = replace(settings, c_puct=float(c), c_ucb=float(c))
        preview.show(changed, Text("c {c}", c=c))
    qtbot.waitUntil(lambda: bool(drawn) and drawn[-1][1].endswith("c 3") and drawn[-1][0].visits[0] >= most)
    for icicle, words in drawn:
        if words.endswith("c 3"):
            made = int(icicle.visits[0])
            other = Search(
                before.position, None if source is None else source.load(before.position.game), alone(changed)
            )
            other.run(Limit(simulations=made))
            same = lay_out(other.tree, other.root, icicle.view, other.snapshot().pv)
            assert np.array_equal(same.visits, icicle.visits)
            assert np.array_equal(same.actions, icicle.actions)
            assert np.array_equal(same.qs, icicle.qs)
    assert [row.visits for row in session.present.moves] == [row.visits for row in before.moves]
    assert preview.end()
    assert drawn[-1] == (None, "")
    assert not preview.end()


def test_a_slider_reshapes_the_icicle_until_it_is_kept_or_discarded(qtbot: QtBot, window: MainWindow) -> None:
    actions, state, canvas = window.context.actions, window.state, canvas_of(window)
    actions["settings"].trigger()
    panel: Any = window.docks["settings"].widget_made
    slider, settings, tree = panel.form.sliders["c_ucb"], state.settings, canvas.scene.icicle.tree
    actions["icicle"].trigger()
    assert not canvas.isVisible()

    def drag() -> None:
        slider.setValue(slider.maximum())
        qtbot.waitUntil(lambda: canvas.ghost is not None)
        assert canvas.isVisible()
        assert canvas.ghost.tree == tree
        assert canvas.scene.icicle.tree != tree
        assert state.settings == settings

    drag()
    actions["escape"].trigger()
    assert (canvas.scene.icicle.tree, canvas.ghost) == (tree, None)
    assert (panel.inputs["c_ucb"].text(), panel.trial.isHidden()) == ("1", True)
    drag()
    panel.keep.click()
    assert state.settings == replace(settings, c_ucb=10.0)
    assert canvas.ghost is None
    actions["undo"].trigger()
    assert state.settings == settings
