"""Lessons as files: what is read, and that every fault is one sentence with its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.files.lesson import (
    COMMANDS,
    FIGURES,
    INSIDE_FIGURES,
    MAX_BYTES,
    POINTS,
    WAITS,
    Lesson,
    Vocabulary,
    load_lesson,
    options_from,
    read_lesson,
    settings_from,
)
from core.files.reading import BadFile
from core.games import load_game
from core.search import SearchSettings

PICTURES = {"pi": ("estimate", "error"), "bandit": ("next",)}
KNOWN = Vocabulary(("moves", "tree"), ("search", "nets"), ("visits", "q"), ("board",), PICTURES, ("en", "zh"))
README = Path(__file__).parents[3] / "resources" / "guide" / "en" / "lessons.md"
LESSON = """\
# First
zh: 第一课
About it.
zh: 关于它。
@minutes 7

## Play
zh: 走棋
N is {N b2}.
zh: N 是 {N b2}。
Plain.
@game tictactoe
@moves a1 c3
@settings selection=ucb1 c_ucb=1.5 prove=false
@point cell b2
@point row b2
@wait play b2

## Ask
@picture pi
It is {picture estimate}.
@ask How many?
zh: 多少？
@answer {legal} within 0.5
@hint Count.
zh: 数一数。

## Choose
@ask Which?
@wrong This
zh: 这个
@right That
"""


def read(text: str) -> Lesson:
    return read_lesson(text.encode(), "mine.txt", KNOWN)


def test_a_lesson_is_read_with_its_translations() -> None:
    lesson = read_lesson(LESSON.encode(), "mine.txt", KNOWN)
    assert (lesson.name, lesson.minutes, len(lesson.steps)) == ("mine", 7, 3)
    assert lesson.title.in_language("en") == "First"
    assert lesson.title.in_language("zh_CN") == "第一课"
    assert lesson.about.in_language("zh_CN") == "关于它。"
    play, ask, choose = lesson.steps
    assert [words.in_language("zh_CN") for words in play.paragraphs] == ["N 是 {N b2}。", "Plain."]
    assert play.game.name == "tictactoe"
    assert ask.game is play.game  # until another one is opened
    settings = play.command("settings")
    assert settings is not None
    assert settings_from(settings) == SearchSettings(selection="ucb1", c_ucb=1.5, prove=False)
    assert [one.words for one in play.commands if one.name == "point"] == [("cell", "b2"), ("row", "b2")]
    assert (ask.question.answer, ask.question.within) == ("{legal}", 0.5)
    assert ask.question.hint.in_language("zh_CN") == "数一数。"
    assert [choice.right for choice in choose.question.choices] == [False, True]


@pytest.mark.parametrize(
    ("wrong", "line", "words"),
    [
        ("", 1, "at least one step"),
        ("## Step", 1, "begins with its title"),
        ("# A\n# B", 2, "one title"),
        ("# A\n@game tictactoe", 2, "belongs into a step"),
        ("# A\n@minutes many", 2, "whole number from 1 to 600"),
        ("# A\n\n## S\n@gane tictactoe", 4, "there is no command @gane"),
        ("# A\n## S\n@game chess", 3, "chess"),
        ("# A\n## S\n@game tictactoe\n@moves a1 a1", 4, "a1"),
        ("# A\n## S\n@moves a1", 3, "needs a game"),
        ("# A\n## S\n@game tictactoe\n@wait play z9", 4, "no move 'z9'"),
        ("# A\n## S\n@game tictactoe\n@wait play b2\n@wait search", 5, "stands twice"),
        ("# A\n## S\n@wait dance", 3, "'dance'"),
        ("# A\n## S\n@wait search now", 3, "takes nothing after it"),
        ("# A\n## S\n@wait simulations", 3, "takes one word more"),
        ("# A\n## S\n@wait simulations -1", 3, "no whole number"),
        ("# A\n## S\n@wait slider far", 3, "'far' is no place of the slider"),
        ("# A\n## S\n@search 9999999999999999999", 3, "no whole number"),
        ("# A\n## S\n@docks moves cellar", 3, "'cellar' here; there are moves, tree"),
        ("# A\n## S\n@overlay pink", 3, "'pink'"),
        ("# A\n## S\n@leaves oracle", 3, "'oracle'"),
        ("# A\n## S\n@settings c_puct=much", 3, "c_puct is 'much'"),
        ("# A\n## S\n@settings colour=3", 3, "no search setting"),
        ("# A\n## S\n@picture cake", 3, "'cake'; there are pi, bandit"),
        ("# A\n## S\n@picture bandit arms=0.2,x", 3, "no option"),
        ("# A\n## S\n@picture bandit arms=nan", 3, "no option"),
        ("# A\n## S\nIt is {cake}.\nMore.", 3, "no figure 'cake'"),
        ("# A\n## S\nFine.\nzh: {cake}\nMore.", 4, "no figure 'cake'"),
        ("# A\n## S\n{N b2}\n\n## T", 3, "needs a game"),
        ("# A\n## S\n{n b2}", 3, "of the position, not of a move"),
        ("# A\n## S\n@picture pi\n{picture next}", 4, "no figure 'next'; it has estimate, error"),
        ("# A\n## S\n{inside cake}", 3, "no figure 'cake'; it has turns"),
        ("# A\n## S\n{inside first}", 3, "no whole number"),
        ("# A\n## S\n{inside turns 3}", 3, "nothing stands behind the figure inside turns"),
        ("# A\n## S\n{inside reads cake}", 3, "no concept 'cake' here; there are none"),
        ("# A\n## S\n@game connect4\n{inside reads cake}", 4, "no concept 'cake' here; there are own line"),
        ("# A\n## S\n@wait block all", 3, "no whole number"),
        ("# A\n## S\n@right It", 3, "needs a question"),
        ("# A\n## S\n@ask What?\n@right It\n\n## T", 3, "one @right and at least one @wrong"),
        ("# A\n## S\n@ask What?\n@answer 3 within reach", 4, "'reach' is no number"),
        ("# A\n## S\n@ask What?\n@answer 3\n@wait search", 3, "waits for one thing"),
        ("# A\n## S\n@docks moves\nzh: 哪里", 4, "no text before it"),
        ("# A\n## S\n" + "x" * 2001, 3, "longer than 2000"),
        ("# A\n" + "## S\n" * 101, 102, "at most 100 steps"),
    ],
)
def test_each_fault_is_one_sentence_with_its_line(wrong: str, line: int, words: str) -> None:
    with pytest.raises(BadFile) as caught:
        read(wrong)
    sentence = str(caught.value)
    assert sentence.startswith(f"mine.txt, line {line}: ")
    assert words in sentence
    assert "\n" not in sentence
    assert len(sentence) < 700


def test_a_paragraph_may_begin_with_two_letters_and_a_colon() -> None:
    """Only the window's languages mark a translation."""
    lesson = read("# A\nzh: 甲\n## S\npi: the share of the visits.\nno: O wins.\nzh: 不：O 胜。\n")
    assert [words.text for words in lesson.steps[0].paragraphs] == ["pi: the share of the visits.", "no: O wins."]
    assert [dict(words.others) for words in lesson.steps[0].paragraphs] == [{}, {"zh": "不：O 胜。"}]


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"mine\.txt, line 2: it is not UTF-8"):
        read_lesson(b"# A\n\xff", "mine.txt", KNOWN)
    large = tmp_path / "large.txt"
    large.write_bytes(b"# A\n" * MAX_BYTES)
    with pytest.raises(BadFile, match="too large"):
        load_lesson(large, KNOWN)


TRACED = "# A\n## S\n@trace bot lint\n{N b2} of {n}: {fault}\n## T\n{Q a1}\n"


def test_a_trace_lies_beside_its_lesson_and_gives_the_game(tmp_path: Path) -> None:
    path, trace = tmp_path / "mine.txt", tmp_path / "bot.trace"
    path.write_text(TRACED, encoding="utf-8")
    trace.write_text('{"format": "plyscope trace", "version": 1, "game": "tictactoe"}\ns 0 - 0\n', encoding="ascii")
    steps = load_lesson(path, KNOWN).steps
    assert steps[0].commands[0].words == (str(trace), "lint")
    assert [step.game.name for step in steps if step.game is not None] == ["tictactoe"] * 2


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("@trace other", "other.trace cannot be opened: No such file"),
        ("@trace ../bot", "'../bot' is no name of a trace"),
        ("@trace bot marked", "@trace needs the name of a file beside the lesson after it, and perhaps lint"),
        ("@trace", "@trace needs something after it"),
        ("@trace bad", "bad.trace cannot be opened: it is no trace"),
        ("@game nim\n@trace bot", "@game cannot stand beside @trace"),
    ],
)
def test_a_bad_trace_is_refused_in_one_sentence(tmp_path: Path, written: str, says: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(f"# A\n## S\n{written}\n", encoding="utf-8")
    (tmp_path / "bad.trace").write_text("{}\n", encoding="ascii")
    good = '{"format": "plyscope trace", "version": 1, "game": "tictactoe"}\n'
    (tmp_path / "bot.trace").write_text(good, encoding="ascii")
    with pytest.raises(BadFile, match=re.escape(says)):
        load_lesson(path, KNOWN)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("@training other samples", "other cannot be opened: No such file"),
        ("@training ../run samples", "'../run' is no name of a run"),
        ("@training run", "@training needs the name of a run's folder"),
        ("@training run nowhere", "a page of charts, games"),
        ("@training run samples x", "'x' is no whole number"),
        ("@training chess samples", "chess cannot be opened"),
        ("@training torn samples", "torn cannot be opened"),
        ("@training large samples", "large cannot be opened: it has more than 1024 KiB"),
    ],
)
def test_a_bad_run_is_refused_in_one_sentence(tmp_path: Path, written: str, says: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(f"# A\n## S\n{written}\n", encoding="utf-8")
    for name, text in (("run", "tictactoe"), ("chess", "chess"), ("large", "tictactoe")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.toml").write_text(f'game = "{text}"\n', encoding="ascii")
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "run.toml").write_bytes(b"game = \xff")
    (tmp_path / "large" / "reports.jsonl").write_bytes(b" " * (1 << 20))
    with pytest.raises(BadFile, match=re.escape(says)):
        load_lesson(path, KNOWN)
    path.write_text("# A\n## S\n@training run samples 3\n{diagnosis}\n@wait diagnosis\n", encoding="utf-8")
    (step,) = load_lesson(path, KNOWN).steps
    assert step.commands[0].words == (str(tmp_path / "run"), "samples", "3")
    assert step.game == load_game("tictactoe")


def test_options_of_a_picture_are_numbers_and_lists() -> None:
    command = read_lesson(b"# A\n## S\n@picture bandit arms=0.2,0.5 c=2", "a.txt", KNOWN).steps[0].commands[0]
    assert options_from(command) == {"arms": (0.2, 0.5), "c": 2.0}


def test_the_readme_explains_the_whole_vocabulary() -> None:
    text = README.read_text(encoding="utf-8")
    written = [f"@{name}" for name in COMMANDS] + [f"@wait {name}" for name in WAITS] + [f"`{name} " for name in POINTS]
    written += [f"{{{name} b2}}" if of_move else f"{{{name}}}" for name, of_move in FIGURES.items()]
    written += [f"`{{inside {name}" for name in INSIDE_FIGURES]
    written += ["@ask", "@answer", "@right", "@wrong", "@praise", "@hint", "@minutes", "{picture NAME}"]
    assert [word for word in written if word not in text] == []
