"""Arguments of GTP commands, and the lines of figures of its analysis commands.

The forms are those of Leela Zero's ``lz-analyze`` and KataGo's ``kata-analyze``.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from core.checks import short
from core.engine.ownership import Ownership
from core.games import GameSpec
from core.glass.snapshot import MoveRow, Snapshot
from models.engines.gtp_board import GtpBoard, Refused
from models.engines.gtp_client import vertex
from models.engines.gtp_raw import SYMMETRIES
from models.netfiles.katago_answers import ROOT_OPTIMISM

COLOUR_OF: Final = {"b": 0, "black": 0, "w": 1, "white": 1}
_WHOLE: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
_INTERVAL: Final = 50  # hundredths of a second between two lines of an analysis


@dataclass
class AnalysisRequest:
    """What an analysis command asks for."""

    colour: int
    katago: bool
    least: int = 0
    """Rows, those of moves without visits among them."""
    interval_s: float = _INTERVAL / 100
    most: int = 1000
    """Rows, at most."""
    root: bool = False
    ownership: bool = False
    only: list[int] = field(default_factory=list)
    without: list[int] = field(default_factory=list)


def read_request(words: list[str], board: GtpBoard, *, katago: bool) -> AnalysisRequest:
    """Read ``[colour] [interval] {key value}``, in the manner of both programs; keys not known are passed over."""
    request = AnalysisRequest(board.position.to_move, katago)
    rest: Iterator[str] = iter(words)
    for word in rest:
        if word.lower() in COLOUR_OF:
            request.colour = COLOUR_OF[word.lower()]
        elif _WHOLE.fullmatch(word):
            request.interval_s = int(word) / 100
        elif word in ("avoid", "allow"):
            colour, moves, _ = next(rest, ""), next(rest, ""), next(rest, "")
            if colour_of([colour]) == request.colour:
                target = request.only if word == "allow" else request.without
                target.extend(board.parse(move) for move in moves.split(",") if move)
        else:
            value = next(rest, "")
            if word == "interval" and _WHOLE.fullmatch(value):
                request.interval_s = int(value) / 100
            elif word == "minmoves" and _WHOLE.fullmatch(value):
                request.least = int(value)
            elif word == "maxmoves" and _WHOLE.fullmatch(value):
                request.most = max(1, int(value))
            elif word == "rootInfo":
                request.root = value == "true"
            elif word == "ownership":
                request.ownership = katago and value == "true"
    return request


def info_line(found: Snapshot, request: AnalysisRequest, ownership: Ownership | None = None) -> str:
    """One line of figures, in the form of KataGo or Leela Zero; that of KataGo may have ``ownership``."""
    rows = [row for place, row in enumerate(found.moves) if row.visits or place < request.least][: request.most]
    line = " ".join(_row(found.position.game, row, order, request.katago) for order, row in enumerate(rows))
    if request.root:
        root = found.root
        line += f" rootInfo visits {root.visits} winrate {win_rate(found.value):.6f}" + _lead(root.lead)
    if ownership is not None:
        sign = -1.0 if found.position.to_move else 1.0
        line += " ownership " + " ".join(f"{sign * point:.6f}" for point in ownership.points.ravel().tolist())
    return line


def _row(game: GameSpec, row: MoveRow, order: int, katago: bool) -> str:
    pv = " ".join(vertex(game, action) for action in row.pv)
    win = win_rate(row.q)
    if not katago:
        prior = 0.0 if math.isnan(row.prior) else row.prior
        return (
            f"info move {vertex(game, row.action)} visits {row.visits} winrate {round(10000 * win)} "
            f"prior {round(10000 * prior)} order {order} pv {pv}"
        )
    prior_words = "" if math.isnan(row.prior) else f"prior {row.prior:.6f} "
    return (
        f"info move {vertex(game, row.action)} visits {row.visits} edgeVisits {row.visits} utility {row.q:.6f} "
        f"winrate {win:.6f}{_lead(row.lead, row.lead_spread)} {prior_words}order {order} pv {pv}"
    )


def _lead(lead: float, spread: float = math.nan) -> str:
    """The words of a score lead; "" where there is none."""
    if math.isnan(lead):
        return ""
    words = f" scoreMean {lead:.4f} scoreLead {lead:.4f}"
    return words if math.isnan(spread) else f" scoreMean {lead:.4f} scoreStdev {spread:.4f} scoreLead {lead:.4f}"


def win_rate(value: float) -> float:
    """A value in [-1, 1] as a share of wins; one half where there is none."""
    return 0.5 if math.isnan(value) else 0.5 + 0.5 * value


@dataclass
class RawRequest:
    """What ``kata-raw-nn`` asks for."""

    colour: int
    symmetries: range
    optimism: float


def read_raw_request(words: list[str], board: GtpBoard) -> RawRequest:
    """Read ``[colour] symmetry [optimism]``; Refused for others."""
    colour = board.position.to_move
    if words and words[0].lower() in COLOUR_OF:
        colour, words = COLOUR_OF[words[0].lower()], words[1:]
    if word_at(words, 0, "symmetry") == "all":
        symmetries = range(SYMMETRIES)
    else:
        symmetry = whole_at(words, 0, "symmetry")
        if not 0 <= symmetry < SYMMETRIES:
            raise Refused(f"symmetry {symmetry} is none of 0 to {SYMMETRIES - 1} or all")
        symmetries = range(symmetry, symmetry + 1)
    optimism = number_at(words, 1, "optimism") if len(words) > 1 else ROOT_OPTIMISM
    if not 0.0 <= optimism <= 1.0:
        raise Refused(f"optimism {optimism:g} is not from 0 to 1")
    return RawRequest(colour, symmetries, optimism)


def word_at(words: list[str], place: int, what: str) -> str:
    if len(words) <= place:
        raise Refused(f"the {what} is missing")
    return words[place]


def colour_of(words: list[str]) -> int:
    word = word_at(words, 0, "colour").lower()
    if word not in COLOUR_OF:
        raise Refused(f"invalid colour {short(word)}; it is black or white")
    return COLOUR_OF[word]


def whole_at(words: list[str], place: int, what: str) -> int:
    word = word_at(words, place, what)
    if not re.fullmatch(r"-?[0-9]{1,9}", word):
        raise Refused(f"{what} {short(word)} is no whole number")
    return int(word)


def number_at(words: list[str], place: int, what: str) -> float:
    word = word_at(words, place, what)
    if not re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{0,9})?", word):
        raise Refused(f"{what} {short(word)} is no number")
    return float(word)
