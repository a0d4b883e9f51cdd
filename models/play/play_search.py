"""How self-play searches: settings of the search by those of the run."""

from typing import Final

from core.games import GameSpec
from core.processors import machine_memory_mb
from core.search.settings import SearchSettings
from models.runs.config import TrainConfig

_LEAST_MEMORY_MB: Final = 64


def search_settings(game: GameSpec, config: TrainConfig, games: int) -> SearchSettings:
    """Search settings for self-play of ``games`` games; the memory budget is several times what full searches need, as
    far as this machine has it."""
    most = max(config.self_play.simulations, config.self_play.fast_simulations)
    node_bytes = 80 + 4 * game.num_actions
    return SearchSettings(
        selection=config.self_play.search,
        c_puct=config.self_play.c_puct,
        noise_epsilon=config.self_play.noise_epsilon if config.self_play.search == "puct" else 0.0,
        gumbel_simulations=min(most, 1 << 16),
        threat_proofs=config.self_play.threat_proofs,
        memory_mb=min(max(_LEAST_MEMORY_MB, 8 * games * most * node_bytes >> 20), machine_memory_mb()),
    )
