"""A net block by block: what it would want and expect of a position if it ended after each block.

A block's output goes into the net's own heads, as if the blocks after it were not there.  The heads were never trained
with it, so that early blocks may know more than this shows; a lens (:mod:`models.inside.lens`) reads them better.

Letters: K blocks with the stem, B positions.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from core.games import Position
from core.games.net_inputs import inputs_of_all
from core.text import Text
from models.inside.lens import Lens
from models.inside.views import Views, joined_views, legal_of, read_blocks
from models.netfiles.tapped import TappedNet

_AT_ONCE: Final = 64  # positions


class Strip(NamedTuple):
    """One position block by block; values for the side to move."""

    position: Position
    blocks: tuple[str, ...]  # names of the K blocks, each a ``Text``
    own: Views  # by the net's own heads; B is 1
    fitted: Views | None  # by a lens and then the own heads

    @property
    def sentence(self) -> Text:
        """Which move it wants when, by its own heads."""
        return turning(self.position, self.blocks, self.own)


def strip_of(net: TappedNet, position: Position, lens: Lens | None = None) -> Strip:
    """A position block by block.  ValueError where it is over; :class:`BadNet` when the net fails."""
    if position.is_over:
        raise ValueError(Text("the game is over: the net is not asked for a move"))
    own, fitted = views_of(net, [position], lens)
    return Strip(position, tuple(block.name for block in net.blocks), own, fitted)


def views_of(net: TappedNet, positions: Sequence[Position], lens: Lens | None = None) -> tuple[Views, Views | None]:
    """What each block wants of unfinished positions, by the own heads, and by a lens where there is one."""
    own, fitted = [], []
    for start in range(0, len(positions), _AT_ONCE):
        some = positions[start : start + _AT_ONCE]
        inputs, legal = inputs_of_all(some, net.encoding), legal_of(some)
        blocks = net.run(inputs).blocks
        own.append(read_blocks(net, inputs, blocks, legal))
        if lens is not None:
            fitted.append(read_blocks(net, inputs, lens.read(blocks), legal))
    return joined_views(own), joined_views(fitted) if fitted else None


def turning(position: Position, blocks: Sequence[str], views: Views) -> Text:
    """A sentence about one position: the move after the block before the last change of mind, and what it turns to."""
    firsts, shares = views.firsts[:, 0].tolist(), views.policies[:, 0].max(axis=1).tolist()
    name = position.game.action_name
    final = {"final": name(firsts[-1]), "final_share": shares[-1]}
    turn = max((i for i, first in enumerate(firsts) if first != firsts[-1]), default=-1) + 1
    if turn == 0:
        return Text("The net wants {final} from the stem on; at the end with {final_share:.0%}.", **final)
    before = {"move": name(firsts[turn - 1]), "share": shares[turn - 1], "turning": blocks[turn]}
    if turn == 1:
        return Text(
            "The stem wants {move} ({share:.0%}); {turning} turns to {final}, at the end with {final_share:.0%}.",
            **before,
            **final,
        )
    return Text(
        "After {block} the net wants {move} ({share:.0%}); {turning} turns to {final}, at the end with "
        "{final_share:.0%}.",
        block=blocks[turn - 1],
        **before,
        **final,
    )
