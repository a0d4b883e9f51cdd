"""The commands of training, as a user types them."""

import json
from pathlib import Path

import pytest
import torch

from core.games import load_game
from models.commands import program, training
from models.netfiles.opened import import_go_net
from models.netfiles.shipped import default_net
from models.play.replay import load_shard
from models.runs.config import named, read_settings
from models.runs.folder import CHECKPOINT, RUN_TOML
from models.runs.reports import read_reports
from models.strength.exams import exams_for
from tests.models.commands.running import run

TINY = {
    "games": 4, "samples_per_iteration": 16, "simulations": 4, "fast_simulations": 2, "batch_size": 4, "blocks": 1,
    "channels": 8, "evaluator": "torch", "ladder_games": 2, "ladder_simulations": 4, "exam_positions": 3, "threads": 1,
}  # fmt: skip


def tiny_run(*settings: str) -> list[str]:
    tiny = [f"{name}={value}" for name, value in named(TINY).items()]
    return [word for setting in (*tiny, *settings) for word in ("--set", setting)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one iteration."""
    out = tmp_path_factory.mktemp("runs") / "run"
    assert program.main(["train", "tictactoe", "--out", str(out), *tiny_run("run.iterations=1")]) == 0
    return out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--actors", "2"], "--actors is 2; it goes with --cluster and is a number from 1 to 1000"),
        (["--cluster", "local", "--actors", "0"], "--actors is 0; it goes with --cluster"),
        (["--cluster", "nowhere"], "'nowhere' is no address of a cluster; allowed are auto, local, HOST:PORT"),
    ],
)
def test_bad_clusters(capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], said: str) -> None:
    out = tmp_path / "run"
    code, _, err = run(capsys, "train", "tictactoe", "--out", str(out), *tiny_run("run.iterations=1"), *words)
    assert code == 2
    assert said in err
    assert not out.exists()


@pytest.mark.slow
def test_train_resume_export_analyze(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    code, text, err = run(capsys, "train", "tictactoe", "--out", out, *tiny_run("run.iterations=1"))
    assert code == 0, err
    lines = text.splitlines()
    assert "evaluations/s alone" in lines[0]
    assert ("the net is computed on the processor: " in lines[0]) != torch.cuda.is_available()
    assert any("iteration 1 " in line and "next checkpoint in " in line for line in lines)
    assert any("kept nets/step-00000000.onnx" in line for line in lines)
    assert lines[-1].startswith("iterations done: 1 iterations")
    code, _, err = run(capsys, "train", "tictactoe", "--out", out, *tiny_run("run.iterations=2"))
    assert code == 2
    assert err.count("\n") == 1
    assert "resume" in err
    # Resumed without its settings: they come from run.toml, and where that is lost from the checkpoint.
    for iterations in (2, 3):
        code, text, err = run(
            capsys, "train", "tictactoe", "--out", out, "--resume", "--set", f"run.iterations={iterations}"
        )
        assert code == 0, err
        assert text.splitlines()[-1].startswith(f"iterations done: {iterations} iterations")
        settings = read_settings(tmp_path / "run" / "run.toml")
        assert (settings["run.iterations"], settings["self_play.games"]) == (iterations, 4)
        (tmp_path / "run" / "run.toml").unlink()
    reports = read_reports(tmp_path / "run" / "reports.jsonl")
    assert [one["iteration"] for one in reports if one["event"] == "iteration"] == [1, 2, 3]
    net = tmp_path / "exported.onnx"
    code, text, err = run(capsys, "export", out, "--out", str(net))
    assert code == 0, err
    code, text, _ = run(
        capsys, "analyze", "tictactoe", "--net", str(net), "--device", "cpu", "--simulations", "20", "--json"
    )
    assert json.loads(text)["evaluator"] == "exported.onnx on CPU"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """The settings of the runs that would have been started."""
    begun: list[dict[str, object]] = []
    monkeypatch.setattr(training, "_start", lambda config, *_: begun.append(config.to_dict()) or 0)
    return begun


def test_settings_come_from_preset_file_and_options(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, started: list[dict[str, object]]
) -> None:
    """The later wins, and what is not given stands at its default; all of it is in run.toml."""
    (tmp_path / "mine.toml").write_text("channels = 12\nc_puct = 2\nlearning_rate = 1e-3\n")
    out = tmp_path / "run"
    more = [*tiny_run("run.iterations=1", "self_play.c_puct=3"), "--minutes", "5"]
    words = ["train", "tictactoe", "--out", str(out), "--preset", "small", "--config", str(tmp_path / "mine.toml")]
    assert run(capsys, *words, *more)[0] == 0
    (config,) = started
    wanted = {"net.channels": 8, "self_play.c_puct": 3.0, "learning.rate": 1e-3, "run.minutes": 5.0}
    wanted |= {"self_play.temperature_plies": 9, "strength.checkpoint_minutes": 0.5, "learning.ema_samples": 51_200}
    assert {name: config[name] for name in wanted} == wanted


def test_a_file_of_settings_cut_short_takes_the_rest_from_the_checkpoint(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path, started: list[dict[str, object]]
) -> None:
    whole, out = read_settings(folder / RUN_TOML), tmp_path / "run"
    out.mkdir()
    (out / CHECKPOINT).write_bytes((folder / CHECKPOINT).read_bytes())
    text = (folder / RUN_TOML).read_text()
    (out / RUN_TOML).write_text(text[: text.index("simulations =")].replace("games = 4", "games = 5"))
    code, _, err = run(capsys, "train", "tictactoe", "--out", str(out), "--resume")
    assert code == 0
    assert started == [{**whole, "self_play.games": 5}]
    assert "run.toml does not say" in err
    assert "taken from the checkpoint" in err
    (out / RUN_TOML).write_text(text[: text.index("simulations =") + 8])
    code, _, err = run(capsys, "train", "tictactoe", "--out", str(out), "--resume")
    assert code != 0
    assert "delete it to use the settings of the checkpoint" in err


def test_a_run_of_an_earlier_version_is_resumed(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path, started: list[dict[str, object]]
) -> None:
    """Its settings had no tables, and there were more of them."""
    whole, out = read_settings(folder / RUN_TOML), tmp_path / "run"
    out.mkdir()
    (out / CHECKPOINT).write_bytes((folder / CHECKPOINT).read_bytes())
    lines = [line for line in (folder / RUN_TOML).read_text().splitlines() if not line.startswith("[")]
    flat = "\n".join([*lines, "temperature = 1.0", "late_temperature = 0.5"]).replace("\nrate =", "\nlearning_rate =")
    (out / RUN_TOML).write_text(flat)
    assert run(capsys, "elo", str(out))[0] == 0
    words = ["train", "tictactoe", "--out", str(out), "--resume"]
    for more in ([], ["--config", str(out / RUN_TOML)]):  # as the window does
        code, _, err = run(capsys, *words, *more)
        assert (code, started.pop()) == (0, whole)
        assert err.endswith("run.toml says late_temperature: no settings any more\n")


def test_all_invalid_settings_are_reported_at_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["train", "connect4", "--out", str(tmp_path / "run"), "--set", "self_play.games=0", "--set", "sead=3"]
    code, out, err = run(capsys, *words, "--set", "gate", "--set", "net.blocks=x", "--set", "self_play.search=deep")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    for quoted in ("games is 0", "did you mean run.seed?", "'gate' is no setting", "blocks is 'x'", "search is 'deep'"):
        assert quoted in err
    assert "minutes, iterations and evaluations are all 0" in err
    assert not (tmp_path / "run").exists()


def test_help_explains_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    code, text, _ = run(capsys, "train", "--help")
    assert code == 0
    assert "    self_play.temperature_plies = 12\n        plies: sampled in proportion to the visits" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        (["train", "tictactoe", "--minutes", "1"], "--out"),
        (["train", "ludo", "--out", "OUT", "--minutes", "1"], "'ludo'"),
        (["train", "tictactoe", "--out", "OUT"], "minutes"),
        (["train", "tictactoe", "--out", "OUT", "--preset", "huge"], "'huge'"),
        (["train", "tictactoe", "--out", "FILE/run", "--minutes", "1"], "FILE/run"),
        (
            ["train", "tictactoe", "--out", "OUT", "--minutes", "1", "--set", "run.device=cuda"],
            "device is 'cuda', but no",
        ),
        (["train", "tictactoe", "--out", "OUT", "--minutes", "1", "--resume"], "holds no run to resume"),
        (
            ["train", "tictactoe", "--out", "OUT", "--minutes", "1", "--set", "net.init=NET"],
            "of 2 blocks of 32 channels",
        ),
        (["train", "tictactoe", "--out", "OUT", "--config", "FILE"], "not a TOML file"),
        (["train", "tictactoe", "--out", "RUN", "--resume", "--set", "net.channels=16"], "has 8"),
        (["train", "connect4", "--out", "RUN", "--resume"], "the command 'connect4'"),
        (["export", "OUT", "--out", "OUT/net.onnx"], "No such file"),
        (["eval", "RUN/net.onnx", "--positions", "0"], "positions is 0"),
        (["eval", "RUN/net.onnx", "--simulations", "1"], "simulations is 1"),
        (["eval", "RUN/net.onnx", "--simulations", "8", "--exact-empties", "31"], "exact_empties"),
        (["eval", "RUN/net.onnx", "--exam", "FILE"], "is no table of exams: it is not JSON"),
        (["elo", "OUT"], "not the folder of a run"),
        (["elo", "RUN", "--bouts", "1", "--games", "3"], "games is 3"),
        (["selfplay", "NET", "--seed", "-1"], "seed is -1; it must be a whole number from 0"),
        (["selfplay", "RUN/net.onnx", "--out", "FILE/shards"], "FILE/shards"),
    ],
)
def test_a_mistake_in_training_is_one_sentence(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    folder: Path,
    words: list[str],
    quoted: str,
) -> None:
    monkeypatch.setattr(training, "missing_gpu", lambda: "no NVIDIA driver found")
    capsys.readouterr()
    (tmp_path / "file").write_text("no settings")
    places = {"OUT": str(tmp_path / "out"), "FILE": str(tmp_path / "file"), "RUN": str(folder)}
    places["NET"] = str(default_net(load_game("tictactoe")))
    for name, place in places.items():
        words = [word.replace(name, place) for word in words]
        quoted = quoted.replace(name, place)
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert quoted in err
    assert not (tmp_path / "out").exists()


def test_eval_prints_the_results_of_exams(capsys: pytest.CaptureFixture[str]) -> None:
    net = default_net(load_game("tictactoe"))
    assert net is not None
    words = ("eval", str(net), "--positions", "20", "--simulations", "10", "--device", "cpu")
    code, out, err = run(capsys, *words)
    assert code == 0, err
    name = exams_for(load_game("tictactoe"))[0].name
    assert f"{name} policy     20 of 20     100.00%  (83.89% to 100.00%)" in out.splitlines()
    code, out, _ = run(capsys, *words, "--json")
    data = json.loads(out)
    assert data["game"] == "tictactoe"
    assert 0 < data["exams"][f"{name} search"]["right"] <= data["exams"][f"{name} search"]["of"] <= 20


def test_elo_plays_bouts_and_prints_ratings(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, err = run(capsys, "elo", str(folder), "--bouts", "1", "--games", "2", "--device", "cpu")
    assert code == 0, err
    assert err.count(" against ") == 1
    assert any(line.startswith("random ") and "+0" in line for line in out.splitlines())
    assert sum(line.endswith("best") for line in out.splitlines()) == 1
    code, out, _ = run(capsys, "elo", str(folder), "--json")
    assert json.loads(out)["ratings"]["random"] == [0.0, 0.0, 0.0]


def test_selfplay_prints_games(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    words = (
        "selfplay",
        str(folder / "net.onnx"),
        "--games",
        "5",
        "--set",
        "self_play.simulations=4",
        "--device",
        "cpu",
    )
    code, out, err = run(capsys, *words)
    assert code == 0, err
    lines = out.splitlines()
    assert len(lines) >= 5
    game = load_game("tictactoe")
    for line in lines:
        result, *moves = line.partition("  (")[0].split()
        position = game.position(" ".join(moves))
        returns = {"1-0": (1, -1), "1/2-1/2": (0, 0), "0-1": (-1, 1)}[result]
        assert position.returns == returns if position.is_over else "(proved)" in line
    assert f"{len(lines)} games, " in err


def test_selfplay_writes_shards(capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "games"
    words = (
        "selfplay",
        str(folder / "net.onnx"),
        "--games",
        "5",
        "--out",
        str(out),
        "--set",
        "self_play.simulations=4",
    )
    for times in (1, 2):  # the second time beside what is there
        code, text, err = run(capsys, *words)
        assert (code, text) == (0, ""), err
        shards = sorted(out.glob("*.npz"))
        assert len(shards) >= times
        samples = [load_shard(path, load_game("tictactoe")) for path in shards]
        assert sum(len(one.traces) for one in samples) >= 5 * times
        assert all(len(one) for one in samples)


def test_nets_of_other_programs_are_named_as_what_they_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "data" / "katago" / "tiny" / "b1c6nbt-mish.bin.gz"
    imported = tmp_path / "imported.onnx"
    import_go_net(source, imported)
    for net in (source, imported):
        code, _, err = run(capsys, "eval", str(net))
        assert (code, err) == (2, "plyscope: there is no exam for 'go': too few of its positions are solved\n")
    _, _, err = run(capsys, "export", str(imported), "--out", str(tmp_path / "out.onnx"))
    assert "is a net for several boards; name one with --game" in err
    settings = tiny_run(f"net.init={imported}", "net.channels=6", "run.minutes=1")
    _, _, err = run(capsys, "train", "go(size=5)", "--out", str(tmp_path / "run"), *settings)
    assert "that is not a Plyscope net" in err
