"""``make guide-pictures``: every picture of the guide, in each language and both themes, from windows of their own.

The pictures show real searches, two short real training runs and a small audit.  Each window draws off screen and has
folders of its own, so that the user's settings and files are neither read nor changed.  The README shows some of them.
Pictures with Chinese texts are left as they are on a machine without a Chinese font.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import numpy as np
from PySide6.QtGui import QFontDatabase, QGuiApplication, QImage

from gui.language.language import CHINESE, ENGLISH
from gui.shell.guide_pages import DARK

PICTURES: Final = Path(__file__).parents[1] / "resources" / "guide" / "pictures"
THEMES: Final = {"light": "", "dark": DARK}  # theme -> folder of its pictures
SCREEN: Final = {"name": "main", "x": 0, "y": 0, "width": 1920, "height": 1080, "logicalDpi": 96, "dpr": 1}
LONGEST_S: Final = 600.0  # for one window, kernels compiled
SIZE: Final = "1280x800"
COLOURS: Final = 256  # of a picture
CONNECT4: Final = ("--game", "connect4", "--moves", "d d c", "--limit", "4000")
PLAYED: Final = ("--game", "connect4", "--moves", "d d c e e b d d b b b a a e c c")
INSIDE: Final = ("--game", "connect4", "--moves", "f f d e e a e d f a e f d f", "--limit", "1000")
KATAGO: Final = "PLYSCOPE_KATAGO"  # the variable that names the folder of KataGo's nets
LOOKS: Final = (
    *("--game", "go(size=13, rules=tromp-taylor)", "--moves", "d4 k10 d10 k4 f3 c7 g10 j3", "--limit", "300"),
    *("--net", "{katago}/transformer/b7c96h6kv3qk32v16tflrs-fson-bnh.bin.gz"),
)
HEIGHTS: Final = {  # px
    "blocks": 620,
    "stones": 600,
    "reply": 920,
    "concepts": 920,
    "channels": 920,
    "attention": 900,
    "map": 1060,
    "graph": 740,
}
MISSED: Final = ("--game", "connect4", "--moves", "e b c e e d c a d a a b d a d d e g d b e g f c", "--limit", "200")
REPLIED: Final = ("--game", "connect4", "--moves", "b f g d g f c g c a e f e c g d", "--limit", "1000")
SHOWN_INSIDE: Final = {"reply": REPLIED, "attention": LOOKS}
RUN: Final = ("tictactoe", "--preset", "small", "--minutes", "1.5", "--set", "strength.checkpoint_minutes=0.25")
LEARNT: Final = (
    *("connect4(rows=5, cols=6)", "--preset", "small", "--minutes", "10", "--set", "strength.checkpoint_minutes=1.2"),
    *("--set", "self_play.samples_per_iteration=512", "--set", "self_play.games=64"),
    *("--set", "self_play.simulations=48", "--set", "self_play.fast_simulations=16"),
    *("--set", "net.blocks=3", "--set", "net.channels=32"),
    *("--set", "strength.ladder_games=0", "--set", "strength.exam_positions=0"),
)
AUDIT: Final = ("connect4", "resources/nets/connect4-4x48.onnx", "--random", "300", "--plies", "8-24")
WINDOW: Final = ("gui.app",)
# The module that opens the window of each picture, and its options; {work} is the folder of the run and the audit.
WINDOWS: Final = {
    "window": (*WINDOW, *CONNECT4, "--dock", "timeline", "--size", "1480x920"),
    "board": (*WINDOW, *CONNECT4, "--part", "board", "--size", "1280x720"),
    "moves": (*WINDOW, *CONNECT4, "--part", "table"),
    "tree": ("measure.picture_window", "unfold", *CONNECT4, "--part", "tree"),
    "picture": ("measure.picture_window", "alone", "picture", *CONNECT4, "--part", "picture"),
    "icicle": (*WINDOW, *CONNECT4, "--dock", "icicle", "--limit", "20000"),
    "why": (*WINDOW, *CONNECT4, "--part", "why", "--size", "1280x1000"),
    "timeline": (*WINDOW, *CONNECT4, "--dock", "timeline", "--look-back", "1200"),
    "what_if": ("measure.picture_window", "second", "0.5", *CONNECT4, "--part", "what_if"),
    "trees": ("measure.picture_window", "trees", "e f", *CONNECT4, "--dock", "open_games"),
    "report": ("measure.picture_window", "report", *PLAYED, "--part", "report"),
    "audit": ("measure.picture_window", "audit", "{work}/net.audit", "--game", "connect4", "--dock", "blind_spots"),
    "lesson": ("measure.picture_window", "lesson", "uct", "5", "--game", "tictactoe"),
    "sick_run": ("measure.picture_window", "lesson", "sickruns", "4", "--game", "tictactoe"),
    "cause": ("measure.picture_window", "cause", "e", *MISSED, "--part", "why", "--size", "1280x900"),
    **{
        f"inside_{part}": (
            *("measure.picture_window", "inside", f"inside_{part}", *SHOWN_INSIDE.get(part, INSIDE)),
            *("--size", f"{1840 if part == 'attention' else 1480}x{height}", "--part", f"inside_{part}"),
        )
        for part, height in HEIGHTS.items()
    },
    "inside_history": (
        *("measure.picture_window", "inside", "inside_history", "--game", LEARNT[0], "--net", "{work}/learnt/net.onnx"),
        *("--size", "1480x800", "--part", "inside_history"),
    ),
    "share": ("measure.picture_page", "simulation=1200&moves=e&playout", *CONNECT4, "--size", "1280x960"),
    "training": (*WINDOW, "--game", "tictactoe", "--limit", "100", "--workspace", "nets", "--runs", "{work}/runs"),
}
NEEDED: Final = {  # what a picture needs beforehand
    "inside_history": ("train", *LEARNT, "--out", "{work}/learnt"),
    "training": ("train", *RUN, "--out", "{work}/runs/tictactoe"),
    "audit": ("audit", *AUDIT, "--simulations", "200", "--out", "{work}/net.html"),
}


def take(name: str, language: str, theme: str, into: Path, work: Path) -> str:
    """Take one picture; ``work``: the folder of the run and the audit.  Returns why that failed, or ""."""
    path = into / ("" if language == ENGLISH else language) / THEMES[theme] / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        screens = Path(home) / "screens.json"
        screens.write_text(json.dumps({"synchronousWindowSystemEvents": False, "screens": [SCREEN]}), encoding="utf-8")
        env = os.environ | {
            "QT_QPA_PLATFORM": f"offscreen:configfile={screens}",
            "XDG_CONFIG_HOME": home,
            "XDG_DATA_HOME": home,
        }
        usual = ("--size", SIZE, "--theme", theme, "--language", language, "--screenshot", str(path))
        module, *words = WINDOWS[name]
        if name == "inside_attention" and not os.environ.get(KATAGO):
            return f"{name} shows a net of KataGo's: {KATAGO} must name the folder of these nets"
        stage = words.index("--game")  # its words stand before the window's options
        command = [sys.executable, "-m", module, *_in(words[:stage], work), *usual, *_in(words[stage:], work)]
        try:
            done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=LONGEST_S, check=False)
        except subprocess.TimeoutExpired:
            return f"{name} took more than {LONGEST_S:.0f} s"
    if done.returncode != 0:
        return f"{name}: {done.stderr.strip() or done.returncode}"
    shrink(path)
    return ""


def _in(words: Iterable[str], work: Path) -> list[str]:
    return [word.format(work=work, katago=os.environ.get(KATAGO, "")) for word in words]


def shrink(path: Path) -> None:
    """Write a PNG file again with at most ``COLOURS`` colours, a third as large."""
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()) & 0xFFFFFF
    colours, place, count = np.unique(pixels, return_inverse=True, return_counts=True)
    parts = np.stack([colours >> 16, colours >> 8 & 0xFF, colours & 0xFF], axis=1).astype(np.float32)
    chosen = [int(np.argmax(count))]
    apart = ((parts - parts[chosen[0]]) ** 2).sum(axis=1)  # squared distance to the nearest colour kept
    for _ in range(1, min(COLOURS, len(colours))):  # the colour that is missed most comes next
        chosen.append(int(np.argmax(apart * count)))
        apart = np.minimum(apart, ((parts - parts[chosen[-1]]) ** 2).sum(axis=1))
    nearest = np.argmin(((parts[:, None] - parts[chosen]) ** 2).sum(axis=2), axis=1).astype(np.uint8)
    data = np.ascontiguousarray(nearest[place].reshape(pixels.shape))
    small = QImage(data.data, image.width(), image.height(), image.width(), QImage.Format.Format_Indexed8)
    small.setColorTable([int(colour) | 0xFF000000 for colour in colours[chosen]])
    small.save(str(path), quality=0)


def languages() -> list[str]:
    """The languages whose texts can be drawn on this machine."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QGuiApplication.instance() or QGuiApplication([])
    chinese = QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese)
    del app
    return [ENGLISH, CHINESE] if chinese else [ENGLISH]


def main() -> int:
    """Take the pictures whose names are given, or all; returns how many failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(WINDOWS)} [all]")
    parser.add_argument("--into", type=Path, default=PICTURES, help="folder in which they are put")
    args = parser.parse_args()
    if wrong := [name for name in args.names if name not in WINDOWS]:
        parser.error(f"there is no picture {wrong[0]!r}; there are {', '.join(WINDOWS)}")
    failed = 0
    names, drawn = args.names or list(WINDOWS), languages()
    if CHINESE not in drawn:
        print("There is no Chinese font here: pictures with Chinese texts are not taken.")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for needed in (NEEDED[name] for name in names if name in NEEDED):
            subprocess.run([sys.executable, "-m", "gui.app", *_in(needed, work)], check=True)
        for name in names:
            for language in drawn:
                for theme in THEMES:
                    why = take(name, language, theme, args.into, work)
                    failed += bool(why)
                    print(why or f"{name}, {language}, {theme}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
