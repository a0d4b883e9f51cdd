"""The dialogue under GTP: the commands of usual programs, errors, analysis, time, handicap, scores, resigning."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from core.engine.evaluator import UniformEvaluator
from core.games import load_game
from core.games.net_inputs import encoding_for
from core.search import Limit, SearchSettings
from models.engines.gtp_board import GtpBoard, Refused
from models.engines.our_engine import NEVER, Clock, Options, ResignRule
from tests.models.engines.gtp_dialogue import FEW, GO, OPTIONS, talk


def test_the_usual_beginning_of_a_program() -> None:
    answers = talk("1 protocol_version", "2 name", "version", "4 known_command genmove", "known_command sing", "quit")
    assert answers == ["=1 2", "=2 Plyscope", "= 1.2", "=4 true", "= false", "="]
    names = talk("list_commands")[0].removeprefix("= ").split("\n")
    required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    assert set(required.split()) <= set(names)
    assert {"lz-analyze", "kata-analyze", "final_score", "loadsgf", "time_left"} <= set(names)


def test_comments_blank_lines_and_control_characters_are_passed_over() -> None:
    assert talk("# a comment", "", "   ", "name # who\r", "\x07version\t") == ["= Plyscope", "= 1.2"]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("9 sing", "?9 unknown command"),
        ("play", "? the colour is missing"),
        ("play b", "? the vertex is missing"),
        ("play green a1", "? invalid colour 'green'; it is black or white"),
        ("12", "?12 unknown command"),
        ("loadsgf no such file", "? No such file or directory: no such file"),
        ("play b i1", "? invalid coordinate 'i1'"),
        ("boardsize 99", "? unacceptable size"),
        ("komi much", "? komi 'much' is no number"),
        ("undo", "? cannot undo"),
        ("fixed_handicap 9", "? invalid number of stones"),
        ("set_free_handicap a1", "? give two or more vertices"),
        ("kata-set-rules house", "? "),
        ("final_status_list hurt", "? the status is alive, dead or seki"),
        ("time_settings 1", "? the byo-yomi time is missing"),
        ("kgs-time_settings hourglass", "? the time system is none, absolute, byoyomi or canadian"),
    ],
)
def test_what_cannot_be_done_is_refused_and_the_dialogue_goes_on(line: str, answer: str) -> None:
    answers = talk(line, "name")
    assert answers[0].startswith(answer)
    assert "\n" not in answers[0]
    assert answers[1] == "= Plyscope"


def test_moves_are_played_taken_back_and_shown() -> None:
    answers = talk("play b C3", "play white c4", "undo", "play w D4", "showboard")
    assert answers[:4] == ["="] * 4
    assert answers[4].split("\n")[1:] == [
        ". . . . .",
        ". . . O .",
        ". . X . .",
        ". . . . .",
        ". . . . .",
        "X to move, last d4",
    ]


def test_a_colour_may_move_twice_and_white_first() -> None:
    assert talk("play b a1", "play b a2", "play b a3", "showboard")[3].count("X") == 3
    assert "? illegal move" in talk("play b a1", "play w a1")[1]
    first = talk("play w c3", "showboard")[1]
    assert "O" in first
    assert "X to move" in first
    assert talk("play o b2", game="tictactoe")[0].startswith("? invalid colour")
    assert talk("play b b2", "play b a1", game="tictactoe")[1] == "? it is the other side's turn"


def test_generated_moves_are_legal_and_lead_to_the_end() -> None:
    board = load_game("go(size=3, komi=0.5)").initial()
    lines = []
    for ply in range(12):
        lines.append(f"genmove {'bw'[ply % 2]}")
    for answer in talk("boardsize 3", *lines)[1:]:
        word = answer.removeprefix("= ")
        if board.is_over:
            assert word == "pass"
            continue
        board = board.play(board.game.parse_action(word))
    assert board.ply >= 8


def test_a_hopeless_engine_resigns_if_it_may() -> None:
    lost = [f"play w {point}" for point in ("b1", "b2", "b3", "b4", "b5", "d1", "d2", "d3", "d4", "d5", "c3")]
    options = Options(Limit(simulations=200), OPTIONS.settings, resign=ResignRule(0.6))
    assert talk(*lost, "komi 7.5", "genmove b", options=options)[-1] == "= resign"
    assert talk(*lost, "komi 7.5", "genmove b")[-1] != "= resign"


class Behind(UniformEvaluator):
    """Holds black for behind by 8 points, at a value of -0.2."""

    def evaluate(self, planes: np.ndarray, features: np.ndarray | None = None) -> tuple[np.ndarray, ...]:
        logits, values, leads = super().evaluate(planes, features)
        side = np.where(features[:, 0] < 0, -1.0, 1.0).astype(np.float32)  # black's komi is negative
        values[:] = 0.2 * side
        leads[:] = np.stack([8.0 * side, np.full(len(side), 64.0)], axis=1)
        return logits, values, leads


@pytest.mark.parametrize(("lead", "resigns"), [(5.0, True), (9.0, False)])
def test_an_engine_resigns_by_its_lead_after_some_turns(lead: float, resigns: bool) -> None:
    net = Behind(GO.num_actions, encoding_for(GO, "points"))
    options = Options(Limit(simulations=60), SearchSettings(memory_mb=16), resign=ResignRule(0.0, lead, 2))
    lines = ("genmove b", "genmove w", "genmove b", "clear_board", "genmove b")
    answers = talk(*lines, options=options, evaluator=net)
    assert [answer == "= resign" for answer in answers] == [False, False, resigns, False, False]


def test_sizes_komi_and_rules_change_the_game() -> None:
    answers = talk("boardsize 9", "komi 6.5", "get_komi", "kata-set-rules aga", "kata-get-rules", "query_boardsize")
    assert answers[:4] == ["=", "=", "= 6.5", "="]
    assert '"ko":"SITUATIONAL"' in answers[4]
    assert answers[5] == "= 9"
    japanese = talk("kata-set-rules japanese", "komi 6.5", "printsgf", game="go(size=9)")[-1]
    assert "PLYGAME[go(size=9, rules=japanese)]" in japanese
    kept = talk("play b c3", "komi 3.5", "kata-set-rules chinese", "get_komi", "showboard")
    assert kept[3] == "= 3.5"
    assert "X" in kept[4].split("\n")[3]


@pytest.mark.parametrize(
    ("size", "count", "points"),
    [
        (19, 2, "D4 Q16"),
        (19, 5, "D4 Q16 D16 Q4 K10"),
        (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        (9, 4, "C3 G7 C7 G3"),
        (13, 6, "D4 K10 D10 K4 D7 K7"),
    ],
)
def test_fixed_handicap(size: int, count: int, points: str) -> None:
    answers = talk(f"boardsize {size}", f"fixed_handicap {count}", "fixed_handicap 2", "showboard")
    assert answers[1].removeprefix("= ") == points
    assert answers[2] == "? board not empty"
    assert "O to move" in answers[3]


def test_scores_count_dead_stones_as_lost(capfd: pytest.CaptureFixture[str]) -> None:
    # Black's wall on column c; white has a lone stone in black's area.
    stones = [f"play b c{row}" for row in range(1, 6)] + [f"play w d{row}" for row in range(1, 6)] + ["play w a3"]
    eyes = ["play b b1", "play b b2", "play b b4", "play b b5", "play b a2", "play b a4"]
    asked = (*stones, *eyes, "komi 0.5", "final_status_list dead", "final_status_list alive", "final_score")
    answers = talk(*asked, game="go(size=5, rules=chinese)")
    assert answers[-3] == "= A3"
    assert len(answers[-2].split()) == 17
    assert answers[-1] == "= B+4.5"
    assert "dead stones by random games: A3" in capfd.readouterr().err
    # A white prisoner and 4 points against 5 points.
    assert talk(*asked, game="go(size=5, rules=japanese)")[-1] == "= W+0.5"
    # Tromp and Taylor take no stone off: a3 touches b3, so that only a1, a5 are black's beside the stones.
    answers = talk(*asked)
    assert (answers[-3], answers[-1]) == ("=", "= B+1.5")
    assert "count all that are on the board" in capfd.readouterr().err
    assert talk("final_score", game="tictactoe")[0].startswith("? cannot score")


def test_cleanup_goes_on_while_stones_are_dead() -> None:
    stones = [f"play b c{row}" for row in range(1, 6)] + [f"play w d{row}" for row in range(1, 6)] + ["play w a3"]
    eyes = ["play b b1", "play b b2", "play b b4", "play b b5", "play b a2", "play b a4", "play w e2", "play w e4"]
    assert talk(*stones, *eyes, "kgs-genmove_cleanup b")[-1].lower() not in ("= pass", "= resign")
    assert talk(*stones, *eyes, "play b b3", "final_status_list dead", game="go(size=5, rules=chinese)")[-1] == "="
    assert talk("kgs-genmove_cleanup b", game="tictactoe")[-1].startswith("= ")


def test_time_is_shared_out() -> None:
    clock = Clock()
    assert clock.seconds(0, 50) is None
    clock.settings(0, 5, 1)
    assert clock.seconds(0, 50) == pytest.approx(4.5, abs=0.01)
    clock.settings(600, 30, 5)
    assert clock.seconds(0, 50) == pytest.approx((600 - 0.3) / 50 + 5.4)
    clock.remaining[1] = (10.0, 2)
    assert clock.seconds(1, 50) == pytest.approx(0.9 * 9.7 / 2)
    clock.settings(60, 0, 0)
    assert clock.seconds(0, 10) == pytest.approx(59.7 / 40)
    clock.remaining[0] = (0.0, 0)
    assert clock.seconds(0, 10) == pytest.approx(0.05)
    clock.settings(0, 30, 0)
    assert clock.seconds(0, 10) is None


def test_time_settings_end_a_search() -> None:
    options = Options(Limit(), OPTIONS.settings)
    answers = talk("time_settings 0 1 1", "time_left b 0.4 1", "genmove b", "genmove w", options=options)
    assert re.fullmatch(r"= ([A-E][1-5]|pass)", answers[2])
    assert re.fullmatch(r"= ([A-E][1-5]|pass)", answers[3])


def test_records_are_written_and_loaded(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    written = talk("play b c3", "play w b2", f"printsgf {file}", "printsgf")
    assert written[3] == "= " + file.read_text().strip()
    answers = talk("boardsize 7", f"loadsgf {file}", "undo", "showboard")
    assert answers[1] == "= b"
    assert len(answers[3].split("\n")) == 7
    assert "O to move" in answers[3]
    assert talk(f"loadsgf {file} 2", "showboard")[1].count("O .") == 0


@pytest.mark.parametrize("name", ["lz-genmove_analyze", "kata-genmove_analyze"])
def test_a_move_with_figures(name: str) -> None:
    answer = talk(f"7 {name} b 10")[0]
    first, *lines = answer.split("\n")
    assert first == "=7"
    assert re.fullmatch(r"play ([A-E][1-5]|pass)", lines[-1])
    assert lines[0].startswith("info move ")
    visits = [int(n) for n in re.findall(r" visits (\d+)", lines[-2])]
    assert sum(visits) in (59, 60)
    assert visits == sorted(visits, reverse=True)


def test_a_position_set_up_is_kept_when_the_rules_change() -> None:
    board = GtpBoard(load_game("go(size=5)"))
    board.set_stones([(0, 0), (0, 6)], to_move=1)
    board.play(1, 12)
    board.retake(board.changed(komi=0.5))
    assert board.position.cells().ravel()[[0, 6, 12]].tolist() == [1, 1, 2]
    board.undo()
    with pytest.raises(Refused, match="cannot undo"):
        board.undo()


def test_a_figure_of_any_length_ends_no_dialogue() -> None:
    assert talk(f"lz-analyze {'9' * 400} interval {'9' * 400} maxmoves ²", "name")[-1] == "= Plyscope"


def test_play_goes_on_after_two_passes() -> None:
    answers = talk("play b c3", "play w pass", "play b pass", "play w c4", "showboard", "undo", "undo", "play b d4")
    assert answers[3] == "="
    assert answers[-3:] == ["="] * 3
    assert answers[4].count("O") == 1
    board = GtpBoard(GO)
    for colour, action in ((0, 12), (1, 25), (0, 25), (1, 7), (0, 8)):
        board.play(colour, action)
    board.retake(board.changed(komi=5.5))
    assert board.position.cells().ravel()[[12, 7, 8]].tolist() == [1, 2, 1]


def test_a_colour_moves_twice_only_where_a_pass_is_allowed() -> None:
    answers = talk("play b d3", "play b c5", "genmove b", game="othello")
    assert answers == ["=", *["? it is the other side's turn"] * 2]


def test_fewer_handicap_stones_are_placed_than_asked_for() -> None:
    answers = talk("boardsize 9", "place_free_handicap 40", "clear_board", "place_free_handicap 1", "fixed_handicap 40")
    assert len(answers[1].split()) == 1 + 9
    assert answers[-2:] == ["? invalid number of stones"] * 2


def test_figures_of_an_analysis_end_no_answer_early_and_show_moves_without_visits() -> None:
    for line in ("lz-genmove_analyze b maxmoves 0", "kata-genmove_analyze b 1"):
        assert re.fullmatch(r"=\n(info move .*\n)+play \w+", talk(line, options=FEW)[0])
    rows = [talk(f"kata-genmove_analyze b 1 {words}", options=FEW)[0] for words in ("minmoves 0", "minmoves 20")]
    counts = [answer.splitlines()[-2].count("info move") for answer in rows]
    assert counts[0] < 20
    assert counts[1] == 20


def test_a_record_of_another_game_is_refused_and_names_may_have_spaces(tmp_path: Path) -> None:
    (tmp_path / "o.sgf").write_text("(;GM[2]SZ[8];B[ee])")
    (tmp_path / "a game.sgf").write_text("(;GM[1]SZ[5];B[cc];W[bb])")
    answers = talk(f"loadsgf {tmp_path / 'o.sgf'}", "query_boardsize", f"loadsgf {tmp_path / 'a game.sgf'} 2", "undo")
    assert answers == ["? cannot load file: it is a game of othello", "= 5", "= w", "="]


@pytest.mark.parametrize(
    ("rule", "value", "lead", "lost"),
    [
        (NEVER, -1.0, -99.0, False),
        (ResignRule(0.9), -0.95, math.nan, True),
        (ResignRule(0.9), -0.85, -99.0, False),
        (ResignRule(0.9), math.nan, -99.0, False),
        (ResignRule(0.0, 10.0), -0.1, -10.5, True),
        (ResignRule(0.0, 10.0), 0.1, -10.5, False),
        (ResignRule(0.0, 10.0), -0.1, -9.5, False),
        (ResignRule(0.0, 10.0), -0.1, math.nan, False),
        (ResignRule(0.9, 10.0), -0.5, -99.0, False),
        (ResignRule(0.9, 10.0), -0.95, -10.5, True),
    ],
)
def test_a_lost_game(rule: ResignRule, value: float, lead: float, lost: bool) -> None:
    assert rule.is_lost(value, lead) is lost
