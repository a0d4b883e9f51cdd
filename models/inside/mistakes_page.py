"""The blocks in which a net's mistakes are made as one HTML page, by ``resources/inside.html``; text is escaped."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Final

from core.files.board_svg import HOLES
from models.audit.page import page_style, table
from models.audit.pictures import Mark, board_svg
from models.audit.results import Audit
from models.inside.mistakes import MADE, OVERRULED, ByBlock, Case, Counts
from models.inside.reasons import Reasoned, Reasons

MOST_ROWS: Final = 300
_BAR: Final = 34  # pixels
_STEP: Final = 66
_HEIGHT: Final = 120
_LEAST: Final = 2  # pixels of a bar that is not empty


def mistakes_page(
    net: str, audit: Audit, by_block: ByBlock, reasons: Reasons | None = None, most: int = MOST_ROWS
) -> str:
    """The page of the net called ``net``; of the positions in which the right move is lost or found on the way ``most``
    are listed, the lost ones first, and of the right moves as many, those of the wrongest reasons first."""
    kinds = (MADE, OVERRULED)
    changed = sorted((case for case in by_block.cases if case.own.kind in kinds), key=lambda c: kinds.index(c.own.kind))
    listed = changed[:most]
    solved = sum(case.audited.exact is not None for case in by_block.cases)
    total = len(by_block.cases)
    charts = [("by the net's own heads", by_block.own)]
    if by_block.fitted is not None:
        charts.append(("by the lens", by_block.fitted))
    parts = [
        f"<h2>Right first moves {title}</h2>{_chart(by_block.blocks, counts, total)}{_table(by_block.blocks, counts)}"
        for title, counts in charts
    ]
    return Template((files("resources") / "inside.html").read_text("utf-8")).substitute(
        title=escape(f"Where {net} loses the right move, block by block"),
        style=page_style(),
        holes=HOLES,
        about=f"{escape(audit.game.title)}: {total} positions of the audit ({escape(str(audit.plan.source))}) in "
        f"which a move can be wrong. What is right is known exactly in {solved}; in the others it is the move of the "
        f"search with {escape(by_block.judge)}.",
        sentence=escape(by_block.sentence),
        charts="".join(parts),
        shown=f"{len(listed)} of the {len(changed)} positions in which the right move is lost or found on the way",
        rows="".join(_row(by_block, case) for case in listed),
        reasons="" if reasons is None else _reasons(reasons, most),
    )


def _reasons(reasons: Reasons, most: int) -> str:
    """The part of the page on right moves that may have the wrong reason."""
    head = f"<h2>Right move, wrong reason</h2><p>{escape(reasons.sentence)}</p>"
    if not reasons.cases:
        return head
    listed = reasons.cases[:most]
    return (
        f'{head}<p class="soft">{reasons.looked} of the {reasons.right} positions with a right first move were looked '
        "at. Each is changed by a stone or two, by legal moves. Of two changed positions, one in which the move is "
        "wrong and one in which it is still right, how often is its P lower in the first? One position has few tests: "
        "compare means, and take a single low figure as a hint. The "
        f"{len(listed)} lowest of {len(reasons.cases)}; dashed orange ring: the net's move.</p>"
        "<table><thead><tr><th>position</th><th>moves so far</th><th>move</th><th>right reason</th>"
        "<th>tests in which it is wrong, right</th></tr></thead><tbody>\n"
        f"{''.join(map(_reason_row, listed))}</tbody></table>"
    )


def _reason_row(one: Reasoned) -> str:
    name, reason = one.position.game.action_name, one.reason
    return (
        f"<tr><td>{board_svg(one.position, [Mark(one.move, 'net')])}</td><td>{_moves(one)}</td>"
        f"<td>{escape(name(one.move))}</td><td>{reason.score:.2f}</td><td>{reason.wrong}, {reason.right}</td></tr>\n"
    )


def _moves(one: Reasoned | Case) -> str:
    """The number and the moves of a position."""
    names = " ".join(map(one.position.game.action_name, one.audited.item.moves)) or "the first position"
    return f"{one.audited.number + 1}: {escape(names)}"


def _table(blocks: Sequence[str], counts: Counts) -> str:
    rows = zip(blocks, counts.right, counts.overruled, counts.made, strict=True)
    shown = table(("after", "right", "overruled", "lost"), [(name, *map(str, row)) for name, *row in rows])
    return f"{shown}<p>Never right: {counts.never}.</p>"


def _chart(blocks: Sequence[str], counts: Counts, total: int) -> str:
    """A grey bar for each block, how often it is right, and thin ones for what it overrules and loses."""
    width = _STEP * len(blocks)
    parts = [f'<svg class="k" width="{width}" height="{_HEIGHT + 20}" role="img">']
    for i, name in enumerate(blocks):
        bars = (("right", counts.right[i], 0, _BAR), ("overruled", counts.overruled[i], _BAR, 10))
        for kind, count, left, wide in (*bars, ("made", counts.made[i], _BAR + 10, 10)):
            high = max(_LEAST, round(_HEIGHT * count / total)) if count else 0
            parts.append(
                f'<rect class="{kind}" x="{i * _STEP + left}" y="{_HEIGHT - high}" width="{wide}" height="{high}">'
                f"<title>{escape(name)}: {count} {kind}</title></rect>"
            )
        parts.append(f'<text x="{i * _STEP}" y="{_HEIGHT + 15}">{escape(name)}</text>')
    return "".join([*parts, "</svg>"])


def _row(by_block: ByBlock, case: Case) -> str:
    game, audited = case.position.game, case.audited
    marks = [Mark(audited.nets[0].best, "search"), Mark(case.firsts[-1], "net")]
    if audited.exact is not None:
        marks += [Mark(action, "right") for action in audited.exact.moves if action not in audited.exact.worse]
    fate = "lost" if case.own.kind == MADE else "found"
    steps = [
        f'{escape(name)}: <span class="{"good" if right else "bad"}">{escape(game.action_name(first))}</span>'
        for name, first, right in zip(by_block.blocks, case.firsts, case.own.right, strict=True)
    ]
    return (
        f"<tr><td>{board_svg(case.position, marks)}</td><td>{_moves(case)}</td>"
        f"<td>{fate} in {escape(by_block.blocks[case.own.block])}</td><td>{'<br>'.join(steps)}</td></tr>\n"
    )
