"""Errors of core and models: English on the command line, Chinese in a Chinese window, whole through a pickle."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from core.checks import short
from core.engine import Search
from core.files.edit import judge
from core.files.reading import Fields, in_short
from core.files.session import open_session
from core.files.sgf import read_sgf
from core.games import GameSpec, load_game
from core.search import Limit, SearchSettings
from core.solve.solver import refusal
from core.text import Text, joined, text_of
from gui.language.core_words import core_text, error_text
from gui.language.language import CHINESE, set_language, stopped
from gui.widgets.settings.settings_panel import SettingsPanel
from models.commands.program import main
from models.netfiles.net_file import read_net_info
from models.runs.config import TrainConfig, read_settings
from models.runs.presets import preset_values


def tictactoe() -> GameSpec:
    return load_game("tictactoe")


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


# What is done in an empty folder, what it says, and what a Chinese window shows of it.
CASES: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "a net that is missing": (
        lambda folder: read_net_info(Path("gone.onnx")),
        "'gone.onnx' does not exist; give the path of a net file",
        "'gone.onnx' 不存在；请给出网络文件的路径",
    ),
    "a session that is none": (
        lambda folder: open_session(written(folder, "a.plyscope", b"nothing")),
        "a.plyscope cannot be opened: it is no zip archive, or its end is missing",
        "无法打开 a.plyscope：it is no zip archive, or its end is missing",
    ),
    "a game that is unknown": (
        lambda folder: load_game("chess"),
        "cannot load the game 'chess': it should be one of tictactoe, connectn, gomoku, connect4, othello, go, nim, "
        "openspiel, with parameters in brackets as in gomoku(size=9)",
        "无法载入棋类 'chess'：应为 tictactoe, connectn, gomoku, connect4, othello, go, nim, openspiel 之一，"
        "参数写在括号中，如 gomoku(size=9)",
    ),
    "a parameter that is unknown": (
        lambda folder: load_game("gomoku(sides=9)"),
        "cannot load the game 'gomoku(sides=9)': 'sides=9' is none of its parameters, "
        "gomoku takes size: a whole number from 5 to 22, rule: one of freestyle, standard, renju",
        "无法载入棋类 'gomoku(sides=9)'：'sides=9' 不是其参数，"
        "gomoku 的参数：size：5 至 22 的整数, rule：freestyle, standard, renju 之一",
    ),
    "a move that is unknown": (
        lambda folder: tictactoe().position("a1 z9"),
        "unknown move 'z9' in tictactoe: a move is a1 to c3, or a number from 0 to 8",
        "tictactoe 中没有着法 'z9'：着法为 a1 至 c3，或 0 至 8 的数",
    ),
    "a move that is not legal": (
        lambda folder: tictactoe().position("a1 a1"),
        "move 'a1' is not legal in tictactoe after a1: the place is taken",
        "在 a1 之后，着法 'a1' 在 tictactoe 中不合法：该处已有棋子",
    ),
    "a diagram that is too short": (
        lambda folder: tictactoe().position("X . .\n. . ."),
        "bad diagram 'X . . / . . .' for tictactoe: it has 2 rows and the board has 3",
        "'X . . / . . .' 不是 tictactoe 的局面图：有 2 行，而棋盘有 3 行",
    ),
    "a setting out of range": (
        lambda folder: SearchSettings(c_puct=-1.0),
        "c_puct is -1.0; it must be a number from 0 to 100",
        "c_puct 为 -1.0；应为：0 至 100 的数",
    ),
    "a limit that is no number": (
        lambda folder: Limit(simulations="many"),  # type: ignore[arg-type]
        "simulations is 'many'; it must be a whole number from 1 to 2147483648",
        "simulations 为 'many'；应为：1 至 2147483648 的整数",
    ),
    "too little memory": (
        lambda folder: Search(load_game("gomoku(size=19)").initial(), None, SearchSettings(memory_mb=1)),
        "a memory budget of 1048576 bytes holds 677 nodes of this game; at least 1548000 bytes are needed",
        "1048576 字节的内存预算可容纳该棋类的 677 个节点；至少需要 1548000 字节",
    ),
    "training settings, two of them": (
        lambda folder: TrainConfig.from_dict({"game": "connect4", "minutes": 5.0, "blocks": -1, "device": "tpu"}),
        "net.blocks is -1; it must be a whole number from 0 to 80; "
        "run.device is 'tpu'; it must be one of auto, cpu, cuda",
        "net.blocks 为 -1；应为：0 至 80 的整数；run.device 为 'tpu'；应为：auto, cpu, cuda 之一",
    ),
    "a preset that is unknown": (
        lambda folder: preset_values("huge", "connect4"),
        "preset is 'huge'; it must be one of small, medium, large",
        "preset 为 'huge'；应为：small, medium, large 之一",
    ),
    "a run's settings that are none": (
        lambda folder: read_settings(written(folder, "r.toml", b"blocks = 1\nblocks = 2")),
        "{path!r} is not a TOML file of settings: Cannot overwrite a value (at end of document)",
        "{path!r} 不是 TOML 设置文件：Cannot overwrite a value (at end of document)",
    ),
    "a value of another kind": (
        lambda folder: Fields({"cursor": "x"}).whole("cursor", 0, 9),
        "cursor is 'x'; it must be a whole number from 0 to 9",
        "cursor 为 'x'；应为：0 至 9 的整数",
    ),
}


def error_of(case: str, folder: Path) -> Exception:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the callers look at the sentence
        CASES[case][0](folder)
    return caught.value


@pytest.mark.parametrize("case", CASES)
def test_errors_are_shown_in_the_current_language(case: str, tmp_path: Path) -> None:
    error, (_, english, chinese) = error_of(case, tmp_path), CASES[case]
    english, chinese = (text.replace("{path!r}", short(str(tmp_path / "r.toml"))) for text in (english, chinese))
    assert str(error) == english
    assert error_text(error) == english
    set_language(CHINESE)
    assert error_text(error) == chinese
    assert str(error) == english


def test_the_figures_of_a_sentence_are_written_as_everywhere_in_the_window() -> None:
    text = Text("{net!r}: {visits:,} visits, {share:.0%}, {q:+.2f}", net="a,-1%", visits=12345, share=0.5, q=-0.25)
    assert core_text(text) == "'a,-1%': 12\u202f345 visits, 50\u202f%, −0.25"
    assert core_text(Text("{one}", one=Text("{visits:,}", visits=4000))) == "4\u202f000"


def test_values_are_not_translated() -> None:
    """A file may be called by a word that the window has in its catalogue."""
    set_language(CHINESE)
    assert core_text("Search") != "Search"
    assert core_text(Text("{name} is missing", name="Search")) == "缺少 Search"


def test_faults_of_a_board_and_of_an_sgf_file_are_shown_in_chinese() -> None:
    cells = np.array([[1, 0, 0], [0, 0, 0], [1, 0, 0]], np.int8)
    faults = judge(load_game("tictactoe"), cells).faults
    assert faults == ("it has 2 X and 0 O, and as X begins there must be as many X as O or one more",)
    sgf = read_sgf("(;GM[2]SZ[8];B[zz])(;GM[9])")
    assert sgf.errors == (
        "game 1: at the start, 'zz' is no point of this board, which are aa to hh; "
        "that variation is kept but not shown",
        "game 2: it is of Lines of Action (GM[9]); "
        "of SGF's games Go (GM[1]) and Othello (GM[2]) and Gomoku (GM[4]) are known",
    )
    set_language(CHINESE)
    assert [stopped(core_text(fault)) for fault in faults] == [
        "有 2 个 X 和 0 个 O；X 先走，因此 X 须与 O 同样多或多一个。"
    ]
    assert [core_text(error) for error in sgf.errors] == [
        "第 1 局：起始处，'zz' 不是此棋盘上的点，点为 aa 至 hh；该变化已保留但不显示",
        "第 2 局：其棋类是 Lines of Action（GM[9]）；SGF 的棋类中只支持围棋（GM[1]）与黑白棋（GM[2]）与五子棋（GM[4]）",
    ]


def test_the_reason_for_no_exact_value_is_translated() -> None:
    problem = refusal(load_game("othello").initial())
    assert problem is not None
    set_language(CHINESE)
    assert core_text(problem) == "othello 的此局面有 60 个空格，最多 26 个空格时可精确求解"


def test_the_command_line_is_english_in_every_language(capsys: pytest.CaptureFixture[str]) -> None:
    set_language(CHINESE)
    assert main(["analyze", "chess"]) == 2
    assert "cannot load the game 'chess': it should be one of tictactoe" in capsys.readouterr().err


def test_the_name_of_a_setting_is_a_value_of_its_error() -> None:
    for given in ({"c_puct": -1.0}, {"selection": "best"}, {"max_batch": 1.5}, {"memory_mb": 1 << 30}, {"prove": 1}):
        with pytest.raises(ValueError) as caught:  # noqa: PT011 - whatever it says
            SearchSettings(**given)
        message = text_of(caught.value)
        assert isinstance(message, Text)
        assert message.values["name"] in given


# across processes


def same(error: Exception) -> Exception:
    return error


@pytest.mark.parametrize("case", CASES)
def test_an_error_keeps_its_template_through_a_pickle(case: str, tmp_path: Path) -> None:
    error = error_of(case, tmp_path)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    set_language(CHINESE)
    assert error_text(again) == error_text(error)


@pytest.mark.slow
def test_errors_keep_their_template_between_processes(tmp_path: Path) -> None:
    error = error_of("a parameter that is unknown", tmp_path)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        again = pool.submit(same, error).result(120.0)
    assert str(again) == str(error)
    set_language(CHINESE)
    assert error_text(again) == CASES["a parameter that is unknown"][2]


# texts put together, and cut


def test_several_texts_joined_keep_their_templates() -> None:
    texts = joined([Text("{name} is missing", name="a{b}"), "plain {x}"], "; ")
    assert texts == "a{b} is missing; plain {x}"
    set_language(CHINESE)
    assert core_text(texts) == "缺少 a{b}；plain {x}"


def test_a_long_chinese_sentence_is_not_taken_for_a_long_word() -> None:
    sentence = "无法打开该文件，因为其中的内容不完整。" * 10
    assert in_short(sentence) == sentence
    path = "x" * 200
    assert len(in_short(f"文件'{path}'无法读取")) < 120


def test_invalid_settings_are_marked_in_chinese_too(qtbot: QtBot) -> None:
    set_language(CHINESE)
    panel = SettingsPanel()
    qtbot.addWidget(panel)
    panel.show_settings(SearchSettings(), 1000)
    panel.inputs["c_puct"].setText("-1")
    panel.take()
    assert panel.inputs["c_puct"].property("bad") is True
    assert panel.error.text().endswith("c_puct 为 -1；应为：0 至 100 的数")
