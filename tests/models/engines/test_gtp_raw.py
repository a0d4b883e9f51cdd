"""Tests of raw answers of nets and of ownership under GTP, against what KataGo answered."""

import io
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

from core.engine.ownership import OwnershipReader
from core.games import GameSpec, load_game
from core.search import Limit, SearchSettings
from models.engines.gtp_client import vertex
from models.engines.gtp_server import GtpServer
from models.engines.our_engine import Options
from models.netfiles import opened
from models.netfiles.evaluator import OnnxEvaluator
from tests.models.netfiles.katago_nets import RandomNet

DATA = Path(__file__).parents[2] / "data" / "katago"
TINY = DATA / "tiny" / "rect15-b2c16.bin.gz"
LARGE = Path(os.environ.get("PLYSCOPE_KATAGO", Path(__file__).parents[4] / "shared" / "data" / "katago"))
G170 = LARGE / "g170-b6c96-s175395328-d26788732.bin.gz"
CLOSE = {"whiteLead": 0.02, "whiteScoreSelfplay": 0.02, "whiteScoreSelfplaySq": 0.3}  # else 1e-3


@pytest.fixture(autouse=True)
def _own_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened, "user_cache_dir", lambda: tmp_path / "caches")


def talk(net: Path | None, *lines: str, game: str = "go(size=9)") -> list[str]:
    """The answers to ``lines``."""

    def load(game: GameSpec) -> OnnxEvaluator | None:
        return None if net is None else OnnxEvaluator(net, game, device="cpu")

    output, settings = io.StringIO(), SearchSettings(memory_mb=16, selection="ucb1" if net is None else "puct")
    server = GtpServer(load_game(game), load, Options(Limit(simulations=60), settings), output)
    server.run(io.StringIO("\n".join(lines) + "\n"))
    return output.getvalue().split("\n\n")[:-1]


def figures(text: str) -> list[tuple[str, list[float]]]:
    """The keys of raw answers with their values, in order; NaN for NAN."""
    found: list[tuple[str, list[float]]] = []
    for word in text.replace("=", " ").split():
        if re.match("[a-z]", word):
            found.append((word, []))
        else:
            found[-1][1].append(float(word))
    return found


@pytest.mark.skipif(not G170.is_file(), reason="needs KataGo's net g170-b6c96")
def test_raw_answers_are_katagos() -> None:
    lines = (LARGE / "gtp" / "rawnn.txt").read_text().splitlines()
    got = figures(" ".join(talk(G170, *lines)))
    wanted = figures((LARGE / "gtp" / "rawnn.txt.stdout").read_text())
    assert [name for name, _ in got] == [name for name, _ in wanted]
    assert sum(name == "symmetry" for name, _ in wanted) == 11
    for (name, ours), (_, theirs) in zip(got, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=CLOSE.get(name, 1e-3), err_msg=name)


@pytest.mark.parametrize("case", [0, 1, 2])
def test_raw_answers_of_tiny_nets(case: int) -> None:
    """Their recordings were made in larger tensors, where the symmetries of boards that are not square differ."""
    want = json.loads((DATA / "tiny_nets.json").read_text())[case]
    board = want["board"]
    height, width = len(board), len(board[0])
    game = f"go(rows={height}, cols={width}, rules=tromp-taylor, komi={want['komi']})"
    spec = load_game(game)
    stones = [
        f"{'bw'[colour == 'O']} {vertex(spec, y * width + x)}"
        for y, row in enumerate(board)
        for x, colour in enumerate(row)
        if colour != "."
    ]
    assert want["to_move"] == "B"
    lines = (f"set_position {' '.join(stones)}", f"kata-raw-nn {want['symmetry']}", "kata-raw-nn w 0")
    first, white = (dict(figures(text)) for text in talk(DATA / want["net"], *lines, game=game)[1:])
    policy = np.array(want["policy_1e4"]) / 1e4
    np.testing.assert_allclose(np.nan_to_num(first["policy"], nan=-1e-4), policy, atol=1e-3)
    np.testing.assert_allclose(first["whiteOwnership"], np.array(want["white_ownership_1e4"]) / 1e4, atol=1e-3)
    for name, key, close in (
        ("whiteWin", "whiteWinProb", 1e-3),
        ("noResult", "whiteNoResultProb", 1e-3),
        ("whiteLead", "whiteLead", 0.06),
        ("varTimeLeft", "varTimeLeft", 0.06),
        ("shorttermWinlossError", "shorttermWinlossError", 1e-3),
        ("shorttermScoreError", "shorttermScoreError", 0.06),
    ):
        assert first[name] == pytest.approx([want["scalars"][key]], abs=close)
    assert white["whiteWin"] != first["whiteWin"]  # it is White's turn there


def test_optimism_mixes_the_two_policies_of_newer_nets(tmp_path: Path) -> None:
    net = tmp_path / "net.bin.gz"
    net.write_bytes(RandomNet(14).file())
    lines = ("kata-raw-nn 0 0", "kata-raw-nn 0 1", "kata-raw-nn 0 0.2", "kata-raw-nn 0")
    plain, optimistic, mixed, usual = (dict(figures(text)) for text in talk(net, *lines, game="go(size=5)"))
    assert mixed == usual
    logs = [np.log(np.append(found["policy"], found["policyPass"])) for found in (plain, optimistic, mixed)]
    plain_log, optimistic_log, mixed_log = (log - log.mean() for log in logs)
    assert np.abs(optimistic_log - plain_log).max() > 0.05
    np.testing.assert_allclose(mixed_log, 0.8 * plain_log + 0.2 * optimistic_log, atol=1e-3)


@pytest.mark.parametrize(
    ("net", "line", "answer"),
    [
        (None, "kata-raw-nn 0", "? this needs a net of KataGo"),
        (TINY, "kata-raw-nn", "? the symmetry is missing"),
        (TINY, "kata-raw-nn 8", "? symmetry 8 is none of 0 to 7 or all"),
        (TINY, "kata-raw-nn b half", "? symmetry 'half' is no whole number"),
        (TINY, "kata-raw-nn 0 2", "? optimism 2 is not from 0 to 1"),
    ],
)
def test_what_cannot_be_answered_is_refused(net: Path | None, line: str, answer: str) -> None:
    assert talk(net, line) == [answer]


def test_a_finished_game_is_refused() -> None:
    assert talk(TINY, "play b pass", "play w pass", "kata-raw-nn all")[2] == "? the game is over"


@pytest.mark.parametrize("colour", ["b", "w"])
def test_ownership_in_an_analysis_is_for_the_side_to_move(colour: str) -> None:
    game = load_game("go(size=9)")
    lines = ("play b c3", "play w g7", f"kata-genmove_analyze {colour} 1 ownership true rootInfo true")
    text = talk(TINY, *lines)[2]
    last = [line for line in text.splitlines() if line.startswith("info")][-1]
    figures_before, _, rest = last.partition(" ownership ")
    assert " rootInfo visits " in figures_before
    points = np.array(rest.split(), float).reshape(game.shape)
    position = game.position("c3 g7" if colour == "b" else "c3 g7 pass")
    own = OwnershipReader(OnnxEvaluator(TINY, game, device="cpu")).at(position).points * (1 if colour == "b" else -1)
    assert np.corrcoef(points.ravel(), own.ravel())[0, 1] > 0.6
    assert np.abs(points).max() <= 1


@pytest.mark.parametrize(
    ("net", "line"),
    [
        (TINY, "kata-genmove_analyze b 1"),
        (TINY, "lz-genmove_analyze b 1 ownership true"),
        (TINY, "kata-genmove_analyze b 1 ownership false"),
        (None, "kata-genmove_analyze b 1 ownership true"),
    ],
)
def test_ownership_is_given_only_where_it_is_asked_for_and_known(net: Path | None, line: str) -> None:
    assert "ownership" not in talk(net, line)[0]
