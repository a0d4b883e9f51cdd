"""What an ablation compares: the settings of its base, its variants, its seeds, and how their nets are measured.

A variant is a change of the base's settings.  Every variant is trained once per seed with the same number of
evaluations of the net in self-play.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from core.files.reading import short
from core.text import Text, text_of
from models.runs.config import END_SETTINGS, TrainConfig, parse_value
from models.runs.run_toml import read_settings
from models.strength.bout import LEAST_SIMULATIONS

BASE: Final = "base"
_OURS: Final = ("game", "seed", "carry_steps", *END_SETTINGS)  # settings that are the ablation's own
_MOST_VARIANTS: Final = 64
_MOST_SEEDS: Final = 64


@dataclass(frozen=True)
class Variant:
    """A change of the base's settings; the base itself is the variant without changes."""

    name: str
    changes: Mapping[str, Any]


@dataclass(frozen=True)
class Plan:
    """An ablation.

    base: settings of a run by name.  variants: the base first.  evaluations: of the net in self-play, per run.
    games: of each match, even.  simulations: a move in matches and exams.  rollouts: of the fixed opponent, UCT.
    positions: of each exam.  ``ValueError`` for invalid ones.
    """

    base: Mapping[str, Any]
    variants: tuple[Variant, ...]
    seeds: int
    evaluations: int
    games: int = 40
    simulations: int = 100
    rollouts: int = 800
    positions: int = 300

    def __post_init__(self) -> None:
        limits = {
            "seeds": (1, _MOST_SEEDS),
            "evaluations": (1, 1 << 53),
            "games": (2, 100_000),
            "simulations": (LEAST_SIMULATIONS, 1 << 20),
            "rollouts": (LEAST_SIMULATIONS, 1 << 20),
            "positions": (1, 1 << 20),
        }
        for name, (low, high) in limits.items():
            if not low <= (value := getattr(self, name)) <= high:
                raise ValueError(
                    Text(
                        "{name} is {value}; it must be a whole number from {low} to {high}",
                        name=name,
                        value=value,
                        low=low,
                        high=high,
                    )
                )
        if self.games % 2:
            raise ValueError(
                Text(
                    "games is {games!r}; it must be an even number from 2, since each opening is played twice",
                    games=self.games,
                )
            )
        for variant in self.variants:
            try:
                self.config(variant, 1)
            except ValueError as error:
                raise ValueError(Text("{name}: {error}", name=variant.name, error=text_of(error))) from None

    def config(self, variant: Variant, seed: int) -> TrainConfig:
        """The settings of one run: nothing is measured while it trains, and its steps do not depend on timing."""
        own = {
            "seed": seed,
            "evaluations": self.evaluations,
            "minutes": 0.0,
            "iterations": 0,
            "checkpoint_minutes": 1e6,
            "ladder_games": 0,
            "exam_positions": 0,
            "carry_steps": False,
        }
        return TrainConfig.from_dict({**self.base, **variant.changes, **own})

    def to_json(self) -> str:
        """The plan as a JSON text, equal for equal plans."""
        return json.dumps(asdict(self), indent=1, sort_keys=True)


def make_variants(changes: Iterable[str]) -> tuple[Variant, ...]:
    """The base and a variant for each text: "KEY=VALUE KEY=VALUE", or a TOML file of the settings that differ.

    ValueError for a text that is neither, for a setting that is the ablation's own, and for two equal variants.
    """
    variants = [Variant(BASE, {})]
    for text in changes:
        variant = _read(text)
        if mine := [name for name in variant.changes if name in _OURS]:
            raise ValueError(
                Text(
                    "{text} changes {name}, which is the same in every run of an ablation",
                    text=short(text),
                    name=mine[0],
                )
            )
        if not variant.changes:
            raise ValueError(Text("{text} changes no setting", text=short(text)))
        for other in variants:
            if other.name == variant.name or other.changes == variant.changes:
                raise ValueError(Text("{text} is there twice; each variant is given once", text=short(text)))
        variants.append(variant)
    if not 1 < len(variants) <= _MOST_VARIANTS:
        raise ValueError(
            Text("{count} variants; give from 1 to {most}", count=len(variants) - 1, most=_MOST_VARIANTS - 1)
        )
    return tuple(variants)


def _read(text: str) -> Variant:
    words = text.split()
    if words and all("=" in word for word in words):
        changes: dict[str, Any] = {}
        for word in words:
            name, _, value = word.partition("=")
            changes[name] = parse_value(name, value)
        return Variant(" ".join(words), changes)
    path = Path(text)
    if not path.is_file():
        raise ValueError(
            Text('{text} is no variant; write "KEY=VALUE KEY=VALUE" or give a TOML file of settings', text=short(text))
        )
    return Variant(path.stem, read_settings(path))
