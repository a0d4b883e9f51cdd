"""Keeps the catalogues.  ``python -m gui.shell.translations`` finds every text and compiles what is translated.

Found are the texts given to ``tr``, ``mark``, ``set_texts`` and ``Text``, those at known places of the tables' rows,
and those of known tables.  A text that is gone leaves the file; a new one is written without translation.  Knows the
source, no window.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from core.games import load_game
from core.games.catalog import OWN_GAMES
from core.search.settings import SETTINGS as SEARCH_SETTINGS
from gui.language.language import CONTEXT, TRANSLATED, translations
from gui.rooms.training.settings_form import english_title
from models.runs.config import GROUPS, SETTINGS

GUI: Final = Path(__file__).parents[1]
# Calls with texts: their positions or keywords.
ROWS: Final[dict[str, tuple[int | str, ...]]] = {
    "tr": (0,),
    "mark": (0,),
    "set_texts": (
        "text",
        "title",
        "windowTitle",
        "toolTip",
        "accessibleName",
        "accessibleDescription",
        "placeholderText",
    ),
    "main_button": (0,),
    "make_label": (2,),
    "scroll_down": (2,),
    "Text": (0,),
    "Row": (1,),
    "Entry": (1, 2),
    "Column": (1, 2),
    "setting_field": (1, 2, "choices", "check"),
    "FieldGroup": (0,),
    "RunChart": (1, 2, 3, "title", "unit", "meaning"),
    "Curve": (1,),
    "Card": (0, 1),
    "Kind": (2,),
}
PAIRS: Final = {("setting_field", 2), ("setting_field", "choices")}  # pairs of a value and its title
# Tables whose values are texts.
TABLES: Final = {
    "OVERLAY_TITLES",
    "OVERLAY_TIPS",
    "PARAMETER_TITLES",
    "FIXED",
    "LEVELS",
    "MOUSE",
    "BOARD",
    "CHART",
    "PROOFS",
    "PRECISIONS",
    "PRESET_TIPS",
    "PRESET_TITLES",
    "PAGE_TIPS",
    "PLANES",
    "_MEANINGS",
    "COLUMNS",
    "HOW",
    "STAGES",
    "SUMMARY_ROWS",
    "UNITS",
    "DELAYS",
}
SYMBOLS: Final = re.compile(r"[^A-Za-z]*([A-Za-z]?[^A-Za-z]*)|[a-z0-9]*_[a-z0-9_]*")


def texts() -> list[str]:
    """Return every text of the window once, in the order of the files."""
    found: dict[str, None] = {}
    for path in sorted(GUI.rglob("*.py")):
        for text in texts_of(ast.parse(path.read_text(encoding="utf-8"))):
            if not SYMBOLS.fullmatch(text):
                found.setdefault(text)
    for folder in ("core", "models"):
        for path in sorted((GUI.parent / folder).rglob("*.py")):
            for text in templates_of(ast.parse(path.read_text(encoding="utf-8"))):
                found.setdefault(text)
    games = (family.title for family in OWN_GAMES.values())
    encodings = (one for family in OWN_GAMES.values() if family.small for one in load_game(family.small).encodings)
    inputs = (text for one in encodings for text in (*one.planes, *one.features))
    searching = (text for one in SEARCH_SETTINGS for text in (one.unit, one.meaning))
    training = (text for one in SETTINGS for text in (english_title(one.name), one.unit, one.meaning))
    for text in (*games, *inputs, *searching, *GROUPS, *training):
        if text and not SYMBOLS.fullmatch(text):
            found.setdefault(text)
    return list(found)


def templates_of(tree: ast.AST) -> Iterator[str]:
    """Yield the templates of ``core.text.Text`` in one file that are whole literals."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Text" and node.args:
            yield from _values(node.args[0])


def texts_of(tree: ast.AST) -> Iterator[str]:
    """Yield the texts of one file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            places = ROWS.get(name, ())
            given: list[tuple[int | str | None, ast.expr]]
            given = [(p, node.args[p]) for p in places if isinstance(p, int) and p < len(node.args)]
            given += [(k.arg, k.value) for k in node.keywords if k.arg in places]
            for place, expression in given:
                for text in _titles(expression) if (name, place) in PAIRS else _values(expression):
                    yield from _menus(text) if (name, place) == ("Entry", 1) else (text,)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id in TABLES for target in targets):
                yield from _values(node.value)


def _menus(path: str) -> Iterator[str]:
    """Yield the titles of a menu and of its parent."""
    above, _, title = path.lstrip("-").partition("/")
    yield f"&{above}"
    if title:
        yield title


def _titles(node: ast.AST) -> Iterator[str]:
    """Yield the second of each pair."""
    for pair in getattr(node, "elts", ()):
        yield from _values(pair.elts[1])


def _values(node: ast.AST) -> Iterator[str]:
    """Yield the constant texts in an expression, without keys of dictionaries."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str) and node.value:
            yield node.value
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _values(value)
    elif isinstance(node, ast.Tuple | ast.List | ast.IfExp | ast.Starred | ast.BoolOp):
        for part in ast.iter_child_nodes(node):
            yield from _values(part)


def read(path: Path) -> dict[str, str]:
    """Read the texts of a Linguist file with their translations, "" for none."""
    root = ElementTree.parse(path).getroot()
    return {m.findtext("source") or "": m.findtext("translation") or "" for m in root.iter("message")}


def write(path: Path, language: str, pairs: dict[str, str]) -> None:
    """Write a Linguist file; texts without a translation are marked as unfinished."""
    root = ElementTree.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ElementTree.SubElement(root, "context")
    ElementTree.SubElement(context, "name").text = CONTEXT
    for source, translation in pairs.items():
        message = ElementTree.SubElement(context, "message")
        ElementTree.SubElement(message, "source").text = source
        done = ElementTree.SubElement(message, "translation", {} if translation else {"type": "unfinished"})
        done.text = translation
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8")


def release(source: Path, target: Path) -> None:
    """Compile a Linguist file with Qt's lrelease, which comes with PySide6.

    The compiled file is replaced as a whole: a window that is open has the old one mapped into its memory.
    """
    import PySide6

    tool = Path(PySide6.__file__).parent / ("lrelease.exe" if os.name == "nt" else "lrelease")
    made = target.with_name(f"{target.name}.new")
    subprocess.run([str(tool), "-silent", str(source), "-qm", str(made)], check=True)
    made.replace(target)


def main() -> int:
    """Update each language's catalogue and compile it; prints the texts without a translation."""
    found = texts()
    for language in TRANSLATED:
        path = translations() / f"plyscope_{language}.ts"
        known = read(path) if path.is_file() else {}
        pairs = {text: known.get(text, "") for text in found}
        write(path, language, pairs)
        release(path, path.with_suffix(".qm"))
        missing = [text for text, translation in pairs.items() if not translation]
        for text in missing:
            print(f"not translated: {text!r}")
        print(f"{path.name}: {len(pairs)} texts, {len(missing)} without translation")
    return 0


if __name__ == "__main__":
    sys.exit(main())
