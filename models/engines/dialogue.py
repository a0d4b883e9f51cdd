"""The lines of a dialogue in which we are the engine: read in a thread, answered one after the other."""

import queue
import re
import threading
from collections.abc import Callable, Iterator
from typing import Final, TextIO

LONGEST_LINE: Final = 1 << 22  # characters; the rest is cut off
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Dialogue:
    """Reads commands from ``source`` and writes answers to ``output``."""

    def __init__(self, output: TextIO, is_end: Callable[[str], bool] = lambda line: False) -> None:
        """``is_end``: whether a line ends what is going on, such as a search, as soon as it has come."""
        self._output, self._is_end = output, is_end
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._came = self._taken = 0  # lines that end something: each counter is of one thread

    @property
    def waiting(self) -> bool:
        """Whether a line has come that was not yet taken."""
        return not self._lines.empty()

    @property
    def ended(self) -> bool:
        """Whether a line that ends something has come and was not yet taken; the end of the input is none."""
        return self._came > self._taken

    def lines(self, source: TextIO) -> Iterator[str]:
        """Yield the lines of ``source`` without control characters."""
        threading.Thread(target=self._read, args=(source,), name="engine input", daemon=True).start()
        while (line := self._lines.get()) is not None:
            self._taken += self._is_end(line.strip())
            yield _CONTROL.sub("", line.replace("\t", " ")).strip()

    def next_line(self) -> str:
        """The next line within a command of several lines; "" at the end of the input."""
        line = self._lines.get()
        if line is None:
            self._lines.put(None)
            return ""
        self._taken += self._is_end(line.strip())
        return _CONTROL.sub("", line.replace("\t", " ")).strip()

    def write(self, text: str) -> None:
        """Write an answer at once; OSError when the other program is gone."""
        self._output.write(text)
        self._output.flush()

    def _read(self, source: TextIO) -> None:
        try:
            while line := source.readline(LONGEST_LINE):
                rest = line
                while rest and not rest.endswith("\n"):
                    rest = source.readline(LONGEST_LINE)
                self._came += self._is_end(line.strip())
                self._lines.put(line)
        except (OSError, ValueError):  # closed, or not UTF-8
            pass
        self._lines.put(None)
