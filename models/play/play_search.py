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
    most = max(config.simulations, config.fast_simulations)
    node_bytes = 80 + 4 * game.num_actions
    return SearchSettings(
        selection=config.search,
        c_puct=config.c_puct,
        fpu_reduction=config.fpu_reduction,
        noise_epsilon=config.noise_epsilon if config.search == "puct" else 0.0,
        noise_alpha=config.noise_alpha,
        gumbel_considered=config.gumbel_considered,
        gumbel_simulations=min(most, 1 << 16),
        threat_proofs=config.threat_proofs,
        memory_mb=min(max(_LEAST_MEMORY_MB, 8 * games * most * node_bytes >> 20), machine_memory_mb()),
    )
