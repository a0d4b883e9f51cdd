"""A training run as the page that watches it is fed: its running games, its progress, the curves of its reports."""

import json
import re
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from core.checks import is_number
from core.files.page import ASKS, scripted_page
from core.files.page_words import ENGLISH, LANGUAGES, in_language
from core.files.reading import BadFile, open_plain
from core.games import GameSpec, Position, load_game
from models.play.live import LiveGame, read_live
from models.runs.config import read_settings
from models.runs.folder import LIVE, REPORTS, RUN_TOML, running
from models.runs.reports import Report, parse_report

LOOK_S: Final = 0.5  # between two looks at the folder
MOST_POINTS: Final = 400  # of a curve
MOST_MOVES: Final = 24  # of a position
_SCRIPTS: Final = ("words.js", "board.js", "live.js", "run.js")
_NET: Final = re.compile(r"step-(\d{1,15})", re.ASCII)  # a kept net as a player of the ladder
# Chart -> figures of iterations, its lines.
_CHARTS: Final = {"chart_policy": ("policy_loss", "target_entropy"), "chart_value": ("value_loss",)}
_FARTHEST: Final = 1e15  # absolute value of a figure
Points = list[list[float]]  # [iteration or step, value]


class RunFeed:
    """The page of a run.  The folder is looked at when a browser asks, at most every ``LOOK_S``."""

    def __init__(self, folder: Path) -> None:
        """BadFile for a folder without a run."""
        if not (folder / RUN_TOML).is_file():
            raise BadFile(f"{folder} is no folder of a training run: it has no {RUN_TOML}")
        game = read_settings(folder / RUN_TOML).get("game")
        if not isinstance(game, str):
            raise BadFile(f"{folder / RUN_TOML} does not say the game")
        self._game, self._folder = load_game(game), folder
        self._lock = threading.Lock()  # guards what follows
        self._curves = _Curves(folder / REPORTS)
        self._next_s = 0.0
        self._version, self._data = 0, b""
        self._shown: dict[str, Any] = {}

    def page(self) -> bytes:
        """The page, which asks for all that it shows."""
        return scripted_page(self._folder.resolve().name, self._game, "run.html", _SCRIPTS, ASKS)

    def newer(self, version: int, wait_s: float) -> bytes | None:
        """As ``page_server.Feed``: the whole state as JSON once it is another."""
        end = time.monotonic() + wait_s
        while True:
            with self._lock:
                self._look()
                if version != self._version:
                    return self._data
            if time.monotonic() >= end:
                return None
            time.sleep(min(LOOK_S, wait_s))

    def _look(self) -> None:
        if time.monotonic() < self._next_s:
            return
        self._curves.read()
        process = running(self._folder)
        shown = {
            "phase": None if process is None else _in_languages(process.phase),
            "game": _in_languages(self._game.title),
            "progress": self._curves.progress,
            "charts": self._curves.charts(),
            "games": [] if process is None else list(_games(read_live(self._folder / LIVE), self._game)),
        }
        self._next_s = time.monotonic() + LOOK_S
        if shown != self._shown:
            self._version += 1
            self._shown = shown
            self._data = json.dumps(shown | {"version": self._version}, allow_nan=False).encode("utf-8")


def _in_languages(text: str) -> dict[str, str]:
    return {language: in_language(text, language) for language in (ENGLISH, *LANGUAGES)}


def _games(games: Iterable[LiveGame], game: GameSpec) -> Iterable[dict[str, Any]]:
    """The running games for JSON; those whose moves this game does not have are left out, as on other boards."""
    for live in games:
        position = game.initial()
        try:
            for action in (*live.start, *live.moves):
                position = position.play(action)
        except ValueError:
            continue
        yield {
            "id": live.id,
            "cells": None if game.board.text is not None else position.cells().ravel().tolist(),
            "text": "" if game.board.text is None else position.diagram(),
            "toMove": position.to_move,
            "last": position.last_action,
            "ply": position.ply,
            "value": live.value,
            "moves": _moves(live, position),
        }


def _moves(live: LiveGame, position: Position) -> list[list[Any]]:
    legal = set(position.legal_actions())
    names = position.game.action_names
    return [[names[action], action, *figures] for action, *figures in live.moves_figures if action in legal][
        :MOST_MOVES
    ]


class _Curves:
    """The curves of a file of reports that grows; each look reads what is new."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._forget()

    def _forget(self) -> None:
        self._read = 0  # bytes
        self._lines: dict[str, dict[str, Points]] = {}  # chart -> line -> its points
        self._played: set[str] = set()
        self.progress: dict[str, Any] = {}  # iteration, step, games of the newest iteration

    def read(self) -> None:
        """Read the lines that are new; a file that became shorter is another one."""
        try:
            with open_plain(self._path) as file:
                if file.seek(0, 2) < self._read:
                    self._forget()
                file.seek(self._read)
                data = file.read()
        except (OSError, ValueError):
            return
        whole = data.rfind(b"\n") + 1
        self._read += whole
        for line in data[:whole].splitlines():
            report = parse_report(line)
            if report is not None:
                self._take(report)

    def _take(self, report: Report) -> None:
        match report["event"]:
            case "iteration":
                self.progress = {name: report.get(name) for name in ("iteration", "step", "games_total")}
                for chart, names in _CHARTS.items():
                    for name in names:
                        self._add(chart, name, report["iteration"], report.get(name))
            case "exam":
                for name, result in report["results"].items():
                    if result["of"]:
                        self._add("chart_exams", name, report["step"], 100 * result["right"] / result["of"])
            case "match":
                self._played.update(report["players"])
            case "ladder":
                rated = [(int(step[1]), rating[0], name) for name, rating in report["ratings"].items()
                         if (step := _NET.fullmatch(name)) and name in self._played]  # fmt: skip
                self._lines["chart_elo"] = {"elo": [[float(step), float(elo)] for step, elo, _ in sorted(rated)]}

    def _add(self, chart: str, line: str, place: float, value: Any) -> None:
        if is_number(value, -_FARTHEST, _FARTHEST):
            self._lines.setdefault(chart, {}).setdefault(line, []).append([float(place), float(value)])

    def charts(self) -> dict[str, dict[str, Points]]:
        """The charts in their order, each with its lines; of long ones some points are left out."""
        return {
            chart: {name: _thinned(points) for name, points in self._lines[chart].items()}
            for chart in (*_CHARTS, "chart_elo", "chart_exams")
            if chart in self._lines
        }


def _thinned(points: Points) -> Points:
    """At most about ``MOST_POINTS`` of the points, the last among them."""
    every = -(-len(points) // MOST_POINTS) or 1
    return points[::-1][::every][::-1]
