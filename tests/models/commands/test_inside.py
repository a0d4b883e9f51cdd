"""``plyscope inside`` prints a net block by block, as a table and as JSON, and refuses in a sentence."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.files.record import GameRecord
from core.files.sgf import write_sgf
from core.games import load_game
from core.solve import Solver
from models.inside import history
from models.inside.attention import AttentionReader
from models.netfiles.shipped import nets_dir
from models.netfiles.tapped import TappedNet
from tests.models.commands.running import run
from tests.models.inside.planted import run_that_learns
from tests.models.netfiles.katago_nets import RandomNet

NET = str(nets_dir() / "tictactoe-2x32.onnx")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))


def test_the_blocks_of_a_position_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "inside", NET, "--position", "b2 a1", "--part", "blocks", "--json")
    answer = json.loads(out)
    blocks = answer["blocks"]
    assert code == 0
    assert (answer["game"], answer["moves"], answer["to_move"]) == ("tictactoe", ["b2", "a1"], "X")
    assert [row["name"] for row in blocks["blocks"]] == ["stem", "block 1", "block 2"]
    last = blocks["blocks"][-1]
    assert last["own"] == last["lens"]
    assert (last["own"]["kl"], last["own"]["agrees"]) == (0.0, True)
    for row in blocks["blocks"]:
        assert sum(row["own"]["policy"].values()) == pytest.approx(1.0)
        assert len(row["own"]["policy"]) == 7
    assert len(blocks["lens"]["own"]) == 3
    assert next(iter(last["own"]["policy"])) in blocks["sentence"]


def test_the_blocks_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "inside", NET, "--part", "blocks")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "net       tictactoe-2x32.onnx: 2 blocks of 32 channels"
    (head,) = (i for i, line in enumerate(lines) if line.startswith("after"))
    assert [line.split("  ")[0] for line in lines[head + 1 : head + 4]] == ["stem", "block 1", "block 2"]
    assert lines[-1].startswith(("The net wants", "The stem wants", "After"))


def test_the_stones_as_json_and_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    Solver(load_game("tictactoe")).solve(load_game("tictactoe").initial())  # its kernels may have to be compiled
    words = ("inside", NET, "--position", "b2 a1 c3 a3", "--part", "stones")
    code, out, _ = run(capsys, *words, "--json")
    stones = json.loads(out)["stones"]
    assert code == 0
    assert {(row["cell"], row["player"]) for row in stones["stones"]} == {("b2", 0), ("a1", 1), ("c3", 0), ("a3", 1)}
    assert (stones["move"], stones["right"]) == ("a2", True)  # which blocks a1 a2 a3
    for row in stones["stones"]:
        assert -1.0 <= row["sarfa"] <= 1.0
        assert row["tests"] == 0 or 0.0 <= row["truth"] <= 1.0
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert out.splitlines()[-1] == stones["sentence"]


def test_the_channels_as_json_and_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "inside", NET, "--position", "b2 a1", "--part", "channels", "--json")
    channels = json.loads(out)["channels"]
    assert code == 0
    assert [block["name"] for block in channels["blocks"]] == ["stem", "block 1", "block 2"]
    for block in channels["blocks"]:
        assert [row["number"] for row in block["channels"]] == list(range(32))
        assert block["dead"] == [row["number"] for row in block["channels"] if row["dead"]]
        row = next(row for row in block["channels"] if not row["dead"])
        assert row["spots"][0]["value"] == pytest.approx(row["most"])
        summed = block["strongest"]["sum"]
        assert summed["total"] == pytest.approx(summed["before"], abs=1e-4)
        assert block["strongest"]["value"] == pytest.approx(max(summed["before"], 0.0))
    code, out, _ = run(capsys, "inside", NET, "--part", "channels")
    assert code == 0
    assert out.count("here strongest: channel") == 3


def test_the_map_as_json_and_as_tables(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, moves in (("won", "a1 b1 a2 b2 a3"), ("other", "b2 c3 a1")):
        (tmp_path / f"{name}.sgf").write_bytes(write_sgf([GameRecord.of(load_game("tictactoe").position(moves))]))
    words = ("inside", NET, "--position", "b2 a1", "--part", "map", "--source", str(tmp_path))
    code, out, _ = run(capsys, *words, "--block", "1", "--json")
    found = json.loads(out)["map"]
    assert code == 0
    assert (found["block"], found["positions"]) == ("block 1", len(found["points"]))
    assert 0.0 < found["shares"][1] < found["shares"][0] < 1.0
    near, far = found["here"]["similar"]  # one of each game
    assert near["distance"] < far["distance"]
    assert {near["source"], far["source"]} == {"won.sgf", "other.sgf"}
    assert found["agreement"] == []  # of two games nothing can be said
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert f"map of {found['positions']} positions by block 2" in out
    assert "won.sgf" in out
    assert "-1 (game)" in out


def test_channels_over_a_source(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "a.sgf"
    path.write_bytes(write_sgf([GameRecord.of(load_game("tictactoe").position("b2 c3 a1"))]))
    code, out, error = run(capsys, "inside", NET, "--part", "channels", "--source", str(path), "--json")
    assert code == 0
    assert json.loads(out)["channels"]["positions"] == 4
    assert error == f"reading positions of {path}\n"


def test_the_plies_that_are_seen_as_json_and_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "inside", NET, "--position", "b2 a1 c3", "--part", "reply", "--json")
    seen = json.loads(out)["reply"]
    assert code == 0
    assert list(seen["thresholds"]) == ["stem", "block 1", "block 2"]
    assert [ply["move"] for ply in seen["plies"]] == seen["line"][1:]
    assert [ply["ply"] for ply in seen["plies"]] == list(range(2, len(seen["line"]) + 1))
    for ply in seen["plies"]:
        beyond = [] if not ply["changes"] else zip(ply["effects"], seen["thresholds"].items(), strict=True)
        first = next((name for effect, (name, least) in beyond if effect > least), None)
        assert ply["block"] == (first if ply["strength"] > ply["chance"] else None)
    code, out, _ = run(capsys, "inside", NET, "--position", "b2 a1 c3", "--part", "reply")
    assert code == 0
    assert out.splitlines()[-1] == seen["sentence"]
    assert f"the line {' '.join(seen['line'])}:" in out
    othello = str(nets_dir() / "othello6-4x48.onnx")
    code, out, _ = run(capsys, "inside", othello, "--part", "reply", "--json")
    assert code == 0
    assert "no stone of Othello" in json.loads(out)["reply"]["sentence"]


def test_the_concepts_as_json_and_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "inside", NET, "--part", "concepts", "--json")
    concepts = json.loads(out)["concepts"]
    assert code == 0
    assert concepts["blocks"] == ["stem", "block 1", "block 2"]
    rows = {row["name"]: row for row in concepts["concepts"]}
    parity = rows["parity"]
    assert (parity["measure"], parity["board"]["value"]) == ("AUC", 1.0)  # a line through the board counts its stones
    assert [block["beats_baselines"] for block in parity["blocks"]] == [False] * 3
    code, out, _ = run(capsys, "inside", NET, "--part", "concepts")
    (line,) = (line for line in out.splitlines() if line.startswith("parity"))
    assert line.split()[:3] == ["parity", "AUC", "1.000"]


def test_when_the_nets_of_a_run_learnt_what(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "positions_at_most", lambda net: 200)
    monkeypatch.setattr(history, "_SEARCHED", 4)
    folder = run_that_learns(tmp_path / "run")
    code, out, err = run(capsys, "inside", str(folder), "--part", "concepts", "--json")
    found = json.loads(out)
    assert code == 0
    assert "iteration 2: 3 of 3 nets" in err
    assert [net["iteration"] for net in found["nets"]] == [0, 1, 2]
    rows = {row["name"]: row for row in found["concepts"]}
    line = rows["own completes"]
    assert len(line["blocks"]) == len(line["searched"]["100"]["shares"]) == 3
    assert rows["parity"]["searched"] == {}
    code, out, _ = run(capsys, "inside", str(folder))
    assert code == 0
    (head,) = (line for line in out.splitlines() if line.startswith("concept "))
    assert head.split()[-9:] == ["0", "1", "2", "search", "1", "search", "10", "search", "100"]
    code, _, err = run(capsys, "inside", str(folder), "--part", "blocks")
    assert code == 2
    assert "only --part concepts is given" in err
    code, _, err = run(capsys, "inside", str(tmp_path))
    assert code == 2
    assert "has 0 kept nets of a run" in err


def test_where_the_mistakes_of_an_audit_are_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report, page = tmp_path / "a.html", tmp_path / "inside.html"
    made = ("audit", "tictactoe", NET, "--random", "40", "--simulations", "8", "--plies", "1-5", "--out", str(report))
    assert run(capsys, *made)[0] == 0
    words = ("inside", NET, "--audit", str(report.with_suffix(".audit")))
    code, out, _ = run(capsys, *words, "--out", str(page), "--json")
    answer = json.loads(out)
    own = answer["own"]
    assert code == 0
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert answer["judge"].endswith("tictactoe-2x32.onnx")
    assert len(answer["lens"]["blocks"]) == len(own["blocks"]) == 3
    wrong = own["never"] + sum(row["made"] for row in own["blocks"])
    assert len(answer["positions"]) == own["blocks"][-1]["right"] + wrong
    reasons = answer["reasons"]
    assert reasons["looked_at"] == reasons["right"] == own["blocks"][-1]["right"]
    scores = [one["score"] for one in reasons["positions"]]
    assert scores == sorted(scores)
    assert reasons["mean"]["value"] == pytest.approx(sum(scores) / len(scores))
    assert "Right move, wrong reason" in page.read_text()
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert answer["sentence"] in out.splitlines()
    assert reasons["sentence"] in out.splitlines()
    assert len(out.split("right move, wrong reason")[1].splitlines()) == 2 + min(20, len(scores))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--position", "a1 a2 b1 b2 c1"), "the game is over"),
        (("--position", "z9"), "z9"),
        (("--game", "connect4"), "is a net for 'tictactoe'"),
        (("--part", "souls"), "invalid choice"),
        (("--audit", "none.audit"), "none.audit"),
        (("--audit", "none.audit", "--position", "a1"), "leave out --position"),
        (("--source", "none.audit", "--part", "map"), "there is no such file"),
        (("--source", "none.audit"), "name one of them by --part"),
        (("--block", "1"), "name it by --part"),
        (("--block", "3", "--part", "map"), "--block is 3; it must be from 0, the stem, to 2"),
        (("--audit", "none.audit", "--block", "1"), "leave out --position"),
        (("--out", "page.html"), "--out is for the page of --audit"),
    ],
)
def test_what_cannot_be_shown_is_refused(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    code, _, error = run(capsys, "inside", NET, *words)
    assert code == 2
    assert sentence in error
    assert error.count("\n") == 1


def test_the_attention_as_json_and_as_a_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    net = tmp_path / "net.bin.gz"
    net.write_bytes(RandomNet(17, ("t", "f", "l"), seed=3).file())
    words = ("inside", str(net), "--game", "go(size=5)", "--position", "c3 b2", "--part", "attention")
    code, out, _ = run(capsys, *words, "--cell", "D4", "--json")
    attention = json.loads(out)["attention"]
    assert code == 0
    assert attention["cell"] == "d4"
    looks = AttentionReader(TappedNet(net, load_game("go(size=5)"))).looks(load_game("go(size=5)").position("c3 b2"))
    cell = looks.position.game.cell_names.index("d4")
    assert [(layer["block"], len(layer["heads"])) for layer in attention["layers"]] == [("block 1", 2), ("block 3", 4)]
    for number, layer in enumerate(attention["layers"]):
        for head, found in enumerate(layer["heads"]):
            weights = looks.layers[number].weights[head]
            assert sum(map(sum, found["looks_at"])) == pytest.approx(1.0, abs=1e-6)
            np.testing.assert_allclose(np.ravel(found["looks_at"]), weights[cell])
            np.testing.assert_allclose(np.ravel(found["looked_at_from"]), weights[:, cell])
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert f"attention at {looks.position.game.cell_names[looks.move_cell]}:" in out
    assert len(out[out.index("attention at") :].splitlines()) == 2 + 2 + 4


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--part", "attention"), "tictactoe-2x32.onnx has no attention between the cells"),
        (("--cell", "b2"), "--cell is for the part attention"),
        (("--part", "attention", "--cell", "z9"), "--cell is 'z9'; it must be one from a3 to c1"),
    ],
)
def test_attention_that_cannot_be_shown_is_refused(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    code, _, error = run(capsys, "inside", NET, *words)
    assert code != 0
    assert sentence in error
