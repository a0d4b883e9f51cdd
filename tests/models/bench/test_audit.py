"""The benchmark of audits: its table has both sides, and all searches are made."""

import pytest

from core.games import load_game
from models.bench import audit
from models.netfiles.evaluator import default_net


def test_the_table_has_the_audit_the_engine_and_the_net_alone() -> None:
    game = load_game("tictactoe")
    made = audit.table([(game, default_net(game))], positions=30, simulations=20, games=8, rounds=1)
    (row,) = made.rows
    cells = dict(zip(made.columns, row, strict=True))
    assert cells["game"] == "tictactoe"
    assert 1.0 < float(cells["mean batch"]) <= 8.0
    assert all(float(cells[name].replace(",", "")) > 0 for name in ("audit/s", "engine/s", "net alone/s"))
    assert 0.2 < float(cells["of the engine"]) < 5.0


def test_bad_options_are_refused(capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        audit.main(["--positions", "0"])
    assert "must be at least 1" in capsys.readouterr().err
