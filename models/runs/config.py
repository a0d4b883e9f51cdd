"""The settings of a training run and its net, each with unit, range and meaning.

Every setting is one field of :class:`TrainConfig`, declared once for Python, the command line, the TOML file of a run
and the window; ``SETTINGS`` lists them.  The meanings name the values in papers.
"""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Self

from core.checks import short
from core.search.settings import Setting, declare
from core.text import Text, joined
from models.runs.game_conflicts import game_conflicts, game_problem
from models.runs.net_config import BLOCKS, CHANNELS, HEADS, INPUTS, PLANES, NetConfig
from models.runs.resigning import ResignRule

GROUPS: Final = ("Game & net", "Self-play", "Data", "Learning", "Measuring", "Run")
GAME, SELF_PLAY, DATA, LEARNING, MEASURING, RUN = GROUPS
VALUE_LOSSES: Final = ("wdl", "mse")
DEVICES: Final = ("auto", "cpu", "cuda")
SEARCHES: Final = ("puct", "gumbel")
OPTIMIZERS: Final = ("adamw", "sgd")
SERVER: Final = "server"
EVALUATORS: Final = ("auto", "torch", "onnxruntime", SERVER, "int8", "openvino", "openvino-bf16")
ON_PROCESSOR: Final = EVALUATORS[4:]  # evaluators for the processor alone

# Settings that runs once had, with the value at which each did nothing: it may still stand in a file of settings.
GONE: Final[Mapping[str, Any]] = {
    "full_search": "total",
    "forced_playouts": 0.0,
    "root_temperature": 1.0,
    "root_temperature_early": 1.0,
    "root_fpu": "same",
    "soft_policy_weight": 0.0,
    "reply_weight": 0.0,
    "horizon_share": 0.0,
    "horizon_turns": None,
}
END_SETTINGS: Final = ("minutes", "iterations", "evaluations")  # settings of which a run needs one

_MOST_LISTED: Final = 8  # unknown settings
_LONGEST_NAME: Final = 60
_LONGEST: Final = 400  # characters of a sentence of several


@dataclass(frozen=True, slots=True)
class TrainSetting(Setting):
    """One setting of a run, with its group."""

    group: str


def _int(group: str, default: int, low: int, high: int, unit: str, meaning: str) -> Any:
    return declare("int", default, meaning, low, high, unit, group=group)


def _float(group: str, default: float, low: float, high: float, unit: str, meaning: str) -> Any:
    return declare("float", default, meaning, low, high, unit, group=group)


def _choice(group: str, choices: tuple[str, ...], meaning: str) -> Any:
    """The first choice is the default."""
    return declare("choice", choices[0], meaning, choices=choices, group=group)


def _bool(group: str, default: bool, meaning: str) -> Any:
    return declare("bool", default, meaning, group=group)


# fmt: off
@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Settings of one training run, in the order of ``SETTINGS``, which describes each.

    ``ValueError`` lists all invalid settings.  A run needs an end: minutes, iterations or evaluations.
    """

    game: str = declare("text", "connect4",
        "the game to learn, as `plyscope games` lists it, with its parameters in brackets", group=GAME)
    blocks: int = _int(GAME, 4, *BLOCKS, "blocks",
        "residual blocks of the net (AlphaGo Zero: 19 or 39)")
    channels: int = _int(GAME, 48, *CHANNELS, "channels",
        "width of the net's convolutions (AlphaGo Zero: 256)")
    heads: str = _choice(GAME, HEADS,
        "dense layers over the board (AlphaGo Zero) or convolutions and pooling, alike in every place (KataGo); "
        "pooled needs a game whose moves are its cells")
    inputs: str = _choice(GAME, INPUTS,
        "what the net is shown: the board, or in Go also liberties, ko, territory and komi (points), from which it "
        "learns the score and the owner of each point as well")
    init: str = declare("path", "",
        "a net file whose weights a new run begins with, those that fit; empty begins with random ones", group=GAME)

    games: int = _int(SELF_PLAY, 256, 1, 1 << 16, "games",
        "played side by side, one search each; their leaves share the net's batches")
    samples_per_iteration: int = _int(SELF_PLAY, 4096, 1, 1 << 24, "positions",
        "with a policy target made in each iteration")
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
        "subtracted from the parent's value for an unvisited move, times the square root of the visited prior")
    noise_epsilon: float = _float(SELF_PLAY, 0.25, 0.0, 1.0, "share",
        "of Dirichlet noise in the root's priors (AlphaZero: 0.25)")
    noise_alpha: float = _float(SELF_PLAY, 0.0, 0.0, 1000.0, "",
        "the noise's concentration (AlphaZero: 0.3 chess, 0.03 Go); 0 is 10 / legal moves of that root")
    prune_targets: bool = _bool(SELF_PLAY, True,
        "policy target pruning: visits due only to the noise are removed from the policy target (KataGo, section 3.2)")
    temperature: float = _float(SELF_PLAY, 1.0, 0.0, 100.0, "",
        "for sampling early moves from the visits (AlphaGo Zero: 1)")
    temperature_plies: int = _int(SELF_PLAY, 12, 0, 10_000, "plies",
        "sampled at that temperature (AlphaGo Zero: 30); later moves are sampled at late_temperature")
    late_temperature: float = _float(SELF_PLAY, 0.25, 0.0, 100.0, "",
        "for sampling later moves; 0 plays the most visited")
    sizes: str = declare("text", "",
        "boards on which it plays, as in 7, 9 or in 7 komi 9 share 1, 9 share 3: komi is the game's unless given, "
        "shares of the positions are equal unless given; empty plays on the game's own alone; with inputs points and "
        "pooled heads", group=SELF_PLAY)
    opening_share: float = _float(SELF_PLAY, 0.5, 0.0, 1.0, "share",
        "of the games that start with random moves")
    opening_plies: int = _int(SELF_PLAY, 6, 0, 1000, "plies",
        "of random moves at the start of such a game, at most")
    openings: str = declare("path", "",
        "a file of positions, a line of moves each, from which a share of the games starts, such as the mistakes that "
        "`plyscope audit` finds; empty is none", group=SELF_PLAY)
    openings_share: float = _float(SELF_PLAY, 0.3, 0.0, 1.0, "share",
        "of the games that start from a position of that file")
    resign_below: float = _float(SELF_PLAY, 0.0, 0.0, 1.0, "value",
        "a side resigns when its searched value is below minus this (AlphaGo Zero kept false resignations under "
        "5 %); 0 never resigns, 0.95 is usual")
    resign_lead: float = _float(SELF_PLAY, 0.0, 0.0, 400.0, "points",
        "to resign, a side's searched lead must be below minus this as well, and resign_below may be 0; with inputs "
        "points; 0 goes by the value alone")
    resign_turns: int = _int(SELF_PLAY, 3, 1, 1000, "turns",
        "of its own in a row in which a side's value and lead must be below that")
    resign_check_share: float = _float(SELF_PLAY, 0.1, 0.0, 1.0, "share",
        "of the games played to the end to count resignations that would have been wrong (AlphaGo Zero: 0.1)")
    playout_simulations: int = _int(SELF_PLAY, 0, 0, 1 << 20, "simulations",
        "of a move, not learned from, while a side would resign: the game is played to its end so that its points are "
        "counted (KataGo reduces its visits so); 0 resigns")
    komi_spread: float = _float(SELF_PLAY, 0.0, 0.0, 100.0, "points",
        "by which the komi of each game differs at most from that of the game, in halves; with inputs points")
    no_pass_plies: int = _int(SELF_PLAY, 0, 0, 10_000, "plies",
        "at the start of a game in which no pass is played or learned, with inputs points; without it white, whom komi "
        "puts ahead on an empty board, first learns to pass")
    threat_proofs: bool = _bool(SELF_PLAY, False,
        "positions decided by fours or an open four are proved at once; for k in a row and Connect Four only")
    evaluator: str = _choice(SELF_PLAY, EVALUATORS,
        "runtime of the net in self-play; auto measures at the start and takes the fastest of torch, onnxruntime and "
        "OpenVINO; server plays in processes of their own and evaluates all their positions in common batches, for a "
        "GPU; int8 "
        "is onnxruntime with the net in 8 bits, about three times as fast on processors with VNNI and slightly "
        "less accurate; openvino and openvino-bf16 (in 16 bits) need the package openvino")
    surprise_share: float = _float(SELF_PLAY, 0.0, 0.0, 1.0, "share",
        "of the weight of a game's positions that goes to those whose search surprised the net, by KL(target, prior): "
        "they are drawn more often (policy surprise weighting, KataGo: 0.5); 0 draws all equally often")
    exact_empties: int = _int(SELF_PLAY, 0, 0, 28, "cells",
        "empty at most, from where the exact solver plays a game to its end and gives value and best moves to learn, "
        "so that the net learns endings from truth; in Othello and Connect Four; 0 searches to the end")

    replay_positions: int = _int(DATA, 150_000, 1, 1 << 26, "positions",
        "newest positions that are trained on")
    replay_mb: int = _int(DATA, 1024, 1, 1 << 20, "MiB",
        "of games kept on disk; beyond it the oldest shards are deleted")

    optimizer: str = _choice(LEARNING, OPTIMIZERS,
        "adamw (decoupled weight decay) or sgd with Nesterov momentum")
    momentum: float = _float(LEARNING, 0.9, 0.0, 0.999, "",
        "of sgd (AlphaGo Zero: 0.9)")
    batch_size: int = _int(LEARNING, 256, 2, 1 << 16, "positions",
        "per step (AlphaGo Zero: 2048, AlphaZero: 4096)")
    train_ratio: float = _float(LEARNING, 6.0, 0.01, 1000.0, "",
        "positions trained on per position made, at most")
    carry_steps: bool = _bool(LEARNING, True,
        "players do not wait for steps still due when an iteration's games are done: they are taken in the next ones, "
        "and those of more than four iterations never; without it a run that names iterations and evaluator repeats "
        "exactly by its seed")
    learning_rate: float = _float(LEARNING, 2e-3, 1e-9, 10.0, "",
        "the highest; it falls on a cosine to the run's end (AlphaGo Zero, sgd: 0.01 and 0.02 with 0.9 momentum)")
    warmup_steps: int = _int(LEARNING, 100, 0, 1 << 20, "steps",
        "over which the rate rises to the highest")
    final_rate_share: float = _float(LEARNING, 0.05, 0.0, 1.0, "share",
        "of the highest rate at the end of the run")
    weight_decay: float = _float(LEARNING, 0.02, 0.0, 10.0, "",
        "on weights alone; decoupled for adamw, c of c |theta|^2 / 2 for sgd (the papers' 1e-4 of c |theta|^2 is 2e-4)")
    clip_norm: float = _float(LEARNING, 5.0, 0.0, 1e6, "",
        "the gradient is clipped to this norm; 0 never clips")
    value_loss: str = _choice(LEARNING, VALUE_LOSSES,
        "wdl: cross-entropy on win, draw, loss; mse: (z - v)^2 (AlphaGo Zero, equation 1)")
    value_weight: float = _float(LEARNING, 1.0, 0.0, 100.0, "",
        "factor of the value loss")
    score_weight: float = _float(LEARNING, 0.02, 0.0, 100.0, "",
        "factor of the score's loss, with inputs points: -ln of the final lead's density, in points (KataGo: 0.02)")
    ownership_weight: float = _float(LEARNING, 1.0, 0.0, 100.0, "",
        "factor of the ownership's loss, with inputs points: cross-entropy, mean over the board (KataGo: 1.5)")
    root_value_share: float = _float(LEARNING, 0.0, 0.0, 1.0, "share",
        "of the search's value in the value target; the rest is the game's result")
    ema: float = _float(LEARNING, 0.995, 0.0, 0.999999, "",
        "decay per step of the averaged weights, which are used in self-play and exported")
    legal_softmax: bool = _bool(LEARNING, True,
        "the policy learned is that over the legal moves, as a search uses it; otherwise the net also learns to give "
        "illegal moves nothing")
    ema_samples: int = _int(LEARNING, 0, 0, 1 << 40, "positions",
        "learned from over which the averaged weights go back, whatever the batch, so that in a short run they are not "
        "behind the net; 0 goes by ema (0.995 with batches of 256: 51 200)")

    checkpoint_minutes: float = _float(MEASURING, 5.0, 0.01, 1e6, "minutes",
        "between nets that are kept, measured and added to the ladder")
    ladder_games: int = _int(MEASURING, 8, 0, 10_000, "games",
        "of one match on the ladder; 0 plays none")
    ladder_simulations: int = _int(MEASURING, 100, 2, 1 << 20, "simulations",
        "a move of the nets on the ladder")
    exam_positions: int = _int(MEASURING, 300, 0, 1 << 20, "positions",
        "of each exam with exact answers; 0 is no exams")
    gate: float = _float(MEASURING, 0.0, 0.0, 1.0, "score",
        "a kept net needs against the one in self-play to replace it; 0 always uses the newest (AlphaGo Zero: 0.55)")

    seed: int = _int(RUN, 0, 0, (1 << 63) - 1, "",
        "of every random choice")
    minutes: float = _float(RUN, 0.0, 0.0, 1e6, "minutes",
        "after which the run ends, resumes included; 0 is no limit")
    iterations: int = _int(RUN, 0, 0, 1 << 30, "iterations",
        "after which the run ends; 0 is no limit")
    evaluations: int = _int(RUN, 0, 0, 1 << 53, "evaluations",
        "of the net in self-play, after which the run ends, in a shorter last iteration; 0 is no limit")
    threads: int = _int(RUN, 0, 0, 1024, "threads",
        "of self-play, each with a share of the games; 0 is one per processor")
    device: str = _choice(RUN, DEVICES,
        "that computes the net; auto is the GPU when there is one")
    tensorboard: bool = _bool(RUN, False,
        "also log the figures for TensorBoard, if that package is installed")
    # fmt: on

    def __post_init__(self) -> None:
        if wrong := problems(self.to_dict()):
            raise ValueError(join_problems(wrong.values()))

    @property
    def resign_rule(self) -> ResignRule:
        """When a side resigns in self-play."""
        below = self.resign_below if self.resign_below or self.resign_lead else None
        return ResignRule(below, self.resign_lead, self.resign_turns)

    def net_config(self) -> NetConfig:
        """The shape of the net this run trains."""
        planes = PLANES[self.heads]
        return NetConfig(self.blocks, self.channels, planes, planes, heads=self.heads, inputs=self.inputs)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Make a config from settings by name, the rest at their defaults; ``ValueError`` lists all invalid ones."""
        if wrong := problems(values):
            raise ValueError(join_problems(wrong.values()))
        return cls(**{name: value for name, value in values.items() if name in SETTING})

    def to_dict(self) -> dict[str, Any]:
        """All settings by name, in order; the inverse of ``from_dict``."""
        return {setting.name: getattr(self, setting.name) for setting in SETTINGS}


SETTINGS: Final[tuple[TrainSetting, ...]] = tuple(
    TrainSetting(name=one.name, default=one.default, **one.metadata) for one in fields(TrainConfig)
)
SETTING: Final[Mapping[str, TrainSetting]] = {setting.name: setting for setting in SETTINGS}
# What a resumed run cannot change: the game and the shape of its net.
FIXED: Final = tuple(setting.name for setting in SETTINGS if setting.group == GAME and setting.kind != "path")


def problems(values: Mapping[str, Any]) -> dict[str, str]:
    """Problems with settings given by name, a sentence for each name; missing settings have their defaults."""
    unknown = [name for name, value in values.items() if name not in SETTING and not did_nothing(name, value)]
    wrong, more = {name: _unknown(name) for name in unknown[:_MOST_LISTED]}, len(unknown) - _MOST_LISTED
    if more > 0:
        wrong[unknown[_MOST_LISTED]] = Text("{more} more are no training settings", more=more)
    wrong |= {name: message for name, value in values.items() if name in SETTING and (message := problem(name, value))}
    full = {setting.name: values.get(setting.name, setting.default) for setting in SETTINGS}
    if not any(full[name] for name in END_SETTINGS):
        words = Text("minutes, iterations and evaluations are all 0; a run needs one of them as its end")
        wrong.setdefault("minutes", words)
    if "game" not in wrong:
        wrong |= game_conflicts({name: SETTING[name].default if name in wrong else full[name] for name in full})
    if full["evaluator"] in ON_PROCESSOR and full["device"] == "cuda":
        wrong["evaluator"] = Text(
            "evaluator is {value!r}, which needs the processor; with device 'cuda' it must be auto, torch, "
            "onnxruntime or server",
            value=full["evaluator"],
        )
    if full["evaluator"] == SERVER and full["sizes"]:
        wrong["evaluator"] = Text("evaluator is 'server', which plays on one size of the board; clear sizes")
    return wrong


def join_problems(sentences: Iterable[str]) -> str:
    """Join several problems into one sentence; of many the first ones and the number of the others."""
    wrong = list(sentences)
    message = [wrong[0]]
    for sentence in wrong[1:]:
        if len("; ".join([*message, sentence])) > _LONGEST:
            return joined([*message, Text("and {more} more", more=len(wrong) - len(message))], "; ")
        message.append(sentence)
    return joined(message, "; ")


def usable(values: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of ``values`` that are settings and in range; the game is not checked."""
    return {
        name: value
        for name, value in values.items()
        if name in SETTING and (isinstance(value, str) if name == "game" else not problem(name, value))
    }


def problem(name: str, value: object) -> str:
    """The problem with one setting's value, quoting it and what is allowed; empty when it is valid."""
    return game_problem(value) if name == "game" else SETTING[name].problem(value)


def parse_value(name: str, text: str) -> Any:
    """The value of a setting that a word means; ``ValueError`` for an unknown name or a value that is not allowed."""
    if name not in SETTING:
        raise ValueError(_unknown(name))
    return SETTING[name].parse(text)


def did_nothing(name: str, value: object) -> bool:
    """Whether a setting that is gone has the value at which it did nothing."""
    return name in GONE and GONE[name] in (value, None)


def _unknown(name: str) -> str:
    if name in GONE:
        return Text("{name} is no training setting any more: it did not help; take it out of the settings", name=name)
    near = difflib.get_close_matches(name[:_LONGEST_NAME], SETTING, n=1, cutoff=0.5)
    hint = Text("did you mean {near}?", near=near[0]) if near else Text("`plyscope train --help` lists the settings")
    return Text("{name} is no training setting; {hint}", name=short(name), hint=hint)
