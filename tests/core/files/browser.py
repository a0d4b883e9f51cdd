"""A page in a real browser, driven by its own debugging protocol over pipes; skipped where there is no Chromium."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from tests.core.files.page_reader import browser

LONGEST_S: Final = 120.0  # for one answer
_OPTIONS: Final = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe")


class Tab:
    """The one page of a browser."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write, self._rest, self._last, self._session = read, write, b"", 0, ""
        self.problems: list[str] = []  # errors, and what the content policy refused
        (target,) = [one for one in self._call("Target.getTargets")["targetInfos"] if one["type"] == "page"][:1]
        attached = self._call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._call(f"{domain}.enable")

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._last:
                assert "error" not in answer, answer["error"]
                return dict(answer["result"])

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            assert select.select([self._read], [], [], LONGEST_S)[0], "the browser does not answer"
            more = os.read(self._read, 1 << 16)
            assert more, "the browser has ended"
            self._rest += more
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        if message.get("method") == "Runtime.exceptionThrown":
            self.problems.append(message["params"]["exceptionDetails"]["exception"].get("description", "?"))
        if message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
            self.problems.append(message["params"]["entry"]["text"])
        return message

    def open(self, page: Path | str, place: str = "", wait: str = "true") -> None:
        """Open a file or an address, at a ``place`` after #, and wait until the JavaScript ``wait`` is true there."""
        address = page.as_uri() if isinstance(page, Path) else page
        self._call("Page.navigate", url="about:blank")
        self._call("Page.navigate", url=f"{address}#{place}")
        self.until(f"document.readyState === 'complete' && ({wait})")

    def value(self, script: str) -> Any:
        """The value of a JavaScript expression, or of its promise."""
        done = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def until(self, script: str) -> None:
        """Wait until a JavaScript expression is true, looking at every frame."""
        self.value(
            "new Promise(done => { const look = () => "
            f"({script}) ? done(true) : requestAnimationFrame(look); look(); }})"
        )

    def key(self, key: str) -> None:
        """Press a key where the focus is."""
        text = {"Space": " "}.get(key, key)
        more = {"text": text} if text == " " else {}
        numbers = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35, "Tab": 9}
        code = {"windowsVirtualKeyCode": numbers.get(key, 32)}
        self._call("Input.dispatchKeyEvent", type="keyDown", key=text, code=key, **more, **code)
        self._call("Input.dispatchKeyEvent", type="keyUp", key=text, code=key, **code)

    def click(self, x: float, y: float) -> None:
        """Click at a place of the window, in px."""
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def size(self, width: int, height: int) -> None:
        """Give the page a size in px."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def prefer(self, **features: str) -> None:
        """Set what the page is told of the user, such as ``prefers_reduced_motion="reduce"``."""
        chosen = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self._call("Emulation.setEmulatedMedia", features=chosen)

    def picture(self) -> str:
        """The page as a PNG picture, in base64."""
        return str(self._call("Page.captureScreenshot", format="png")["data"])


@contextmanager
def open_browser(folder: Path) -> Iterator[Tab]:
    """A browser whose own files are in ``folder``."""
    with _Browser(folder) as tab:
        yield tab


class _Browser:
    def __init__(self, folder: Path) -> None:
        there, self._write = os.pipe()
        self._read, back = os.pipe()
        command = [browser(), *_OPTIONS, f"--user-data-dir={folder / 'browser'}", "about:blank"]
        # The protocol is spoken on the descriptors 3 and 4.
        places = f"there, back = os.dup({there}), os.dup({back}); os.dup2(there, 3); os.dup2(back, 4); "
        places += "os.set_inheritable(3, True); os.set_inheritable(4, True)"
        script = f"import os, sys; {places}; os.execv(sys.argv[1], sys.argv[1:])"
        start = [sys.executable, "-c", script, *command]
        self._process = subprocess.Popen(start, pass_fds=(there, back), stderr=subprocess.DEVNULL)
        os.close(there)
        os.close(back)

    def __enter__(self) -> Tab:
        return Tab(self._read, self._write)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
