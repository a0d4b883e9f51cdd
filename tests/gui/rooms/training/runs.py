"""Small run folders as written by training: settings, reports, kept nets, running games."""

from __future__ import annotations

import json
import math
import os
import shutil
import time
from pathlib import Path
from typing import Any

from core.text import Text, with_texts
from models.netfiles.shipped import nets_dir
from models.runs.config import TrainConfig, to_toml
from models.runs.folder import LIVE, NETS, REPORTS, RUN_TOML, RUNNING_FILE
from models.runs.presets import preset_values

EXAMS = (("late policy", 40, 40), ("early policy", 60, 80), ("late value", 30, 40), ("early value", 40, 80))
CALIBRATION = [[-0.8, -0.75, 40], [-0.2, -0.1, 120], [0.3, 0.35, 90], [0.9, 0.8, 30]]


def shipped_net(game: str) -> Path:
    """Return a shipped net for the game."""
    return sorted(nets_dir().glob(f"{game}-*.onnx"))[0]


def iteration(number: int, per_s: float = 900.0) -> dict[str, Any]:
    """Return a report of one iteration as written by training; every figure depends on the number."""
    return {
        "event": "iteration",
        "elapsed_s": 30.0 * number,
        "time": 1.7e9 + 30 * number,
        "iteration": number,
        "step": 100 * number,
        "games": 300,
        "games_total": 300 * number,
        "samples": 4096,
        "policy_loss": 1.1 + 1.0 / number,
        "value_loss": 0.6 + 0.3 / number,
        "held_out_policy_loss": 1.2 + 1.0 / number,
        "held_out_value_loss": 0.65 + 0.3 / number,
        "regularisation": 0.01 + 0.001 * number,
        "total": 1.8 + 1.3 / number,
        "entropy": 1.0 + 0.9 / number,
        "target_entropy": 1.0 + 0.5 / number,
        "kl": 0.1 + 0.4 / number,
        "calibration": CALIBRATION,
        "calibration_error": 0.04 + 0.1 / number,
        "learning_rate": 2e-3 * 0.99**number,
        "memory_mb": 700 + number,
        "replay_age": min(10.0, number / 2),
        "games_per_s": 12 + math.sin(number),
        "positions_per_s": per_s / 4,
        "moves_per_s": per_s,
        "of_alone": 0.85,
        "resigned": 0.2,
        "proved": 0.3,
        "score_loss": 2.0 + 1.0 / number,
        "ownership_loss": 0.2 + 0.3 / number,
        "wrong_resignations": 0.03 if number % 2 else None,
        "sizes": {
            "3x3": {"games": 200, "samples": 2000, "mean_plies": 8.0, "first_wins": 0.5},
            "4x4": {"games": 100, "samples": 2096, "mean_plies": 20.0 + number, "first_wins": None},
        },
        "evaluations_per_s": 26_000 + 500 * math.sin(number),
        "alone_per_s": 30_000,
        "mean_plies": 24 + 6 * (1 - 1 / number),
        "first_wins": 0.55,
        "draws": 0.05 + 0.1 * (1 - 1 / number),
    }


def write_run(folder: Path, game: str = "tictactoe", iterations: int = 12, kept: int = 3, **changes: Any) -> Path:
    """Write a run with this many iterations and kept nets, a ladder and exams; no process trains it."""
    folder.mkdir(parents=True, exist_ok=True)
    config = TrainConfig.from_dict({**preset_values("small", game), **changes})
    (folder / RUN_TOML).write_text(to_toml(config), encoding="utf-8")
    events: list[dict[str, Any]] = [
        {
            "event": "start",
            "elapsed_s": 0.0,
            "time": 1.7e9,
            "config": config.to_dict(),
            "resumed": False,
            "evaluator": Text("{net} on CPU", net="onnxruntime"),
            "threads": 2,
            "device": "cpu",
        }
    ]
    every = max(1, iterations // max(1, kept))
    ratings: dict[str, list[float]] = {"random": [0, 0, 0], "rollouts:100": [250, 200, 300]}
    (folder / NETS).mkdir(exist_ok=True)
    for number in range(1, iterations + 1):
        events.append(iteration(number))
        if kept and number % every == 0 and number // every <= kept:
            step = 100 * number
            about = {"elapsed_s": 30.0 * number, "time": 1.7e9, "step": step}
            name = f"step-{step:08d}"
            shutil.copyfile(shipped_net(game), folder / NETS / f"{name}.onnx")
            events.append({"event": "checkpoint", **about, "iteration": number, "net": f"{NETS}/{name}.onnx"})
            share = 1 - 1 / (1 + number)
            results = {name: {"right": round(right * share), "of": of} for name, right, of in EXAMS}
            events.append({"event": "exam", **about, "net": name, "results": results})
            pair = {"players": [name, "rollouts:100"], "wins": 5, "draws": 1, "losses": 2}
            events.append({"event": "match", **about, **pair})
            ratings[name] = [300 * share, 300 * share - 60, 300 * share + 70]
            best = max(ratings, key=lambda player: ratings[player][0])
            events.append({"event": "ladder", **about, "ratings": dict(ratings), "best": best})
    write_reports(folder, events)
    return folder


def write_reports(folder: Path, events: list[dict[str, Any]], mode: str = "w") -> None:
    """Write the events as lines; ``mode`` "a" appends them."""
    with (folder / REPORTS).open(mode, encoding="utf-8") as file:
        file.writelines(json.dumps(with_texts(event)) + "\n" for event in events)


def write_running(folder: Path, phase: str = "self-play", pid: int | None = None, beat: float | None = None) -> None:
    """Write the file of a running training process: this process, unless ``pid`` is given."""
    now = time.time()
    content = {"pid": os.getpid() if pid is None else pid, "started": now, "phase": phase, "beat": beat or now}
    (folder / RUNNING_FILE).write_text(json.dumps(content))


def live_game(number: int, moves: list[int], **changes: Any) -> dict[str, Any]:
    """Return one running game whose first move was random."""
    game = {
        "id": number,
        "start": moves[:1],
        "moves": moves[1:],
        "ply": len(moves),
        "full": number % 2 == 0,
        "temperature": 1.0,
        "value": 0.25,
        "moves_figures": [[0, 60, 0.3, 0.4], [4, 30, 0.1, 0.3], [8, 10, -0.2, 0.1]],
        "resign": None,
    }
    return {**game, **changes}


def write_live(folder: Path, games: list[dict[str, Any]]) -> None:
    (folder / LIVE).write_text(json.dumps({"games": games}))
