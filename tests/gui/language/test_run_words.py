"""Sentences of a training run's process, from its files and its output: Chinese in a Chinese window, English there."""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.text import Text, joined, text_of
from gui.language.core_words import core_text
from gui.language.language import CHINESE, ENGLISH, set_language, translations
from gui.rooms.training.launcher import DIED, PAUSED, WORKING, Launcher, child_environment, own_program
from gui.rooms.training.run_charts import player_title
from gui.rooms.training.run_commands import write_net
from gui.rooms.training.run_model import LOG, RunModel
from gui.rooms.training.run_view import RunView
from gui.rooms.training.self_play import watch_games
from gui.shell.translations import read
from models.commands.program import main
from models.commands.to_window import FOR_WINDOW
from models.netfiles.cuda import MEMORY_FULL
from models.nets.net import gpu_left_out
from models.play.live import LiveGame, LiveWriter
from models.runs.folder import LIVE, REPORTS, RUNNING_FILE, RunControl
from models.runs.reports import Reports, read_reports, repair_reports
from models.training.figures import MISSING
from models.training.learning import Diverged
from models.training.run import _user_error
from tests.gui.rooms.training.runs import shipped_net, write_reports, write_run

ROOT = Path(__file__).parents[3]
EVALUATOR = Text(
    "{net} on {device}, {rate} evaluations/s alone at batch {batch} in one thread ({others})",
    net=Text("{net} in bf16", net="torch"),
    device="CPU",
    rate="1200",
    batch=12,
    others="onnxruntime 345",
)


def look(path: Path) -> RunModel:
    run = RunModel(path)
    run.look()
    return run


def words_left(text: str) -> list[str]:
    """Return the English words of a text: names of programs and settings are none."""
    return re.findall(r"\b(?!torch|onnxruntime|pip)[a-z]{3,}\b(?!['_/.:])", text)


# files of a run


def test_what_a_start_notes_is_shown_in_chinese(tmp_path: Path, qtbot: QtBot) -> None:
    folder = write_run(tmp_path / "r", iterations=1, kept=0)
    initialised = Text("initialised from {net} ({game}, step {step})", net="a.onnx", game="tictactoe", step=7)
    notes = [gpu_left_out("auto"), initialised, MISSING]
    Reports(folder / REPORTS).append("start", 30.0, evaluator=EVALUATOR, notes=notes)
    view = RunView()
    qtbot.addWidget(view)
    view.show_run(look(folder))
    assert view.numbers.text().endswith(" · ".join([EVALUATOR, *notes]))
    set_language(CHINESE)
    view.show_run(look(folder))
    assert "bf16 的 torch（CPU），单独以批量 12 单线程每秒评估 1200 次（onnxruntime 345）" in view.numbers.text()
    assert "由 a.onnx（tictactoe，第 7 步）初始化" in view.numbers.text()
    assert words_left(view.numbers.text().replace("a.onnx（tictactoe", "").replace("install tensorboard", "")) == []


def test_the_end_of_a_run_is_shown_in_chinese(tmp_path: Path) -> None:
    full = OSError(28, "No space left on device")
    errors = {
        text_of(Diverged(7, "loss")): "第 7 步的损失已不是有效数值",
        text_of(_user_error(Path("r"), RuntimeError("CUDA out of memory"))): (
            "GPU 显存已满；已保存的内容完整：请以较少的 games 或较小的 batch_size 继续训练"
        ),
        text_of(_user_error(Path("r"), full)): (
            "无法再写入 'r'（No space left on device）；训练已停止，已保存的内容完整"
        ),
    }
    folder = write_run(tmp_path / "r", iterations=1, kept=0)
    for english, chinese in errors.items():
        Reports(folder / REPORTS).append("error", 31.0, sentence=english)
        assert Launcher().state(look(folder)).words == f"died: {english}"
        set_language(CHINESE)
        assert Launcher().state(look(folder)).words == f"异常终止：{chinese}"
        set_language(ENGLISH)


def test_reports_of_older_versions_are_shown_in_english(tmp_path: Path, qtbot: QtBot) -> None:
    folder = write_run(tmp_path / "r", iterations=1, kept=0)
    write_reports(
        folder, [{"event": "start", "elapsed_s": 9.0, "evaluator": str(EVALUATOR) + ".", "notes": ["old"]}], "a"
    )
    write_reports(folder, [{"event": "error", "elapsed_s": 9.0, "sentence": "the loss is no number"}], "a")
    set_language(CHINESE)
    view = RunView()
    qtbot.addWidget(view)
    view.show_run(look(folder))
    assert view.numbers.text().endswith(f"{EVALUATOR}. · old")
    assert Launcher().state(look(folder)).words.endswith("the loss is no number")


def test_repaired_reports_keep_their_templates(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", iterations=3, kept=0)
    Reports(folder / REPORTS).append("start", 30.0, evaluator=EVALUATOR, notes=[MISSING])
    last = [report for report in read_reports(folder / REPORTS) if report["event"] == "iteration"][1]
    repair_reports(folder / REPORTS, last)
    start = read_reports(folder / REPORTS)[-1]
    assert [type(start["evaluator"]), *map(type, start["notes"])] == [Text, Text]
    assert json.loads((folder / REPORTS).read_text().splitlines()[-1])["notes"] == [MISSING]


def test_the_phase_of_a_run_is_shown_in_chinese(tmp_path: Path, qtbot: QtBot) -> None:
    folder = write_run(tmp_path / "r", iterations=1, kept=0)
    set_language(CHINESE)
    with RunControl(folder) as control:
        assert Launcher().state(look(folder)).words == "正在启动"
        control.phase = Text("iteration {iteration}: playing and learning", iteration=2)
        qtbot.waitUntil(lambda: Launcher().state(look(folder)).words == "第 2 轮：对弈与学习")
        assert Launcher().state(look(folder)).kind == WORKING
        assert json.loads((folder / RUNNING_FILE).read_text())["phase"] == "iteration 2: playing and learning"
        Launcher().command(folder, "pause")
        qtbot.waitUntil(lambda: Launcher().state(look(folder)).kind == PAUSED)
        assert Launcher().state(look(folder)).words == "已暂停"


def test_how_close_a_player_is_to_resigning_is_shown_in_chinese(tmp_path: Path) -> None:
    template = "player {player} below {value:g} for {turns} of {needed} turns"
    resign = Text(template, player=2, value=-0.95, turns=1, needed=3)
    LiveWriter(tmp_path / LIVE).write([LiveGame(0, (), (4,), 1, True, 1.0, 0.1, (), resign)])
    run = look(write_run(tmp_path, iterations=0, kept=0))
    assert run.spec is not None
    assert [game.resign for game in watch_games(tmp_path, run.spec)] == ["player 2 below −0.95 for 1 of 3 turns"]
    set_language(CHINESE)
    assert [game.resign for game in watch_games(tmp_path, run.spec)] == ["棋手 2 的价值低于 −0.95 已 1 / 3 回合"]


def test_the_fixed_players_of_the_ladder_have_chinese_names() -> None:
    assert [player_title(name) for name in ("random", "rollouts:100", "other")] == ["random", "rollouts:100", "other"]
    set_language(CHINESE)
    assert [player_title(name) for name in ("random", "rollouts:100", "other")] == ["随机", "随机走子:100", "other"]


# output of a process


def fail(arguments: list[str], log: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Write the log of a command that ends with an error."""
    capfd.readouterr()
    assert main(arguments) == 2
    log.write_text("$ plyscope train\n" + capfd.readouterr().err, encoding="utf-8")


def test_why_a_process_ended_at_its_start_is_shown_in_chinese(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("long" * 40)
    folder.mkdir()
    arguments = ["train", "tictactoe", "--out", str(folder), "--resume"]
    english = "holds no run to resume; omit --resume to begin one there"
    fail(arguments, folder / LOG, capfd)
    assert (folder / LOG).read_text().count("\n") == 2  # no templates on the command line
    set_language(CHINESE)
    assert Launcher().state(look(folder)).words.endswith(english)
    monkeypatch.setenv(FOR_WINDOW, child_environment()[FOR_WINDOW])
    fail(arguments, folder / LOG, capfd)
    state = Launcher().state(look(folder))
    assert state.kind == DIED
    assert state.words.endswith("中没有可继续的训练；要在该处开始新训练，请去掉 --resume")
    set_language(ENGLISH)
    assert Launcher().state(look(folder)).words.endswith(english)


def test_a_template_in_the_log_that_is_of_another_sentence_is_left(tmp_path: Path) -> None:
    said = json.dumps({"said": "limit reached", "texts": {"said": {"template": "limit reached", "values": {}}}})
    set_language(CHINESE)
    for lines, words in (
        ([said, "plyscope: limit reached"], core_text("limit reached")),
        ([said, "plyscope: something else"], "something else"),
        ([said, "between", "plyscope: limit reached."], "limit reached."),
        (["[3]", "plyscope: nothing"], "nothing"),
        (["{", "plyscope: nothing"], "nothing"),
        (['{"said": 3}', "plyscope: nothing"], "nothing"),
    ):
        (tmp_path / LOG).write_text("\n".join(lines) + "\n", encoding="utf-8")
        assert Launcher().state(look(tmp_path)).words == f"异常终止：{words}"


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["fp32", pytest.param("fp16", marks=pytest.mark.slow)])
def test_the_report_of_an_export_is_shown_in_chinese(tmp_path: Path, precision: str) -> None:
    report = write_net(shipped_net("tictactoe"), tmp_path / "a.onnx", precision, own_program())
    assert "\non CPU" in report
    set_language(CHINESE)
    chinese = core_text(report)
    assert chinese.count("\n") == report.count("\n")
    assert "\n在 CPU 上，" in chinese
    assert words_left(chinese.splitlines()[-1] + "".join(chinese.splitlines()[1:4])) == []


def test_an_export_that_says_nothing_of_its_own_is_told_as_it_is(tmp_path: Path) -> None:
    set_language(CHINESE)
    for code, words in (("sys.exit('torch failed')", "torch failed"), ("sys.exit(3)", "导出以 3 结束")):
        with pytest.raises(ValueError, match=r"torch failed|ended with 3") as caught:
            write_net(tmp_path / "a.onnx", tmp_path / "b.onnx", "fp32", (sys.executable, "-c", f"import sys; {code}"))
        assert core_text(text_of(caught.value)) == words


def test_templates_that_are_composed_are_in_the_catalogue() -> None:
    """``Text(f"...")``: some text of the catalogue has its literal parts."""
    catalogue = list(read(translations() / f"plyscope_{CHINESE}.ts"))
    missing = []
    for path in sorted([*(ROOT / "core").rglob("*.py"), *(ROOT / "models").rglob("*.py")]):
        name = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Text":
                template = node.args[0]
                if isinstance(template, ast.JoinedStr):
                    parts = [re.escape(str(p.value)) if isinstance(p, ast.Constant) else ".*" for p in template.values]
                    if not any(re.fullmatch("".join(parts), text) for text in catalogue):
                        missing.append((name, node.lineno))
    assert missing == []


def test_a_joined_sentence_is_translated_part_by_part() -> None:
    set_language(CHINESE)
    texts = joined([EVALUATOR, MEMORY_FULL], "; ")
    assert core_text(texts).endswith("（onnxruntime 345）；GPU 显存已满")
