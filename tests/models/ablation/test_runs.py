"""A small ablation, stopped and continued."""

from pathlib import Path

import pytest

from models.ablation.plan import Plan, make_variants
from models.ablation.runs import TABLE, run_ablation

BASE = {
    "game": "tictactoe",
    "blocks": 1,
    "channels": 8,
    "simulations": 8,
    "fast_simulations": 2,
    "games": 8,
    "samples_per_iteration": 32,
    "batch_size": 16,
    "threads": 1,
    "evaluator": "torch",
}


def _plan(*changes: str, seeds: int = 1) -> Plan:
    return Plan(BASE, make_variants(changes), seeds, 300, games=4, simulations=4, rollouts=4, positions=20)


def test_an_ablation_that_was_stopped_continues_and_takes_further_variants(tmp_path: Path) -> None:
    said: list[str] = []
    plan = _plan("batch_size=32")
    stopped = run_ablation(plan, tmp_path, False, said.append, lambda: any("finished" in line for line in said))
    assert stopped is None
    assert [line.split(":")[0] for line in said] == ["base, seed 1", "base, seed 1", "batch_size=32, seed 1"]
    first = (tmp_path / "00-seed-1" / "ablation.json").read_bytes()

    with pytest.raises(ValueError, match="already holds an ablation"):
        run_ablation(plan, tmp_path, False, said.append)
    with pytest.raises(ValueError, match="holds another ablation"):
        run_ablation(_plan("batch_size=64"), tmp_path, True, said.append)

    said.clear()
    table = run_ablation(_plan("batch_size=32", "learning_rate=0.001"), tmp_path, True, said.append)
    assert table == (tmp_path / TABLE).read_text()
    assert sum("training in" in line for line in said) == 2  # the base is not trained again
    assert (tmp_path / "00-seed-1" / "ablation.json").read_bytes() == first
    rows = [line for line in table.splitlines() if line.startswith("| ")]
    assert [row.split(" | ")[:2] for row in rows[1:]] == [
        ["| base", "1"],
        ["| batch_size=32", "1"],
        ["| learning_rate=0.001", "1"],
    ]
    assert "score against rollouts:4" in rows[0]
