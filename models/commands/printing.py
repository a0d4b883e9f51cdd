"""A search as text: header and table for the terminal, and the same data for JSON."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from string import ascii_lowercase, digits
from typing import Any, Final

import numpy as np

from core.engine.ownership import Ownership
from core.games import GAMES, ChoiceParameter, GameFamily, IntParameter, OpenParameter, Position, load_game
from core.games.diagram import SYMBOLS
from core.glass.snapshot import OVER, PROOF_NAMES, Counters, MoveRow, Snapshot
from core.glass.worse import THRESHOLD, find_worse
from core.search.rules.table import NAMED, SCORED
from core.search.settings import SearchSettings
from core.text import aligned

SIDES: Final = SYMBOLS[1:]  # players 0 and 1 as the diagrams draw them
SHOWN_UNVISITED: Final = 3  # unvisited moves printed; the others are only counted
PV_PLIES: Final = 8

_ASCII: Final = str.maketrans({"π": "pi", "′": "'", "−": "-"})


def signed(value: float) -> str:
    """A value with its sign, such as ``+0.312``; ``-`` for NaN; no sign where it rounds to zero."""
    if math.isnan(value):
        return "-"
    if not math.isfinite(value):
        return "inf" if value > 0 else "-inf"
    return "0.000" if abs(value) < 0.0005 else f"{value:+.3f}"


def position_lines(position: Position) -> list[str]:
    """The game, the moves played and the board with coordinates; ``parse_diagram`` can read the board."""
    game = position.game
    height, width = game.shape
    moves = " ".join(game.action_name(a) for a in position.moves)
    lines = [f"{game.title} ({game.text}), {f'after {moves}' if moves else 'no move yet'}", ""]
    if game.board.text is not None:
        side = outcome(position) if position.is_over else f"{SIDES[position.to_move]} to move"
        return [*lines, *(f"     {row}" for row in position.diagram().splitlines()), "", side]
    *rows, to_move = position.diagram().splitlines()
    lines += [f"{i + 1 if game.rows_from_top else height - i:>4} {row}" for i, row in enumerate(rows)]
    letters = [name.rstrip(digits) for name in game.action_names[:width]]
    if not game.moves_are_cells or not all(letters):
        letters = list(ascii_lowercase[:width])
    if len(letters) == width and max(map(len, letters)) == 1:
        lines.append(f"     {' '.join(letters)}")
    return [*lines, "", outcome(position) if position.is_over else to_move]


def outcome(position: Position) -> str:
    """The result of a finished game."""
    first, counting = position.returns[0], position.game.counting
    if first and counting is not None and counting.applies(position):
        points = abs(counting.counted(position, ()).margin)
        alive = " if every stone on the board is alive" if counting.marks else ""
        return f"the game is over: {SIDES[0 if first > 0 else 1]} has won by {points:g}{alive}"
    return "the game is over: a draw" if first == 0 else f"the game is over: {SIDES[0 if first > 0 else 1]} has won"


def header_lines(snapshot: Snapshot, settings: SearchSettings, seed: int) -> list[str]:
    """Value, best move, evaluator, rates and tree of a search, a line each."""
    position, c = snapshot.position, snapshot.counters
    game = position.game
    side = SIDES[position.to_move]
    if snapshot.reason == OVER:
        return []
    line = " ".join(game.action_name(a) for a in snapshot.pv[:PV_PLIES])
    best = game.action_name(snapshot.best) if snapshot.best >= 0 else "none"
    return [
        f"value     {signed(snapshot.value)} for {side}, to move" + _proof(snapshot),
        *_lead(snapshot, side),
        f"best      {best}" + (f"   line {line}" if line else ""),
        *_interval(snapshot, settings),
        f"by        {snapshot.evaluator}; {settings.rule.summary(settings)}; seed {seed}",
        *_only(snapshot),
        f"searched  {snapshot.simulations} simulations in {_duration(c.elapsed_s)} "
        f"({snapshot.reason or 'still running'}){_rates(c)}",
        f"tree      {c.nodes} nodes, {c.bytes_used / 2**20:.1f} of {c.bytes_budget / 2**20:.0f} MiB, "
        f"depth {c.depth} (mean {c.mean_depth:.1f})",
    ]


def _lead(snapshot: Snapshot, side: str) -> list[str]:
    """The line with the score lead; none where the net does not tell it."""
    root = snapshot.root
    if math.isnan(root.lead):
        return []
    return [f"lead      {root.lead:+.1f} points for {side}, standard deviation of the score {root.lead_spread:.1f}"]


def _interval(snapshot: Snapshot, settings: SearchSettings) -> list[str]:
    """The line with the interval of the best move's value; none where no lower bound decides."""
    row = snapshot.root.best_row
    if row is None or row.proof or math.isnan(row.radius):
        return []
    return [
        f"interval  {signed(row.q)} ± {row.radius:.3f} ({settings.lcb_z:g} standard errors), lower bound "
        f"{signed(row.q - row.radius)}"
    ]


def table_lines(rows: Sequence[MoveRow], rule: str = "puct", *, every_move: bool = False) -> list[str]:
    """The moves as an aligned table, in the order given (most visits first)."""
    shown = list(rows) if every_move else _worth_showing(rows)
    in_use = {"S": rule == SCORED, "lead": any(not math.isnan(row.lead) for row in rows)}
    others = {name: title.translate(_ASCII) for name, (title, _) in NAMED[rule].columns.items()}
    titles = [title for title in _COLUMNS if in_use.get(title, True)]
    head = [others.get({"U": "u", "Q+U": "score"}.get(title, ""), title) for title in titles]
    cells = [head, *([_COLUMNS[title](row) for title in titles] for row in shown)]
    lines = aligned(cells, [i for i, title in enumerate(titles) if title not in _WORDS])
    hidden = len(rows) - len(shown)
    if hidden:
        lines.append(f"and {hidden} unvisited moves (--every-move prints them)")
    return lines


def report(snapshot: Snapshot, settings: SearchSettings, seed: int, *, every_move: bool = False) -> str:
    """The whole report, as ``plyscope analyze`` prints it."""
    lines = position_lines(snapshot.position)
    header = header_lines(snapshot, settings, seed)
    if header:
        lines += [*header, "", *table_lines(snapshot.moves, snapshot.root.rule, every_move=every_move)]
    return "\n".join(lines)


def report_json(snapshot: Snapshot, settings: SearchSettings, seed: int) -> dict[str, Any]:
    """The same data for JSON; values are for the side to move, null where there is none."""
    position, c = snapshot.position, snapshot.counters
    game = position.game
    names = game.action_name
    best = snapshot.best
    return {
        "game": game.text,
        "position": {
            "moves": [names(a) for a in position.moves],
            "diagram": position.diagram(),
            "to_move": SIDES[position.to_move],
            "is_over": position.is_over,
            "returns": list(position.returns) if position.is_over else None,
        },
        "simulations": snapshot.simulations,
        "value": _number(snapshot.value),
        "value_for": "side to move",
        "lead": _number(snapshot.root.lead),
        "lead_spread": _number(snapshot.root.lead_spread),
        "proof": PROOF_NAMES[snapshot.root.proof],
        "distance": snapshot.root.distance,
        "distance_at_most": snapshot.root.distance_at_most,
        "solved": snapshot.root.solved,
        "discs": snapshot.root.most_discs,
        "best": None if best < 0 else {"action": best, "name": names(best)},
        "pv": [names(a) for a in snapshot.pv],
        "evaluator": snapshot.evaluator,
        "evaluator_note": snapshot.evaluator_note,
        "settings": asdict(settings),
        "seed": seed,
        "stopped_because": snapshot.reason,
        "counters": {name: _number(value) for name, value in asdict(c).items()},
        "simulations_per_s": _number(_per_second(c.simulations, c)),
        "evaluations_per_s": _number(_per_second(c.evaluations, c)),
        "mean_batch": _number(c.evaluations / c.batches if c.batches else math.nan),
        "moves": [_row_json(row) for row in snapshot.moves],
        "worse_moves": _worse_json(snapshot),
        "left_out": {names(a): prior for a, prior in snapshot.root.left_out.items()},
    }


def ownership_lines(ownership: Ownership) -> list[str]:
    """A map of the board in tenths of a point, + for the first player; a dot where neither has a tenth."""
    words = "of this position" if ownership.positions == 1 else f"mean over {ownership.positions} positions"
    tenths = (np.trunc(10 * ownership.points + 0.5 * np.sign(ownership.points))).astype(int).clip(-9, 9)
    game = ownership.position.game
    height = game.shape[0]
    lines = [f"ownership {words}, in tenths: + {SIDES[0]}, - {SIDES[1]}", ""]
    for i, row in enumerate(tenths.tolist()):
        label = i + 1 if game.rows_from_top else height - i
        lines.append(f"{label:>4} {' '.join(f'{tenth:+d}' if tenth else ' .' for tenth in row)}")
    return lines


def ownership_json(ownership: Ownership, of: str) -> dict[str, Any]:
    """The same for JSON: rows from the top, +1 for the first player's points."""
    return {
        "of": of,
        "for": SIDES[0],
        "positions": ownership.positions,
        "points": [[round(point, 6) for point in row] for row in ownership.points.tolist()],
    }


def _worse_json(snapshot: Snapshot) -> dict[str, Any] | None:
    """The policy and the visits on the moves that the search holds to be worse; None before the first visit."""
    worse = find_worse(snapshot.root)
    if worse is None:
        return None
    names = snapshot.position.game.action_name
    return {
        "threshold": THRESHOLD,
        "moves": [names(action) for action in worse.actions],
        "net_prior": _number(worse.prior),
        "share": worse.share,
        "net_prior_unvisited": _number(worse.unknown),
    }


def _row_json(row: MoveRow) -> dict[str, Any]:
    data = {name: _number(value) for name, value in row._asdict().items()}
    data["pv"] = list(row.pv_names)
    data["w"] = _number(row.w)
    del data["pv_names"], data["left_out"]
    return data


def _number(value: Any) -> Any:
    """``value`` with NaN and infinities as None, which JSON lacks."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _only(snapshot: Snapshot) -> list[str]:
    """The line with the moves the search is restricted to; none without a restriction."""
    root, name = snapshot.root, snapshot.position.game.action_name
    if not root.left_out:
        return []
    return [f"only      {', '.join(name(a) for a in snapshot.position.legal_actions() if a not in root.left_out)}"]


def _proof(snapshot: Snapshot) -> str:
    root = snapshot.root
    if not root.proof:
        return ""
    among = " among the moves searched" if root.left_out and PROOF_NAMES[root.proof] != "win" else ""
    how = "solved exactly" if root.solved else "proved"
    most, plies = "at most " if root.distance_at_most else "", "ply" if root.distance == 1 else "plies"
    end = f" in {most}{root.distance} {plies}" if root.distance else ""
    if root.most_discs is not None:
        end = f" by {abs(root.most_discs)} discs" if root.most_discs else ""
    return f" ({how}{among}: {PROOF_NAMES[root.proof]}{end})"


def _rates(c: Counters) -> str:
    text = f", {_per_second(c.simulations, c):.0f} simulations/s"
    if c.batches:
        text += (
            f", {_per_second(c.evaluations, c):.0f} evaluations/s, mean batch {c.evaluations / c.batches:.1f}, "
            f"{c.cache_hits} cache hits, {c.collisions} collisions"
        )
    return text


def _duration(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1.0 else f"{1000.0 * seconds:.2f} ms"


def _per_second(count: int, c: Counters) -> float:
    return count / c.elapsed_s if c.elapsed_s > 0 else math.nan


def _worth_showing(rows: Sequence[MoveRow]) -> list[MoveRow]:
    visited = [row for row in rows if row.visits]
    unvisited = [row for row in rows if not row.visits]
    return visited + (unvisited if len(unvisited) <= SHOWN_UNVISITED + 1 else unvisited[:SHOWN_UNVISITED])


def _proof_cell(row: MoveRow) -> str:
    if row.discs is not None:
        return f"{row.proof} by {abs(row.discs)}" if row.discs else row.proof
    return f"{row.proof} {'<=' if row.distance_at_most else ''}{row.distance}" if row.distance else row.proof


def _share(share: float) -> str:
    return "-" if math.isnan(share) else f"{100 * share:.1f}%"


# The columns of the table of moves: S where a score utility is in use, the lead where the net tells it.
_COLUMNS: Final[Mapping[str, Callable[[MoveRow], str]]] = {
    "move": lambda row: row.title,
    "N": lambda row: str(row.visits),
    "share": lambda row: _share(row.share),
    "P": lambda row: _share(row.prior),
    "Q": lambda row: signed(row.q),
    "S": lambda row: signed(row.s),
    "U": lambda row: "-" if math.isnan(row.u) else f"{row.u:.3f}",
    "Q+U": lambda row: signed(row.score),
    "V": lambda row: signed(row.value),
    "lead": lambda row: "-" if math.isnan(row.lead) else f"{row.lead:+.1f}",
    "proof": _proof_cell,
    "PV": lambda row: " ".join(row.pv_names[:PV_PLIES]),
}
_WORDS: Final = ("move", "proof", "PV")  # aligned on the left, numbers on the right


def game_lines() -> list[str]:
    """The list of games with their parameters and how their moves are written."""
    lines = []
    for family in GAMES.values():
        if family.whole:  # its games are those of a package that may be missing
            (parameter,) = family.parameters
            lines += [
                f"{f'{family.name}({parameter.name})':<34} {family.title}",
                f"    {parameter.name}: {getattr(parameter, 'allowed', '')}",
            ]
            continue
        example = _example(family)
        game = load_game(example)
        lines.append(f"{example:<34} {family.title}; {game.moves_in_words()}")
        lines += [f"    {_parameter(parameter)}" for parameter in family.parameters]
    return lines


def _example(family: GameFamily) -> str:
    """A game of the family as text, with values only for the required parameters."""
    needed = [p for p in family.parameters if p.default is None]
    parameters = ", ".join(f"{p.name}={min(max(4, p.low), p.high)}" for p in needed if isinstance(p, IntParameter))
    return f"{family.name}({parameters})" if parameters else family.name


def _parameter(parameter: IntParameter | ChoiceParameter) -> str:
    if isinstance(parameter, OpenParameter):
        return f"{parameter.name}: {parameter.allowed}; default {parameter.default}"
    if isinstance(parameter, ChoiceParameter):
        return f"{parameter.name}: {', '.join(parameter.choices)} (default {parameter.default})"
    default = "needed" if parameter.default is None else f"default {parameter.default}"
    if parameter.default is not None and parameter.default < parameter.low:
        default = "optional"
    return f"{parameter.name}: {parameter.low} to {parameter.high} ({default})"
