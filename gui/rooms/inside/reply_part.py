"""The part that shows how far the net reads: the plies of a line in the colour of the block that sees them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import begun, stopped, tr
from gui.model.shown import HOLLOW, CellShown, CellsShown
from gui.rooms.inside.heat_boards import HeatBoard, HeatBoards, Sign
from gui.rooms.inside.part import InsidePart
from gui.widgets.board.board_line import line_after
from gui.widgets.figures import plain
from gui.widgets.labels import make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.room import scroll_down
from gui.widgets.segments import Segments
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, on_theme, ramp

if TYPE_CHECKING:
    from core.games import Position
    from gui.context import Context
    from gui.jobs.inside import InsideReader, OpenNet
    from gui.jobs.newest import Report, Stale
    from models.inside.reply import SeenLine

SEARCH, NET = "line_search", "line_net"
LINES: Final[dict[str, Words]] = {NET: "Line of the net", SEARCH: "Line of the search"}
TIPS: Final[tuple[Words, ...]] = (
    "The line that the net plays alone, by its most probable moves.",
    "The principal variation of the search, where the position on the board is selected; else that of the net.",
)
EXPLAINED: Final[Words] = (
    "A number is coloured by the first block in which the choice of the first move depends on its square; a hollow one "
    "does not matter to the choice, so far as can be measured; a dashed one could not be examined. Nine nets with the "
    "same weights in random order show less: of a net that has learnt nothing, one ply in ten is coloured."
)
HEAT: Final[Words] = (
    "Ply {ply}, {move}: how much the choice of {first} changes when one square of one block is as in positions where "
    "this ply cannot be played or has lost its point, in nats, the mean of {count}. Behind each block: the number at "
    "the ply's square / the threshold, which lies above 95 % of the squares that cannot matter. At most {strength} "
    "times the threshold."
)
CHANCE: Final[Words] = "With weights in random order, up to {chance} times, in {rivals} nets."
NOT_COMPARED: Final[Words] = "It is not above the threshold, and so it was not compared with weights in random order."
SAMPLED: Final[Words] = (
    "The board is large: of the squares that cannot matter {drawn}, drawn by lot, give the threshold for each ply, and "
    "nets in random order are compared until one shows as much."
)
UNFINISHED: Final[Words] = "The other squares are being measured…"
NO_CHANGE: Final[Words] = "Ply {ply}, {move}: no position was found in which it cannot be played or has no point."


class ReplyPart(InsidePart):
    """A board with the line's plies, and the effect of each square of each block for one of them."""

    def __init__(self, context: Context, reader: InsideReader) -> None:
        super().__init__(reader)
        self._context = context
        self._searched: tuple[int, ...] = ()  # the line of the search when it was asked
        self.seen: SeenLine | None = None
        self.ply = 1  # the one whose effects are shown, counted from 0
        self.lines = Segments(tuple(LINES), TIPS, self.body)
        for name, title in LINES.items():
            set_texts(self.lines.buttons[name], text=title)
        self.sentence = make_label(self.body, "strong", wrap=True)
        self.on_board = self.board_box(self.body)
        inner = QWidget(self.body)
        self.board = HeatBoards(inner, "The line on the board", 270, single=True)
        self.legend = HeatBoards(inner, "The colours of the blocks", 58)
        self.explained = make_label(inner, "dim", EXPLAINED, wrap=True)
        self.words = make_label(inner, "", wrap=True)
        self.blocks = HeatBoards(inner, "The effect of each square of each block", 150, most=240)
        beside = lay_column(self.legend, self.explained, 1, margins=0, spacing=8)
        top = lay_row(self.board, (beside, 1), margins=0, spacing=12)
        top.setAlignment(self.board, Qt.AlignmentFlag.AlignTop)
        lay_column(top, self.words, self.blocks, 1, of=inner, margins=(12, 4, 10, 8), spacing=8)
        area = scroll_down(inner, self.body, "Does it see the reply?")
        row = self.lay_head(self.sentence, self.lines, self.on_board)
        lay_column(row, (area, 1), of=self.body, margins=0, spacing=2)
        self.lines.chosen.connect(lambda _: self.ask())
        self.board.chosen.connect(lambda _, cell: self._choose(cell))
        on_language(self, self._renew)
        on_theme(self, self._renew)

    def ask(self) -> None:
        """Ask about the position selected, and the line of the search as it is now."""
        snapshot, self._searched = self._context.session.snapshot, ()
        if self.lines.choice == SEARCH and snapshot is not None and snapshot.position == self.reader.position:
            root = snapshot.root
            if root.actions.size and int(root.visits_of.max()):
                self._searched = tuple(line_after(root, int(root.actions[int(root.visits_of.argmax())])))
        if self._in_sight and not self.reader.refusal:
            self._clear("Following the line…")
        super().ask()

    def look(self, net: OpenNet, position: Position, stale: Stale, report: Report) -> SeenLine | None:
        from models.inside.counterfactuals import refusal
        from models.inside.reply import policy_line, read_line

        if reason := refusal(position.game):
            raise ValueError(reason)
        line = self._searched or policy_line(net.tapped, position)
        seen = read_line(net.tapped, position, line, stale, heard=report, known=report)
        return None if stale() else seen

    def show_report(self, value: Words | SeenLine) -> None:
        """Show what is being done, or what is known before all squares are measured."""
        if isinstance(value, str):
            self._clear(value)
        else:
            self.show_answer(value)
            self.show_body()

    def show_answer(self, answer: SeenLine) -> None:
        if self.seen is None:
            self.ply = 1
        self.seen = answer
        self.explained.setVisible(True)
        self._renew()

    def forget_answer(self) -> None:
        self.seen = None

    def cells(self) -> CellsShown | None:
        return None if self.seen is None else line_cells(self.seen, self.answered[1])

    def _clear(self, words: Words) -> None:
        """Show what is being done instead of the last line, which is of another question."""
        self.answered, self.seen = (None, None), None
        self.say(words)
        self.sentence.setText(begun(core_text(words)))
        for boards in (self.board, self.legend, self.blocks):
            boards.show_boards([])
        self.explained.setVisible(False)
        self.words.setText("")
        self.offer_cells()

    def _choose(self, cell: int) -> None:
        """Show the effects of the ply on a cell."""
        if self.seen is not None and cell in self.seen.cells[1:]:
            self.ply = self.seen.cells.index(cell)
            self._renew()

    def _colour(self, block: int) -> str:
        return (
            "" if block < 0 or self.seen is None else ramp(current_theme().share_ramp, _place(self.seen, block)).name()
        )

    def _renew(self) -> None:
        seen = self.seen
        if seen is None:
            return
        self.sentence.setText(begun(stopped(core_text(seen.sentence))))
        shape, nothing = seen.position.game.shape, np.zeros(seen.position.game.shape, np.float32)
        signs = [Sign(seen.cells[0], "1", current_theme().accent)]
        for number, ply in enumerate(seen.plies, 2):
            signs.append(Sign(ply.cell, str(number), self._colour(ply.block), dashed=not ply.changes))
        ringed = seen.cells[self.ply] if self.ply < len(seen.cells) else -1
        self.board.show_boards([HeatBoard("", shape, nothing, 1.0, seen.position, tuple(signs), ringed)])
        self.legend.show_boards(
            [
                HeatBoard(core_text(name), (1, 1), np.zeros((1, 1), np.float32), 1.0, None, (Sign(0, "", colour),))
                for name, colour in zip(seen.blocks, map(self._colour, range(len(seen.blocks))), strict=True)
            ]
        )
        self._renew_effects(seen)

    def _renew_effects(self, seen: SeenLine) -> None:
        """Show the effects of one ply."""
        if self.ply > len(seen.plies):
            self.words.setText("")
            self.blocks.show_boards([])
            return
        ply, name = seen.plies[self.ply - 1], seen.position.game.action_name
        move, first = name(ply.action), name(seen.line[0])
        figures = {"strength": plain(ply.strength, 2), "chance": plain(ply.chance, 2), "rivals": ply.rivals}
        parts = [tr(HEAT), tr(CHANCE if ply.rivals else NOT_COMPARED)] if ply.changes else [tr(NO_CHANGE)]
        if ply.changes and seen.sampled:
            parts.append(tr(SAMPLED).format(drawn=seen.sampled))
        if np.isnan(ply.choice).any():
            parts.append(tr(UNFINISHED))
        words = " ".join(parts)
        self.words.setText(words.format(ply=self.ply + 1, move=move, first=first, count=len(ply.changes), **figures))
        boards, most = [], float(np.nanmax(ply.choice))
        for k, block in enumerate(seen.blocks if ply.changes else ()):
            flat = ply.choice[k].ravel()
            title = f"{core_text(block)}  {plain(float(flat[ply.cell]), 2)} / {plain(seen.thresholds[k], 2)}"
            tips = tuple("" if math.isnan(value) else plain(value, 3) for value in flat.tolist())
            heat = np.nan_to_num(ply.choice[k])
            boards.append(HeatBoard(title, heat.shape, heat, most, seen.position, (), ply.cell, tips))
        self.blocks.show_boards(boards, ply.block)


def _place(seen: SeenLine, block: int) -> float:
    """The place of a block on the ramp of their colours."""
    return 0.25 + 0.75 * block / max(1, len(seen.blocks) - 1)


def line_cells(seen: SeenLine, source: object) -> CellsShown:
    """The plies of a line, numbered, each in the colour of the block from which on the choice depends on it."""
    name, first = seen.position.game.action_name, seen.line[0]
    cells = {seen.cells[0]: CellShown(seen.cells[0], HOLLOW, "1", action=first, ringed=True)}
    for number, ply in enumerate(seen.plies, 2):
        share = _place(seen, ply.block) if ply.block >= 0 else HOLLOW
        block = core_text(seen.blocks[ply.block]) if ply.block >= 0 else tr("no block")
        tip = tr("Ply {ply}, {move}: {block}").format(ply=number, move=name(ply.action), block=block)
        cells.setdefault(ply.cell, CellShown(ply.cell, share, str(number), tip))
    return CellsShown(
        seen.position,
        source,
        tr("Does it see the reply?"),
        tr("the first block in which {first} depends on the square · hollow: in none").format(first=name(first)),
        tuple(cells.values()),
        tr(EXPLAINED),
        steps=tuple((_place(seen, k), core_text(seen.blocks[k])) for k in (0, len(seen.blocks) - 1)),
    )
