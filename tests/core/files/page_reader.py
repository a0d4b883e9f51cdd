"""Reads pages' data by their own scripts, where there is Node, and finds a browser."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = ("rules.js", "moments.js", "data.js")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DRIVER = (Path(__file__).parent / "page_driver.js").read_text("utf-8")


@cache
def script() -> str:
    """The page's scripts that read its data, and the tests' driver."""
    page = files("resources") / "page"
    return "\n".join([*((page / name).read_text("utf-8") for name in SCRIPTS), DRIVER])


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


def ask_node(data: bytes, questions: list[Any], folder: Path, pieces: Sequence[bytes] = ()) -> dict[str, Any]:
    """What ``answers`` of page_driver.js says of ``data`` and the ``pieces`` sent after it, in Node."""
    program = node()
    for place, part in enumerate((data, *pieces)):
        (folder / f"page{place}.bin").write_bytes(part)
    (folder / "questions.json").write_text(json.dumps(questions), "utf-8")
    end = (
        'const fs = require("fs");'
        "const part = place => new Uint8Array(fs.readFileSync(`page${place}.bin`));"
        f"const pieces = [...Array({len(pieces)}).keys()].map(place => part(place + 1));"
        'answers(part(0), JSON.parse(fs.readFileSync("questions.json", "utf-8")), pieces)'
        ".then((out) => process.stdout.write(JSON.stringify(out)));"
    )
    (folder / "page.js").write_text(f"{script()}\n{end}", "utf-8")
    done = subprocess.run([program, "page.js"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
