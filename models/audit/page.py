"""The report of an audit as one HTML page.

Self-contained: no fonts, no links, one small script, which a hash in the page's policy names.  All text from files is
escaped.
"""

import base64
import math
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from typing import Final

from core.files.tree_export import SIDES, signed
from core.games import GameSpec
from models.audit.answers import Audited, NetAnswer
from models.audit.board_svg import DEFINITIONS, Mark, board_svg, window_svg
from models.audit.board_svg import STYLE as BOARDS
from models.audit.calibration_svg import STYLE as CHART
from models.audit.calibration_svg import calibration_svg
from models.audit.page_script import SCRIPT
from models.audit.results import Audit
from models.audit.shapes import groups_of, is_mistake
from models.audit.summary import PHASES, ROWS, calibrate, differing, figures_of, phase_of, split
from models.strength.exams import after

MOST_ROWS: Final = 500
_MOST_GROUPS: Final = 12
_FIRST_MOVES: Final = 3

_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1d2329;--soft:#5d6873;--line:#d8dde2;--ground:#fff;--main:#1f63a8;--raised:#f4f6f8;
--board:#e9dcc0;--grid:#9d8f70;--hole:#f6f7f8;--body:#4a6d9e;--bad:#b3401a}
@media(prefers-color-scheme:dark){:root{--ink:#e3e7ea;--soft:#9aa5af;--line:#3a424a;--ground:#171b1f;--main:#7bb8f4;
--raised:#20262b;--board:#8f8061;--grid:#5d5340;--hole:#1b222a;--body:#34558a;--bad:#f0925f}}
body{margin:1.5rem auto;max-width:76rem;padding:0 1rem;background:var(--ground);color:var(--ink);
font:14px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
h1{font-size:1.4rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}p{margin:.25rem 0 .75rem;max-width:52rem}
.soft{color:var(--soft)}.bad{color:var(--bad);font-weight:600}
table{border-collapse:collapse}th,td{text-align:left;padding:.25rem .9rem .25rem 0;vertical-align:top}
th{font-weight:600;color:var(--soft);border-bottom:1px solid var(--line);white-space:nowrap}
td{border-bottom:1px solid var(--line)}.n{text-align:right}
.charts,.groups{display:flex;flex-wrap:wrap;gap:1.25rem}
.groups>div{background:var(--raised);border:1px solid var(--line);border-radius:6px;padding:.6rem .8rem;width:11.5rem}
.filters{display:flex;flex-wrap:wrap;gap:1rem;margin:.5rem 0;align-items:center}
select,input{font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);border-radius:4px;
padding:.15rem .3rem}input{width:5rem}
#list th[data-key]{cursor:pointer}#list th[aria-sort]::after{content:" \\2193"}
#list th[aria-sort=ascending]::after{content:" \\2191"}
#list thead th{position:sticky;top:0;background:var(--ground)}
.b.net{stroke:none}
"""


def report_page(audit: Audit, most: int = MOST_ROWS) -> str:
    """The page; of the positions the ``most`` most serious are listed."""
    done, plan = audit.done, audit.plan
    title = escape(f"Audit of {' and '.join(net.name for net in plan.nets)}")
    token = base64.b64encode(sha256(SCRIPT.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{token}'"
    listed = serious(audit)[:most]
    return "".join(
        [
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title><style>{_STYLE}{BOARDS}{CHART}</style></head>\n<body>{DEFINITIONS}<h1>{title}</h1>",
            f'<p class="soft">{escape(audit.game.title)}: {len(done)} of {len(audit.items)} positions, '
            f"{escape(plan.source)}. {plan.simulations} simulations each. "
            f"{sum(one.exact is not None for one in done)} solved exactly.</p>",
            *(f'<p class="soft">{escape(note)}</p>' for note in plan.notes),
            _summary(audit),
            _by_phase(audit),
            _calibration(audit),
            *(_groups(audit, net) for net in range(len(plan.nets))),
            _list(audit, listed),
            f"\n<script>{SCRIPT}</script></body></html>\n",
        ]
    )


def serious(audit: Audit) -> list[Audited]:
    """The positions of an audit, the most serious mistakes first: by what the net's first move loses, then by how much
    the search changed the policy."""
    nets = range(len(audit.plan.nets))

    def weight(one: Audited) -> tuple[float, bool, float]:
        return (
            max(one.loss(net) for net in nets),
            any(one.search_wrong(net) for net in nets),
            max(one.nets[net].kl for net in nets),
        )

    return sorted(audit.done, key=weight, reverse=True)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of escaped text; all columns but the first are figures."""
    lines = ["<table><tr>", *(_cell("th", i, one) for i, one in enumerate(head)), "</tr>"]
    for row in rows:
        lines += ["<tr>", *(_cell("td", i, one) for i, one in enumerate(row)), "</tr>\n"]
    return "".join([*lines, "</table>"])


def _cell(tag: str, column: int, text: str) -> str:
    kind = ' class="n"' if column else ""
    return f"<{tag}{kind}>{escape(text)}</{tag}>"


def _summary(audit: Audit) -> str:
    figures = [figures_of(audit.done, net) for net in range(len(audit.plan.nets))]
    rows = [(title, *(cell(one) for one in figures)) for title, cell in ROWS]
    more = ""
    if len(figures) == 2:
        count = len(differing(audit.done))
        more = f"<p>The two nets prefer different first moves in {count} of {len(audit.done)} positions.</p>"
    return f"<h2>Summary</h2>{_table(('', *(net.name for net in audit.plan.nets)), rows)}{more}"


def _by_phase(audit: Audit) -> str:
    """Tables of each net's figures by phase and, folded, by ply."""
    phases = split(audit.done, lambda one: phase_of(audit.game, one.ply))
    plies = split(audit.done, lambda one: one.ply)
    out = [
        '<h2>By phase</h2><p class="soft">Thirds of as many moves as the board has cells. Calibration error: mean '
        "distance of predicted value and result, weighted by positions; the charts show the intervals.</p>"
    ]
    for net, file in enumerate(audit.plan.nets):
        by_phase = [_part_row(PHASES[phase], some, net) for phase, some in phases.items()]
        by_ply = [_part_row(str(ply), some, net) for ply, some in plies.items()]
        out.append(
            f"<p><b>{escape(file.name)}</b></p>{_table(('phase', *_PART_HEAD), by_phase)}"
            f"<details><summary>by ply</summary>{_table(('ply', *_PART_HEAD), by_ply)}</details>"
        )
    return "".join(out)


_PART_HEAD: Final = (
    *("positions", "first move", "first three", "mean KL", "net loses", "search loses"),
    *("calibration error", "of the search"),
)


def _part_row(name: str, some: Sequence[Audited], net: int) -> tuple[str, ...]:
    f = figures_of(some, net)
    shares = ((f.agree, f.positions), (f.among_three, f.positions))
    wrong = ((f.net_wrong, f.known), (f.search_wrong, f.known))
    return (
        *(name, str(f.positions)),
        *(_percent(*pair) for pair in shares),
        _figure(f.kl, ".3f"),
        *(_percent(*pair) for pair in wrong),
        *(_figure(calibrate(some, net, searched).error, ".3f") for searched in (False, True)),
    )


def _calibration(audit: Audit) -> str:
    """Charts of all positions and of each phase, for each net."""
    out = [
        '<h2>Calibration of the value</h2><p class="soft">Predicted value across, mean result up, both for the side to '
        "move; the bars are 95 % intervals. On the diagonal a value means what it says. Results are exact where a "
        "position was solved, else those of the game it is from.</p>"
    ]
    phases = split(audit.done, lambda one: phase_of(audit.game, one.ply))
    for net, file in enumerate(audit.plan.nets):
        charts = [
            calibration_svg(calibrate(audit.done, net), calibrate(audit.done, net, searched=True), "all positions")
        ]
        if len(phases) > 1:
            for phase, some in phases.items():
                both = calibrate(some, net), calibrate(some, net, searched=True)
                charts.append(calibration_svg(*both, PHASES[phase]))
        if any(charts):
            out.append(f'<p><b>{escape(file.name)}</b></p><div class="charts">{"".join(charts)}</div>')
        else:
            out.append(f"<p><b>{escape(file.name)}</b>: no position has a known result.</p>")
    return "".join(out)


def _groups(audit: Audit, net: int) -> str:
    groups = groups_of(audit.game, audit.done, net)
    name = escape(audit.plan.nets[net].name)
    if not groups:
        return f"<h2>Mistakes of {name} by shape</h2><p>None.</p>"
    words = (
        "how many stones it lines up in a row that can be completed, and how many of the opponent's it stops"
        if audit.game.lines is not None
        else "the 3 × 3 cells around it, up to rotation and reflection; the side to move is black"
        if audit.game.moves_are_cells
        else "its name"
    )
    cards = []
    for group in groups[:_MOST_GROUPS]:
        worst = group.members[0]
        picture = window_svg(group.shape.window) if group.shape.window else _board(audit.game, worst, net, 110)
        title = f"<b>{escape(group.shape.words)}</b><br>" if group.shape.words else ""
        count = len(group.members)
        cards.append(
            f"<div>{title}{picture}{count} {'mistake' if count == 1 else 'mistakes'}, mean loss {group.loss:.2f}"
            f'<br><span class="soft">worst: position {worst.number + 1}</span></div>'
        )
    rest = sum(len(group.members) for group in groups[_MOST_GROUPS:])
    more = f'<p class="soft">Of other shapes: {rest}.</p>' if rest else ""
    return (
        f'<h2>Mistakes of {name} by shape</h2><p class="soft">A mistake is grouped by the move that was overlooked: '
        f'{words}.</p><div class="groups">{"".join(cards)}</div>{more}'
    )


def _board(game: GameSpec, one: Audited, net: int, width: int) -> str:
    marks = [Mark(one.nets[net].best, "search"), Mark(one.nets[net].first, "net")]
    if one.exact is not None and one.exact.worse:
        marks += [Mark(action, "right") for action in one.exact.moves if action not in one.exact.worse]
    return board_svg(after(game, one.item.moves), marks, width)


def _list(audit: Audit, listed: Sequence[Audited]) -> str:
    several = len(audit.plan.nets) > 1
    head = [("position", "number"), ("", "ply")]
    for file in audit.plan.nets:
        name = f"{file.name}: " if several else ""
        head += [(f"{name}net", ""), ("search", ""), ("KL", "kl"), ("swing", "swing"), ("loss", "loss")]
    shown = "all" if len(listed) == len(audit.done) else f"the {len(listed)} most serious"
    out = [
        f'<h2>Positions</h2><p class="soft">{shown} of {len(audit.done)}. Dashed orange ring: the net\'s first move; '
        "blue ring: the search's; green dots: the moves that keep the exact value, where another loses something. "
        "Values are for the side to move. KL: how much the search changed the policy, in nats. Swing: what it added to "
        "the value. Loss: what the net's first move loses, exactly where the position is solved, else by the search's "
        "values.</p>",
        '<div class="filters"><label>show <select id="kind"><option value="">all</option>'
        '<option value="m">mistakes</option><option value="n">net wrong for certain</option>'
        '<option value="s">search wrong for certain</option><option value="c">net and search differ</option>'
        + ('<option value="d">the nets differ</option>' if several else "")
        + '</select></label><label>phase <select id="phase"><option value="">any</option>'
        + "".join(f'<option value="{i}">{escape(name)}</option>' for i, name in enumerate(PHASES))
        + '</select></label><label>loss at least <input id="least" inputmode="decimal"></label>'
        '<span id="count" class="soft"></span></div>\n<table id="list"><thead><tr>',
    ]
    for i, (title, key) in enumerate(head):
        place = f' data-key="{key}{(i - 2) // 5 if i > 1 else ""}" tabindex="0"' if key else ""
        out.append(f"<th{place}>{escape(title or 'ply')}</th>")
    out.append("</tr></thead><tbody>\n")
    out += [_row(audit, one) for one in listed]
    return "".join([*out, "</tbody></table>"])


def _row(audit: Audit, one: Audited) -> str:
    game, nets = audit.game, range(len(audit.plan.nets))
    data: dict[str, float | str] = {"number": one.number, "ply": one.ply, "phase": phase_of(game, one.ply)}
    for net in nets:
        figures = {"kl": one.nets[net].kl, "swing": abs(one.nets[net].swing), "loss": one.loss(net)}
        data |= {f"{name}{net}": round(value, 4) if math.isfinite(value) else 0 for name, value in figures.items()}
    kinds = {
        "m": any(is_mistake(one, net) for net in nets),
        "n": any(one.net_wrong(net) for net in nets),
        "s": any(one.search_wrong(net) for net in nets),
        "c": any(not one.nets[net].agrees for net in nets),
        "d": len(one.nets) == 2 and one.nets[0].first != one.nets[1].first,
    }
    data["kind"] = "".join(kind for kind, holds in kinds.items() if holds)
    attributes = "".join(f' data-{name}="{value}"' for name, value in data.items())
    moves = " ".join(game.action_name(action) for action in one.item.moves) or "the first position"
    exact = "" if one.exact is None else f"<br>exactly {_outcome(one.exact.value)}"
    cells = [
        f"<td>{_board(game, one, 0, 132)}</td><td>{one.number + 1}: ply {one.ply}, {SIDES[one.ply & 1]} to move{exact}"
        f'<br><span class="soft">{escape(moves)}<br>{escape(one.item.source)}</span></td>'
    ]
    for net in nets:
        answer = one.nets[net]
        cells.append(
            f"<td>{_net_cell(game, one, answer)}</td><td>{_search_cell(game, one, answer)}</td>"
            f'<td class="n">{_figure(answer.kl, ".2f")}</td><td class="n">{signed(answer.swing, 2)}</td>'
            f'<td class="n">{_figure(one.loss(net), ".2f")}</td>'
        )
    return f"<tr{attributes}>{''.join(cells)}</tr>\n"


def _net_cell(game: GameSpec, one: Audited, answer: NetAnswer) -> str:
    rows = list(zip(answer.actions, answer.priors, strict=True))[:_FIRST_MOVES]
    return _moves(game, one, rows, f"V {signed(answer.value, 2)}")


def _search_cell(game: GameSpec, one: Audited, answer: NetAnswer) -> str:
    rows = sorted(zip(answer.actions, answer.policy, strict=True), key=lambda row: (row[0] != answer.best, -row[1]))
    rows = [row for row in rows if row[1] > 0.0 or row[0] == answer.best][:_FIRST_MOVES]
    return _moves(game, one, rows, f"{signed(answer.searched, 2)}{' proved' if answer.proved else ''}")


def _moves(game: GameSpec, one: Audited, rows: Sequence[tuple[int, float]], value: str) -> str:
    worse = frozenset[int]() if one.exact is None else one.exact.worse
    lines = [
        f'<span class="{"bad" if action in worse else ""}">{escape(game.action_name(action))} {share:.0%}</span>'
        for action, share in rows
    ]
    return "<br>".join([*lines, f'<span class="soft">{value}</span>'])


def _outcome(value: int) -> str:
    return ("lost", "drawn", "won")[value + 1]


def _percent(count: int, of: int) -> str:
    return f"{count / of:.1%}" if of else "-"


def _figure(value: float, form: str) -> str:
    return format(value, form) if math.isfinite(value) else "-"
