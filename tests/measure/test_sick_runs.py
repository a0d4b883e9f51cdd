"""The faults that are put into training runs: each does what its name says, and the runs that have them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.engine.evaluator import UniformEvaluator
from core.games import load_game
from core.games.dispatch import FIRST_WINS
from core.games.net_inputs import inputs_of
from core.search.backup import add_to_path
from core.search.descent import settle_terminal
from core.search.locks import ALONE
from core.search.proofs import LOSS, WIN
from core.search.settings import SearchSettings
from core.search.tree import make_tree
from measure import sick_runs
from measure.sick_runs import BY_NAME, FAULTS, NAMED_BY, SOUND, Edit, SickRun, Verdict, put_in
from models.doctor.findings import KINDS
from models.netfiles.evaluator import OnnxEvaluator
from models.play.replay import Replay, samples_of
from models.play.samples import Samples
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig
from models.runs.folder import REPLAY, kept_nets

GAME = load_game("tictactoe")
NET = UniformEvaluator(9)
CONFIG = TrainConfig.of(game="tictactoe", simulations=24, fast_simulations=8, full_share=1.0, iterations=1)
SETTINGS = {
    "net.blocks": 1,
    "net.channels": 8,
    "self_play.games": 8,
    "self_play.samples_per_iteration": 60,
    "self_play.simulations": 12,
    "self_play.fast_simulations": 4,
    "self_play.evaluator": "torch",
    "learning.replay_positions": 300,
    "learning.batch_size": 16,
    "learning.carry_steps": False,
    "strength.checkpoint_minutes": 1e-2,
    "strength.ladder_games": 0,
    "strength.exam_positions": 0,
    "run.iterations": 2,
    "run.threads": 1,
    "run.device": "cpu",
}


def played(fault: str) -> Samples:
    with put_in(BY_NAME[fault].edits):
        return SelfPlay(GAME, NET, CONFIG, games=8, seed=5).play(NET, 200)[0]


def winner(samples: Samples) -> np.ndarray:
    """Of the game of each sample: +1 the first player, -1 the second, 0 nobody."""
    return np.array([samples.traces[game].outcome for game in samples.game])


def sides(samples: Samples) -> np.ndarray:
    return np.where(samples.ply % 2, -1, 1)


def on_illegal(samples: Samples) -> float:
    return float((samples.policy * ~samples.legal).sum())


def exchanged(samples: Samples) -> bool:
    """Whether the side to move has more stones where the second player is to move."""
    mine, others = samples.planes[:, 0].sum(axis=(1, 2)), samples.planes[:, 1].sum(axis=(1, 2))
    return bool((mine > others)[samples.ply % 2 == 1].all())


def on_stones(planes: np.ndarray, policy: np.ndarray) -> int:
    """How many policies have weight where a stone is."""
    stones = planes[:, :2].sum(axis=1).reshape(len(planes), -1) > 0
    return int(((policy > 0) & stones).any(axis=1).sum())


@pytest.mark.parametrize(
    ("fault", "has_it"),
    [
        ("z: the wrong sign", lambda samples: (samples.result == -winner(samples) * sides(samples)).all()),
        ("z: the first player's for both", lambda samples: (samples.result == winner(samples)).all()),
        ("z: of the game before", lambda samples: (samples.result != winner(samples) * sides(samples)).any()),
        ("pi: mirrored", lambda samples: on_illegal(samples) > 1.0),
        ("pi: the net's prior", lambda samples: np.ptp(samples.policy.max(axis=1) * samples.legal.sum(axis=1)) < 0.01),
        ("planes: the opponent's is empty", lambda samples: not samples.planes[:, 1].any()),
        ("planes: both sides exchanged in learning", exchanged),
    ],
)
def test_what_is_learned_has_the_fault(fault: str, has_it: Callable[[Samples], bool]) -> None:
    assert has_it(played(fault))
    assert not has_it(played(SOUND))


def test_a_policy_is_that_of_the_ply_before_where_it_has_legal_moves() -> None:
    sound, sick = played(SOUND), played("pi: of the ply before")
    compared = 0
    for row in range(1, len(sound)):
        left = sound.policy[row - 1] * sound.legal[row]
        if sound.game[row] == sound.game[row - 1] and sound.ply[row] == sound.ply[row - 1] + 1 and left.any():
            assert sick.policy[row] == pytest.approx(left / left.sum())
            compared += (sick.policy[row] != sound.policy[row]).any()
    assert compared > len(sound) / 3


def test_a_symmetry_turns_the_planes_alone() -> None:
    samples = played(SOUND)
    replay = Replay(GAME, 500)
    replay.add(samples)
    as_they_were = {tuple(row) for row in samples.policy}
    with put_in(BY_NAME["symmetry: of the planes alone"].edits):
        drawn = replay.draw(100, np.random.default_rng(1))
    assert all(tuple(row) in as_they_were for row in drawn.policy)
    assert on_stones(drawn.planes, drawn.policy) > 25
    drawn = replay.draw(100, np.random.default_rng(1))
    assert on_stones(drawn.planes, drawn.policy) == 0


def test_games_without_a_temperature_are_alike_and_early_resignations_are_many() -> None:
    def games(fault: str) -> set[tuple[int, ...]]:
        config = CONFIG.changed(**BY_NAME[fault].settings, noise_epsilon=0.0, opening_plies=0)
        with put_in(BY_NAME[fault].edits):
            samples, _ = SelfPlay(GAME, NET, config, games=8, seed=5).play(NET, 200)
        return {trace.moves for trace in samples.traces}

    assert len(games("games: always the best move")) < 5 < len(games(SOUND))


def test_the_search_puts_values_on_the_wrong_side() -> None:
    def totals(fault: str) -> list[float]:
        tree, params = make_tree(9, 1 << 20, record=False), SearchSettings(prove=False).params(9)
        for node in range(3):  # a path
            tree.parent[node], tree.slot[node] = node - 1, node
        with put_in(BY_NAME[fault].edits):
            add_to_path(tree, 2, 0.5, 0, params, 1, 0, ALONE)
        return tree.total[:3].tolist()

    assert totals(SOUND) == [-0.5, 0.5, -0.5]
    assert totals("search: the sign does not change") == [-0.5, -0.5, -0.5]


def test_the_search_takes_a_won_game_for_lost() -> None:
    def proof(fault: str) -> int:
        tree = make_tree(9, 1 << 20, record=False)
        tree.slot[0] = 0
        with put_in(BY_NAME[fault].edits):
            settle_terminal(tree, 0, FIRST_WINS, 0, 0.0)
        return int(tree.proof[0])

    assert proof(SOUND) == WIN
    assert proof("search: a finished game is the loser's") == LOSS


@pytest.mark.slow
def test_every_edit_fits_the_program_and_every_fault_has_findings_that_name_it() -> None:
    assert set(NAMED_BY) == {fault.name for fault in FAULTS}
    assert {kind for kinds in NAMED_BY.values() for kind in kinds} <= set(KINDS)
    for fault in FAULTS:
        with put_in(fault.edits):
            pass


def test_an_edit_is_taken_back_and_one_that_does_not_fit_is_an_error() -> None:
    played("z: the wrong sign")
    samples = played(SOUND)
    assert (samples.result == winner(samples) * sides(samples)).all()
    with (
        pytest.raises(ValueError, match=r"FinishedGames.add does not hold 'nowhere' once"),
        put_in([Edit("models.play.games:FinishedGames.add", "nowhere", "")]),
    ):
        pass


def test_runs_keep_their_numbers_and_every_fault_has_its_seeds(tmp_path: Path) -> None:
    runs = sick_runs.key_of(tmp_path, 2)
    assert len({run.number for run in runs}) == len(runs) == 2 * (2 * len(FAULTS) + 10)
    assert {run.number for run in runs} < {run.number for run in sick_runs.key_of(tmp_path, 3)}
    assert sum(run.fault == SOUND for run in runs) == 20
    assert all(run.config().run.seed == run.number for run in runs)
    assert [run.turn for run in runs] == sorted(run.turn for run in runs)


def test_a_verdict_is_the_rank_of_the_finding_that_names_the_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    fault = FAULTS[0].name
    monkeypatch.setattr(sick_runs, "NAMED_BY", {fault: ("right",)})
    findings = [{"kind": "other", "since": 1}, {"kind": "right", "since": 4}]
    assert sick_runs.verdict(findings, fault) == Verdict(("other", "right"), 1, 4)
    assert sick_runs.verdict(findings[:1], fault) == Verdict(("other",), -1, 0)
    sick, sound = SickRun(1001, fault, "tictactoe", 0, 0), SickRun(1002, SOUND, "tictactoe", 0, 0)
    said = {sick: sick_runs.verdict(findings, fault), sound: sick_runs.verdict([], SOUND)}
    lines = sick_runs.judgement(said)
    assert lines[-3].startswith("named first: 0 of 1, ")
    assert lines[-2].startswith("among the first three: 1 of 1, ")
    assert lines[-1].startswith("alarms on sound runs: 0 of 1, ")
    row = next(line for line in lines if line.startswith(f"| {fault}"))
    assert [cell.strip() for cell in row.split("|")[2:-1]] == ["1", "0", "1", "0", "4", "other 1"]


@pytest.mark.slow
def test_a_run_is_trained_with_its_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {"GAMES": ("tictactoe",), "SETTINGS": SETTINGS, "VARIANTS": ({},), "MATCH_GAMES": 2}.items():
        monkeypatch.setattr(sick_runs, name, value)
    faults = ("learning: the first net plays and is kept", "z: the first player's for both", SOUND)
    options = ["--out", str(tmp_path), "--seeds", "1", "--only", *faults]
    runs = {run.fault: run for run in sick_runs.key_of(tmp_path, 1) if run.fault in faults}
    for run in runs.values():
        assert not sick_runs.is_finished(run.folder(tmp_path))
        assert sick_runs.main([*options, "--train", str(run.number)]) == 0
        assert sick_runs.is_finished(run.folder(tmp_path))
    assert sick_runs.main(options) == 0  # nothing is left
    assert "3 of 3 runs are finished" in capsys.readouterr().out

    def answers(fault: str) -> set[bytes]:
        nets = [OnnxEvaluator(path, GAME, device="cpu") for _, path in kept_nets(runs[fault].folder(tmp_path))]
        return {net.evaluate(*inputs_of(GAME.initial(), net.encoding))[0].tobytes() for net in nets}

    assert len(answers(faults[0])) == 1 < len(answers(SOUND))
    samples = samples_of(runs[faults[1]].folder(tmp_path) / REPLAY / "000001.npz")
    assert (samples.result == winner(samples)).all()
    assert sick_runs.main([*options, "--strength"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4 + 2 + 3
