"""``plyscope inspect`` prints what a net holds; ``plyscope import`` stores a recipe in it."""

import json
from pathlib import Path

import pytest

from models.commands import inspect
from tests.models.commands.running import run
from tests.models.netfiles.foreign_nets import linear, tactician


@pytest.fixture(autouse=True)
def _short_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspect, "MEASURE_S", 0.001)


def test_inspecting_a_net_that_says_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    net = str(tactician(tmp_path / "net.onnx", 4, 0, 1, policy_flipped=True))
    code, out, _ = run(capsys, "inspect", net, "--device", "cpu", "--planes", "a1 b2 c3")
    assert code == 0
    for line in (
        "input     board [batch, 4, 3, 3] (float)",
        "output    probs [batch, 9] (float)",
        "game      tictactoe",
        "recipe    AlphaZero_Gomoku | mine, theirs, last, first to move | policy probabilities",
        "answers   it finds 12 of 12 wins in one move",
        "could be for:",
        "speed on CPU:",
        "mine               theirs             last               first to move",
        ".1.                ...                ...                ...",
    ):
        assert line in out
    assert len([line for line in out.splitlines() if line.split()[:1] in (["1"], ["8"], ["32"], ["128"])]) == 4


def test_importing_with_a_recipe_then_opening_like_any_net(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    net, out_file = linear(tmp_path / "net.onnx", ["batch", 3, 3, 5], 9)[0], tmp_path / "mine.onnx"
    recipe = tmp_path / "planes.json"
    planes = ["mine", "theirs", "empty", "column", "-colour"]
    recipe.write_text(json.dumps({"planes": planes, "name": "mine"}))
    words: tuple[str, ...] = ("import", str(net), "--recipe", str(recipe), "--out", str(out_file))
    code, _, err = run(capsys, *words)
    assert (code, out_file.exists()) == (2, False)
    assert "names no game; write one into it, or name one with --game" in err
    code, out, _ = run(capsys, *words, "--game", "tictactoe")
    assert code == 0
    assert "tictactoe, mine | mine, theirs, empty, column, -colour | policy logits | value; it finds" in out
    code, out, _ = run(capsys, "inspect", str(out_file), "--device", "cpu", "--json")
    data = json.loads(out)
    assert (data["game"], data["encoding"], data["guessed"]) == ("tictactoe", "recipe", False)
    assert data["recipe"]["inputs"] == [{"planes": planes, "name": "", "layout": "auto"}]
    assert [one["batch"] for one in data["speeds"]] == [1, 8, 32, 128]
    words = (
        "analyze",
        "tictactoe",
        "b2",
        "--net",
        str(out_file),
        "--simulations",
        "20",
        "--device",
        "cpu",
        "--json",
    )
    code, out, err = run(capsys, *words)
    assert json.loads(out)["simulations"] == 20
    assert "guess" not in err
    code, _, err = run(capsys, "analyze", "connect4", "--net", str(out_file), "--simulations", "20")
    assert code == 2
    assert "mine.onnx is a net for 'tictactoe'; the game here is 'connect4'" in err


def test_a_guess_is_told_and_can_be_kept(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    net, kept = str(linear(tmp_path / "net.onnx", ["batch", 3, 3], 10)[0]), tmp_path / "kept.onnx"
    words = (
        "analyze",
        "tictactoe",
        "b2",
        "--net",
        net,
        "--simulations",
        "20",
        "--device",
        "cpu",
        "--json",
    )
    code, _, err = run(capsys, *words)
    assert code == 0
    assert "net.onnx is read by a guess: alpha-zero-general | mine-theirs | policy logits | value; it finds" in err
    code, _, _ = run(capsys, "import", net, "--game", "tictactoe", "--out", str(kept))
    assert code == 0
    assert kept.is_file()
    code, _, err = run(capsys, "import", net, "--out", str(kept))
    assert (code, "name its game with --game, or give a --recipe" in err) == (2, True)


def test_a_net_without_a_guess_says_how_to_give_a_recipe(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    net = str(linear(tmp_path / "net.onnx", ["batch", 5, 3, 3], 9)[0])
    code, out, _ = run(capsys, "inspect", net)
    assert code == 0
    assert "describe them with --recipe FILE" in out
    code, _, err = run(capsys, "analyze", "tictactoe", "--net", net)
    assert code == 2
    assert "plyscope import net.onnx --recipe FILE --out x.onnx, or lay it beside the net as net.recipe.json" in err
    recipe = tmp_path / "net.recipe.json"
    recipe.write_text(json.dumps({"game": "tictactoe", "planes": ["mine, theirs x 2", "colour"]}))
    code, out, _ = run(capsys, "inspect", net, "--device", "cpu")
    assert code == 0
    assert "game      tictactoe" in out
