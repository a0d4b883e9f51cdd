"""Whatever is opened, replaced, closed, saved, killed and begun again: no game that no file has is lost."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.files.session import open_session
from core.games import load_game
from gui.shell.recovery import Recovery
from tests.gui.conftest import cancel_close, open_window
from tests.gui.fakes import FakeAnalysis

ACTS = 14


class Desk:
    """A window that is closed, killed and begun again, and the texts that have to be in it.

    Each game is known by the comment at its start.  ``wanted`` is what was written last in each game that no file has.
    """

    def __init__(self, qtbot: QtBot, folder: Path, chance: random.Random) -> None:
        self.qtbot, self.folder, self.chance = qtbot, folder, chance
        self.wanted: set[str] = set()
        self.texts = 0
        self.begin()

    def begin(self) -> None:
        self.window = open_window(self.qtbot, FakeAnalysis(), "connect4")
        self.recovery = Recovery(self.window.commands, self.folder / "kept", 1)
        earlier = list((self.folder / "kept").glob("*.plyscope"))
        self.recovery.look()
        self.settled()
        assert len(self.window.commands.documents.closed) == len(earlier)

    def settled(self) -> None:
        self.qtbot.waitUntil(lambda: self.recovery.is_done)

    @property
    def present(self) -> set[str]:
        """The texts of all games that are open or can be opened again."""
        documents = self.window.commands.documents
        closed = [document for bundle in documents.closed for document in bundle.documents]
        records = [document.record for document in (*documents.in_order, *closed)]
        return {record.node(0).comment for record in records if record is not None}

    # what a person does

    def write(self) -> None:
        state, self.texts = self.window.state, self.texts + 1
        state.go(0)
        before = state.comment
        others = [
            one.record.node(0).comment for one in self.window.commands.documents.in_order if one.record is not None
        ]
        if others.count(before) < 2:
            self.wanted.discard(before)
        state.set_comment(str(self.texts))
        self.wanted.add(state.comment)

    def new_game(self) -> None:
        self.window.context.opener.new_game()

    def another_game(self) -> None:
        self.window.state.open_position(load_game("tictactoe").initial(), None)

    def copy(self) -> None:
        self.window.commands.documents.add_copy()

    def show(self) -> None:
        self.window.commands.documents.show(self.chance.choice(self.window.commands.documents.in_order))

    def close(self) -> None:
        self.window.commands.documents.close(self.chance.choice(self.window.commands.documents.in_order))

    def go_back(self) -> None:
        self.window.commands.documents.go_back()

    def refuse(self) -> None:
        cancel_close(self.window)

    def save(self) -> None:
        path = self.folder / "saved.plyscope"
        with self.qtbot.waitSignal(self.window.commands.filing.used):
            self.window.commands.filing.save_session(path)
        self.wanted -= {game.record.node(0).comment for game in open_session(path).session.games}

    def open_saved(self) -> None:
        path = self.folder / "saved.plyscope"
        if path.exists():
            with self.qtbot.waitSignal(self.window.commands.filing.used):
                self.window.commands.filing.open_file(path)

    def kill(self) -> None:
        self.settled()
        self.recovery.leave()  # as a process that is killed: no last write, and its locks are free
        self.window.close()
        self.begin()

    def quit(self) -> None:
        self.window.close()
        self.settled()
        self.begin()


ALL: tuple[Callable[[Desk], None], ...] = (
    Desk.write,
    Desk.new_game,
    Desk.another_game,
    Desk.copy,
    Desk.show,
    Desk.close,
    Desk.go_back,
    Desk.refuse,
    Desk.save,
    Desk.open_saved,
    Desk.kill,
    Desk.quit,
)
OFTEN = (Desk.write, Desk.write, Desk.write, Desk.new_game)


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[[int], Desk]]:
    desks = []

    def make(seed: int) -> Desk:
        desks.append(Desk(qtbot, tmp_path / str(seed), random.Random(seed)))
        return desks[-1]

    yield make
    for one in desks:
        one.window.close()


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.slow] if seed else []) for seed in range(50)])
def test_no_game_is_lost(desk: Callable[[int], Desk], seed: int) -> None:
    one = desk(seed)
    done = []
    for act in [*one.chance.choices((*ALL, *OFTEN), k=ACTS), Desk.kill, Desk.quit]:
        act(one)
        done.append(act.__name__)
        assert one.wanted <= one.present, done


def test_what_is_written_after_a_refused_close_is_offered_again(desk: Callable[[int], Desk]) -> None:
    one = desk(0)
    for act in (Desk.write, Desk.copy, Desk.write, Desk.new_game, Desk.write, Desk.refuse, Desk.write, Desk.kill):
        act(one)
    assert one.wanted == {"1", "2", "4"}
    assert one.wanted <= one.present
    one.go_back()
    assert len(one.window.commands.documents.in_order) == 2
