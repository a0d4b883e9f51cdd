"""The selection formula written out with the numbers of one move.

The tests evaluate the written sum and compare it with the score that selection maximises, for every rule.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from core.search.rules.table import NAMED, RULES, SCORED, in_letters
from core.text import Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.figures import MINUS, NONE, count, percent, plain, signed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.games import Position
    from core.glass import NodeView
    from core.glass.choice import Choice
    from core.search import SearchSettings

DIGITS: Final = 4
MOST_ROWS: Final = 8
SWITCH_MEANING: Final[Words] = (
    "Selection is run forward at this node: each new simulation enters the selected move, "
    "leaves that move's mean (and spread) unchanged and adds the mean to the node's own; "
    "simulations in flight stay in flight. Shown: after how many of them selection takes another move."
)


def shown_edges(view: NodeView, always: tuple[int, ...]) -> list[int]:
    """Return the edges to list: most visits first, then by prior; those of ``always`` are included."""
    order = sorted(range(len(view.actions)), key=lambda i: (-int(view.visits_of[i]), -float(view.priors[i]), i))
    shown = order[:MOST_ROWS]
    missing = [i for i in dict.fromkeys(always) if i >= 0 and i not in shown]
    return shown[: MOST_ROWS - len(missing)] + missing


class Speaker(NamedTuple):
    """A player, and the sign that turns values for the side to move into this player's."""

    game: str
    player: int
    name: str
    other: str  # the opponent's name
    sign: int  # +1: this player is to move
    fixed: bool  # chosen by the user; else it is the side to move

    @property
    def disc(self) -> tuple[str, int]:
        """The game and the player, whose disc is drawn."""
        return self.game, self.player

    def words(self, text: str) -> str:
        """Return a value's text with the player: "+0.31 for X"."""
        return tr("{value} for {player}").format(value=text, player=self.name)


def speaker(position: Position, player: int) -> Speaker:
    """Return who speaks at a position: ``player``, or (-1) the side to move."""
    whose = position.to_move if player < 0 else player
    players = kind_of(position.game.name).players
    sign = 1 if whose == position.to_move else -1
    return Speaker(position.game.name, whose, players[whose], players[1 - whose], sign, player >= 0)


def with_values_for_mover(title: str, position: Position) -> str:
    """The title of a table with the player whose values it has: the one to move in ``position``."""
    words = tr("{only} · values for {mover}")
    return words.format(only=title, mover=speaker(position, -1).name)


@dataclass(frozen=True)
class Sum:
    """One score: the formula in letters, in numbers, and its result."""

    symbols: str
    numbers: str
    result: str


def number(x: float, digits: int = DIGITS) -> str:
    """Format a factor, a negative one in brackets."""
    text = f"{abs(x):.{digits}f}" if math.isfinite(x) else "∞"
    return f"({MINUS}{text})" if x < 0 and float(f"{x:.{digits}f}") != 0 else text


def _leading(x: float, digits: int) -> str:
    """Format the first term of a sum, where a negative one needs no brackets."""
    return number(x, digits).strip("()")


def formula(rule: str, form: str = "c", planned: bool = False) -> str:
    """Return the score's formula in letters; ``form``: the form of UCT's constant, see SearchSettings.c_form."""
    known = NAMED[rule]
    return in_letters(known.written(form, planned), form if known.bonuses else "c")


def written_sum(choice: Choice, rule: str, edge: int, form: str = "c", digits: int = DIGITS) -> Sum:
    """Return the score of one edge written out."""
    from core.search.settings import constant_forms

    def of(x: float) -> str:
        return number(x, digits)

    named, planned = SCORED if choice.has_score else rule, choice.due >= 0
    known, symbols = NAMED[named], formula(named, form, planned)
    q, u, score = float(choice.qs[edge]), float(choice.us[edge]), float(choice.scores[edge])
    n = int(choice.visits[edge] + choice.inflight[edge])
    if score == math.inf:
        return Sum(symbols, "∞", tr("not tried yet: the bonus is infinite"))
    if planned and n != choice.due:
        words = tr("not due: moves with {due} visits are taken now, this one has {n}")
        return Sum(symbols, f"{MINUS}∞", words.format(due=choice.due, n=n))
    numbers = known.written(form, planned).format(
        Q=_leading(q, digits),
        q=of(q),
        s=score_term(choice, edge, digits),
        c=of(constant_forms(choice.c)[form if known.bonuses else "c"]),
        p=of(float(choice.priors[edge])),
        total=int(choice.total),
        n=n,
        variance=of(float(choice.spreads[edge]) / 4.0),  # of values on [0, 1], as the formula expects
        quarter="0.25",
        scale=of(choice.scale),
        log_mass=of(choice.log_mass),
        g=_leading(float(choice.gumbels[edge]), digits),
    )
    sum_words = _leading(score, digits)
    if planned:
        result = f"= {sum_words}"
    elif known.note is not None:
        result = core_text(known.note.having(u=of(u), score=sum_words))
    else:
        terms = [_leading(q, digits), *([of(float(choice.ss[edge]))] if choice.has_score else []), of(u)]
        result = f"{' + '.join(terms)} = {sum_words}"
    return Sum(symbols, numbers, result)


def score_term(choice: Choice, edge: int, digits: int = DIGITS) -> str:
    """Return S of one move by its lead; the number alone for a move without visits."""
    lead, params = choice.lead(edge), choice.params
    if math.isnan(lead):
        return number(float(choice.ss[edge]), digits)
    return f"{params.score_utility:g} · 2/π · atan({number(lead, digits)} / {number(params.score_scale, digits)})"


def unbroken(numbers: str) -> str:
    """Return the written sum with no-break spaces, so that a line breaks only before a term."""
    for sign in ("·", "/"):
        numbers = numbers.replace(f" {sign} ", f"\u00a0{sign}\u00a0")
    return numbers.replace("(1 + ", "(1\u00a0+\u00a0").replace("ln ", "ln\u00a0")


def constant_words(choice: Choice, rule: str, form: str = "c") -> str:
    """Return the present value of the constant, and how it was computed."""
    params = choice.params
    if not math.isnan(choice.scale):
        return f"s = ½ · ({params.c:g} + max N) · {params.c_scale:g} = {plain(choice.scale, 2)}" + (
            "" if choice.due >= 0 else f"   L = {plain(choice.log_mass, 3)}"
        )
    if math.isnan(choice.c):
        return ""
    written = ""
    if params.c_base > 0:
        share = f"{params.c_log:g} · " if params.c_log != 1 else ""
        written = f"{share}ln((1 + {count(int(choice.total))} + {params.c_base:g}) / {params.c_base:g}) + {params.c:g}"
    if not math.isnan(choice.deviation):
        from core.search.rules.puct import SPREAD_USUAL

        deviation = f"{plain(choice.deviation, DIGITS)} / {SPREAD_USUAL:g}"
        factor = f"(1 + {params.c_spread:g} · ({deviation} {MINUS} 1))"
        written = f"({written}) · {factor}" if written else f"{params.c:g} · {factor}"
    if written:
        return f"c = {written} = {plain(choice.c, DIGITS)}"
    from core.search.settings import constant_forms

    form = form if RULES[rule].bonuses else "c"
    letter, value = in_letters("{c}", form), constant_forms(choice.c)[form]
    return tr("{letter} = {value}, constant").format(letter=letter, value=plain(value, DIGITS))


def unvisited_words(choice: Choice, rule: str, fpu: str) -> str:
    """Return the value assumed for moves without visits, in words."""
    tried = int((choice.visits + choice.inflight > 0).sum())
    if tried == len(choice.qs):
        return tr("not in use: every move has been tried")
    assumed = RULES[rule].unvisited
    if assumed is not None:
        return core_text(assumed.having(unvisited=signed(choice.unvisited)))
    score = f"; S {signed(choice.unvisited_s)}" if choice.has_score else ""
    if fpu == "loss":
        return tr("{unvisited}: a move not tried counts as lost").format(unvisited=signed(choice.unvisited)) + score
    if fpu == "zero":
        return tr("{unvisited}: a move not tried counts as level").format(unvisited=signed(choice.unvisited)) + score
    words = tr(
        "{mean} {minus} {fpu_reduction:g} · √{visited_prior} = {unvisited}: this node's value "
        "minus {fpu_reduction:g} · √ of the P tried"
    ).format(
        mean=_leading(choice.mean, 3),
        minus=MINUS,
        fpu_reduction=choice.fpu[1],
        visited_prior=plain(choice.visited_prior),
        unvisited=signed(choice.unvisited),
    )
    return words + score


def next_words(choice: Choice, names: list[str], proved: bool) -> tuple[str, str]:
    """Return which move is next and by how much, and when the choice changes."""
    if proved:
        return tr("Proved: no simulation chooses here any more."), ""
    if choice.next_index < 0:
        return tr("No move may be entered: all are proved lost."), ""
    name = names[choice.next_index]
    if choice.second_index < 0:
        others = tr("every other one is proved lost") if len(names) > 1 else tr("it is the only move")
        return tr("{name} is next: {others}.").format(name=name, others=others), ""
    second = names[choice.second_index]
    if choice.first_try:
        lead = tr("{name} is next: every move is tried once first.").format(name=name)
    elif math.isnan(choice.margin):
        lead = tr("{name} is next, level with {second}.").format(name=name, second=second)
    elif math.isinf(choice.margin) and choice.due >= 0:
        lead = tr("{name} is next: the only move with the {due} visits that are due.").format(name=name, due=choice.due)
    elif math.isinf(choice.margin):
        lead = tr("{name} is next: not tried yet; then {second}.").format(name=name, second=second)
    elif choice.margin == 0:
        lead = tr("{name} is next, level with {second} and before it in order.").format(name=name, second=second)
    else:
        lead = tr("{name} is next, {margin} ahead of {second}.").format(
            name=name, margin=margin_text(choice.margin), second=second
        )
    return lead, switch_words(choice, names)


def margin_text(margin: float) -> str:
    """Format a margin with three decimals, a small one with two significant digits."""
    if margin < 1e-6:
        return tr("less than 0.000001")
    return plain(margin, 3) if margin >= 0.0095 else plain(margin, 1 - math.floor(math.log10(margin)))


def switch_words(choice: Choice, names: list[str]) -> str:
    """Return after how many simulations selection takes another move, in words."""
    after, to = choice.switch
    if to < 0:
        return (
            tr("The choice does not change within {after} more simulations here.").format(after=count(after))
            if after
            else ""
        )
    words = tr("If Q stays the same, {names} is chosen after {after} more simulations here.", after)
    return words.format(after=count(after), names=names[to])


def noise_words(settings: SearchSettings | None, view: NodeView) -> str:
    """Return the noise in the priors of this node, in words."""
    if settings is None or settings.noise_epsilon == 0 or view.path:
        return tr("none") if settings is None or settings.noise_epsilon == 0 else tr("none: only the root has it")
    from core.search.root import NOISE_SUM

    alpha = settings.noise_alpha or NOISE_SUM / len(view.actions)
    keep = 1 - settings.noise_epsilon
    return f"P = {keep:g} · P net + {settings.noise_epsilon:g} · Dir({alpha:.3g})"


def prior_words(settings: SearchSettings | None, view: NodeView) -> str:
    """Return what was done to the net's policy at the root beside noise, in words; "" for nothing."""
    if settings is None or view.path:
        return ""
    parts = []
    symmetries = len(view.position.game.symmetries)
    if settings.root_symmetries and symmetries > 1 and not math.isnan(view.value):
        parts.append(tr("mean of the net's answers under {count} symmetries").format(count=symmetries))
    if settings.root_temperature != 1:
        parts.append(f"P ∝ P net^(1 / {settings.root_temperature:g})")
    if merged := sum(map(len, view.same.values())):
        parts.append(
            tr("{moves} stand for their {others} images, with the sum of P").format(moves=len(view.same), others=merged)
        )
    return "; ".join(parts)


def played_words(view: NodeView, settings: SearchSettings | None) -> str:
    """Return the interval of the value of the move that would be played, in words; "" where no bound decides."""
    row = view.best_row
    if settings is None or row is None or row.proof or math.isnan(row.radius):
        return ""
    words = tr("{name}: Q {q} ± {radius}, lower bound {bound}: the highest among moves with {share} of the most visits")
    return words.format(
        name=row.name,
        q=signed(row.q),
        radius=plain(row.radius),
        bound=signed(row.q - row.radius),
        share=percent(settings.lcb_share, 0),
    )


def inflight_words(choice: Choice, names: list[str]) -> str:
    """Return the moves with simulations in flight, in words."""
    under_way = [(int(n), names[i]) for i, n in enumerate(choice.inflight) if n]
    if not under_way:
        return tr("none in flight")
    total = sum(n for n, _ in under_way)
    shown = ", ".join(f"{name} {n}" for n, name in sorted(under_way, reverse=True)[:4])
    return tr("{total} under way: {shown}").format(total=total, shown=shown) + (" …" if len(under_way) > 4 else "")


def entropy(shares: NDArray[np.float64]) -> float:
    """Return the entropy in nats; NaN for a policy of zeros."""
    total = float(shares.sum())
    if not total > 0:
        return math.nan
    return math.fsum(-p * math.log(p) for p in (shares / total).tolist() if p > 0)


def value_words(view: NodeView, who: Speaker) -> tuple[tuple[str, str], ...]:
    """Return the net's and the searched value, each with the player it is for."""
    rows = []
    if not math.isnan(view.value):
        rows.append(("Net V", who.words(signed(who.sign * view.value))))
    if view.visits:
        rows.append(
            (
                "Searched",
                tr("{q} for {mover} · {q_2} for {other}").format(
                    q=signed(who.sign * view.q), mover=who.name, q_2=signed(-who.sign * view.q), other=who.other
                ),
            )
        )
    if view.visits and not math.isnan(view.value):
        gain = who.sign * (view.q - view.value)
        if abs(gain) < 0.0005:
            rows.append(("Difference", tr("none: the search agrees with the net")))
        else:
            better = who.name if gain > 0 or who.fixed else who.other
            words = tr("the search is {gain} higher for {better}")
            if gain < 0 and who.fixed:
                words = tr("the search is {gain} lower for {better}")
            rows.append(("Difference", words.format(gain=plain(abs(gain)), better=better)))
    return tuple(rows) or (("Value", NONE),)
