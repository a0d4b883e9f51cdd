"""The settings of a net and of a training run, as frozen values.  Knows no torch, so they can be listed without it."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Self

VALUE_LOSSES: Final = ("wdl", "mse")
DEVICES: Final = ("auto", "cpu", "cuda")


@dataclass(frozen=True, slots=True)
class NetConfig:
    """The shape of a residual net (AlphaGo Zero: 19 blocks of 256 channels, head planes 2 and 1, value layer 256).

    blocks: residual blocks of two 3x3 convolutions.  channels: their width.
    policy_planes, value_planes: planes of the 1x1 convolution that starts each head.
    value_hidden: width of the value head's inner layer.
    """

    blocks: int = 4
    channels: int = 48
    policy_planes: int = 8
    value_planes: int = 8
    value_hidden: int = 64

    def __post_init__(self) -> None:
        _whole("blocks", self.blocks, 0, 80)
        _whole("channels", self.channels, 1, 1024)
        _whole("policy_planes", self.policy_planes, 1, 256)
        _whole("value_planes", self.value_planes, 1, 256)
        _whole("value_hidden", self.value_hidden, 1, 4096)


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Settings of one training run; ``ValueError`` names a bad one and what is allowed.

    Self-play
        games: games played side by side, which is also the net's batch.
        samples_per_iteration: positions with a policy target made before each bout of training.
        simulations: simulations of a full search.  fast_simulations, full_share: playout cap randomisation (KataGo,
            Wu 2020, section 3.1: 600, 100 and 0.25): each move gets a full search, with noise and as a policy target,
            with probability ``full_share``, else a fast one without noise.  full_share 1 searches every move in full.
        c_puct: as in the search.  noise_epsilon, noise_alpha: root noise (AlphaZero: 0.25; alpha 0 means
            10 / mean number of legal moves).
        temperature: of the visits from which the first ``temperature_plies`` moves are drawn (AlphaGo Zero: 1 for 30
            moves); later moves are drawn at ``late_temperature``.
        opening_share, opening_plies: this share of the games starts with 1 to ``opening_plies`` uniformly random moves.
    Training
        replay_positions: newest positions kept.  batch_size: positions per step.
        train_ratio: positions trained on per position made.
        learning_rate: highest rate of AdamW; it warms up over ``warmup_steps`` and falls on a cosine to
            ``final_rate_share`` of itself at the end of the run.  weight_decay: decoupled, on weights alone (the
            papers' c in c |theta|^2 is 1e-4, for plain momentum SGD).
        value_loss: ``wdl`` (cross-entropy on win/draw/loss) or ``mse`` ((z - v)^2, AlphaGo Zero equation 1).
        value_weight: factor of the value loss.  root_value_share: share of the search's root value in the value target.
        ema: decay per step of the averaged weights that play and are exported.
    Run
        blocks, channels: of the net.  seed: of every random choice.
        minutes, iterations: the run ends at whichever comes first; 0 is no limit, and one must be set.
        threads: torch's threads; 0 leaves torch's choice.  device: ``auto``, ``cpu`` or ``cuda``.
    """

    game: str = "connect4"
    blocks: int = 4
    channels: int = 48
    games: int = 256
    samples_per_iteration: int = 4096
    simulations: int = 200
    fast_simulations: int = 40
    full_share: float = 0.25
    c_puct: float = 1.5
    noise_epsilon: float = 0.25
    noise_alpha: float = 0.0
    temperature: float = 1.0
    temperature_plies: int = 12
    late_temperature: float = 0.25
    opening_share: float = 0.5
    opening_plies: int = 6
    replay_positions: int = 150_000
    batch_size: int = 256
    train_ratio: float = 6.0
    learning_rate: float = 2e-3
    warmup_steps: int = 100
    final_rate_share: float = 0.05
    weight_decay: float = 0.02
    value_loss: str = "wdl"
    value_weight: float = 1.0
    root_value_share: float = 0.0
    ema: float = 0.995
    seed: int = 0
    minutes: float = 0.0
    iterations: int = 0
    threads: int = 0
    device: str = "auto"

    def __post_init__(self) -> None:
        if not isinstance(self.game, str) or not self.game:
            raise ValueError(f"game is {self.game!r}; it must be a game as load_game takes it, such as connect4")
        self.net_config()
        for name, low, high in (
            ("games", 1, 1 << 16),
            ("samples_per_iteration", 1, 1 << 24),
            ("simulations", 2, 1 << 20),
            ("fast_simulations", 2, 1 << 20),
            ("temperature_plies", 0, 10_000),
            ("opening_plies", 0, 1000),
            ("replay_positions", 1, 1 << 26),
            ("batch_size", 2, 1 << 16),
            ("warmup_steps", 0, 1 << 20),
            ("seed", 0, (1 << 63) - 1),
            ("iterations", 0, 1 << 30),
            ("threads", 0, 1024),
        ):
            _whole(name, getattr(self, name), low, high)
        for name, least, most in (
            ("full_share", 0.001, 1.0),
            ("c_puct", 0.0, 100.0),
            ("noise_epsilon", 0.0, 1.0),
            ("noise_alpha", 0.0, 1000.0),
            ("temperature", 0.0, 100.0),
            ("late_temperature", 0.0, 100.0),
            ("opening_share", 0.0, 1.0),
            ("train_ratio", 0.01, 1000.0),
            ("learning_rate", 1e-9, 10.0),
            ("final_rate_share", 0.0, 1.0),
            ("weight_decay", 0.0, 10.0),
            ("value_weight", 0.0, 100.0),
            ("root_value_share", 0.0, 1.0),
            ("ema", 0.0, 0.999999),
            ("minutes", 0.0, 1e6),
        ):
            _number(name, getattr(self, name), least, most)
        _one_of("value_loss", self.value_loss, VALUE_LOSSES)
        _one_of("device", self.device, DEVICES)
        if not self.minutes and not self.iterations:
            raise ValueError("minutes and iterations are both 0; a run needs one of them as its end")

    def net_config(self) -> NetConfig:
        """The shape of the net this run trains."""
        return NetConfig(blocks=self.blocks, channels=self.channels)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Settings by name, the rest at their defaults; ``ValueError`` for an unknown name."""
        known = [field.name for field in fields(cls)]
        for name in values:
            if name not in known:
                raise ValueError(f"{name!r} is no training setting; the settings are {', '.join(known)}")
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Every setting by name, in order; ``from_dict`` takes it back."""
        return asdict(self)


def _whole(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name} is {value!r}; it must be a whole number from {low} to {high}")


def _number(name: str, value: object, low: float, high: float) -> None:
    bad = isinstance(value, bool) or not isinstance(value, int | float)
    if bad or not math.isfinite(value) or not low <= value <= high:  # type: ignore[arg-type, operator]
        raise ValueError(f"{name} is {value!r}; it must be a number from {low:g} to {high:g}")


def _one_of(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(allowed)}")
