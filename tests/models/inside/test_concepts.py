"""Concepts of games, against slow readings of the same positions."""

import logging
from importlib.metadata import EntryPoint

import numpy as np
import pytest

from core.games import GameSpec, Position, load_game
from core.games.lines import line_cells
from core.games.spec import Concept
from core.solve.solver import solve
from models.inside import concepts as concepts_file
from models.inside.concepts import Stopped, concepts_of, labels_of, selection
from models.inside.knowledge import Examiner
from models.inside.sample import Sample


def played(game: GameSpec, seed: int, positions: int = 40) -> list[Position]:
    """Positions of random games, none of which has ended."""
    rng = np.random.default_rng(seed)
    seen: list[Position] = []
    while len(seen) < positions:
        position = game.initial()
        while not position.is_over and len(seen) < positions:
            seen.append(position)
            position = position.play(int(rng.choice(position.legal_actions())))
    return seen


def labels(game: GameSpec, name: str, positions: list[Position]) -> np.ndarray:
    return labels_of({concept.name: concept for concept in concepts_of(game)}[name], positions)


@pytest.mark.parametrize(
    ("text", "k", "own", "their"),
    [
        ("connect4", 4, "own line", "their line"),
        ("connect4(rows=5, cols=6, k=3)", 3, "own line", "their line"),
        ("gomoku(size=7)", 5, "own completes", "their completes"),
    ],
)
def test_a_stone_completes_a_line_where_putting_it_there_makes_one(text: str, k: int, own: str, their: str) -> None:
    game = load_game(text)
    positions = played(game, 1, 60)
    for name, by_mover in ((own, True), (their, False)):
        for position, label in zip(positions, labels(game, name, positions), strict=True):
            cells = position.cells()
            stone = 1 + (position.to_move if by_mover else 1 - position.to_move)
            for cell in range(cells.size):
                if cells.flat[cell]:
                    assert np.isnan(label.flat[cell])
                    continue
                with_it = cells.copy()
                with_it.flat[cell] = stone
                assert label.flat[cell] == (cell in line_cells(with_it, k, stone))


def test_good_parity_is_that_of_the_rows_a_player_gets_at_the_end() -> None:
    game = load_game("connect4")
    positions = played(game, 6, 300)
    seen = 0
    for whose in ("own", "their"):
        lines, good = (labels(game, f"{whose} {what}", positions) for what in ("line", "good parity"))
        for position, line, label in zip(positions, lines, good, strict=True):
            player = position.to_move if whose == "own" else 1 - position.to_move
            lands = {
                int(np.flatnonzero((position.play(action).cells() != position.cells()).ravel())[0])
                for action in position.legal_actions()
            }
            for cell in np.flatnonzero(line.ravel() == 1.0).tolist():
                row_from_below = game.shape[0] - cell // game.shape[1]
                served = row_from_below in ((1, 3, 5) if player == 0 else (2, 4, 6))
                assert label.flat[cell] == (served and cell not in lands)
                seen += int(label.flat[cell])
            assert not (label[line == 0.0] == 1.0).any()
    assert seen > 20


def test_go_captures_where_playing_takes_stones_and_eyes_have_no_other_neighbour() -> None:
    game = load_game("go(size=5)")
    positions = played(game, 2, 150)
    captures, atari = labels(game, "capture", positions), labels(game, "their atari", positions)
    eyes = labels(game, "own eye", positions)
    seen = 0
    for position, capture, threatened, eye in zip(positions, captures, atari, eyes, strict=True):
        cells, mover = position.cells(), position.to_move
        for action in position.legal_actions():
            if action < cells.size:
                after = position.play(action).cells()
                taken = (after == 2 - mover).sum() < (cells == 2 - mover).sum()
                assert capture.flat[action] == taken
                gone = (cells == 2 - mover) & (after == 0)
                assert (threatened[gone] == 1.0).all()
                seen += int(taken)
        for row, col in np.argwhere(cells == 0).tolist():
            near = [(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)]
            stones = [cells[r, c] for r, c in near if 0 <= r < 5 and 0 <= c < 5]
            assert eye[row, col] == all(stone == mover + 1 for stone in stones)
    assert seen > 20


@pytest.mark.parametrize("text", ["othello(size=6)", "othello"])
def test_stable_discs_of_othello_are_never_turned(text: str) -> None:
    game = load_game(text)
    rng = np.random.default_rng(3)
    stable_seen = 0
    for _ in range(6):
        position, keeps = game.initial(), np.zeros(game.shape, np.int8)
        while not position.is_over:
            cells = position.cells()
            assert (cells[keeps != 0] == keeps[keeps != 0]).all()
            for name, side in (("own stable", position.to_move), ("their stable", 1 - position.to_move)):
                keeps[labels(game, name, [position])[0] == 1.0] = side + 1
            stable_seen = max(stable_seen, int((keeps != 0).sum()))
            corners = labels(game, "corner", [position])[0]
            places = {action for action in position.legal_actions() if action < cells.size}
            assert set(np.flatnonzero(~np.isnan(corners)).tolist()) == places
            position = position.play(int(rng.choice(position.legal_actions())))
    assert stable_seen > game.num_cells // 4


def test_wins_are_those_of_the_solver_and_of_the_threats() -> None:
    game = load_game("connect4(rows=4, cols=5)")
    positions = played(game, 4, 40)
    names = ("won", "wins soon", "loses soon", "wins by threats", "loses by threats")
    won, wins, loses, three, two = (labels(game, name, positions) for name in names)
    for row, position in enumerate(positions):
        solution = solve(position)
        assert won[row] == (solution.value > 0)
        distance = solution.distance
        assert wins[row] == (solution.value > 0 and distance is not None and distance <= 9)
        assert loses[row] == (solution.value < 0 and distance is not None and distance <= 9)
        assert not three[row] or (solution.value > 0 and distance is not None and distance <= 3)
        assert not two[row] or (solution.value < 0 and distance is not None and distance <= 2)


def test_a_selection_is_its_positions_and_their_mirror_images() -> None:
    game = load_game("connect4")
    concept = selection("my traps", [game.position("a b"), game.position("d")])
    asked = [game.position(text) for text in ("a b", "g f", "d", "c", "b a")]
    assert labels_of(concept, asked).tolist() == [1.0, 1.0, 1.0, 0.0, 0.0]


def test_every_game_has_different_concepts_with_labels_of_their_shape() -> None:
    for text in ("connect4", "gomoku(size=9)", "gomoku(size=9, rule=renju)", "othello(size=6)", "nim", "tictactoe"):
        game = load_game(text)
        concepts = concepts_of(game)
        assert len({concept.name for concept in concepts}) == len(concepts)
        assert all(concept.per_cell and concept.yes_no for concept in concepts if concept.is_move)
        for concept in concepts:
            labels_of(concept, played(game, 5, 8))


def test_labels_that_a_concept_may_not_have_are_refused() -> None:
    positions = [load_game("tictactoe").initial()]
    with pytest.raises(ValueError, match="'half' cannot be used: its labels are not all 0, 1 or NaN"):
        labels_of(Concept("half", "half", lambda position: 0.5, per_cell=False), positions)
    with pytest.raises(ValueError, match=r"shape \(\), not \(3, 3\)"):
        labels_of(Concept("flat", "flat", lambda position: 1.0), positions)
    with pytest.raises(ValueError, match="infinite"):
        labels_of(Concept("far", "far", lambda position: float("inf"), per_cell=False, yes_no=False), positions)


def of_package(game: GameSpec) -> list[Concept]:
    return [
        Concept("middle", "a stone in the middle", lambda position: float(position.cells()[1, 1] != 0), per_cell=False)
    ]


def broken(game: GameSpec) -> list[Concept]:
    raise KeyError("nothing")


def test_packages_bring_concepts_and_a_broken_one_is_left_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    points = [
        EntryPoint("a", f"{__name__}:of_package", concepts_file.GROUP),
        EntryPoint("b", f"{__name__}:broken", concepts_file.GROUP),
        EntryPoint("c", f"{__name__}:of_package", concepts_file.GROUP),  # the same names again
    ]
    monkeypatch.setattr(concepts_file, "entry_points", lambda group: points)
    with caplog.at_level(logging.WARNING):
        names = [concept.name for concept in concepts_of(load_game("tictactoe"))]
    assert names.count("middle") == 1
    assert [record.args[0] for record in caplog.records if isinstance(record.args, tuple)] == ["b", "c"]


def test_labels_that_are_no_longer_wanted_are_not_waited_for() -> None:
    game = load_game("tictactoe")
    asked: list[Position] = []

    def label(position: Position) -> float:
        asked.append(position)
        return 0.0

    concept = Concept("slow", "slow", label, per_cell=False)
    positions = played(game, 5, 8)
    with pytest.raises(Stopped):
        labels_of(concept, positions, lambda: len(asked) == 2)
    assert len(asked) == 2
    sample = Sample(tuple(positions), np.arange(len(positions)))
    with pytest.raises(Stopped):
        Examiner(sample, [concept], stop=lambda: True)
