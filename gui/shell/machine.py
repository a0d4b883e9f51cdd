"""The choice of the machine that searches, this one, another by ssh, or one of a Ray cluster, and of what runs nets.

Connecting waits in the thread of the remote analysis; this looks at what has become of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from core.text import Text, Words, text_of
from gui.language.core_words import core_text
from gui.language.language import tr
from gui.model.sources import NetSource, set_runtime
from gui.model.timers import make_timer
from gui.widgets.dialogs import OK_CANCEL, Dialog
from gui.widgets.form import AddressBox, ErrorLine
from gui.widgets.labels import make_label
from gui.widgets.preferences import MOST_MACHINES
from gui.widgets.text_size import px
from gui.widgets.texts import on_language

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from core.engine import Analyst
    from gui.context import Context
    from models.cluster.remote import RemoteAnalysis, Traffic

LOOK_MS: Final = 100  # at a connection that is being made
SHOW_MS: Final = 500  # between two figures of one that is made
HERE, ELSEWHERE = "run_here", "run_elsewhere"  # actions
_SSH: Final = "ssh://"  # with which an address begins
_TIP: Final[Words] = (
    "The machine that searches · the time for a question and its answer · snapshots and bytes a second."
)


def open_remote(address: str) -> RemoteAnalysis:
    """Begin to connect to the machine or cluster at ``address``."""
    from models.cluster.remote import RemoteAnalysis

    return RemoteAnalysis(address)


class MachineDialog(Dialog):
    """Asks for the address of another machine, or takes one used before; says what is wrong with one that is typed."""

    def __init__(self, parent: QWidget, known: Sequence[str], taken: Callable[[str], object]) -> None:
        """``known``: addresses used before, the last one first; ``taken`` is called with the one entered."""
        super().__init__(tr("Search on another machine"), parent, OK_CANCEL)
        self.address, self.error = AddressBox(self, known or [_SSH]), ErrorLine(self)
        self.address.setAccessibleName(self.windowTitle())
        self.address.setFocus()
        label = make_label(self, "dim", wrap=True)
        label.setText(
            tr(
                "Address of a machine that ssh reaches without a password: user@host or ssh://host,\n"
                "or of a Ray cluster: ray://HOST:10001, HOST:PORT, or auto for one that this machine belongs to.\n"
                "The other machine needs this version of Plyscope; nets are sent to it."
            )
        )
        self.lay_out(self.address, label, self.error)
        self.setMinimumWidth(px(420))
        self.address.currentTextChanged.connect(self._check)
        self.accepted.connect(lambda: taken(self.address.currentText().strip()))
        self._check()

    def _check(self) -> None:
        from models.cluster.pipe import command_for

        address = self.address.currentText().strip()
        problem = ""
        try:
            command_for(address, "")
        except ValueError as error:
            problem = text_of(error)
        self.error.say("" if address in ("", _SSH) else problem)
        self.main.setEnabled(not problem)


class Machine(QObject):
    """Moves the session's analysis to another machine and back; the choice is remembered."""

    def __init__(self, context: Context, show: Callable[[str, str, bool], object]) -> None:
        """``show`` is given the text and the tip for the status line, and whether what searches is connected."""
        super().__init__(context.window)
        self.open: Callable[[str], RemoteAnalysis] = open_remote
        self._context, self._show = context, show
        self._session = context.session
        self._local: Analyst | None = None  # the analysis of this machine, while another one searches
        self._remote: RemoteAnalysis | None = None
        self._looks = make_timer(self, LOOK_MS, self._look)
        self._session.state_changed.connect(self._engine_came)
        self._session.closed.connect(self._close)
        on_language(self, self._look)
        self._mark()

    @property
    def away(self) -> bool:
        """Whether another machine searches."""
        return self._local is not None

    def ask(self) -> None:
        """Ask for the address of another machine without blocking, then search there."""
        MachineDialog(self._context.window, self._context.preferences.machines, self.search_on).open()
        self._mark()  # the menu has checked its entry

    def search_here(self) -> None:
        """Search on this machine; a tree that was left here goes on."""
        self._context.preferences.elsewhere = False
        self._end()
        self._mark()

    def search_on(self, address: str) -> None:
        """Search on the machine at ``address`` once it has answered; until then, or if it does not, here."""
        self._end()
        preferences = self._context.preferences
        others = (other for other in preferences.machines if other != address)
        preferences.machines, preferences.elsewhere = (address, *others)[:MOST_MACHINES], True
        if self._session.analysis is not None:
            self._connect()
        self._mark()

    def _engine_came(self) -> None:
        """Connect to the machine used last, once the engine is loaded."""
        if self._session.analysis is not None:
            self._session.state_changed.disconnect(self._engine_came)
            preferences = self._context.preferences
            if preferences.elsewhere and preferences.machines and self._remote is None:
                self._connect()

    def _connect(self) -> None:
        address = self._context.preferences.machines[0]
        self._remote = self.open(address)
        self._show(tr("connecting to {address}…").format(address=address), "", True)
        self._looks.setInterval(LOOK_MS)
        self._looks.start()

    def _look(self) -> None:
        remote = self._remote
        if remote is None:
            return
        traffic = remote.traffic
        if not remote.alive:
            self._context.messages.show_error(
                Text(
                    "The search runs on this machine: {reason}.",
                    reason=remote.error or Text("the connection to {machine} was lost", machine=remote.address),
                )
            )
            self._end()
            self._mark()
            return
        if traffic.connected and self._local is None:
            self._local = self._session.attach(remote)
            self._looks.setInterval(SHOW_MS)
            self._mark()
        if self._local is not None:
            tip = "\n".join(filter(None, (tr(_TIP), core_text(traffic.left_out))))
            self._show(_words(traffic), tip, traffic.connected)

    def _end(self) -> None:
        """Give the session the analysis of this machine again, and end the connection."""
        remote, self._remote = self._remote, None
        local, self._local = self._local, None
        self._looks.stop()
        self._show("", "", True)
        if local is not None:
            self._session.attach(local)
        if remote is not None:
            remote.close(0.0)

    def _close(self) -> None:
        """The session has closed the analysis that it had; close the other one."""
        self._looks.stop()
        for analysis in (self._local, self._remote):
            if analysis is not None:
                analysis.close(0.4)
        self._local = self._remote = None

    def _mark(self) -> None:
        elsewhere = self._remote is not None
        self._context.actions[ELSEWHERE if elsewhere else HERE].setChecked(True)


def _words(traffic: Traffic) -> str:
    """The connection in a few words."""
    if not traffic.connected:
        return tr("{machine}: no connection").format(machine=traffic.machine)
    words = tr("{machine} · {latency} ms · {snapshots}/s · {bytes}/s").format(
        machine=traffic.machine,
        latency=max(1, round(1000 * traffic.latency_s)),
        snapshots=round(traffic.snapshots),
        bytes=f"{traffic.bytes / 1000:.0f} kB",
    )
    return f"{words} (!)" if traffic.left_out else words


def connect_runtime(context: Context) -> None:
    """Take the remembered choice; called once, before a net is opened."""
    set_runtime(context.preferences.runtime)
    context.actions[f"runtime_{context.preferences.runtime}"].setChecked(True)


def choose_runtime(context: Context, runtime: str) -> None:
    """Evaluate the open net, and those opened later, by ``runtime``, and remember it."""
    context.preferences.runtime = runtime
    set_runtime(runtime)
    context.actions[f"runtime_{runtime}"].setChecked(True)
    source = context.state.source
    if isinstance(source, NetSource):
        context.state.set_source(replace(source, runtime=runtime))
