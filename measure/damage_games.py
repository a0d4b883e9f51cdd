"""Games, searches, sessions and lessons as files, valid ones and their readers, for ``measure.damage_loaders``."""

from pathlib import Path
from typing import Any, Final

from core.engine import Search, UniformEvaluator
from core.files.lesson import Vocabulary, read_lesson
from core.files.record import ROOT, GameRecord, Mark
from core.files.session import SavedGame, Session, TreeRoom, dump_session, open_session
from core.files.sgf import read_sgf, write_sgf
from core.files.sgf_text import MAX_BYTES
from core.files.stored_tree import StoredTree
from core.files.tree_file import dump_tree, load_tree, saved
from core.games import load_game
from core.search import Limit, SearchSettings

TICTACTOE: Final = "tictactoe"


def _record() -> GameRecord:
    record = GameRecord.of(
        load_game(TICTACTOE).position("b2 a1 c3"),
    )
    record.play(ROOT, 0)
    record.set_comment(1, "both\nlines [x]")
    record.set_marks(1, [Mark(0, "label", "A"), Mark(3, "circle")])
    record.set_info("black", "五子棋")
    return record


def sgf_seeds(folder: Path) -> list[bytes]:
    old = "(;GM[4]CA[gb2312]SZ[15]PB[朱镕基];B[hh]C[x];W[ii](;B[jj]LB[aa:1])(;B[gg];W[aa]))"
    othello = "(;GM[2]SZ[8]AB[ee]PL[W];B[f5];W[f6])(;GM[2])"
    return [write_sgf([_record()]), old.encode("gb18030"), othello.encode()]


def load_sgf(data: bytes, folder: Path) -> None:
    for most in (1, None):
        file = read_sgf(data[: MAX_BYTES + 1], None, most)
        for sentence in file.errors:
            if "\n" in sentence or len(sentence) > 400:
                raise AssertionError(f"no sentence of one line: {sentence[:600]!r}")
    for record in file.records[:3]:
        read_sgf(write_sgf([record]))


def _searched(text: str = TICTACTOE, **given: Any) -> Search:
    game = load_game(text)
    search = Search(game.initial(), UniformEvaluator(game.num_actions), SearchSettings(memory_mb=8, **given), seed=1)
    search.run(Limit(simulations=60))
    search.advance(4)
    search.run(Limit(simulations=40))
    return search


def tree_seeds(folder: Path) -> list[bytes]:
    return [dump_tree(saved(_searched(), "uniform", 3)), dump_tree(saved(_searched(final="lcb", merge_symmetric=True)))]


def load_saved_tree(data: bytes, folder: Path) -> None:
    loaded = load_tree(data)
    game = loaded.position.game
    if game.text != TICTACTOE or loaded.settings.memory_mb > 64:
        return
    again = Search(game.initial(), UniformEvaluator(game.num_actions), loaded.settings)
    loaded.resume(again)
    again.run(Limit(simulations=again.simulations + 30, seconds=2.0))
    again.snapshot()


def session_seeds(folder: Path) -> list[bytes]:
    settings = SearchSettings(memory_mb=8)
    game = SavedGame(_record(), 1, settings, "uniform", 500, (StoredTree(saved(_searched())),))
    nim = SavedGame(GameRecord.of(load_game("nim(heaps=3-4-5)").initial().play(0)))
    position = _searched().position
    record = GameRecord.of(position)
    others = [
        SavedGame(record, record.main_line()[-1], settings, "uniform", 60, (StoredTree(saved(tree)),), name, 3, (0, 1))
        for name, tree in (("A plan", _searched()), ("另一个", _searched(c_puct=3.0)))
    ]
    return [
        dump_session(Session((game, nim), 0, {"players": {"game": TICTACTOE, "delay": 0.5}})),
        dump_session(Session((game, *others), 2, {"nets_sha256": ["", "", None]})),
    ]


def load_saved_session(data: bytes, folder: Path) -> None:
    path = folder / "fuzzed.plyscope"
    path.write_bytes(data)
    loaded = open_session(path, TreeRoom(20_000, folder / "trees"))  # one tree fits into memory
    for game in loaded.session.games:
        for tree in game.searches:
            tree.search()
    for sentence in loaded.errors:
        if "\n" in sentence or len(sentence) > 500:
            raise AssertionError(f"no sentence of one line: {sentence[:600]!r}")
    dump_session(loaded.session)


# Lessons

_LESSONS: Final = Vocabulary(("tree",), ("visits",), ("board",), {"pi": ("estimate",)}, ("zh",))


def lesson_seeds(folder: Path) -> list[bytes]:
    text = (
        "# Title\nzh: 标题\nAbout.\n@minutes 5\n\n## Step\nzh: 一步\nN is {N b2}, Q **{Q b2}**.\n"
        "@game tictactoe\n@moves a1 c3\n@leaves rollouts\n@settings selection=ucb1 c_ucb=1.4 prove=false\n@seed 3\n"
        "@search 100\n@docks tree\n@overlay visits\n@point cell b2\n@wait play b2\n\n## Question\n@picture pi\n"
        "{picture estimate}\n@ask How many?\nzh: 多少？\n@answer {legal} within 0.5\n@hint Count.\n\n## Choice\n"
        "@ask Which?\n@right This\n@wrong That\n"
    )
    return [text.encode()]


def load_lesson(data: bytes, folder: Path) -> None:
    lesson = read_lesson(data, "lesson.txt", _LESSONS)
    for step in lesson.steps:
        step.title.in_language("zh_CN")
