"""Plays and analyses under GTP 2: what ``plyscope gtp`` answers to a program such as Sabaki, GoGui or Lizzie.

Beside the commands of the protocol (G. Farnebäck, GTP 2 draft 2, 2002) it knows the analysis commands of Leela Zero and
KataGo.  Win rates and scores are for the side to move, as those programs give them to their users by default.
"""

import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TextIO

from core.engine.evaluator import Evaluator
from core.files.reading import in_short, read_bytes
from core.files.record import GameRecord
from core.files.sgf import read_sgf, write_sgf
from core.games import GameSpec
from models.engines.gtp_board import GtpBoard, Refused, final_score, status_list
from models.engines.gtp_client import COLOURS, RESIGN, vertex
from models.engines.gtp_engine import GtpEngine
from models.engines.gtp_words import (
    AnalysisRequest,
    colour_of,
    number_at,
    raw_answer,
    read_kgs_rules,
    read_raw_request,
    read_request,
    read_rule,
    read_rules,
    rules_text,
    whole_at,
    word_at,
)
from models.engines.our_engine import NAMES, Clock, Dialogue, Options, all_params, get_param, set_param

VERSION: Final = 2

_MOST_SGF: Final = 4 << 20  # bytes
_NUMBER: Final = re.compile(r"[0-9]{1,19}", re.ASCII)  # of a command


class GtpServer:
    """Reads commands and writes answers until ``quit`` or the end of the input.

    ``load`` gives the evaluator for a game, None for random games; it raises ValueError when a board cannot be had.
    """

    def __init__(
        self, game: GameSpec, load: Callable[[GameSpec], Evaluator | None], options: Options, output: TextIO
    ) -> None:
        self._engine, self._dialogue = GtpEngine(game, load, options), Dialogue(output)
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
            "kata-get-rules": lambda _: rules_text(self._board.game),
            "kata-set-rules": lambda words: self._rules(read_rules, words),
            "kata-set-rule": lambda words: self._rules(read_rule, words),
            "kgs-rules": lambda words: self._rules(read_kgs_rules, words),
            "kata-list-params": lambda _: " ".join(NAMES),
            "kata-get-params": lambda _: all_params(self._engine.options),
            "kata-get-param": lambda words: get_param(self._engine.options, word_at(words, 0, "parameter")),
            "kata-set-param": self._set_param,
            "clear_cache": self._clear_cache,
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
            "final_score": lambda _: final_score(self._board, self._engine.evaluator),
            "final_status_list": lambda words: status_list(
                self._board, self._engine.evaluator, word_at(words, 0, "status")
            ),
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

    @property
    def _board(self) -> GtpBoard:
        return self._engine.board

    # The dialogue.

    def run(self, source: TextIO) -> None:
        """Carry out the commands of ``source``, one a line."""
        with contextlib.suppress(OSError):  # of the output: the other program is gone
            for line in self._dialogue.lines(source):
                command = line.partition("#")[0].strip()
                if command and not self._carry_out(command):
                    return

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
            self._dialogue.write(f"{sign}{self._id}{' ' if answer else ''}{answer}\n\n")
        return command != "quit"

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
            self._engine.take(game)
            return ""
        return self._clear([])

    def _clear_cache(self, _: list[str]) -> str:
        self._engine.forget()
        return ""

    def _clear(self, _: list[str]) -> str:
        self._engine.clear()
        return ""

    def _komi(self, words: list[str]) -> str:
        komi = number_at(words, 0, "komi")
        if "komi" in self._board.game.params:
            self._engine.change(komi=komi)
        return ""

    def _rules(self, read: Callable[[GameSpec, list[str]], dict[str, Any]], words: list[str]) -> str:
        self._engine.change(**read(self._board.game, words))
        return ""

    def _set_param(self, words: list[str]) -> str:
        name, value = word_at(words, 0, "parameter"), word_at(words, 1, "value")
        self._engine.choose(set_param(self._engine.options, name, value))
        return ""

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
            self._engine.take(position.game)
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
        self._engine.clock.settings(main, byoyomi, whole_at(words, 2, "stones"))
        return ""

    def _kgs_time_settings(self, words: list[str]) -> str:
        kind = word_at(words, 0, "time system")
        if kind == "none":
            self._engine.clock = Clock()
        elif kind == "absolute":
            self._engine.clock.settings(number_at(words, 1, "main time"), 0.0, 0)
        elif kind in ("byoyomi", "canadian"):
            stones = 1 if kind == "byoyomi" else whole_at(words, 3, "stones")
            self._engine.clock.settings(number_at(words, 1, "main time"), number_at(words, 2, "byo-yomi time"), stones)
        else:
            raise Refused("the time system is none, absolute, byoyomi or canadian")
        return ""

    def _time_left(self, words: list[str]) -> str:
        self._engine.clock.remaining[colour_of(words)] = number_at(words, 1, "time"), whole_at(words, 2, "stones")
        return ""

    # Searching.

    def _genmove(self, words: list[str], *, play: bool = True, cleanup: bool = False) -> str:
        return self._engine.genmove(colour_of(words), play=play, cleanup=cleanup)

    def _analyze(self, request: AnalysisRequest) -> None:
        """Search and write a line of figures at every interval, until the next command comes."""
        search = self._engine.begin(request)
        self._dialogue.write(f"={self._id}\n")
        for line in self._engine.analysis(search, request, lambda: self._dialogue.waiting):
            self._write_figures(line)
        self._dialogue.write("\n")

    def _genmove_analyze(self, request: AnalysisRequest) -> None:
        """Search to the limit with a line of figures at every interval, and play the move found."""
        search = self._engine.begin(request)
        self._dialogue.write(f"={self._id}\n")
        for line in self._engine.limited(search, request):
            self._write_figures(line)
        self._dialogue.write(f"play {self._engine.chosen(search.snapshot(), request.colour)}\n\n")

    def _write_figures(self, line: str) -> None:
        if line:  # an empty one would end the answer
            self._dialogue.write(line + "\n")

    def _raw(self, words: list[str]) -> str:
        """What the net says of the position, without a search."""
        request = read_raw_request(words, self._board)
        position = self._board.seen_by(request.colour)
        evaluator = self._engine.evaluator
        answers = [raw_answer(evaluator, position, symmetry, request.optimism) for symmetry in request.symmetries]
        return "\n".join(answers)
