"""What every game must do: one module of tests, each run for every game, against the slow reference."""

import pickle
import random
import string
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import pytest

from core._jit import jit
from core.games import IllegalMove, Position, dispatch, load_game
from core.games.go_board import COUNT, GoState
from core.games.info import LAST, PLY
from core.rng import make_rng
from tests.core.games.reference import Reference, ReferenceGame, Rules, final_boards, random_play_chances
from tests.core.games.reference_go import ReferenceGo
from tests.core.games.reference_nim import ReferenceNim
from tests.core.games.reference_othello import ReferenceOthello
from tests.core.games.reference_renju import ReferenceFive
from tests.tiers import slow_but


class Facts(NamedTuple):
    """What the tests expect of one game."""

    reference: Callable[[], Reference]
    rows: int
    cols: int
    actions: int
    plies: int
    symmetries: int
    first_number: int = 0
    refusals: str = "the place is taken"
    counts_tell: bool = True  # whether a board alone says whose turn it is and how many moves were made
    stones_stay: bool = True  # whether every move adds one stone and changes no other
    boards_suffice: bool = True  # whether the future depends on nothing but board, side to move and last move


def free(rows: int, cols: int, k: int) -> Facts:
    rules = Rules(rows, cols, k, gravity=False)
    cells = rows * cols
    return Facts(partial(ReferenceGame, rules), rows, cols, cells, cells, 8 if rows == cols else 4)


def drop(rows: int, cols: int, k: int) -> Facts:
    rules = Rules(rows, cols, k, gravity=True)
    return Facts(
        partial(ReferenceGame, rules), rows, cols, cols, rows * cols, 2, first_number=1, refusals="the column is full"
    )


def five(size: int, renju: bool) -> Facts:
    refusals = "the place is taken|it is a foul, (overline|double four|double three)" if renju else "the place is taken"
    cells = size * size
    return Facts(partial(ReferenceFive, size, renju), size, size, cells, cells, 8, refusals=refusals)


def othello(size: int, passes: bool = True) -> Facts:
    cells = size * size
    return Facts(
        partial(ReferenceOthello, size, passes),
        size,
        size,
        cells + passes,
        (cells - 4) * (1 + passes),
        8,
        refusals="the place is taken|it turns no disc|a pass is for a player who has no other move",
        counts_tell=not passes,
        stones_stay=False,
    )


def go(rows: int, cols: int, **rules: Any) -> Facts:
    cells = rows * cols
    return Facts(
        partial(ReferenceGo, rows, cols, **rules),
        rows,
        cols,
        cells + 1,
        3 * cells + 104,
        8 if rows == cols else 4,
        refusals="the place is taken|it retakes a ko at once|it repeats an earlier position|would have no liberty",
        counts_tell=False,
        stones_stay=False,
        boards_suffice=False,
    )


def nim(heaps: list[int], most: int, symmetries: int = 1, misere: bool = False) -> Facts:
    return Facts(
        partial(ReferenceNim, heaps, most, misere),
        len(heaps),
        max(heaps),
        len(heaps) * most,
        sum(heaps),
        symmetries,
        first_number=1 if len(heaps) == 1 else 0,
        refusals=r"heap \d is empty|heap \d has \d+ chips? left",
        counts_tell=False,
        stones_stay=False,
    )


GAMES = {
    "tictactoe": free(3, 3, 3),
    "connectn(rows=4, cols=3, k=3)": free(4, 3, 3),
    "connectn(rows=4, cols=4, k=3)": free(4, 4, 3),
    "connectn(rows=5, cols=4, k=4)": free(5, 4, 4),
    "gomoku(size=9)": free(9, 9, 5),
    "gomoku": free(15, 15, 5),
    "gomoku(size=7, rule=standard)": five(7, renju=False),
    "gomoku(size=6, rule=renju)": five(6, renju=True),
    "gomoku(size=10, rule=renju)": five(10, renju=True),
    "connect4": drop(6, 7, 4),
    "connect4(rows=4, cols=4)": drop(4, 4, 4),
    "connect4(rows=5, cols=6, k=3)": drop(5, 6, 3),
    "connect4(rows=5, cols=6)": drop(5, 6, 4),
    "connect4(rows=4, cols=8, k=7)": drop(4, 8, 7),
    "connect4(rows=7, cols=8)": drop(7, 8, 4),
    "othello": othello(8),
    "othello(passes=no)": othello(8, passes=False),
    "othello(size=4)": othello(4),
    "othello(size=4, passes=no)": othello(4, passes=False),
    "othello(size=6)": othello(6),
    "othello(size=6, passes=no)": othello(6, passes=False),
    "othello(size=10)": othello(10),
    "othello(size=10, passes=no)": othello(10, passes=False),
    "go(size=2)": go(2, 2),
    "go(size=5)": go(5, 5),
    "go(rows=3, cols=4, rules=aga, komi=0.5)": go(3, 4, komi=0.5, ko="situational", suicide=False),
    "go(size=4, rules=chinese, button=yes)": go(4, 4, ko="simple", suicide=False, button=True),
    "go(size=7, rules=japanese, komi=6, suicide=yes)": go(7, 7, komi=6, ko="simple", tax="seki", territory=True),
    "go(size=5, tax=all)": go(5, 5, tax="all"),
    "nim": nim([15], 3),
    "nim(heaps=21, max_take=4)": nim([21], 4),
    "nim(heaps=3-4-5)": nim([3, 4, 5], 5),
    "nim(heaps=4-4-3-4, max_take=2)": nim([4, 4, 3, 4], 2, symmetries=6),
    "nim(heaps=2-4, misere=yes)": nim([2, 4], 4, misere=True),
}
RESULTS = {
    "ongoing": dispatch.ONGOING,
    "first": dispatch.FIRST_WINS,
    "second": dispatch.SECOND_WINS,
    "draw": dispatch.DRAW,
}
RETURNS = {"ongoing": (0, 0), "first": (1, -1), "second": (-1, 1), "draw": (0, 0)}

# Those whose code no smaller one has; the others are run less often.
QUICK = {
    "tictactoe",
    "connectn(rows=4, cols=3, k=3)",
    "gomoku(size=9)",
    "gomoku(size=7, rule=standard)",
    "gomoku(size=6, rule=renju)",
    "connect4",
    "connect4(rows=5, cols=6, k=3)",
    "connect4(rows=7, cols=8)",
    "othello(size=4)",
    "othello(size=4, passes=no)",
    "othello(size=6)",
    "go(size=2)",
    "go(rows=3, cols=4, rules=aga, komi=0.5)",
    "go(size=4, rules=chinese, button=yes)",
    "nim",
    "nim(heaps=4-4-3-4, max_take=2)",
    "nim(heaps=2-4, misere=yes)",
}
every_game = pytest.mark.parametrize("text", slow_but(QUICK, GAMES))
every_line_game = pytest.mark.parametrize(
    "text", slow_but(QUICK, (text for text, facts in GAMES.items() if facts.stones_stay and "renju" not in text))
)


@cache
def random_game(text: str, seed: int) -> Sequence[Position]:
    """All positions of one random game, which many tests look at."""
    choose = random.Random(seed)
    positions = [load_game(text).initial()]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(choose.choice(positions[-1].legal_actions())))
    return tuple(positions)


def is_shown_the_same(one: Position, other: Position) -> bool:
    """Whether two positions are equal but for the past, which no diagram has."""
    if GAMES[one.game.text].boards_suffice:
        return one == other
    return hash(one) == hash(other) and one.diagram() == other.diagram()


def games_of(text: str) -> range:
    """Seeds: fewer games on the large boards."""
    facts = GAMES[text]
    cells = facts.rows * facts.cols
    return range(2 if cells > 80 else 4 if cells > 60 else 8)


def position_arrays(state: dispatch.State) -> list[np.ndarray]:
    """The arrays of a state that are the position, without the room that rollouts and later moves need."""
    used = {"history": state.info[COUNT], "moves": state.info[COUNT] - 1} if isinstance(state, GoState) else {}
    names = [field for field in state._fields if field not in ("scratch", "lines", "stack", "taken")]
    taken = zip(state.taken, state.emptied, strict=True) if isinstance(state, GoState) else ()
    return [getattr(state, name)[: used.get(name)] for name in names] + [row[:count] for row, count in taken]


# Compiled faces of the eight operations.


@jit
def compiled_play(state, action):
    dispatch.play(state, action)


@jit
def compiled_legal(state, out):
    return dispatch.legal(state, out)


@jit
def compiled_result(state):
    return dispatch.result(state)


@jit
def compiled_to_move(state):
    return dispatch.to_move(state)


@jit
def compiled_encode(state, out):
    dispatch.encode(state, out)


@jit
def compiled_copy(target, source):
    dispatch.copy(target, source)


@jit
def compiled_key(state):
    return dispatch.key(state)


@jit
def compiled_rollout(state, rng):
    return dispatch.rollout(state, rng)


@jit
def first_moves(state, root, rng, counts):
    """Count the last actions of 200 rollouts per action; with k = 1 the first move is the last."""
    for _ in range(200 * len(counts)):
        dispatch.copy(state, root)
        dispatch.rollout(state, rng)
        counts[state.info[LAST]] += 1


@jit
def rollout_results(state, root, rng, counts, number):
    for _ in range(number):
        dispatch.copy(state, root)
        counts[dispatch.rollout(state, rng)] += 1


# Rules.


@every_game
def test_random_games_agree_with_the_reference(text):
    for seed in games_of(text):
        reference = GAMES[text].reference()
        for ply, position in enumerate(random_game(text, seed)):
            if ply:
                reference.play(position.last_action)
            result = reference.result()
            assert position.ply == ply
            assert position.to_move == reference.to_move
            assert position.legal_actions() == tuple(reference.legal())
            assert position.is_over == (result != "ongoing")
            assert position.result == RESULTS[result]
            assert position.returns == RETURNS[result]
            assert position.winning_cells == tuple(reference.line_cells())
            assert position.cells().tolist() == reference.board
            assert position.planes().tolist() == reference.planes()
        assert position.is_over
        assert position.ply <= position.game.max_plies


@every_game
def test_sizes(text):
    game = load_game(text)
    facts = GAMES[text]
    assert game.text == text
    assert game.shape == (facts.rows, facts.cols)
    assert game.num_actions == facts.actions
    assert game.num_planes == 4
    assert game.max_plies == facts.plies
    assert game.symmetries.shape == (facts.symmetries, game.num_actions)
    assert game.cell_symmetries.shape == (facts.symmetries, facts.rows * facts.cols)
    assert game.symmetries.dtype == game.cell_symmetries.dtype == np.int16


@every_game
def test_illegal_moves_are_named(text):
    positions = random_game(text, 3)
    over = positions[-1]
    game = over.game
    with pytest.raises(IllegalMove, match="the game is over") as caught:
        over.play(over.last_action)
    assert caught.value.action == over.last_action
    assert caught.value.name == game.action_name(over.last_action)
    assert caught.value.position == over
    for position in positions[:-1]:
        for action in set(range(game.num_actions)) - set(position.legal_actions()):
            with pytest.raises(IllegalMove, match=GAMES[text].refusals):
                position.play(action)
    for action in (-1, game.num_actions):
        with pytest.raises(IllegalMove, match=f"from 0 to {game.num_actions - 1}"):
            game.initial().play(action)


# Positions as values.


@every_game
def test_positions_never_change(text):
    game = load_game(text)
    for position in random_game(text, 1)[:-1]:
        before = (position.diagram(), position.planes().tolist(), position.legal_actions(), hash(position))
        taken = position.state
        position.play(position.legal_actions()[0])
        dispatch.play(taken, position.legal_actions()[-1])
        position.cells()[:] = 1
        after = (position.diagram(), position.planes().tolist(), position.legal_actions(), hash(position))
        assert after == before
    with pytest.raises(ValueError, match="read-only"):
        game.symmetries[0, 0] = 1


@every_game
def test_history(text):
    positions = random_game(text, 2)
    last = positions[-1]
    assert last.start == positions[0]
    assert last.start.start is last.start
    assert last.moves == tuple(position.last_action for position in positions[1:])
    names = " ".join(last.game.action_name(action) for action in last.moves)
    assert last.game.position(names) == last
    assert last.game.position(names.upper().replace(" ", ", ")).moves == last.moves
    middle = last.game.parse_diagram(positions[len(positions) // 2].diagram())
    assert middle.moves == ()
    further = middle.play(middle.legal_actions()[0])
    assert further.start is middle
    assert further.moves == (middle.legal_actions()[0],)
    assert further.ply == middle.ply + 1


@every_game
def test_equality_is_game_board_side_and_last_move(text):
    positions = random_game(text, 4)
    assert len(set(positions)) == len(positions)
    again = random_game.__wrapped__(text, 4)
    assert again == positions
    assert [hash(p) for p in again] == [hash(p) for p in positions]
    for position in positions[1:]:
        # The same board by a diagram has no moves, and is the same position; without its last move it is not.
        read = load_game(text).parse_diagram(position.diagram())
        assert is_shown_the_same(read, position)
        assert GAMES[text].boards_suffice or read != position
        assert load_game(text).parse_diagram(position.diagram().partition(", last")[0]) != position
    assert positions[0] != load_game("connect4(rows=3, cols=3, k=3)").initial()
    assert positions[0] != text


@every_game
def test_pickling(text):
    position = random_game(text, 5)[2]
    copy = pickle.loads(pickle.dumps(position))
    assert copy == position
    assert copy.moves == position.moves
    assert copy.play(copy.legal_actions()[0]) == position.play(position.legal_actions()[0])


# Names and diagrams.


@every_game
def test_action_names_round_trip(text):
    game = load_game(text)
    names = [game.action_name(action) for action in range(game.num_actions)]
    assert len(set(names)) == game.num_actions
    for action, name in enumerate(names):
        assert game.parse_action(name) == action
        assert game.parse_action(f" {name.upper()} ") == action
        assert game.parse_action(str(action + GAMES[text].first_number)) == action
    for action in (-1, game.num_actions):
        with pytest.raises(IndexError, match=str(action)):
            game.action_name(action)


@every_game
def test_diagrams_round_trip(text):
    game = load_game(text)
    for seed in games_of(text):
        for position in random_game(text, seed):
            read = game.parse_diagram(position.diagram())
            assert is_shown_the_same(read, position)
            if GAMES[text].boards_suffice:
                assert (read.result, read.winning_cells) == (position.result, position.winning_cells)
                assert read.legal_actions() == position.legal_actions()
            if not GAMES[text].counts_tell:
                assert read.ply <= position.ply
                assert read.ply % 2 == position.ply % 2
                with pytest.raises(ValueError, match="does not say whose turn it is"):
                    game.parse_diagram("\n".join(position.diagram().splitlines()[:-1]))
                continue
            assert read.ply == position.ply
            silent = game.position("\n".join(position.diagram().splitlines()[:-1]))
            assert silent.cells().tolist() == position.cells().tolist()
            assert (silent.to_move, silent.last_action) == (position.to_move, -1)
            assert (silent.result, silent.winning_cells) == (position.result, position.winning_cells)


@every_game
def test_diagrams_with_coordinates(text):
    game = load_game(text)
    height, width = game.shape
    position = random_game(text, 6)[3]
    rows = position.diagram().splitlines()
    first = -1 if game.rows_from_top else height
    numbered = [f"{abs(first - i):2d}  {row.replace(' ', '').lower()}" for i, row in enumerate(rows[:-1])]
    letters = "    " + string.ascii_lowercase[:width]
    for lines in (["", *numbered, letters, "", rows[-1], ""], [letters, *numbered, rows[-1]]):
        assert is_shown_the_same(game.parse_diagram("\n".join(lines)), position)


# Symmetries.


@every_game
def test_symmetries_are_distinct_permutations(text):
    game = load_game(text)
    for table in (game.symmetries, game.cell_symmetries):
        assert np.array_equal(table[0], np.arange(table.shape[1]))
        assert len({row.tobytes() for row in table}) == len(table)
        assert all(np.array_equal(np.sort(row), table[0]) for row in table)


@every_game
def test_symmetries_commute_with_play(text):
    game = load_game(text)
    for seed in games_of(text):
        positions = random_game(text, seed)
        for symmetry in range(len(game.symmetries)):
            actions, cells = game.symmetries[symmetry], game.cell_symmetries[symmetry]
            # The first position has not every symmetry in Othello: its image is a diagram there.
            image = Position(game, game.board.from_cells(game.transform_planes(positions[0].cells(), symmetry), 0, -1))
            for position in positions:
                if position.ply:
                    image = image.play(actions[position.last_action])
                assert image.result == position.result
                assert image.legal_actions() == tuple(sorted(actions[list(position.legal_actions())].tolist()))
                assert image.winning_cells == tuple(sorted(cells[list(position.winning_cells)].tolist()))
                planes = position.planes()
                assert np.array_equal(game.transform_planes(planes, symmetry), image.planes())
            batch = np.stack([planes, planes])
            assert np.array_equal(game.transform_planes(batch, symmetry)[1], image.planes())


# Kernels.


@pytest.mark.slow
@every_game
def test_compiled_operations_agree_with_the_interpreted_ones(text):
    game = load_game(text)
    for seed in range(3):
        state = game.new_state()
        target = game.new_state()
        every = 1 + game.max_plies // 40  # the interpreted side is slow
        for position in random_game(text, seed):
            if position.ply:
                compiled_play(state, position.last_action)
            if position.ply % every != seed % every and not position.is_over:
                continue
            own = position.state
            out, compiled_out = np.zeros((2, game.num_actions), np.int16)
            count = dispatch.legal(own, out)
            assert compiled_legal(state, compiled_out) == count
            assert np.array_equal(out[:count], compiled_out[:count])
            assert compiled_result(state) == dispatch.result(own)
            assert compiled_to_move(state) == dispatch.to_move(own)
            planes = np.full((game.num_planes, *game.shape), np.nan, np.float32)
            compiled_encode(state, planes)
            assert np.array_equal(planes, position.planes())
            compiled_copy(target, state)
            copied = game.new_state()
            dispatch.copy(copied, own)
            for compiled, interpreted, original in zip(*map(position_arrays, (target, copied, own)), strict=True):
                assert np.array_equal(compiled, original)
                assert np.array_equal(interpreted, original)
            with np.errstate(over="ignore"):
                assert int(compiled_key(state)) == int(dispatch.key(own)) == int(compiled_key(target))
                rng, compiled_rng = make_rng(position.ply), make_rng(position.ply)
                assert compiled_rollout(target, compiled_rng) == dispatch.rollout(own, rng)
            assert np.array_equal(rng, compiled_rng)
            for compiled, interpreted in zip(position_arrays(target), position_arrays(own), strict=True):
                assert np.array_equal(compiled, interpreted)
            compiled_copy(target, state)
            assert int(compiled_key(target)) == int(compiled_key(state))


@every_game
def test_keys_differ_with_all_that_planes_show(text):
    shown = {position.diagram(): position for seed in range(6) for position in random_game(text, seed)}
    positions = shown.values()
    keys = {int(compiled_key(position.state)) for position in positions}
    assert len(keys) == len(positions)
    silent = {
        position.game.parse_diagram(position.diagram().partition(", last")[0]) for position in positions if position.ply
    }
    assert keys.isdisjoint(int(compiled_key(position.state)) for position in silent)


@every_game
def test_rollouts_end_in_positions_that_the_rules_call_over(text):
    game = load_game(text)
    rng = make_rng(7)
    for seed in range(3):
        for position in random_game(text, seed)[:: 1 + game.max_plies // 50]:
            state = position.state
            result = compiled_rollout(state, rng)
            end = Position(game, state)
            assert result == end.result != dispatch.ONGOING
            if position.is_over:
                assert end == position
                continue
            # The end keeps every stone, counts the plies, and is what its own board says by the rules.
            assert position.ply < end.ply <= game.max_plies
            if GAMES[text].stones_stay:
                before, after = position.cells(), end.cells()
                assert np.array_equal(after[before != 0], before[before != 0])
                assert end.ply == np.count_nonzero(after)
            assert is_shown_the_same(game.parse_diagram(end.diagram()), end)
            if GAMES[text].boards_suffice:
                assert game.parse_diagram(end.diagram()).result == result


@every_line_game
def test_first_moves_of_rollouts_are_uniform(text):
    game = load_game(text)
    for position in (*random_game(text, 8)[:3], *random_game(text, 9)[-2:-1]):
        root = position.state
        root.dims[2] = 1  # one in a row: the first move ends the game
        counts = np.zeros(game.num_actions, np.int64)
        first_moves(game.new_state(), root, make_rng(11 + position.ply), counts)
        legal = list(position.legal_actions())
        assert counts.sum() == counts[legal].sum() == 200 * len(counts)
        mean = counts.sum() / len(legal)
        chi_square = ((counts[legal] - mean) ** 2 / mean).sum()
        freedom = len(legal) - 1
        # Mean n, standard deviation sqrt(2n): five deviations and a little for the smallest boards.
        assert chi_square < freedom + 5 * np.sqrt(2 * freedom) + 5


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        pytest.param("tictactoe", free(3, 3, 3), marks=pytest.mark.slow),
        ("connectn(rows=2, cols=4, k=3)", free(2, 4, 3)),
        pytest.param("connect4(rows=3, cols=4, k=3)", drop(3, 4, 3), marks=pytest.mark.slow),
        ("connect4(rows=4, cols=3, k=2)", drop(4, 3, 2)),
        ("nim", nim([15], 3)),
        ("nim(heaps=3-4-5)", nim([3, 4, 5], 5)),
        ("nim(heaps=4-2, max_take=3)", nim([4, 2], 3)),
    ],
)
def test_rollout_results_have_the_chances_of_random_play(text, facts):
    game = load_game(text)
    number = 20_000
    counts = np.zeros(4, np.int64)
    rollout_results(game.new_state(), game.new_state(), make_rng(5), counts, number)
    assert counts[dispatch.ONGOING] == 0
    for result, chance in random_play_chances(facts.reference()).items():
        expected = float(chance) * number
        assert abs(counts[RESULTS[result]] - expected) <= 5 * np.sqrt(expected * (1 - float(chance))) + 1e-9


def late_positions(text: str, number: int) -> Iterator[Position]:
    """Positions of random games with six empty cells or a few less, that are not over."""
    for seed in range(200):
        for position in random_game(text, seed):
            if np.count_nonzero(position.cells() == 0) <= 6 and not position.is_over:
                yield position
                number -= 1
                break
        if number == 0:
            return


@pytest.mark.parametrize(
    "text",
    slow_but(
        {*QUICK, "gomoku(size=6, rule=standard)"},
        ["gomoku(size=6, rule=standard)", "gomoku(size=6, rule=renju)", *(text for text in GAMES if "othello" in text)],
    ),
)
def test_last_boards_of_rollouts_have_the_chances_of_random_play(text):
    game = load_game(text)
    number = 3000
    for root in late_positions(text, 2):
        reference = five(6, renju=False).reference() if text not in GAMES else GAMES[text].reference()
        for action in root.moves:
            reference.play(action)
        expected = final_boards(reference)
        state, rng = game.new_state(), make_rng(17 + root.ply)
        counts = dict.fromkeys(expected, 0)
        names = {code: name for name, code in RESULTS.items()}
        for _ in range(number):
            compiled_copy(state, root.state)
            result = compiled_rollout(state, rng)
            counts[tuple(map(tuple, game.board.cells(state).tolist())), names[result]] += 1
        for end, chance in expected.items():
            mean = float(chance) * number
            assert abs(counts[end] - mean) <= 5 * np.sqrt(mean) + 5


@every_game
def test_new_states_are_independent(text):
    game = load_game(text)
    state = game.new_state()
    dispatch.play(state, game.initial().legal_actions()[0])
    assert game.new_state().info[PLY] == 0
    assert game.initial().ply == 0
