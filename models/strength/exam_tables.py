"""Makes the tables of exams: positions solved in advance, so that exams need no solver.

python -m models.strength.exam_tables connect4 --sets data/connect4 --out resources/exams
    python -m models.strength.exam_tables connect4 --number 6705 --out FOLDER
    python -m models.strength.exam_tables "othello(size=6)" --number 300 --out resources/exams
    python -m models.strength.exam_tables "connect4(rows=7, cols=8)" --out resources/exams

Where the positions come from:
  connect4        Pascal Pons' benchmark (in a given folder): a line holds the columns played, 1-based, and the exact
                  score for the side to move
                  without the folder: positions of random games and of games between shallow rollout searches in which
                  some moves keep the value and others do not, by what is known of the rule of ARENA's exam
                  (huggingface.co/datasets/davidquarel/connect4-pons-eval: 6,705 positions of 2 to 36 plies whose moves
                  have at least two outcomes); how its positions were reached is not known.  “plyscope eval --exam”
                  reads the table
                  on other boards than the usual one: positions of games between shallow rollout searches
                  those are left out that take the solver long
  tictactoe       one unfinished position of every symmetry class
  connectn        positions after random moves, small boards only
  othello         late positions of games between shallow rollout searches
  gomoku, larger  positions of such games in which the side to move wins by continuous fours, in at least three moves
  connectn        of its own
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from core.engine.evaluator import UniformEvaluator
from core.engine.search import Search
from core.files.atomic import write_atomically
from core.games import GameSpec, Position, load_game
from core.games.spec import FOUR_ON_BITS
from core.search.settings import Limit, SearchSettings
from core.solve import Solver
from core.solve.connect4 import Connect4Solver
from core.solve.slices import Monitor
from core.solve.solver import FREE_EMPTIES
from core.solve.threats import refusal, threats
from core.solve.threats_lines import FIVE, FOUR, OPEN_FOUR
from core.solve.threats_win import find_win
from models.play.openings import draw_openings, random_opening
from models.strength.exams import Exam, ExamQuestion, after, evenly_spaced, print_question, table_name

# By set: its contents, and the divisor of the number of questions asked for, as early positions take long to solve.
CONNECT4_SETS: Final = {
    "L3_R1": ("over 28 stones on the board, the end within 14 moves", 1),
    "L2_R1": ("15 to 28 stones, the end within 14 moves", 1),
    "L2_R2": ("15 to 28 stones, the end within 28 moves", 1),
    "L1_R1": ("up to 14 stones, the end within 14 moves", 1),
    "L1_R2": ("up to 14 stones, the end within 28 moves", 1),
    "L1_R3": ("up to 14 stones, the end further than 28 moves away", 12),
}
OTHELLO_EMPTIES: Final = (8, 9, 10, 11, 12)
FOURS: Final = 3  # least number of the attacker's moves in a threat question
_WIN_DEPTH: Final = 12
_WIN_NODES: Final = 200_000
# Of boards of Connect Four without sets: the shares of its cells that are filled.
_FILLED: Final = {"middle": (0.5, 0.62), "late": (0.64, 0.86)}
_FEW_NODES: Final = 1_000_000  # a position whose solution takes more is left out, at the same place on every machine
DECISIVE: Final = "decisive"
DECISIVE_STONES: Final = (2, 36)
_DECISIVE_NODES: Final = 500_000  # the same, of a decisive position
_DECISIVE_TABLE: Final = 18  # table_bits of a solver for each of them
_APART: Final = 4  # least plies between two questions of a game
_SIMULATIONS: Final = 60  # per move in the games that give positions
_TEMPERATURE: Final = 0.7


def make_exams(game: GameSpec, number: int, sets: Path | None = None, seed: int = 0) -> list[Exam]:
    """Make the exams of ``game``, with about ``number`` questions each; of ``connect4`` those of the folder ``sets``,
    or without it the decisive one.  ValueError for a game without exams."""
    make = _MAKERS.get(game.name)
    exams = make(game, number, sets, np.random.default_rng(seed)) if make is not None else []
    if not exams:
        raise ValueError(f"no exams of {game.text!r} are made here; they are of {', '.join(_MAKERS)}")
    return exams


def _all(game: GameSpec, number: int, sets: Path | None, rng: np.random.Generator) -> list[Exam]:
    about = "every class of unfinished positions; right is what keeps the game's value"
    return [Exam("all", about, True, tuple(_solved(game, classes(game))))]


def _connect4(game: GameSpec, number: int, sets: Path | None, rng: np.random.Generator) -> list[Exam]:
    if game.text != game.name:
        return _other_boards(game, number, rng)  # the sets are of the usual board
    if sets is None:
        return [decisive_exam(game, number, rng)]
    return [
        connect4_exam(game, name, sets / f"Test_{name}", max(1, number // part))
        for name, (_, part) in CONNECT4_SETS.items()
    ]


def decisive_exam(game: GameSpec, number: int, rng: np.random.Generator) -> Exam:
    """An exam of positions of Connect Four, no two of one symmetry class, in which some moves keep the value and others
    do not."""
    questions: list[ExamQuestion] = []
    seen: set[bytes] = set()
    for position in scattered_positions(game, DECISIVE_STONES, rng):
        if _class(position) not in seen:
            seen.add(_class(position))
            question = _quick_question(position)
            if question is not None and len(question.keeping) < len(position.legal_actions()):
                questions.append(question)
        if len(questions) == number:
            break
    questions.sort(key=lambda question: len(question.moves))
    least, most = DECISIVE_STONES
    about = f"{least} to {most} stones, some moves keep win or draw and others do not; right is what keeps it"
    return Exam(DECISIVE, about, True, tuple(questions))


def scattered_positions(game: GameSpec, between: tuple[int, int], rng: np.random.Generator) -> Iterator[Position]:
    """Positions of as many stones as ``between`` allows, some plies apart, of random games and of games between shallow
    searches in turn; endless."""
    while True:
        for played in (_random_game(game, rng), _game(game, rng)):
            first = int(rng.integers(_APART))
            for position in played:
                if between[0] <= position.ply <= between[1] and position.ply % _APART == first:
                    yield position


def _random_game(game: GameSpec, rng: np.random.Generator) -> Iterator[Position]:
    position = game.initial()
    while not position.is_over:
        yield position
        position = position.play(int(rng.choice(position.legal_actions())))


def _quick_question(position: Position) -> ExamQuestion | None:
    """The question of a position of Connect Four; None where the solver, its table empty, needs many nodes."""
    monitor = Monitor(should_stop=lambda: monitor.nodes > _DECISIVE_NODES)
    solver = Connect4Solver(*position.game.shape, table_bits=_DECISIVE_TABLE)
    found = solver.keeping(position, monitor)
    if found is None or monitor.nodes > _DECISIVE_NODES:
        return None
    value, keeping = found
    return ExamQuestion(position.moves, keeping, value)


def _other_boards(game: GameSpec, number: int, rng: np.random.Generator) -> list[Exam]:
    """Exams of late positions where the exact solver is quick; none on boards where four are not the goal."""
    if game.solver != FOUR_ON_BITS:
        return []
    exams = []
    cells = game.max_plies
    for name, (least, most) in _FILLED.items():
        between = round(least * cells), round(most * cells)
        about = f"{between[0]} to {between[1]} of {cells} stones; right is what keeps win, draw or loss"
        positions = filter(_is_quick, filled_positions(game, between, rng))
        exams.append(Exam(name, about, False, tuple(_mixed(game, positions, number))))
    return exams


def filled_positions(game: GameSpec, between: tuple[int, int], rng: np.random.Generator) -> Iterator[Position]:
    """From each game one position of as many stones as ``between`` allows, that nobody wins at once; endless."""
    while True:
        stones = int(rng.integers(between[0], between[1] + 1))
        for position in _game(game, rng):
            if position.ply == stones:
                if not _won_at_once(position):
                    yield position
                break


def _won_at_once(position: Position) -> bool:
    children = [position.play(action) for action in position.legal_actions()]
    return any(child.is_over and child.returns[position.to_move] > 0 for child in children)


def _is_quick(position: Position) -> bool:
    """Whether the solver needs few nodes, with an empty table, so that the answer is the same on every machine."""
    counted = [0]
    solution = Solver(position.game).solve(position, lambda: counted[-1] > _FEW_NODES, counted.append)
    return solution is not None and solution.nodes <= _FEW_NODES


def _small_or_fours(game: GameSpec, number: int, sets: Path | None, rng: np.random.Generator) -> list[Exam]:
    if game.num_actions > FREE_EMPTIES:
        return _fours(game, number, sets, rng)
    about = "after random moves; right is what keeps win, draw or loss"
    return [Exam("random", about, False, tuple(_mixed(game, random_positions(game, rng), number)))]


def _fours(game: GameSpec, number: int, sets: Path | None, rng: np.random.Generator) -> list[Exam]:
    about = f"won by continuous fours in {FOURS} moves or more; right is a move that starts such a win"
    return [Exam("fours", about, True, tuple(_threats(game, rng, number)))]


def _endgames(game: GameSpec, number: int, sets: Path | None, rng: np.random.Generator) -> list[Exam]:
    about = f"{OTHELLO_EMPTIES[0]} to {OTHELLO_EMPTIES[-1]} empty cells; right is what keeps win, draw or loss"
    return [Exam("endgames", about, False, tuple(_mixed(game, late_positions(game, rng), number)))]


_MAKERS: Final = {
    "tictactoe": _all,
    "connect4": _connect4,
    "connectn": _small_or_fours,
    "gomoku": _fours,
    "othello": _endgames,
}


def connect4_exam(game: GameSpec, name: str, path: Path, number: int) -> Exam:
    """An exam of ``number`` evenly spaced positions of a set; every position counts, as in published results.

    The scores of the set are trusted; ValueError quotes a line whose score no move can have.
    """
    solver = Connect4Solver(*game.shape)
    lines = path.read_text(encoding="ascii").splitlines()
    questions = []
    for line in (lines[i] for i in evenly_spaced(len(lines), number)):
        columns, score = line.split()
        position = after(game, tuple(int(column) - 1 for column in columns))
        value = int(np.sign(int(score)))
        found = solver.keeping(position, Monitor(), value)
        if found is None or not found[1]:
            raise ValueError(f"{path.name} says {line!r}, but no move is worth {value:+d} to the side to move")
        questions.append(ExamQuestion(position.moves, found[1], value))
    return Exam(name, f"{CONNECT4_SETS[name][0]}; right is what keeps win, draw or loss", True, tuple(questions))


def classes(game: GameSpec) -> Iterator[Position]:
    """One unfinished position of each symmetry class, in order of plies."""
    layer = {_class(game.initial()): game.initial()}
    while layer:
        yield from layer.values()
        following: dict[bytes, Position] = {}
        for position in layer.values():
            for action in position.legal_actions():
                child = position.play(action)
                if not child.is_over:
                    following.setdefault(_class(child), child)
        layer = following


def _class(position: Position) -> bytes:
    """Key of the symmetry class of a position: the smallest of the board's images, and the side to move."""
    cells = position.cells().reshape(-1)
    images = []
    for image in position.game.cell_symmetries:
        moved = np.empty_like(cells)
        moved[image] = cells
        images.append(moved.tobytes())
    return min(images) + bytes([position.to_move])


def random_positions(game: GameSpec, rng: np.random.Generator) -> Iterator[Position]:
    """Unfinished positions after random moves, from 2 to three quarters of the longest game; endless."""
    while True:
        yield random_opening(game, int(rng.integers(2, 3 * game.max_plies // 4 + 1)), rng)


def late_positions(game: GameSpec, rng: np.random.Generator) -> Iterator[Position]:
    """From each game one position with OTHELLO_EMPTIES empty cells and several legal moves; endless."""
    while True:
        empties = int(rng.choice(OTHELLO_EMPTIES))
        for position in _game(game, rng):
            if np.count_nonzero(position.cells() == 0) <= empties and len(position.legal_actions()) > 1:
                yield position
                break


def _game(game: GameSpec, rng: np.random.Generator) -> Iterator[Position]:
    """The unfinished positions of a game played by shallow searches, with threat priors where the game has threats and
    with rollouts elsewhere; moves are sampled by visits."""
    evaluator = None if refusal(game) else UniformEvaluator(game.num_actions)
    settings = SearchSettings(
        selection="puct" if evaluator else "ucb1", threat_priors=evaluator is not None, memory_mb=32
    )
    position = draw_openings(game, 1, rng)[0]
    search = Search(position, evaluator, settings, seed=int(rng.integers(1 << 31)))
    while not position.is_over:
        yield position
        search.go_to(position)
        search.run(Limit(simulations=_SIMULATIONS))
        policy = search.visit_policy(_TEMPERATURE).astype(np.float64)
        position = position.play(int(rng.choice(len(policy), p=policy / policy.sum())))


def _mixed(game: GameSpec, positions: Iterator[Position], number: int) -> Iterator[ExamQuestion]:
    """``number`` different questions: two thirds with a wrong move, the rest lost positions, which test the value."""
    solver = Solver(game)
    lost = number // 3
    missing = {True: number - lost, False: lost}
    classes: set[bytes] = set()
    while any(missing.values()):
        position = next(positions)
        if _class(position) in classes:
            continue
        classes.add(_class(position))
        question = solve_question(solver, position)
        choice = len(question.keeping) < len(position.legal_actions())
        if (choice or question.value < 0) and missing[choice]:
            missing[choice] -= 1
            yield question


def _solved(game: GameSpec, positions: Iterator[Position]) -> Iterator[ExamQuestion]:
    solver = Solver(game)
    return (solve_question(solver, position) for position in positions)


def solve_question(solver: Solver, position: Position) -> ExamQuestion:
    """Solve a position and make its question."""
    solution = solver.solve(position)
    assert solution is not None  # no limit was given
    keeping = tuple(move.action for move in solution.moves if move.value == solution.value)
    return ExamQuestion(position.moves, keeping, solution.value)


def _threats(game: GameSpec, rng: np.random.Generator, number: int) -> Iterator[ExamQuestion]:
    """Threat questions, at most two per game, some plies apart."""
    missing = number
    while missing:
        last = -_APART
        taken = 0
        for position in _game(game, rng):
            if position.ply - last < _APART or taken == 2:
                continue
            line = find_win(position, "vcf", _WIN_DEPTH, max_nodes=_WIN_NODES)
            if line is None or len(line.moves) < 2 * FOURS - 1:
                continue
            yield ExamQuestion(position.moves, winning_fours(position), 1)
            last, taken, missing = position.ply, taken + 1, missing - 1
            if not missing:
                return


def winning_fours(position: Position) -> tuple[int, ...]:
    """The moves that complete five, or make a four that starts a win by continuous fours, ascending.

    Other moves may win too, but that is not proved.
    """
    mover = position.to_move
    now = threats(position)
    fours = list(now.points(mover, FIVE))
    for action in sorted({*now.points(mover, FOUR), *now.points(mover, OPEN_FOUR)} - set(fours)):
        child = position.play(action)
        after_it = threats(child)
        if child.is_over or after_it.points(1 - mover, FIVE):
            continue
        completing = after_it.points(mover, FIVE)
        if (
            len(completing) > 1
            or find_win(child.play(completing[0]), "vcf", _WIN_DEPTH, max_nodes=_WIN_NODES) is not None
        ):
            fours.append(action)
    return tuple(sorted(fours))


def table_text(game: GameSpec, exams: Sequence[Exam]) -> str:
    """The table as JSON, one question per line."""
    table = {
        "game": game.text,
        "exams": [
            {
                "name": exam.name,
                "about": exam.about,
                "every": exam.every,
                "questions": [print_question(game, question) for question in exam.questions],
            }
            for exam in exams
        ],
    }
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the table of one game; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m models.strength.exam_tables", description="Make the exams of a game."
    )
    parser.add_argument("game", help="as load_game takes it, such as connect4 or 'othello(size=6)'")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the tables, resources/exams")
    parser.add_argument("--number", type=int, default=300, help="questions per exam (300)")
    parser.add_argument("--sets", type=Path, help="the folder with Connect Four's sets Test_L1_R1 to Test_L3_R1")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(arguments)
    try:
        game = load_game(args.game)
        exams = make_exams(game, args.number, args.sets, args.seed)
        path = args.out / table_name(game)
        write_atomically(path, table_text(game, exams).encode())
    except (ValueError, OSError) as error:
        print(f"{error}", file=sys.stderr)
        return 1
    print(f"{path}: " + ", ".join(f"{exam.name} {len(exam.questions)}" for exam in exams))
    return 0


if __name__ == "__main__":
    sys.exit(main())
