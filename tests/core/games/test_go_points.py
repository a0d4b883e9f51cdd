"""Points of Go: areas and territory, counts at the end, and shapes that live."""

import random

import numpy as np
import pytest

from core.games import Position, dispatch, load_game
from core.games.encoding import key
from core.games.go_board import MARGIN
from core.games.go_encodings import POINTS
from core.games.go_planes_points import POINTS_PLANES
from core.games.net_inputs import encoding_for, inputs_of
from core.games.walk import Walk
from tests.core.games.reference_go import ReferenceGo

GO = load_game("go(rows=4, cols=5, komi=2.5)")


def neighbours(cells: np.ndarray, row: int, col: int) -> list[tuple[int, int]]:
    near = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    return [(r, c) for r, c in near if 0 <= r < cells.shape[0] and 0 <= c < cells.shape[1]]


def region(cells: np.ndarray, start: tuple[int, int]) -> set[tuple[int, int]]:
    found = {start}
    waiting = [start]
    while waiting:
        for near in neighbours(cells, *waiting.pop()):
            if cells[near] == cells[start] and near not in found:
                found.add(near)
                waiting.append(near)
    return found


def slow_owners(cells: np.ndarray) -> np.ndarray:
    owners = cells.copy()
    for row, col in np.argwhere(cells == 0).tolist():
        around = {int(cells[near]) for point in region(cells, (row, col)) for near in neighbours(cells, *point)} - {0}
        owners[row, col] = around.pop() if len(around) == 1 else 0
    return owners


def slow_planes(position: Position) -> dict[str, np.ndarray]:
    cells, own = position.cells(), 1 + position.to_move
    planes = {name: np.zeros(cells.shape) for name in POINTS_PLANES}
    planes["board"][:] = 1
    owners = slow_owners(cells)
    moves = position.moves[::-1]
    for row, col in np.ndindex(cells.shape):
        stone, action = int(cells[row, col]), row * cells.shape[1] + col
        if stone:
            planes["own stones" if stone == own else "opponent's stones"][row, col] = 1
            chain = region(cells, (row, col))
            free = len({near for point in chain for near in neighbours(cells, *point) if cells[near] == 0})
            if free <= 3:
                planes[f"{free} libert{'y' if free == 1 else 'ies'}"][row, col] = 1
            continue
        if owners[row, col]:
            planes["own territory" if owners[row, col] == own else "opponent's territory"][row, col] = 1
        if not position.is_over and action not in position.legal_actions():
            with pytest.raises(ValueError, match="not legal") as error:
                position.play(action)
            planes["forbidden by ko"][row, col] = "liberty" not in str(error.value)
    for name, place in (("last move", 0), ("move before", 1)):
        if len(moves) > place and moves[place] < cells.size:
            planes[name].flat[moves[place]] = 1
    return planes


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese"])
def test_planes_and_features_are_those_of_the_position(rules: str) -> None:
    """Random games, in which captures, ko and superko occur."""
    game = load_game(f"go(rows=4, cols=5, komi=2.5, rules={rules})")
    encoding = encoding_for(game, "points")
    rng = np.random.default_rng(4)
    forbidden = 0.0
    for _ in range(12):
        position = game.initial()
        while not position.is_over and position.ply < 50:
            inputs = inputs_of(position, encoding)
            expected = slow_planes(position)
            for name, found in zip(POINTS_PLANES, inputs.planes[0], strict=True):
                np.testing.assert_array_equal(found, expected[name], name)
            forbidden += inputs.planes[0, POINTS_PLANES.index("forbidden by ko")].sum()
            owners, side = slow_owners(position.cells()), 1 if position.to_move == 0 else -1
            lead = side * (int((owners == 1).sum()) - int((owners == 2).sum()) - 2.5)
            komi, _, now, winner, passed = inputs.features[0].tolist()
            assert komi == pytest.approx(-side * 2.5 / 20)
            assert now == pytest.approx(np.tanh(lead / 10))
            assert winner == np.sign(lead)
            assert passed == (position.last_action == 20)
            weights = np.ones(len(position.legal_actions()))
            weights[-1] = 0.3  # seldom a pass
            position = position.play(int(rng.choice(position.legal_actions(), p=weights / weights.sum())))
    assert forbidden > 0 or rules == "chinese"


def test_the_key_differs_where_the_input_does() -> None:
    """Other komi, another last move, the move before it and a ko; the same input has the same key."""
    encoder = encoding_for(GO, "points").new_encoder()
    lines = ["", "a1", "a1 b1", "c1 b1", "b1 pass a1", "a1 b1 pass", "a1 b1 pass pass"]
    keys = [key(encoder, GO.position(line).state) for line in lines]
    assert len(set(keys)) == len(keys)
    assert key(encoder, GO.position("c3 a1 d3 b1").state) != key(encoder, GO.position("d3 a1 c3 b1").state)
    assert key(encoder, GO.position("e1 c3 a1 d3 b1").state) == key(encoder, GO.position("e1 c3 a1 d3 b1").state)
    other = load_game("go(rows=4, cols=5, komi=3)")
    assert key(encoder, other.initial().state) != keys[0]


@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese"])
def test_a_ko_changes_key_and_plane(rules: str) -> None:
    game = load_game(f"go(size=5, komi=0.5, rules={rules})")
    taken = game.position("b3 c3 a2 d2 b1 c1 c2 b2")  # white takes the ko at c2
    free = game.parse_diagram(taken.diagram())
    encoding = encoding_for(game, "points")
    plane = POINTS_PLANES.index("forbidden by ko")
    assert inputs_of(taken, encoding).planes[0, plane].sum() == 1
    assert inputs_of(free, encoding).planes[0, plane].sum() == 0
    encoder = encoding.new_encoder()
    assert key(encoder, taken.state) != key(encoder, free.state)


def test_owners_and_margin_are_those_of_the_rules() -> None:
    rng = np.random.default_rng(7)
    points = GO.scoring
    assert points is not None
    for _ in range(20):
        position = GO.initial()
        while not position.is_over:
            position = position.play(int(rng.choice(position.legal_actions())))
        np.testing.assert_array_equal(points.owners(position.cells()), slow_owners(position.cells()))
        if position.result != dispatch.DRAW:
            assert points.margin(position.state) == dispatch.margin(position.state)


def test_another_komi_begins_with_its_own_info() -> None:
    points = GO.scoring
    state = GO.new_state()
    state.info[:] = points.first_info(4.0)
    moved = load_game(points.text(*GO.shape, 4.0))
    assert moved.params["komi"] == 4.0
    encoding = encoding_for(GO, "points")
    np.testing.assert_array_equal(
        inputs_of(Position(GO, state), encoding).features, inputs_of(moved.initial(), encoding).features
    )


def test_games_without_points_have_no_such_input() -> None:
    game = load_game("tictactoe")
    assert game.scoring is None
    assert encoding_for(game, "board") is game.encodings[0]
    with pytest.raises(ValueError, match="tictactoe has no points to show to a net"):
        encoding_for(game, "points")
    assert encoding_for(GO, "points").name == POINTS


@pytest.mark.parametrize("rules", ["rules=japanese", "rules=korean", "tax=seki", "tax=all"])
def test_only_plain_area_is_scored_in_self_play(rules: str) -> None:
    assert load_game("go(size=5)").scoring is not None
    assert load_game(f"go(size=5, {rules})").scoring is None


RULES = (
    "rules=chinese, komi=3",
    "rules=aga, button=yes",
    "rules=chinese, tax=seki",
    "tax=all, komi=2",
    "rules=japanese",
    "rules=korean, komi=0, tax=none",
    "rules=japanese, komi=-1, tax=all",
)


def ended(game, choose, start=None):
    """A random game that two passes ended."""
    position = start or game.initial()
    last = game.num_actions - 1
    for _ in range(choose.randrange(5, 60)):
        stones = [action for action in position.legal_actions() if action != last]
        if not stones:
            break
        position = position.play(choose.choice(stones))
    while not position.is_over:
        position = position.play(last)
    return position


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("size", ["size=4", "rows=3, cols=6", "size=7"])
def test_without_dead_stones_it_is_the_result(rules, size):
    game, choose = load_game(f"go({size}, {rules})"), random.Random(4)
    counted = 0
    for _ in range(25):
        position = ended(game, choose)
        if not game.counting.applies(position):
            continue
        counted += 1
        count = game.counting.counted(position, ())
        assert 2 * count.margin == position.state.info[MARGIN]
        assert count.margin == dispatch.margin(position.state)
        assert (count.owners[position.cells() != 0] == position.cells()[position.cells() != 0]).all()
    assert counted > 10


@pytest.mark.parametrize("rules", ["rules=chinese, komi=0", "rules=japanese, komi=0, tax=none", "rules=korean, komi=0"])
def test_dead_stones_become_points(rules):
    """As if they had been taken off, and where territory is counted they are prisoners beside."""
    game, choose = load_game(f"go(size=6, {rules})"), random.Random(8)
    for _ in range(40):
        position = ended(game, choose)
        if not game.counting.applies(position):
            continue
        cells = position.cells()
        dead = game.counting.chains_at(position, choose.sample(range(36), 3))
        reference = ReferenceGo(6, 6, 0, "simple", False, tax=game.params["tax"])
        reference.territory = game.params["rules"] != "chinese"
        for action in position.moves:
            reference.play(action)
        for cell in dead:
            row, col = divmod(cell, 6)
            reference.prisoners[2 - cells[row, col]] += 1
            reference.board[row][col] = 0
        count = game.counting.counted(position, dead)
        assert count.margin == reference.points()
        assert count.dead == dead


def test_chains_live_or_die_whole():
    game = load_game("go(size=5)")
    position = game.parse_diagram("X X . . .\n. X . O .\n. . . O .\nX . . . .\n. . . . O\nX to move")
    assert game.counting.chains_at(position, (0,)) == {0, 1, 6}
    assert game.counting.chains_at(position, (13, 8, 2)) == {8, 13}
    assert game.counting.chains_at(position, (2,)) == frozenset()
    ownership = np.zeros((5, 5))
    ownership[0, 0], ownership[0, 1], ownership[1, 1] = 0.1, -0.9, -0.9  # on the whole white's
    ownership[1, 3], ownership[2, 3] = -0.9, 0.5
    ownership[4, 4], ownership[3, 0] = 1, 1
    assert game.counting.dead_stones(position, ownership) == {0, 1, 6, 24}
    assert game.counting.dead_stones(position, -ownership) == {15}


def by_hand(rules, diagram, dead=(), passes=2):
    rows = diagram.split("\n")
    game = load_game(f"go(rows={len(rows) - 1}, cols={len(rows[0].split())}, {rules})")
    position = game.parse_diagram(diagram)
    for _ in range(passes):
        position = position.play(game.num_actions - 1)
    return game.counting.counted(position, [game.parse_action(name) for name in dead])


def test_parts_of_a_count():
    # White's stone at b2 is dead; c1 and c2 separate the sides.
    board = ". O . X O . .\n. . . X O . .\nX to move"
    count = by_hand("rules=japanese, komi=0.5", board, ["b2"])
    parts = {part.title: part.points for part in count.parts}
    assert parts == {"territory": (6, 4), "prisoners": (1, 0), "komi": (0, 0.5)}
    assert count.totals == (7, 4.5)
    assert count.owners.tolist() == [[1, 1, 1, 1, 2, 2, 2], [1, 1, 1, 1, 2, 2, 2]]
    count = by_hand("rules=chinese, komi=0.5", board, ["b2"])
    assert {part.title: part.points for part in count.parts} == {
        "territory": (6, 4),
        "stones": (2, 2),
        "komi": (0, 0.5),
    }
    assert by_hand("rules=japanese, komi=0.5, tax=all", board, ["b2"]).margin == 2.5
    assert by_hand("rules=japanese, komi=0.5", board).margin == -4.5 + 0


def test_handicap_and_button_are_parts():
    count = by_hand("rules=chinese, komi=0.5", "X . X\n. X .\nO to move")
    assert {part.title: part.points for part in count.parts}["handicap"] == (0, 3)
    count = by_hand("rules=aga, komi=0.5, button=yes", "X . X\n. X .\nO to move", passes=3)
    assert {part.title: part.points for part in count.parts}["handicap"] == (0, 2)
    assert {part.title: part.points for part in count.parts}["button"] == (0, 0.5)
    assert count.margin == 6 - 3


def test_neutral_points_may_be_left_where_groups_have_two_eyes():
    """Under Japanese rules seki has no territory, and a group with two eyes beside a neutral point is in no seki."""
    eyes = ". X . X . O . O .\nX X X X . O O O O\nX to move"
    assert by_hand("rules=japanese, komi=0", eyes).margin == 0
    count = by_hand("rules=japanese, komi=0", eyes)
    assert count.parts[0].points == (2, 2)
    assert not count.seki
    one_eye = "X X X X . O . O .\nX . . X . O O O O\nX to move"
    count = by_hand("rules=japanese, komi=0", one_eye)
    assert count.parts[0].points == (0, 2)
    assert len(count.seki) == 6
    assert count.owners[1].tolist() == [1, 0, 0, 1, 0, 2, 2, 2, 2]


def test_what_is_counted():
    game = load_game("go(size=2, rules=chinese)")
    assert game.counting.applies(game.position("a1 pass pass"))
    assert not game.counting.applies(game.position("a1 pass"))
    assert not game.counting.applies(game.initial())
    assert game.counting.marks
    assert not load_game("go").counting.marks
    assert load_game("othello").counting is None
    choose, repeated = random.Random(1), 0
    while not repeated:
        position = game.initial()
        while not position.is_over:
            position = position.play(choose.choice(position.legal_actions()[:-1] or (4,)))
        repeated += position.last_action != 4
        assert isinstance(position, Position)
        assert game.counting.applies(position) == (position.last_action == 4)


def named(game, cells):
    return {game.action_name(cell) for cell in cells}


def chain_at(position, name):
    action = position.game.parse_action(name)
    return next(c for c in position.game.board.chains(position.state) if action in c.cells)


def random_game(text, seed, plies):
    chance, position = random.Random(seed), load_game(text).initial()
    while not position.is_over and len(position.moves) < plies:
        position = position.play(chance.choice(position.legal_actions()))
    return position


KO = "b3 c3 c4 d4 c2 d2 e1 e3 d3"  # black has just taken in a ko; white may not retake at c3


@pytest.mark.parametrize("rules", ["rules=chinese", "ko=positional"])
def test_ko(rules):
    game = load_game(f"go(size=5, {rules})")
    position = game.position(KO)
    assert position.repeating() == {game.parse_action("c3"): "it retakes a ko at once"}
    assert position.captured() == (0, 1)
    away = position.play(game.parse_action("a5")).play(game.parse_action("a1"))
    assert away.repeating() == {}
    assert away.play(game.parse_action("c3")).captured() == (1, 1)


def test_superko():
    """Where suicide is legal, an empty point that is not repeats a position or is a stone alone without a liberty."""
    reasons, others = set(), set()
    for seed in range(20):
        chance, position = random.Random(seed), load_game("go(size=3, ko=situational)").initial()
        while not position.is_over:
            closed = set(np.flatnonzero(position.cells() == 0).tolist()) - set(position.legal_actions())
            reasons |= set(position.repeating().values())
            refusal = position.game.board.refusal
            others |= {refusal(position.state, action) for action in closed - set(position.repeating())}
            position = position.play(chance.choice(position.legal_actions()[:-1] or position.legal_actions()))
    assert reasons == {"it repeats an earlier position", "it retakes a ko at once"}
    assert others == {"the stone would have no liberty"}


def test_suicide_is_no_ko():
    game = load_game("go(size=5, rules=chinese)")
    position = game.position("a4 e5 b5 e4")
    assert game.parse_action("a5") in position.play(game.parse_action("c1")).game.position("a4").legal_actions()
    before = position.play(game.parse_action("c1"))
    assert game.parse_action("a5") not in before.legal_actions()
    assert before.repeating() == {}


def test_other_games_capture_nothing():
    for text in ("othello", "gomoku", "connect4"):
        position = random_game(text, 1, 9)
        assert (position.captured(), position.repeating()) == ((0, 0), {})


@pytest.mark.slow
@pytest.mark.parametrize("text", ["go(size=5)", "go(size=7, rules=chinese)", "go(rows=3, cols=6)", "othello", "gomoku"])
def test_playing_in_place_is_playing(text):
    for seed in range(3):
        chance, position = random.Random(seed), load_game(text).initial()
        walk = Walk.of(position)
        while not position.is_over and len(position.moves) < 150:
            legal = position.legal_actions()
            assert walk.legal_actions() == legal
            alone = walk.copy()
            tried = range(len(position.moves) % 1, position.game.num_actions, 1)
            assert [a for a in tried if alone.allows(a)] == sorted({*legal} & {*tried})
            assert (walk.to_move, walk.is_over) == (position.to_move, False)
            assert np.array_equal(walk.cells(), position.cells())
            action = chance.choice(legal)
            position = position.play(action)
            walk.play(action)
        assert walk.is_over == position.is_over
        assert walk.position() == position
        assert not any(walk.allows(a) for a in range(position.game.num_actions)) or not position.is_over


def test_a_move_is_checked_alone_or_among_all():
    position = random_game("go(size=5)", 5, 60)
    fresh = Position(position.game, position.state, position.moves, position.start)
    legal = position.legal_actions()
    for action in range(position.game.num_actions):
        assert fresh._allows(action) == (action in legal)
    assert not fresh._allows(-1)
    assert not fresh._allows(position.game.num_actions)


def flooded(cells, cell):
    """The chain of a stone and its liberties, once more."""
    rows, cols = cells.shape
    chain, liberties, todo = set(), set(), [cell]
    while todo:
        at = todo.pop()
        if at in chain:
            continue
        chain.add(at)
        row, col = divmod(at, cols)
        for r, c in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
            if 0 <= r < rows and 0 <= c < cols:
                if cells[r, c] == 0:
                    liberties.add(r * cols + c)
                elif cells[r, c] == cells.flat[cell]:
                    todo.append(r * cols + c)
    return chain, liberties


@pytest.mark.parametrize("text", ["go(size=9)", "go(rows=4, cols=11)", "go(size=2)", "go(size=19)"])
def test_chains_and_their_liberties(text):
    for seed in range(3):
        position = random_game(text, seed, 70)
        cells = position.cells()
        chains = position.game.board.chains(position.state)
        assert sorted(cell for c in chains for cell in c.cells) == np.flatnonzero(cells).tolist()
        for chain in chains:
            assert (set(chain.cells), set(chain.liberties)) == flooded(cells, chain.cells[0])
            assert {int(cells.flat[cell]) for cell in chain.cells} == {chain.player + 1}
            assert set(chain.catches) <= set(chain.liberties)
            assert bool(chain.catches) <= chain.caught


def test_a_ladder():
    game = load_game("go(size=9)")
    position = game.position("c7 d7 e9 c6 a1 b7")  # black at c7 has c8 alone: no ladder, it runs into the open
    assert len(chain_at(position, "c7").liberties) == 1
    ladder = game.position("d6 c6 pass d7 pass e7 pass c5 pass")
    caught = chain_at(ladder, "d6")
    assert (caught.player, named(game, caught.liberties)) == (0, {"d5", "e6"})
    assert caught.caught
    assert named(game, caught.catches) == {"e6", "d5"} & named(game, caught.catches)
    assert caught.catches
    broken = game.position("d6 c6 g3 d7 f4 e7 pass c5 pass")
    assert len(chain_at(broken, "d6").catches) < 2


def test_area():
    game = load_game("go(size=5)")
    text = "\n".join(("X . X O .", "X X X O O", ". X O O .", "X X O . O", ". X O O O", "X to move"))
    owners = game.board.area(game.parse_diagram(text).state)
    assert set(np.unique(owners)) == {3, 4}, "all lives even if its player passes"
    assert (owners[:, :2] == 3).all()
    empty = game.board.area(game.initial().state)
    assert not empty.any()
    alone = game.board.area(game.position("c3").state)
    assert (alone == 1).all(), "as the game would be counted, and nothing is held"
    counted = game.position("c3 pass pass")
    assert counted.is_over
