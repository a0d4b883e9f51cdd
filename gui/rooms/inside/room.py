"""The room that looks into the net of the search, and its parts; each is made when it is first shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from core.text import Words
from gui.jobs.inside import InsideReader
from gui.widgets.parts import Made, Parts

if TYPE_CHECKING:
    from gui.context import Context
    from gui.rooms.inside.part import InsidePart


class InsideRoom(Parts):
    """A switch above the parts, which share one net, one position and one thread."""

    def __init__(self, context: Context, titles: Mapping[str, Words]) -> None:
        """``titles``: of the parts by their names, which are those of ``PARTS``."""
        self.reader = InsideReader(context.session)
        super().__init__(titles, self._made_part)
        self.reader.setParent(self)
        self._context = context
        context.events.closing.connect(self.reader.stop)

    def _made_part(self, name: str) -> Made:
        part = PARTS[name](self._context, self.reader)
        part.board_wanted.connect(lambda: self._context.events.board_wanted.emit("inside"))
        return part, None


def _make_stones(context: Context, reader: InsideReader) -> InsidePart:
    from gui.rooms.inside.stones_part import StonesPart

    return StonesPart(context, reader)


def _make_reply(context: Context, reader: InsideReader) -> InsidePart:
    from gui.rooms.inside.reply_part import ReplyPart

    return ReplyPart(context, reader)


def _make_graph(context: Context, reader: InsideReader) -> InsidePart:
    from gui.rooms.inside.graph_part import GraphPart

    return GraphPart(reader)


def _make_channels(context: Context, reader: InsideReader) -> InsidePart:
    from gui.rooms.inside.channels_part import ChannelsPart

    return ChannelsPart(reader)


def _make_attention(context: Context, reader: InsideReader) -> InsidePart:
    from gui.rooms.inside.attention_part import AttentionPart

    return AttentionPart(reader)


def _make_map(context: Context, reader: InsideReader) -> InsidePart:
    from gui.rooms.inside.map_part import MapPart

    return MapPart(context, reader)


def _make_blocks(context: Context, reader: InsideReader) -> InsidePart:
    from gui.rooms.inside.blocks_part import BlocksPart

    return BlocksPart(context, reader)


def _make_concepts(context: Context, reader: InsideReader) -> InsidePart:
    from gui.rooms.inside.concepts_part import ConceptsPart

    return ConceptsPart(context, reader)


def _make_history(context: Context, reader: InsideReader) -> InsidePart:
    from gui.rooms.inside.history_part import HistoryPart

    return HistoryPart(context, reader)


PARTS: Final[dict[str, Callable[[Context, InsideReader], InsidePart]]] = {
    "inside_blocks": _make_blocks,
    "inside_stones": _make_stones,
    "inside_reply": _make_reply,
    "inside_concepts": _make_concepts,
    "inside_history": _make_history,
    "inside_channels": _make_channels,
    "inside_attention": _make_attention,
    "inside_map": _make_map,
    "inside_graph": _make_graph,
}
