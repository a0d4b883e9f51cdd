"""``plyscope report`` with a human net: each move carries how likely players of a rank play it."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.engine.policy import view_of
from core.games import load_game
from core.glass.review import COMMON
from models.commands.program import main
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.recipe import for_profile

NET = Path(__file__).parents[2] / "data" / "katago" / "tiny" / "human-b2c16nbt.bin.gz"
SGF = "(;GM[1]SZ[5]KM[7.5];B[cc];W[aa];B[bb];W[ee])"


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "game.sgf"
    path.write_text(SGF)
    return str(path)


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["report", *arguments, "--simulations", "20", "--net", str(NET), "--human-net", str(NET)]) == 0
    return capsys.readouterr().out


def test_each_move_has_the_probability_of_the_profile(capsys: pytest.CaptureFixture[str], game: str) -> None:
    found: dict[str, Any] = json.loads(report(capsys, game, "--json", "--human-profile", "rank_1d"))
    rules = load_game(found["game"])
    net = OnnxEvaluator(NET, rules, recipe=for_profile("rank_1d"), device="cpu")
    position = rules.initial()
    for move in found["moves"]:
        action = rules.parse_action(move["move"])
        assert move["human"] == pytest.approx(view_of(net, position).policy[action], abs=1e-4)
        position = position.play(action)
    for player, side in enumerate(("first", "second")):
        common = [m for m in found["moves"] if m["player"] == side and m["class"] and m["human"] >= COMMON]
        assert found["summary"][player]["mistakes_of_the_rank"] == len(common)


def test_table_and_csv_have_a_column_for_it(capsys: pytest.CaptureFixture[str], game: str) -> None:
    lines = report(capsys, game, "--csv").splitlines()
    assert lines[0].split(",")[-1] == "probability_by_human_net"
    assert all(0.0 <= float(line.split(",")[-1]) <= 1.0 for line in lines[1:])
    text = report(capsys, game, "--all")
    assert "P human" in text
    assert "mistakes of the rank" in text


def test_a_profile_without_a_net_and_an_unknown_one_are_refused(capsys: pytest.CaptureFixture[str], game: str) -> None:
    assert main(["report", game, "--simulations", "2", "--net", str(NET), "--human-profile", "rank_5k"]) == 2
    assert "--human-profile goes with --human-net" in capsys.readouterr().err
    arguments = ["report", game, "--simulations", "2", "--net", str(NET)]
    assert main([*arguments, "--human-net", str(NET), "--human-profile", "rank_40k"]) == 2
    assert "profile is 'rank_40k'" in capsys.readouterr().err
