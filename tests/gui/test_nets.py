"""Tests of opening nets: a shipped one, a foreign one, one for another game."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from pytestqt.qtbot import QtBot

from core.games import load_game
from core.games.net_inputs import make_inputs
from gui.model import sources
from gui.widgets.recipe.recipe_dialog import RecipeDialog
from gui.window import MainWindow
from models.netfiles.net_file import ENCODING, FORMAT, METADATA_PREFIX
from models.netfiles.shipped import default_net
from tests.models.netfiles import foreign_nets
from tests.models.netfiles.foreign_nets import linear


def write_net(path: Path, cells: int, actions: int, shape: tuple[int, int], metadata: dict[str, str]) -> Path:
    """Write a net that gives action 0 a logit of 3 and every position the value 0.5."""
    policy = np.zeros(actions, np.float32)
    policy[0] = 3.0
    weights = {
        "wp": np.zeros((4 * cells, actions), np.float32),
        "bp": policy,
        "wv": np.zeros((4 * cells, 1), np.float32),
        "bv": np.array([0.5], np.float32),
    }
    graph = helper.make_graph(
        [
            helper.make_node("Flatten", ["planes"], ["flat"]),
            helper.make_node("Gemm", ["flat", "wp", "bp"], ["policy"]),
            helper.make_node("Gemm", ["flat", "wv", "bv"], ["column"]),
            helper.make_node("Squeeze", ["column", "axes"], ["value"]),
        ],
        "net",
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["batch", 4, *shape])],
        [
            helper.make_tensor_value_info("policy", TensorProto.FLOAT, ["batch", actions]),
            helper.make_tensor_value_info("value", TensorProto.FLOAT, ["batch"]),
        ],
        [
            *(numpy_helper.from_array(array, name) for name, array in weights.items()),
            numpy_helper.from_array(np.array([1], np.int64), "axes"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    helper.set_model_props(model, {METADATA_PREFIX + key: value for key, value in metadata.items()})
    onnx.save(model, str(path))
    return path


def ended(window: MainWindow) -> bool:
    return bool(window.session.snapshot and window.session.snapshot.reason)


@pytest.fixture
def tictactoe_net(tmp_path: Path) -> Path:
    metadata = {"format": FORMAT, "game": "tictactoe", "encoding": ENCODING, "config": "{}", "step": "7"}
    return write_net(tmp_path / "mine.onnx", 9, 9, (3, 3), metadata)


@pytest.mark.slow
def test_an_opened_net_is_searched_and_shown(qtbot: QtBot, real_window: MainWindow, tictactoe_net: Path) -> None:
    window = real_window
    window.context.opener.open_net(tictactoe_net)
    qtbot.waitUntil(lambda: window.views.toolbar.net.text() == "mine.onnx")
    assert window.state.settings.selection == "puct"
    qtbot.waitUntil(lambda: ended(window))
    snapshot = window.session.snapshot
    assert snapshot.root.value == pytest.approx(0.5)
    assert window.views.status.evaluator.text() == snapshot.evaluator
    assert snapshot.evaluator.startswith("mine.onnx on C")
    assert window.docks["tree"].heading.text().endswith("the net says +0.50")
    first = next(row for row in snapshot.moves if row.action == 0)
    assert first.prior == pytest.approx(np.exp(3) / (np.exp(3) + 8), abs=1e-3)


def test_a_net_for_another_game_opens_that_game(qtbot: QtBot, window: MainWindow, tictactoe_net: Path) -> None:
    window.context.opener.open_net(tictactoe_net)
    qtbot.waitUntil(lambda: window.views.toolbar.game.text() == "Tic-tac-toe")
    assert window.state.source == sources.net_source(tictactoe_net)
    assert "mine.onnx is a net for Tic-tac-toe" in window.banner.text


def shown_dialog(qtbot: QtBot, window: MainWindow) -> RecipeDialog:
    """The dialog of a recipe, once the net has answered."""
    qtbot.waitUntil(lambda: window.context.opener.dialog is not None)
    dialog = window.context.opener.dialog
    assert isinstance(dialog, RecipeDialog)
    qtbot.waitUntil(dialog.main.isEnabled)
    return dialog


def test_a_net_that_cannot_be_guessed_asks_for_a_recipe(qtbot: QtBot, real_window: MainWindow, tmp_path: Path) -> None:
    window = real_window
    window.context.opener.open_net(write_net(tmp_path / "foreign.onnx", 9, 9, (3, 3), {}))
    dialog = shown_dialog(qtbot, window)
    dialog.reading.boxes["policy_rows"].setCurrentIndex(1)
    dialog.reading.changed.emit()
    qtbot.waitUntil(dialog.main.isEnabled)
    dialog.main.click()
    source: Any = window.state.source
    recipe = source.recipe
    assert (recipe.planes, recipe.policy_rows) == (("mine", "theirs", "last", "first to move"), "bottom")
    qtbot.waitUntil(lambda: ended(window))
    best_prior = max(window.session.snapshot.moves, key=lambda row: row.prior)
    assert best_prior.name == "a1"  # the net's first row is the bottom row


def test_a_net_of_katago_that_others_converted_is_refused_in_a_sentence(
    qtbot: QtBot, real_window: MainWindow, tmp_path: Path
) -> None:
    """Its inputs alone tell it: no recipe is asked for."""
    inputs = {"input_spatial": (["n", 22, 9, 9], TensorProto.FLOAT), "input_global": (["n", 19], TensorProto.FLOAT)}
    nodes = [helper.make_node("Identity", ["input_global"], ["out_policy"])]
    path = foreign_nets.write_net(tmp_path / "kata.onnx", inputs, nodes, {}, {"out_policy": ["n", 19]})
    real_window.context.opener.open_net(path)
    qtbot.waitUntil(lambda: "which ends in .bin.gz" in real_window.banner.text)
    assert real_window.context.opener.dialog is None


def test_a_rewritten_file_is_another_source(tictactoe_net: Path) -> None:
    before = sources.net_source(tictactoe_net)
    assert sources.net_source(tictactoe_net) == before
    tictactoe_net.touch()
    import os

    os.utime(tictactoe_net, ns=(before.stamp + 10**9, before.stamp + 10**9))
    after = sources.net_source(tictactoe_net)
    assert after.label != before.label
    assert after.title == before.title


def test_a_missing_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"nowhere\.onnx' cannot be read"):
        sources.net_source(tmp_path / "nowhere.onnx")


def test_the_default_source_is_the_shipped_net() -> None:
    for text in ("connect4", "tictactoe", "gomoku", "connectn(rows=3, cols=5, k=3)"):
        game = load_game(text)
        path, source = default_net(game), sources.default_source(game)
        assert (source.path if source is not None else None) == path
        assert path is None or (path, game) in sources.shipped_nets()


def test_the_uniform_source_is_offered(qtbot: QtBot, real_window: MainWindow) -> None:
    window = real_window
    window.context.opener.fill_net_menu(window.views.toolbar.net.menu(), window.context.actions["open_net"])
    by_text = {action.text(): action for action in window.views.toolbar.net.menu().actions()}
    by_text["Uniform prior, value 0"].trigger()
    assert window.views.toolbar.net.text() == "uniform prior"
    qtbot.waitUntil(lambda: ended(window))
    assert window.session.snapshot.moves[0].prior == pytest.approx(1 / 9, abs=1e-3)
    by_text = {action.text(): action for action in window.views.toolbar.net.menu().actions()}
    by_text["Random rollouts (UCT)"].trigger()
    assert window.state.source is None
    assert window.state.settings.selection == "ucb1"


def test_loading_a_net_rewritten_after_opening_fails(tmp_path: Path) -> None:
    game = load_game("tictactoe")
    shipped = default_net(game)
    path = tmp_path / "net.onnx"
    path.write_bytes(shipped.read_bytes())
    source = sources.net_source(path)
    assert source.load(game).description.startswith("net.onnx on ")
    os.utime(path, ns=(source.stamp + 1, source.stamp + 1))
    with pytest.raises(ValueError, match=r"^net\.onnx has changed since it was opened; open it again$"):
        source.load(game)
    assert sources.net_source(path).load(game)


def test_a_net_of_another_program_is_read_by_a_guess(qtbot: QtBot, real_window: MainWindow, tmp_path: Path) -> None:
    window = real_window
    path, _, _ = linear(tmp_path / "azg.onnx", ["batch", 3, 3], 10, ending="LogSoftmax")
    window.context.opener.open_net(path)
    qtbot.waitUntil(lambda: window.views.toolbar.net.text() == "azg.onnx")
    assert window.context.opener.dialog is None
    assert "read as those of alpha-zero-general: own +1, opponent's −1. Check: it finds" in window.banner.text
    qtbot.waitUntil(lambda: ended(window))
    assert window.session.snapshot.encoding == "recipe: mine-theirs"


@pytest.mark.slow
def test_a_guess_is_corrected_from_the_menu_of_the_net(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path, _, _ = linear(tmp_path / "azg.onnx", ["batch", 6, 7], 7, ending="LogSoftmax")
    window.context.opener.open_net(path)
    qtbot.waitUntil(lambda: window.views.toolbar.net.text() == "azg.onnx")
    menu = window.views.toolbar.net.menu()
    window.context.opener.fill_net_menu(menu, window.context.actions["open_net"])
    next(action for action in menu.actions() if action.text() == "How to read azg.onnx…").trigger()
    dialog = shown_dialog(qtbot, window)
    assert dialog.planes.words == ("mine-theirs",)
    dialog.planes.show_words(("first-second",))
    dialog.planes.changed.emit()
    qtbot.waitUntil(dialog.main.isEnabled)
    dialog.save.click()
    qtbot.waitUntil(lambda: window.context.opener.dialog is None)
    opened: Any = window.state.source
    assert opened.recipe.planes == ("first-second",)
    again: Any = sources.net_source(path).load(load_game("connect4"))
    assert again.encoding.name == "recipe: first-second"
    shipped = default_net(load_game("connect4"))
    assert shipped is not None
    window.state.set_source(sources.net_source(shipped))
    window.context.opener.fill_net_menu(menu, window.context.actions["open_net"])
    assert not [action for action in menu.actions() if action.text().startswith("How to read")]


def test_a_session_opens_such_a_net_again_by_the_guess(tmp_path: Path) -> None:
    path, _, _ = linear(tmp_path / "azg.onnx", ["batch", 3, 3], 10, ending="LogSoftmax")
    evaluator: Any = sources.net_source(path).load(load_game("tictactoe"))
    assert evaluator.encoding.name == "recipe: mine-theirs"


GO = load_game("go(size=5)")
HUMAN = Path(__file__).parents[1] / "data" / "katago" / "tiny" / "human-b2c16nbt.bin.gz"


def test_the_players_that_a_human_net_imitates_are_chosen_in_its_menu(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    """Another choice is another source, with which a search begins anew; a name that is none cannot be entered."""
    path = tmp_path / "human.bin.gz"
    path.write_bytes(HUMAN.read_bytes())
    opener, menu, net = window.context.opener, window.views.toolbar.net.menu(), window.views.toolbar.net
    opener.open_net(path)
    words = "rank_5k · human.bin.gz is a net for Go 19×19, which is now open."
    qtbot.waitUntil(lambda: window.banner.text == words)
    window.state.open_position(GO.initial(), None)
    opener.open_net(path)
    qtbot.waitUntil(lambda: net.text() == "rank_5k · human.bin.gz")

    def players() -> dict[str, Any]:
        opener.fill_net_menu(menu, window.context.actions["open_net"])
        chosen: Any = next(action.menu() for action in menu.actions() if action.text() == "Imitated players")
        return {action.text(): action for action in chosen.actions()}

    usual: Any = window.state.source
    assert [name for name, action in players().items() if action.isChecked()] == ["rank_5k"]
    players()["rank_9d"].trigger()
    assert net.text() == "rank_9d · human.bin.gz"
    stronger: Any = window.state.source
    assert stronger.label != usual.label
    players()["Other players…"].trigger()
    dialog: Any = opener.dialog
    dialog.field.setText("proyear_2030")
    assert "proyear_ with a year from 1800 to 2023" in dialog.error.text()
    assert not dialog.main.isEnabled()
    dialog.field.setText("proyear_1990")
    dialog.main.click()
    chosen: Any = window.state.source
    assert chosen.profile == "proyear_1990"
    assert "proyear_1990" in players()
    inputs = make_inputs(GO, GO.encodings[-1], 1)
    inputs.planes[:, 0] = 1.0  # the points of the board
    answers = [source.load(GO).evaluate(*inputs)[0] for source in (usual, stronger, chosen)]
    assert min(np.abs(a - b).max() for a, b in itertools.combinations(answers, 2)) > 0.1
