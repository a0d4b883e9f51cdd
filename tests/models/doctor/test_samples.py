"""The checks of samples and games: faults planted into sound samples are named, from their iteration on."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.games import load_game
from models.doctor import games
from models.doctor.diagnosis import Diagnosis, diagnose
from models.doctor.findings import CERTAINTIES, KINDS, LIKELY, PROVED, SHOWN, sentences_of
from models.doctor.rows import Rows, joined
from models.doctor.samples import noise
from models.play.samples import PLAYED, RESIGNED, Samples, array_names
from models.runs.config import TrainConfig
from models.runs.folder import REPLAY, RunError
from tests.models.doctor.runs import play, write_run

GAME = load_game("connect4")
CONFIG = TrainConfig.of(
    game=GAME.text,
    simulations=48,
    fast_simulations=12,
    full_share=0.5,
    temperature_plies=8,
    resign_check_share=0.0,
    iterations=3,
)
ITERATIONS = 3
Plant = Callable[[Samples], Samples]


@pytest.fixture(scope="module")
def iterations() -> list[Samples]:
    """Samples of three iterations of self-play."""
    return play(GAME, CONFIG, ITERATIONS, 400)


def kinds(diagnosis: Diagnosis) -> list[str]:
    return [finding.kind for finding in diagnosis.findings]


def test_sound_samples_have_no_finding(tmp_path: Path, iterations: list[Samples]) -> None:
    diagnosis = diagnose(write_run(tmp_path, iterations, CONFIG))
    assert kinds(diagnosis) == []
    assert diagnosis.samples > 1000
    assert diagnosis.game == "connect4"
    assert [str(note) for note in diagnosis.notes] == ["the run has kept no net yet"]


def _first_players(samples: Samples) -> Samples:
    return replace(samples, result=np.where(samples.ply % 2 == 0, samples.result, -samples.result).astype(np.int8))


def _other_games(samples: Samples) -> Samples:
    numbers = np.random.default_rng(1).permutation(samples.result)
    return replace(samples, result=numbers)


def _mirrored_policy(samples: Samples) -> Samples:
    return replace(samples, policy=samples.policy[:, ::-1].copy(), legal=samples.legal[:, ::-1].copy())


def _exchanged(samples: Samples) -> Samples:
    planes = samples.planes.copy()
    planes[:, [0, 1]] = planes[:, [1, 0]]
    return replace(samples, planes=planes)


def _empty_plane(samples: Samples) -> Samples:
    planes = samples.planes.copy()
    planes[:, 1] = 0
    return replace(samples, planes=planes)


def _equal(samples: Samples) -> Samples:
    return replace(samples, policy=(samples.legal / samples.legal.sum(axis=1, keepdims=True)).astype(np.float32))


def _one_move(samples: Samples) -> Samples:
    policy = np.zeros_like(samples.policy)
    policy[np.arange(len(policy)), samples.policy.argmax(axis=1)] = 1.0
    return replace(samples, policy=policy, root_value=samples.root_value * 0.5)


def _all_open(samples: Samples) -> Samples:
    policy = np.full_like(samples.policy, 1.0 / samples.policy.shape[1])
    return replace(samples, policy=policy, legal=np.ones_like(samples.legal))


def _beyond_the_rules(samples: Samples) -> Samples:
    """A share of each target on all moves, while the legal ones stay known."""
    policy = 0.9 * samples.policy + 0.1 / samples.policy.shape[1]
    return replace(samples, policy=policy.astype(np.float32))


PLANTS: dict[str, tuple[Plant, str, str]] = {
    "turned": (lambda s: replace(s, result=-s.result), "result sign", PROVED),
    "first player's": (_first_players, "result owner", PROVED),
    "other games'": (_other_games, "result wrong", PROVED),
    "mirrored": (_mirrored_policy, "policy board", PROVED),
    "exchanged": (_exchanged, "planes", PROVED),
    "empty plane": (_empty_plane, "planes", PROVED),
    "equal": (_equal, "search flat", SHOWN),
    "one move": (_one_move, "search certain", LIKELY),
    "all open": (_all_open, "policy illegal", PROVED),
    "beyond the rules": (_beyond_the_rules, "policy illegal", PROVED),
    "turned values": (lambda s: replace(s, root_value=-s.root_value), "search sign", SHOWN),
    "first player's values": (
        lambda s: replace(s, root_value=np.where(s.ply % 2 == 0, s.root_value, -s.root_value)),
        "search owner",
        SHOWN,
    ),
}


def _of_the_ply_before(samples: Samples) -> Samples:
    """The target of each sample's ply before, for the moves that are legal now."""
    policies = samples.policy.copy()
    for row in range(1, len(samples)):
        if samples.game[row] == samples.game[row - 1]:
            shifted = np.where(samples.legal[row], samples.policy[row - 1], 0.0)
            policies[row] = shifted / shifted.sum() if shifted.sum() > 0 else samples.policy[row]
    return replace(samples, policy=policies)


def test_targets_of_the_ply_before(tmp_path: Path) -> None:
    config = CONFIG.changed(full_share=1.0, temperature_plies=42)
    samples = [_of_the_ply_before(made) for made in play(GAME, config, 1, 1500)]
    first = diagnose(write_run(tmp_path, samples, config)).findings[0]
    assert (first.kind, first.certainty) == ("policy other", SHOWN)
    assert first.experiment.after.low > first.experiment.before.high


def test_games_that_are_given_up_too_early(tmp_path: Path) -> None:
    """In half of the decided games the winner gives up shortly before the end."""
    config = CONFIG.changed(resign_below=0.5)
    samples = play(GAME, CONFIG, 1, 1200)[0]
    traces, results = [], samples.result.copy()
    for number, trace in enumerate(samples.traces):
        if number % 2 or not trace.outcome:
            traces.append(trace)
            continue
        # The winner gives up where it could win at once, or has a proof.
        moves = trace.moves[:-1] if trace.ending == PLAYED else trace.moves
        traces.append(replace(trace, moves=moves, outcome=-trace.outcome, ending=RESIGNED))
        results[samples.game == number] *= -1
    lengths = np.array([len(trace.opening) + len(trace.moves) for trace in traces])
    kept = samples.ply <= lengths[samples.game]
    rows = {name: getattr(samples, name)[kept] for name in array_names()} | {"result": results[kept]}
    given_up = replace(samples, **rows, traces=tuple(traces))
    finding = diagnose(write_run(tmp_path, [given_up], config)).findings[0]
    assert (finding.kind, finding.certainty) == ("resignations", PROVED)
    assert finding.share > 0.9


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_fault_is_named_first_from_its_iteration_on(
    name: str, tmp_path: Path, iterations: list[Samples]
) -> None:
    plant, kind, certainty = PLANTS[name]
    diagnosis = diagnose(write_run(tmp_path, [iterations[0], *map(plant, iterations[1:])], CONFIG))
    first = diagnosis.findings[0]
    assert (first.kind, first.certainty, first.since) == (kind, certainty, 2)


def test_an_experiment_puts_the_results_right(tmp_path: Path, iterations: list[Samples]) -> None:
    diagnosis = diagnose(write_run(tmp_path, [_first_players(samples) for samples in iterations], CONFIG))
    finding = diagnosis.findings[0]
    assert finding.experiment.before.value < 0.8
    assert finding.experiment.after.value == 1.0
    words = [str(line) for line in sentences_of(finding)]
    assert words[0].startswith("the results are those of another side: ")
    assert words[1] == "seen from iteration 1 on"
    assert "the sign turned in positions of the second player" in words[2]


def test_games_that_repeat_themselves_or_end_alike(iterations: list[Samples]) -> None:
    traces = tuple(trace for samples in iterations for trace in samples.traces)
    assert games.repeated_games(traces, GAME.num_cells) is None
    assert games.one_result(traces) is None
    again = (traces[0],) * 300
    assert [finding and finding.kind for finding in (games.repeated_games(again, 42), games.one_result(again))] == [
        "games alike",
        "one result",
    ]
    assert games.repeated_games(again[:20], GAME.num_cells) is None


def test_moves_that_are_always_the_first_or_never(tmp_path: Path) -> None:
    """Settings that say another temperature than the games were played with."""
    for plies, said, kind in ((0, 42, "never sampled"), (42, 0, "always sampled")):
        config = CONFIG.changed(temperature_plies=plies, noise_epsilon=0.25)
        samples = play(GAME, config, 2, 700)
        diagnosis = diagnose(write_run(tmp_path / str(plies), samples, CONFIG.changed(temperature_plies=said)))
        assert kind in kinds(diagnosis)


@pytest.mark.parametrize(("epsilon", "kind"), [(0.0, "noise off"), (0.25, None), (1.0, "noise drowns")])
def test_noise_by_positions_that_were_searched_again(epsilon: float, kind: str | None) -> None:
    """The settings do not say it: they are of another noise than the games were played with."""
    samples = play(GAME, CONFIG.changed(noise_epsilon=epsilon, full_share=1.0), 1, 1200)[0]
    rows = joined([_as_rows(samples)])
    finding = noise(rows, GAME)
    assert (finding and finding.kind) == kind


def _as_rows(samples: Samples) -> Rows:
    count = len(samples)
    return Rows(
        planes=samples.planes,
        policy=samples.policy,
        result=samples.result.astype(np.float64),
        root_value=samples.root_value.astype(np.float64),
        legal=samples.legal,
        game=samples.game.astype(np.int64),
        ply=samples.ply.astype(np.int64),
        mover=samples.ply.astype(np.int64) % 2,
        last=np.full(count, -1),
        iteration=np.ones(count, np.int64),
        features=np.zeros((count, 0), np.float32),
    )


def test_moves_of_gumbels_search_are_not_drawn_from_its_targets(tmp_path: Path) -> None:
    """The same samples, played by either search as the settings say."""
    config = CONFIG.changed(full_share=1.0, temperature_plies=42)
    samples = [_of_the_ply_before(made) for made in play(GAME, config, 1, 1500)]
    found = {
        search: "policy other" in kinds(diagnose(write_run(tmp_path / search, samples, config.changed(search=search))))
        for search in ("puct", "gumbel")
    }
    assert found == {"puct": True, "gumbel": False}


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="is not the folder of a training run"):
        diagnose(tmp_path)


def test_damaged_samples_are_said_and_the_rest_is_looked_at(tmp_path: Path, iterations: list[Samples]) -> None:
    run = write_run(tmp_path, iterations, CONFIG)
    (run / REPLAY / "000002.npz").write_bytes(b"no zip")
    diagnosis = diagnose(run)
    assert any("is not a shard of positions, or is damaged" in note for note in diagnosis.notes)
    assert diagnosis.samples > 700


def test_every_kind_and_certainty_has_words() -> None:
    assert all(words and words[0].islower() for words in (*KINDS.values(), *CERTAINTIES.values()))
