"""What the names of rules of Go stand for, and the text of a game's parameters."""

from typing import Final, NamedTuple

from core.games.go_area import NO_TAX, TAX_ALL, TAX_SEKI
from core.games.go_board import MAX_SIDE, POSITIONAL, SIMPLE, SITUATIONAL

KO_RULES: Final = {"simple": SIMPLE, "positional": POSITIONAL, "situational": SITUATIONAL}
TAXES: Final = {"none": NO_TAX, "seki": TAX_SEKI, "all": TAX_ALL}
USUAL_RULES: Final = "tromp-taylor"


class RuleSet(NamedTuple):
    """What the names of rules stand for."""

    title: str
    komi: float
    ko: str
    suicide: bool
    friendly: bool = False
    """Whether dead stones are taken off after two passes; a fact that nets are given."""
    handicap: int = 0
    """White's points for N handicap stones: 0 none, 1 N, 2 N - 1."""
    sgf: str = ""
    """The value of RU."""
    territory: bool = False
    """Whether territory and prisoners are counted instead of area."""
    tax: str = "none"


_TERRITORY: Final = RuleSet(
    "Go {rows}×{cols}, Japanese rules", 6.5, "simple", False, sgf="Japanese", territory=True, tax="seki"
)
RULES: Final = {
    "tromp-taylor": RuleSet("Go {rows}×{cols}", 7.5, "positional", True, sgf="Tromp-Taylor"),
    "chinese": RuleSet(
        "Go {rows}×{cols}, Chinese rules", 7.5, "simple", False, friendly=True, handicap=1, sgf="Chinese"
    ),
    "aga": RuleSet("Go {rows}×{cols}, AGA rules", 7.5, "situational", False, friendly=True, handicap=2, sgf="AGA"),
    "new-zealand": RuleSet("Go {rows}×{cols}, New Zealand rules", 7.0, "situational", True, friendly=True, sgf="NZ"),
    "japanese": _TERRITORY,
    "korean": _TERRITORY._replace(title="Go {rows}×{cols}, Korean rules", sgf="Korean"),
}


def number_text(value: float) -> str:
    """A komi without needless zeros."""
    return f"{value:g}"


def parameters_text(rules: str, changed: tuple[str, ...], rows: int, cols: int, komi: float) -> str:
    """The game as ``load_game`` takes it, what is usual left out.

    changed: the parameters that differ from those of the rules, but for komi.
    """
    sizes = [f"size={rows}"] if rows != MAX_SIDE else []
    words = sizes if rows == cols else [f"rows={rows}", f"cols={cols}"]
    words += [f"rules={rules}"] if rules != USUAL_RULES else []
    words += [f"komi={number_text(komi)}"] if komi != RULES[rules].komi else []
    words += changed
    return f"go({', '.join(words)})" if words else "go"
