"""The figures that the texts of a lesson name, as they are now."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from core.files.lesson import FIGURE, INSIDE, PICTURE
from core.text import Words
from gui.jobs.truth import TruthReader
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.shell.lesson_inside import InsideFigures
from gui.widgets.board.board_paint import kind_of
from gui.widgets.figures import THIN, count, percent, signed
from gui.widgets.sentences import plain_sentence

if TYPE_CHECKING:
    from core.games import Position
    from core.glass import MoveRow, Snapshot
    from gui.rooms.lessons.picture import Picture
    from gui.shell.commands import Commands
    from models.doctor.diagnosis import Diagnosis

NONE: Final = "–"  # a figure that there is not yet
UNBROKEN: Final = (  # where no line may end: within numbers, fractions, short formulas
    (re.compile(rf"(?<=\d)[ {THIN}](?=\d{{3}}|%)"), THIN),
    (re.compile(r"(?<=\S) (?=[=·≈/−+≤≥] )"), "\u00a0"),
    (re.compile(r"(?<= [=·≈/−+≤≥]|[\u00a0][=·≈/−+≤≥]) (?=\S)"), "\u00a0"),
    (re.compile(r"(?<=\w)/(?=\w)"), "/\u2060"),
)
RESULTS: Final[dict[int, Words]] = {1: "win", 0: "draw", -1: "loss"}


class LessonFigures:
    """The figures that a lesson's texts name, as they are now."""

    def __init__(self, commands: Commands) -> None:
        self._commands, self._context = commands, commands.context
        self.picture: Picture | None = None
        self.inside = InsideFigures(commands)
        self._truth = TruthReader(commands.window)

    def solve(self, position: Position | None) -> None:
        """Compute the exact results of a position in the background; None: stop."""
        self._truth.ask(position)

    @property
    def iterations(self) -> int:
        """Iterations of the run that is shown on the training page."""
        tab = self._commands.training
        return tab.model.iterations if tab is not None and tab.model is not None else 0

    @property
    def diagnosis(self) -> Diagnosis | None:
        """What the doctor says of the run that is shown on the page Diagnosis; None while it looks."""
        tab = self._commands.training
        return tab.view.diagnosis.diagnosis if tab is not None and tab.view.page == "diagnosis" else None

    def filled(self, text: str) -> str:
        """A text with its figures, as they are now."""
        return FIGURE.sub(lambda match: self.figure(match[1]), text)

    def rich(self, text: str) -> str:
        """The same as HTML: figures and **words** in bold."""
        parts = FIGURE.split(html.escape(text, quote=False))
        for place in range(1, len(parts), 2):
            parts[place] = f"<b>{html.escape(self.figure(html.unescape(parts[place])), quote=False)}</b>"
        pieces = "".join(parts).split("**")
        if len(pieces) % 2 == 0:  # one without its second
            last = pieces.pop()
            pieces[-1] += f"**{last}"
        return unbroken("".join(f"<b>{piece}</b>" if place % 2 else piece for place, piece in enumerate(pieces)))

    def has_figures(self, text: str) -> bool:
        """Whether there is each figure that a text names."""
        return all(self.figure(match[1]) != NONE for match in FIGURE.finditer(text))

    def figure(self, inside: str) -> str:
        """One figure; "–" while there is none."""
        name, _, rest = inside.strip().partition(" ")
        if name == PICTURE:
            return self.picture.figure(rest.strip()) if self.picture is not None else NONE
        if name == INSIDE:
            return self.inside.figure(rest.strip()) or NONE
        if name in ("truth", "winning"):
            return self._exact(name, rest.strip())
        if name == "diagnosis":
            findings = self.diagnosis.findings if self.diagnosis is not None else ()
            return core_text(findings[0].title) if findings else NONE
        if name == "iterations":
            return count(self.iterations)
        if name == "fault":
            faults = self._context.state.document.marked_faults
            return plain_sentence(faults[0].sentence) if faults else NONE
        snapshot = self._context.session.snapshot
        if name in _OF_MOVES:
            row = next((r for r in snapshot.moves if r.name == rest.strip()), None) if snapshot is not None else None
            return NONE if row is None else _OF_MOVES[name](row)
        return self._of_position(name, snapshot)

    def _exact(self, name: str, move: str) -> str:
        solution, game = self._truth.solution, self._context.state.game
        if solution is None or game is None:
            return NONE
        if name == "winning":
            if any(move.value is None for move in solution.moves):
                return NONE
            won = [game.action_name(move.action) for move in solution.moves if move.value == 1]
            return ", ".join(won) or tr("none")
        values = {game.action_name(move.action): move.value for move in solution.moves}
        value = values.get(move)
        return NONE if value is None else tr(RESULTS[value])

    def _of_position(self, name: str, snapshot: Snapshot | None) -> str:
        position = self._context.state.shown.preview
        time = self._commands.time
        if position is not None and name == "legal":
            return str(len(position.legal_actions()))
        if position is not None and name == "player":
            return tr(kind_of(position.game.name).players[position.to_move])
        if name == "moment":
            return count(time.place)
        if name == "path":
            if time.playout is None or time.root is None:
                return NONE
            return " ".join(time.root.game.action_name(a) for a in time.playout.path) or tr("none")
        if snapshot is None:
            return NONE
        names = snapshot.position.game.action_names
        figures: dict[str, Callable[[], str]] = {
            "n": lambda: count(snapshot.simulations),
            "value": lambda: signed(snapshot.value, 2) or NONE,
            "V0": lambda: signed(snapshot.root.value, 2) or NONE,
            "best": lambda: names[snapshot.best] if snapshot.best >= 0 else NONE,
            "next": lambda: names[snapshot.root.next_action] if snapshot.root.next_action >= 0 else NONE,
            "searched": lambda: str(len(snapshot.moves)),
            "nodes": lambda: count(snapshot.counters.nodes),
            "line": lambda: " ".join(names[a] for a in snapshot.pv) or NONE,
        }
        return figures[name]() if name in figures else NONE


def unbroken(text: str) -> str:
    """The text, whose lines do not end within a number or a short formula."""
    for pattern, by in UNBROKEN:
        text = pattern.sub(by, text)
    return text


def _number(value: float, places: int = 2) -> str:
    return NONE if math.isnan(value) else "∞" if math.isinf(value) else f"{value:.{places}f}"


_OF_MOVES: Final[dict[str, Callable[[MoveRow], str]]] = {
    "N": lambda row: count(row.visits),
    "Q": lambda row: (signed(row.q, 2) if row.visits else "") or NONE,
    "U": lambda row: _number(row.u),
    "score": lambda row: _number(row.score),
    "P": lambda row: NONE if math.isnan(row.prior) else percent(row.prior),
    "net": lambda row: NONE if math.isnan(row.net_prior) else percent(row.net_prior),
    "V": lambda row: signed(row.value, 2) or NONE,
    "share": lambda row: percent(row.share, 0),
    "wins": lambda row: NONE if not row.visits else f"{(row.q + 1) / 2 * row.visits:g}",
    "rate": lambda row: NONE if not row.visits else percent((row.q + 1) / 2, 0),
}
