"""House rules that ruff cannot check.  ``python tests/rules.py`` lists every breach; part of ``make lint``.

In ``gui``:

- ``itemAt`` and ``takeAt`` make a Python wrapper of a layout item, which Qt frees without notifying Python: a later
  object at its address is then mistaken for it.  Use ``layout.children()``; remove a widget with ``removeWidget``.
- Nothing but a widget's own ``closeEvent`` reacts to ``QEvent.Type.Close``: a filter would see the event before the
  window refuses to close.  What ends with the window is connected to ``closing``.
- A Qt method is overridden in its class: ``gui.guard`` does not see an override assigned to an object.
- ``QComboBox`` and ``QSpinBox`` change when the wheel scrolls past them: make those of ``gui/widgets/form.py``.
- Qt writes a tooltip in one line, however long it is: those of ``gui/widgets/tips.py`` are broken.
- An error, a message and the values of a ``Text`` are not translated where they are made, which may be in a thread or
  before another language is chosen: they are a ``Text``, or a function, and translated where they are shown.

In ``core``, ``models`` and ``gui``:

- No string is a game's name, alone or with parameters, outside ``core/games`` and the tables of ``NAME_GAMES``: code
  asks a ``GameSpec`` for what it needs, so that a new game is one file and one entry in the catalog.

- Ray is imported inside functions: what is played or searched in this process never loads it.

In every package: an import circle has at most two files, imports under ``TYPE_CHECKING`` included, and no two classes
that other files may use (without a leading underscore) have one name.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from grimp import ImportGraph, build_graph

ROOT = Path(__file__).parents[1]
PACKAGES = ("core", "models", "gui", "resources", "measure")
FREED_BY_QT = {"itemAt", "takeAt"}
TIPS = "gui/widgets/tips.py"
TAKE_WHEEL = {"QComboBox", "QSpinBox", "QDoubleSpinBox"}
# Where games are named, with the reason; a path that ends in / is a folder.
NAME_GAMES = {
    "core/files/ggf.py": "a format of this game alone",
    "core/files/renlib.py": "a format of this game alone",
    "core/files/wthor.py": "a format of this game alone",
    "gui/model/state.py": "the games that menus and lists offer",
    "gui/widgets/board/board_paint.py": "how each game looks",
    "measure/": "what is measured, and what others call it",
    "models/engines/nboard_client.py": "a command of its protocol is the word go",
    "models/engines/nboard_server.py": "a command of its protocol is the word go",
    "models/engines/engine_list.py": "what the test of an engine plays",
    "models/gym_env.py": "the default of the environment",
    "models/netfiles/recipe_guess.py": "programs whose nets it knows, one of which has games",
    "models/runs/config.py": "the default of a training run",
    "models/runs/presets.py": "how much the openings of each game vary",
    "models/strength/exam_tables.py": "which exams are made of each game",
}
TRANSLATING = {"tr", "core_text", "error_text", "game_title"}
CARRYING = {"failed", "notified", "show_error", "show_notice", "Text", "joined"}  # functions and signals
OVERRIDDEN = {"eventFilter", "paint", "sizeHint", "minimumSizeHint", "data", "rowCount", "columnCount", "headerData"}


class Source:
    """One file, looked through once for all rules, and only if one of them may be broken there."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def nodes(self) -> list[tuple[ast.AST, bool]]:
        """Each node, and whether it runs with the file: whether it is in no function."""
        found: list[tuple[ast.AST, bool]] = [(ast.parse(self.text), True)]
        for node, runs in found:  # it grows
            runs = runs and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            found += [(child, runs) for child in ast.iter_child_nodes(node)]
        return found


def breaches(source: Source) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong there)."""
    names, fields = "|".join({*FREED_BY_QT, *OVERRIDDEN}), "|".join(TAKE_WHEEL)
    seen = re.search(rf"\.\s*({names}|Close|\w+Event)\b|\b({fields})\s*\(", source.text)
    for node, _ in source.nodes if seen else ():
        if isinstance(node, ast.Attribute) and node.attr in FREED_BY_QT:
            yield node.lineno, f"{node.attr} wraps a layout item that Qt frees: use children() or removeWidget()"
        if isinstance(node, ast.Attribute) and node.attr == "Close" and ast.unparse(node.value).endswith("QEvent.Type"):
            yield node.lineno, "a filter for Close sees it before the window refuses to close: connect to closing"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TAKE_WHEEL:
            yield node.lineno, f"{node.func.id} takes the wheel without the focus: use that of gui/widgets/form.py"
        for target in _targets(node):
            if isinstance(target, ast.Attribute) and _is_override(target.attr):
                yield target.lineno, f"{target.attr} is assigned to an object: override it in its class"


def long_tips(source: Source) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong there)."""
    for node, _ in source.nodes if re.search(r"\b(setToolTip|showText)\b", source.text) else ():
        if isinstance(node, ast.Attribute) and node.attr in ("setToolTip", "showText"):
            yield node.lineno, f"{node.attr} leaves a tooltip in one line: use set_tip or show_tip of {TIPS}"


def translated_early(source: Source) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong there)."""
    for node, _ in source.nodes if re.search(r"\b(raise|emit|failed|Text|show_\w+|joined)\b", source.text) else ():
        if not isinstance(node, ast.Raise | ast.Call) or (isinstance(node, ast.Call) and _called(node) not in CARRYING):
            continue
        if any(isinstance(one, ast.Call) and _called(one) in TRANSLATING for one in _at_once(node)):
            yield node.lineno, "a message is translated before it is shown: make it a Text"


def _called(call: ast.Call) -> str:
    """The name of the function that is called; of a signal that is emitted, the name of the signal."""
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr == "emit":
        function = function.value
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _at_once(node: ast.AST) -> Iterator[ast.AST]:
    """What is evaluated with a node: all below it but functions."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.Lambda):
            yield child
            yield from _at_once(child)


def circles(graph: ImportGraph, largest: int = 2) -> list[list[str]]:
    """Sets of more than ``largest`` modules each of which imports every other, directly or through others."""
    upstream = {module: graph.find_upstream_modules(module) for module in graph.modules}
    found = {frozenset({m, *(other for other in upstream[m] if m in upstream[other])}) for m in graph.modules}
    return sorted(sorted(circle) for circle in found if len(circle) > largest)


def same_names(sources: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    """(Name, its files) of each public class at the top of several ``sources``, which are file -> text."""
    files: dict[str, list[str]] = {}
    for file, text in sources.items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                files.setdefault(node.name, []).append(file)
    return [(name, places) for name, places in sorted(files.items()) if len(places) > 1]


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign) and node.value is not None else []


def _is_override(name: str) -> bool:
    return name in OVERRIDDEN or name.endswith("Event")


def families(root: Path = ROOT) -> frozenset[str]:
    """The names of the games, which stand first in each ``GameFamily(...)`` of ``core/games``."""
    found = set()
    for path in (root / "core" / "games").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "GameFamily":
                found.add(ast.literal_eval(node.args[0]))
    return frozenset(found)


def loads_ray(source: Source) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong there)."""
    for node, runs in source.nodes if re.search(r"\bray\b", source.text) else ():
        if runs and isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            if any(name.partition(".")[0] == "ray" for name in names):
                yield node.lineno, "Ray is imported with the file: import it inside a function"


def named_games(source: Source, games: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong there)."""
    any_name = "|".join(sorted(games))
    name = re.compile(rf"\s*({any_name})\s*(\(.*\))?\s*", re.IGNORECASE)
    seen = re.search(rf"""["'](\\.|\s)*({any_name})\b""", source.text, re.IGNORECASE)
    for node, _ in source.nodes if seen else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and name.fullmatch(node.value):
            yield node.lineno, f"{node.value!r} is a game's name: ask the GameSpec for what matters here"


def _is_checked_for_games(path: str) -> bool:
    allowed = ("core/games/", *NAME_GAMES)
    return not any(path.startswith(place) if place.endswith("/") else path == place for place in allowed)


def all_breaches(root: Path = ROOT) -> Iterator[tuple[str, int, str]]:
    """(file, line, what is wrong there)."""
    games = families(root)
    for package in ("core", "models", "gui"):
        for path in sorted((root / package).rglob("*.py")):
            source, place = Source(path.read_text(encoding="utf-8")), path.relative_to(root).as_posix()
            found = [*breaches(source), *translated_early(source)] if package == "gui" else []
            found += long_tips(source) if package == "gui" and place != TIPS else ()
            found += loads_ray(source)
            if _is_checked_for_games(place):
                found += named_games(source, games)
            yield from ((place, line, what) for line, what in found)


def main() -> int:
    count = 0
    for place, line, what in all_breaches():
        print(f"{place}:{line}: {what}")
        count += 1
    sys.path.insert(0, str(ROOT))
    for circle in circles(build_graph(*PACKAGES)):
        print(f"{len(circle)} files import each other in a circle: {', '.join(circle)}")
        count += 1
    for package in PACKAGES:
        paths = sorted((ROOT / package).rglob("*.py"))
        sources = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}
        for name, files in same_names(sources):
            print(f"{len(files)} classes are named {name}: {', '.join(files)}")
            count += 1
    print(f"{count} breaches of the house rules" if count else "The house rules hold.")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
