"""An outside program, written to and read from line by line.

Nothing that the program does can block or fill this one: each wait has a limit of time, each line and all unread lines
together one of size in both directions, and a program that breaks one is ended.
"""

import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.checks import short
from core.ssh import NOT_REACHED, host_of, unreachable
from core.text import Text

LONGEST_LINE: Final = 1 << 20  # bytes: an analysis of 19x19 with ownership has some 100 000
MOST_UNREAD: Final = 20_000  # lines
MOST_PER_S: Final = 1_000  # lines, where there are more than those
MOST_UNWRITTEN: Final = 1 << 20  # bytes that the program has not read yet
KEPT_LINES: Final = 2_000  # of the dialogue
LOOK_S: Final = 0.05  # between two looks whether an analysis should end
_FROM_OUTSIDE: Final = (-9, -15)  # exit codes of a program that was killed
END_S: Final = 2.0  # for a program to end by itself after its input was closed


class Line(NamedTuple):
    """One line of the dialogue with an engine."""

    seconds: float  # since the start of the program
    origin: str  # "sent", "answered" or "error output"
    text: str


SIGNS: Final = {"sent": ">", "answered": "<", "error output": "!"}  # of the origins
_SHOWN: Final = 400  # characters of a line of the dialogue that people read


def line_text(line: Line) -> str:
    """A line with its time in seconds and a sign for its direction; a long one is cut off."""
    text = line.text if len(line.text) <= _SHOWN else f"{line.text[:_SHOWN]}…"
    return f"{line.seconds:8.2f} {SIGNS[line.origin]} {text}"


class EngineError(ValueError):
    """An engine cannot be started, ended, kept silent or broke its protocol; one sentence that names it."""

    dialogue: tuple[Line, ...] = ()
    """What was said until then, where the engine could not be used at all."""


def split_command(command: str) -> list[str]:
    """The words of a command line, as a shell would split it; EngineError for an open quotation mark or no word."""
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError:
        words = []
    if not words:
        raise EngineError(
            Text(
                "{command} is no command; write the program and its options, as in gnugo --mode gtp",
                command=short(command),
            )
        )
    return words


def unplayable(game: str, protocol: str, needed: str) -> EngineError:
    """The error for a game that a protocol does not know; ``needed`` stays English."""
    return EngineError(
        Text("{game} cannot be played by {protocol}; it needs {needed}", game=game, protocol=protocol, needed=needed)
    )


def not_spoken(name: str, answer: str, command: str, protocol: str) -> EngineError:
    """The error for an answer that is none of the protocol."""
    return EngineError(failed(name, f"it answered {short(answer)} to {command}, which is not {protocol}"))


def failed(name: str, fault: str) -> Text:
    """The sentence for what only the program can get wrong; ``fault`` has "it" for the engine and stays English."""
    return Text("the engine {name} failed: {error}", name=name, error=fault)


class EngineProcess:
    """A running program with pipes to it; ``close`` ends it and everything that it has started."""

    def __init__(self, command: Sequence[str], folder: Path | None = None, name: str = "") -> None:
        """Start ``command`` in ``folder``; EngineError when the system cannot.  ``name``: "" for the program's."""
        self._command = tuple(command)
        self.name = name or host_of(command) or Path(command[0]).name
        self._folder, self._started = folder, False
        self.dialogue: deque[Line] = deque(maxlen=KEPT_LINES)
        self._began = time.monotonic()
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_UNREAD)
        self._fault = ""
        self._read_since_sent, self._sent = 0, self._began
        self._to_write: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._bytes_sent = self._bytes_written = 0
        options: dict[str, Any] = {} if os.name == "nt" else {"start_new_session": True}
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                bufsize=0,
                **options,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise EngineError(
                Text("the engine {name} cannot be started: {reason}", name=short(command[0]), reason=reason)
            ) from None
        self._threads = [
            threading.Thread(target=self._read_answers, name=f"{self.name} answers", daemon=True),
            threading.Thread(target=self._read_errors, name=f"{self.name} error output", daemon=True),
            threading.Thread(target=self._write_lines, name=f"{self.name} questions", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @contextmanager
    def starting(self) -> Iterator[None]:
        """For the first commands of a dialogue: when one fails, the program is ended."""
        try:
            yield
        except BaseException as error:
            self.close()
            if isinstance(error, EngineError):
                error.dialogue = tuple(self.dialogue)
            raise
        self._started = True

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def send(self, line: str) -> None:
        """Send one line, without waiting until the program reads it; EngineError when it has ended, or when too much
        that it did not read would wait."""
        self._note("sent", line)
        self._read_since_sent, self._sent = 0, time.monotonic()
        if not self.running or not self._threads[2].is_alive():
            raise EngineError(self._fault or self._end_sentence())
        data = line.encode() + b"\n"
        self._bytes_sent += len(data)
        if self._bytes_sent - self._bytes_written > MOST_UNWRITTEN:
            self._fault = failed(self.name, "it does not read what it is sent")
            self._kill()
            raise EngineError(self._fault)
        self._to_write.put(data)

    def read(self, seconds: float, since: float | None = None) -> str:
        """The next line, without its end; EngineError when the program has ended, or when none comes within ``seconds``
        of ``since`` (time.monotonic(); None: now)."""
        passed = 0.0 if since is None else time.monotonic() - since
        line = self.read_if_any(seconds - passed) if passed <= seconds else None  # also where it never falls silent
        if line is None:
            raise EngineError(
                Text("the engine {name} gave no answer for {seconds:g} s", name=self.name, seconds=seconds)
            )
        return line

    def read_if_any(self, seconds: float) -> str | None:
        """The next line if it comes within ``seconds``, else None; EngineError when the program has ended."""
        try:
            line = self._lines.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)
            raise EngineError(self._fault or self._end_sentence())
        self._read_since_sent += 1
        if self._read_since_sent > MOST_UNREAD + MOST_PER_S * (time.monotonic() - self._sent):
            raise EngineError(self._chatter())
        return line

    def _chatter(self) -> Text:
        return failed(self.name, f"it wrote more than {MOST_UNREAD} lines that nobody asked for")

    def close(self, farewell: str = "") -> None:
        """End the program: first by the command ``farewell`` and by closing its input, then by force.

        May be called again."""
        if farewell and self.running:
            with suppress(EngineError):
                self.send(farewell)
        self._to_write.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_S)
        self._kill()
        self._process.wait()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(END_S)
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _kill(self) -> None:
        try:
            if os.name == "nt":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        except OSError:
            pass

    def _end_sentence(self) -> Text:
        try:
            code: int | None = self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            code = None
        self._threads[1].join(END_S)  # its last words may not have been read yet
        last = next((line.text for line in reversed(list(self.dialogue)) if line.origin == "error output"), "")
        if code in _FROM_OUTSIDE:  # then what it said before is no reason
            return failed(self.name, f"it was ended by signal {-(code or 0)}")
        reason = short(last) if last else Text("exit code {code}", code=code)
        host = host_of(self._command)
        if host and code == NOT_REACHED:
            lost = Text("the connection to {host} was lost ({reason})", host=host, reason=last or reason)
            why = lost if self._started else unreachable(self._command, last or reason)
            return Text("the engine {name}: {reason}", name=self.name, reason=why)
        if host and not self._started:
            return Text("the engine {name} ended at its start: {reason}", name=self.name, reason=reason)
        if not self._started:  # many need files of their own folder
            return Text(
                "the engine {name}, started in the folder {folder}, ended at its start: {reason}",
                name=self.name,
                folder=short(str(self._folder or Path.cwd())),
                reason=reason,
            )
        return Text("the engine {name} ended: {reason}", name=self.name, reason=reason)

    def _note(self, origin: str, text: str) -> None:
        self.dialogue.append(Line(time.monotonic() - self._began, origin, text))

    # Threads.

    def _write_lines(self) -> None:
        """Write what is sent, then close the program's input."""
        stream = self._process.stdin
        assert stream is not None
        with suppress(OSError, ValueError):
            while data := self._to_write.get():
                unsent = memoryview(data)
                while unsent:
                    unsent = unsent[stream.write(unsent) :]
                self._bytes_written += len(data)
        with suppress(OSError):
            stream.close()

    def _read_answers(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        rest = b""
        try:
            while part := os.read(stream.fileno(), 1 << 16):
                *lines, rest = (rest + part).split(b"\n")
                for line in lines:
                    text = line.decode("utf-8", "replace").rstrip("\r")
                    self._note("answered", text)
                    self._lines.put_nowait(text)
                if len(rest) > LONGEST_LINE:
                    self._fault = failed(self.name, "it wrote a line of more than 1 MB")
                    break
        except queue.Full:
            self._fault = self._chatter()
        except (OSError, ValueError):
            pass
        if self._fault:
            self._kill()
            while True:  # room for the end
                try:
                    self._lines.get_nowait()
                except queue.Empty:
                    break
        self._lines.put(None)

    def _read_errors(self) -> None:
        stream = self._process.stderr
        assert stream is not None
        rest = b""
        with suppress(OSError, ValueError):
            while part := os.read(stream.fileno(), 1 << 16):
                *lines, rest = (rest + part).split(b"\n")
                for line in lines:
                    self._note_error(line)
                rest = rest[-1000:]
        if rest:  # the last words of some programs have no end
            self._note_error(rest)

    def _note_error(self, line: bytes) -> None:
        self._note("error output", line[:1000].decode("utf-8", "replace").rstrip("\r"))
