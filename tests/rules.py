"""House rules that ruff cannot check.  ``python tests/rules.py`` lists every breach; part of ``make lint``.

In ``gui``:

- ``itemAt`` and ``takeAt`` make a Python wrapper of a layout item, which Qt frees without notifying Python: a later
  object at its address is then mistaken for it.  Use ``layout.children()``; remove a widget with ``removeWidget``.
- A Qt method is overridden in its class: ``gui.guard`` does not see an override assigned to an object.

In every package: an import circle has at most two files, imports under ``TYPE_CHECKING`` included.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from grimp import ImportGraph, build_graph

ROOT = Path(__file__).parents[1]
PACKAGES = ("core", "models", "gui", "resources", "measure")
FREED_BY_QT = {"itemAt", "takeAt"}
OVERRIDDEN = {"eventFilter", "paint", "sizeHint", "minimumSizeHint", "data", "rowCount", "columnCount", "headerData"}


def breaches(source: str) -> Iterator[tuple[int, str]]:
    """(line, what is wrong there)."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in FREED_BY_QT:
            yield node.lineno, f"{node.attr} wraps a layout item that Qt frees: use children() or removeWidget()"
        for target in _targets(node):
            if isinstance(target, ast.Attribute) and _is_override(target.attr):
                yield (
                    node.lineno,
                    f"{target.attr} is assigned to an object: override it in its class",
                )


def circles(graph: ImportGraph, largest: int = 2) -> list[list[str]]:
    """Sets of more than ``largest`` modules each of which imports every other, directly or through others."""
    upstream = {module: graph.find_upstream_modules(module) for module in graph.modules}
    found = {frozenset({m, *(other for other in upstream[m] if m in upstream[other])}) for m in graph.modules}
    return sorted(sorted(circle) for circle in found if len(circle) > largest)


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign) and node.value is not None else []


def _is_override(name: str) -> bool:
    return name in OVERRIDDEN or name.endswith("Event")


def main() -> int:
    count = 0
    for path in sorted((ROOT / "gui").rglob("*.py")):
        for line, what in breaches(path.read_text(encoding="utf-8")):
            print(f"{path.relative_to(ROOT)}:{line}: {what}")
            count += 1
    sys.path.insert(0, str(ROOT))
    for circle in circles(build_graph(*PACKAGES)):
        print(f"{len(circle)} files import each other in a circle: {', '.join(circle)}")
        count += 1
    print(f"{count} breaches of the house rules" if count else "The house rules hold.")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
