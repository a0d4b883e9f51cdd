"""An immutable, hashable game position with its moves.

Runs the games' kernels as plain Python, so that nothing needs to be compiled.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from core.games import diagram, dispatch
from core.games.dispatch import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, State
from core.games.info import LAST, PLY
from core.text import Text

if TYPE_CHECKING:
    from core.games.spec import GameSpec

PASS: Final = "pass"  # the name of the move that changes nothing but the turn
_QUOTED_MOVES = 12
_RETURNS = {ONGOING: (0, 0), FIRST_WINS: (1, -1), SECOND_WINS: (-1, 1), DRAW: (0, 0)}


class IllegalMove(ValueError):
    """A move is illegal: ``action``, its ``name``, and the ``position``."""

    def __init__(self, action: int, name: str, position: "Position", reason: str) -> None:
        moves = " ".join(position.game.action_name(a) for a in position.moves[-_QUOTED_MOVES:])
        more = "… " if len(position.moves) > _QUOTED_MOVES else ""
        where = Text("after {moves}", moves=more + moves) if moves else Text("in the first position")
        super().__init__(
            Text(
                "move {name!r} is not legal in {game} {where}: {reason}",
                name=name,
                game=position.game.text,
                where=where,
                reason=reason,
            )
        )
        self.action = action
        self.name = name
        self.position = position
        self.reason = reason

    def __reduce__(self) -> tuple[type["IllegalMove"], tuple[object, ...]]:
        return type(self), (self.action, self.name, self.position, self.reason)


class Position:
    """A game's state and the moves that led to it.

    Equality and hash depend on game, board, side to move and last move, which are the net's input, but not on the
    moves and their start position, which are kept as history.  In games whose future depends on earlier positions, as
    in Go, equality depends on these, too.
    """

    __slots__ = ("_cells", "_game", "_hash", "_last_action", "_legal", "_moves", "_ply", "_result", "_start", "_state")

    def __init__(
        self, game: "GameSpec", state: State, moves: tuple[int, ...] = (), start: "Position | None" = None
    ) -> None:
        """Takes ownership of ``state``: the caller must not change it."""
        for array in state:
            array.flags.writeable = False
        self._game = game
        self._state = state
        self._moves = moves
        self._start = start
        self._ply = int(state.info[PLY])
        self._last_action = int(state.info[LAST])
        self._result = int(dispatch.result(state))
        self._cells = game.board.cells(state)
        self._legal: tuple[int, ...] | None = None
        self._hash: int | None = None

    @property
    def game(self) -> "GameSpec":
        return self._game

    @property
    def state(self) -> State:
        """A fresh copy of the state, for the kernels; changing it changes no position."""
        return type(self._state)(*(array.copy() for array in self._state))

    @property
    def to_move(self) -> int:
        """The player to move, 0 or 1; when the game is over, the one who would be."""
        return int(dispatch.to_move(self._state))

    @property
    def ply(self) -> int:
        """Moves played since the game began; for a diagram, as few as its board and side to move allow."""
        return self._ply

    @property
    def last_action(self) -> int:
        """The action that led here, -1 when none is known."""
        return self._last_action

    @property
    def moves(self) -> tuple[int, ...]:
        """The actions played since ``start``."""
        return self._moves

    @property
    def start(self) -> "Position":
        """The position the moves began from: the game's first or a diagram's."""
        return self if self._start is None else self._start

    @property
    def result(self) -> int:
        """ONGOING, FIRST_WINS, SECOND_WINS or DRAW."""
        return self._result

    @property
    def is_agreed(self) -> bool:
        """Whether the players agree on the result of this ended game, by the stones that they take for dead."""
        counting = self.game.counting
        return counting is not None and counting.marks and counting.applies(self)

    @property
    def is_over(self) -> bool:
        return self._result != ONGOING

    @property
    def returns(self) -> tuple[int, int]:
        """The result for each player: +1 a win, -1 a loss, 0 a draw or an unfinished game."""
        return _RETURNS[self._result]

    @property
    def winning_cells(self) -> tuple[int, ...]:
        """The cells ``row * cols + col`` that won the game, ascending; empty when it is not won."""
        if self._result in (ONGOING, DRAW):
            return ()
        return self._game.board.winning_cells(self._cells)

    def legal_actions(self) -> tuple[int, ...]:
        """The legal actions in ascending order; none when the game is over."""
        if self._legal is None:
            out = np.empty(self._game.num_actions, np.int16)
            count = dispatch.legal(self.state, out)  # a copy: kernels may play and undo moves in it
            self._legal = tuple(out[:count].tolist())
        return self._legal

    def forbidden(self) -> dict[int, str]:
        """The empty points that are illegal for the player to move only as fouls, ascending, with the foul's name.

        Only Renju has fouls, for player 0: ``overline``, ``double four`` and ``double three``.
        """
        return {} if self.is_over else self._game.board.forbidden(self.state)

    def repeating(self) -> dict[int, str]:
        """The empty cells where only an earlier position keeps the player from moving, as a ko does, with the reason.

        Ascending; the reason is the end of a sentence.
        """
        board = self._game.board
        if self.is_over or not self._game.captures:
            return {}
        closed = set(np.flatnonzero(self._cells == 0).tolist()) - set(self.legal_actions())
        state = self.state
        return {action: board.refusal(state, action) for action in sorted(closed) if board.repeats(state, action)}

    def captured(self) -> tuple[int, int]:
        """How many stones of each player were taken off the board since ``start``; (0, 0) where none can be."""
        if not self._game.captures:
            return 0, 0
        start, lost = self.start, []
        for player in (0, 1):
            mine = self._moves[player != start.to_move :: 2]
            put = sum(action < self._cells.size for action in mine)
            lost.append(int((start._cells == player + 1).sum()) + put - int((self._cells == player + 1).sum()))
        return lost[0], lost[1]

    def _allows(self, action: int) -> bool:
        if self._legal is not None or not dispatch.has_own_test(self._state):
            return action in self.legal_actions()
        if not 0 <= action < self._game.num_actions or self.is_over:
            return False
        return dispatch.allows(self.state, int(action), np.empty(self._game.num_actions, np.int16))

    def play(self, action: int) -> "Position":
        """The position after ``action``; IllegalMove when it cannot be played."""
        if not self._allows(action):
            exists = 0 <= action < self._game.num_actions
            name = self._game.action_name(action) if exists else str(action)
            if not exists:
                reason: str = Text("an action is from 0 to {last}", last=self._game.num_actions - 1)
            elif self.is_over:
                reason = Text("the game is over")
            else:
                reason = self._game.board.refusal(self.state, int(action))
            raise IllegalMove(action, name, self, reason)
        state = self.state
        dispatch.play(state, int(action))
        return Position(self._game, state, (*self._moves, int(action)), self.start)

    def symmetries(self) -> tuple[int, ...]:
        """The rows of ``game.symmetries`` that leave the whole state as it is: the board, the legal moves and, in games
        whose future depends on earlier positions, the set of these.  The last move is not compared."""
        game, cells, legal = self._game, self._cells.ravel(), set(self.legal_actions())
        # cell_symmetries[s][i] is where cell i goes: the board stays the same when every cell meets its like.
        symmetries = [
            s
            for s, image in enumerate(game.cell_symmetries)
            if (cells[image] == cells).all() and set(game.symmetries[s][list(legal)].tolist()) == legal
        ]
        if len(symmetries) > 1 and game.board.past(self._state):
            earlier = list(self._earlier_boards())
            boards = {(player, board.tobytes()) for player, board in earlier}
            symmetries = [
                s
                for s in symmetries
                # The inverse of a symmetry is applied here: where one leaves the set as it is, so does the other.
                if all((player, board[game.cell_symmetries[s]].tobytes()) in boards for player, board in earlier)
            ]
        return tuple(symmetries)

    def _earlier_boards(self) -> Iterator[tuple[int, NDArray[np.int8]]]:
        """(Player to move, cells int8 [H * W]) of every position since ``start``, this one excluded."""
        state = self.start.state
        for action in self._moves:
            yield int(dispatch.to_move(state)), self._game.board.cells(state).ravel()
            dispatch.play(state, action)

    def cells(self) -> NDArray[np.int8]:
        """A copy of the board, int8 [H, W]: 0 empty, 1 player 0, 2 player 1; row 0 on top."""
        return self._cells.copy()

    def planes(self) -> NDArray[np.float32]:
        """The net's input for the side to move, float32 [C, H, W]."""
        out = np.empty((self._game.num_planes, *self._game.shape), np.float32)
        dispatch.encode(self._state, out)
        return out

    def diagram(self) -> str:
        """The board as text; ``game.parse_diagram`` reads it back where the game has cells."""
        if self._game.board.text is not None:
            return self._game.board.text(self._state)
        last = None if self._last_action < 0 else self._game.action_name(self._last_action)
        return diagram.write(self._cells, self.to_move, last)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self._game == other._game
            and self._last_action == other._last_action
            and self.to_move == other.to_move
            and self._cells.tobytes() == other._cells.tobytes()
            and self._game.board.past(self._state) == other._game.board.past(other._state)
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self._game, self._cells.tobytes(), self.to_move, self._last_action))
        return self._hash

    def __repr__(self) -> str:
        moves = " ".join(self._game.action_name(a) for a in self._moves)
        origin = "" if self.start._ply == 0 else f" from ply {self.start._ply}"
        return f"<Position {self._game.text} [{moves}]{origin}>"
