"""The inputs of KataGo's human nets about players and game: profiles, their numbers, the layers that read them.

Such a net imitates the players of a rank or year.  A profile has the name that KataGo gives it: ``rank_5k`` and
``rank_9d``, with the opening habits before AlphaZero ``preaz_5k``; ``rank_5k_1d``, black 5 kyu and white 1 dan;
``proyear_1990``, professionals of a year.  The numbers follow KataGo's cpp/neuralnet/sgfmetadata.cpp.
"""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.checks import short
from core.text import Text
from models.netfiles.katago_layers import LayerReader
from models.netfiles.weight_stream import Array

HUMAN_ENCODING: Final = "katago-v7-human"
INPUTS: Final = 192
USUAL: Final = "rank_5k"  # where none is named
RANKS: Final = (*(f"{dan}d" for dan in range(9, 0, -1)), *(f"{kyu}k" for kyu in range(1, 21)))
YEARS: Final = (1800, 2023)

_RANKED: Final = re.compile(r"(rank|preaz)_([0-9]{1,2}[dk])(?:_([0-9]{1,2}[dk]))?")
_PROFESSIONAL: Final = re.compile(r"proyear_([0-9]{4})")
_LAST_OF_GOGOD: Final = 2020  # the year until which games are taken for those of that collection

# Places among the inputs, and lengths
_HUMAN: Final = (0, 1)  # the side to move, the other
_RANK: Final = (6, 40)
_RANK_STEPS: Final = 34
_RATED: Final = 74
_UNKNOWN_TIME: Final = 75
_BYO_YOMI: Final = 79
_TIMES: Final = (82, 83, 84, 85)  # main, of a period, periods, moves of a Canadian period
_AREA: Final = 86
_DATE: Final = 87
_WAVES: Final = 32
_SOURCE: Final = 151
_KGS, _GOGOD, _GO4GO = 2, 5, 6

_WEEK: Final = 7.0  # days, the shortest wave of the date; the longest is this many times as long:
_LONGEST_WAVE: Final = 80000.0


@dataclass(frozen=True, slots=True)
class MetadataEncoder:
    """act2(act1(x @ hidden1 + bias1) @ hidden2 + bias2) @ out, which is added at every point before the first block.

    hidden1: [192, M].  hidden2: [M, N].  out: [N, channels of the trunk].  The activations are of ``ACTIVATIONS``.
    """

    hidden1: Array
    bias1: Array
    activation1: str
    hidden2: Array
    bias2: Array
    activation2: str
    out: Array


def read_encoder(layers: LayerReader, channels: int) -> MetadataEncoder:
    """Read the encoder of a net whose trunk has so many channels; ``BadFile`` when it has other sizes."""
    layers.stream.word()  # its name
    layers.size("the number of inputs that tell of the players", INPUTS)
    hidden1 = layers.dense(INPUTS)
    bias1, activation1 = layers.bias(hidden1.shape[1]), layers.activation()
    hidden2 = layers.dense(hidden1.shape[1])
    bias2, activation2 = layers.bias(hidden2.shape[1]), layers.activation()
    out = layers.dense(hidden2.shape[1], channels)
    return MetadataEncoder(hidden1, bias1, activation1, hidden2, bias2, activation2, out)


@dataclass(frozen=True, slots=True)
class _Players:
    """What a profile stands for; ranks count from 1, 9 dan, to 29, 20 kyu."""

    black: int
    white: int
    day: date
    source: int
    timed: bool  # 20 minutes and 5 periods of 30 seconds; else the time is unknown


def players(profile: str) -> _Players:
    """What a profile stands for; ``ValueError`` for a name that KataGo does not know."""
    if match := _RANKED.fullmatch(profile):
        kind, black, white = match[1], match[2], match[3] or match[2]
        if black in RANKS and white in RANKS:
            day = date(2016, 9, 1) if kind == "preaz" else date(2020, 3, 1)
            return _Players(1 + RANKS.index(black), 1 + RANKS.index(white), day, _KGS, timed=True)
    if match := _PROFESSIONAL.fullmatch(profile):
        year, (first, last) = int(match[1]), YEARS
        if first <= year <= last:
            source = _GOGOD if year <= _LAST_OF_GOGOD else _GO4GO
            return _Players(1, 1, date(year, 6, 1), source, timed=False)
    raise ValueError(
        Text(
            "profile is {profile}; it must be rank_ or preaz_ with a rank from 20k to 9d (rank_5k), or with black's "
            "and white's (rank_5k_1d), or proyear_ with a year from {first} to {last}",
            profile=short(profile),
            first=YEARS[0],
            last=YEARS[1],
        )
    )


def metadata(profile: str, points: int) -> NDArray[np.float32]:
    """The inputs [2, 192] of a profile on a board of so many points, with black and with white to move.

    ``ValueError`` as in ``players``."""
    about = players(profile)
    rows = np.zeros((2, INPUTS), np.float64)
    rows[:, _HUMAN] = 1.0
    for row, ranks in zip(rows, ((about.black, about.white), (about.white, about.black)), strict=True):
        for start, rank in zip(_RANK, ranks, strict=True):
            row[start : start + min(rank, _RANK_STEPS)] = 1.0
    rows[:, _RATED] = 0.5 if about.timed else 0.0  # half: it is not known whether the game counts for a rating
    rows[:, _BYO_YOMI if about.timed else _UNKNOWN_TIME] = 1.0
    main, period, periods = (1200.0, 30.0, 5.0) if about.timed else (0.0, 0.0, 0.0)
    rows[:, _TIMES] = (
        0.4 * (np.log(main + 60.0) - 6.5),
        0.3 * (np.log(period + 1.0) - 3.0),
        0.5 * (np.log(periods + 2.0) - 1.5),
        0.25 * (np.log(2.0) - 1.5),
    )
    rows[:, _AREA] = 0.5 * np.log(points / 361.0)
    periods_of_waves = _WEEK * _LONGEST_WAVE ** (np.arange(_WAVES) / (_WAVES - 1))
    turns = 2.0 * np.pi * (about.day - date(1970, 1, 1)).days / periods_of_waves
    rows[:, _DATE : _DATE + 2 * _WAVES : 2] = np.cos(turns)
    rows[:, _DATE + 1 : _DATE + 2 * _WAVES : 2] = np.sin(turns)
    rows[:, _SOURCE + about.source] = 1.0
    return rows.astype(np.float32)
