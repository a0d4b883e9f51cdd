"""The commands without a window, as a user types them."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from core.engine import Search, UniformEvaluator
from core.files import GAME_SUFFIXES
from core.games import GAMES, GameSpec, load_game
from core.search import SearchSettings
from core.search.settings import PRESETS, SETTING, with_preset
from models.commands import analyze, match, program
from models.commands.printing import report
from models.netfiles import opened
from models.netfiles.net_file import ENCODING, FORMAT
from models.netfiles.shipped import default_net
from tests.core.search.fakes import LeadEvaluator, run_search
from tests.models.commands.running import run

ROOT = Path(__file__).parents[3]
TINY = ROOT / "tests" / "data" / "katago" / "tiny" / "rect15-b2c16.bin.gz"


def write_net(path: Path, game: GameSpec, *, metadata: bool = True) -> Path:
    """A linear net with small random weights for ``game``."""
    rng = np.random.default_rng(0)
    inputs = game.num_planes * game.shape[0] * game.shape[1]
    weights = {
        "policy_w": rng.normal(0, 0.1, (inputs, game.num_actions)),
        "value_w": rng.normal(0, 0.1, (inputs, 1)),
    }
    nodes = [
        helper.make_node("Flatten", ["planes"], ["flat"]),
        helper.make_node("MatMul", ["flat", "policy_w"], ["policy"]),
        helper.make_node("MatMul", ["flat", "value_w"], ["raw"]),
        helper.make_node("Tanh", ["raw"], ["bounded"]),
        helper.make_node("Reshape", ["bounded", "minus_one"], ["value"]),
    ]
    tensors = [numpy_helper.from_array(array.astype(np.float32), name) for name, array in weights.items()]
    tensors.append(numpy_helper.from_array(np.array([-1], np.int64), "minus_one"))
    graph = helper.make_graph(
        nodes,
        "linear",
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["batch", game.num_planes, *game.shape])],
        [
            helper.make_tensor_value_info("policy", TensorProto.FLOAT, ["batch", game.num_actions]),
            helper.make_tensor_value_info("value", TensorProto.FLOAT, ["batch"]),
        ],
        tensors,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    if metadata:
        about = {"format": FORMAT, "game": game.text, "encoding": ENCODING, "config": "{}", "step": "7"}
        helper.set_model_props(model, {f"plyscope.{name}": text for name, text in about.items()})
    onnx.save(model, path)
    return path


def analyzed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    code, out, err = run(capsys, "analyze", *words, "--json")
    assert code == 0, err
    assert out.count("\n") == 1
    data: dict[str, Any] = json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    return data


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("tictactoe", "a3 b2"),
        ("connectn(rows=4, cols=4, k=3)", "a1 b2"),
        ("gomoku(size=9)", "e5 e6"),
        ("connect4", "d d c"),
    ],
)
def test_every_game_is_analyzed(capsys: pytest.CaptureFixture[str], game: str, moves: str) -> None:
    data = analyzed(capsys, game, moves, "--net", "rollouts", "--simulations", "200")
    assert data["game"] == game
    assert data["position"]["moves"] == moves.split()
    assert data["settings"]["selection"] == "ucb1"
    position = load_game(game).position(moves)
    assert sorted(row["action"] for row in data["moves"]) == list(position.legal_actions())
    visits = [row["visits"] for row in data["moves"]]
    assert visits == sorted(visits, reverse=True)
    assert data["stopped_because"] == ("proved" if data["simulations"] < 200 else "limit reached")
    assert sum(row["share"] for row in data["moves"]) == pytest.approx(1.0)
    assert data["best"]["name"] == position.game.action_name(data["best"]["action"]) == data["pv"][0]
    assert position.game.parse_diagram(data["position"]["diagram"]) == position


@pytest.mark.parametrize(
    ("words", "moves"),
    [
        (["connect4", "--", "d d"], ["d d"]),
        (["connect4", "--json", "--", "d d"], ["d d"]),
        (["--json", "connect4", "d", "--", "d", "-c"], ["d", "d", "-c"]),
        (["connect4", "d", "--json", "d", "--", "-c"], ["d", "d", "-c"]),
        (["connect4", "d", "--json", "--"], ["d"]),
    ],
)
@pytest.mark.parametrize("command", ["analyze", "tree", "solve"])
def test_words_after_two_hyphens_are_moves(command: str, words: list[str], moves: list[str]) -> None:
    words = words if command != "tree" else [word.replace("--json", "--seed=3") for word in words]
    args = program.parsed([command, *words])
    assert (args.game, args.moves) == ("connect4", moves)


def test_two_hyphens_hide_no_unknown_option() -> None:
    for words in (["analyze", "connect4", "--jsom", "--", "d"], ["games", "--", "d"]):
        with pytest.raises(ValueError, match="unknown arguments: "):
            program.parsed(words)
    assert program.parsed(["games", "--"])
    assert program.parsed(["match", "connect4", "--games", "2", "--", "a", "b"]).b == "b"


def test_a_game_named_without_parameters_takes_those_of_the_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[1]SZ[5]KM[5.5]RU[Japanese];B[cc];W[cb])")
    options = ("--net", "rollouts", "--simulations", "20", "--sgf", str(file))
    theirs = "go(size=5, rules=japanese, komi=5.5)"
    assert analyzed(capsys, "go", *options, "--only", "d3")["game"] == theirs
    assert analyzed(capsys, "go", *options, "--move", "1")["position"]["moves"] == ["c3"]
    assert program.main(["analyze", "go(size=5, komi=7)", *options]) == 0
    said = capsys.readouterr()
    assert f"{file} is a game of {theirs}; it is searched as go(size=5, komi=7)" in said.err
    assert program.main(["analyze", "go(size=9)", *options]) == 2
    assert capsys.readouterr().err == (
        f"plyscope: {file} is a game of {theirs}, not of go(size=9); go without parameters takes them from the file\n"
    )
    for other in ("gomoku", "connectn"):
        assert program.main(["analyze", other, *options]) == 2
        assert f"is a game of {theirs}, not of {other}" in capsys.readouterr().err


def test_a_proved_answer_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    nim = ("analyze", "nim", "--simulations", "10000")
    assert program.main(nim) == 0
    assert "value     +1.000 for X, to move (proved: win in at most 7 plies)\nbest      3" in capsys.readouterr().out
    data = analyzed(capsys, "nim", "", "--simulations", "10000")
    assert (data["stopped_because"], data["proof"], data["distance"]) == ("proved", "win", 7)
    assert program.main([*nim, "--no-prove"]) == 0
    out = capsys.readouterr().out
    assert "proved" not in out
    assert "best      3" in out


def test_the_json_is_the_search_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    data = analyzed(capsys, "connect4", "d d c", "--net", "rollouts", "--simulations", "300", "--seed", "5")
    settings = SearchSettings(selection="ucb1")
    search = run_search(load_game("connect4").position("d d c"), None, 300, settings, seed=5)
    snapshot = search.snapshot()
    assert tuple(data["settings"]) == tuple(SETTING)
    assert data["value"] == snapshot.value
    assert [(row["action"], row["visits"], row["q"]) for row in data["moves"]] == [
        (row.action, row.visits, row.q) for row in snapshot.moves
    ]


@pytest.mark.parametrize("of", ["root", "mean"])
def test_ownership_is_printed_where_the_net_gives_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of: str
) -> None:
    monkeypatch.setattr(opened, "user_cache_dir", lambda: tmp_path)
    words = ["go(rows=5, cols=7)", "c3", "--simulations", "100", "--net", str(TINY), "--ownership", of]
    data = analyzed(capsys, *words)["ownership"]
    assert (data["of"], data["for"], data["positions"] > 1) == (of, "X", of == "mean")
    points = np.array(data["points"])
    assert points.shape == (5, 7)
    code, out, _ = run(capsys, "analyze", *words)
    assert code == 0
    title, _, *rows = out.split("\n\nownership ")[1].splitlines()
    assert title.endswith("in tenths: + X, - O")
    assert title.startswith("of this position" if of == "root" else f"mean over {data['positions']} positions")
    tenths = np.array([row.replace(" . ", " +0 ").replace(" .", " +0").split()[1:] for row in rows], int)
    np.testing.assert_allclose(tenths, np.clip(10 * points, -9, 9), atol=0.51)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["tictactoe", "--net", "rollouts"], "random games give no ownership; a net that has it is needed"),
        (["tictactoe", "--net", "uniform"], "uniform prior, value 0 gives no ownership"),
        (["go(size=5)", "pass", "pass", "--net", str(TINY)], "the game is over; ownership is asked of positions"),
    ],
)
def test_ownership_that_is_not_there_is_refused(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    sentence: str,
) -> None:
    monkeypatch.setattr(opened, "user_cache_dir", lambda: tmp_path)
    code, out, err = run(capsys, "analyze", *words, "--simulations", "10", "--ownership", "root", "--json")
    assert (code, out) == (program.BAD_INPUT, "")
    assert err.splitlines()[-1].count(sentence) == 1  # beside notes, as on the compilation of the kernels


def test_analyze_prints_a_table_of_moves(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "analyze", "gomoku(size=9)", "e5", "--net", "uniform", "--simulations", "60")
    assert code == 0
    lines = out.splitlines()
    header = next(i for i, line in enumerate(lines) if line.startswith("move "))
    assert lines[header].split() == ["move", "N", "share", "P", "Q", "U", "Q+U", "V", "proof", "PV"]
    assert any(line.startswith("value") and "for O, to move" in line for line in lines)
    assert any("uniform prior" in line and "puct" in line for line in lines)
    assert "unvisited moves" in lines[-1]
    _, full, _ = run(
        capsys, "analyze", "gomoku(size=9)", "e5", "--net", "uniform", "--simulations", "60", "--every-move"
    )
    assert len(full.splitlines()) - 1 - header == 80


@pytest.mark.parametrize(
    ("game", "moves"), [("gomoku(size=9)", "e5 e6 a1 i9"), ("othello", "d3 c5"), ("nim(heaps=3-4-5)", "1:2 3:1")]
)
def test_the_printed_board_reads_back(game: str, moves: str) -> None:
    position = load_game(game).position(moves)
    settings = SearchSettings(selection="ucb1")
    text = report(Search(position, None, settings).snapshot(), settings, 0)
    board = text.split("\n\n")[1] + "\n" + text.split("\n\n")[2].splitlines()[0]
    assert position.game.parse_diagram(board) == position


def test_a_finished_game_prints_its_result(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "analyze", "tictactoe", "a1 a2 b1 b2 c1", "--net", "rollouts")
    assert code == 0
    assert out.splitlines()[-1] == "the game is over: X has won"
    data = analyzed(capsys, "tictactoe", "a1 a2 b1 b2 c1", "--net", "rollouts")
    assert data["position"]["returns"] == [1, -1]
    assert data["best"] is None
    assert data["moves"] == []


def test_a_diagram_is_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    position = load_game("tictactoe").position("b2 a1")
    data = analyzed(capsys, "tictactoe", position.diagram(), "--net", "uniform", "--simulations", "20")
    assert data["position"]["diagram"] == position.diagram()


@pytest.mark.slow
def test_every_setting_can_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    """Each with another value than its default, in the command's words."""
    given: dict[str, Any] = {"selection": "puct", "memory_mb": 64, "threads": 2, "collectors": 2}
    for name, setting in SETTING.items():
        if name not in given:
            others = [one for one in (*setting.choices, True, False, setting.low, setting.high) if one is not None]
            given[name] = next(one for one in others if one != setting.default and not setting.problem(one))
    words = []
    for name, value in given.items():
        option = name.replace("_", "-")
        words += [f"--{option}" if value else f"--no-{option}"] if isinstance(value, bool) else [f"--{option}={value}"]
    data = analyzed(capsys, "tictactoe", "--net", "rollouts", "--simulations", "50", *words)
    assert data["settings"] == pytest.approx(given)


def test_a_preset_is_taken_and_what_is_given_beside_it_precedes(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--preset", "katago-like", "--c-base", "90", "--simulations", "60")
    data = analyzed(capsys, "tictactoe", "--net", "uniform", *given)
    assert data["settings"] == {**asdict(SearchSettings()), **PRESETS["katago-like"], "c_base": 90.0}
    assert len(data["moves"]) == 3, "symmetric moves are one"
    code, out, _ = run(capsys, "analyze", "tictactoe", "--net", "uniform", *given, "--no-prove")
    assert code == 0
    assert "puct c 1 growing 0.45 with base 90, spread 0.85, unvisited reduction 0.2 (at the root reduction 0.1)" in out
    assert "(5 standard errors), lower bound" in out
    code, _, err = run(capsys, "analyze", "tictactoe", "--preset", "fast")
    assert code == 2
    assert "there is no preset 'fast'; there are: katago-like" in err


def test_a_player_of_a_match_can_have_a_preset() -> None:
    game = load_game("tictactoe")
    player = match.make_side(game, "uniform:20,preset=katago-like,c_puct=2", None, {"lcb_z": 1.0}, None, "cpu", "auto")
    assert player.settings == SearchSettings(**{**PRESETS["katago-like"], "c_puct": 2.0})
    with pytest.raises(ValueError, match="no preset 'fast'"):
        match.make_side(game, "uniform:20,preset=fast", None, {}, None, "cpu", "auto")


def test_the_score_utility_is_a_column_of_its_own() -> None:
    game = load_game("go(size=5)")
    settings = with_preset(SearchSettings(memory_mb=16), "katago-like")
    search = run_search(game.position("b2"), LeadEvaluator(game.num_actions), 80, settings)
    text = report(search.snapshot(), settings, 0)
    heads = next(line.split() for line in text.splitlines() if line.startswith("move"))
    assert heads == ["move", "N", "share", "P", "Q", "S", "U", "Q+S+U", "V", "lead", "proof", "PV"]
    row = search.snapshot().moves[0]
    line = next(line for line in text.splitlines() if line.startswith(f"{row.name} ×{1 + len(row.same)}"))
    cells = [row.name, *line.split()[2:]]
    assert float(cells[5]) == pytest.approx(row.s, abs=6e-4)
    assert float(cells[4]) + float(cells[5]) + float(cells[6]) == pytest.approx(float(cells[7]), abs=2e-3)


def test_a_net_file_selects_by_puct(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    net = write_net(tmp_path / "small.onnx", load_game("connect4"))
    data = analyzed(capsys, "connect4", "d", "--net", str(net), "--device", "cpu", "--simulations", "64")
    assert data["evaluator"] == "small.onnx on CPU"
    assert data["settings"]["selection"] == "puct"
    assert 0 < data["counters"]["evaluations"] <= 64
    assert data["mean_batch"] >= 1.0
    assert any(row["value"] is not None for row in data["moves"])


def test_without_a_net_rollouts_are_announced(capsys: pytest.CaptureFixture[str]) -> None:
    text = "connectn(rows=3, cols=4, k=3)"
    assert default_net(load_game(text)) is None
    code, out, err = run(capsys, "analyze", text, "--simulations", "20")
    assert code == 0
    assert err.splitlines()[0] == f"no net is shipped for {text}: random rollouts, ucb1"
    assert "random rollouts" in out
    _, _, err = run(capsys, "analyze", text, "--simulations", "20", "--selection", "puct")
    assert "random rollouts, puct" in err


def test_a_net_of_another_program_needs_a_recipe(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    net = str(write_net(tmp_path / "foreign.onnx", load_game("tictactoe"), metadata=False))
    code, _, err = run(capsys, "analyze", "tictactoe", "--net", net)
    assert code == 2
    assert "not a Plyscope net" in err
    recipe = tmp_path / "recipe.json"
    recipe.write_text('{"planes": ["mine", "theirs", "last", "first to move"], "rows": "bottom"}')
    words = ("--recipe", str(recipe), "--simulations", "30")
    assert analyzed(capsys, "tictactoe", "--net", net, *words)["simulations"] == 30
    code, out, _ = run(capsys, "match", "tictactoe", net, "uniform", "--games", "2", "--recipe", str(recipe))
    assert (code, out.count("\n")) == (0, 3)


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        (["analyze", "tictactoe", "z9"], "'z9'"),
        (["analyze", "chess"], "'chess'"),
        (["analyze", "connect4", "--net", "rollouts", "--c-puct", "-3"], "c_puct is -3.0"),
        (["analyze", "connect4", "--net", "rollouts", "--selection", "magic"], "'magic'"),
        (["analyze", "connect4", "--net", "rollouts", "--simulations", "0"], "simulations is 0"),
        (["analyze", "connect4", "--net", "rollouts", "--seconds", "nan"], "seconds is nan"),
        (["analyze", "connect4", "--net", str(Path(__file__))], "test_program.py"),
        (["analyze", "connect4", "--recipe", "r.json"], "--recipe describes a net file; name the file with --net"),
        (["analyze", "connect4", "--net", "x.onnx", "--recipe", str(Path(__file__))], "is no recipe for a net"),
        (["analyze", "connect4", "--device", "x" * 4096], "device is 'xxx"),
        (["analyze", "tictactoe", "--runtime", "openvino"], "cannot run in OpenVINO: the package openvino is not"),
        (["match", "tictactoe", "uniform", "tictactoe.onnx", "--runtime"], "--runtime"),
        (["train", "tictactoe", "--out", "x", "--preset", "two\nlines " * 400], "preset is 'two"),
        (["match", "tictactoe", "rollouts:abc", "uniform"], "'abc' is no number of simulations; write it after the"),
        (["match", "tictactoe", "uniform", "nobody.onnx"], "nobody.onnx"),
        (["match", "tictactoe", "uniform", "rollouts", "--games", "3"], "games is 3"),
        (["match", "tictactoe", "uniform", "rollouts", "--opening-plies", "-1"], "opening_plies is -1"),
        (["match", "tictactoe", "uniform", "rollouts", "--openings", "x", "--opening-plies", "1"], "give one of both"),
        (["match", "tictactoe", "uniform", "rollouts", "--openings", "nowhere.txt"], "nowhere.txt"),
        (["analyze"], "GAME"),
        (["dance"], "'dance'"),
        ([], "COMMAND"),
    ],
)
def test_a_mistake_is_one_sentence(capsys: pytest.CaptureFixture[str], words: list[str], quoted: str) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("plyscope: ")
    assert err.count("plyscope: ") == 1
    assert len(err) < 400
    assert quoted in err


class InterruptingEvaluator(UniformEvaluator):
    """Ctrl-C arrives while it evaluates its tenth batch."""

    def __init__(self, num_actions: int) -> None:
        super().__init__(num_actions)
        self.calls = 0

    def evaluate(self, planes: NDArray[np.float32], features: object = None) -> tuple[NDArray[np.float32], ...]:
        self.calls += 1
        if self.calls == 10:
            signal.raise_signal(signal.SIGINT)
        return super().evaluate(planes)


def test_ctrl_c_ends_a_match_with_the_games_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator = InterruptingEvaluator(9)
    evaluator.calls = -100
    monkeypatch.setattr(match, "choose_net", lambda *_: evaluator)
    code, out, err = run(capsys, "match", "tictactoe", "a:30", "b:30", "--games", "100")
    assert code == 130
    *games, result = out.splitlines()
    assert games
    assert f"of {len(games)}: score" in result
    assert err.splitlines()[-1] == "interrupted: the result is that of the games played"


def test_ctrl_c_prints_the_figures_so_far(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator = InterruptingEvaluator(7)
    monkeypatch.setattr(analyze, "choose_net", lambda *_: evaluator)
    before = signal.getsignal(signal.SIGINT)
    code, out, err = run(capsys, "analyze", "connect4", "--seconds", "600")
    assert code == 130
    assert "(stopped)" in out
    assert "PV" in out
    assert err.splitlines()[-1] == "interrupted: the figures are those reached so far"
    assert evaluator.calls >= 10
    assert signal.getsignal(signal.SIGINT) == before


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c_ends_the_process() -> None:
    code = "import sys; from models.commands.program import main; sys.exit(main())"
    words = ["analyze", "connectn(rows=6, cols=5, k=4)", "--seconds", "300"]
    with subprocess.Popen(
        [sys.executable, "-c", code, *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr.readline().startswith("no net is shipped")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert err.splitlines()[-1].startswith("interrupted")
    assert "Traceback" not in err


def test_match_from_a_file_of_openings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text("# two\na1 b2\nb2 c3\n", encoding="utf-8")
    words = ("match", "tictactoe", "uniform:60", "rollouts:2", "--openings", str(tmp_path / "openings.txt"))
    code, out, err = run(capsys, *words, "--games", "4", "--json")
    assert code == 0, err
    assert sorted({" ".join(game["moves"][:2]) for game in json.loads(out)["games"]}) == ["a1 b2", "b2 c3"]
    code, _, err = run(capsys, *words, "--games", "6")
    assert code == 2
    assert "with 2 openings it must be at most 4" in err


def test_match_prints_games_and_result(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("match", "tictactoe", "uniform:60", "rollouts:2", "--games", "4", "--opening-plies", "1")
    code, out, err = run(capsys, *words)
    assert code == 0, err
    assert [line.split(":")[0] for line in out.splitlines()[:4]] == ["game 1", "game 2", "game 3", "game 4"]
    assert out.splitlines()[-1].startswith("uniform:60 against rollouts:2: ")
    code, out, _ = run(capsys, *words, "--json")
    data = json.loads(out)
    assert data["wins"] + data["draws"] + data["losses"] == len(data["games"]) == 4
    assert data["score"] == (data["wins"] + data["draws"] / 2) / 4
    assert [game["a_moves_first"] for game in data["games"]] == [True, False, True, False]
    for game in data["games"]:
        last = load_game("tictactoe").position(" ".join(game["moves"]))
        assert last.is_over
        assert game["score"] == 0.5 + 0.5 * last.returns[0 if game["a_moves_first"] else 1]


@pytest.mark.skipif(sys.platform != "linux", reason="a Linux desktop's menu")
def test_the_desktop_menu_entry_is_installed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "a $place 100%"
    folder.mkdir()
    (folder / "plyscope").touch()
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    code, out, err = run(capsys, "--install-desktop")
    assert code == 0, err
    entry = tmp_path / "share" / "applications" / "plyscope.desktop"
    assert str(entry) in out
    lines = entry.read_text().splitlines()
    assert f'Exec="{tmp_path}/a \\\\$place 100%%/plyscope" %F' in lines
    (types,) = [line.removeprefix("MimeType=").rstrip(";").split(";") for line in lines if line.startswith("Mime")]
    package = ElementTree.parse(tmp_path / "share" / "mime" / "packages" / "plyscope.xml")
    space = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    assert [one.get("type") for one in package.findall("m:mime-type", space)] == types
    patterns = {one.get("pattern") for one in package.findall("m:mime-type/m:glob", space)}
    assert patterns == {f"*{suffix}" for suffix in (*GAME_SUFFIXES, ".plyscope")} - {"*.lib"}
    assert (tmp_path / "share/icons/hicolor/scalable/apps/plyscope.svg").read_text().startswith("<svg")
    (folder / "plyscope").unlink()
    assert run(capsys, "--install-desktop")[0] == 2


def test_the_games_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "games")
    assert code == 0
    examples = [line.split("  ")[0] for line in out.splitlines() if not line.startswith(" ")]
    *own, others = list(GAMES)  # the last one needs a package that may be missing
    assert [load_game(text).name for text in examples[:-1]] == own
    assert examples[-1].split("(")[0] == others


def test_only_the_moves_named_are_searched(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("connect4", "d d c", "--net", "uniform", "--simulations", "300", "--only")
    data = analyzed(capsys, *words, "e, B,e")
    assert [row["name"] for row in sorted(data["moves"], key=lambda row: row["action"])] == ["b", "e"]
    assert sorted(data["left_out"]) == ["a", "c", "d", "f", "g"]
    assert sum(row["visits"] for row in data["moves"]) == 299
    code, out, err = run(capsys, "analyze", *words, "b,e")
    assert code == 0, err
    assert "only      b, e\n" in out
    code, _, err = run(capsys, "analyze", *words, "b,z")
    assert code == 2
    assert "'z'" in err


def test_a_proof_among_some_moves_is_marked_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("tictactoe", "a1 b2 b1", "--net", "uniform", "--simulations", "5000", "--only", "a2,a3")
    code, out, err = run(capsys, "analyze", *words)
    assert code == 0, err
    assert "(proved among the moves searched: loss in 2 plies)" in out
