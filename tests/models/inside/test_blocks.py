"""A net block by block: planted nets show what was planted, the last block is the net, a random net knows nothing."""

from pathlib import Path

import numpy as np
import pytest

from core.engine.evaluator import ask
from core.games import Position, load_game
from core.games.net_inputs import inputs_of_all
from core.solve import solve
from models.audit.positions import random_items
from models.inside.blocks import strip_of, turning, views_of
from models.inside.views import Views, legal_of
from models.netfiles.agreement import chances
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.shipped import lesson_net, nets_dir
from models.netfiles.tapped import TappedNet
from models.strength.exams import after
from tests.models.inside.nets import at_random, without_branch

C4, TTT = load_game("connect4"), load_game("tictactoe")
C4_NET = "connect4-4x48.onnx"
NAMES = ("stem", "block 1", "block 2")
# Of 3526 random positions: KL of each block's policy from the net's, and positions with the same first move.
DIVERGENCES = (0.94, 0.91, 0.68, 0.30, 0.0)
AGREEMENTS = (0.20, 0.25, 0.48, 0.75, 1.0)


@pytest.fixture(scope="module")
def net() -> TappedNet:
    path = lesson_net(C4)  # of whose figures the guide speaks
    assert path is not None
    return TappedNet(path, C4)


def drawn(game, number: int, plies: tuple[int, int] = (0, 24)) -> list[Position]:
    return [after(game, item.moves) for item in random_items(game, number, plies, 0).items]


def test_the_last_block_is_the_net(net: TappedNet) -> None:
    positions = drawn(C4, 20)
    views, _ = views_of(net, positions)
    answer = ask(OnnxEvaluator(net.path, C4, device="cpu"), inputs_of_all(positions, net.encoding), C4.num_actions)
    np.testing.assert_allclose(views.policies[-1], chances(answer.logits, legal_of(positions)), atol=1e-6)
    np.testing.assert_allclose(views.values[-1], answer.values, atol=1e-6)
    assert not views.divergences[-1].any()
    assert views.agreements[-1].all()


def test_the_net_of_the_lessons_makes_up_its_mind_block_by_block(net: TappedNet) -> None:
    views, _ = views_of(net, drawn(C4, 400))
    np.testing.assert_allclose(views.divergences.mean(axis=1), DIVERGENCES, atol=0.12)
    np.testing.assert_allclose(views.agreements.mean(axis=1), AGREEMENTS, atol=0.08)


@pytest.mark.parametrize("block", [1, 3])
def test_a_block_that_adds_nothing_shows_what_stands_before_it(tmp_path: Path, block: int) -> None:
    net = TappedNet(without_branch(C4_NET, tmp_path / "net.onnx", block), C4)
    views, _ = views_of(net, drawn(C4, 20))
    np.testing.assert_array_equal(views.policies[block], views.policies[block - 1])
    np.testing.assert_array_equal(views.values[block], views.values[block - 1])
    assert (views.policies[block + 1] != views.policies[block]).any()


def test_the_blocks_of_a_random_net_are_right_no_more_often_than_chance(tmp_path: Path) -> None:
    positions = drawn(TTT, 250, (1, 6))
    exact = [solve(position, seconds=60.0) for position in positions]
    best = np.zeros((len(positions), TTT.num_actions), np.bool_)
    for row, solution in zip(best, exact, strict=True):
        row[[move.action for move in solution.moves if move.value == solution.value]] = True
    expected = best.sum(axis=1) / legal_of(positions).sum(axis=1)
    spread = np.sqrt((expected * (1 - expected)).sum())
    rows = np.arange(len(positions))
    right = {}
    for path in (at_random("tictactoe-2x32.onnx", tmp_path / "net.onnx"), nets_dir() / "tictactoe-2x32.onnx"):
        views, _ = views_of(TappedNet(path, TTT), positions)
        right[path.name] = np.array([best[rows, firsts].sum() for firsts in views.firsts])
    assert (right["net.onnx"] - expected.sum() < 4 * spread).all()
    assert right["tictactoe-2x32.onnx"][-1] - expected.sum() > 4 * spread


def views(*rows: tuple[float, ...]) -> Views:
    """Views of one position after one move: the probabilities of the columns of ``rows`` for the first moves."""
    policies = np.zeros((len(rows), 1, 9))
    policies[:, 0, : len(rows[0])] = rows
    return Views(policies, np.zeros((len(rows), 1), np.float32))


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (((0.6, 0.4), (0.7, 0.3), (0.9, 0.1)), "The net wants a3 from the stem on; at the end with 90%."),
        (((0.4, 0.6), (0.7, 0.3), (0.9, 0.1)), "The stem wants b3 (60%); block 1 turns to a3, at the end with 90%."),
        (
            ((0.6, 0.4), (0.3, 0.7), (0.9, 0.1)),
            "After block 1 the net wants b3 (70%); block 2 turns to a3, at the end with 90%.",
        ),
    ],
)
def test_the_sentence_names_the_last_change_of_mind(rows: tuple[tuple[float, ...], ...], sentence: str) -> None:
    position = TTT.initial()
    names = [TTT.action_name(0), TTT.action_name(1)]
    assert str(turning(position, NAMES, views(*rows))) == sentence.replace("a3", names[0]).replace("b3", names[1])


def test_divergences_are_those_of_the_formula() -> None:
    got = views((0.5, 0.5), (0.9, 0.1)).divergences[:, 0]
    assert got == pytest.approx([0.9 * np.log(0.9 / 0.5) + 0.1 * np.log(0.1 / 0.5), 0.0])


def test_a_finished_game_is_refused() -> None:
    net = TappedNet(nets_dir() / "tictactoe-2x32.onnx", TTT)
    over = TTT.position("a1 a2 b1 b2 c1")
    with pytest.raises(ValueError, match="the game is over"):
        strip_of(net, over)
