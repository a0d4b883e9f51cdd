"""The input of our own nets of Go against slow Python, its key, the owners of points, and games of another komi."""

import numpy as np
import pytest

from core.games import Position, dispatch, load_game
from core.games.encoding import key
from core.games.go_encodings import POINTS
from core.games.go_planes_points import POINTS_PLANES
from core.games.net_inputs import encoding_for, inputs_of

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
    assert points is not None
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
