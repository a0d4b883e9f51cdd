"""Whether a net sees the replies: on which squares of which block its choice of a move depends.

For each ply of a line there is a changed position, in which that ply cannot be played or has lost its reason.  What a
block gives at one square there is put in the place of what it gives in the original position, and the rest of the net
goes on from that (activation patching; K. Meng et al., "Locating and Editing Factual Associations in GPT", 2022; for
look-ahead in a net that plays: E. Jenner et al., "Evidence of Learned Look-Ahead in a Chess-Playing Neural Network",
2024).  Where the choice changes, it depended on what that square of that block says of the reply.

Letters: B batch, C channels, H W board, K blocks, the stem included.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec, Position
from core.games.encoding import Inputs
from core.games.net_inputs import inputs_of, inputs_of_all
from core.games.walk import Walk
from core.solve.minimax import windows
from core.text import Text
from models.inside.counterfactuals import counterfactuals, refusal
from models.netfiles.tapped import TappedNet

IMPOSSIBLE: Final = "impossible"  # the ply cannot be played, or its stone lands elsewhere
POINTLESS: Final = "pointless"  # the ply completes, begins or stops less of a line
CHANGES: Final = 4  # changed positions of a ply, where there are as many
LONGEST: Final = 7  # plies of a line that are examined
LEVEL: Final = 0.95  # of the squares that cannot matter, so many stay below the thresholds of all blocks
LEAST: Final = 0.02  # of a threshold, in nats: what is smaller nobody would see in the policy
_BATCH: Final = 64  # boards that the rest of the net is given at once
_TRIES: Final = 60  # stones that are tried on the cell of a ply

Array = NDArray[np.float32]
Stop = Callable[[], bool]


class Change(NamedTuple):
    """A position in which a ply of a line cannot be played or has lost its reason."""

    position: Position
    cells: tuple[int, ...]
    """Those ``row * cols + col`` where it differs from the original."""
    kind: str
    """IMPOSSIBLE or POINTLESS."""


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
    """The first block at whose square the effect is beyond the threshold; -1 for none."""


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
        if self.depth == 1:
            return Text(
                "it does not see ply {blind}, but its choice depends on ply {seen}", blind=blind[0], seen=seen[0]
            )
        return Text("it reads {depth} plies here; ply {blind} it does not", depth=self.depth, blind=blind[0])


def cells_of(position: Position, line: Sequence[int]) -> tuple[int, ...]:
    """Where each move of a line from ``position`` puts its stone, up to a move that puts none or is illegal."""
    game, cells = position.game, position.cells().ravel()
    walk, found = Walk.of(position), []
    for action in line:
        if walk.is_over or not walk.allows(action):
            break
        walk.play(action)
        before, cells = cells, walk.cells().ravel()
        placed = np.flatnonzero((before == 0) & (cells != 0))
        if len(placed) != 1 or not (game.gravity or game.moves_are_cells):
            break
        found.append(int(placed[0]))
    return tuple(found)


def policy_line(net: TappedNet, position: Position, plies: int = LONGEST) -> tuple[int, ...]:
    """The line that the net alone plays: its most probable legal move at each ply."""
    line: list[int] = []
    while len(line) < plies and not position.is_over:
        legal = list(position.legal_actions())
        logits = net.run(inputs_of(position, net.encoding)).answer.logits[0]
        line.append(legal[int(logits[legal].argmax())])
        position = position.play(line[-1])
    return tuple(line)


def reading_refusal(game: GameSpec) -> str:
    """Why no line of the game can be examined, a sentence; "" where lines can be."""
    return refusal(game)


# Changed positions.


class Changer:
    """Finds the changed positions for the plies of one line."""

    def __init__(self, position: Position, line: Sequence[int], should_stop: Stop = lambda: False) -> None:
        """ValueError as :func:`reading_refusal` says."""
        game = position.game
        self.position, self.cells = position, cells_of(position, line)
        self.line = tuple(line[: len(self.cells)])
        self._windows = windows(game.shape, game.lines.k if game.lines is not None else 0)
        self._least = game.lines.k - 2 if game.lines is not None else 0  # stones in a line that make it a reason
        self._board = position.cells().ravel()
        self._reasons = self._reasons_from(position)
        self._others = [made.position for made in counterfactuals(position, should_stop=should_stop)]

    def changes(self, ply: int) -> tuple[Change, ...]:
        """Those for a ply, counted from 0: the fewest cells first and, of these, those that leave the reasons of the
        other plies most as they are."""
        found: list[tuple[tuple[int, ...], Change]] = []
        for other in [*self._others, *self._moved_onto(self.cells[ply])]:
            judged = self._judged(ply, other)
            if judged is not None:
                found.append(judged)
        found.sort(key=lambda pair: pair[0])
        return tuple(change for _, change in found[:CHANGES])

    def untouched(self, change: Change) -> NDArray[np.bool_]:
        """The cells, bool [H * W], that cannot matter to a change: those of neither the line nor the change, through
        which no line of stones is another than before."""
        same = np.ones(self._board.size, np.bool_)
        same[[*self.cells, *change.cells]] = False
        altered = (self._open_lines(change.position.cells().ravel()) != self._open_lines(self._board)).any(axis=0)
        same[self._windows[altered]] = False
        return same

    def _open_lines(self, board: NDArray[np.int8]) -> NDArray[np.int64]:
        """How many stones each player has in each line, int64 [2, L]; -1 where the other has one, too."""
        stones = board[self._windows]
        counts = np.array([(stones == stone).sum(axis=1) for stone in (1, 2)])
        return np.where(counts[::-1] > 0, -1, counts)

    def _judged(self, ply: int, other: Position) -> tuple[tuple[int, ...], Change] | None:
        """What a changed position is for a ply, behind what it is ranked by; None where the ply is as it was."""
        cells = cells_of(other, self.line[: ply + 1])
        if cells[:ply] != self.cells[:ply]:
            return None
        changed = tuple(np.flatnonzero(other.cells().ravel() != self._board).tolist())
        kind, rest = IMPOSSIBLE, 0
        reasons = self._reasons_from(other)
        if cells[ply:] == self.cells[ply : ply + 1]:
            if not (reasons[ply] < self._reasons[ply] and self._reasons[ply] >= self._least):
                return None
            kind = POINTLESS
        rest = sum(a != b for i, (a, b) in enumerate(zip(reasons, self._reasons, strict=False)) if i != ply)
        drop = self._reasons[ply] - reasons[ply] if kind == POINTLESS else 0
        return (int(kind == IMPOSSIBLE), len(changed), rest, -drop), Change(other, changed, kind)

    def _reasons_from(self, position: Position) -> list[int]:
        """For each ply the most stones that its own line through its cell has, or one that it stops."""
        board, reasons = position.cells().ravel().copy(), []
        player = position.to_move
        for cell in self.cells:
            through = board[self._windows[(self._windows == cell).any(axis=1)]]
            most = 0
            for stone in (1, 2):
                free = ~(through == 3 - stone).any(axis=1)
                most = max(most, int((through[free] == stone).sum(axis=1).max(initial=0)))
            reasons.append(most)
            board[cell] = player + 1
            player ^= 1
        return reasons

    def _moved_onto(self, cell: int) -> list[Position]:
        """Positions where one stone stands on ``cell`` instead of where it was put, as if it had been put there."""
        position, game = self.position, self.position.game
        if game.gravity or self._board[cell]:
            return []
        made = []
        order = np.random.default_rng(cell).permutation(len(position.moves))[:_TRIES]
        for ply in order.tolist():
            stone = position.moves[ply]
            if stone >= self._board.size or stone in self.cells:
                continue
            moves = (*position.moves[:ply], cell, *position.moves[ply + 1 :])
            walk = Walk.of(position.start)
            count, played = walk.play_line(moves)
            wanted = self._board.copy()
            wanted[stone], wanted[cell] = 0, self._board[stone]
            if count == len(moves) and not walk.is_over and (walk.cells().ravel() == wanted).all():
                made.append(Position(game, walk.position().state, played, position.start))
            if len(made) == 2 * CHANGES:
                break
        return made


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
    net: TappedNet, position: Position, other: Position, action: int, should_stop: Stop = lambda: False
) -> Effects:
    """The effects of each square of each block as in ``other`` on the choice of ``action`` and the value in
    ``position``.  BadNet or ValueError when the net fails."""
    inputs = inputs_of_all([position, other], net.encoding)
    answer, blocks, legal = *net.run(inputs), position.legal_actions()
    odds, values = log_odds(answer.logits, action, legal), answer.values
    choice = np.zeros((len(blocks), *position.game.shape), np.float32)
    value = np.zeros_like(choice)
    own = Inputs(inputs.planes[:1], inputs.features[:1])
    for block, output in enumerate(blocks):
        squares = np.argwhere((output[0] != output[1]).any(axis=0))  # elsewhere a patch changes nothing
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


def read_line(net: TappedNet, position: Position, line: Sequence[int], should_stop: Stop = lambda: False) -> SeenLine:
    """How far the choice of the first move of ``line`` depends on what follows it.

    ValueError, one sentence, where the game or the line cannot be examined, or the net fails."""
    if reason := reading_refusal(position.game):
        raise ValueError(reason)
    changer = Changer(position, line[:LONGEST], should_stop)
    if not changer.line:
        raise ValueError(Text("the line has no move that puts a stone on the board"))
    blocks, cells = len(net.blocks), position.game.num_cells
    found: list[tuple[tuple[Change, ...], Array, Array]] = []
    quiet: list[Array] = []
    for ply in range(1, len(changer.line)):
        changes = () if should_stop() else changer.changes(ply)
        effects = [patched_effects(net, position, change.position, line[0], should_stop) for change in changes]
        choice, value = (
            np.abs(parts).mean(axis=0) if parts else np.zeros((blocks, *position.game.shape), np.float32)
            for parts in ([part.choice for part in effects], [part.value for part in effects])
        )
        found.append((changes, choice, value))
        if changes:
            share = np.mean([changer.untouched(change) for change in changes], axis=0)
            quiet.append(choice.reshape(blocks, cells)[:, share > 0.5])
    thresholds = _thresholds(np.concatenate(quiet, axis=1) if quiet else np.zeros((blocks, 0), np.float32))
    plies = []
    for ply, (changes, choice, value) in enumerate(found, 1):
        sizes = choice.reshape(blocks, cells)[:, changer.cells[ply]]
        beyond = np.flatnonzero(sizes > thresholds)
        block = int(beyond[0]) if len(beyond) else -1
        plies.append(SeenPly(changer.line[ply], changer.cells[ply], changes, choice, value, block))
    names = tuple(block.name for block in net.blocks)
    return SeenLine(position, changer.line, changer.cells, names, tuple(plies), tuple(thresholds.tolist()))


def _thresholds(quiet: Array) -> NDArray[np.float64]:
    """The threshold of each block, float64 [K], from the effects [K, S] of squares that cannot matter, of which a share
    of 1 - ``LEVEL`` is beyond it in any block at all."""
    if not quiet.size:
        return np.full(len(quiet), LEAST)
    scale = np.maximum(np.quantile(quiet, LEVEL, axis=1), LEAST)
    worst = (quiet / scale[:, None]).max(axis=0)
    thresholds: NDArray[np.float64] = scale * max(1.0, float(np.quantile(worst, LEVEL)))
    return thresholds
