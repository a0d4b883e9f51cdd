"""Reads pages' data by their own scripts, in Node or in a browser, where there is one."""

import base64
import json
import shutil
import subprocess
from functools import cache
from html import unescape
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = ("rules.js", "moments.js", "data.js")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_WAIT_MS = 60_000


@cache
def script() -> str:
    """The page's scripts that read its data, and the tests' driver."""
    page = files("resources") / "page"
    parts = [(page / name).read_text("utf-8") for name in SCRIPTS]
    return "\n".join([*parts, (Path(__file__).parent / "page_driver.js").read_text("utf-8")])


def node() -> str:
    """The path of Node; the test is skipped without."""
    path = shutil.which("node")
    if path is None:
        pytest.skip("there is no Node")
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.removeprefix("v").split(".")[0]) < 18:
        pytest.skip("this Node has no DecompressionStream")
    return path


def browser() -> str:
    """The path of a Chromium; the test is skipped without."""
    path = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if path is None:
        pytest.skip("there is no Chromium")
    return path


def ask_node(data: bytes, questions: list[Any], folder: Path) -> dict[str, Any]:
    """What ``answers`` of page_driver.js says of ``data``, in Node."""
    program = node()
    (folder / "page.bin").write_bytes(data)
    (folder / "questions.json").write_text(json.dumps(questions), "utf-8")
    end = (
        'const fs = require("fs");'
        'answers(new Uint8Array(fs.readFileSync("page.bin")), JSON.parse(fs.readFileSync("questions.json", "utf-8")))'
        ".then((out) => process.stdout.write(JSON.stringify(out)));"
    )
    (folder / "page.js").write_text(f"{script()}\n{end}", "utf-8")
    done = subprocess.run([program, "page.js"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def ask_browser(data: bytes, questions: list[Any], folder: Path) -> dict[str, Any]:
    """The same in a browser, from a page that holds the data as text."""
    end = (
        'answers(fromBase64(document.getElementById("data").textContent), '
        'JSON.parse(document.getElementById("questions").textContent))'
        '.then((out) => { document.getElementById("out").textContent = JSON.stringify(out); },'
        ' (error) => { document.getElementById("out").textContent = "failed: " + error; });'
    )
    page = (
        '<!DOCTYPE html><meta charset="utf-8">'
        f'<script type="application/octet-stream" id="data">{base64.b64encode(data).decode()}</script>'
        f'<script type="application/json" id="questions">{json.dumps(questions)}</script>'
        f'<pre id="out"></pre><script>{script()}\n{end}</script>'
    )
    (folder / "page.html").write_text(page, "utf-8")
    dom = dump_dom(folder / "page.html", folder)
    out = unescape(dom.partition('<pre id="out">')[2].partition("</pre>")[0])
    assert out.startswith("{"), out[:300]
    answer: dict[str, Any] = json.loads(out)
    return answer


def dump_dom(page: Path, folder: Path) -> str:
    """The document of a page in a browser, as its scripts leave it."""
    options = ("--headless", "--no-sandbox", "--disable-gpu", f"--virtual-time-budget={_WAIT_MS}", "--dump-dom")
    home = f"--user-data-dir={folder / 'profile'}"
    done = subprocess.run(
        [browser(), *options, home, page.as_uri()], capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
