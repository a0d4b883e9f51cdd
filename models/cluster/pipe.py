"""A program at the far end of a pipe: ``plyscope serve --snapshots`` on another machine by ssh, or here for a Ray
cluster.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from core.ssh import HOST, NOT_REACHED, over_ssh, unreachable
from core.text import Text
from models.cluster.connect import check_address
from models.cluster.messages import LENGTH, frame_length, framed

_NO_COMMAND: Final = (126, 127)  # exit codes of a shell
_PLACE: Final = re.compile(rf"(?:ssh://)?{HOST}(?P<command>/[\w./~+-]+)?/?")
_MOST_COMPLAINTS: Final = 2000  # bytes of error output
LAST_WORDS_S: Final = 1.0


def is_ssh(address: str) -> bool:
    """Whether an address is of one machine, reached by ssh; else it is of a Ray cluster."""
    return address.startswith("ssh://") or "@" in address


def machine_of(address: str) -> str:
    """USER@HOST:PORT of an address by ssh, without the command there; "" for the address of a cluster."""
    place = _PLACE.fullmatch(address) if is_ssh(address) else None
    return "" if place is None else f"{place['host']}:{place['port']}" if place["port"] else place["host"]


def command_for(address: str, name: str) -> tuple[str, ...]:
    """The program to which an analysis called ``name`` on the machine or cluster at ``address`` is asked.

    ``ssh://[USER@]HOST[:PORT][/COMMAND]`` or ``USER@HOST``, else the address of a Ray cluster; ``ValueError`` for none.
    """
    if not is_ssh(address):
        check_address(address)
        program = (sys.executable,) if getattr(sys, "frozen", False) else (sys.executable, "-P", "-m", "gui.app")
        return (*program, "serve", "--snapshots", "--on", address, "--name", name)
    place = _PLACE.fullmatch(address)
    if place is None:
        raise ValueError(
            Text(
                "{address!r} is no address of a machine; allowed are user@host and ssh://user@host:port/path/of/plyscope",
                address=address,
            )
        )
    command = (place["command"] or "plyscope").replace("/~", "~", 1)
    return over_ssh(place["host"], place["port"], f"{command} serve --snapshots")


class Pipe:
    """A running program, for frames in both directions."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process, self._input, self._output = process, process.stdin, process.stdout
        self._complaints = b""  # the end of its error output
        self._complaining = asyncio.create_task(self._read_complaints(process.stderr))

    @classmethod
    async def open(cls, command: Sequence[str]) -> Pipe:
        """Start a program; ``ValueError`` when the system cannot."""
        paths = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", ""))))
        # The group of its own keeps Ctrl-C of a terminal, which is the window's or the command's, from it.
        options: dict[str, Any] = {} if os.name == "nt" else {"start_new_session": True}
        try:
            return cls(
                await asyncio.create_subprocess_exec(
                    *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env={**os.environ, "PYTHONPATH": paths}, **options
                )
            )
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise ValueError(Text("{name} cannot be started: {reason}", name=command[0], reason=reason)) from None

    async def read(self) -> bytes | None:
        """The next message; None when the program has ended.  ``ValueError`` for one that is too large."""
        try:
            head = await self._output.readexactly(LENGTH.size)
            return await self._output.readexactly(frame_length(head))
        except (asyncio.IncompleteReadError, OSError):
            return None

    def write(self, message: bytes) -> None:
        """Send a message, without waiting until the program reads it."""
        self._input.write(framed(message))

    async def drain(self) -> None:
        """Wait until little of what was written is left; ``OSError`` when the program has ended."""
        await self._input.drain()

    async def end(self, wait_s: float) -> tuple[int, str]:
        """End the program, which has so long to do it by itself: its exit code and last line of error output."""
        self._input.close()
        try:
            await asyncio.wait_for(self._process.wait(), wait_s)
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
        code = await self._process.wait()
        with suppress(TimeoutError):  # a program that it has started may hold the pipe
            await asyncio.wait_for(self._complaining, LAST_WORDS_S)
        return code, (self._complaints.decode(errors="replace").strip().splitlines() or [""])[-1]

    async def _read_complaints(self, stream: asyncio.StreamReader) -> None:
        while part := await stream.read(_MOST_COMPLAINTS):
            self._complaints = (self._complaints + part)[-_MOST_COMPLAINTS:]


def why_ended(address: str, code: int, reason: str) -> Text:
    """Why the program for ``address`` ended before it was connected; ``reason``: its last line of error output."""
    place = _PLACE.fullmatch(address) if is_ssh(address) else None
    reason = reason or Text("exit code {code}", code=code)
    if place is not None and code == NOT_REACHED:
        return unreachable(command_for(address, ""), reason)
    if place is not None and code in _NO_COMMAND:
        return Text(
            "{host} does not find Plyscope ({reason}); say where it is, as in ssh://{host}/opt/plyscope/bin/plyscope",
            host=place["host"],
            reason=reason,
        )
    return Text("Plyscope has ended there ({reason}); install the same version on both machines", reason=reason)
