"""Chains, ladders and areas of Go: KataGo's own cases exactly, random boards against the slow reference."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from core._jit import jit
from core.games.go_area import Areas, area_score, find_area, new_areas, tax_groups
from core.games.go_chains import KO, NOWHERE, Chains, cell_of, is_legal, new_chains, play, set_stones, take_back
from core.games.go_ladder import find_ladders, new_ladders
from tests.core.games import reference_go_reading as slow

DATA = Path(__file__).parents[2] / "data" / "katago"
SIZES = [(1, 4), (2, 2), (2, 9), (3, 5), (5, 5), (7, 4), (7, 7), (6, 9)]


def cases(name: str) -> list[dict]:
    return json.loads((DATA / f"{name}.json").read_text())


def stones_of(rows: list[str]) -> np.ndarray:
    """int8 [H, W] of a drawn board."""
    return np.array([[".XO".index(stone) for stone in row] for row in rows], np.int8)


def board_of(stones: np.ndarray) -> slow.Board:
    return {(int(r), int(c)): int(stones[r, c]) for r, c in np.ndindex(stones.shape)}


def on_points(chains: Chains, values: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """What an array over cells says of the points, [H, W]."""
    cells = [cell_of(chains, point) for point in range(shape[0] * shape[1])]
    return values[cells].reshape(shape)


def random_board(shape: tuple[int, int], random_: random.Random) -> tuple[np.ndarray, slow.Cell | None]:
    """A board after random legal moves, and its ko."""
    board: slow.Board = dict.fromkeys(np.ndindex(*shape), 0)
    ko = None
    for _ in range(random_.randint(1, 2 * len(board))):
        after = slow.play(board, ko, random_.choice(list(board)), random_.randint(1, 2))
        board, ko = after or (board, ko)
    return np.array([board[cell] for cell in np.ndindex(*shape)], np.int8).reshape(shape), ko


def filled_board(shape: tuple[int, int], random_: random.Random) -> np.ndarray:
    """A board of random moves that fill no eye of their colour, where chains live."""
    board: slow.Board = dict.fromkeys(np.ndindex(*shape), 0)
    ko = None
    for _ in range(6 * len(board)):
        cell, colour = random_.choice(list(board)), random_.randint(1, 2)
        after = slow.play(board, ko, cell, colour)
        if after and any(board[c] != colour for c in slow.near(board, cell)):
            board, ko = after
    return np.array([board[cell] for cell in np.ndindex(*shape)], np.int8).reshape(shape)


def random_boards(seed: int, each: int) -> list[tuple[np.ndarray, slow.Cell | None]]:
    """Boards of every size, of either kind in turn, and their kos."""
    random_ = random.Random(seed)
    return [
        (filled_board(shape, random_), None) if number % 2 else random_board(shape, random_)
        for shape in SIZES
        for number in range(each)
    ]


def set_up(stones: np.ndarray, ko: slow.Cell | None = None) -> tuple[Chains, Areas]:
    rows, cols = stones.shape
    chains = new_chains(rows, cols)
    set_stones(chains, stones.reshape(-1), -1 if ko is None else ko[0] * cols + ko[1])
    return chains, new_areas(rows, cols)


def check_chains(chains: Chains, shape: tuple[int, int]) -> None:
    """Heads, circles, sizes and liberties are those of the stones."""
    board = board_of(on_points(chains, chains.cells, shape))
    cells = {cell: cell_of(chains, cell[0] * shape[1] + cell[1]) for cell in board}
    for colour in (1, 2):
        for stones in slow.components(board, {colour}):
            inside = {cells[stone] for stone in stones}
            (head,) = {int(chains.head[cell]) for cell in inside}
            assert head in inside
            circle = [head]
            while chains.next[circle[-1]] != head:
                circle.append(int(chains.next[circle[-1]]))
            assert sorted(circle) == sorted(inside)
            assert chains.size[head] == len(stones)
            assert chains.liberties[head] == len(slow.around(board, stones, 0))


@pytest.mark.parametrize("shape", SIZES, ids=str)
def test_stones_are_played_and_taken_back(shape):
    random_ = random.Random(7)
    for _ in range(4):
        start, _ = random_board(shape, random_)
        chains = new_chains(shape[0], shape[1], 60)
        set_stones(chains, start.reshape(-1), -1)
        check_chains(chains, shape)
        past = []
        for _ in range(60):
            board = board_of(on_points(chains, chains.cells, shape))
            ko = None
            if chains.dims[KO] != NOWHERE:
                (ko,) = [cell for cell in board if cell_of(chains, cell[0] * shape[1] + cell[1]) == chains.dims[KO]]
            move, colour = random_.choice(list(board)), random_.randint(1, 2)
            cell, expected = cell_of(chains, move[0] * shape[1] + move[1]), slow.play(board, ko, move, colour)
            assert is_legal(chains, cell, colour) == (expected is not None)
            if expected and len(past) < 60:
                past.append((board, int(chains.dims[KO])))
                play(chains, cell, colour)
                assert board_of(on_points(chains, chains.cells, shape)) == expected[0]
                check_chains(chains, shape)
            for _ in range(random_.randint(0, 2) if past and random_.random() < 0.4 else 0):
                if past:
                    take_back(chains)
                    board, ko_cell = past.pop()
                    assert board_of(on_points(chains, chains.cells, shape)) == board
                    assert chains.dims[KO] == ko_cell
                    check_chains(chains, shape)


@pytest.mark.parametrize("case", cases("ladders"), ids=lambda case: case["name"])
def test_ladders_of_katago(case):
    stones = stones_of(case["board"])
    ladders = new_ladders(*stones.shape)
    set_stones(ladders.chains, stones.reshape(-1), -1)
    find_ladders(ladders, True)
    head = on_points(ladders.chains, ladders.chains.head, stones.shape)
    asked = (stones != 0) & (ladders.chains.liberties[head] == case["libs"])
    expected = np.array([[mark == "1" for mark in row] for row in case["laddered"]])
    assert np.array_equal(on_points(ladders.chains, ladders.caught, stones.shape).astype(bool) & asked, expected)


@pytest.mark.slow
def test_ladders_of_random_boards():
    read = working = tried = 0
    for stones, ko in random_boards(3, 80):
        board, shape = board_of(stones), stones.shape
        ladders = new_ladders(*shape)
        set_stones(ladders.chains, stones.reshape(-1), -1 if ko is None else ko[0] * shape[1] + ko[1])
        find_ladders(ladders, True)
        check_chains(ladders.chains, shape)
        caught = on_points(ladders.chains, ladders.caught, shape)
        moves = on_points(ladders.chains, ladders.working, shape)
        find_ladders(ladders, False)
        assert np.array_equal(on_points(ladders.chains, ladders.caught, shape), caught)
        expected = dict.fromkeys(board, 0)
        for colour in (1, 2):
            for chain in slow.components(board, {colour}):
                if len(slow.around(board, chain, 0)) > 2:
                    assert not any(caught[cell] for cell in chain)
                    continue
                tried += 1
                try:
                    is_caught, first = slow.ladder(board, ko, min(chain))
                except slow.TooLong:
                    expected = None
                    continue
                read += 1
                working += len(first)
                assert {bool(caught[cell]) for cell in chain} == {is_caught}
                if expected:
                    for cell in first:
                        expected[cell] |= colour
        assert expected is None or board_of(moves) == expected
    assert read > 0.95 * tried
    assert working > 300


def test_an_attack_that_captures_frees_the_chains_beside():
    rows = ["XOXXXOO", ".OXX.O.", "OOOXXXO", "OXOOXXO", "XXXOXOO", "X.OOXOO", "XXOOXXO"]
    stones = stones_of(rows)
    ladders = new_ladders(7, 7)
    set_stones(ladders.chains, stones.reshape(-1), -1)
    find_ladders(ladders, True)
    caught = on_points(ladders.chains, ladders.caught, (7, 7))
    # White's corner cannot take the black stones that are in atari once black took those beside it.
    assert [caught[0, 5], caught[0, 6], caught[1, 5]] == [1, 1, 1]
    assert np.argwhere(on_points(ladders.chains, ladders.working, (7, 7)) & 2).tolist() == [[1, 6]]
    assert slow.ladder(board_of(stones), None, (0, 5)) == (True, {(1, 6)})


@pytest.mark.parametrize("stones", [".OX.X.X OXXXXXX XX.....", ".XO.O.O XOOOOOO OO....."])
def test_an_eye_of_dead_stones_is_not_theirs(stones):
    chains, areas = set_up(stones_of(stones.split()))
    find_area(chains, areas, 3, False)
    assert set(on_points(chains, areas.area, (3, 7)).reshape(-1)) == {".XO".index(stones[2])}


@pytest.mark.parametrize("case", cases("areas"), ids=lambda case: case["name"])
def test_areas_of_katago(case):
    stones = stones_of(case["board"])
    chains, areas = set_up(stones)
    find_area(chains, areas, case["safe"] + case["unsafe"] + case["stones"], bool(case["suicide"]))
    assert np.array_equal(on_points(chains, areas.area, stones.shape), stones_of(case["area"]))


@pytest.mark.parametrize("case", cases("independent_life"), ids=lambda case: case["name"])
def test_independent_life_of_katago(case):
    stones = stones_of(case["board"])
    chains, areas = set_up(stones)
    find_area(chains, areas, 3, bool(case["suicide"]))
    groups = tax_groups(chains, areas, case["keep_territories"] + 2 * case["keep_stones"])
    assert groups == case["white_minus_black_groups"]
    assert np.array_equal(on_points(chains, areas.area, stones.shape), stones_of(case["area"]))


@jit
def score(chains, areas, tax, suicide):
    return area_score(chains, areas, tax, suicide)


@pytest.mark.slow
def test_areas_of_random_boards():
    alive = taxed = 0
    for stones, _ in random_boards(4, 12):
        board = board_of(stones)
        chains, areas = set_up(stones)
        for suicide in (False, True):
            for upto in range(4):
                find_area(chains, areas, upto, suicide)
                owner = slow.area(board, suicide, upto)
                assert board_of(on_points(chains, areas.area, stones.shape)) == owner
                alive += upto == 0 and any(owner.values())
            for keep in range(4):
                find_area(chains, areas, 3, suicide)
                left, groups = slow.untaxed(board, owner, keep)
                assert tax_groups(chains, areas, keep) == groups
                assert board_of(on_points(chains, areas.area, stones.shape)) == left
                taxed += left != owner
            left, groups = slow.untaxed(board, owner, 2)
            points = [sum((0, -1, 1)[value] for value in values.values()) for values in (owner, left)]
            assert [score(chains, areas, tax, suicide) for tax in range(3)] == [*points, points[1] - 2 * groups]
    assert alive > 20
    assert taxed > 50
