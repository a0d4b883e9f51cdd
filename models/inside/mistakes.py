"""In which block a net's mistakes are made or overruled, over the positions of an audit.

A first move is right where it keeps the exact value, or is the search's where the position is not solved.  Where the
net's own first move is wrong, and after an earlier block it was right, the mistake is made in the block from which on
it stays wrong; where it is right, and was wrong, it is overruled in the block from which on it stays right.

Letters: K blocks with the stem.
"""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from core.games import Position
from core.text import Text
from models.audit.answers import Audited
from models.audit.results import Audit, net_file
from models.inside.blocks import views_of
from models.inside.lens import Lens
from models.inside.sample import Stop
from models.netfiles.tapped import TappedNet
from models.strength.exams import after

RIGHT: Final = "right"  # after every block
OVERRULED: Final = "overruled"
MADE: Final = "made"
NEVER: Final = "never"  # right after any block
_AT_ONCE: Final = 64  # positions


class Fate(NamedTuple):
    """What becomes of the right move in one position."""

    right: tuple[bool, ...]  # [K] whether the first move after each block is right
    kind: str  # RIGHT, OVERRULED, MADE or NEVER
    block: int  # from which on it stays as it is at the end


class Case(NamedTuple):
    """A position of an audit in which a move can be wrong."""

    audited: Audited
    position: Position
    firsts: tuple[int, ...]  # [K] the first move after each block, by the net's own heads
    own: Fate  # by the net's own heads
    fitted: Fate | None  # by a lens


class Counts(NamedTuple):
    """How many positions there are of each kind [K], and those never right."""

    right: tuple[int, ...]  # positions whose first move after the block is right
    overruled: tuple[int, ...]
    made: tuple[int, ...]
    never: int


class ByBlock(NamedTuple):
    """The positions of an audit block by block."""

    blocks: tuple[str, ...]
    cases: tuple[Case, ...]
    own: Counts
    fitted: Counts | None
    judge: str  # the net whose search says which move is right where that is not known exactly

    @property
    def sentence(self) -> Text:
        """Where most mistakes are made, by the own heads."""
        made = sum(self.own.made)
        wrong = made + self.own.never
        if not made:
            return Text("Of {wrong} wrong first moves none was right after an earlier block.", wrong=wrong)
        most = max(range(len(self.blocks)), key=lambda block: self.own.made[block])
        return Text(
            "Of {wrong} wrong first moves {made} were right after an earlier block; most of these, {most}, are lost in "
            "{block}.",
            wrong=wrong,
            made=made,
            block=self.blocks[most],
            most=self.own.made[most],
        )


def by_block(net: TappedNet, audit: Audit, lens: Lens | None, should_stop: Stop = lambda: False) -> ByBlock | None:
    """The positions of an audit of the net's game, block by block; None when ``should_stop`` says so.

    The search that judges is that with this net, or with the first where this one was not audited.  ValueError for an
    audit of another game."""
    if audit.game != net.game:
        raise ValueError(Text("the audit is of {game}, the net for {other}", game=audit.game.text, other=net.game.text))
    of_this = net_file(net.path).sha256
    judge = next((i for i, file in enumerate(audit.plan.nets) if file.sha256 == of_this), 0)
    pairs = [(audited, after(audit.game, audited.item.moves)) for audited in audit.done]
    pairs = [(audited, position) for audited, position in pairs if _can_be_wrong(audited, position)]
    cases: list[Case] = []
    for start in range(0, len(pairs), _AT_ONCE):
        if should_stop():
            return None
        some = pairs[start : start + _AT_ONCE]
        own, fitted = views_of(net, [position for _, position in some], lens)
        for i, (audited, position) in enumerate(some):
            right = right_moves(audited, judge)
            firsts = tuple(own.firsts[:, i].tolist())
            by_lens = None if fitted is None else fate_of(fitted.firsts[:, i].tolist(), right)
            cases.append(Case(audited, position, firsts, fate_of(firsts, right), by_lens))
    blocks = tuple(block.name for block in net.blocks)
    return ByBlock(
        blocks,
        tuple(cases),
        _counts([case.own for case in cases], len(blocks)),
        None if lens is None else _counts([case.fitted for case in cases if case.fitted is not None], len(blocks)),
        audit.plan.nets[judge].name,
    )


def _can_be_wrong(audited: Audited, position: Position) -> bool:
    return len(position.legal_actions()) > 1 and (audited.exact is None or bool(audited.exact.worse))


def right_moves(audited: Audited, judge: int) -> frozenset[int]:
    """The moves that keep the exact value, else that of the search with the net number ``judge``."""
    if audited.exact is None:
        return frozenset([audited.nets[judge].best])
    return frozenset(audited.exact.moves) - audited.exact.worse


def fate_of(firsts: Sequence[int], right: Collection[int]) -> Fate:
    """What becomes of the right moves, by the first move after each block."""
    is_right = tuple(first in right for first in firsts)
    final = is_right[-1]
    block = max((i for i, now in enumerate(is_right) if now != final), default=-1) + 1
    if block == 0:
        return Fate(is_right, RIGHT if final else NEVER, block)
    return Fate(is_right, OVERRULED if final else MADE, block)


def _counts(fates: Sequence[Fate], blocks: int) -> Counts:
    def count(kind: str) -> tuple[int, ...]:
        return tuple(sum(fate.kind == kind and fate.block == block for fate in fates) for block in range(blocks))

    right = tuple(sum(fate.right[block] for fate in fates) for block in range(blocks))
    return Counts(right, count(OVERRULED), count(MADE), sum(count(NEVER)))
