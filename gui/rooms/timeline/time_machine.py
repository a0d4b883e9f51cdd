"""Shows earlier simulations of the search, one at a time or playing, while the search goes on.

Requests a moment from the session, passes it to the views when it arrives, and highlights its simulation on board and
tree.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QObject, Signal

from gui.language.language import begun, stopped, tr
from gui.model.session import CONCEALED
from gui.model.timers import make_timer
from gui.rooms.timeline.playout_words import verdict_words
from gui.rooms.timeline.prediction import Prediction
from gui.widgets.board.playout_paint import (
    BACKUP,
    EVALUATION,
    SELECTION,
    Guess,
    Highlight,
    Simulation,
    Stone,
    stage_color,
    stones,
)
from gui.widgets.figures import count, plain, signed
from gui.widgets.texts import on_language
from gui.widgets.theme import current_theme, on_theme

if TYPE_CHECKING:
    from core.engine.look_back import Past, Playout
    from core.games import Position
    from core.glass import Snapshot
    from gui.context import Context
    from gui.model.state import PathOf
    from gui.widgets.board.board import BoardView
    from gui.widgets.tables.tree_view import TreeView

FRAME_MS: Final = 16  # held keys are summed and applied once per frame
TEXT_MS: Final = 250
SPEEDS: Final = (0.25, 0.5, 1, 2, 5, 10, 25, 50, 100, 200)  # simulations per second, if they have few stones
STAGED: Final = 2  # up to this speed a simulation is shown stage by stage
# At the speed 1, for each stage: seconds for a move of the path, a stone of the random game, a node of the backup; the
# most for all of them; seconds after the last one.
PART_S: Final = (0.32, 0.0, 0.06, 0.32)
ALL_S: Final = (2.4, 0.0, 1.5, 2.4)
HOLD_S: Final = (0.3, 0.5, 0.6, 0.6)
ANSWER_S: Final = (4.0, 1.2)  # instead, after the move that was guessed wrong or right
FALL_S: Final = 0.22  # a disc falls into its place
MOMENT_MS: Final = 60  # between two moments played: all numbers change with each


def speed_title(speed: float) -> str:
    """Return a speed in words: "½×" of stages, "10/s" of whole simulations."""
    return {0.25: "¼×", 0.5: "½×"}.get(speed, f"{speed}×") if speed <= STAGED else f"{speed}/s"


class TimeMachine(QObject):
    """The moment shown: ``at`` is the simulation requested, None for the present; ``past`` what arrived for it."""

    moment_changed = Signal()  # another moment is shown, or the present again
    stage_changed = Signal()  # another stage of its simulation is shown
    controls_changed = Signal()  # target, playing, speed or following changed
    highlighted = Signal(object)  # Simulation, None for none
    count_changed = Signal()  # the number of simulations grew (four times a second), or another moment is shown

    def __init__(self, context: Context, board: BoardView, tree: TreeView) -> None:
        super().__init__(context.window)
        self._context, self._board, self._tree = context, board, tree
        self.at: int | None = None
        self.past: Past | None = None
        self.playing = False
        self.speed: float = 1
        self.following = True
        self.stage = BACKUP  # the stage of the simulation that is shown
        self.part = 0  # moves of the path, stones of the random game or nodes of the backup shown in this stage
        self.fall = 1.0  # how far the last move shown of the path has fallen into its place
        self.single = False  # playing ends with this simulation
        self._steps = 0
        self._due = 0.0
        self._opened: list[PathOf] = []  # nodes of the tree opened by following
        self._opened_below: PathOf = ()  # the moves to the tree's root when they were opened
        self._drawn: tuple[Playout, tuple[Stone, ...], tuple[Stone, ...]] | None = None  # with its moves' cells
        self._from_start = False  # the moment that arrives next is shown from its selection on, played or not
        self._awaited = 0  # a simulation that is being made, to be played; 0 for none
        self.prediction = Prediction()
        board.guessed.connect(self.guess)
        self._frames = make_timer(self, FRAME_MS, self._apply_steps, once=True)
        self._polls = make_timer(self, FRAME_MS, self._poll)
        self._texts = make_timer(self, TEXT_MS, self.count_changed)
        self._plays = make_timer(self, FRAME_MS, self._play_on)
        self._clock = QElapsedTimer()
        context.state.position_changed.connect(self._forget)
        context.state.search_changed.connect(self._forget)
        context.session.concealed_changed.connect(self._forget)
        context.state.selection_changed.connect(lambda path: self.highlight())
        context.session.failed.connect(lambda sentence: self._forget())
        context.session.snapshot_for_text.connect(self._take_snapshot)
        context.events.closing.connect(self.stop)
        on_theme(tree, self.highlight)
        on_language(tree, self.count_changed.emit)

    # state

    @property
    def looking_back(self) -> bool:
        """Whether an earlier moment is shown or requested."""
        return self.at is not None

    @property
    def now(self) -> int:
        """The number of simulations of the search by now."""
        present = self._context.session.present
        return present.simulations if present is not None else 0

    @property
    def place(self) -> int:
        """The number of the simulation requested; in the present, of the last one."""
        return self.now if self.at is None else self.at

    @property
    def searching(self) -> bool:
        """Whether the search goes on meanwhile."""
        return self._context.session.searching

    @property
    def why_none(self) -> str:
        """The reason why no earlier simulation is shown, in words."""
        if self._context.session.concealed:
            return begun(stopped(tr(CONCEALED)))
        if self._context.session.away:
            return tr("The search is locked on another position; go there to look back.")
        if self._context.session.searching:
            return tr("No simulation to look at yet: the search has only begun.")
        return tr("No simulation to look at yet: Space starts a search.")

    @property
    def shown(self) -> Snapshot | None:
        """The tree shown: before the simulation up to its evaluation, once that is there, with it from the backup on;
        None in the present."""
        if self.past is None:
            return None
        if self.stage == BACKUP:
            return self.prediction.hidden(self.past.snapshot) if self.prediction.on else self.past.snapshot
        return self.past.before or self.past.snapshot

    @property
    def playout(self) -> Playout | None:
        """The simulation that led to the moment shown."""
        return self.past.playout if self.past is not None else None

    @property
    def parts(self) -> int:
        """How many parts the stage shown has, see ``part``."""
        return self._parts_of(self.stage)

    def _parts_of(self, stage: int) -> int:
        playout = self.playout
        if playout is None:
            return 0
        return (len(playout.path), 0, len(playout.game), len(playout.backed))[stage]

    @property
    def whole(self) -> bool:
        """Whether all of the simulation is shown."""
        return self.stage == BACKUP and self.part == self.parts

    @property
    def root(self) -> Position | None:
        return self.past.snapshot.position if self.past is not None else None

    @property
    def words(self) -> str:
        """The moment shown in words: "Simulation 8 341 of 12 345"; "" in the present."""
        if self.past is None:
            return ""
        return tr("Simulation {place} of {now}").format(place=count(self.past.simulation), now=count(self.now))

    # navigation

    def step(self, simulations: int) -> None:
        """Step forward or back; held keys are summed and applied once per frame."""
        self._steps += simulations
        if not self._frames.isActive():
            self._frames.start()

    def _apply_steps(self) -> None:
        steps, self._steps = self._steps, 0
        if steps > 0 and self.at is None:
            return  # there is nothing after the present
        self.go(self.place + steps)

    def go(self, simulation: int) -> None:
        """Show the moment after this many simulations."""
        now = self.now
        if not now:
            self._context.messages.show_notice(lambda: self.why_none)
            return
        simulation = max(0, min(now, simulation))
        if simulation == self.at:
            return
        self.at = simulation
        self._ask(self._begins)
        self._polls.start()
        self._texts.start()
        self.controls_changed.emit()

    def _ask(self, before: bool) -> None:
        """Ask for the moment; ``before``: and for the one before it, which the stages up to the backup show."""
        self._context.session.look_back(self.at, before)

    @property
    def _begins(self) -> bool:
        """Whether the moment that arrives next is shown from its selection on."""
        return self._from_start or self.by_stages

    def rewind(self) -> None:
        """Go to the moment before the first simulation."""
        self.go(0)

    def to_now(self) -> bool:
        """Return to the present and end guessing; False if it is already shown."""
        if not self.looking_back and not self.prediction.on and not self._awaited:
            return False
        self._forget()
        return True

    def _forget(self) -> None:
        self._awaited = 0
        self._switch_prediction(False)
        self._leave_past()

    def _leave_past(self) -> None:
        if not self.looking_back:
            return
        self.at = self.past = None
        self._steps = 0
        for timer in (self._frames, self._polls, self._texts):
            timer.stop()
        self.pause()
        self._context.session.look_back(None)
        self._follow(())
        self.highlight()
        self.count_changed.emit()
        self.controls_changed.emit()
        self.moment_changed.emit()

    def _take_snapshot(self, snapshot: object) -> None:
        self._play_awaited()
        self.count_changed.emit()

    def _play_awaited(self) -> None:
        """Play the simulation that was waited for, once it is there."""
        if self._awaited and self.now >= self._awaited:
            awaited, self._awaited = self._awaited, 0
            self.go(awaited)
            self._play(single=True)

    def stop(self) -> None:
        """Stop all timers."""
        for timer in (self._frames, self._polls, self._texts, self._plays):
            timer.stop()

    # playing

    def toggle_play(self) -> None:
        """Play from here (from the first simulation when in the present), or pause."""
        if self.playing:
            self.pause()
        elif not self.now:
            self.go(0)
        else:
            if self.at is None or (self.at >= self.now and self.whole):
                self.go(0)
            self._play()

    def play_on_board(self) -> None:
        """Play the simulation looked at stage by stage, from the present the last one; if it was seen whole, the next.

        After the last one, and where there is none yet, another is made.  Pauses one that is being played.
        """
        session = self._context.session
        if self.playing:
            self.pause()
        elif session.away or session.concealed or session.analysis is None:
            self._context.messages.show_notice(lambda: self.why_none)
        elif self.at is None and self.now:
            self.go(self.now)
            self._play(single=True)
        elif self.at is not None and self.at and not self.whole:
            self._play(single=True)
        elif self.place < self.now:
            self.go(self.place + 1)
            self._play(single=True)
        elif self.searching:
            self._awaited = self.place + 1
        else:
            self._make_simulation()

    def _make_simulation(self) -> None:
        """Make one more simulation, to be played when it is there; play the last one again where there can be none."""
        from core.glass.snapshot import OVER, PROVED
        from core.search import Limit

        present = self._context.session.present
        if present is not None and present.reason in (PROVED, OVER):
            self.show_stage(SELECTION, 0)
            self._play(single=True)
            return
        simulations = self.now + 1
        self._leave_past()
        self._context.session.search_to(Limit(simulations=simulations))
        self._awaited = simulations

    def step_part(self) -> None:
        """Pause, and show the next part of the simulation: a move, a stone, a node, a stage; after it the next one."""
        if self.past is None:
            self.go(self.now)
            self._from_start = True
            return
        self.pause()
        if self.part < self.parts:
            self.show_stage(self.stage, self.part + 1)
        elif self.stage < BACKUP:
            self.show_stage(self.stage + 1, 0)
        elif self.at is not None and self.at < self.now:
            self.step(1)
            self._from_start = True

    def _play(self, single: bool = False) -> None:
        single = single or self.prediction.on
        self.playing, self.single = True, single
        if single:
            self._context.state.select(())  # the board shows where the simulation begins
        if single and self.speed > STAGED:
            self.speed = 1
        if single and self.past is not None and self.past.simulation == self.at and self.whole:
            self.show_stage(SELECTION, 0)
        self._due = 0.0
        self._clock.start()
        self._plays.start()
        self.controls_changed.emit()

    def pause(self) -> None:
        """Pause where the simulation is."""
        if self.playing:
            self.playing = False
            self._plays.stop()
            self.fall = 1.0
            self._show_on_board()
            self.controls_changed.emit()

    def set_speed(self, speed: float) -> None:
        """Set the number of simulations per second, one of ``SPEEDS``."""
        if speed not in SPEEDS:
            raise ValueError(f"speed is {speed!r}; it must be one of {', '.join(map(str, SPEEDS))}")
        self.speed = speed
        self._due = 0.0
        self.controls_changed.emit()

    def set_following(self, following: bool) -> None:
        """Set whether the simulation is highlighted on board and tree."""
        self.following = following
        self._follow(self.playout.path if self.playout is not None else ())
        self.highlight()
        self.controls_changed.emit()

    @property
    def by_stages(self) -> bool:
        return self.playing and self.speed <= STAGED

    def _play_on(self) -> None:
        """Advance by the time since the last frame, but not before the last moment requested has arrived."""
        seconds = self._clock.restart() / 1000
        if self.past is None or self.past.simulation != self.at:
            return
        self._due += seconds * self.speed
        if self.by_stages:
            self._play_stage()
        elif self._due >= max(1.0, self.speed * MOMENT_MS / 1000):
            steps, self._due = int(self._due), self._due % 1
            self._play_steps(steps)

    def _play_stage(self) -> None:
        """Show the next part of the stage once it is due, after the last one the next stage."""
        is_unfinished, parts = self.part < self.parts, self.parts
        wait = min(PART_S[self.stage], ALL_S[self.stage] / max(1, parts)) if is_unfinished else HOLD_S[self.stage]
        if self.answering and self.part:
            wait = ANSWER_S[self.prediction.was_right]
        if self._due < wait:
            if self.stage == SELECTION and self.fall < 1:
                self.fall = min(1.0, self._due / FALL_S)
                self._show_on_board()
            return
        self._due -= wait
        if is_unfinished:
            self.fall = 0.0 if self.stage == SELECTION else 1.0
            self.show_stage(self.stage, self.part + 1)
        elif self.stage < BACKUP:
            self.show_stage(self.stage + 1, 0)
        elif self.single:
            self.pause()
        else:
            self._play_steps(1)

    def _play_steps(self, steps: int) -> None:
        if self.at is None or self.at >= self.now:
            self.pause()
        else:
            self.go(self.at + steps)

    def show_stage(self, stage: int, part: int | None = None) -> None:
        """Show the simulation up to a stage, with this many parts of it, None for all."""
        self.stage = stage
        self.part = self.parts if part is None else part
        self._show_tree()
        self.highlight()
        self.stage_changed.emit()

    def choose_stage(self, stage: int) -> None:
        """Pause, and show the simulation up to this stage."""
        self.pause()
        self.show_stage(stage)

    # guessing

    def toggle_prediction(self) -> None:
        """Let the person guess the move of each simulation before it is shown, from the moment looked at; or end it."""
        if self.prediction.on:
            self._switch_prediction(False)
        elif not self.now:
            self._context.messages.show_notice(lambda: self.why_none)
        else:
            self._switch_prediction(True)
            self._context.state.select(())
            if self.at is None:
                self.go(self.now)
            elif self.past is not None:
                self.choose_stage(BACKUP)
        self._context.actions["predict"].setChecked(self.prediction.on)

    def _switch_prediction(self, on: bool) -> None:
        if on != self.prediction.on:
            self._awaited = 0
            self.prediction.switch(on)
            self._context.truth.withhold("prediction", on)
            self._context.actions["predict"].setChecked(on)
            self._board.set_guessing(on)
            self._show_tree()
            self.controls_changed.emit()

    @property
    def asking(self) -> bool:
        """Whether a guess is waited for: of the simulation after the one looked at."""
        return self.prediction.on and not self.playing and self.whole and self._next_move >= 0 and not self._awaited

    @property
    def _next_move(self) -> int:
        return self.past.snapshot.root.next_action if self.past is not None else -1

    @property
    def answering(self) -> bool:
        """Whether the first move of the simulation that was guessed is shown, or waited for."""
        past = self.past.simulation if self.past is not None else 0
        shown = past == self.prediction.number and self.stage == SELECTION and self.part <= 1
        return self.prediction.number > 0 and (shown or self._awaited > 0)

    def guess(self, action: int) -> None:
        """Take a guess, and play the simulation; while one is played go on to the next guess."""
        if self._context.state.selected:
            self._context.state.select(())
        elif self.asking and self.past is not None:
            self.prediction.judge(self.past.simulation + 1, self.past.snapshot.root, action)
            self.play_on_board()
        elif self.past is not None:
            self.choose_stage(BACKUP)

    # results

    def _poll(self) -> None:
        self._play_awaited()
        past = self._context.session.past()
        if past is None or past is self.past:
            return
        first = self.past is None
        another = self.past is None or past.simulation != self.past.simulation
        if another and self._begins and past.before is None and past.playout is not None:
            self._ask(True)
            return
        self.past = past
        if another:
            self.stage = SELECTION if self._begins else BACKUP
            self.part = 0 if self.stage == SELECTION else self.parts
            self._due, self._from_start = 0.0, False
        self._show_tree()
        if another and not (self.playing and self.speed > STAGED):
            self._follow(past.playout.path if past.playout is not None else ())
        if first:
            self.count_changed.emit()
        self.highlight()
        self.moment_changed.emit()

    def _show_tree(self) -> None:
        """Show the tree as it is at the present stage in all views, or ask for it."""
        if self.stage != BACKUP and self.past is not None and self.past.before is None:
            self._ask(True)
        if self.shown is not None and self.shown is not self._context.session.snapshot:
            self._context.session.show_earlier(self.shown)

    def _follow(self, path: PathOf) -> None:
        """Open the tree along a path, and close what was opened for the previous one."""
        tree = self._tree
        paths = [path[:i] for i in range(1, len(path))] if self.following else []
        for old in reversed([old for old in self._opened if old not in paths]):
            self._opened.remove(old)
            tree.close_path(old, self._opened_below)
        self._opened_below = tree.line
        new = [node for node in paths if not tree.is_open(node)]
        if new:
            self._opened += new
            tree.open_path(new[-1])

    @property
    def path(self) -> PathOf:
        """The moves shown of the simulation's path; () in the present."""
        playout = self.playout
        if playout is None:
            return ()
        return playout.path[: self.part] if self.stage == SELECTION else playout.path

    @property
    def valued(self) -> bool:
        """Whether what the leaf is worth is known by now."""
        return self.stage == BACKUP or (self.stage == EVALUATION and self.part == self.parts)

    def highlight(self) -> None:
        """Draw the simulation on the board, up to its present stage, and mark its path in table and pictures."""
        playout, root = self.playout, self.root
        self._show_on_board()
        colour = stage_color(self.stage, current_theme())
        if playout is None or root is None or not self.following:
            self._tree.set_highlight(frozenset(), colour)
            self.highlighted.emit(None)
            return
        value = playout.value if playout.leaf.to_move == root.to_move else -playout.value
        self.highlighted.emit(Simulation(root, self.path, self.stage, value if self.valued else math.nan))
        path = self.path
        self._tree.set_highlight(frozenset(path[:i] for i in range(1, len(path) + 1)), colour)

    def _show_on_board(self) -> None:
        """Draw the simulation on the board, up to its present part."""
        state, playout, root = self._context.state, self.playout, self.root
        chosen = state.selected
        shown = playout is not None and self.following and root == state.position and not self.asking
        if playout is None or root is None or not shown or playout.path[: len(chosen)] != chosen:
            self._board.set_highlight(None)
            return
        if self._drawn is None or self._drawn[0] is not playout:
            self._drawn = (playout, stones(root, playout.path), stones(playout.leaf, playout.game))
        _, placed, game = self._drawn
        self._board.set_highlight(
            Highlight(
                placed[len(chosen) : len(self.path)],
                game[: self.part if self.stage == EVALUATION else len(game) * (self.stage > EVALUATION)],
                self.stage,
                self._figures(playout)[len(chosen) :],
                verdict_words(playout) if self.valued and playout.path else "",
                len(playout.path) - self.part - len(chosen) if self.stage == BACKUP else -1,
                self.fall,
                self._wrong_guess(root),
            )
        )

    def _wrong_guess(self, root: Position) -> Guess | None:
        """Return a wrong guess and the move chosen with their scores, once the first move is shown."""
        guessed, chosen = self.prediction.guessed, self.prediction.chosen
        if not self.answering or self.prediction.was_right or guessed is None or chosen is None:
            return None
        plates = tuple((stones(root, (row.action,))[0][0], plain(row.score)) for row in (guessed, chosen))
        return Guess(*plates) if self.part else None

    def _figures(self, playout: Playout) -> tuple[tuple[str, str], ...]:
        """Return N and Q of the nodes of the path, for who moved there, in the backup: they change from the leaf up."""
        if self.stage != BACKUP:
            return ()
        steps = playout.backed[1:]
        return tuple(
            (count(step.visits), signed(step.q, 2))
            if place >= len(steps) - self.part
            else (count(step.visits_before), signed(step.q_before, 2))
            for place, step in enumerate(steps)
        )
