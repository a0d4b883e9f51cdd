"""What players of a rank would play, by the human net, beside the search; and whether they find a line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from core.text import Text, Words
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.figures import NONE, percent, signed
from gui.widgets.labels import make_label
from gui.widgets.sections import FigureGrid, GridRow, Section
from gui.widgets.words import profile_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.engine.postmortem import PostMortem
    from core.games import Position
    from core.glass import NodeView, Snapshot
    from core.glass.findability import Findability
    from gui.context import Context
    from gui.model.shown import PathOf
    from gui.rooms.why.cause import CauseSection
    from gui.widgets.in_sight import SeenWidget

MOST_MOVES: Final = 6
LONGEST: Final = 10  # plies of a line that are judged
HEADS: Final[tuple[Words, ...]] = ("Move", "P human", "P", "Share", "Q")
TIPS: Final[tuple[Words, ...]] = (
    "The likeliest moves of the players that the human net imitates, and ● the move that the search would play.",
    "How likely these players play the move, as the human net claims: one look at the position, no search.",
    "Prior of the net that searches.",
    "Share of the visits.",
    "Mean value of the simulations through the move, for the side that plays it.",
)


class HumanSection(Section):
    """The section with the human net's likeliest moves; hidden where there is no human net."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("What would they play?", parent)
        self.sentence = make_label(self.body, "", wrap=True)
        self.grid = FigureGrid(self.body, "Moves of the players that the human net imitates")
        self.grid.set_heads(HEADS, TIPS)
        self.line = make_label(self.body, "", wrap=True)
        self.claim = make_label(self.body, "dim", wrap=True)
        for widget in (self.sentence, self.grid, self.line, self.claim):
            self.add(widget)
        self.hide()

    def show_profile(self, profile: str) -> None:
        """Show whose moves these are; "" without a human net."""
        self.setVisible(bool(profile))
        if profile:
            self.set_title(Text("What would they play: {players}?", players=profile_words(profile)))

    def show_note(self, note: str) -> None:
        """Show why there is nothing."""
        self.sentence.setText(core_text(note))
        self.set_summary("")
        for widget in (self.grid, self.line, self.claim):
            widget.hide()

    def show_policy(self, position: Position, policy: Mapping[int, float], view: NodeView | None) -> None:
        """Show the likeliest moves of a position; ``view``: its node of the search, None where it has none."""
        name, player = position.game.action_name, kind_of(position.game.name).players[position.to_move]
        rows = {} if view is None else {move: row for row in view.rows for move in (row.action, *row.same)}
        best = -1 if view is None else view.best_action
        likeliest = sorted(policy, key=lambda action: -policy[action])
        shown = likeliest[:MOST_MOVES]
        if best >= 0 and best not in shown:
            shown.append(best)
        lines = []
        for action in shown:
            row = rows.get(action)
            figures = (NONE,) * 3
            if row is not None:
                figures = percent(row.net_prior), percent(row.share), signed(row.q if row.visits else math.nan)
            texts = (name(action), percent(policy.get(action, 0.0)), *figures)
            lines.append(GridRow(action, texts, "●" if action == best else ""))
        self.grid.show_rows(lines)
        words = tr("{player}: {move} is likeliest, with {share}.")
        if best >= 0 and best != likeliest[0]:
            words = tr("{player}: {move} is likeliest, with {share}; the search's move, {best}, has {other}.")
        elif best >= 0:
            words = tr("{player}: {move} is likeliest, with {share}; it is the search's move, too.")
        self.sentence.setText(
            words.format(
                player=player,
                move=name(likeliest[0]),
                share=percent(policy[likeliest[0]]),
                best=name(best) if best >= 0 else "",
                other=percent(policy.get(best, 0.0)),
            )
        )
        self.claim.setText(
            tr("This is the claim of the human net, without search, for the side to move: it may be wrong.")
        )
        self.set_summary(f"{name(likeliest[0])} {percent(policy[likeliest[0]])}")
        for widget in (self.grid, self.claim):
            widget.show()

    def show_line(self, position: Position, line: PathOf, found: Findability | None) -> None:
        """Show how likely a line is found by one of its sides; None: nothing is said of it."""
        self.line.setVisible(found is not None and found.judged > 0)
        if found is None or not found.judged:
            return
        self.line.setText(findability_words(position, line, found))


def findability_words(position: Position, line: PathOf, found: Findability) -> str:
    """Return how likely one side finds a line: its only moves with their P, and the product."""
    names = [position.game.action_name(action) for action in line[: found.judged]]
    player = kind_of(position.game.name).players[found.side]
    if not found.only:
        words = tr("Line {line}: {player} has no only move in it; a move nearly as good stands beside each.")
        return words.format(line=" ".join(names), player=player)
    only = ", ".join(f"{names[move.ply]} {percent(move.chance)}" for move in found.only)
    words = tr("Line {line}: only moves of {player}: {only}. Findability, their product: {chance}.")
    return words.format(line=" ".join(names), player=player, only=only, chance=percent(found.chance))


def judged_line(snapshot: Snapshot, path: PathOf, report: PostMortem | None) -> tuple[PathOf, PathOf, int]:
    """Return where the line to be judged begins, its moves, and the side whose only moves count.

    At the position searched it is the line of a post-mortem, if one is shown, for the side that refutes with it; else
    the principal variation below the node at ``path``, for the side to move there."""
    root = snapshot.position
    if report is not None and not path:
        side = 1 - root.to_move if report.refutes else root.to_move
        return (), report.line[:LONGEST], side
    view = snapshot.node(path)
    if view is None or view.best_index < 0:
        return path, (), root.to_move
    return path, view.pvs[view.best_index][:LONGEST], view.position.to_move


def connect_human(context: Context, room: SeenWidget, section: HumanSection, cause: CauseSection) -> None:
    """Show the human net's moves of the node selected while the room is seen."""
    state, session, human = context.state, context.session, context.human

    def renew(*_: object) -> None:
        profile = "" if session.concealed else human.profile
        section.show_profile(profile)
        position = state.shown.preview
        if not profile or not room.isVisible() or not section.opened or position is None:
            human.want("why", ())
            session.request_nodes((), "why human")
            return
        if position.is_over:
            section.show_note(tr("The game is over here: there is nothing to choose."))
            return
        if human.note:
            section.show_note(human.note)
            return
        snapshot, path = session.snapshot, state.selected
        view = None if snapshot is None else snapshot.node(path)
        start, side = path, position.to_move
        line: PathOf = ()
        if snapshot is not None and snapshot.position == state.position:
            start, line, side = judged_line(snapshot, path, cause.report if cause.examined else None)
        wanted, positions = position, [position]
        for action in line:
            wanted = wanted.play(action)
            positions.append(wanted)
        human.want("why", positions)
        session.request_nodes(tuple(start + line[:ply] for ply in range(1, len(line))), "why human")
        policy = human.policy(position)
        if policy is None:
            section.show_note(Text("the human net is evaluating…"))
            return
        section.show_policy(position, policy, view)
        found = None
        if snapshot is not None and line:
            from core.glass.findability import findability

            found = findability(
                line,
                lambda ply: snapshot.node(start + line[:ply]),
                lambda ply: None if positions[ply].is_over else human.policy(positions[ply]),
                side,
            )
        section.show_line(position, line, found)

    for signal in (
        human.changed,
        session.snapshot_for_text,
        session.concealed_changed,
        state.position_changed,
        state.selection_changed,
        room.in_sight,
        section.toggled,
    ):
        signal.connect(renew)
    renew()
