"""KataGo's two small nets of transformers against what KataGo answers, and their blocks, which can be looked into.

The nets and the answers, 24 positions of four sizes under one or two symmetries each, are looked for in the folder that
PLYSCOPE_KATAGO names.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.engine.evaluator import ask
from core.games import GameSpec, Position, load_game
from core.games.encoding import Encoding
from core.games.net_inputs import inputs_of_all
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.katago_answers import ROOT_OPTIMISM, Answers, answers
from models.netfiles.katago_file import KataNet, read_katago
from models.netfiles.katago_graph import ENCODING, katago_onnx
from models.netfiles.tapped import TappedNet
from tests.models.netfiles.katago_nets import RandomNet
from tests.models.netfiles.katago_transformers import Array
from tests.models.netfiles.test_katago import session
from tests.models.netfiles.test_katago_recorded import LARGE, turned, turned_back

FOLDER = LARGE / "transformer"
NETS = sorted(path.name for path in FOLDER.glob("*.bin.gz"))
needs_nets = pytest.mark.skipif(not NETS, reason="needs KataGo's nets of transformers")
BEYOND = 2  # rows and columns of the tensor beyond the board


def positions() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / "answers.json").read_text())["positions"]
    return found


def game_of(position: dict[str, Any]) -> GameSpec:
    width, height = position["size"]
    size = f"size={width}" if width == height else f"rows={height}, cols={width}"
    return load_game(f"go({size}, rules={position['rules']}, komi={position['komi']})")


def encoding_of(game: GameSpec) -> Encoding:
    return next(encoding for encoding in game.encodings if encoding.name == ENCODING)


@cache
def opened(name: str) -> tuple[KataNet, Any]:
    net = read_katago(FOLDER / name)
    return net, session(katago_onnx(net))


def answered(name: str, position: Position, game: GameSpec, symmetry: int, beyond: int) -> Answers:
    """A net's answers to a position under a symmetry, in a tensor with so many more rows and columns."""
    net, opened_net = opened(name)
    encoding = encoding_of(game)
    inputs = inputs_of_all([position], encoding)
    height, width = game.shape
    large: Array = np.zeros((1, 22, height + beyond, width + beyond), np.float32)
    large[..., :height, :width] = inputs.planes
    given = {"spatial": np.ascontiguousarray(turned(large, symmetry)), "global": inputs.features}
    names = ["policy", "value", "miscvalue", "ownership"]
    found = dict(zip(names, opened_net.run(names, given), strict=True))
    logits = found["policy"]
    points = turned_back(logits[..., :-1].reshape(1, -1, *large.shape[2:]), symmetry)[..., :height, :width]
    found["policy"] = np.concatenate((points.reshape(1, logits.shape[1], -1), logits[..., -1:]), axis=2)
    found["ownership"] = turned_back(found["ownership"], symmetry)[..., :height, :width]
    legal = np.zeros((1, game.num_actions), np.bool_)
    legal[0, position.legal_actions()] = True
    return answers(found, legal, net.scaling, optimism=ROOT_OPTIMISM, no_result=encoding.no_result)


@needs_nets
@pytest.mark.parametrize("beyond", [0, BEYOND])
@pytest.mark.parametrize("number", range(24))
def test_answers_are_those_of_katago(number: int, beyond: int) -> None:
    """Printed with six decimals of probabilities and three of points."""
    asked = positions()[number]
    game = game_of(asked)
    position = game.position(" ".join(asked["moves"]))
    sign = 1 if position.to_move else -1  # white's view
    for name, wanted in ((name, one) for name, found in asked["answers"].items() for one in found):
        found = answered(name, position, game, int(wanted["symmetry"]), beyond)
        policy = np.array([[-1 if p is None else p for p in row] for row in wanted["policy"]])
        legal = policy >= 0
        got = found.policy[0, :-1].reshape(policy.shape)
        assert not got[~legal].any()
        np.testing.assert_allclose(got[legal], policy[legal], atol=2e-5)
        assert found.policy[0, -1] == pytest.approx(wanted["policyPass"], abs=2e-5)
        chances = [wanted["whiteWin"], wanted["whiteLoss"]][::sign]
        np.testing.assert_allclose(found.outcome[0], [*chances, wanted["noResult"]], atol=2e-5)
        assert sign * found.scores.lead[0] == pytest.approx(wanted["whiteLead"], abs=0.001)
        assert sign * found.scores.mean[0] == pytest.approx(wanted["whiteScoreSelfplay"], abs=0.001)
        square = found.scores.mean[0] ** 2 + found.scores.stdev[0] ** 2
        assert square == pytest.approx(wanted["whiteScoreSelfplaySq"], abs=0.005)
        for one, key, error in (
            (found.scores.var_time, "varTimeLeft", 0.001),
            (found.scores.win_error, "shorttermWinlossError", 0.001),
            (found.scores.score_error, "shorttermScoreError", 0.001),
        ):
            assert one[0] == pytest.approx(wanted[key], abs=error)
        np.testing.assert_allclose(sign * found.ownership[0], wanted["whiteOwnership"], atol=2e-5)


def looked_into(path: Path, blocks: int) -> TappedNet:
    """Looking into a net changes no answer, and its rest continues from each block."""
    game = load_game("go(rows=5, cols=6)")
    net = TappedNet(path, game)
    rng, position, played = np.random.default_rng(0), game.initial(), []
    for _ in range(4):
        played.append(position)
        position = position.play(int(rng.choice(position.legal_actions())))
    inputs = inputs_of_all(played, net.encoding)
    untouched = ask(OnnxEvaluator(path, game, device="cpu", threads=1), inputs, game.num_actions)
    tapped = net.run(inputs)
    for got, wanted in zip(tapped.answer, untouched, strict=True):
        np.testing.assert_array_equal(got, wanted)
    assert len(net.blocks) == blocks + 1
    assert [block.shape for block in tapped.blocks] == [(4, net.channels, 5, 6)] * (blocks + 1)
    for block, output in enumerate(tapped.blocks):
        for got, wanted in zip(net.continue_from(block, output, inputs), untouched, strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=2e-5)
    return net


@needs_nets
@pytest.mark.parametrize("name", NETS)
def test_the_blocks_of_katagos_nets_are_found(name: str) -> None:
    net = looked_into(FOLDER / name, 14)
    assert net.channels == 96
    assert [block.radius for block in net.blocks[:13]] == [None] * 13


@pytest.mark.parametrize(
    ("blocks", "tip"),
    [
        (("t", "f"), "board"),
        (("l", "f", "l", "f"), "batch"),
        (("o", "t", "f", "l"), "point"),
        ((("t", "f"), "o"), "batch"),
    ],
)
def test_blocks_of_tokens_and_of_convolutions_are_found(tmp_path: Path, blocks: Any, tip: str) -> None:
    path = tmp_path / "net.bin.gz"
    path.write_bytes(RandomNet(17, blocks, tip=tip, seed=3).file())
    looked_into(path, len(blocks))
