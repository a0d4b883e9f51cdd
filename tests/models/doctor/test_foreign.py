"""Samples of other programs: both forms of file, what is said of them, and files that are none."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.files.reading import BadFile
from core.games import load_game
from models.doctor.diagnosis import diagnose_samples
from models.doctor.foreign import FORMAT, open_samples
from models.play.samples import Samples
from models.runs.config import TrainConfig
from tests.models.doctor.runs import play

GAME = load_game("tictactoe")
CONFIG = TrainConfig.of(game=GAME.text, simulations=24, fast_simulations=8, full_share=0.5, iterations=1)


@pytest.fixture(scope="module")
def samples() -> Samples:
    return play(GAME, CONFIG, 1, 300)[0]


def write_lines(path: Path, samples: Samples, results: Any, with_moves: bool = True) -> Path:
    """The samples in lines of JSON, with the moves of their games and these results."""
    lines: list[dict[str, Any]] = [{"format": FORMAT, "version": 1, "game": GAME.text}]
    for number, trace in enumerate(samples.traces if with_moves else ()):
        lines.append({"game": number, "moves": [GAME.action_name(a) for a in (*trace.opening, *trace.moves)]})
    for row in range(len(samples)):
        sample = {
            "planes": samples.planes[row].tolist(),
            "policy": samples.policy[row].tolist(),
            "value": int(results[row]),
            "root_value": float(samples.root_value[row]),
            "game": int(samples.game[row]),
            "ply": int(samples.ply[row]),
            "legal": samples.legal[row].astype(int).tolist(),
        }
        lines.append(sample)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def write_arrays(path: Path, samples: Samples, **others: Any) -> Path:
    arrays: dict[str, Any] = {"planes": samples.planes, "policy": samples.policy, "value": samples.result, **others}
    np.savez_compressed(path, **arrays)
    return path


def test_lines_with_moves_are_judged_by_the_rules(tmp_path: Path, samples: Samples) -> None:
    sound = diagnose_samples(write_lines(tmp_path / "sound.jsonl", samples, samples.result))
    assert (sound.findings, sound.notes, sound.game) == ((), [], "tictactoe")
    firsts = np.where(samples.ply % 2 == 0, samples.result, -samples.result)
    sick = diagnose_samples(write_lines(tmp_path / "sick.jsonl", samples, firsts))
    assert sick.findings[0].kind == "result owner"
    assert sick.findings[0].experiment.after.value == 1.0


def test_arrays_without_a_game_are_judged_by_what_they_hold(tmp_path: Path, samples: Samples) -> None:
    plain = diagnose_samples(write_arrays(tmp_path / "plain.npz", samples))
    assert plain.findings == ()
    assert "the moves of its games are not known" in plain.notes[0]
    turned = write_arrays(
        tmp_path / "turned.npz",
        samples,
        game=samples.game,
        ply=samples.ply,
        root_value=-samples.root_value,
        legal=samples.legal,
    )
    assert [finding.kind for finding in diagnose_samples(turned).findings] == ["search sign"]
    blind = write_arrays(tmp_path / "blind.npz", samples, planes=np.zeros((len(samples), 2, 3, 3), np.float64))
    assert [finding.kind for finding in diagnose_samples(blind).findings] == ["constant planes"]
    wrong = write_arrays(tmp_path / "wrong.npz", samples, policy=samples.policy[:, ::-1].copy(), legal=samples.legal)
    assert "policy board" in [finding.kind for finding in diagnose_samples(wrong).findings]


def test_both_forms_are_read_alike(tmp_path: Path, samples: Samples) -> None:
    lines, game = open_samples(write_lines(tmp_path / "a.jsonl", samples, samples.result, with_moves=False))
    arrays, none = open_samples(
        write_arrays(tmp_path / "a.npz", samples, game=samples.game, ply=samples.ply, root_value=samples.root_value)
    )
    assert (game, none) == (GAME, None)
    for name in ("planes", "policy", "result", "root_value", "game", "ply", "mover", "last"):
        np.testing.assert_array_equal(getattr(lines, name), getattr(arrays, name))


def test_a_last_line_that_is_cut_off_is_left_out(tmp_path: Path, samples: Samples) -> None:
    path = write_lines(tmp_path / "a.jsonl", samples, samples.result)
    whole, _ = open_samples(path)
    path.write_bytes(path.read_bytes()[:-20])
    assert len(open_samples(path)[0]) == len(whole) - 1


HEADER = json.dumps({"format": FORMAT, "version": 1}) + "\n"
SAMPLE = {"planes": [[[0.0]]], "policy": [1.0], "value": 1}
BAD: dict[str, tuple[str, str]] = {
    "no header": ("{}\n", "its first line is not that of"),
    "no JSON": (HEADER + "{\n", "line 2: "),
    "no value": (HEADER + json.dumps({**SAMPLE, "value": 3}) + "\n", "line 2: value is 3"),
    "ragged": (
        HEADER + json.dumps(SAMPLE) + "\n" + json.dumps({**SAMPLE, "policy": [0.5, 0.5]}) + "\n",
        "differ in the sizes",
    ),
    "texts": (HEADER + json.dumps({**SAMPLE, "policy": ["a"]}) + "\n", "does not hold numbers"),
    "flat": (HEADER + json.dumps({**SAMPLE, "planes": [1.0]}) + "\n", "planes is to have the shape"),
    "no distribution": (HEADER + json.dumps({**SAMPLE, "policy": [7.0]}) + "\n", "is out of range"),
    "unknown game": (json.dumps({"format": FORMAT, "version": 1, "game": "chess960"}) + "\n", "cannot load the game"),
}


@pytest.mark.parametrize("name", BAD)
def test_lines_that_are_no_samples(name: str, tmp_path: Path) -> None:
    text, sentence = BAD[name]
    path = tmp_path / "bad.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=sentence):
        open_samples(path)


Spoil = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda arrays: arrays.pop("value"), "value"),
        (lambda arrays: arrays.update(policy=arrays["policy"][:-1]), "as long as one another"),
        (lambda arrays: arrays.update(value=2 * arrays["value"]), "out of range"),
        (lambda arrays: arrays.update(legal=np.ones((len(arrays["value"]), 2), bool)), "the shape of policy"),
        (lambda arrays: arrays.update(planes=np.array(["a"])), "planes"),
    ],
)
def test_arrays_that_are_no_samples(spoil: Spoil, sentence: str, tmp_path: Path, samples: Samples) -> None:
    arrays: dict[str, Any] = {"planes": samples.planes, "policy": samples.policy, "value": samples.result}
    spoil(arrays)
    np.savez(tmp_path / "bad.npz", **arrays)
    with pytest.raises(BadFile, match=sentence):
        open_samples(tmp_path / "bad.npz")


def test_games_that_cannot_be_played(tmp_path: Path, samples: Samples) -> None:
    path = write_lines(tmp_path / "a.jsonl", samples, samples.result)
    text = path.read_text(encoding="utf-8").splitlines()
    for moves, sentence in ((["a1", "a1"], "is not legal"), (["z9"], "z9"), (["a1"] * 99, "more than 9 moves")):
        path.write_text("\n".join([text[0], json.dumps({"game": 0, "moves": moves}), *text[2:]]) + "\n")
        with pytest.raises(BadFile, match=sentence):
            open_samples(path)
    path.write_text("\n".join([text[0], *text[2:]]) + "\n")
    with pytest.raises(BadFile, match="the moves of game 0 are missing"):
        open_samples(path)


def test_a_net_needs_a_game(tmp_path: Path, samples: Samples) -> None:
    with pytest.raises(ValueError, match="name it"):
        diagnose_samples(write_arrays(tmp_path / "a.npz", samples), net=tmp_path / "net.onnx")


def _writers() -> list[str]:
    guide = (Path(__file__).parents[3] / "resources/guide/en/debugging.md").read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", guide, re.DOTALL)


def test_the_guides_writer_for_alpha_zero_general(
    tmp_path: Path, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    boards = samples.planes[:, 0].astype(np.float64) - samples.planes[:, 1]
    rows = [
        (board, policy.tolist(), int(z))
        for board, policy, z in zip(boards, samples.policy, samples.result, strict=True)
    ]
    exec(_writers()[0], {"self": SimpleNamespace(trainExamplesHistory=[rows])})
    read, _ = open_samples(tmp_path / "samples.npz")
    np.testing.assert_array_equal(read.planes[:, 0], boards)
    np.testing.assert_array_equal(read.result, samples.result)


def test_the_guides_writer_for_openspiel(tmp_path: Path, samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = SimpleNamespace(observation_tensor_shape=lambda: list(samples.planes.shape[1:]))
    chosen = np.flatnonzero(samples.game < 3)
    for number in range(3):
        mine = chosen[samples.game[chosen] == number]
        states = [
            SimpleNamespace(
                observation=samples.planes[row].ravel().tolist(),
                policy=samples.policy[row],
                legals_mask=samples.legal[row].tolist(),
                current_player=row % 2,
            )
            for row in mine
        ]
        trajectory = SimpleNamespace(states=states, returns=[1.0, -1.0])
        exec(_writers()[1], {"trajectory": trajectory, "game": game, "total_trajectories": number, "np": np})
    read, _ = open_samples(tmp_path / "samples.jsonl")
    assert len(read) == len(chosen)
    np.testing.assert_array_equal(read.planes, samples.planes[chosen])
    np.testing.assert_array_equal(read.result, np.where(chosen % 2 == 0, 1.0, -1.0))
