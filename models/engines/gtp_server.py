"""Plays and analyses under GTP 2: what ``plyscope gtp`` answers to a program such as Sabaki, GoGui or Lizzie.

Beside the commands of the protocol (G. Farnebäck, GTP 2 draft 2, 2002) it knows the analysis commands of Leela Zero and
KataGo.  Win rates and scores are for the side to move, as those programs give them to their users by default.  Knows no
window, and no game beyond what its ``GameSpec`` says.
"""

import contextlib
import queue
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from core.engine.evaluator import Evaluator, gives_ownership
from core.engine.ownership import Ownership, OwnershipReader, most_visited
from core.engine.search import Search
from core.files.reading import in_short, read_bytes
from core.files.record import GameRecord
from core.files.sgf import read_sgf
from core.files.sgf_writing import write_sgf
from core.games import GameSpec, Position
from core.games.spec import PASS
from core.glass.snapshot import FULL, OVER, PROVED, Snapshot
from core.search.settings import Limit, SearchSettings
from models.engines.gtp_board import GtpBoard, Refused
from models.engines.gtp_client import COLOURS, RESIGN, vertex
from models.engines.gtp_raw import raw_answer
from models.engines.gtp_time import Clock
from models.engines.gtp_words import (
    AnalysisRequest,
    colour_of,
    info_line,
    number_at,
    read_raw_request,
    read_request,
    whole_at,
    win_rate,
    word_at,
)

VERSION: Final = 2
LONGEST_S: Final = 24 * 3600.0  # of an analysis
SLICE_S: Final = 0.02  # of a search, between two looks for the next command

_TRUSTED: Final = 50  # visits of a root, from which its value may make the engine resign
_MOST_SGF: Final = 4 << 20  # bytes
_ENDED: Final = (FULL, OVER, PROVED)  # reasons for which a search does not go on
_NUMBER: Final = re.compile(r"[0-9]{1,19}", re.ASCII)  # of a command
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True)
class Options:
    """How the engine plays."""

    limit: Limit
    settings: SearchSettings
    resign: float = 0.0
    """The win rate below which it resigns; 0: never."""
    seed: int = 0
    version: str = ""


class GtpServer:
    """Reads commands and writes answers until ``quit`` or the end of the input.

    ``load`` gives the evaluator for a game, None for random games; it raises ValueError when a board cannot be had.
    """

    def __init__(
        self, game: GameSpec, load: Callable[[GameSpec], Evaluator | None], options: Options, output: TextIO
    ) -> None:
        self._load, self._options, self._output = load, options, output
        self._board, self._clock = GtpBoard(game), Clock()
        self._evaluator = load(game)
        self._search: Search | None = None
        self._owners: OwnershipReader | None = None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._id = ""
        self._commands: dict[str, Callable[[list[str]], str | None]] = {
            "protocol_version": lambda _: str(VERSION),
            "name": lambda _: "Plyscope",
            "version": lambda _: options.version,
            "known_command": lambda words: str(word_at(words, 0, "command") in self._commands).lower(),
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": lambda _: "",
            "boardsize": self._resize,
            "rectangular_boardsize": self._resize,
            "query_boardsize": lambda _: str(self._board.game.shape[0]),
            "clear_board": self._clear,
            "komi": self._komi,
            "get_komi": lambda _: f"{self._board.game.params.get('komi', 0):g}",
            "kata-set-rules": self._rules,
            "kata-get-rules": lambda _: str(self._board.game.params.get("rules", "")),
            "play": self._play,
            "undo": self._undo,
            "genmove": self._genmove,
            "reg_genmove": lambda words: self._genmove(words, play=False),
            "kgs-genmove_cleanup": lambda words: self._genmove(words, cleanup=True),
            "fixed_handicap": lambda words: self._handicap(self._board.fixed_handicap, words),
            "place_free_handicap": lambda words: self._handicap(self._board.free_handicap, words),
            "set_free_handicap": self._free_handicap,
            "set_position": self._set_position,
            "showboard": lambda _: "\n" + self._board.position.diagram(),
            "final_score": self._final_score,
            "final_status_list": self._status_list,
            "time_settings": self._time_settings,
            "kgs-time_settings": self._kgs_time_settings,
            "time_left": self._time_left,
            "loadsgf": self._load_sgf,
            "printsgf": self._print_sgf,
            "lz-analyze": lambda words: self._analyze(read_request(words, self._board, katago=False)),
            "analyze": lambda words: self._analyze(read_request(words, self._board, katago=False)),
            "kata-analyze": lambda words: self._analyze(read_request(words, self._board, katago=True)),
            "lz-genmove_analyze": lambda words: self._genmove_analyze(read_request(words, self._board, katago=False)),
            "genmove_analyze": lambda words: self._genmove_analyze(read_request(words, self._board, katago=False)),
            "kata-genmove_analyze": lambda words: self._genmove_analyze(read_request(words, self._board, katago=True)),
            "kata-raw-nn": self._raw,
        }

    # The dialogue.

    def run(self, source: TextIO) -> None:
        """Carry out the commands of ``source``, one a line."""
        threading.Thread(target=self._read, args=(source,), name="gtp input", daemon=True).start()
        with contextlib.suppress(OSError):  # of the output: the other program is gone
            while (line := self._lines.get()) is not None:
                line = _CONTROL.sub("", line.replace("\t", " ").partition("#")[0]).strip()
                if line and not self._carry_out(line):
                    return

    def _read(self, source: TextIO) -> None:
        try:
            for line in source:
                self._lines.put(line)
        except (OSError, ValueError):  # closed, or not UTF-8
            pass
        self._lines.put(None)

    def _carry_out(self, line: str) -> bool:
        """Carry out one command; False when it was ``quit``."""
        words, sign = line.split(), "="
        self._id = words.pop(0) if _NUMBER.fullmatch(words[0]) else ""
        command = words.pop(0) if words else ""
        carry = self._commands.get(command)
        try:
            if carry is None:
                raise Refused("unknown command")
            answer = carry(words)
        except ValueError as error:
            sign, answer = "?", in_short(str(error))
        except OSError as error:
            sign, answer = "?", in_short(f"{error.strerror}: {error.filename}")
        if answer is not None:
            self._write(f"{sign}{self._id}{' ' if answer else ''}{answer}\n\n")
        return command != "quit"

    def _write(self, text: str) -> None:
        self._output.write(text)
        self._output.flush()

    # The board.

    def _resize(self, words: list[str]) -> str:
        words = " ".join(words).replace(":", " ").split()
        cols = whole_at(words, 0, "size")
        rows = whole_at(words, 1, "size") if len(words) > 1 else cols
        if (rows, cols) != self._board.game.shape:
            try:
                game = self._board.changed(rows=rows, cols=cols)
            except Refused:
                raise Refused("unacceptable size") from None
            self._take(game)
            return ""
        return self._clear([])

    def _take(self, game: GameSpec) -> None:
        """Begin with a game of another size."""
        try:
            evaluator = self._load(game)
        except ValueError as error:
            raise Refused(f"unacceptable size: {error}") from None
        self._evaluator, self._search = evaluator, None
        self._board.begin(game.initial())

    def _clear(self, _: list[str]) -> str:
        self._board.begin(self._board.game.initial())
        self._clock.left = {}
        return ""

    def _change(self, **params: object) -> str:
        """Set parameters of the game; the moves played stay."""
        game = self._board.changed(**params)
        if game != self._board.game:
            evaluator = self._load(game)
            self._board.retake(game)
            self._evaluator, self._search = evaluator, None
        return ""

    def _komi(self, words: list[str]) -> str:
        komi = number_at(words, 0, "komi")
        return self._change(komi=komi) if "komi" in self._board.game.params else ""

    def _rules(self, words: list[str]) -> str:
        name = word_at(words, 0, "rules").lower()
        game = self._board.game
        kept = {key: game.params[key] for key in ("rows", "cols", "size", "komi") if key in game.params}
        usual = {key: "usual" for key in ("ko", "suicide") if key in game.params}
        return self._change(**{**kept, **usual, "rules": name})

    def _play(self, words: list[str]) -> str:
        colour, word = colour_of(words), word_at(words, 1, "vertex")
        if word.lower() == RESIGN:
            return ""
        self._board.play(colour, self._board.parse(word))
        return ""

    def _undo(self, _: list[str]) -> str:
        self._board.undo()
        return ""

    def _handicap(self, usual: Callable[[int], tuple[int, ...]], words: list[str]) -> str:
        self._need_empty()
        cells = usual(whole_at(words, 0, "number"))
        self._board.set_stones([(0, cell) for cell in cells], to_move=1)
        return " ".join(vertex(self._board.game, cell) for cell in cells)

    def _free_handicap(self, words: list[str]) -> str:
        self._need_empty()
        if len(words) < 2:
            raise Refused("give two or more vertices")
        self._board.set_stones([(0, self._board.parse(word)) for word in words], to_move=1)
        return ""

    def _set_position(self, words: list[str]) -> str:
        if len(words) % 2:
            raise Refused("the vertex is missing")
        pairs = zip(words[::2], words[1::2], strict=True)
        self._board.set_stones([(colour_of([colour]), self._board.parse(word)) for colour, word in pairs], to_move=0)
        return ""

    def _need_empty(self) -> None:
        if self._board.position.cells().any():
            raise Refused("board not empty")

    def _final_score(self, _: list[str]) -> str:
        margin = self._board.margin(self._board.dead_stones())
        return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"

    def _status_list(self, words: list[str]) -> str:
        status = word_at(words, 0, "status")
        if status not in ("alive", "dead", "seki"):
            raise Refused("the status is alive, dead or seki")
        dead = set(self._board.dead_stones())
        stones = self._board.position.cells().ravel().nonzero()[0].tolist() if status != "seki" else []
        return "\n".join(vertex(self._board.game, c) for c in stones if (c in dead) == (status == "dead"))

    def _load_sgf(self, words: list[str]) -> str:
        numbered = len(words) > 1 and _NUMBER.fullmatch(words[-1]) is not None
        before = whole_at(words, len(words) - 1, "move number") if numbered else 0
        path = Path(" ".join(words[:-1] if numbered else words) or word_at(words, 0, "file"))
        file = read_sgf(read_bytes(path, _MOST_SGF), self._board.game, most=1)
        if not file.records:
            raise Refused(f"cannot load file: {'; '.join(file.errors[:1])}")
        record = file.records[0]
        nodes = record.main_line()
        if numbered:
            nodes = nodes[: max(1, before)]
        position = record.position(nodes[-1])
        if position.game.name != self._board.game.name:
            raise Refused(f"cannot load file: it is a game of {position.game.name}")
        if position.game != self._board.game:
            self._take(position.game)
        self._board.go_to(position)
        return f"{COLOURS[position.to_move]}"

    def _print_sgf(self, words: list[str]) -> str:
        text = write_sgf([GameRecord.of(self._board.position)]).decode("utf-8")
        if not words:
            return text.strip()
        from core.files.atomic import write_atomically

        write_atomically(Path(words[0]), text.encode("utf-8"))
        return ""

    # Time.

    def _time_settings(self, words: list[str]) -> str:
        main, byoyomi = number_at(words, 0, "main time"), number_at(words, 1, "byo-yomi time")
        self._clock.settings(main, byoyomi, whole_at(words, 2, "stones"))
        return ""

    def _kgs_time_settings(self, words: list[str]) -> str:
        kind = word_at(words, 0, "time system")
        if kind == "none":
            self._clock = Clock()
        elif kind == "absolute":
            self._clock.settings(number_at(words, 1, "main time"), 0.0, 0)
        elif kind in ("byoyomi", "canadian"):
            stones = 1 if kind == "byoyomi" else whole_at(words, 3, "stones")
            self._clock.settings(number_at(words, 1, "main time"), number_at(words, 2, "byo-yomi time"), stones)
        else:
            raise Refused("the time system is none, absolute, byoyomi or canadian")
        return ""

    def _time_left(self, words: list[str]) -> str:
        self._clock.left[colour_of(words)] = number_at(words, 1, "time"), whole_at(words, 2, "stones")
        return ""

    # Searching.

    def _searched(self, position: Position, only: list[int]) -> Search:
        """The search, at ``position``; its tree is kept where that leads on from the last one."""
        if self._search is None or not self._search.is_at(position, only):
            options = self._options
            self._search = Search(position, self._evaluator, options.settings, options.seed, only)
        self._search.go_to(position)
        return self._search

    def _limit(self, colour: int) -> Limit:
        moves_left = (len(self._board.position.cells().ravel()) - self._board.position.ply) // 3
        seconds = self._clock.seconds(colour, moves_left)
        own = self._options.limit
        if seconds is None:
            return own
        return Limit(own.simulations, min(seconds, own.seconds or seconds))

    def _genmove(self, words: list[str], *, play: bool = True, cleanup: bool = False) -> str:
        colour = colour_of(words)
        position = self._board.turn(colour)
        if position.is_over:
            return PASS
        only: list[int] = []
        if cleanup and self._board.dead_stones():
            only = [action for action in position.legal_actions() if self._board.game.action_name(action) != PASS]
        search = self._searched(position, only)
        search.run(self._limit(colour))
        if search.best_action() < 0:
            search.run(Limit(simulations=2))
        return self._chosen(search.snapshot(), colour, play)

    def _chosen(self, found: Snapshot, colour: int, play: bool) -> str:
        """The move that the search found, played on the board if ``play``; or resign."""
        if found.root.visits >= _TRUSTED and win_rate(found.value) < self._options.resign:
            return RESIGN
        if play:
            self._board.play(colour, found.best)
        return vertex(self._board.game, found.best)

    def _begin_analysis(self, request: AnalysisRequest) -> Search:
        position = self._board.turn(request.colour)
        if position.is_over:
            raise Refused("the game is over")
        legal = position.legal_actions()
        only = [action for action in request.only if action in legal]
        if request.without:
            only = [action for action in only or legal if action not in request.without]
            if not only:
                raise Refused("no move is left to search")
        return self._searched(position, only)

    def _analyze(self, request: AnalysisRequest) -> None:
        """Search and write a line of figures at every interval, until the next command comes."""
        search = self._begin_analysis(request)
        self._write(f"={self._id}\n")
        until = time.monotonic() + LONGEST_S
        due = time.monotonic()
        while self._lines.empty() and time.monotonic() < until:
            ended = search.run(Limit(seconds=SLICE_S), lambda: not self._lines.empty()) in _ENDED
            if time.monotonic() >= due:
                self._write_figures(search, request)
                due = time.monotonic() + request.interval_s
            while ended and self._lines.empty() and time.monotonic() < due:
                time.sleep(SLICE_S)
        self._write("\n")

    def _write_figures(self, search: Search, request: AnalysisRequest) -> None:
        ownership = self._ownership(search, request) if search.simulations > 1 else None
        if line := info_line(search.snapshot(), request, ownership):  # an empty line would end the answer
            self._write(line + "\n")

    def _ownership(self, search: Search, request: AnalysisRequest) -> Ownership | None:
        """The mean ownership of the search, where it is asked for and the net gives it."""
        if not request.ownership or not gives_ownership(self._evaluator):
            return None
        if self._owners is None or self._owners.evaluator is not self._evaluator:
            self._owners = OwnershipReader(self._evaluator)
        return self._owners.mean(search.position, most_visited(search))

    def _raw(self, words: list[str]) -> str:
        """What the net says of the position, without a search."""
        request = read_raw_request(words, self._board)
        position = self._board.seen_by(request.colour)
        found = [raw_answer(self._evaluator, position, symmetry, request.optimism) for symmetry in request.symmetries]
        return "\n".join(found)

    def _genmove_analyze(self, request: AnalysisRequest) -> None:
        """Search to the limit with a line of figures at every interval, and play the move found."""
        search = self._begin_analysis(request)
        limit = self._limit(request.colour)
        self._write(f"={self._id}\n")
        began = due = time.monotonic()
        going = True
        while going:
            left = SLICE_S if limit.seconds is None else limit.seconds - (time.monotonic() - began)
            reason = search.run(Limit(limit.simulations, max(0.0, min(SLICE_S, left))))
            reached = limit.simulations is not None and search.simulations >= limit.simulations
            going = (reason not in _ENDED and not reached and left > 0) or search.best_action() < 0
            if not going or time.monotonic() >= due:
                self._write_figures(search, request)
                due = time.monotonic() + request.interval_s
        self._write(f"play {self._chosen(search.snapshot(), request.colour, True)}\n\n")
