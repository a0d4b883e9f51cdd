"""``plyscope influence``: the samples that taught a mistake, as lines and JSON, and a run that learns without them."""

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.games import load_game
from core.solve import Solver
from models.commands.program import main
from models.play.left_out import LeftOut, leave_out, mark_of
from models.play.openings import read_openings
from models.play.replay import load_shard
from models.play.run_openings import start_at, starts_at
from models.runs.config import TrainConfig, read_settings
from models.runs.folder import LEFT_OUT, OPENINGS, RUN_TOML
from models.strength.exams import after
from models.training.influence import newest_net, policy_of
from models.training.iteration import Trainer
from models.training.run import train

TINY = TrainConfig.of(
    game="tictactoe", blocks=1, channels=8, games=8, samples_per_iteration=64, simulations=8, fast_simulations=4,
    full_share=1.0, evaluator="torch", replay_positions=500, batch_size=16, train_ratio=4.0, carry_steps=False,
    ladder_games=0, exam_positions=0, checkpoint_minutes=0.01, iterations=3, threads=1, device="cpu",
)  # fmt: skip
Said = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run") / "ttt"
    train(TINY, out)
    return out


@pytest.fixture
def said(run: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    def say(*words: str) -> tuple[int, str, str]:
        code = main(["influence", str(run), *words])
        out, err = capsys.readouterr()
        return code, out, err

    return say


def asked(said: Said, *words: str) -> dict[str, Any]:
    return asked_of(said, "--position", "b2", "--wrong", "b1", "--right", "a1", *words)


def asked_of(said: Said, *words: str) -> dict[str, Any]:
    code, out, _ = said("--json", *words)
    assert code == 0
    data: dict[str, Any] = json.loads(out)
    return data


def test_the_samples_named_are_those_of_the_run(run: Path, said: Said) -> None:
    data = asked(said, "--top", "12")
    game = load_game("tictactoe")
    assert (data["game"], data["moves"], data["wrong"], data["right"]) == ("tictactoe", ["b2"], "b1", "a1")
    assert data["looked_at"] == sum(len(load_shard(path, game)) for path in (run / "replay").glob("*.npz"))
    assert len(data["samples"]) == 12
    pushes = [sample["push"] for sample in data["samples"]]
    assert pushes == sorted(pushes, reverse=True)
    assert min(pushes) > 0.0
    assert 0.0 < data["share"] < 1.0
    for sample in data["samples"]:
        shard = load_shard(run / "replay" / f"{sample['shard']}.npz", game)
        position = game.position(" ".join(sample["moves"]))
        assert np.array_equal(position.planes(), shard.planes[sample["row"]])
        assert sample["mark"] == mark_of(shard, sample["row"])
        assert sample["iteration"] < 3  # nothing was learned from the games of the last iteration


def test_it_is_said_in_lines(said: Said) -> None:
    code, out, err = said("--position", "b2", "--wrong", "b1", "--right", "a1", "--relearn")
    assert code == 0
    assert "b1 instead of a1: what the kept nets think" in out
    assert "samples were looked at; " in out
    assert "log-odds of b1 over a1 after learning anew" in out
    assert out.splitlines()[-3].startswith("0     ")
    assert "learning anew, 3 of 3" in err


def test_a_wrong_value_is_asked_about_by_its_outcome(said: Said) -> None:
    data = asked_of(said, "--position", "a1 b1", "--outcome", "--wrong", "loss", "--top", "3")  # a win, by the solver
    assert (data["outcome"], data["wrong"], data["right"]) == (True, "loss", "win")
    assert len(data["samples"]) == 3
    for net in data["nets"]:
        assert net["log_odds"] == pytest.approx(np.log(net["wrong"] / net["right"]))


def test_positions_like_the_mistake_are_openings_of_the_run(run: Path, said: Said, tmp_path: Path) -> None:
    out, file = tmp_path / "copy", tmp_path / "more.txt"
    shutil.copytree(run, out)
    game = load_game("tictactoe")
    data = asked_of(said, "--position", "b2", "--wrong", "b1", "--right", "a1", "--openings", str(file))
    openings = read_openings(file, game)
    assert [" ".join(moves) for moves in data["openings"]] == file.read_text().splitlines()[2:]
    assert openings[0] == game.position("b2").moves
    solver, net = Solver(game), newest_net(run, game)
    for moves in openings[1:]:
        assert moves[:1] == openings[0]
        assert len(moves) == 3
        solution = solver.solve(after(game, moves))
        assert solution.value == 0  # as with the middle stone alone
        first = int(policy_of(net, after(game, moves)).argmax())
        assert next(move.value for move in solution.moves if move.action == first) == -1

    assert start_at(out, game, openings) == len(openings)
    assert starts_at(out, game, openings)
    assert start_at(out, game, [*openings, game.position("a1 c3").moves]) == len(openings) + 1
    config = TrainConfig.from_dict(read_settings(out / RUN_TOML))
    assert config.changed(openings="") == TINY
    assert read_openings(Path(config.self_play.openings), game)[-1] == game.position("a1 c3").moves
    assert start_at(out, game, openings, wanted=False) == 1
    assert not starts_at(out, game, openings)
    assert start_at(out, game, [game.position("a1 c3").moves], wanted=False) == 0
    assert TrainConfig.from_dict(read_settings(out / RUN_TOML)) == TINY
    assert not (out / OPENINGS).exists()


def test_positions_that_were_set_up_are_no_openings(said: Said, tmp_path: Path) -> None:
    game = load_game("tictactoe")
    diagram = game.parse_diagram(game.position("b2").diagram()).diagram()
    words = ("--position", diagram, "--wrong", "b1", "--right", "a1")
    assert asked_of(said, *words)["openings"] == []
    code, _, err = said(*words, "--openings", str(tmp_path / "more.txt"))
    assert code == 2
    assert "openings are moves that lead to a position, which this one does not have" in err


@pytest.mark.parametrize(("words", "sentence"), [
    (("--wrong", "b1", "--right", "b1"), "b1 is both the mistake and the better move: name two"),
    (("--position", "b2", "--wrong", "b2"), "--wrong is b2, which is not legal there"),
    (("--position", "b2", "--wrong", "a1"), "a1 is right here: name the mistake, or another position"),
    (("--outcome", "--wrong", "lost"), "--wrong is 'lost'; with --outcome it must be one of win, draw, loss"),
    (("--outcome", "--wrong", "draw"), "the net expects the exact outcome here: name another position"),
    (("--outcome", "--wrong", "win", "--right", "win"), "win is both the mistake and the better move: name two"),
    (("--top", "0"), "--top is 0; it must be 1 or more"),
    (("--nets", "0"), "--nets is 0; it must be 1 or more"),
    (("--position", "a1 b1 a2 b2 a3"), "the game is over after 'a1 b1 a2 b2 a3'"),
])  # fmt: skip
def test_bad_words_get_a_sentence(said: Said, words: tuple[str, ...], sentence: str) -> None:
    code, _, err = said(*words)
    assert code == 2
    assert sentence in err


def test_a_folder_that_is_no_run_gets_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["influence", str(tmp_path)]) == 2
    assert "is not the folder of a training run" in capsys.readouterr().err


def test_a_resumed_run_does_not_draw_what_is_left_out(
    run: Path, said: Said, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, named = tmp_path / "copy", tmp_path / "mistake.json"
    shutil.copytree(run, out)
    game = load_game("tictactoe")
    for top in ("15", "20"):  # the first 15 are among the 20
        named.write_text(json.dumps(asked(said, "--top", top)), encoding="utf-8")
        assert main(["train", "tictactoe", "--out", str(out), "--resume", "--leave-out", str(named)]) == 0
        assert f"{top} samples are left out" in capsys.readouterr().err

    trainer = Trainer(TINY, out, resume=True)
    (replay,) = trainer.replay.by_shape.values()
    kept: Counter[bytes] = Counter()  # of all samples by what they hold, those left out taken away
    for path in (out / "replay").glob("*.npz"):
        shard = load_shard(path, game)
        gone = {entry["row"] for entry in json.loads(named.read_text())["samples"] if entry["shard"] == path.stem}
        kept.update(shard.policy[row].tobytes() for row in range(len(shard)) if row not in gone)
    assert sum(kept.values()) == replay._size - 20
    assert (replay._weight[: replay._size] == 0.0).sum() == 20
    drawn = replay._policy[replay._next - 1 - replay._ages(5000, np.random.default_rng(0))]
    assert all(kept[policy.tobytes()] for policy in drawn)


def test_lists_of_other_samples_are_refused(
    run: Path, said: Said, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, named = tmp_path / "copy", tmp_path / "mistake.json"
    shutil.copytree(run, out)

    def resume(content: object, *words: str) -> str:
        (out / LEFT_OUT).unlink(missing_ok=True)
        named.write_text(json.dumps(content), encoding="utf-8")
        assert main(["train", "tictactoe", "--out", str(out), "--leave-out", str(named), *words]) == 2
        return capsys.readouterr().err

    data = asked(said, "--top", "2")
    assert "--leave-out is for a run that is resumed" in resume(data, "--minutes", "1")
    assert "is not a list of samples" in resume([], "--resume")
    data["samples"][0]["mark"] = data["samples"][1]["mark"]
    assert "is not the one that is to be left out" in resume(data, "--resume")


def test_a_run_that_leaves_out_all_says_so(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "copy"
    shutil.copytree(run, out)
    game = load_game("tictactoe")
    for path in (out / "replay").glob("*.npz"):
        shard = load_shard(path, game)
        leave_out(out, [(path.stem, LeftOut(row, mark_of(shard, row))) for row in range(len(shard))])
    with pytest.raises(ValueError, match="every position that it could learn from is left out"):
        train(TINY.changed(iterations=5), out, resume=True)
