"""Net cards: a JSON file beside a net file with the settings and results of its run."""

import json
import time
from pathlib import Path
from typing import Any, Final

from core.files.atomic import write_atomically
from core.files.reading import Fields, read_json
from core.machine import processors
from models.runs.folder import REPORTS
from models.runs.reports import Report, read_reports

_MOST_BYTES: Final = 16 << 20
_COUNTED: Final = {"iteration": "iterations", "games_total": "games", "samples_total": "samples", "step": "steps"}
_FIGURES: Final = ("policy_loss", "target_entropy", "value_loss", "calibration_error")


def card_path(net: Path) -> Path:
    """The path of the card of a net file: beside it, with the suffix .json."""
    return net.with_suffix(".json")


def write_card(run: Path, net: Path, game: str, step: int) -> Path:
    """Write the card of ``net``, the net of the run at ``step``, atomically.

    Keeps the list ``strength`` of an existing card of the same step, which people fill in.  ``ValueError`` when the
    run's reports lack the step; ``OSError`` when the card cannot be written.
    """
    path = card_path(net)
    card = make_card(read_reports(run / REPORTS), game, step)
    card["strength"] = _strength(path, step)
    write_atomically(path, (json.dumps(card, indent=2) + "\n").encode())
    return path


def make_card(reports: list[Report], game: str, step: int) -> dict[str, Any]:
    """Make the card of the net at ``step`` from the events of a run, oldest first."""
    config, iteration, exams, ladder, notes = {}, None, {}, {}, []
    for report in reports:
        match report["event"]:
            case "start":
                config = report.get("config", {})
                notes += [note for note in report.get("notes", []) if note not in notes]
            case "iteration" if report["step"] <= step:
                iteration = report
            case "exam" if report["step"] == step:
                exams = report["results"]
            case "ladder":
                ladder = report["ratings"]
    if iteration is None or iteration["step"] != step:
        raise ValueError(f"the reports of the run have no iteration that ended at step {step}")
    for name in ("net.init", "self_play.openings", "init", "openings"):  # earlier versions wrote no tables
        if isinstance(config.get(name), str) and config[name]:
            config = {**config, name: Path(config[name]).name}  # without the folder
    day = time.strftime("%Y-%m-%d", time.localtime(iteration.get("time", time.time())))
    return {
        "game": game,
        "step": step,
        "made": f"{day}, plyscope train, {processors()} processors",
        "notes": notes,
        "run": {
            "minutes": round(iteration.get("elapsed_s", 0.0) / 60, 1),
            **{name: iteration[key] for key, name in _COUNTED.items() if key in iteration},
            **{key: iteration[key] for key in _FIGURES if iteration.get(key) is not None},
        },
        "settings": config,
        "exams": exams,
        "ladder": {"unit": "Elo, its 95 % interval; random = 0", "ratings": ladder},
    }


def _strength(path: Path, step: int) -> list[Any]:
    try:
        card = Fields(read_json(path, _MOST_BYTES))
        return card.list("strength", []) if card.values.get("step") == step else []
    except (OSError, ValueError):
        return []
