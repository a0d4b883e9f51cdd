"""Programs on another machine by ssh: the command line, and what its exit code says."""

import re
import shlex
from collections.abc import Sequence
from typing import Final

from core.checks import short
from core.text import Text

NOT_REACHED: Final = 255
"""The exit code of ssh itself."""
SSH: Final = ("ssh", "-T", *("-o", "BatchMode=yes"), *("-o", "ConnectTimeout=15"), *("-o", "ServerAliveInterval=10"))
"""Nothing is asked for, and a connection that is dead is noticed."""
HOST: Final = r"(?P<host>(?:\w[\w.-]*@)?(?:\w[\w.-]*|\[[0-9a-fA-F:]+\]))(?::(?P<port>\d{1,5}))?"
"""A pattern of USER@HOST:PORT, of which user and port may be missing."""

_ADDRESS: Final = re.compile(rf"(?:ssh://)?{HOST}/?", re.ASCII)


def over_ssh(host: str, port: str | None, command: str) -> tuple[str, ...]:
    """The command line that has the shell of another machine run ``command``; IPv6 hosts may stand in brackets."""
    return (*SSH, *(("-p", port) if port else ()), "--", host.replace("[", "").replace("]", ""), command)


def program_over_ssh(address: str, words: Sequence[str], folder: str = "") -> tuple[str, ...]:
    """The command line that runs a program with its options on another machine, in a folder there.

    address: ``[ssh://][USER@]HOST[:PORT]``; ValueError for another.  The words arrive as they are, whatever a shell
    would make of them; only ``~/`` at the start of one, or of the folder, is the user's folder there.
    """
    place = _ADDRESS.fullmatch(address)
    if place is None:
        raise ValueError(
            Text(
                "{address} is no address of a machine; it must be HOST, USER@HOST or USER@HOST:PORT",
                address=short(address),
            )
        )
    command = f"exec {' '.join(map(_quoted, words))}"
    return over_ssh(place["host"], place["port"], f"cd {_quoted(folder)} && {command}" if folder else command)


def _quoted(word: str) -> str:
    return f"~/{shlex.quote(word[2:])}" if word.startswith("~/") and word[2:] else shlex.quote(word)


def host_of(command: Sequence[str]) -> str:
    """The machine of a command line made by :func:`over_ssh`; "" for another command line."""
    return command[-2] if tuple(command[: len(SSH)]) == SSH else ""


def unreachable(command: Sequence[str], reason: object) -> Text:
    """The sentence for ``NOT_REACHED`` of a command line; ``reason``: the last line of ssh, or its exit code."""
    return Text(
        "{host} cannot be reached ({reason}); the command {command} must get there without asking for anything",
        host=host_of(command),
        reason=reason,
        command=" ".join(["ssh", *(word for word in command[len(SSH) : -1] if word != "--")]),
    )
