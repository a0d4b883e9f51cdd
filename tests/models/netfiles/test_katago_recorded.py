"""Nets of KataGo against what KataGo itself answered, recorded in its repository's tests.

The recordings were made with reduced precision (TF32), so that they agree to about 1e-3.  The larger net is looked for
in the folder that PLYSCOPE_KATAGO names.
"""

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.games import dispatch, go_view, load_game
from core.games.encoding import encode
from core.games.net_inputs import make_inputs
from models.netfiles.katago_answers import Answers, answers
from models.netfiles.katago_file import read_katago
from models.netfiles.katago_graph import katago_onnx
from tests.models.netfiles.go_planes_slow import Array, global_inputs, planes_of
from tests.models.netfiles.test_katago import answered

TINY = Path(__file__).parents[2] / "data" / "katago"
LARGE = Path(os.environ.get("PLYSCOPE_KATAGO", Path(__file__).parents[4] / "shared" / "data" / "katago"))
G170 = LARGE / "g170-b6c96-s175395328-d26788732.bin.gz"
needs_g170 = pytest.mark.skipif(not G170.is_file(), reason="needs KataGo's net g170-b6c96")

# Of the recorded positions with tiny nets: points of chains caught in ladders, and the attacker's working moves.
LADDERS: list[dict[str, Any]] = [
    {"caught": [(3, 3)], "working": [(3, 4)]},
    {"caught": [(3, 3)], "working": [(3, 4)]},
    {"caught": [(3, 7), (2, 10), (3, 11), (4, 7)], "working": [(2, 9), (3, 10), (3, 12), (4, 6)]},
]
MARKS = re.compile(r"(\w+) (-?\d+\.\d+)$")


def turned(planes: Array, symmetry: int) -> Array:
    """KataGo's symmetry: bit 0 flips rows, bit 1 columns, bit 2 transposes then, where the tensor is square."""
    planes = planes[..., ::-1, :] if symmetry & 1 else planes
    planes = planes[..., ::-1] if symmetry & 2 else planes
    return np.swapaxes(planes, -1, -2) if symmetry & 4 else planes


def turned_back(planes: Array, symmetry: int) -> Array:
    return turned(np.swapaxes(planes, -1, -2) if symmetry & 4 else planes, symmetry & 3)


class Recorded:
    """A net and its answers to positions under a symmetry."""

    def __init__(self, path: Path) -> None:
        self.net = read_katago(path)
        self.data = katago_onnx(self.net)

    def answers(
        self,
        rows: Sequence[str],
        planes: Array,
        globals_: Array,
        symmetry: int,
        tensor: Sequence[int],
        no_result: bool = False,
    ) -> Answers:
        height, width = planes.shape[1:]
        symmetry &= 7 if tensor[0] == tensor[1] else 3
        large = np.zeros((1, 22, *tensor), np.float32)
        large[0, :, :height, :width] = planes
        found = answered(self.data, np.ascontiguousarray(turned(large, symmetry)), globals_[None])
        points = turned_back(found["policy"][:, :, :-1].reshape(1, -1, *tensor), symmetry)[..., :height, :width]
        found["policy"] = np.concatenate((points.reshape(1, len(points[0]), -1), found["policy"][:, :, -1:]), 2)
        found["ownership"] = turned_back(found["ownership"], symmetry)[:, :height, :width]
        legal = np.append((np.array([list(row) for row in rows]) == ".").ravel(), True)[None]
        return answers(found, legal, self.net.scaling, optimism=0.0, no_result=no_result)


@pytest.mark.parametrize("case", range(3))
def test_tiny_nets(case: int) -> None:
    """Versions 9 and 11, with nested blocks and mish, on 19x19 and 13x6."""
    want = json.loads((TINY / "tiny_nets.json").read_text())[case]
    rows = want["board"]
    planes = planes_of(rows, want["to_move"], **LADDERS[case])
    globals_ = global_inputs(want["to_move"], want["komi"], planes[0].size, "positional", True)
    found = Recorded(TINY / want["net"]).answers(rows, planes, globals_, want["symmetry"], (19, 19))
    policy = np.array(want["policy_1e4"]) / 1e4
    legal = policy >= 0
    assert np.abs(found.policy[0, :-1] - policy)[legal].max() < 1e-3
    assert np.abs(found.ownership[0].ravel() + np.array(want["white_ownership_1e4"]) / 1e4).max() < 1e-3
    numbers, scores = want["scalars"], found.scores
    loss, win, none = (numbers[f"white{name}Prob"] for name in ("Win", "Loss", "NoResult"))
    np.testing.assert_allclose(found.outcome[0], [win, loss, none], atol=1e-3)
    assert scores.var_time is not None
    assert scores.win_error is not None
    assert scores.score_error is not None
    assert -scores.mean[0] == pytest.approx(numbers["whiteScoreMean"], abs=0.06)  # one decimal is recorded
    assert scores.mean[0] ** 2 + scores.stdev[0] ** 2 == pytest.approx(numbers["whiteScoreMeanSq"], rel=1e-3)
    assert -scores.lead[0] == pytest.approx(numbers["whiteLead"], abs=0.06)
    assert scores.var_time[0] == pytest.approx(numbers["varTimeLeft"], abs=0.06)
    assert scores.win_error[0] == pytest.approx(numbers["shorttermWinlossError"], abs=1e-3)
    assert scores.score_error[0] == pytest.approx(numbers["shorttermScoreError"], abs=0.06)


def raw_answers() -> Iterator[tuple[int, dict[str, float], Array, Array]]:
    """Symmetry, numbers, policy and ownership in each recorded answer to ``kata-raw-nn``."""
    text = (LARGE / "gtp" / "rawnn.txt.stdout").read_text()
    for part in re.split(r"(?:= )?symmetry ", text)[1:]:
        symmetry, _, rest = part.partition("\n")
        numbers = {m[1]: float(m[2]) for line in rest.splitlines() if (m := MARKS.match(line.strip()))}
        policy, ownership = re.split(r"policyPass .*|whiteOwnership", rest.partition("policy\n")[2])[::2]
        grids = (
            np.array([row.split() for row in grid.split("\n") if row.strip(" =")], float)
            for grid in (policy, ownership)
        )
        yield int(symmetry), numbers, next(grids), next(grids)


@needs_g170
def test_g170_answers_in_gtp() -> None:
    """9x9 under Chinese rules after b c3, w c6; 7x10 under New Zealand rules after b c3, w c7, b f7."""
    recorded = Recorded(G170)
    count = 0
    for symmetry, numbers, policy, ownership in raw_answers():
        height, width = policy.shape
        if (height, width) == (9, 9):
            moves, to_move, ko, suicide = [(3, 2), (6, 2)], "B", "simple", False
        else:
            moves, to_move, ko, suicide = [(3, 5), (3, 2), (7, 2)], "W", "situational", True
        board = np.full((height, width), ".")
        for i, point in enumerate(reversed(moves)):
            board[point] = "XO"[i % 2]
        rows = ["".join(row) for row in board]
        planes = planes_of(rows, to_move, history=moves)
        globals_ = global_inputs(to_move, 7.5, height * width, ko, suicide)
        found = recorded.answers(rows, planes, globals_, symmetry, (height, width), no_result=ko == "simple")
        sign = 1 if to_move == "W" else -1
        assert np.nanmax(np.abs(found.policy[0, :-1].reshape(height, width) - policy)) < 2e-3
        assert found.policy[0, -1] < 1e-5
        win, loss = (numbers["whiteWin"], numbers["whiteLoss"])[::sign]
        np.testing.assert_allclose(found.outcome[0], [win, loss, numbers["noResult"]], atol=1e-3)
        assert sign * found.scores.lead[0] == pytest.approx(numbers["whiteLead"], abs=0.02)
        assert sign * found.scores.mean[0] == pytest.approx(numbers["whiteScoreSelfplay"], abs=0.02)
        square = found.scores.mean[0] ** 2 + found.scores.stdev[0] ** 2
        assert square == pytest.approx(numbers["whiteScoreSelfplaySq"], rel=3e-3)
        assert np.abs(sign * found.ownership[0] - ownership).max() < 1e-3
        assert found.scores.var_time is None
        count += 1
    assert count == 11


@needs_g170
def test_g170_on_a_board_smaller_than_its_tensor() -> None:
    """5x5 in 6x6, printed in thousandths and in cents."""
    text = (LARGE / "runNNOnTinyBoardTest.txt").read_text()
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if "A B C D E" in line)
    rows = [line[3:].replace(" ", "") for line in lines[start + 1 : start + 6]]
    planes = planes_of(rows, "W")
    globals_ = global_inputs("W", 7.5, 25, "positional", True)
    found = Recorded(G170).answers(rows, planes, globals_, 3, (6, 6))
    at = next(i for i, line in enumerate(lines) if line.startswith("Pass"))
    for y, line in enumerate(lines[at + 1 : at + 6]):
        for x, word in enumerate(line.split()):
            if word != "-":
                assert 1000 * found.policy[0, 5 * y + x] == pytest.approx(int(word), abs=1)
    want = np.array([line.split() for line in lines[at + 6 : at + 11]], float)
    assert np.abs(1000 * found.ownership[0] - want).max() < 1.1
    numbers = {m[1]: float(m[2]) for line in lines if (m := re.match(r"(\w+) (-?[\d.]+)c?$", line))}
    np.testing.assert_allclose(100 * found.outcome[0], [numbers[k] for k in ("Win", "Loss", "NoResult")], atol=0.1)
    assert found.scores.mean[0] == pytest.approx(numbers["ScoreMean"], abs=0.02)
    assert found.scores.lead[0] == pytest.approx(numbers["Lead"], abs=0.02)
    assert found.scores.mean[0] ** 2 + found.scores.stdev[0] ** 2 == pytest.approx(numbers["ScoreMeanSq"], rel=2e-3)


@needs_g170
def test_g170_under_japanese_rules() -> None:
    """A position on 9x9 with prisoners, shown without the moves before; by its third repetition the game is over."""
    asked = json.loads((LARGE / "analysis" / "basic.txt").read_text().split()[-1])
    lines = (LARGE / "analysis" / "basic.txt.stdout").read_text().splitlines()
    want = next(json.loads(line) for line in lines if f'"turnNumber":{len(asked["moves"])}' in line)
    game = load_game("go(size=9, rules=japanese, komi=6)")
    position = game.position(" ".join(move for _, move in asked["moves"]))
    encoding = game.encodings[1]
    encoder, inputs = encoding.new_encoder(), make_inputs(game, encoding, 1)
    encoder.shown.facts[go_view.HISTORY] = 0
    encode(encoder, position.state, inputs.planes[0], inputs.features[0])
    net = read_katago(G170)
    outputs = answered(katago_onnx(net), inputs.planes, inputs.features)
    found = answers(
        outputs, np.ones((1, game.num_actions), np.bool_), net.scaling, optimism=0.0, no_result=encoding.no_result
    )
    root = want["rootInfo"]
    assert position.result == dispatch.DRAW
    assert root["currentPlayer"] == "BW"[position.to_move]
    win = found.outcome[0, 0] + found.outcome[0, 2] / 2
    assert win == pytest.approx(root["rawWinrate"], abs=1e-3)
    assert found.outcome[0, 2] == pytest.approx(root["rawNoResultProb"], abs=1e-3)
    assert found.scores.lead[0] == pytest.approx(root["rawLead"], abs=0.03)
