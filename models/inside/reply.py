"""Whether a net sees the replies: on which squares of which block its choice of a move depends.

For each ply of a line there is a changed position, in which that ply cannot be played or has lost its reason.  What a
block gives at one square there is put in the place of what it gives in the original position, and the rest of the net
goes on from that (activation patching; K. Meng et al., "Locating and Editing Factual Associations in GPT", 2022; for
look-ahead in a net that plays: E. Jenner et al., "Evidence of Learned Look-Ahead in a Chess-Playing Neural Network",
2024).  Where the choice changes, it depended on what that square of that block says of the reply.

An effect counts where it is larger than those at squares that cannot matter, and by more than in any of nine nets that
have the same numbers in random order: of a net that has learnt nothing, one ply in ten would count by chance.

On boards of more than ``WHOLE`` cells that would take many minutes.  There a sample of the squares that cannot matter
is asked for each ply, in fewer changed positions; nets in random order are compared only about plies whose effect is
beyond the thresholds, and until one of them shows as much; the other squares, which are for the eye alone, come last.

Letters: B batch, C channels, H W board, K blocks, the stem included.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import Position
from core.games.encoding import Inputs
from core.games.net_inputs import inputs_of, inputs_of_all
from core.text import Text
from models.inside.changes import CHANGES, Change, Changer
from models.inside.knowledge import scrambled_net
from models.inside.sample import Stop
from models.netfiles.tapped import TappedNet

LONGEST: Final = 7  # plies of a line that are examined
LEVEL: Final = 0.95  # of the squares that cannot matter, so many stay below the thresholds of all blocks
WHOLE: Final = 100  # cells of the boards on which every square is asked
SAMPLED: Final = 32  # squares that cannot matter, of each ply on larger boards
SAMPLED_CHANGES: Final = 2  # changed positions of each ply there
RIVALS: Final = 9  # nets with the same numbers in random order that are compared
LEAST: Final = 0.02  # of a threshold, in nats: what is smaller nobody would see in the policy
_BATCH: Final = 64  # boards that the rest of the net is given at once

Array = NDArray[np.float32]


class Effects(NamedTuple):
    """What changes when one square of one block is as in a changed position.

    All are 0 at the squares where the block gives the same in both positions."""

    choice: Array
    """float32 [K, H, W], of the log-odds of a move among the legal ones, in nats."""
    value: Array
    """float32 [K, H, W], of the value for the side to move."""
    whole: tuple[float, float]
    """Of log-odds and value in the changed position itself."""


class SeenPly(NamedTuple):
    """A ply of a line after the first, and how much the choice of the first depends on its square."""

    action: int
    cell: int
    changes: tuple[Change, ...]
    """Empty where no changed position was found."""
    choice: Array
    """float32 [K, H, W]: the size of the effect on the log-odds, the mean over the changes; NaN where not asked yet."""
    value: Array
    """float32 [K, H, W]: likewise on the value."""
    block: int
    """The first block at whose square the effect is beyond the threshold; -1 for none, or where chance does as much."""
    strength: float
    """How many times the threshold the effect is, in the block where it is most."""
    chance: float
    """The largest ``strength`` of the nets with the same numbers in random order; 0 where none were compared."""
    rivals: int
    """How many of these nets were compared."""


class SeenLine(NamedTuple):
    """What a net sees of a line."""

    position: Position
    line: tuple[int, ...]
    cells: tuple[int, ...]
    """Where the stone of each ply stands."""
    blocks: tuple[str, ...]
    plies: tuple[SeenPly, ...]
    """From the second of the line on."""
    thresholds: tuple[float, ...]
    """Of each block, in nats.  Of the squares that cannot matter, which belong neither to the line nor to what the
    changes alter, all but 1 - ``LEVEL`` stay below them in every block."""
    sampled: int
    """How many of these squares were asked for each ply; 0: all."""

    @property
    def depth(self) -> int:
        """How many plies the choice depends on without a gap; the first move counts as one."""
        seen = [ply.block >= 0 for ply in self.plies]
        return 1 + (seen.index(False) if False in seen else len(seen))

    @property
    def sentence(self) -> str:
        """How far the net reads."""
        examined = [number for number, ply in enumerate(self.plies, 2) if ply.changes]
        seen = [number for number in examined if self.plies[number - 2].block >= 0]
        blind = [number for number in examined if number not in seen]
        if not examined:
            return Text("no position was found in which a ply of this line cannot be played or has no point")
        if not seen:
            return Text("its choice depends on no ply after the first that could be examined")
        if not blind:
            return Text("its choice depends on every ply that could be examined, up to ply {last}", last=seen[-1])
        if self.depth == len(seen) + 1:
            return Text("it reads {depth} plies here; ply {blind} it does not", depth=self.depth, blind=blind[0])
        listed = {"seen": ", ".join(map(str, seen)), "blind": ", ".join(map(str, blind))}
        return Text("its choice depends on plies {seen} of this line, and on {blind} no more than by chance", **listed)


def policy_line(net: TappedNet, position: Position, plies: int = LONGEST) -> tuple[int, ...]:
    """The line that the net alone plays: its most probable legal move at each ply."""
    line: list[int] = []
    while len(line) < plies and not position.is_over:
        legal = list(position.legal_actions())
        logits = net.run(inputs_of(position, net.encoding)).answer.logits[0]
        line.append(legal[int(logits[legal].argmax())])
        position = position.play(line[-1])
    return tuple(line)


# Patching.


def log_odds(logits: Array, action: int, legal: Sequence[int]) -> NDArray[np.float64]:
    """The log-odds [B] of ``action`` against the other legal moves, of logits [B, A]; 0 where it is the only one."""
    rest = [other for other in legal if other != action]
    if not rest:
        return np.zeros(len(logits))
    others = logits[:, rest].astype(np.float64)
    most = others.max(axis=1, keepdims=True)
    sums: NDArray[np.float64] = np.log(np.exp(others - most).sum(axis=1)) + most[:, 0]
    return logits[:, action] - sums


def patched_effects(
    net: TappedNet,
    position: Position,
    other: Position,
    action: int,
    should_stop: Stop = lambda: False,
    only: NDArray[np.bool_] | None = None,
) -> Effects:
    """The effects of each square of each block as in ``other`` on the choice of ``action`` and the value in
    ``position``.  BadNet or ValueError when the net fails.

    only: the squares, bool [H * W], that are asked for; None for all."""
    asked = np.ones(position.game.shape, np.bool_) if only is None else only.reshape(position.game.shape)
    inputs = inputs_of_all([position, other], net.encoding)
    answer, blocks, legal = *net.run(inputs), position.legal_actions()
    odds, values = log_odds(answer.logits, action, legal), answer.values
    choice = np.zeros((len(blocks), *position.game.shape), np.float32)
    value = np.zeros_like(choice)
    own = Inputs(inputs.planes[:1], inputs.features[:1])
    for block, output in enumerate(blocks):
        squares = np.argwhere(asked & (output[0] != output[1]).any(axis=0))  # elsewhere a patch changes nothing
        for start in range(0, len(squares), _BATCH):
            if should_stop():
                break
            rows, columns = squares[start : start + _BATCH].T
            boards = np.repeat(output[:1], len(rows) + 1, axis=0)  # the first stays as it is
            boards[np.arange(1, len(boards)), :, rows, columns] = output[1][:, rows, columns].T
            given = Inputs(*(np.repeat(part, len(boards), axis=0) for part in own))
            after = net.continue_from(block, boards, given)
            changed = log_odds(after.logits, action, legal)
            choice[block, rows, columns] = changed[1:] - changed[0]
            value[block, rows, columns] = after.values[1:] - after.values[0]
    return Effects(choice, value, (float(odds[1] - odds[0]), float(values[1] - values[0])))


def read_line(
    net: TappedNet,
    position: Position,
    line: Sequence[int],
    should_stop: Stop = lambda: False,
    *,
    rivals: int = RIVALS,
    maps: bool = True,
    heard: Callable[[Text], object] = lambda _: None,
    known: Callable[[SeenLine], object] = lambda _: None,
) -> SeenLine:
    """How far the choice of the first move of ``line`` depends on what follows it.

    rivals: nets with the same numbers in random order that are compared, at most.  maps: whether all squares are asked
    on large boards, too.  heard: gets a ``Text`` about what is being done; known: what is known before the maps are
    whole.  ValueError, one sentence, where the game or the line cannot be examined, or the net fails."""
    changer = Changer(position, line[:LONGEST], should_stop)
    if not changer.line:
        raise ValueError(Text("the line has no move that puts a stone on the board"))
    is_large = position.game.num_cells > WHOLE
    asked = [_asked(changer, ply, is_large, should_stop) for ply in range(1, len(changer.line))]
    own = _measured(net, changer, asked, should_stop, not is_large, heard if is_large else lambda _: None)
    chance, counts = _compared(net, changer, asked, own, rivals, is_large, should_stop, heard)
    plies = []
    for number, (of, action) in enumerate(zip(asked, changer.line[1:], strict=True)):
        beyond = np.flatnonzero(own.choice[number].reshape(len(net.blocks), -1)[:, of.cell] > own.thresholds)
        strength, least = float(own.strengths[number]), float(chance[number])
        block = int(beyond[0]) if len(beyond) and strength > least else -1
        sizes = own.choice[number], own.value[number]
        for array in sizes if is_large and of.changes else ():
            array.reshape(len(array), -1)[:, ~of.squares] = np.nan
        plies.append(SeenPly(action, of.cell, of.changes, *sizes, block, strength, least, int(counts[number])))
    names, sampled = tuple(block.name for block in net.blocks), SAMPLED if is_large else 0
    thresholds = tuple(own.thresholds.tolist())
    seen = SeenLine(position, changer.line, changer.cells, names, tuple(plies), thresholds, sampled)
    return _with_maps(net, seen, asked, should_stop, known) if is_large and maps else seen


class _Asked(NamedTuple):
    """What is asked about one ply after the first."""

    cell: int
    changes: tuple[Change, ...]
    quiet: NDArray[np.bool_]
    """[H * W] squares that cannot matter, whichever of the changes is made."""

    @property
    def squares(self) -> NDArray[np.bool_]:
        """[H * W] those that are needed to judge the ply."""
        squares = self.quiet.copy()
        squares[self.cell] = True
        return squares


def _asked(changer: Changer, ply: int, is_large: bool, should_stop: Stop) -> _Asked:
    """The changed positions of a ply, and the squares that cannot matter, on a large board some of them, always the
    same ones."""
    changes = () if should_stop() else changer.changes(ply)[: SAMPLED_CHANGES if is_large else CHANGES]
    quiet = np.full(changer.position.game.num_cells, bool(changes))
    for change in changes:
        quiet &= changer.untouched(change)
    if is_large:
        squares = np.flatnonzero(quiet)
        drawn = np.random.default_rng(ply).permutation(squares)[:SAMPLED]
        quiet[:] = False
        quiet[drawn] = True
    return _Asked(changer.cells[ply], changes, quiet)


class _Measured(NamedTuple):
    """What one net's choice of the first move depends on, for each ply of a line after it."""

    choice: list[Array]  # [K, H, W]
    value: list[Array]
    thresholds: NDArray[np.float64]  # [K]
    strengths: NDArray[np.float64]  # of each ply


def _measured(
    net: TappedNet,
    changer: Changer,
    plies: Sequence[_Asked],
    should_stop: Stop,
    whole: bool = False,
    heard: Callable[[Text], object] = lambda _: None,
) -> _Measured:
    """The sizes of the effects, the mean over the changes of each ply.

    whole: at all squares, not only at those needed to judge; elsewhere they are 0."""
    choices, values, quiet = [], [], [np.zeros((len(net.blocks), 0), np.float32)]
    for number, ply in enumerate(plies, 1):
        heard(Text("examining ply {number} of {count}…", number=number + 1, count=len(plies) + 1))
        only = None if whole else ply.squares
        choice, value = _sizes(net, changer.position, changer.line[0], ply.changes, should_stop, only)
        choices.append(choice)
        values.append(value)
        quiet.append(choice.reshape(len(net.blocks), -1)[:, ply.quiet])
    thresholds = _thresholds(np.concatenate(quiet, axis=1))
    pairs = zip(choices, plies, strict=True)
    strengths = [float((choice.reshape(len(choice), -1)[:, ply.cell] / thresholds).max()) for choice, ply in pairs]
    return _Measured(choices, values, thresholds, np.array(strengths))


def _sizes(
    net: TappedNet,
    position: Position,
    first: int,
    changes: Sequence[Change],
    should_stop: Stop,
    only: NDArray[np.bool_] | None,
) -> tuple[Array, Array]:
    """The sizes of the effects on the choice of ``first`` and on the value, float32 [K, H, W], the mean over the
    changes."""
    choice = np.zeros((len(net.blocks), *net.game.shape), np.float32)
    value = np.zeros_like(choice)
    for change in changes:
        effects = patched_effects(net, position, change.position, first, should_stop, only)
        choice += np.abs(effects.choice) / len(changes)
        value += np.abs(effects.value) / len(changes)
    return choice, value


def _compared(
    net: TappedNet,
    changer: Changer,
    plies: Sequence[_Asked],
    own: _Measured,
    rivals: int,
    is_large: bool,
    should_stop: Stop,
    heard: Callable[[Text], object],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Of each ply the largest strength of nets in random order, and how many were compared; on a large board only as
    long as the ply counts."""
    chance, counts = np.zeros(len(plies)), np.zeros(len(plies), np.int64)
    with TemporaryDirectory() as folder:
        for seed in range(rivals):
            counting = own.strengths > np.maximum(1.0, chance)
            numbers = [n for n, ply in enumerate(plies) if ply.changes and (counting[n] or not is_large)]
            if should_stop() or not numbers:
                break
            rival = TappedNet(scrambled_net(net.path, Path(folder), seed), net.game, recipe=net.recipe)
            strengths = _measured(rival, changer, [plies[n] for n in numbers], should_stop).strengths
            chance[numbers] = np.maximum(chance[numbers], strengths)
            counts[numbers] += 1
            heard(
                Text("{number} of {rivals} nets with weights in random order compared…", number=seed + 1, rivals=rivals)
            )
    return chance, counts


def _with_maps(
    net: TappedNet,
    seen: SeenLine,
    asked: Sequence[_Asked],
    should_stop: Stop,
    known: Callable[[SeenLine], object],
) -> SeenLine:
    """The same with the effects at all squares; ``known`` gets it before, and after each ply."""
    known(seen)
    plies = list(seen.plies)
    for number, of in enumerate(asked):
        if should_stop() or not of.changes:
            continue
        rest = ~of.squares
        sizes = _sizes(net, seen.position, seen.line[0], of.changes, should_stop, rest)
        if should_stop():
            break
        shown = rest.reshape(net.game.shape)
        ply = plies[number]
        choice, value = (np.where(shown, new, old) for new, old in zip(sizes, (ply.choice, ply.value), strict=True))
        plies[number] = ply._replace(choice=choice, value=value)
        seen = seen._replace(plies=tuple(plies))
        known(seen)
    return seen


def _thresholds(quiet: Array) -> NDArray[np.float64]:
    """The threshold of each block, float64 [K], from the effects [K, S] of squares that cannot matter, of which a share
    of 1 - ``LEVEL`` is beyond it in any block at all."""
    if not quiet.size:
        return np.full(len(quiet), LEAST)
    scale = np.maximum(np.quantile(quiet, LEVEL, axis=1), LEAST)
    worst = (quiet / scale[:, None]).max(axis=0)
    thresholds: NDArray[np.float64] = scale * max(1.0, float(np.quantile(worst, LEVEL)))
    return thresholds
