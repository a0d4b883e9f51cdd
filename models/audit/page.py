"""The report of an audit as one HTML page, by the template ``resources/audit.html``; text from files is escaped."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Final

from core.files.board_svg import HOLES
from core.files.page import content_hash, page_file
from core.files.tree_export import SIDES, signed
from core.games import GameSpec
from models.audit.answers import Audited, Blame, NetAnswer
from models.audit.blame import WORDS, blame_line, shares
from models.audit.neighbours import wrong_neighbours
from models.audit.pictures import Mark, board_svg, calibration_svg, shares_svg, window_svg
from models.audit.results import Audit
from models.audit.shapes import groups_of, is_mistake
from models.audit.summary import PHASES, calibrate, differing, figure_text, figures_of, phase_of, rows_of, split
from models.strength.exams import after

MOST_ROWS: Final = 500
_MOST_GROUPS: Final = 12
_FIRST_MOVES: Final = 3


def report_page(audit: Audit, most: int = MOST_ROWS) -> str:
    """The page; of the positions the ``most`` most serious are listed."""
    of_row = {(blame.number, blame.net): blame for blame in audit.blames}
    done, plan = audit.done, audit.plan
    page = _template()
    script = page.partition("<script>")[2].partition("</script>")[0]
    nets = range(len(plan.nets))
    listed, kinds = serious(audit)[:most], _kinds(audit)
    shown = "all" if len(listed) == len(done) else f"the {len(listed)} most serious"
    solved = sum(audited.exact is not None for audited in done)
    return Template(page).substitute(
        hash=content_hash(script),
        base=page_file("base.css"),
        holes=HOLES,
        title=escape(f"Audit of {' and '.join(net.name for net in plan.nets)}"),
        about=f"{escape(audit.game.title)}: {len(done)} of {len(audit.items)} positions, {escape(plan.source)}. "
        f"{plan.simulations} simulations each. {solved} solved exactly.",
        notes="".join(f'<p class="soft">{escape(note)}</p>' for note in plan.notes),
        summary=_summary(audit),
        phases=_by_phase(audit),
        blame=_blame(audit),
        calibration=_calibration(audit),
        groups="".join(_groups(audit, net) for net in nets),
        shown=f"{shown} of {len(done)}",
        kinds=_choices((letter, name) for letter, (name, those) in kinds.items() if those),
        phase_choices=_choices(enumerate(PHASES)),
        heads=_heads(audit),
        rows="".join(_row(audit, audited, of_row, kinds) for audited in listed),
    )


def serious(audit: Audit) -> list[Audited]:
    """The positions of an audit, the most serious mistakes first: by what the net's first move loses, then by how much
    the search changed the policy."""
    nets = range(len(audit.plan.nets))

    def weight(audited: Audited) -> tuple[float, bool, float]:
        return (
            max(audited.loss(net) for net in nets),
            any(audited.search_wrong(net) for net in nets),
            max(audited.nets[net].kl for net in nets),
        )

    return sorted(audit.done, key=weight, reverse=True)


def _template() -> str:
    return (files("resources") / "audit.html").read_text("utf-8")


def page_style() -> str:
    """The style sheet of the page, which suits other pages with its boards and tables too."""
    style = _template().partition("<style>")[2].partition("</style>")[0]
    return Template(style).substitute(base=page_file("base.css"))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of escaped text; all columns but the first are figures."""
    lines = ["<table><tr>", *(_cell("th", i, text) for i, text in enumerate(head)), "</tr>"]
    for row in rows:
        lines += ["<tr>", *(_cell("td", i, text) for i, text in enumerate(row)), "</tr>\n"]
    return "".join([*lines, "</table>"])


def _cell(tag: str, column: int, text: str) -> str:
    kind = ' class="n"' if column else ""
    return f"<{tag}{kind}>{escape(text)}</{tag}>"


def _summary(audit: Audit) -> str:
    rows = rows_of(audit)
    more = ""
    if len(audit.plan.nets) == 2:
        count = len(differing(audit.done))
        more = f"<p>The two nets prefer different first moves in {count} of {len(audit.done)} positions.</p>"
    return f"{table(('', *(net.name for net in audit.plan.nets)), rows)}{more}"


def _by_phase(audit: Audit) -> str:
    """Tables of each net's figures by phase and, folded, by ply."""
    phases = split(audit.done, lambda audited: phase_of(audit.game, audited.ply))
    plies = split(audit.done, lambda audited: audited.ply)
    out = []
    for net, file in enumerate(audit.plan.nets):
        by_phase = [_part_row(PHASES[phase], some, net) for phase, some in phases.items()]
        by_ply = [_part_row(str(ply), some, net) for ply, some in plies.items()]
        out.append(
            f"<p><b>{escape(file.name)}</b></p>{table(('phase', *_PART_HEAD), by_phase)}"
            f"<details><summary>by ply</summary>{table(('ply', *_PART_HEAD), by_ply)}</details>"
        )
    return "".join(out)


_PART_HEAD: Final = (
    *("positions", "first move", "first three", "mean KL", "net loses", "search loses"),
    *("calibration error", "of the search"),
)


def _part_row(name: str, some: Sequence[Audited], net: int) -> tuple[str, ...]:
    f = figures_of(some, net)
    shares = ((f.agree, f.positions), (f.among_three, f.positions))
    wrong = ((f.net_wrong, f.solved), (f.search_wrong, f.solved))
    return (
        *(name, str(f.positions)),
        *(_percent(*pair) for pair in shares),
        figure_text(f.kl, ".3f"),
        *(_percent(*pair) for pair in wrong),
        *(figure_text(calibrate(some, net, searched).error, ".3f") for searched in (False, True)),
    )


def _blame(audit: Audit) -> str:
    """For each net a bar of what is to blame for the mistakes of its search, and the sentence; "" where none was
    examined."""
    out = []
    for net in range(len(audit.plan.nets)):
        if parts := shares(audit.blames, net):
            sentence = blame_line(audit, net)
            bar = shares_svg([(part.kind, part.words, part.share) for part in parts], sentence)
            legend = "".join(f'<span class="{part.kind}">{escape(WORDS[part.kind])}</span>' for part in parts)
            out.append(f'{bar}<p class="parts">{legend}</p><p>{escape(sentence)}.</p>')
    return f"<h2>What is to blame</h2>{''.join(out)}" if out else ""


def _calibration(audit: Audit) -> str:
    """Charts of all positions and of each phase, for each net."""
    out = []
    phases = split(audit.done, lambda audited: phase_of(audit.game, audited.ply))
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


def _board(game: GameSpec, audited: Audited, net: int, width: int) -> str:
    marks = [Mark(audited.nets[net].best, "search"), Mark(audited.nets[net].first, "net")]
    if audited.exact is not None and audited.exact.worse:
        marks += [Mark(action, "right") for action in audited.exact.moves if action not in audited.exact.worse]
    return board_svg(after(game, audited.item.moves), marks, width)


def _heads(audit: Audit) -> str:
    """The heads of the list's columns; those with a key sort the list."""
    heads = [("position", "number"), ("ply", "ply")]
    for net, file in enumerate(audit.plan.nets):
        name = f"{file.name}: " if len(audit.plan.nets) > 1 else ""
        heads += [(f"{name}net", ""), ("search", "")]
        heads += [(title, f"{key}{net}") for title, key in (("KL", "kl"), ("swing", "swing"), ("loss", "loss"))]
    return "".join(
        f'<th data-key="{key}" tabindex="0">{escape(title)}</th>' if key else f"<th>{escape(title)}</th>"
        for title, key in heads
    )


def _choices(choices: Iterable[tuple[object, str]]) -> str:
    return "".join(f'<option value="{value}">{escape(name)}</option>' for value, name in choices)


def _kinds(audit: Audit) -> dict[str, tuple[str, set[int]]]:
    """What the list can be limited to: by a letter what it is and the numbers of the positions."""
    nets = range(len(audit.plan.nets))

    def those(holds: Callable[[Audited, int], bool]) -> set[int]:
        return {audited.number for audited in audit.done if any(holds(audited, net) for net in nets)}

    wrong = those(lambda audited, net: audited.net_wrong(net) or audited.search_wrong(net))
    near = (wrong_neighbours(audit, net, searched) for net in nets for searched in (False, True))
    return {
        "m": ("mistakes", those(is_mistake)),
        "n": ("net wrong for certain", those(Audited.net_wrong)),
        "s": ("search wrong for certain", those(Audited.search_wrong)),
        "w": ("a win thrown away", {one.number for one in audit.done if one.number in wrong and one.result == 1}),
        "e": ("a draw thrown away", {one.number for one in audit.done if one.number in wrong and one.result == 0}),
        "h": ("neighbours it gets wrong", set().union(*near)),
        "c": ("net and search differ", those(lambda audited, net: not audited.nets[net].agrees)),
        "d": ("the nets differ", {one.number for one in audit.done if len({answer.first for answer in one.nets}) > 1}),
    }


def _row(
    audit: Audit,
    audited: Audited,
    blames: Mapping[tuple[int, int], Blame],
    kinds: Mapping[str, tuple[str, set[int]]],
) -> str:
    game, nets = audit.game, range(len(audit.plan.nets))
    data: dict[str, float | str] = {"number": audited.number, "ply": audited.ply, "phase": phase_of(game, audited.ply)}
    for net in nets:
        figures = {"kl": audited.nets[net].kl, "swing": abs(audited.nets[net].swing), "loss": audited.loss(net)}
        data |= {f"{name}{net}": round(value, 4) if math.isfinite(value) else 0 for name, value in figures.items()}
    data["kind"] = "".join(letter for letter, (_, those) in kinds.items() if audited.number in those)
    attributes = "".join(f' data-{name}="{value}"' for name, value in data.items())
    moves = " ".join(game.action_name(action) for action in audited.item.moves) or "the first position"
    exact = "" if audited.exact is None else f"<br>exactly {_outcome(audited.exact.value)}"
    base = audited.item.base
    of_base = "" if base is None else f"<br>two quiet moves from position {base + 1}"
    cells = [
        f"<td>{_board(game, audited, 0, 132)}</td><td>{audited.number + 1}: "
        f"ply {audited.ply}, {SIDES[audited.ply & 1]} to move{exact}{of_base}"
        f'<br><span class="soft">{escape(moves)}<br>{escape(audited.item.source)}</span></td>'
    ]
    for net in nets:
        answer, blame = audited.nets[net], blames.get((audited.number, net))
        because = "" if blame is None else f'<br><span class="soft">{escape(blame.sentence)}</span>'
        cells.append(
            f"<td>{_net_cell(game, audited, answer)}</td><td>{_search_cell(game, audited, answer)}{because}</td>"
            f'<td class="n">{figure_text(answer.kl, ".2f")}</td><td class="n">{signed(answer.swing, 2)}</td>'
            f'<td class="n">{figure_text(audited.loss(net), ".2f")}</td>'
        )
    return f"<tr{attributes}>{''.join(cells)}</tr>\n"


def _net_cell(game: GameSpec, audited: Audited, answer: NetAnswer) -> str:
    rows = list(zip(answer.actions, answer.priors, strict=True))[:_FIRST_MOVES]
    return _moves(game, audited, rows, f"V {signed(answer.value, 2)}")


def _search_cell(game: GameSpec, audited: Audited, answer: NetAnswer) -> str:
    rows = sorted(zip(answer.actions, answer.policy, strict=True), key=lambda row: (row[0] != answer.best, -row[1]))
    rows = [row for row in rows if row[1] > 0.0 or row[0] == answer.best][:_FIRST_MOVES]
    return _moves(game, audited, rows, f"{signed(answer.searched, 2)}{' proved' if answer.proved else ''}")


def _moves(game: GameSpec, audited: Audited, rows: Sequence[tuple[int, float]], value: str) -> str:
    worse = frozenset[int]() if audited.exact is None else audited.exact.worse
    lines = [
        f'<span class="{"bad" if action in worse else ""}">{escape(game.action_name(action))} {share:.0%}</span>'
        for action, share in rows
    ]
    return "<br>".join([*lines, f'<span class="soft">{value}</span>'])


def _outcome(value: int) -> str:
    return ("lost", "drawn", "won")[value + 1]


def _percent(count: int, of: int) -> str:
    return f"{count / of:.1%}" if of else "-"
