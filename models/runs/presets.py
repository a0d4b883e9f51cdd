"""Presets of training settings for short, medium and long runs, by the size of the game."""

from collections.abc import Mapping
from typing import Any, Final

from core.checks import choice_problem
from models.runs.config import TrainConfig

PRESETS: Final = ("small", "medium", "large")

_TINY_CELLS: Final = 16
_WIDE_CELLS: Final = 120
# By game: opening_plies and temperature_plies.
_VARIETY: Final = {"tictactoe": (5, 9), "connect4": (6, 12), "gomoku": (4, 16), "nim": (3, 8)}
_VARIETY_OF_64: Final = {"othello": (10, 20)}  # the same for 64 cells, fewer or more on other boards
# Of games that points decide.
_POINTS: Final[Mapping[str, Any]] = {
    "net.inputs": "points",
    "net.heads": "pooled",
    "self_play.komi_spread": 2.0,
    "self_play.resign_below": 0.9,
}
_SIZES: Final[Mapping[str, Mapping[str, tuple[Any, Any, Any]]]] = {
    "tiny": {
        "net.blocks": (2, 3, 4),
        "net.channels": (32, 32, 48),
        "self_play.games": (128, 128, 256),
        "self_play.samples_per_iteration": (1024, 2048, 4096),
        "self_play.simulations": (64, 100, 200),
        "self_play.fast_simulations": (24, 32, 50),
        "self_play.full_share": (0.5, 0.5, 0.5),
        "learning.replay_positions": (20_000, 40_000, 80_000),
        "strength.checkpoint_minutes": (0.5, 1.0, 5.0),
        "run.minutes": (2.0, 10.0, 60.0),
    },
    "usual": {
        "net.blocks": (4, 6, 10),
        "net.channels": (48, 64, 96),
        "self_play.games": (256, 512, 1024),
        "self_play.samples_per_iteration": (4096, 8192, 16_384),
        "self_play.simulations": (128, 200, 400),
        "self_play.fast_simulations": (32, 40, 80),
        "self_play.full_share": (0.25, 0.25, 0.25),
        "learning.replay_positions": (150_000, 400_000, 1_000_000),
        "strength.checkpoint_minutes": (5.0, 10.0, 30.0),
        "run.minutes": (60.0, 480.0, 2880.0),
    },
    "wide": {
        "net.blocks": (4, 6, 10),
        "net.channels": (48, 64, 128),
        "self_play.games": (128, 256, 512),
        "self_play.samples_per_iteration": (4096, 8192, 16_384),
        "self_play.simulations": (160, 250, 500),
        "self_play.fast_simulations": (40, 60, 100),
        "self_play.full_share": (0.25, 0.25, 0.25),
        "learning.replay_positions": (100_000, 300_000, 600_000),
        "strength.checkpoint_minutes": (10.0, 15.0, 60.0),
        "run.minutes": (180.0, 1440.0, 5760.0),
    },
}


def preset(name: str, game_text: str) -> TrainConfig:
    """Settings for a game: ``small`` for about an hour on a small machine, ``medium`` for a night, ``large`` for days
    on a GPU.  ``ValueError`` for another name, ``BadGame`` for an unknown game."""
    return TrainConfig.from_dict(preset_values(name, game_text))


def preset_values(name: str, game_text: str) -> dict[str, Any]:
    """The settings that a preset gives; the others keep their defaults."""
    if wrong := choice_problem("preset", name, PRESETS):
        raise ValueError(wrong)
    from core.games import load_game

    game = load_game(game_text)
    cells = game.shape[0] * game.shape[1]
    size = "tiny" if cells <= _TINY_CELLS else "usual" if cells < _WIDE_CELLS else "wide"
    opening, drawn = _VARIETY.get(game.name, (max(1, cells // 9), max(4, cells // 4)))
    if game.name in _VARIETY_OF_64:
        opening, drawn = _VARIETY_OF_64[game.name]
        opening, drawn = max(2, cells * opening // 64), max(4, cells * drawn // 64)
    column = PRESETS.index(name)
    chosen = {key: values[column] for key, values in _SIZES[size].items()}
    if game.scoring is not None:
        chosen |= _POINTS
    plies = {"self_play.opening_plies": opening, "self_play.temperature_plies": drawn}
    return {"game": game.text, **chosen, **plies}
