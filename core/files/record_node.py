"""The nodes of a game record: moves with comments and marks."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from core.checks import short
from core.files.record_setup import Setup

MARK_KINDS: Final = ("label", "triangle", "square", "circle", "cross")


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """A mark on a cell ``row * cols + col``; only a label has a text."""

    cell: int
    kind: str
    text: str = ""

    def __post_init__(self) -> None:
        if self.kind not in MARK_KINDS:
            raise ValueError(f"a mark is {short(self.kind)}; it must be one of {', '.join(MARK_KINDS)}")


@dataclass(frozen=True, slots=True)
class Node:
    """One move of the record, or stones set up, with name, comment and marks of the position after it."""

    parent: int = -1  # -1 for the root
    action: int = -1  # -1 for the root and where stones are set up
    children: tuple[int, ...] = ()  # ids, the main continuation first
    name: str = ""
    comment: str = ""
    marks: tuple[Mark, ...] = ()  # ascending
    extra: tuple[tuple[str, tuple[str, ...]], ...] = ()  # unknown properties of an SGF file, kept for writing
    unread: tuple[str, ...] = ()  # illegal variations of an SGF file, kept for writing
    setup: Setup | None = None  # stones set up instead of a move


def clean_text(text: str) -> str:
    """Normalise ``text`` for files: newlines become ``\\n``, NULs are removed, lone surrogates become ``?``."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return text.encode("utf-8", "replace").decode("utf-8")


def one_line(text: str) -> str:
    """``text`` for files, on one line."""
    return " ".join(clean_text(text).split())


def tidy_marks(marks: Iterable[Mark], shape: tuple[int, int]) -> tuple[Mark, ...]:
    """Marks in order, each once, only labels with a text.  ValueError for a cell outside a board [H, W]."""
    most = shape[0] * shape[1] - 1
    kept = tuple(sorted({replace(m, text=one_line(m.text) if m.kind == "label" else "") for m in marks}))
    for mark in kept:
        if not 0 <= mark.cell <= most:
            raise ValueError(f"a mark is on cell {mark.cell}, and a cell is from 0 to {most}")
    return kept
