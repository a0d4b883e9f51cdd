"""What a notebook shows of a search: the figures of its moves."""

from __future__ import annotations

from core.engine import Search, UniformEvaluator
from core.games import load_game
from core.search import Limit


def test_a_snapshot_is_shown_with_the_figures_of_its_moves() -> None:
    game = load_game("tictactoe")
    search = Search(game.position("b2"), UniformEvaluator(game.num_actions), seed=3)
    search.run(Limit(simulations=60))
    snapshot = search.snapshot()
    page = snapshot._repr_html_()
    assert "O to move" in page
    assert page.count("<tr>") == 1 + len(snapshot.moves)
    for move in snapshot.moves:
        assert f"<b>{move.name}</b>" in page
        assert f">{move.visits}<" in page
    assert f"{snapshot.simulations} simulations" in page


def test_of_many_moves_the_rest_is_counted() -> None:
    game = load_game("gomoku(size=9)")
    search = Search(game.initial(), UniformEvaluator(game.num_actions), seed=3)
    search.run(Limit(simulations=20))
    page = search.snapshot()._repr_html_()
    assert "and 69 more" in page
