"""The settings of a net and of a training run, each with its unit, range and meaning.  Knows no torch.

Every setting is one field of :class:`TrainConfig`, declared with what the command line, the TOML file of a run and the
window show of it; ``SETTINGS`` lists them.  Papers' values are in the meanings.
"""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Final, Self

from core.files.reading import is_number, short
from core.search.settings import Kind, Setting

VALUE_LOSSES: Final = ("wdl", "mse")
DEVICES: Final = ("auto", "cpu", "cuda")
SEARCHES: Final = ("puct", "gumbel")
OPTIMIZERS: Final = ("adamw", "sgd")
EVALUATORS: Final = ("auto", "torch", "onnxruntime", "int8")
HEADS: Final = ("dense", "pooled")

_MOST_TOLD: Final = 8  # unknown settings
_LONGEST_NAME: Final = 60
_LONGEST: Final = 400  # characters of a sentence of several
_POOLED_PLANES: Final = 32  # of each head: pooling leaves two numbers of each

GROUPS: Final = ("Game & net", "Self-play", "Data", "Learning", "Measuring", "Run")
GAME, SELF_PLAY, DATA, LEARNING, MEASURING, RUN = GROUPS


@dataclass(frozen=True, slots=True)
class TrainSetting(Setting):
    """What is known of one setting of a run."""

    group: str


@dataclass(frozen=True, slots=True)
class NetConfig:
    """The shape of a residual net (AlphaGo Zero: 19 blocks of 256 channels, head planes 2 and 1, value layer 256).

    blocks: residual blocks of two 3x3 convolutions.  channels: their width.
    policy_planes, value_planes: planes of the 1x1 convolution that starts each head.
    value_hidden: width of the value head's inner layer.
    heads: ``dense`` layers over the whole board (AlphaGo Zero), or ``pooled`` ones (KataGo, Wu 2019, section 3.3): the
    policy is a convolution that is told each plane's mean and maximum, and the value sees those alone, so that what is
    learned in one place holds in all, and on boards of every size.
    """

    blocks: int = 4
    channels: int = 48
    policy_planes: int = 8
    value_planes: int = 8
    value_hidden: int = 64
    heads: str = HEADS[0]

    def __post_init__(self) -> None:
        for name, low, high in (
            ("blocks", 0, 80),
            ("channels", 1, 1024),
            ("policy_planes", 1, 256),
            ("value_planes", 1, 256),
            ("value_hidden", 1, 4096),
        ):
            if wrong := _bad_number(name, getattr(self, name), low, high, whole=True):
                raise ValueError(wrong)
        if self.heads not in HEADS:
            raise ValueError(f"heads is {self.heads!r}; it must be one of {', '.join(HEADS)}")


def _setting(
    group: str,
    kind: Kind,
    default: Any,
    meaning: str,
    low: float | None = None,
    high: float | None = None,
    unit: str = "",
    choices: tuple[str, ...] = (),
) -> Any:
    about = {"group": group, "kind": kind, "meaning": meaning, "low": low, "high": high, "unit": unit}
    return field(default=default, metadata={**about, "choices": choices})


def _int(group: str, default: int, low: int, high: int, unit: str, meaning: str) -> Any:
    return _setting(group, "int", default, meaning, low, high, unit)


def _float(group: str, default: float, low: float, high: float, unit: str, meaning: str) -> Any:
    return _setting(group, "float", default, meaning, low, high, unit)


def _choice(group: str, choices: tuple[str, ...], meaning: str) -> Any:
    """The first choice is the default."""
    return _setting(group, "choice", choices[0], meaning, choices=choices)


def _bool(group: str, default: bool, meaning: str) -> Any:
    return _setting(group, "bool", default, meaning)


# fmt: off
@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Settings of one training run, in the order of ``SETTINGS``, which explains each.

    ``ValueError`` tells all that is wrong with them.  A run needs an end: minutes or iterations.
    """

    game: str = _setting(GAME, "text", "connect4",
        "the game to learn, as `plyscope games` lists it, with its parameters in brackets")
    blocks: int = _int(GAME, 4, 0, 80, "blocks",
        "residual blocks of the net (AlphaGo Zero: 19 or 39)")
    channels: int = _int(GAME, 48, 1, 1024, "channels",
        "width of the net's convolutions (AlphaGo Zero: 256)")
    heads: str = _choice(GAME, HEADS,
        "dense layers over the board (AlphaGo Zero) or convolutions and pooling, alike in every place (KataGo); "
        "pooled needs a game whose moves are its cells")
    init: str = _setting(GAME, "path", "",
        "a net file whose weights a new run begins with, those that fit; empty begins with random ones")

    games: int = _int(SELF_PLAY, 256, 1, 1 << 16, "games",
        "played side by side, one search each; their leaves share the net's batches")
    samples_per_iteration: int = _int(SELF_PLAY, 4096, 1, 1 << 24, "positions",
        "with a policy target made before each bout of learning")
    search: str = _choice(SELF_PLAY, SEARCHES,
        "how the root explores: puct with noise (AlphaZero) or gumbel, sequential halving (Danihelka et al. 2022)")
    gumbel_considered: int = _int(SELF_PLAY, 16, 1, 1024, "moves",
        "that enter gumbel's sequential halving (paper: 16)")
    simulations: int = _int(SELF_PLAY, 200, 2, 1 << 20, "simulations",
        "of a full search, with noise and as a policy target (KataGo: 600)")
    fast_simulations: int = _int(SELF_PLAY, 40, 2, 1 << 20, "simulations",
        "of a fast search, without noise and not learned from (KataGo: 100)")
    full_share: float = _float(SELF_PLAY, 0.25, 0.001, 1.0, "share",
        "of the moves that get a full search: playout cap randomisation (KataGo, section 3.1: 0.25); 1 searches all")
    c_puct: float = _float(SELF_PLAY, 1.5, 0.0, 100.0, "",
        "weight of puct's exploration term (AlphaZero: 1.25)")
    fpu_reduction: float = _float(SELF_PLAY, 0.25, 0.0, 2.0, "value",
        "by which an unvisited move is thought worse than its parent, times the root of the visited prior")
    noise_epsilon: float = _float(SELF_PLAY, 0.25, 0.0, 1.0, "share",
        "of Dirichlet noise in the root's priors (AlphaZero: 0.25)")
    noise_alpha: float = _float(SELF_PLAY, 0.0, 0.0, 1000.0, "",
        "the noise's concentration (AlphaZero: 0.3 chess, 0.03 Go); 0 is 10 / legal moves of that root")
    prune_targets: bool = _bool(SELF_PLAY, True,
        "visits that only the noise forced are taken out of the policy target (KataGo, section 3.2)")
    temperature: float = _float(SELF_PLAY, 1.0, 0.0, 100.0, "",
        "of the visits from which early moves are drawn (AlphaGo Zero: 1)")
    temperature_plies: int = _int(SELF_PLAY, 12, 0, 10_000, "plies",
        "drawn at that temperature (AlphaGo Zero: 30); later moves are drawn at late_temperature")
    late_temperature: float = _float(SELF_PLAY, 0.25, 0.0, 100.0, "",
        "of the later moves; 0 plays the most visited")
    opening_share: float = _float(SELF_PLAY, 0.5, 0.0, 1.0, "share",
        "of the games that start with random moves")
    opening_plies: int = _int(SELF_PLAY, 6, 0, 1000, "plies",
        "at most so many random moves start such a game")
    resign_below: float = _float(SELF_PLAY, 0.0, 0.0, 1.0, "value",
        "a side resigns when its searched value lies below minus this (AlphaGo Zero kept false resignations under "
        "5 %); 0 never resigns, 0.95 is usual")
    resign_turns: int = _int(SELF_PLAY, 3, 1, 1000, "turns",
        "of its own in a row that a side's value must lie there")
    resign_check_share: float = _float(SELF_PLAY, 0.1, 0.0, 1.0, "share",
        "of the games played to the end to count resignations that would have been wrong (AlphaGo Zero: 0.1)")
    threat_proofs: bool = _bool(SELF_PLAY, False,
        "positions that fours or an open four decide are proved at once; for k in a row and Connect Four only")
    evaluator: str = _choice(SELF_PLAY, EVALUATORS,
        "what computes the net in self-play; auto measures at the start and takes the faster; int8 is onnxruntime with "
        "the net in 8 bits, on processors with VNNI about three times as fast and not quite as exact")

    replay_positions: int = _int(DATA, 150_000, 1, 1 << 26, "positions",
        "the newest, learned from")
    replay_mb: int = _int(DATA, 1024, 1, 1 << 20, "MiB",
        "of games kept on disk; the oldest shards are dropped beyond it")

    optimizer: str = _choice(LEARNING, OPTIMIZERS,
        "adamw (decoupled weight decay) or sgd with Nesterov momentum")
    momentum: float = _float(LEARNING, 0.9, 0.0, 0.999, "",
        "of sgd (AlphaGo Zero: 0.9)")
    batch_size: int = _int(LEARNING, 256, 2, 1 << 16, "positions",
        "per step (AlphaGo Zero: 2048, AlphaZero: 4096)")
    train_ratio: float = _float(LEARNING, 6.0, 0.01, 1000.0, "",
        "positions learned from per position made, at most")
    learning_rate: float = _float(LEARNING, 2e-3, 1e-9, 10.0, "",
        "the highest; it falls on a cosine to the run's end (AlphaGo Zero, sgd: 0.01 and 0.02 beside 0.9 momentum)")
    warmup_steps: int = _int(LEARNING, 100, 0, 1 << 20, "steps",
        "over which the rate rises to the highest")
    final_rate_share: float = _float(LEARNING, 0.05, 0.0, 1.0, "share",
        "of the highest rate that is left at the end of the run")
    weight_decay: float = _float(LEARNING, 0.02, 0.0, 10.0, "",
        "on weights alone; decoupled for adamw, c of c |theta|^2 / 2 for sgd (the papers' 1e-4 of c |theta|^2 is 2e-4)")
    clip_norm: float = _float(LEARNING, 5.0, 0.0, 1e6, "",
        "the gradient's norm is cut to this; 0 never cuts")
    value_loss: str = _choice(LEARNING, VALUE_LOSSES,
        "wdl: cross-entropy on win, draw, loss; mse: (z - v)^2 (AlphaGo Zero, equation 1)")
    value_weight: float = _float(LEARNING, 1.0, 0.0, 100.0, "",
        "factor of the value loss")
    root_value_share: float = _float(LEARNING, 0.0, 0.0, 1.0, "share",
        "of the search's value in the value target, beside the game's result")
    ema: float = _float(LEARNING, 0.995, 0.0, 0.999999, "",
        "decay per step of the averaged weights, which play and are exported")

    checkpoint_minutes: float = _float(MEASURING, 5.0, 0.01, 1e6, "minutes",
        "between nets that are kept, measured and set on the ladder")
    ladder_games: int = _int(MEASURING, 8, 0, 10_000, "games",
        "of one bout on the ladder; 0 plays none")
    ladder_simulations: int = _int(MEASURING, 100, 2, 1 << 20, "simulations",
        "a move of the nets on the ladder")
    exam_positions: int = _int(MEASURING, 300, 0, 1 << 20, "positions",
        "of each exam with exact answers; 0 holds none")
    gate: float = _float(MEASURING, 0.0, 0.0, 1.0, "score",
        "a kept net must reach against the best one to play in its place; 0 lets the newest play (AlphaGo Zero: 0.55)")

    seed: int = _int(RUN, 0, 0, (1 << 63) - 1, "",
        "of every random choice")
    minutes: float = _float(RUN, 0.0, 0.0, 1e6, "minutes",
        "after which the run ends, resumes included; 0 is no limit")
    iterations: int = _int(RUN, 0, 0, 1 << 30, "iterations",
        "after which the run ends; 0 is no limit")
    threads: int = _int(RUN, 0, 0, 1024, "threads",
        "that play, each its own share of the games; 0 is one a processor")
    device: str = _choice(RUN, DEVICES,
        "where the net is computed; auto is the GPU when there is one")
    tensorboard: bool = _bool(RUN, False,
        "the figures are also written for TensorBoard, when that package is installed")
    # fmt: on

    def __post_init__(self) -> None:
        if wrong := problems(self.to_dict()):
            raise ValueError(in_one(wrong))

    def net_config(self) -> NetConfig:
        """The shape of the net this run trains."""
        shape = NetConfig(self.blocks, self.channels, heads=self.heads)
        if self.heads == "pooled":
            return replace(shape, policy_planes=_POOLED_PLANES, value_planes=_POOLED_PLANES)
        return shape

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Settings by name, the rest at their defaults; ``ValueError`` tells all that is wrong."""
        if wrong := problems(values):
            raise ValueError(in_one(wrong))
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Every setting by name, in order; ``from_dict`` takes it back."""
        return asdict(self)


SETTINGS: Final[tuple[TrainSetting, ...]] = tuple(
    TrainSetting(name=one.name, default=one.default, **one.metadata) for one in fields(TrainConfig)
)
SETTING: Final[Mapping[str, TrainSetting]] = {setting.name: setting for setting in SETTINGS}


def problems(values: Mapping[str, Any]) -> list[str]:
    """All that is wrong with settings given by name, a sentence each; those not given stand at their defaults."""
    unknown = [name for name in values if name not in SETTING]
    wrong = [_unknown(name) for name in unknown[:_MOST_TOLD]]
    wrong += [f"{len(unknown) - _MOST_TOLD} more are no training settings"] if len(unknown) > _MOST_TOLD else []
    wrong += [said for name, value in values.items() if name in SETTING and (said := problem(name, value))]
    full = {setting.name: values.get(setting.name, setting.default) for setting in SETTINGS}
    if not full["minutes"] and not full["iterations"]:
        wrong.append("minutes and iterations are both 0; a run needs one of them as its end")
    if full["threat_proofs"] is True and not problem("game", full["game"]) and not _has_lines(full["game"]):
        wrong.append(f"threat_proofs is True; {full['game']} has no lines to make threats with, so it must be False")
    if full["evaluator"] == "int8" and full["device"] == "cuda":
        wrong.append("evaluator is 'int8', which needs the processor; with device 'cuda' it must be auto, torch or "
                     "onnxruntime")
    if full["heads"] == "pooled" and not problem("game", full["game"]) and not _moves_are_cells(full["game"]):
        wrong.append(f"heads is 'pooled'; the moves of {full['game']} are not its cells, so it must be dense")
    return wrong


def in_one(wrong: Sequence[str]) -> str:
    """Several faults as one sentence; of many the first ones, and how many there are besides."""
    said = [wrong[0]]
    for sentence in wrong[1:]:
        if len("; ".join([*said, sentence])) > _LONGEST:
            return "; ".join([*said, f"and {len(wrong) - len(said)} more"])
        said.append(sentence)
    return "; ".join(said)


def usable(values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of ``values`` that are settings and in range; a game's name is taken as it is."""
    return {
        name: value
        for name, value in values.items()
        if name in SETTING and (isinstance(value, str) if name == "game" else not problem(name, value))
    }


def problem(name: str, value: object) -> str:
    """What is wrong with one setting's value, quoting it with what is allowed; empty when it is good."""
    setting = SETTING[name]
    match setting.kind:
        case "bool":
            return "" if isinstance(value, bool) else f"{name} is {short(value)}; it must be true or false"
        case "choice":
            good = isinstance(value, str) and value in setting.choices
            return "" if good else f"{name} is {short(value)}; it must be one of {', '.join(setting.choices)}"
        case "text":
            return _bad_game(value)
        case "path":
            good = isinstance(value, str)
            return "" if good else f"{name} is {short(value)}; it must be the path of a net file, or empty"
    low, high = setting.low, setting.high
    assert low is not None
    assert high is not None
    return _bad_number(name, value, low, high, whole=setting.kind == "int")


def parse_value(name: str, text: str) -> Any:
    """The value that ``text`` means for a setting, by its kind.  ``ValueError`` for an unknown name or no such value;
    ranges are left to :func:`problems`."""
    if name not in SETTING:
        raise ValueError(_unknown(name))
    kind, word = SETTING[name].kind, text.strip()
    if kind in ("choice", "text", "path"):
        return word
    if kind == "bool":
        if word.lower() not in ("true", "false"):
            raise ValueError(f"{name} is {text!r}; it must be true or false")
        return word.lower() == "true"
    try:
        return int(word) if kind == "int" else float(word)
    except ValueError:
        low, high = SETTING[name].low, SETTING[name].high
        whole = "whole " if kind == "int" else ""
        raise ValueError(f"{name} is {text!r}; it must be a {whole}number from {low} to {high}") from None


def _bad_number(name: str, value: object, low: float, high: float, whole: bool) -> str:
    good = is_number(value, low, high) and not (whole and isinstance(value, float))
    if whole:
        return "" if good else f"{name} is {short(value)}; it must be a whole number from {low} to {high}"
    return "" if good else f"{name} is {short(value)}; it must be a number from {low:g} to {high:g}"


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name[:_LONGEST_NAME], SETTING, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else "`plyscope train --help` lists the settings"
    return f"{short(name)} is no training setting; {hint}"


# The games are loaded when one is asked for: the window lists the settings before it has compiled anything.


def _bad_game(text: object) -> str:
    if not isinstance(text, str) or not text:
        return f"game is {short(text)}; it must be a game as load_game takes it, such as connect4"
    from core.games import load_game

    try:
        load_game(text)
    except ValueError as error:
        return f"game is {short(text)}; {error}"
    return ""


def _has_lines(text: str) -> bool:
    from core.games import load_game
    from core.solve.threats_leaf import has_threat_proofs

    return has_threat_proofs(load_game(text))


def _moves_are_cells(text: str) -> bool:
    from core.games import load_game

    return load_game(text).moves_are_cells
