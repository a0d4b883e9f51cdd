"""A process that behaves like training without learning: it reports, keeps nets, plays games, obeys commands.

Run as ``python scripted_run.py train GAME --out RUN [--resume] [...]``.
"""

from __future__ import annotations

import json
import shutil
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).parents[4]
sys.path.insert(0, str(ROOT))

from models.runs.folder import LIVE, REPORTS, RunControl, net_path  # noqa: E402
from models.runs.reports import Reports, read_reports  # noqa: E402
from tests.gui.rooms.training.runs import iteration, live_game, shipped_net  # noqa: E402


def main() -> None:
    game, out = sys.argv[2], Path(sys.argv[4])
    done = sum(report["event"] == "iteration" for report in read_reports(out / REPORTS))
    reports = Reports(out / REPORTS)
    with RunControl(out, lambda event: reports.append(event, 0.0)) as control:
        reports.append("start", 0.0, config={"game": game}, resumed="--resume" in sys.argv, evaluator="scripted")
        control.phase = "playing"
        games = [live_game(number, [4, 0, number % 3 + 5]) for number in range(3)]
        (out / LIVE).write_text(json.dumps({"games": games}))
        for number in range(done + 1, done + 4):
            reports.add(iteration(number))
        step = 100 * (done + 3)
        (out / net_path(step)).parent.mkdir(exist_ok=True)
        shutil.copyfile(shipped_net(game), out / net_path(step))
        reports.append("checkpoint", 90.0, step=step, iteration=done + 3, net=net_path(step))
        while not control.should_stop():
            threading.Event().wait(0.02)
            if (out / "die").exists():
                (out / "die").unlink()
                raise SystemExit("plyscope: the scripted run was told to die")
        reports.append("stopped", 90.0, reason="stopped")


if __name__ == "__main__":
    main()
