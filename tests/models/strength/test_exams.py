"""Exams: the tables against the solvers, a perfect and a clueless net, and what is counted."""

import json
from importlib.resources import files

import numpy as np
import pytest

from core.engine.evaluator import Evaluator, UniformEvaluator
from core.files.reading import BadFile
from core.games import load_game
from core.solve import Solver
from core.solve.threats_win import find_win
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.shipped import nets_dir
from models.strength import exam_tables
from models.strength.exams import (
    Exam,
    ExamQuestion,
    ExamResult,
    after,
    evenly_spaced,
    exams_for,
    parse_question,
    print_question,
    read_exams,
    run_exams,
    table_name,
)
from tests.core import exact

TICTACTOE = load_game("tictactoe")
GAMES = tuple(
    load_game(json.loads(entry.read_text(encoding="utf-8"))["game"])
    for entry in sorted((files("resources") / "exams").iterdir(), key=lambda entry: entry.name)
)


class Scripted(Evaluator):
    """Knows the answers to what is asked of each exam: +1 on right moves, the value itself; ``wrong`` turns both."""

    description = "scripted"

    def __init__(self, game, positions, wrong=False):
        self.answers = {}
        self.batches = []
        for exam in exams_for(game):
            for question in (exam.questions[i] for i in evenly_spaced(len(exam.questions), positions)):
                logits = np.zeros(game.num_actions, np.float32)
                logits[list(question.keeping)] = 1.0
                sign = -1 if wrong else 1
                planes = after(game, question.moves).planes()
                self.answers[planes.tobytes()] = (sign * logits, np.float32(sign * 0.1 * question.value))

    def evaluate(self, planes, features=None):
        self.batches.append(len(planes))
        found = [self.answers[row.tobytes()] for row in planes]
        return np.stack([logits for logits, _ in found]), np.array([value for _, value in found], np.float32)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.text)
def test_tables_are_sound(game) -> None:
    """Every question is an unfinished position, asked once, whose right answers are legal."""
    for exam in exams_for(game):
        assert len({question.moves for question in exam.questions}) == len(exam.questions) > 10
        assert exam.about
        for question in exam.questions[::5]:
            position = after(game, question.moves)
            assert not position.is_over
            assert question.keeping
            assert set(question.keeping) <= set(position.legal_actions())
            if question.value < 0:
                assert question.keeping == position.legal_actions()
            assert parse_question(game, print_question(game, question)) == question


def test_the_tictactoe_exam_has_every_class_of_positions() -> None:
    """Every class of unfinished positions, answered as plain minimax over positions does."""
    (exam,) = exams_for(TICTACTOE)
    assert len(exam.questions) == 627
    seen = set()
    for question in exam.questions:
        position = after(TICTACTOE, question.moves)
        seen.add(exact.key(position.cells().tobytes()))
        assert question.value == exact.value(position)
        assert question.keeping == tuple(a for a in position.legal_actions() if exact.keeps_value(position, a))
    assert len(seen) == 627


@pytest.mark.parametrize(
    ("text", "stride"),
    [("connectn(rows=4, cols=4, k=3)", 30), ("connectn(rows=4, cols=4, k=4)", 60), ("othello(size=6)", 25)],
)
def test_small_tables_agree_with_the_solver(text: str, stride: int) -> None:
    game = load_game(text)
    solver = Solver(game)
    (exam,) = exams_for(game)
    for question in exam.questions[::stride]:
        assert exam_tables.solve_question(solver, after(game, question.moves)) == question


def test_connect4_table_agrees_with_the_solver() -> None:
    """All six sets are there; those whose games are nearly over are solved again in full."""
    game = load_game("connect4")
    solver = Solver(game)
    exams = {exam.name: exam for exam in exams_for(game)}
    assert list(exams) == list(exam_tables.CONNECT4_SETS)
    for name in ("L3_R1", "L2_R1"):
        assert exams[name].every
        for question in exams[name].questions[::30]:
            found = solver.solve(after(game, question.moves))
            assert question.value == found.value
            assert question.keeping == tuple(move.action for move in found.moves if move.value == found.value)


def test_the_table_of_a_larger_board_agrees_with_the_solver() -> None:
    game = load_game("connect4(rows=7, cols=8)")
    exams = {exam.name: exam for exam in exams_for(game)}
    assert list(exams) == ["middle", "late"]
    for question in exams["late"].questions[::30]:
        assert exam_tables.solve_question(Solver(game), after(game, question.moves)) == question


def test_threat_questions_start_proved_wins() -> None:
    """No right answer wins at once; after each, and the forced reply, the mover still wins by fours."""
    game = load_game("gomoku(size=9)")
    (exam,) = exams_for(game)
    for question in exam.questions[::20]:
        position = after(game, question.moves)
        line = find_win(position, "vcf")
        assert len(line.moves) >= 5
        assert line.moves[0] in question.keeping
        assert exam_tables.winning_fours(position) == question.keeping
        for action in question.keeping:
            child = position.play(action)
            assert not child.is_over
            defences = [reply for reply in child.legal_actions() if not wins_at_once(child.play(reply))]
            assert len(defences) <= 1  # a four, to be answered in one place
            assert all(find_win(child.play(reply), "vcf") is not None for reply in defences)


def wins_at_once(position) -> bool:
    return any(position.play(a).is_over for a in position.legal_actions())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.text)
def test_a_perfect_net_is_always_right(game) -> None:
    net = Scripted(game, 40)
    results = run_exams(game, net, 40)
    assert {name.rsplit(" ", 1)[1] for name in results} == {"policy", "value"}
    assert all(result.right == result.of > 0 for result in results.values()), results
    assert sum(net.batches) == sum(min(40, len(exam.questions)) for exam in exams_for(game))


def test_a_net_that_is_always_wrong() -> None:
    results = run_exams(TICTACTOE, Scripted(TICTACTOE, 627, wrong=True), 627)
    (exam,) = exams_for(TICTACTOE)
    free = sum(len(question.keeping) == 9 - len(question.moves) for question in exam.questions)
    assert results == {
        "all policy": ExamResult(free, 627),
        "all value": ExamResult(0, sum(question.value != 0 for question in exam.questions)),
    }


def test_search_improves_a_net_without_knowledge() -> None:
    results = run_exams(TICTACTOE, UniformEvaluator(9), 60, simulations=300)
    assert set(results) == {"all policy", "all value", "all search"}
    assert results["all search"].of == results["all policy"].of == 60
    assert results["all search"].share > 0.97
    assert results["all policy"].share < 0.9


@pytest.mark.slow
def test_proofs_by_threats_see_further() -> None:
    """With a net that knows nothing and few simulations."""
    game, shallow = load_game("connect4"), {}
    for threat_proofs in (False, True):
        results = run_exams(game, UniformEvaluator(7), 30, simulations=30, threat_proofs=threat_proofs)
        shallow[threat_proofs] = results["L1_R1 search"].right
    assert shallow[True] > shallow[False]


def test_endings_are_answered_by_the_exact_solver() -> None:
    """Those with few enough empty cells, by whatever net; the others by the search."""
    game = load_game("connect4")
    searched, solved = (
        run_exams(game, UniformEvaluator(7), 20, simulations=8, exact_empties=empties) for empties in (0, 14)
    )
    assert searched["L3_R1 search"].share < 1 == solved["L3_R1 search"].share
    assert solved["L1_R1 search"] == searched["L1_R1 search"]
    assert run_exams(game, UniformEvaluator(7), 20, 8, lambda: True, exact_empties=14) == {}


def test_the_shipped_net_plays_tictactoe() -> None:
    net = OnnxEvaluator(nets_dir() / "tictactoe-2x32.onnx", TICTACTOE, device="cpu")
    assert run_exams(TICTACTOE, net, 627)["all policy"].share > 0.95


def test_exams_can_ask_only_positions_with_a_choice() -> None:
    game = load_game("othello(size=6)")
    (exam,) = exams_for(game)
    assert not exam.every
    asked = [exam.questions[i] for i in evenly_spaced(len(exam.questions), 50)]
    choices = [q for q in asked if len(q.keeping) < len(after(game, q.moves).legal_actions())]
    results = run_exams(game, Scripted(game, 50), 50)
    assert results["endgames policy"].of == len(choices) < 50
    assert min(question.value for question in exam.questions) == -1


def test_a_stopped_exam_is_left_out() -> None:
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 2

    results = run_exams(load_game("connect4"), UniformEvaluator(7), 5, should_stop=stop)
    assert [name for name in results if name.endswith("policy")] == ["L3_R1 policy", "L2_R1 policy"]


def test_questions_are_evenly_spaced() -> None:
    assert evenly_spaced(10, 5) == [0, 2, 4, 6, 8]
    assert evenly_spaced(3, 10) == [0, 1, 2]
    assert evenly_spaced(7, 3) == [0, 2, 4]


# Making tables.


def test_a_table_is_made_by_the_command(tmp_path, capsys) -> None:
    assert exam_tables.main(["tictactoe", "--out", str(tmp_path)]) == 0
    made = (tmp_path / "tictactoe.json").read_bytes()
    assert made == (files("resources") / "exams" / "tictactoe.json").read_bytes()
    assert "all 627" in capsys.readouterr().out
    assert exam_tables.main(["nim", "--out", str(tmp_path)]) == 1
    assert "no exams of 'nim' are made here" in capsys.readouterr().err


def test_a_connect4_set_is_read_and_marked(tmp_path) -> None:
    """The last stones of a game: the moves that keep the value are the solver's."""
    game = load_game("connect4")
    lines = [print_moves(q) for q in {e.name: e for e in exams_for(game)}["L3_R1"].questions[:4]]
    source = tmp_path / "Test_L3_R1"
    source.write_text("".join(f"{line} {value}\n" for line, value in lines), encoding="ascii")
    exam = exam_tables.connect4_exam(game, "L3_R1", source, 4)
    assert exam.questions == {e.name: e for e in exams_for(game)}["L3_R1"].questions[:4]
    moves = next(moves for moves, value in lines if value == 0)
    source.write_text(f"{moves} 2\n", encoding="ascii")
    with pytest.raises(ValueError, match="no move is worth"):
        exam_tables.connect4_exam(game, "L3_R1", source, 1)


def print_moves(question: ExamQuestion) -> tuple[str, int]:
    return "".join(str(action + 1) for action in question.moves), question.value


def test_mixed_questions_are_choices_and_losses() -> None:
    game = load_game("connectn(rows=4, cols=4, k=3)")
    (exam,) = exam_tables.make_exams(game, 9, seed=3)
    assert isinstance(exam, Exam)
    lost = [q for q in exam.questions if q.value < 0]
    assert len(exam.questions) == 9
    assert len(lost) == 3
    assert exam_tables.make_exams(game, 9, seed=3) == [exam]


def test_late_boards_of_other_sizes_are_made_again_the_same() -> None:
    game = load_game("connect4(rows=4, cols=5)")
    middle, late = exam_tables.make_exams(game, 1, seed=1)
    assert (middle.name, late.name) == ("middle", "late")
    for exam, (least, most) in ((middle, (10, 12)), (late, (13, 17))):
        for question in exam.questions:
            assert least <= len(question.moves) <= most
            position = after(game, question.moves)
            assert not any(position.play(action).returns[position.to_move] > 0 for action in question.keeping)
    assert exam_tables.make_exams(game, 1, seed=1) == [middle, late]
    with pytest.raises(ValueError, match="no exams"):
        exam_tables.make_exams(load_game("connect4(k=3)"), 2)


def test_a_table_of_decisive_positions_is_made_and_read(tmp_path) -> None:
    """Some moves keep the value, others do not, as the solver says in full; the exam asks what the table says."""
    game = load_game("connect4")
    assert exam_tables.main(["connect4", "--number", "6", "--out", str(tmp_path)]) == 0
    (exam,) = read_exams(tmp_path / table_name(game), game)
    least, most = exam_tables.DECISIVE_STONES
    assert len(exam.questions) == 6
    for question in exam.questions:
        position = after(game, question.moves)
        assert least <= position.ply <= most
        assert set(question.keeping) < set(position.legal_actions())
        if position.ply >= 14:  # earlier ones take long in full
            assert exam_tables.solve_question(Solver(game), position) == question
    results = run_exams(game, UniformEvaluator(7), 100, exams=[exam])
    first = [after(game, question.moves).legal_actions()[0] in question.keeping for question in exam.questions]
    assert results["decisive policy"] == (sum(first), 6)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "is no table of exams"),
        ('{"game": "tictactoe", "exams": [{"name": "x"}]}', "is no table of exams"),
        ('{"game": "othello", "exams": []}', "are of 'othello', not of tictactoe"),
        ("{", "it is not JSON"),
    ],
)
def test_what_is_no_table_is_said(tmp_path, text: str, why: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=why):
        read_exams(path, TICTACTOE)


def test_bad_questions_are_quoted() -> None:
    with pytest.raises(ValueError, match=r"bad question 'a3 \| b2'"):
        parse_question(TICTACTOE, "a3 | b2")
    assert table_name(load_game("connectn(rows=4, cols=4, k=3)")) == "connectn-rows-4-cols-4-k-3.json"
