"""Whether a net sees the replies: on which squares of which block its choice of a move depends.

For each ply of a line there is a changed position, in which that ply cannot be played or has lost its reason.  What a
block gives at one square there is put in the place of what it gives in the original position, and the rest of the net
goes on from that (activation patching; K. Meng et al., "Locating and Editing Factual Associations in GPT", 2022; for
look-ahead in a net that plays: E. Jenner et al., "Evidence of Learned Look-Ahead in a Chess-Playing Neural Network",
2024).  Where the choice changes, it depended on what that square of that block says of the reply.

An effect counts where it is larger than those at squares that cannot matter, and by more than in any of nine nets that
have the same numbers in random order: of a net that has learnt nothing, one ply in ten would count by chance.

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
from models.inside.changes import Change, Changer
from models.inside.knowledge import scrambled_net
from models.inside.sample import Stop
from models.netfiles.tapped import TappedNet

LONGEST: Final = 7  # plies of a line that are examined
LEVEL: Final = 0.95  # of the squares that cannot matter, so many stay below the thresholds of all blocks
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
    """float32 [K, H, W]: the size of the effect on the log-odds, the mean over the changes."""
    value: Array
    """float32 [K, H, W]: likewise on the value."""
    block: int
    """The first block at whose square the effect is beyond the threshold; -1 for none, or where chance does as much."""
    strength: float
    """How many times the threshold the effect is, in the block where it is most."""
    chance: float
    """The largest ``strength`` of the nets with the same numbers in random order; 0 where none were compared."""


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
    rivals: int = RIVALS,
    compared: Callable[[int], object] = lambda _: None,
) -> SeenLine:
    """How far the choice of the first move of ``line`` depends on what follows it.

    rivals: nets with the same numbers in random order that are compared; compared: gets how many have been.
    ValueError, one sentence, where the game or the line cannot be examined, or the net fails."""
    changer = Changer(position, line[:LONGEST], should_stop)
    if not changer.line:
        raise ValueError(Text("the line has no move that puts a stone on the board"))
    changes = [() if should_stop() else changer.changes(ply) for ply in range(1, len(changer.line))]
    own = _measured(net, changer, changes, should_stop)
    chance = np.zeros(len(changes))
    with TemporaryDirectory() as folder:
        for seed in range(rivals):
            if should_stop() or not any(changes):
                break
            rival = TappedNet(scrambled_net(net.path, Path(folder), seed), net.game, recipe=net.recipe)
            chance = np.maximum(chance, _measured(rival, changer, changes, should_stop, whole=False).strengths)
            compared(seed + 1)
    plies = []
    for ply, (action, cell) in enumerate(zip(changer.line[1:], changer.cells[1:], strict=True)):
        beyond = np.flatnonzero(own.choice[ply].reshape(len(net.blocks), -1)[:, cell] > own.thresholds)
        strength, least = float(own.strengths[ply]), float(chance[ply])
        block = int(beyond[0]) if len(beyond) and strength > least else -1
        plies.append(SeenPly(action, cell, changes[ply], own.choice[ply], own.value[ply], block, strength, least))
    names = tuple(block.name for block in net.blocks)
    return SeenLine(position, changer.line, changer.cells, names, tuple(plies), tuple(own.thresholds.tolist()))


class _Measured(NamedTuple):
    """What one net's choice of the first move depends on, for each ply of a line after it."""

    choice: list[Array]  # [K, H, W]
    value: list[Array]
    thresholds: NDArray[np.float64]  # [K]
    strengths: NDArray[np.float64]  # of each ply


def _measured(
    net: TappedNet, changer: Changer, changes: Sequence[tuple[Change, ...]], should_stop: Stop, whole: bool = True
) -> _Measured:
    """The sizes of the effects, the mean over the changes of each ply.

    whole: at all squares, not only at those of the line and the ones that cannot matter."""
    game, first = net.game, changer.line[0]
    shape, line = (len(net.blocks), *game.shape), np.zeros(game.num_cells, np.bool_)
    line[list(changer.cells)] = True
    choices, values, quiet = [], [], [np.zeros((len(net.blocks), 0), np.float32)]
    for of_ply in changes:
        choice, value, still = np.zeros(shape, np.float32), np.zeros(shape, np.float32), np.zeros(game.num_cells)
        for change in of_ply:
            untouched = changer.untouched(change)
            only = None if whole else untouched | line
            effects = patched_effects(net, changer.position, change.position, first, should_stop, only)
            choice += np.abs(effects.choice) / len(of_ply)
            value += np.abs(effects.value) / len(of_ply)
            still += untouched / len(of_ply)
        choices.append(choice)
        values.append(value)
        quiet.append(choice.reshape(len(net.blocks), -1)[:, still > 1.0 - 1e-6])
    thresholds = _thresholds(np.concatenate(quiet, axis=1))
    pairs = zip(choices, changer.cells[1:], strict=True)
    strengths = [float((choice.reshape(len(choice), -1)[:, cell] / thresholds).max()) for choice, cell in pairs]
    return _Measured(choices, values, thresholds, np.array(strengths))


def _thresholds(quiet: Array) -> NDArray[np.float64]:
    """The threshold of each block, float64 [K], from the effects [K, S] of squares that cannot matter, of which a share
    of 1 - ``LEVEL`` is beyond it in any block at all."""
    if not quiet.size:
        return np.full(len(quiet), LEAST)
    scale = np.maximum(np.quantile(quiet, LEVEL, axis=1), LEAST)
    worst = (quiet / scale[:, None]).max(axis=0)
    thresholds: NDArray[np.float64] = scale * max(1.0, float(np.quantile(worst, LEVEL)))
    return thresholds
