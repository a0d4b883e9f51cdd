"""Planes and globals of Go nets: KataGo's own exactly, random games against the slow reference, turned boards."""

import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core._jit import jit
from core.games import go_view, load_game
from core.games.go_board import POSITIONAL, SIMPLE, SITUATIONAL
from core.games.go_planes import V7_GLOBALS, V7_PLANES, encode_v7, new_reading
from core.games.go_planes_zero import LEELA_PLANES, ZERO_PLANES, encode_leela, encode_zero
from core.games.go_state_view import view_of
from core.games.go_view import BOARDS, NONE, GoView, new_view
from core.games.net_inputs import inputs_of
from tests.core.games import reference_go_reading as slow
from tests.core.games.reference_go import ReferenceGo

DATA = Path(__file__).parents[2] / "data" / "katago"
KO_RULES = {"simple": SIMPLE, "positional": POSITIONAL, "situational": SITUATIONAL}
PLANES, GLOBALS = len(V7_PLANES), len(V7_GLOBALS)


def cases(name: str) -> list[dict]:
    return json.loads((DATA / f"{name}.json").read_text())


@jit
def zero(view, out):
    encode_zero(view, out)


@jit
def leela(view, out):
    encode_leela(view, out)


def v7(view: GoView, shape: tuple[int, int], tensor: tuple[int, int] | None = None) -> tuple[np.ndarray, np.ndarray]:
    planes, numbers = np.full((PLANES, *(tensor or shape)), 7, np.float32), np.full(GLOBALS, 7, np.float32)
    encode_v7(view, new_reading(*shape), planes, numbers)
    return planes, numbers


def point(size: int, name: str) -> int:
    return size * size if not name else (ord(name[1]) - ord("a")) * size + ord(name[0]) - ord("a")


@pytest.mark.parametrize("case", cases("planes_v7"), ids=lambda case: case["name"])
def test_planes_of_katago(case):
    size = case["size"]
    rules = case["rules"] if isinstance(case["rules"], dict) else {"ko": "positional", "suicide": True}
    suicide = "yes" if rules["suicide"] else "no"
    game = load_game(f"go(size={size}, komi={case['komi']}, ko={rules['ko']}, suicide={suicide})")
    position = game.initial()
    if case["setup_black"]:
        cells = np.zeros(size * size, np.int8)
        cells[[point(size, name) for name in case["setup_black"]]] = 1
        rows = [" ".join(".X"[cell] for cell in row) for row in cells.reshape(size, size)]
        position = game.parse_diagram("\n".join([*rows, "O to move"]))
    for _, name in case["moves"]:
        position = position.play(point(size, name))
    view = new_view(size, size)
    view_of(position.state, view)
    view.numbers[go_view.DRAW] = case["draw"]
    planes, numbers = v7(view, (size, size), (case["tensor"],) * 2)
    assert set(np.unique(planes)) == {0, 1}
    for plane, cells in case["planes"].items():
        assert np.argwhere(planes[int(plane)]).tolist() == cells, V7_PLANES[int(plane)]
    for number, value in case["globals"].items():
        assert numbers[int(number)] == pytest.approx(value, abs=1e-6), V7_GLOBALS[int(number)]


@pytest.mark.parametrize("case", cases("globals_by_rules"), ids=lambda case: f"{case['ko']} {case['komi']}")
def test_globals_of_katago(case):
    view = new_view(case["size"], case["size"])
    view.facts[go_view.KO_RULE] = KO_RULES[case["ko"]]
    view.facts[go_view.SUICIDE], view.facts[go_view.TAX] = case["suicide"], case["tax"]
    view.facts[go_view.TERRITORY], view.facts[go_view.BUTTON] = case["scoring"] == "territory", case["button"]
    view.numbers[go_view.KOMI], view.numbers[go_view.DRAW] = case["komi"], case["draw"]
    assert case["to_move"] == "B"
    assert v7(view, (case["size"],) * 2)[1] == pytest.approx(case["globals"], abs=1e-6)


@pytest.mark.parametrize("case", cases("globals_by_rules"), ids=lambda case: f"{case['ko']} {case['komi']}")
def test_globals_of_games(case):
    """The same by the parameters of the game."""
    if case["scoring"] == "territory" and case["button"]:
        return  # there is no such game
    tax, suicide = ("none", "seki", "all")[case["tax"]], "yes" if case["suicide"] else "no"
    rules = "japanese" if case["scoring"] == "territory" else "chinese"
    button = "yes" if case["button"] else "no"
    text = f"ko={case['ko']}, tax={tax}, suicide={suicide}, button={button}, komi={case['komi']}"
    game = load_game(f"go(size={case['size']}, rules={rules}, {text})")
    view = new_view(case["size"], case["size"])
    view_of(game.new_state(), view)
    view.numbers[go_view.DRAW] = case["draw"]
    assert v7(view, (case["size"],) * 2)[1] == pytest.approx(case["globals"], abs=1e-6)


def test_stones_played_shift_komi_where_territory_is_counted():
    """Area with this komi is territory and prisoners: stones set up count as played, passes do not."""
    game = load_game("go(size=5, rules=japanese, komi=0)")
    encoding = game.encodings[1]
    start = game.parse_diagram("X . . . .\n. . . . .\n. . X . .\n. . . . .\n. . . . .\nO to move")
    shifts = []
    for position in (game.initial(), start, start.play(25), start.play(1).play(7), start.play(24).play(1).play(25)):
        inputs = inputs_of(position, encoding)
        shifts.append(20 * float(inputs.features[0, 5]) * (1 if position.to_move else -1))
        assert inputs.features[0, [9, 10, 11, 18]].tolist() == [1, 1, 0, 0]
        assert not inputs.planes[0, [7, 8, 18, 19, 20, 21]].any()
    assert shifts == pytest.approx([0, 2, 2, 2, 2], abs=1e-5)
    assert game.encodings[1].no_result
    assert load_game("go(rules=japanese, ko=positional)").encodings[1].no_result


class Record:
    """A game of the reference, whose boards, kos and moves are kept, newest first."""

    def __init__(self, shape: tuple[int, int], **rules) -> None:
        self.shape = shape
        self.game = ReferenceGo(*shape, **rules)
        self.boards = [self.board()]
        self.kos: list[slow.Cell | None] = [None]
        self.moves: list[int] = []

    def board(self) -> slow.Board:
        return {(r, c): self.game.board[r][c] for r, c in np.ndindex(*self.shape)}

    def play(self, action: int) -> None:
        self.game.play(action)
        self.boards.insert(0, self.board())
        self.kos.insert(0, self.game.ko_cell)
        self.moves.insert(0, action)

    def banned(self) -> set[slow.Cell]:
        return {cell for cell, stone in self.boards[0].items() if not stone and self.game.refusal(cell) == "repetition"}

    def pass_ends(self) -> int:
        after = self.game.copy()
        after.play(self.shape[0] * self.shape[1])
        if after.ended != "passes":
            return go_view.PASS_GOES_ON
        return go_view.PASS_IS_SECOND if after.passes == 2 else go_view.PASS_REPEATS

    def planes(self, suicide: bool, banned: set[slow.Cell]) -> np.ndarray:
        """The planes of version 7."""
        planes = np.zeros((PLANES, *self.shape), np.float32)
        board, own = self.boards[0], 1 + self.game.to_move
        area = slow.area(board, suicide)
        for cell, stone in board.items():
            planes[0][cell] = 1
            if stone:
                planes[1 if stone == own else 2][cell] = 1
                if (count := len(slow.liberties(board, cell))) <= 3:
                    planes[2 + count][cell] = 1
            if area[cell]:
                planes[18 if area[cell] == own else 19][cell] = 1
        for cell in banned | ({self.kos[0]} - {None}):
            planes[6][cell] = 1
        for i, move in enumerate(self.moves[:5]):
            if move < len(board):
                planes[9 + i][divmod(move, self.shape[1])] = 1
        for ago in range(3):
            then = min(ago, len(self.moves))
            self._ladders(then, own, planes[14 + ago], planes[17] if ago == 0 else None)
        return planes

    def _ladders(self, ago: int, own: int, caught: np.ndarray, moves: np.ndarray | None) -> None:
        board = self.boards[ago]
        for colour in (1, 2):
            for chain in slow.components(board, {colour}):
                if len(slow.around(board, chain, 0)) <= 2:
                    is_caught, working = slow.ladder(board, self.kos[ago], min(chain))
                    for cell in chain if is_caught else ():
                        caught[cell] = 1
                    for cell in working if moves is not None and colour != own else ():
                        moves[cell] = 1


VARIANTS = [
    ((3, 3), {"ko": "positional", "suicide": True, "button": False, "komi": 7.5}),
    ((2, 5), {"ko": "situational", "suicide": True, "button": True, "komi": 0}),
    ((4, 4), {"ko": "simple", "suicide": False, "button": False, "komi": 6.5}),
    ((5, 4), {"ko": "positional", "suicide": True, "button": False, "komi": -3}),
    ((7, 7), {"ko": "situational", "suicide": False, "button": True, "komi": 0.5}),
    ((5, 9), {"ko": "simple", "suicide": True, "button": False, "komi": 7}),
]


def random_game(shape, rules, random_, greatest=60):
    """A random game, step by step: its position and record."""
    words = {name: ("yes" if value else "no") if isinstance(value, bool) else value for name, value in rules.items()}
    text = ", ".join(f"{name}={value}" for name, value in words.items())
    position, record = load_game(f"go(rows={shape[0]}, cols={shape[1]}, {text})").initial(), Record(shape, **rules)
    yield position, record
    for _ in range(greatest):
        actions = list(position.legal_actions())
        action = random_.choice(actions[:-1] or actions) if random_.random() < 0.95 else actions[-1]
        position = position.play(action)
        if position.is_over:
            return
        record.play(action)
        yield position, record


@pytest.mark.parametrize(
    ("shape", "rules"),
    [*VARIANTS[:3], *(pytest.param(*variant, marks=pytest.mark.slow) for variant in VARIANTS[3:])],
    ids=str,
)
def test_random_games(shape, rules):
    random_, size = random.Random(9), shape[0] * shape[1]
    seen = dict.fromkeys(["banned", "ko", "ko before", "taken", "catches", "second", "long"], 0)
    for _ in range(4):
        view = new_view(*shape)
        for position, record in random_game(shape, rules, random_):
            view_of(position.state, view)
            known = min(len(record.boards), BOARDS)
            stones = [[board[cell] for cell in np.ndindex(*shape)] for board in record.boards[:known]]
            assert view.stones[:known].tolist() == stones
            kos = [NONE if cell is None else cell[0] * shape[1] + cell[1] for cell in record.kos[:3]]
            assert view.kos[: len(kos)].tolist() == kos
            assert view.moves.tolist() == (record.moves + [NONE] * 5)[:5]
            assert view.facts[go_view.BOARDS_KNOWN] == known
            pass_ends, banned = record.pass_ends(), record.banned()
            assert view.facts[go_view.PASS_ENDS] == pass_ends
            button = float(record.game.button_bonus)  # black's
            assert view.numbers[go_view.KOMI] == rules["komi"] - button
            assert view.facts[go_view.BUTTON] == (not record.game.taken_button)
            try:
                expected = record.planes(rules["suicide"], banned)
            except slow.TooLong:
                seen["long"] += 1
                continue
            planes, numbers = v7(view, shape)
            for name, plane, wanted in zip(V7_PLANES, planes, expected, strict=True):
                assert np.array_equal(plane, wanted), name
            assert numbers[:5].tolist() == ([float(move == size) for move in record.moves] + [0.0] * 5)[:5]
            assert numbers[14] == (pass_ends != go_view.PASS_GOES_ON)
            seen["banned"] += bool(banned)
            seen["ko"] += kos[0] != NONE
            seen["ko before"] += any(ko != NONE for ko in kos[1:])
            seen["taken"] += sum(map(bool, stones[0])) < sum(map(bool, stones[-1]))
            seen["catches"] += bool(expected[17].any())
            seen["second"] += pass_ends == go_view.PASS_IS_SECOND
            _check_boards(view, record)
    assert seen["catches"] > 5
    assert seen["taken"]
    assert seen["long"] < 5
    if shape == (3, 3):
        assert seen["banned"] > 5
    if shape == (4, 4):
        assert seen["ko"]
        assert seen["ko before"]
    if not rules["button"]:
        assert seen["second"]


def _check_boards(view: GoView, record: Record) -> None:
    """The planes of AlphaGo Zero and Leela Zero."""
    shape, own = record.shape, 1 + record.game.to_move
    out = np.full((len(ZERO_PLANES), *shape), 7, np.float32)
    zero(view, out)
    other = np.full((len(LEELA_PLANES), *shape), 7, np.float32)
    leela(view, other)
    for ago in range(BOARDS):
        board = record.boards[ago] if ago < len(record.boards) else dict.fromkeys(record.boards[0], 0)
        for i, colour in enumerate((own, 3 - own)):
            expected = np.array([board[cell] == colour for cell in np.ndindex(*shape)]).reshape(shape)
            assert np.array_equal(out[2 * ago + i], expected)
            assert np.array_equal(other[BOARDS * i + ago], expected)
    assert (out[16] == (own == 1)).all()
    assert (other[16] == (own == 1)).all()
    assert (other[17] == (own == 2)).all()


def test_planes_have_names():
    assert [len(names) == len(set(names)) for names in (V7_PLANES, V7_GLOBALS, ZERO_PLANES, LEELA_PLANES)] == [True] * 4
    assert (PLANES, GLOBALS, len(ZERO_PLANES), len(LEELA_PLANES)) == (22, 19, 17, 18)
    assert LEELA_PLANES[9] == ZERO_PLANES[3] == "opponent's, 1 move ago"


def turned(view: GoView, shape: tuple[int, int], turn: Callable[[np.ndarray], np.ndarray]) -> tuple[GoView, tuple]:
    """The view of the turned board, and its shape."""
    grid = turn(np.arange(shape[0] * shape[1]).reshape(shape))
    image = np.append(np.argsort(grid.reshape(-1)), [shape[0] * shape[1], NONE])  # of NONE, the last entry
    result = new_view(*grid.shape)
    result.stones[:], result.banned[:] = view.stones[:, grid.reshape(-1)], view.banned[grid.reshape(-1)]
    result.kos[:], result.moves[:] = image[view.kos], image[view.moves]
    result.facts[:], result.numbers[:] = view.facts, view.numbers
    result.facts[go_view.ROWS], result.facts[go_view.COLS] = grid.shape
    return result, grid.shape


TURNS = [
    lambda x, d=d, r=r, t=t: (x.T if t else x)[::d, ::r] for d, r, t in itertools.product((1, -1), (1, -1), (0, 1))
]


@pytest.mark.parametrize(("shape", "rules"), [*VARIANTS[3:], ((13, 13), VARIANTS[0][1])], ids=str)
def test_planes_of_a_turned_board(shape, rules):
    random_ = random.Random(2)
    view, caught = new_view(*shape), 0
    games = [itertools.islice(random_game(shape, rules, random_, 120), 20, None, 12) for _ in range(4)]
    for position, _ in itertools.chain(*games):
        view_of(position.state, view)
        planes, numbers = v7(view, shape)
        caught += planes[14].any()
        for turn in TURNS:
            other, other_shape = turned(view, shape, turn)
            other_planes, other_numbers = v7(other, other_shape)
            assert np.array_equal(other_planes, np.stack([turn(plane) for plane in planes]))
            assert np.array_equal(other_numbers, numbers)
    assert caught


def after_a_pass() -> tuple[GoView, tuple[int, int]]:
    """A board that is black's, white to move; black has just passed."""
    game = load_game("go(size=5, komi=0.5)")
    view = new_view(5, 5)
    view_of(game.position("c3 pass d3 pass c4 pass").state, view)
    view.moves[0], view.facts[go_view.TO_MOVE] = 25, 2
    view.facts[go_view.PASS_ENDS] = go_view.PASS_IS_SECOND
    return view, (5, 5)


HIDING = [
    ({}, False),
    ({go_view.CAREFUL: 1}, True),
    ({go_view.CAREFUL: 1, go_view.PASS_ENDS: go_view.PASS_GOES_ON}, False),
    ({go_view.CAREFUL: 1, go_view.PASS_ENDS: go_view.PASS_REPEATS}, True),
    ({go_view.CAREFUL: 1, go_view.TERRITORY: 1}, False),
    ({go_view.FRIENDLY: 1}, True),
    ({go_view.FRIENDLY: 1, go_view.PASS_ENDS: go_view.PASS_REPEATS}, False),
    ({go_view.HACKS: 1}, True),  # white would lose
    ({go_view.HACKS: 1, go_view.TO_MOVE: 1}, False),
    ({go_view.HACKS: 1, go_view.TERRITORY: 1}, False),
]


@pytest.mark.parametrize(("facts", "hidden"), HIDING, ids=str)
def test_moves_are_hidden_where_a_pass_would_end_the_game(facts, hidden):
    view, shape = after_a_pass()
    for fact, value in facts.items():
        view.facts[fact] = value
    planes, numbers = v7(view, shape)
    ends = view.facts[go_view.PASS_ENDS] != go_view.PASS_GOES_ON
    assert planes[9:14].any() == numbers[:5].any() == (not hidden)
    assert numbers[14] == (ends and not hidden)


@pytest.mark.parametrize(
    ("fact", "value", "shown"), [(go_view.HISTORY, 2, 2), (go_view.HISTORY, 0, 0), (go_view.OVER, 1, 1)]
)
def test_fewer_moves_are_shown(fact, value, shown):
    view, shape = after_a_pass()
    view.moves[:] = [12, 7, 17, 11, 13]
    view.facts[fact] = value
    planes, _ = v7(view, shape)
    assert [int(plane.any()) for plane in planes[9:14]] == [1] * shown + [0] * (5 - shown)


def test_komi_is_cut_off_and_handicap_is_shown():
    view, shape = after_a_pass()
    view.numbers[go_view.KOMI], view.numbers[go_view.ADVANTAGE] = 99.5, 1.5
    assert v7(view, shape)[1][[5, 15, 16]].tolist() == [45 / 20, 1, 0.75]
    view.facts[go_view.TO_MOVE] = 1
    assert v7(view, shape)[1][5] == -45 / 20


def test_pass_alive_as_with_suicide():
    area = [case for case in cases("areas") if case["name"] == "Area 2" and case["stones"]][:2]
    view = new_view(9, 9)
    view.stones[0] = [".XO".index(stone) for row in area[0]["board"] for stone in row]
    assert area[0]["area"] != area[1]["area"]
    for case in area:
        view.facts[go_view.STRICT_LIFE] = case["suicide"]
        planes, _ = v7(view, (9, 9))
        rows = [
            "".join("X" if own else "O" if other else "." for own, other in zip(*pair, strict=True))
            for pair in zip(planes[18], planes[19], strict=True)
        ]
        assert rows == case["area"]
