"""Sound files and dialogues of every kind, their readers, and the changes that damage them."""

import contextlib
import io
import json
import math
import os
import random
import re
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from core.engine import Search, UniformEvaluator
from core.engine.evaluator import Evaluator
from core.files import wthor
from core.files.collection import list_games, open_listed
from core.files.game_files import read_games
from core.files.lesson import Vocabulary, read_lesson
from core.files.position_search import find_position
from core.files.record import ROOT, GameRecord, Mark
from core.files.session import SavedGame, Session, TreeRoom, dump_session, open_session
from core.files.sgf import write_sgf
from core.files.trace_file import read_trace
from core.files.trace_tree import tree_of
from core.files.tree_file import StoredTree, dump_tree, load_tree, saved
from core.games import load_game
from core.glass.lint import lint
from core.glass.lint_report import sentence_of
from core.search import Limit, SearchSettings
from core.text import Text, with_texts
from models.audit.neighbours import with_neighbours
from models.audit.page import report_page
from models.audit.positions import random_items
from models.audit.results import AuditWriter, NetFile, Plan, begin, read_audit
from models.audit.searching import audit_positions
from models.audit.summary import summary_lines
from models.audit.table import audit_csv, mistake_openings
from models.commands.serve import _figures
from models.engines.gomocup_server import GomocupServer
from models.engines.gtp_server import GtpServer
from models.engines.json_server import JsonServer, Request
from models.engines.nboard_client import write_ggf
from models.engines.nboard_server import NBoardServer
from models.engines.our_engine import Options
from models.netfiles.recipe import Recipe, RecipeInput, read_recipe
from models.play.live import LiveGame, LiveWriter, read_live
from models.play.openings import openings_text, read_openings
from models.play.replay import load_shard, save_shard, shard_path
from models.play.selfplay import SelfPlay
from models.runs.card import card_path, write_card
from models.runs.config import TrainConfig, read_settings, to_toml, usable
from models.runs.folder import (
    ABOUT,
    COMMAND,
    LIVE,
    REPORTS,
    RUN_TOML,
    RUNNING_FILE,
    Running,
    read_about,
    read_command,
    read_running,
    running,
)
from models.runs.reports import Reports, event_line, read_reports, repair_reports, report_line
from models.strength.ladder import LADDER_FILE, Ladder
from tests.core.glass.toy_search import Toy
from tests.core.search.fakes import run_search
from tests.damage.changes import (
    BYTES,
    Change,
    cut,
    flip,
    in_dialogue,
    in_json,
    in_lines,
    in_protobuf,
    in_text,
    in_toml,
    in_words,
    in_zip,
    splice,
)
from tests.damage.nets import (
    concept_files,
    katago_files,
    leela_files,
    lens_files,
    net_files,
    read_go_net,
    read_net,
    read_net_concepts,
    read_net_lens,
)

TICTACTOE: Final = "tictactoe"
MOST_CHARACTERS: Final = 400  # in a sentence
BINARY: Final = (flip, flip, cut, splice, in_words, in_words)
TEXT: Final = (flip, cut, splice, in_text, in_text, in_lines, in_lines)
DIALOGUE: Final = (in_dialogue, in_dialogue, in_dialogue, in_dialogue, in_text, in_lines, flip)


@dataclass(frozen=True)
class Loader:
    """A reader of files: ``seeds`` makes sound ones in a folder of its own, ``load`` reads one and uses the result."""

    name: str
    seeds: Callable[[Path], list[bytes]]
    load: Callable[[bytes, Path], object]
    changes: Sequence[Change]
    memory: int = 2 << 30  # bytes, for one file
    costs: int = 2  # as many times fewer files are tried as of a quick reader


def check_sentence(*sentences: object) -> None:
    """Raise ``AssertionError`` for what is no sentence of one line."""
    for sentence in map(str, sentences):
        if not sentence.strip() or "\n" in sentence or len(sentence) > MOST_CHARACTERS:
            raise AssertionError(f"no sentence of one line: {sentence[:600]!r}")


def files(*contents: bytes | str) -> Callable[[Path], list[bytes]]:
    """Valid files that are the same each time."""
    return lambda folder: [one.encode() if isinstance(one, str) else one for one in contents]


def from_file(name: str, read: Callable[[Path], object]) -> Callable[[bytes, Path], object]:
    """A loader of a file with this name."""

    def load(data: bytes, folder: Path) -> None:
        path = folder / name
        path.write_bytes(data)
        read(path)

    return load


# Games


def _record() -> GameRecord:
    record = GameRecord.of(
        load_game(TICTACTOE).position("b2 a1 c3"),
    )
    record.play(ROOT, 0)
    record.set_comment(1, "both\nlines [x]")
    record.set_marks(1, [Mark(0, "label", "A"), Mark(3, "circle")])
    record.set_info("black", "五子棋")
    return record


def _sgf_files(folder: Path) -> list[bytes]:
    old = "(;GM[4]CA[gb2312]SZ[15]PB[朱镕基];B[hh]C[x];W[ii](;B[jj]LB[aa:1])(;B[gg];W[aa]))"
    othello = "(;GM[2]SZ[8]AB[ee]PL[W];B[f5];W[f6])(;GM[2])"
    return [write_sgf([_record()]), old.encode("gb18030"), othello.encode()]


def _ggf_file() -> str:
    start = "-" * 27 + "O*------*O" + "-" * 27
    return f"(;GM[Othello]PC[x]DT[2020]PB[a]PW[b]RE[+4.0]TY[8]BO[8 {start} *]B[f5/1.0/2]W[d6]B[c3];)"


def _wthor_file() -> bytes:
    moves = [10 * int(name[1]) + "abcdefgh".index(name[0]) + 1 for name in ("f5", "d6", "c3", "d3", "c4")]
    game = struct.pack("<HHHBB60s", 0, 1, 2, 40, 40, bytes(moves))
    return struct.pack("<4BIHH4B", 20, 20, 1, 1, 3, 0, 2020, 8, 0, 24, 0) + 3 * game


def _wthor_names() -> bytes:
    head = struct.pack("<4BIHH4B", 20, 20, 1, 1, 0, 3, 0, 8, 0, 0, 0)
    return head + b"".join(name.ljust(20, b"\0") for name in (b"A", b"B", b"C"))


def _renlib_files() -> list[bytes]:
    head = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10
    nodes = bytes.fromhex("0008") + b"start\0" + bytes.fromhex("7800 6890 5940") + bytes.fromhex("5ac3 0001") + b"A\0"
    text = bytes.fromhex("7820") + b"ol" + bytes([ord("d") | 128, 0])
    return [head + nodes + bytes.fromhex("6900 9740"), head + text]


_PSQ: Final = (
    "Piskvorky 20x20, 11:11, 0\n10,10,0\n11,11,5\n9,9,30\nalpha.zip\nbeta.zip\n-1\n1,Freestyle\n",
    "Piskvorky 15x15, 0:0, 1\n8,8,0\n9,9\n-1\n2,Renju\n",
)


_GIB: Final = (
    "\\HS\n\\[GIBOKIND=Korea\\]\n\\[GAMEBLACKNAME=검은 (1급)\\]\n\\[GAMEWHITENAME=b (2D)\\]\n"
    "\\[GAMEINFOMAIN=GBKIND:0,GRLT:0,ZIPSU:115,DUM:5,GONGJE:65,TCNT:3\\]\n\\[GAMETAG=S0,W7,Z0,C2015:08:29:22:56\\]\n"
    "\\HE\n\\GS\nINI 0 1 3 &4 \nSTO 0 2 2 15 15 \nSTO 0 3 1 13 16 \nSKI 0 4 \n\\GE\n"
)
_NGF: Final = (
    "Rated game\n19\nsecond      7D*\nfirst       5D\nwww\n2\n0\n6\n20170316 [09:37]\n5\nBlack wins by 0.5!\n3\n"
    "PMABWQRRQ\nPMACBEEEE\nPMADWAAAA\n",
    "GI十段战\nGI甲 初段\nGI乙 五段\nGI\nGI\nGI2006-9-5\nGI9\nGI0\nGI0\nGI6\nGI2\nPMABBEEEE\nPMACWCCCC\n",
)
_UGF: Final = (
    "# c\n[Header]\nLang=SJIS\nCrypt=0,PLAIN_UGF_FILE,READ_WRITE\nTitle=2019,名人戦,\n"
    "Date=2019/03/08,22:09:00,,\nRule=JPN\nSize=9\nHdcp=2,-5.50\nWinner=B,7.50\nCoordinateType=IGS\nPlayerB=a,7d,,\n[Data]\nCG,B1,0,0\nGC,B1,0,0\nEE,W1,1,0\n"
    "YA,B1,2,0\nYZ,MK,3,0\n[Figure]\n.Text,1\ngood\n.EndText\n.Fig,1,1,1,9,9,x,1,0\n.EndFig\n[ReviewComment]\n"
    ".Comment,2\nbad\n"
)


def _load_games(name: str) -> Callable[[bytes, Path], None]:
    """Read games by the name of their file, write them as SGF and read that."""

    def load(data: bytes, folder: Path) -> None:
        for most in (1, None):
            file = read_games(data, name, load_game("gomoku"), most)
            check_sentence(*file.errors)
        for record in file.records[:3]:
            read_games(write_sgf([record]), "a.sgf", record.position(ROOT).game, None)

    return load


def _archive(folder: Path) -> list[bytes]:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/one.sgf", "(;GM[4]SZ[9];B[aa];W[bb](;B[cc])(;B[dd]))" * 5)
        archive.writestr("a/WTHOR.JOU", _wthor_names())
        archive.writestr("a/games.wtb", _wthor_file())
        archive.writestr("b/two.psq", _PSQ[0])
    return [out.getvalue()]


def _read_archive(path: Path) -> None:
    collection = list_games([path])
    check_sentence(*collection.notes)
    find_position(collection.games, load_game("othello").position("f5 d6"))
    for one in collection.games[:3]:
        with contextlib.suppress(ValueError):
            open_listed(one)


def _load_names(data: bytes, folder: Path) -> None:
    for name in wthor.read_names(data, wthor.PLAYER_BYTES):
        name.encode("utf-8")


def _searched(text: str = TICTACTOE, **given: Any) -> Search:
    game = load_game(text)
    search = run_search(game.initial(), UniformEvaluator(game.num_actions), 60, seed=1, memory_mb=8, **given)
    search.advance(4)
    search.run(Limit(simulations=40))
    return search


def _tree_files(folder: Path) -> list[bytes]:
    return [dump_tree(saved(_searched(), "uniform", 3)), dump_tree(saved(_searched(final="lcb", merge_symmetric=True)))]


def _load_tree(data: bytes, folder: Path) -> None:
    loaded = load_tree(data)
    game = loaded.position.game
    if game.text != TICTACTOE or loaded.settings.memory_mb > 64:
        return
    again = Search(game.initial(), UniformEvaluator(game.num_actions), loaded.settings)
    loaded.resume(again)
    again.run(Limit(simulations=again.simulations + 30, seconds=2.0))
    again.snapshot()


def _trace_files(folder: Path) -> list[bytes]:
    """Traces of three searches: one that goes on from a move, one in batches, one by UCB1."""
    moved = Toy(TICTACTOE, noise=0.25, told=("N", "W", "Q")).run(60)
    moved.advance()
    moved.run(20).play()
    batched = Toy("connect4(rows=4, cols=5)", batch=4, loss=1.0).run(60)
    return [one.text() for one in (moved, batched, Toy(TICTACTOE, rule="ucb1", fpu="first").run(60))]


def _load_trace(data: bytes, folder: Path) -> None:
    trace = read_trace(data)
    check_sentence(*map(sentence_of, lint(trace)))
    made, notes = tree_of(trace)
    check_sentence(*notes)
    dump_tree(made)


def _session_files(folder: Path) -> list[bytes]:
    settings = SearchSettings(memory_mb=8)
    game = SavedGame(_record(), 1, settings, "uniform", 500, (StoredTree(saved(_searched())),))
    nim = SavedGame(GameRecord.of(load_game("nim(heaps=3-4-5)").initial().play(0)))
    position = _searched().position
    record = GameRecord.of(position)
    others = [
        SavedGame(
            record,
            record.main_line()[-1],
            settings,
            "uniform",
            60,
            (StoredTree(saved(tree)),),
            name,
            3,
            (0, 1),
            "rank_5k",
            "human.bin.gz",
            "rank_1d_2d",
        )
        for name, tree in (("A plan", _searched()), ("另一个", _searched(c_puct=3.0)))
    ]
    return [
        dump_session(Session((game, nim), 0, {"players": {"game": TICTACTOE, "delay": 0.5}})),
        dump_session(Session((game, *others), 2, {"nets_sha256": ["", "", None]})),
    ]


def _read_session(path: Path) -> None:
    loaded = open_session(path, TreeRoom(20_000, path.parent / "trees"))  # one tree fits into memory
    for game in loaded.session.games:
        for tree in game.searches:
            tree.search()
    check_sentence(*loaded.errors)
    dump_session(loaded.session)


_LESSONS: Final = Vocabulary(("tree",), ("nets",), ("visits",), ("board",), {"pi": ("estimate",)}, ("zh",))
_LESSON: Final = (
    "# Title\nzh: 标题\nAbout.\n@minutes 5\n\n## Step\nzh: 一步\nN is {N b2}, Q **{Q b2}**.\n"
    "@game tictactoe\n@moves a1 c3\n@leaves rollouts\n@settings selection=ucb1 c_ucb=1.4 prove=false\n@seed 3\n"
    "@search 100\n@docks tree\n@overlay visits\n@point cell b2\n@wait play b2\n\n## Question\n@picture pi\n"
    "{picture estimate}\n@ask How many?\nzh: 多少？\n@answer {legal} within 0.5\n@hint Count.\n\n## Choice\n"
    "@ask Which?\n@right This\n@wrong That\n"
)


def _load_lesson(data: bytes, folder: Path) -> None:
    for step in read_lesson(data, "lesson.txt", _LESSONS).steps:
        step.title.in_language("zh_CN")


# Dialogues with programs for which we are the engine

_OPTIONS: Final = Options(Limit(simulations=2), SearchSettings(selection="ucb1", memory_mb=8), seed=1, version="1")
_OTHELLO: Final = load_game("othello")
_LONG: Final = re.compile(r"(?i).*max(Visits|Time)\D*[2-9]|.*max(Visits|Time)\D*\d\d|\s*quit\b|\s*end\b")


def _answered(make: Callable[[io.StringIO], Any], wrong: Callable[[str], str]) -> Callable[[bytes, Path], None]:
    """Answer the lines of a dialogue, but those that ask for a long search; ``wrong`` returns an answer that the
    protocol does not have, or ""."""

    def load(data: bytes, folder: Path) -> None:
        lines = [line for line in data.decode("utf-8", "replace").splitlines()[:400] if not _LONG.match(line)]
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.chdir(folder), contextlib.redirect_stderr(errors):
            make(output).run(io.StringIO("\n".join([*lines, ""])))
        if "Traceback" in errors.getvalue():
            raise AssertionError(errors.getvalue())
        if answer := wrong(output.getvalue()):
            raise AssertionError(f"no answer of the protocol: {answer[:600]!r}")

    return load


def _wrong_line(pattern: str) -> Callable[[str], str]:
    return lambda text: next((line for line in text.splitlines() if not re.match(pattern, line)), "")


def wrong_gtp(text: str) -> str:
    """An answer that is none of GTP: each begins with a sign and ends with an empty line."""
    *answers, rest = text.split("\n\n")
    return rest or next((one for one in answers if not re.match(r"[=?][0-9]*( |\n|$)", one)), "")


def wrong_json(text: str) -> str:
    """A line that is no answer of the JSON server, or an error of the program."""
    for line in text.splitlines():
        answer = json.loads(line)
        known = answer.keys() & {"error", "warning", "action", "isDuringSearch"}
        if not known or "error of the program" in str(answer.get("error", "")):
            return line
    return ""


def _json_server(output: io.StringIO) -> Any:
    def settings(evaluator: Evaluator | None, given: Mapping[str, Any]) -> SearchSettings:
        return SearchSettings(**{"selection": "ucb1", **given, "memory_mb": 8})

    def describe(search: Search, request: Request) -> dict[str, Any]:
        return _figures(search, request, 1)

    server = JsonServer(load_game("go(size=5)"), lambda _: None, settings, describe, _OPTIONS, output)

    class Ended:
        """Ends what is still searched at the end of the lines."""

        def run(self, lines: io.StringIO) -> None:
            server.run(io.StringIO(lines.read() + '{"id":"end","action":"terminate_all"}\n'))

    return Ended()


# What these programs send
_GOGUI: Final = (
    "1 protocol_version\n2 name\n3 list_commands\n4 boardsize 5\n5 clear_board\n6 komi 0.5\n"
    "7 time_settings 60 10 3\n8 play b c3\n9 time_left w 5 0\n10 genmove w\n11 undo\n12 showboard\n"
    "13 final_score\n14 final_status_list dead\n15 reg_genmove b\n16 printsgf\n17 quit\n"
)
_SABAKI: Final = (
    "name\nversion\nrectangular_boardsize 5 4\nkomi 7.5\nclear_board\nfixed_handicap 2\nset_free_handicap a1 b2\n"
    "genmove_analyze w 10\nplay b pass\nplay w pass\nset_position b a1 w b2\nanalyze b 10\nknown_command loadsgf\n"
)
_LIZZIE: Final = (
    'kata-set-rules chinese\nkata-set-rules {"ko":"SIMPLE","tax":"ALL"}\nkata-set-rule suicide true\n'
    "kata-get-rules\nkata-set-param cpuctExploration 1.1\nkata-get-params\nplay b d4 # a comment\n"
    "lz-analyze w interval 10 minmoves 2\n"
    "kata-analyze 10 avoid b a1,b2 3 allow w c3,pass 1 rootInfo true\nkgs-time_settings canadian 60 10 5\n"
    "kata-genmove_analyze b 10\nkgs-genmove_cleanup w\nundo\n"
)
_GOMOCUP: Final = "\n".join(
    (
        *("START 9", "START 15", "RECTSTART 7,7", "RESTART", "BEGIN", "TURN 3,3", "TURN 4,4", "TAKEBACK 3,3"),
        *("PLAY 2,2", "ABOUT", "INFO timeout_turn 10", "INFO time_left 20", "INFO rule 1", "INFO rule 4"),
        *("INFO max_memory 1000", "BOARD\n3,3,1\n4,4,2\nDONE", "BOARD\n1,1,2\nDONE", "INFO folder /tmp"),
    )
)
_NBOARD: Final = "\n".join(
    (
        *("nboard 2", "set depth 4", "set contempt 0", "move F5", "move D6/1.2/3", "move PA", "hint 3", "go"),
        *("ping 7", "learn"),
        *(f"set game {write_ggf(_OTHELLO.position(moves), 60.0)}" for moves in ("f5", "f5 d6 c3 d3", "f5 f6 e6 f4 g6")),
        f"set game {write_ggf(load_game('othello(size=6)').initial())}",
    )
)
_SERVE: Final = "\n".join(
    (
        '{"id":"1","game":"connect4","moves":"d d c","simulations":3}',
        '{"id":"2","moves":["c3","b2"],"turns":[0,1,2],"seconds":0.01,"reportEvery":0.5,"includeOwnership":true}',
        '{"id":"3","game":"tictactoe","position":"X . .\\n. O .\\n. . .","includePolicy":true,"tree":{"depth":2}}',
        '{"id":"4","action":"terminate","terminateId":"2"}',
        '{"id":"5","action":"terminate_all"}',
        '{"id":"6","action":"query_version"}',
        '{"id":"7","moves":"c3","only":["b2"],"settings":{"c_ucb":2.5},"priority":3}',
        '{"id":"8","boardXSize":5,"boardYSize":4,"rules":"japanese","komi":6.5,"initialStones":[["B","A1"]],'
        '"moves":[["W","C3"],["B","pass"]],"analyzeTurns":[0,1,2],"maxVisits":3,"includePolicy":true}',
        '{"id":"9","boardXSize":3,"boardYSize":3,"moves":[],"initialPlayer":"W","rules":{"ko":"SIMPLE"},'
        '"overrideSettings":{"maxVisits":3,"maxTime":0.1,"reportAnalysisWinratesAs":"WHITE"}}',
    )
)


# Nets


def _recipe_files(folder: Path) -> list[bytes]:
    inputs = (RecipeInput(("mine", "-theirs"), "a", "nhwc"), RecipeInput(("colour",), "b", "numbers"))
    return [Recipe(inputs, TICTACTOE).to_json().encode()]


# Training

_RUN_FILES: Final = (RUN_TOML, REPORTS, RUNNING_FILE, COMMAND, LIVE, LADDER_FILE, ABOUT, "net.json")


def _tiny_config(**given: Any) -> TrainConfig:
    values = {"game": TICTACTOE, "iterations": 1, "blocks": 1, "channels": 8, "simulations": 4, "fast_simulations": 2}
    return TrainConfig.from_dict({**values, "games": 4, **given})


def _read_settings(path: Path) -> None:
    values = read_settings(path)
    usable(values)
    to_toml(TrainConfig.from_dict(values))


def _shard_files(folder: Path) -> list[bytes]:
    player = SelfPlay(load_game(TICTACTOE), UniformEvaluator(9), _tiny_config(), games=4, seed=5)
    samples, _ = player.play(UniformEvaluator(9), 12, net_step=5)
    save_shard(folder, 1, samples)
    return [shard_path(folder, 1).read_bytes()]


def run_files(folder: Path) -> dict[str, bytes]:
    """Return the files of a run except its nets, by name."""
    config = _tiny_config()
    reports = Reports(folder / REPORTS)
    evaluator, note = (
        Text("{net} on {device}", net="torch", device="CPU"),
        Text("{share:.1%} of {of!r}", share=0.5, of="a"),
    )
    reports.append("start", 0.0, config=config.to_dict(), evaluator=evaluator, threads=1, notes=[note, "a note"])
    row = {"games_total": 9, "policy_loss": 1.5, "calibration": [[0.1, 0.2, 3]], "learning_rate": 1e-3}
    reports.append("iteration", 65.0, iteration=1, step=4, **row)
    reports.append("checkpoint", 66.0, step=4, iteration=1, net="nets/step-00000004.onnx")
    reports.append("exam", 67.0, step=4, net="x", results={"L1": {"right": 3, "of": 5}})
    match = {"players": ["random", "rollouts:100"], "wins": 3, "draws": 1, "losses": 4}
    reports.append("match", 68.0, **match)
    reports.append("ladder", 69.0, step=4, ratings={"random": [0, 0, 0], "step-00000004": [10, -50, 70.5]}, best=None)
    reports.append("stopped", 70.0, reason="minutes reached")
    game = LiveGame(1, (0,), (4, 8), 3, True, 1.0, 0.5, ((1, 30, 0.25, 0.5), (2, 3, -0.5, 0.1)), note)
    LiveWriter(folder / LIVE).write([game, game])
    write_card(folder, folder / "net.onnx", TICTACTOE, 4)
    process = Running(os.getpid(), 1.7e9, Text("playing {what}", what=note), 1.7e9, "a1", "b2:3", ("/run", "4:5"))
    return {
        RUN_TOML: to_toml(config).encode(),
        REPORTS: (folder / REPORTS).read_bytes(),
        RUNNING_FILE: json.dumps(with_texts(asdict(process))).encode(),
        COMMAND: b'{"command": "pause"}',
        ABOUT: b'{"note": "a note", "archived": true}',
        LIVE: (folder / LIVE).read_bytes(),
        LADDER_FILE: b"".join(json.dumps({**match, "simulations": n}).encode() + b"\n" for n in (100, 100, 7)),
        "net.json": card_path(folder / "net.onnx").read_bytes(),
    }


def with_name(name: str, data: bytes) -> bytes:
    """Return a file of a run as one text: its name, a line feed, its bytes."""
    return name.encode() + b"\n" + data


def lay_run(data: bytes, run: Path, sound: dict[str, bytes]) -> None:
    """Write a run's folder with the one file in ``data`` and valid others."""
    run.mkdir(exist_ok=True)
    name, _, content = data.partition(b"\n")
    damaged = next((one for one in _RUN_FILES if one.encode() == name), REPORTS)
    for file, whole in sound.items():
        (run / file).write_bytes(content if file == damaged else whole)


def _run_folders(folder: Path) -> list[bytes]:
    return [with_name(name, data) for name, data in run_files(folder).items()]


_sound: dict[str, bytes] = {}


def _load_run(data: bytes, folder: Path) -> None:
    if not _sound:
        _sound.update(run_files(folder))
    run = folder / "run"
    lay_run(data, run, _sound)
    for report in read_reports(run / REPORTS):
        if report["event"] == "iteration":
            report_line({"games_total": 0, "elapsed_s": 0.0, **report})
        elif report["event"] not in ("start", "gate"):
            event_line({"elapsed_s": 0.0, **report})
    repair_reports(run / REPORTS, {"event": "iteration", "iteration": 1, "step": 4})
    read_live(run / LIVE)
    read_command(run)
    read_about(run)
    running(run)
    ratings = Ladder(run, load_game(TICTACTOE), 100).ratings()
    if not all(map(math.isfinite, ratings.elo)):
        raise AssertionError("the ratings are no numbers")
    write_card(run, run / "net.onnx", TICTACTOE, 4)
    read_running(run)
    usable(read_settings(run / RUN_TOML))


def _change_run_file(rng: random.Random, data: bytes) -> bytes:
    name, _, content = data.partition(b"\n")
    kinds = {RUN_TOML.encode(): (in_toml,), REPORTS.encode(): (in_lines,), LADDER_FILE.encode(): (in_lines,)}
    change: Change = rng.choice((*kinds.get(name, (in_json, in_json, in_text)), *BYTES[:3]))
    return name + b"\n" + change(rng, content)


def _checkpoint_files(folder: Path) -> list[bytes]:
    import torch

    from models.nets.checkpoint import Checkpoint, save_checkpoint
    from models.nets.net import PolicyValueNet

    config = _tiny_config()
    net = PolicyValueNet.for_game(load_game(TICTACTOE), config.net_config())
    optimizer = torch.optim.AdamW(net.parameters())
    meta = {
        "config": config.to_dict(),
        "progress": {"iteration": 1, "step": 4, "games": 9, "samples": 9, "elapsed_s": 1.0},
    }
    extra = {"torch_rng": torch.get_rng_state()}
    save_checkpoint(
        folder / "seed.pt", Checkpoint(net.state_dict(), net.state_dict(), optimizer.state_dict(), meta, extra)
    )
    return [(folder / "seed.pt").read_bytes()]


def _read_checkpoint(path: Path) -> None:
    from models.nets.checkpoint import load_checkpoint, load_weights
    from models.nets.net import PolicyValueNet
    from models.training.figures import progress_from

    checkpoint = load_checkpoint(path)
    progress_from(checkpoint.meta.get("progress"))
    net = PolicyValueNet.for_game(load_game(TICTACTOE), _tiny_config().net_config())
    load_weights(net, checkpoint.net, path)
    load_weights(net, checkpoint.averaged, path)


# Audits


def _audit_files(folder: Path) -> list[bytes]:
    """Audits of three games, one of two nets, one with neighbours, two unfinished."""
    found = []
    for count, text in enumerate(("tictactoe", "connect4", "go(size=5)")):
        game, path = load_game(text), folder / "seed.audit"
        gathered = random_items(game, 6, (2, 6), 0)
        evaluators = [UniformEvaluator(game.num_actions)] * (1 + count % 2)
        if not count:
            gathered = with_neighbours(game, gathered, evaluators, 3)
        items = gathered.items
        nets = tuple(NetFile(f"/nets/{place}.onnx", "00") for place in range(len(evaluators)))
        begin(path, Plan(text, nets, 8, 0.5, "random positions", ("a note",)), items)
        with AuditWriter(path) as writer:
            for one in audit_positions(game, evaluators, list(enumerate(items[: 6 - count])), 8, 0.5):
                writer.add(one)
        found.append(path.read_bytes())
    return found


def _read_audit(path: Path) -> None:
    """Read an audit, and make all that is made of one."""
    audit = read_audit(path)
    with AuditWriter(path):
        pass
    report_page(audit)
    audit_csv(audit)
    summary_lines(audit)
    mistake_openings(audit)


def _opening_files(folder: Path) -> list[bytes]:
    """A file of openings with comments."""
    game = load_game("connect4")
    items = random_items(game, 12, (1, 8), 0).items
    return [openings_text(game, [item.moves for item in items], "of no net").encode()]


LOADERS: Final = (
    Loader("lesson", files(_LESSON), _load_lesson, (*BYTES, in_text, in_text, *[in_words] * 4)),
    Loader("sgf", _sgf_files, _load_games("a.sgf"), (*BYTES, in_text, in_text)),
    Loader("psq", files(*_PSQ), _load_games("a.psq"), TEXT),
    Loader("ggf", files(_ggf_file(), f"2 {_ggf_file()}{_ggf_file()}"), _load_games("a.ggf"), TEXT),
    Loader("wthor", files(_wthor_file()), _load_games("a.wtb"), BINARY),
    Loader("wthor names", files(_wthor_names()), _load_names, BINARY),
    Loader("renlib", files(*_renlib_files()), _load_games("a.lib"), BINARY),
    Loader("gib", files(_GIB.encode("cp949"), _GIB), _load_games("a.gib"), TEXT),
    Loader("ngf", files(*_NGF, _NGF[1].encode("gb18030")), _load_games("a.ngf"), TEXT),
    Loader("ugf", files(_UGF, _UGF.encode("cp932")), _load_games("a.ugi"), TEXT),
    Loader("archive", _archive, from_file("games.zip", _read_archive), BINARY),
    Loader("session", _session_files, from_file("a.plyscope", _read_session), (*BYTES, *[in_zip] * 8)),
    Loader("trace", _trace_files, _load_trace, TEXT),
    Loader("tree", _tree_files, _load_tree, (*BYTES, *[in_zip] * 8)),
    Loader(
        "gtp",
        files(_GOGUI, _SABAKI, _LIZZIE),
        _answered(lambda output: GtpServer(load_game("go(size=5)"), lambda _: None, _OPTIONS, output), wrong_gtp),
        DIALOGUE,
    ),
    Loader(
        "gomocup",
        files(_GOMOCUP),
        _answered(
            lambda output: GomocupServer(load_game("gomoku(size=9)"), lambda _: None, _OPTIONS, output),
            _wrong_line(r"OK$|ERROR |UNKNOWN |name=|\S.*,"),
        ),
        DIALOGUE,
    ),
    Loader(
        "nboard",
        files(_NBOARD),
        _answered(
            lambda output: NBoardServer(_OTHELLO, lambda _: None, _OPTIONS, output),
            _wrong_line("set myname|pong|===|search|status|nodestats|learned"),
        ),
        DIALOGUE,
    ),
    Loader("serve", files(_SERVE), _answered(_json_server, wrong_json), DIALOGUE),
    Loader("net", net_files, from_file("a.onnx", read_net), (*BYTES, *[in_protobuf] * 8), memory=5 << 30),
    Loader("concepts", concept_files, from_file("a.concepts", read_net_concepts), (*BYTES, *[in_zip] * 8)),
    Loader("lens", lens_files, from_file("a.lens", read_net_lens), (*BYTES, *[in_zip] * 8)),
    Loader("recipe", _recipe_files, from_file("a.recipe.json", read_recipe), (*BYTES, in_text, in_text)),
    Loader("katago", katago_files, from_file("a.bin.gz", read_go_net), (*BYTES, *[in_words] * 8)),
    Loader("leela", leela_files, from_file("a.txt.gz", read_go_net), (*BYTES, *[in_words] * 6)),
    Loader("audit", _audit_files, from_file("a.audit", _read_audit), (*BYTES, *[in_lines] * 8)),
    Loader(
        "openings",
        _opening_files,
        from_file("a.txt", lambda path: read_openings(path, load_game("connect4"))),
        (*BYTES, in_text, in_text),
    ),
    Loader(
        "settings",
        files(to_toml(_tiny_config()), 'game = "connect4"\nminutes = 3\n'),
        from_file(RUN_TOML, _read_settings),
        (*BYTES, *[in_toml] * 6, in_text),
    ),
    Loader(
        "shard",
        _shard_files,
        from_file(shard_path(Path(), 2).name, lambda path: load_shard(path, load_game(TICTACTOE))),
        (*BYTES, *[in_zip] * 8),
    ),
    Loader("run", _run_folders, _load_run, (_change_run_file,)),
    Loader("checkpoint", _checkpoint_files, from_file("a.pt", _read_checkpoint), (*BYTES, *[in_zip] * 4)),
)
