"""Any game as a Gymnasium environment (extra ``gym``): ``gymnasium.make("Plyscope-v0", game="connect4")``.

``import models.gym_env`` registers the name.  One step is one ply.  The observation is the net's input for the side to
move; the reward is for the side that made the step: +1 for a win, -1 for a loss, else 0.  With an ``opponent`` the
environment plays the reply in the same step, so that the agent always is the side to move.
"""

from collections.abc import Callable
from typing import Any, Final, SupportsInt

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from core.games import Position, load_game

ILLEGAL: Final = ("lose", "raise")
Planes = NDArray[np.float32]


class GameEnv(gymnasium.Env[Planes, SupportsInt]):
    """A Gymnasium environment of ``game`` (text as for load_game).

    Observations float32 [C, H, W]; actions Discrete(A); ``info["action_mask"]`` int8 [A] marks the legal ones, as
    ``action_space.sample(mask)`` takes it, ``info["to_move"]`` is 0 or 1.  ``opponent`` maps a position to a legal
    action; ``agent_first``: whether the agent then has the first move.  An illegal action loses the game
    (``illegal="lose"``) or raises IllegalMove (``"raise"``).  Raises BadGame and ValueError for other arguments.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        game: str = "tictactoe",
        opponent: Callable[[Position], int] | None = None,
        agent_first: bool = True,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal is {illegal!r}; it must be one of {', '.join(ILLEGAL)}")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is {render_mode!r}; it must be None or 'ansi'")
        self.game = load_game(game)
        self.render_mode = render_mode
        self._opponent, self._agent, self._illegal = opponent, 0 if agent_first else 1, illegal
        shape = (self.game.num_planes, *self.game.shape)
        self.observation_space = spaces.Box(0.0, 1.0, shape, np.float32)
        self.action_space = spaces.Discrete(self.game.num_actions)
        self._position = self.game.initial()
        self._forfeited = False

    @property
    def position(self) -> Position:
        """The current position."""
        return self._position

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Planes, dict[str, Any]]:
        """Start a new game; ``options={"moves": "d d c"}`` starts after these moves (or from this diagram)."""
        super().reset(seed=seed)
        moves = (options or {}).get("moves", "")
        self._position = self.game.position(moves) if moves else self.game.initial()
        self._forfeited = False
        if self._opponent is not None and self._position.to_move != self._agent and not self._position.is_over:
            self._position = self._position.play(self._opponent(self._position))
        return self._position.planes(), self._info()

    def step(self, action: SupportsInt) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        """Play one ply, and the opponent's reply if there is one: (observation, reward, terminated, False, info)."""
        if self._position.is_over or self._forfeited:
            raise ValueError("the game is over; call reset() before step()")
        mover = self._position.to_move
        if self._illegal == "lose" and int(action) not in self._position.legal_actions():
            self._forfeited = True
            return self._position.planes(), -1.0, True, False, self._info()
        self._position = self._position.play(int(action))
        if self._opponent is not None and not self._position.is_over:
            self._position = self._position.play(self._opponent(self._position))
        over = self._position.is_over
        reward = float(self._position.returns[mover]) if over else 0.0
        return self._position.planes(), reward, over, False, self._info()

    def render(self) -> str | None:
        """The board as text in mode ``ansi``."""
        return self._position.diagram() if self.render_mode == "ansi" else None

    def _info(self) -> dict[str, Any]:
        mask = np.zeros(self.game.num_actions, np.int8)
        mask[list(self._position.legal_actions())] = 1
        return {"action_mask": mask, "to_move": self._position.to_move}


gymnasium.register(id="Plyscope-v0", entry_point="models.gym_env:GameEnv")
