"""House rules that ruff cannot check.  ``python tests/rules.py`` names every breach in ``gui``; part of ``make lint``.

- ``itemAt`` and ``takeAt`` make a Python wrapper of a layout item, which Qt frees without a word to Python: a later
  object at its address is then taken for it.  Look at ``layout.children()``; take a widget out with ``removeWidget``.
- An override of a Qt method stands in its class: ``gui.guard`` does not see one that is given to an object.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FREED_BY_QT = {"itemAt", "takeAt"}
OVERRIDDEN = {"eventFilter", "paint", "sizeHint", "minimumSizeHint", "data", "rowCount", "columnCount", "headerData"}


def breaches(source: str) -> Iterator[tuple[int, str]]:
    """(line, what is wrong there)."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in FREED_BY_QT:
            yield node.lineno, f"{node.attr} wraps a layout item that Qt frees: use children() or removeWidget()"
        for target in _targets(node):
            if isinstance(target, ast.Attribute) and _is_override(target.attr):
                yield node.lineno, f"{target.attr} is given to an object: override it in its class, where it is guarded"


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
    print(f"{count} breaches of the house rules" if count else "The house rules hold.")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
