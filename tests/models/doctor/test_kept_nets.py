"""Kept nets on the newest shard, from which none has learned."""

import json
import shutil
from pathlib import Path

import pytest

from core.games import load_game
from models.doctor.diagnosis import diagnose
from models.netfiles.shipped import nets_dir
from models.runs.config import TrainConfig
from models.runs.folder import NETS, REPORTS
from tests.models.doctor.runs import play, write_run
from tests.models.inside.nets import changed

GAME = load_game("connect4")
NET = "connect4-4x48.onnx"
CONFIG = TrainConfig.of(game=GAME.text, simulations=48, fast_simulations=12, full_share=0.5, iterations=2)


@pytest.mark.slow
def test_a_newest_net_that_lost_what_an_earlier_net_knew(tmp_path: Path) -> None:
    """Also where a net was kept after the newest reports: that one may have learned from the newest shard."""
    run = write_run(tmp_path / "run", play(GAME, CONFIG, 2, 800), CONFIG)
    reports = [{"event": "iteration", "iteration": i + 1, "step": 60 * i, "elapsed_s": 1.0} for i in range(2)]
    (run / REPORTS).write_text("".join(json.dumps(report) + "\n" for report in reports), encoding="utf-8")
    (run / NETS).mkdir()

    def keep(step: int, net: Path) -> None:
        shutil.copy(net, run / NETS / f"step-{step:08d}.onnx")

    good = nets_dir() / NET
    poor = changed(
        NET, tmp_path / "poor.onnx", lambda name, array: array[::-1] if name.startswith("wdl_out") else array
    )
    keep(0, poor)
    keep(60, good)
    keep(90, poor)
    assert not [finding for finding in diagnose(run).findings if finding.kind == "overfitted"]
    keep(0, good)
    keep(60, poor)
    (finding,) = (finding for finding in diagnose(run).findings if finding.kind == "overfitted")
    assert "step 0 " in finding.sentence
    assert "step 60," in finding.sentence
    assert finding.experiment.after.high < finding.experiment.before.low
