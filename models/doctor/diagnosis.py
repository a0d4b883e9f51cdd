"""Diagnoses a training run: every check of its samples, games, nets and reports, and from when on a fault is seen."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from core.games import GameSpec, load_game
from core.games.net_inputs import encoding_for
from core.text import Text, text_of
from models.doctor import course, games, nets, samples
from models.doctor.findings import Finding, ranked
from models.doctor.foreign import open_samples
from models.doctor.rows import Rows, Shards, joined, read_rows, shards_of
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.ort_session import BadNet
from models.play.replay import BadReplay, load_shard
from models.play.samples import Samples
from models.runs.config import TrainConfig, read_settings, usable
from models.runs.folder import REPORTS, RUN_TOML, RunError, kept_nets
from models.runs.reports import Report, read_reports

MOST_ROWS: Final = 6000  # of the newest samples, on which nets are asked
_ROWS_OF_SHARD: Final = 2000
_NEWEST: Final = 8  # shards of which these are
_RECENT: Final = 800  # samples that are checked; a fault may have begun in the last iterations only
_LOOKED_BACK: Final = 16  # shards, evenly over the run, in which the beginning of a fault is looked for
_ROWS_THERE: Final = 600
_COMPARED: Final = 6  # kept nets, evenly over the run, with which the newest is compared

Stop = Callable[[], bool]
Progress = Callable[[Text], None]
Trial = Callable[[Path, GameSpec, TrainConfig, Samples, Stop], list[Finding]]


@dataclass
class Diagnosis:
    """What was looked at, and what is wrong with it, the surest first."""

    game: str
    iterations: int
    samples: int
    findings: tuple[Finding, ...] = ()
    notes: list[str] = field(default_factory=list)  # what could not be looked at


def diagnose(
    run: Path, stop: Stop = lambda: False, progress: Progress = lambda _: None, trial: Trial | None = None
) -> Diagnosis:
    """Look for what is wrong with the run in a folder.  :class:`RunError` where it is no run.

    trial: what else is tried on its newest shard, such as to learn a batch of it."""
    config = settings_of(run)
    game = load_game(config.game)
    reports = read_reports(run / REPORTS)
    rate = course.highest_rate(reports, config)
    iterations = sum(report["event"] == "iteration" for report in reports)
    shards = shards_of(run, game, encoding_for(game, config.net.inputs))
    newest_shard = shards.paths[-1][0] if shards.paths else 0
    diagnosis = Diagnosis(game.text, max(iterations, newest_shard), 0)
    unstable = course.unstable(reports)
    findings: list[Finding] = [
        *_present(course.searches(config, game), course.rates(reports, config), course.resignations(reports, config)),
        *_present(unstable, course.replay(reports, config), course.gate(reports, config)),
        *_present(course.exams(reports), course.ladder(reports)),
    ]
    progress(Text("reading samples"))
    newest = _newest(shards, diagnosis, stop)
    if newest:
        progress(Text("checking samples"))
        left_out = [*samples.OF_DRAWN_MOVES] if config.self_play.search == "gumbel" else []
        if unstable is not None:  # games go on over iterations, so searches of one iteration are not of like nets
            left_out.append(samples.noise)
        findings += _of_samples(_recent(newest), shards, config, left_out, stop)
        findings += _of_games(shards, game)
        progress(Text("asking the nets"))
        rows = joined(newest[::-1])
        diagnosis.samples = len(rows)
        findings += _of_nets(run, rows, game, rate, diagnosis)
        findings += _on_new_games(run, newest[0], shards, reports)
        if trial is not None and not stop():
            progress(Text("learning one batch"))
            findings += _tried(trial, run, shards, config, stop, diagnosis)
    diagnosis.findings = ranked(findings)
    return diagnosis


def diagnose_samples(path: Path, game: str = "", net: Path | None = None, stop: Stop = lambda: False) -> Diagnosis:
    """Look for what is wrong with samples of another program, and with a net that learned from them.

    :class:`core.files.reading.BadFile` for a file that is none, BadNet for a net that cannot be asked, ``OSError``;
    ValueError for a net where the game is not known."""
    rows, spec = open_samples(path, game, stop)
    diagnosis = Diagnosis("" if spec is None else spec.text, 0, len(rows))
    if rows.truth is None:
        diagnosis.notes.append(Text("the moves of its games are not known, so the rules say nothing of its results"))
    findings = list(_present(*(check(rows, spec) for check in samples.CHECKS)))
    if net is not None:
        if spec is None:
            raise ValueError(Text("a net is asked about samples of a known game: name it"))
        evaluator = OnnxEvaluator(net, spec, device="cpu", threads=1)
        answers = nets.answers_of(0, evaluator, rows)
        findings += _present(*(check(answers, rows, spec) for check in (*nets.CHECKS, nets.learned_boards)))
    diagnosis.findings = ranked(findings)
    return diagnosis


def settings_of(run: Path) -> TrainConfig:
    """The settings of the run in a folder; :class:`RunError` where it is none."""
    try:
        return TrainConfig.from_dict(usable(read_settings(run / RUN_TOML)))
    except (OSError, ValueError) as error:
        raise RunError(
            Text("{path} is not the folder of a training run ({why})", path=str(run), why=text_of(error))
        ) from None


def _present(*findings: Finding | None) -> Iterator[Finding]:
    return (finding for finding in findings if finding is not None)


def _newest(shards: Shards, diagnosis: Diagnosis, stop: Stop) -> list[Rows]:
    """The newest samples of each shard, the newest first; damaged ones are left out, with a note."""
    parts: list[Rows] = []
    for place in reversed(range(max(0, len(shards.paths) - _NEWEST), len(shards.paths))):
        if sum(map(len, parts)) >= MOST_ROWS or stop():
            break
        try:
            parts.append(read_rows(shards, place, _ROWS_OF_SHARD, place, stop))
        except BadReplay as error:
            diagnosis.notes.append(text_of(error))
    if not parts:
        diagnosis.notes.append(Text("the run has no samples on disk"))
    return parts


def _recent(newest: list[Rows]) -> Rows:
    """As many of the newest shards as it takes for the checks of samples."""
    count = 1 + int(np.searchsorted(np.cumsum([len(rows) for rows in newest]), _RECENT))
    return joined(newest[:count][::-1])


def _of_samples(
    rows: Rows, shards: Shards, config: TrainConfig, left_out: Sequence[samples.Check], stop: Stop
) -> list[Finding]:
    """The findings of the newest samples, each with the first iteration that shows it; without the checks left out."""
    game = shards.game
    checks: list[Callable[[Rows], Finding | None]] = [
        *(lambda rows, check=check: check(rows, game) for check in samples.CHECKS if check not in left_out),
        lambda rows: games.drawing(rows, config),
    ]
    seen = [(check, finding) for check in checks if (finding := check(rows)) is not None]
    if not seen:
        return []
    earlier = list(_looked_back(shards, stop))
    return [finding.seen_from(_since(check, finding, earlier)) for check, finding in seen]


def _looked_back(shards: Shards, stop: Stop) -> Iterator[tuple[int, Rows]]:
    """A few hundred samples of shards evenly over the run, the newest first."""
    count = len(shards.paths)
    places = np.unique(np.linspace(0, count - 1, min(_LOOKED_BACK, count)).astype(int)).tolist()
    for place in reversed(places):
        if stop():
            return
        try:
            yield shards.paths[place][0], read_rows(shards, place, _ROWS_THERE, place, stop)
        except BadReplay:
            continue


def _since(check: Callable[[Rows], Finding | None], finding: Finding, earlier: list[tuple[int, Rows]]) -> int | None:
    """The first iteration from which on every shard looked at shows a fault."""
    since: int | None = None
    for iteration, rows in earlier:
        there = check(rows)
        if there is None or there.kind != finding.kind:
            break
        since = iteration
    return since


def _of_games(shards: Shards, game: GameSpec) -> Iterator[Finding]:
    try:
        traces = load_shard(shards.paths[-1][1], game, shards.encoding, legal_alone=False).traces
    except BadReplay:
        return iter(())
    return _present(games.repeated_games(traces, game.num_cells), games.one_result(traces))


def _tried(
    trial: Trial, run: Path, shards: Shards, config: TrainConfig, stop: Stop, diagnosis: Diagnosis
) -> list[Finding]:
    try:
        samples = load_shard(shards.paths[-1][1], shards.game, shards.encoding, legal_alone=False)
        return trial(run, shards.game, config, samples, stop)
    except ValueError as error:  # a damaged shard or checkpoint
        diagnosis.notes.append(text_of(error))
        return []


def _of_nets(run: Path, rows: Rows, game: GameSpec, rate: float, diagnosis: Diagnosis) -> list[Finding]:
    """The findings of the newest kept net, and of its difference from the first; rate: the highest learning rate."""
    kept = kept_nets(run)
    if not kept:
        diagnosis.notes.append(Text("the run has kept no net yet"))
        return []
    try:
        asked = [kept[0], kept[-1]] if len(kept) > 1 else kept
        evaluators = [OnnxEvaluator(path, game, device="cpu", threads=1) for _, path in asked]
        answers = [nets.answers_of(step, net, rows) for (step, _), net in zip(asked, evaluators, strict=True)]
        some = rows.of(np.arange(0, len(rows), len(game.symmetries)))
        turned_boards = nets.answers_of_turned(asked[-1][0], evaluators[-1], some, game)
        turned = nets.turned_filters(asked[0][1], asked[-1][1])
    except BadNet as error:
        diagnosis.notes.append(text_of(error))
        return []
    findings = list(_present(*(check(answers[-1], rows, game) for check in nets.CHECKS)))
    findings += _present(nets.learned_boards(turned_boards, some, game), nets.moved(answers, turned, rows, rate))
    return findings


def _on_new_games(run: Path, newest: Rows, shards: Shards, reports: Sequence[Report]) -> Iterator[Finding]:
    """The findings of nets on the newest shard, from which none has learned: the last of them beside earlier ones and
    beside the search."""
    iteration = shards.paths[-1][0]
    made = [report for report in reports if report["event"] == "iteration" and report["iteration"] == iteration]
    kept = [(step, path) for step, path in kept_nets(run) if made and step <= made[-1]["step"]]
    if not kept or not len(newest) or newest.iteration[0] != iteration:
        return iter(())
    places = np.unique(np.linspace(0, len(kept) - 1, _COMPARED + 1).astype(int)).tolist()
    try:
        asked = [
            (step, OnnxEvaluator(path, shards.game, device="cpu", threads=1))
            for step, path in map(kept.__getitem__, places)
        ]
        answers = [nets.answers_of(step, net, newest) for step, net in asked]
    except BadNet:  # its note is made where nets are asked about their targets
        return iter(())
    return _present(nets.overfitted(answers[:-1], answers[-1], newest), nets.search_beside_net(answers[-1], newest))
