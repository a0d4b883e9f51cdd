"""The settings of a training run and its net, each with unit, range and meaning.

Every setting is one field of a table of :class:`TrainConfig`, field once for Python, the command line, the TOML file
of a run and the window; ``SETTINGS`` lists them.  The meanings name the values in papers.
"""

import difflib
import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Self

from core.checks import short
from core.files.reading import BadFile, read_bytes
from core.search.settings import Setting, declare
from core.text import Text, joined, text_of
from models.runs.conflicts import game_conflicts, game_problem
from models.runs.net_config import BLOCKS, CHANNELS, HEADS, INPUTS, PLANES, NetConfig

GROUPS: Final = ("Game & net", "Self-play", "Learning", "Measuring", "Run")  # titles of the tables
DEVICES: Final = ("auto", "cpu", "cuda")
SEARCHES: Final = ("puct", "gumbel")
SERVER: Final = "server"
EVALUATORS: Final = ("auto", "torch", "onnxruntime", SERVER, "int8", "openvino", "openvino-bf16")
ON_PROCESSOR: Final = EVALUATORS[4:]  # evaluators for the processor alone

RESIGN_TURNS: Final = 3  # of its own in a row in which a side's value is low before it resigns

# Settings that runs once had, each with the value that all runs have now (None: decided by the game and the net): it
# may still stand in a file of settings.
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
    "gumbel_considered": 16,
    "fpu_reduction": 0.25,
    "noise_alpha": 0.0,
    "prune_targets": True,
    "temperature": 1.0,
    "late_temperature": 0.25,
    "opening_share": 0.5,
    "openings_share": 0.3,
    "resign_turns": RESIGN_TURNS,
    "resign_lead": 0.0,
    "playout_simulations": None,
    "no_pass_plies": None,
    "replay_mb": 1024,
    "optimizer": "adamw",
    "momentum": None,
    "warmup_steps": 100,
    "final_rate_share": 0.05,
    "clip_norm": 5.0,
    "value_loss": "wdl",
    "value_weight": 1.0,
    "score_weight": 0.02,
    "ownership_weight": 1.0,
    "legal_softmax": True,
    "ema": None,
    "ema_samples": 0,  # which went by ema
}
END_SETTINGS: Final = ("run.minutes", "run.iterations", "run.evaluations")  # settings of which a run needs one

_MOST_LISTED: Final = 8  # unknown settings
_LONGEST_NAME: Final = 60
_LONGEST: Final = 400  # characters of a sentence of several
_MOST_BYTES: Final = 1 << 20  # of a file of settings


@dataclass(frozen=True, slots=True)
class TrainSetting(Setting):
    """One setting of a run, with its group."""

    group: str


def _int(default: int, low: int, high: int, unit: str, meaning: str) -> Any:
    return declare("int", default, meaning, low, high, unit)


def _float(default: float, low: float, high: float, unit: str, meaning: str) -> Any:
    return declare("float", default, meaning, low, high, unit)


def _choice(choices: tuple[str, ...], meaning: str) -> Any:
    """The first choice is the default."""
    return declare("choice", choices[0], meaning, choices=choices)


def _bool(default: bool, meaning: str) -> Any:
    return declare("bool", default, meaning)


# fmt: off
@dataclass(frozen=True, slots=True)
class NetSettings:
    """The net and what it begins with."""

    blocks: int = _int(4, *BLOCKS, "blocks",
        "residual blocks of the net (AlphaGo Zero: 19 or 39)")
    channels: int = _int(48, *CHANNELS, "channels",
        "width of the net's convolutions (AlphaGo Zero: 256)")
    heads: str = _choice(HEADS,
        "dense layers over the board (AlphaGo Zero) or convolutions and pooling, alike in every place (KataGo); "
        "pooled needs a game whose moves are its cells")
    inputs: str = _choice(INPUTS,
        "what the net is shown: the board, or in Go also liberties, ko, territory and komi (points), from which it "
        "learns the score and the owner of each point as well")
    init: str = declare("path", "",
        "a net file whose weights a new run begins with, those that fit; empty begins with random ones")


@dataclass(frozen=True, slots=True)
class SelfPlaySettings:
    """The games from which the net learns."""

    games: int = _int(256, 1, 1 << 16, "games",
        "played side by side, one search each; their leaves share the net's batches")
    samples_per_iteration: int = _int(4096, 1, 1 << 24, "positions",
        "with a policy target made in each iteration")
    search: str = _choice(SEARCHES,
        "how the root explores: puct with noise (AlphaZero) or gumbel, sequential halving (Danihelka et al. 2022)")
    simulations: int = _int(200, 2, 1 << 20, "simulations",
        "of a full search, with noise and as a policy target (KataGo: 600)")
    fast_simulations: int = _int(40, 2, 1 << 20, "simulations",
        "of a fast search, without noise and not learned from (KataGo: 100)")
    full_share: float = _float(0.25, 0.001, 1.0, "share",
        "of the moves that get a full search: playout cap randomisation (KataGo, section 3.1: 0.25); 1 searches all")
    c_puct: float = _float(1.5, 0.0, 100.0, "",
        "weight of puct's exploration term (AlphaZero: 1.25)")
    noise_epsilon: float = _float(0.25, 0.0, 1.0, "share",
        "of Dirichlet noise in the root's priors (AlphaZero: 0.25)")
    temperature_plies: int = _int(12, 0, 10_000, "plies",
        "sampled in proportion to the visits (AlphaGo Zero: 30); later moves are mostly the most visited")
    opening_plies: int = _int(6, 0, 1000, "plies",
        "of random moves at the start of half of the games, at most")
    openings: str = declare("path", "",
        "a file of positions, a line of moves each, from which a share of the games starts, such as the mistakes that "
        "“plyscope audit” finds; empty is none")
    sizes: str = declare("text", "",
        "boards on which it plays, as in 7, 9 or in 7 komi 9 share 1, 9 share 3: komi is the game's unless given, "
        "shares of the positions are equal unless given; empty plays on the game's own alone; with inputs points and "
        "pooled heads")
    resign_below: float = _float(0.0, 0.0, 1.0, "value",
        "a side resigns when its searched value is below minus this (AlphaGo Zero kept false resignations under "
        "5 %); 0 never resigns, 0.95 is usual")
    resign_check_share: float = _float(0.1, 0.0, 1.0, "share",
        "of the games played to the end to count resignations that would have been wrong (AlphaGo Zero: 0.1)")
    komi_spread: float = _float(0.0, 0.0, 100.0, "points",
        "by which the komi of each game differs at most from that of the game, in halves; with inputs points")
    threat_proofs: bool = _bool(False,
        "positions decided by fours or an open four are proved at once; for k in a row and Connect Four only")
    exact_empties: int = _int(0, 0, 30, "cells",
        "empty at most, from where the exact solver plays a game to its end and gives value and best moves to learn, "
        "so that the net learns endings from truth; in Othello and Connect Four; 0 searches to the end")
    evaluator: str = _choice(EVALUATORS,
        "runtime of the net in self-play; auto measures at the start and takes the fastest of torch, onnxruntime and "
        "OpenVINO; server plays in processes of their own and evaluates all their positions in common batches, for a "
        "GPU; int8 "
        "is onnxruntime with the net in 8 bits, about three times as fast on processors with VNNI and slightly "
        "less accurate; openvino and openvino-bf16 (in 16 bits) need the package openvino")


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """What the net learns from, and how."""

    replay_positions: int = _int(150_000, 1, 1 << 26, "positions",
        "newest positions that are trained on")
    surprise_share: float = _float(0.0, 0.0, 1.0, "share",
        "of the weight of a game's positions that goes to those whose search surprised the net, by KL(target, prior): "
        "they are drawn more often (policy surprise weighting, KataGo: 0.5); 0 draws all equally often")
    root_value_share: float = _float(0.0, 0.0, 1.0, "share",
        "of the search's value in the value target; the rest is the game's result")
    train_ratio: float = _float(6.0, 0.01, 1000.0, "",
        "positions trained on per position made, at most")
    carry_steps: bool = _bool(True,
        "players do not wait for steps still due when an iteration's games are done: they are taken in the next ones, "
        "and those of more than four iterations never; without it a run that names iterations and evaluator repeats "
        "exactly by its seed")
    batch_size: int = _int(256, 2, 1 << 16, "positions",
        "per step (AlphaGo Zero: 2048, AlphaZero: 4096)")
    rate: float = _float(2e-3, 1e-9, 10.0, "",
        "the highest of AdamW's learning rate, reached after 100 steps; it falls on a cosine to a twentieth at the "
        "run's end")
    weight_decay: float = _float(0.02, 0.0, 10.0, "",
        "on weights alone, decoupled from the gradient")
    ema_samples: int = _int(51_200, 1, 1 << 40, "positions",
        "learned from over which the averaged weights go back, which are used in self-play and exported; a small "
        "number for a short run")


@dataclass(frozen=True, slots=True)
class StrengthSettings:
    """The nets that are kept, and how their strength is measured."""

    checkpoint_minutes: float = _float(5.0, 0.01, 1e6, "minutes",
        "between nets that are kept, measured and added to the ladder")
    ladder_games: int = _int(8, 0, 10_000, "games",
        "of one match on the ladder; 0 plays none")
    ladder_simulations: int = _int(100, 2, 1 << 20, "simulations",
        "a move of the nets on the ladder")
    exam_positions: int = _int(300, 0, 1 << 20, "positions",
        "of each exam with exact answers; 0 is no exams")
    gate: float = _float(0.0, 0.0, 1.0, "score",
        "a kept net needs against the one in self-play to replace it; 0 always uses the newest (AlphaGo Zero: 0.55)")


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The end of the run and what of the machine it uses."""

    seed: int = _int(0, 0, (1 << 63) - 1, "",
        "of every random choice")
    minutes: float = _float(0.0, 0.0, 1e6, "minutes",
        "after which the run ends, resumes included; 0 is no limit")
    iterations: int = _int(0, 0, 1 << 30, "iterations",
        "after which the run ends; 0 is no limit")
    evaluations: int = _int(0, 0, 1 << 53, "evaluations",
        "of the net in self-play, after which the run ends, in a shorter last iteration; 0 is no limit")
    threads: int = _int(0, 0, 1024, "threads",
        "of self-play, each with a share of the games; 0 is one per processor")
    device: str = _choice(DEVICES,
        "that computes the net; auto is the GPU when there is one")
    tensorboard: bool = _bool(False,
        "also log the figures for TensorBoard, if that package is installed")


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Settings of one training run, in tables; ``SETTINGS`` describes each.

    ``ValueError`` lists all invalid settings.  A run needs an end: minutes, iterations or evaluations.
    """

    game: str = declare("text", "connect4",
        "the game to learn, as “plyscope games” lists it, with its parameters in brackets")
    net: NetSettings = NetSettings()
    self_play: SelfPlaySettings = SelfPlaySettings()
    learning: LearningSettings = LearningSettings()
    strength: StrengthSettings = StrengthSettings()
    run: RunSettings = RunSettings()
    # fmt: on

    def __post_init__(self) -> None:
        if wrong := problems(self.to_dict()):
            raise ValueError(join_problems(wrong.values()))

    def net_config(self) -> NetConfig:
        """The shape of the net this run trains."""
        net, planes = self.net, PLANES[self.net.heads]
        return NetConfig(net.blocks, net.channels, planes, planes, heads=net.heads, inputs=net.inputs)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Make a config from settings by name, the rest at their defaults; ``ValueError`` lists all invalid ones.

        The table may be left out of a name, as earlier versions did."""
        values = named(values)
        if wrong := problems(values):
            raise ValueError(join_problems(wrong.values()))
        tables: dict[str, dict[str, Any]] = {}
        for name in values.keys() & SETTING.keys():
            table, _, short_name = name.rpartition(".")
            tables.setdefault(table, {})[short_name] = values[name]
        groups = {table: replace(_TABLES[table], **tables[table]) for table in tables.keys() & _TABLES.keys()}
        return cls(**tables.get("", {}), **groups)

    @classmethod
    def of(cls, **values: Any) -> Self:
        """As ``from_dict``, by names without their table."""
        return cls.from_dict(values)

    def to_dict(self) -> dict[str, Any]:
        """All settings by name, in order, such as ``learning.rate``; the inverse of ``from_dict``."""
        return {setting.name: attrgetter(setting.name)(self) for setting in SETTINGS}

    def changed(self, **values: Any) -> Self:
        """With other values, by names without their table."""
        return self.from_dict({**self.to_dict(), **values})


_TABLES: Final[Mapping[str, Any]] = {field.name: field.default for field in fields(TrainConfig) if not field.metadata}


def _all_settings() -> Iterator[TrainSetting]:
    for field in fields(TrainConfig):
        if field.metadata:
            yield TrainSetting(name=field.name, default=field.default, group=GROUPS[0], **field.metadata)
    for group, (table, settings) in zip(GROUPS, _TABLES.items(), strict=True):
        for field in fields(settings):
            yield TrainSetting(name=f"{table}.{field.name}", default=field.default, group=group, **field.metadata)


SETTINGS: Final[tuple[TrainSetting, ...]] = tuple(_all_settings())
SETTING: Final[Mapping[str, TrainSetting]] = {setting.name: setting for setting in SETTINGS}
# By name without the table, which is unique, and by the name in earlier versions where it was another.
_SHORT: Final = {name.rpartition(".")[2]: name for name in SETTING} | {"learning_rate": "learning.rate"}
# What a resumed run cannot change: the game and the shape of its net.
FIXED: Final = tuple(setting.name for setting in SETTINGS if setting.group == GROUPS[0] and setting.kind != "path")


def named(values: Mapping[str, Any]) -> dict[str, Any]:
    """Settings by their full names, of those that may be without table; without those that are gone and did what every
    run does now."""
    return {_SHORT.get(name, name): value for name, value in values.items() if not _is_past(name, value)}


def problems(values: Mapping[str, Any]) -> dict[str, str]:
    """Problems with settings given by name, a sentence for each name; missing settings have their defaults."""
    unknown = [name for name in values if name not in SETTING]
    wrong, more = {name: _unknown(name) for name in unknown[:_MOST_LISTED]}, len(unknown) - _MOST_LISTED
    if more > 0:
        wrong[unknown[_MOST_LISTED]] = Text("{more} more are no training settings", more=more)
    wrong |= {name: message for name, value in values.items() if name in SETTING and (message := problem(name, value))}
    full = {setting.name: values.get(setting.name, setting.default) for setting in SETTINGS}
    if not any(full[name] for name in END_SETTINGS):
        words = Text("minutes, iterations and evaluations are all 0; a run needs one of them as its end")
        wrong.setdefault(END_SETTINGS[0], words)
    if "game" not in wrong:
        wrong |= game_conflicts({name: SETTING[name].default if name in wrong else full[name] for name in full})
    evaluator = full["self_play.evaluator"]
    if evaluator in ON_PROCESSOR and full["run.device"] == "cuda":
        wrong["self_play.evaluator"] = Text(
            "evaluator is {value!r}, which needs the processor; with device 'cuda' it must be auto, torch, "
            "onnxruntime or server",
            value=evaluator,
        )
    if evaluator == SERVER and full["self_play.sizes"]:
        wrong["self_play.evaluator"] = Text("evaluator is 'server', which plays on one size of the board; clear sizes")
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
        for name, value in named(values).items()
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


def _is_past(name: str, value: object) -> bool:
    """Whether a setting is gone, and had the value that all runs have now."""
    return name in GONE and GONE[name] in (value, None)


def _unknown(name: str) -> str:
    if name in GONE and name not in _SHORT:
        return Text("{name} is no training setting any more; take it out of the settings", name=name)
    names = [*SETTING, *_SHORT]
    near = [name] if name in _SHORT else difflib.get_close_matches(name[:_LONGEST_NAME], names, n=1, cutoff=0.5)
    hint = Text("“plyscope train --help” lists the settings")
    if near:
        hint = Text("did you mean {near}?", near=_SHORT.get(near[0], near[0]))
    return Text("{name} is no training setting; {hint}", name=short(name), hint=hint)


def to_toml(config: TrainConfig) -> str:
    """The settings as a TOML text of tables with comments; :func:`read_settings` reads it."""
    lines = ["# A training run of Plyscope.  Values may be changed before it is resumed, but for the game and the net."]
    written = ""
    for setting, value in zip(SETTINGS, config.to_dict().values(), strict=True):
        table, _, name = setting.name.rpartition(".")
        if table != written:
            written = table
            lines += ["", f"[{table}]  # {setting.group}"]
        lines += ["", f"# {setting.in_words()}", f"{name} = {_value(setting, value)}"]
    return "\n".join(lines) + "\n"


def read_settings(path: Path) -> dict[str, Any]:
    """Read the settings in a TOML file by name, unchecked; also those that earlier versions wrote without tables.

    BadFile when it is not one, ``OSError`` when it cannot be read."""
    data = read_bytes(path, _MOST_BYTES)
    try:
        values = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        why = Text("it is nested too deep") if isinstance(error, RecursionError) else text_of(error)
        raise BadFile(
            Text("{path} is not a TOML file of settings: {why:.120}", path=short(str(path)), why=why)
        ) from None
    plain: dict[str, Any] = {}
    for name, value in values.items():
        plain |= {f"{name}.{key}": entry for key, entry in value.items()} if isinstance(value, dict) else {name: value}
    return named(plain)


def _value(setting: TrainSetting, value: Any) -> str:
    if setting.kind == "bool":
        return "true" if value else "false"
    if setting.kind == "float":
        return repr(float(value))
    # JSON's strings are valid in TOML, except for the control character DEL, which JSON does not escape.
    return str(value) if setting.kind == "int" else json.dumps(value).replace("\x7f", "\\u007f")
