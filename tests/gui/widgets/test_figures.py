"""Tests of number formats, sorting, colours and short texts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from core.games import load_game
from core.search import SearchSettings
from gui.rooms.opponents.play_seats import playing_exactly
from gui.shell.status_strip import RateMeter
from gui.widgets.board.board_paint import anchor, fit
from gui.widgets.board.board_signs import winning_strokes
from gui.widgets.board.board_tip import mark_tip
from gui.widgets.figures import (
    COLUMN_INDEX,
    COLUMNS,
    NONE,
    column_words,
    count,
    opacity_of,
    percent,
    plain,
    proof_text,
    rough_percent,
    short_count,
    signed,
    size,
    sort_rows,
)
from gui.widgets.theme import DARK, LIGHT, THEMES, ink, ramp, style_sheet
from gui.widgets.words import proof_sentence, proof_words, state_text
from tests.core.search.fakes import run_search
from tests.gui.fakes import counters, node_view, overlay_marks


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (count(12345678), "12\u202f345\u202f678"),
        (short_count(812), "812"),
        (short_count(9841), "9.8k"),
        (short_count(41000), "41k"),
        (short_count(999.9), "1.0k"),
        (short_count(1.2e6), "1.2M"),
        (size(3 << 20), "3.0 MB"),
        (size(512 << 20), "512 MB"),
        (size(3 << 29), "1.5 GB"),
        (signed(0.3123), "+0.312"),
        (signed(-0.3123), "−0.312"),
        (signed(-0.0001), "0.000"),
        (signed(math.nan), "–"),
        (plain(math.inf), "∞"),
        (plain(-0.5), "−0.500"),
        (plain(-0.0004), "0.000"),
        (percent(0.1234), "12.3\u202f%"),
        (rough_percent(0.391), "39\u202f%"),
        (rough_percent(0.0852), "8.5\u202f%"),
    ],
)
def test_numbers_as_text(shown: str, text: str) -> None:
    assert shown == text


def test_few_visits_are_fainter() -> None:
    steps = [opacity_of(n) for n in (0, 1, 3, 10, 50, 10000)]
    assert steps == sorted(steps)
    assert steps[0] < steps[1] < steps[3] < steps[4] == 1.0


def test_sorting_is_stable_and_puts_nan_last() -> None:
    view = node_view(load_game("tictactoe").initial())
    values = view.values.copy()
    values[:4] = np.nan
    rows = replace(view, values=values).rows
    for descending in (True, False):
        arranged = sort_rows(rows, COLUMN_INDEX["v"], descending)
        known = [row.value for row in arranged[:5]]
        assert known == sorted(known, reverse=descending)
        assert [row.action for row in arranged[5:]] == [row.action for row in rows if math.isnan(row.value)]
    assert sort_rows(rows, COLUMN_INDEX["proof"], True) == list(rows)  # all equal


def test_a_rule_without_priors_shows_none() -> None:
    position = load_game("connect4").initial()
    prior = COLUMNS[COLUMN_INDEX["p"]]
    for rule in ("puct", "gumbel", "ucb1", "ucb1_tuned", "flat"):
        node = node_view(position, selection=rule)
        known = rule in ("puct", "gumbel")
        assert all((prior.text(row) == NONE) != known for row in node.rows)
        assert column_words(COLUMN_INDEX["p"], rule)[1].startswith("Prior" if known else "None")
        marks = overlay_marks(position, node, node, "prior", node.best_action, DARK)
        assert bool(marks) == known
    limited = node_view(position, left_out={6: 0.1})
    assert [prior.text(row) for row in limited.left_out_rows] == [NONE]


def test_the_move_that_would_be_played_is_the_first_of_equal_visits() -> None:
    view = node_view(load_game("tictactoe").initial())
    tied = replace(view, visits_of=np.full_like(view.visits_of, 7))
    for best in (2, 7):
        rows = replace(tied, best_index=best).rows
        assert rows[0].action == view.actions[best]
        assert {row.action for row in rows} == set(view.actions.tolist())
    most = replace(view, visits_of=np.arange(9, dtype=np.int32), best_index=2)
    assert [row.visits for row in most.rows] == list(range(8, -1, -1))


def test_a_nearer_win_and_a_later_loss_sort_higher() -> None:
    view = node_view(load_game("tictactoe").initial())
    proofs, distances = view.proofs.copy(), view.distances.copy()
    proofs[:5] = (3, 1, 2, 3, 1)
    distances[:5] = (2, 5, 4, 6, 1)
    rows = replace(view, proofs=proofs, distances=distances).rows
    arranged = sort_rows(rows, COLUMN_INDEX["proof"], True)
    assert [(row.proof, row.distance) for row in arranged] == [
        ("win", 1),
        ("win", 5),
        ("draw", 4),
        ("", 0),
        ("", 0),
        ("", 0),
        ("", 0),
        ("loss", 6),
        ("loss", 2),
    ]


def test_the_diverging_map_is_centred_and_both_themes_are_whole() -> None:
    assert set(THEMES) == {"dark", "light"}
    for theme in (DARK, LIGHT):
        middle = ramp(theme.value_ramp, 0.5)
        assert middle.hslSaturationF() < 0.12  # 0 has a neutral colour
        low, high = ramp(theme.value_ramp, 0.0), ramp(theme.value_ramp, 1.0)
        assert low.red() > low.blue()
        assert high.blue() > high.red()
        assert "$" not in style_sheet(theme)


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_text_on_every_colour_of_every_map_reads(theme) -> None:
    def luminance(colour) -> float:
        parts = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in (colour.redF(), colour.greenF(), colour.blueF())
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    for stops in (theme.prior_ramp, theme.share_ramp, theme.value_ramp):
        for step in range(21):
            ground = ramp(stops, step / 20)
            dark, light = sorted((luminance(ground), luminance(ink(ground))))
            assert (light + 0.05) / (dark + 0.05) >= 4.0


@pytest.mark.parametrize("game", ["connect4", "gomoku", "tictactoe", "connectn(rows=3, cols=5, k=3)"])
def test_every_cell_is_found_where_it_is_drawn(game: str) -> None:
    rows, cols = load_game(game).shape
    for width, height in ((400, 700), (901, 500)):
        geometry = fit(rows, cols, width, height, coordinates=True)
        assert geometry.left >= 20
        assert geometry.frame.right() <= width
        assert geometry.frame.bottom() <= height
        for cell in range(rows * cols):
            assert geometry.cell_at(geometry.center(cell)) == cell


def test_a_disc_lands_on_the_others() -> None:
    position = load_game("connect4").position("d d d d d")
    assert anchor(position, 3) == 3
    assert anchor(position.play(3), 3) == -1
    assert anchor(position, 0) == 35
    assert anchor(load_game("tictactoe").initial(), 4) == 4


def test_a_stone_that_wins_twice_has_two_strokes() -> None:
    position = load_game("tictactoe").position("0 3 1 5 4 7 6 8 2")
    assert position.winning_cells == (0, 1, 2, 4, 6)
    assert winning_strokes(position.winning_cells, 2, 3) == [(0, 2), (2, 6)]
    assert winning_strokes((0, 1, 2), 2, 3) == [(0, 2)]


def test_marks_take_colour_from_one_node_and_text_from_another() -> None:
    position = load_game("connect4").position("d d")
    now, before = (
        node_view(position, simulations=1000),
        node_view(position, simulations=400, qs=np.zeros(7, np.float32)),
    )
    marks = overlay_marks(position, now, before, "q", 0, DARK)
    assert [mark.text for mark in marks] == ["0.00"] * 7
    assert marks[0].fill == ramp(DARK.value_ramp, 0.75)
    assert [mark.ring for mark in marks] == ["best", "", "", "", "", "", ""]
    assert [mark.cell for mark in marks] == [35, 36, 37, 24, 39, 40, 41]


def test_a_move_better_than_the_most_visited_is_ringed() -> None:
    position = load_game("connect4").initial()
    qs = np.array([0.1, 0.0, 0.0, 0.4, 0.0, 0.0, 0.0], np.float32)
    marks = overlay_marks(position, *(node_view(position, simulations=1000, qs=qs),) * 2, "visits", 0, DARK)
    assert [mark.ring for mark in marks] == ["best", "", "", "better", "", "", ""]


def test_unvisited_moves_are_not_coloured_by_visits() -> None:
    position = load_game("connect4").initial()
    view = node_view(position, simulations=5)
    assert len(overlay_marks(position, view, view, "visits", 0, DARK)) == int((view.visits_of > 0).sum()) < 7
    assert len(overlay_marks(position, view, view, "prior", 0, DARK)) == 7


def test_rates_are_of_the_last_second() -> None:
    meter = RateMeter()
    assert meter.take(counters(0, 0.0)).simulations is None
    for tenth in range(1, 31):
        rates = meter.take(counters(1000 * tenth, tenth / 10))
    assert rates.simulations == pytest.approx(10_000)
    assert rates.evaluations == pytest.approx(5_000)
    assert rates.batch == pytest.approx(4.0)
    assert rates.cache == pytest.approx(1 / 3)
    assert meter.take(counters(50, 0.1)).simulations == pytest.approx(500)  # another search


def test_the_state_text_says_why_a_search_stopped() -> None:
    from tests.gui.fakes import FakeAnalysis

    analysis = FakeAnalysis()
    analysis.start(load_game("connect4").position("d"))
    won = analysis.publish(500, "proved", proof=1, distance=7)
    assert proof_sentence(won) == "proved: Yellow wins in at most 7 plies"
    assert state_text("", False, won, "bounded", 500) == proof_sentence(won)
    lost = analysis.publish(500, "proved", proof=3, distance=1)
    assert proof_sentence(lost) == "proved: Red wins in 1 ply"
    assert proof_sentence(analysis.publish(500, "proved", proof=2)) == "proved: a draw with best play"
    limited = analysis.publish(500, "limit reached")
    assert state_text("", False, limited, "bounded", 500).startswith("limit reached: 500 simulations")
    assert state_text("", False, limited, "bounded", 100).startswith("500 simulations, over the limit of 100")
    full = analysis.publish(500, "memory budget full")
    assert state_text("", False, full, "bounded", 500).startswith("memory budget full: 512 MB")
    assert state_text("loading a net", True, full, "bounded", 500) == "loading a net"
    assert state_text("", False, None, "idle", 500) == "not analysed — Space starts"


def test_a_proof_says_its_plies_where_they_are_known() -> None:
    from tests.gui.fakes import FakeAnalysis

    analysis = FakeAnalysis()
    analysis.start(load_game("othello").initial())
    known = analysis.publish(500, "proved", proof=1, distance=1).root
    assert [proof_words(known, "Black"), proof_words(known, "White", -1)] == [
        "win in 1 for Black",
        "loss in 1 for White",
    ]
    unknown = replace(known, distance=0, left_out={19: 0.5})
    assert proof_words(unknown, "Black") == "win for Black"
    assert proof_words(replace(unknown, proof=2), "White", -1) == "draw for White, by the moves searched"


def test_a_search_of_equally_many_simulations_is_another_search() -> None:
    meter = RateMeter()
    meter.take(counters(1000, elapsed_s=0.5))
    assert meter.take(counters(1000, elapsed_s=2.0)).simulations == 500


def test_merged_moves_are_marked_as_their_twin() -> None:
    position = load_game("tictactoe").initial()
    search = run_search(position, None, 60, selection="ucb1", merge_symmetric=True, memory_mb=4)
    view = search.snapshot().root
    marks = {mark.action: mark for mark in overlay_marks(position, view, view, "visits", view.best_action, DARK)}
    assert len(marks) == 9
    name = position.game.action_name
    for kept, twins in view.same.items():
        for twin in twins:
            assert (marks[twin].text, marks[twin].ring, marks[twin].fill) == (f"= {name(kept)}", "", marks[kept].fill)
            assert marks[twin].opacity < marks[kept].opacity
            assert mark_tip(view, twin) == f"{name(twin)}: the same as {name(kept)} by symmetry, searched as that"


def test_solved_endings_are_told_in_discs_or_exact_plies() -> None:
    settings = SearchSettings(selection="ucb1", exact_empties=16, memory_mb=8)
    search = run_search(load_game("othello(size=4)").initial(), None, 5, settings)
    found = search.snapshot()
    assert proof_sentence(found) == "solved exactly: White wins by 10 discs"
    assert proof_words(found.root, "Black") == "loss by 10 discs for Black"
    assert proof_words(found.root, "White", -1) == "win by 10 discs for White"
    assert {proof_text(row) for row in found.moves} == {"loss by 10"}
    search = run_search(load_game("connect4(rows=4, cols=5)").position("b b c c"), None, 5, settings)
    assert proof_sentence(search.snapshot()) == "solved exactly: Red wins in 3 plies"


def test_players_of_the_best_move_play_endings_exactly() -> None:
    game, settings = load_game("othello(size=4)"), SearchSettings()
    first = game.initial()
    assert playing_exactly(settings, first) == replace(settings, exact_empties=12)
    drawing, own = replace(settings, temperature=0.5), replace(settings, exact_empties=16)
    assert [playing_exactly(one, first) for one in (drawing, own)] == [drawing, own]
    for other in (None, load_game("othello").initial(), load_game("gomoku").initial()):
        assert playing_exactly(settings, other) == settings
