"""Keeps the catalogues.  ``python -m gui.shell.translations`` collects every text and compiles what is translated.

Collected is what stands in the source where ``core.text.Words`` is declared: an argument of a function or a class, a
field, an entry of a table.  A text that is gone leaves the file; a new one is written without translation.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from core.games import load_game
from core.games.catalog import OWN_GAMES
from core.search.settings import SETTINGS as SEARCH_SETTINGS
from gui.language.language import CONTEXT, ENGLISH, TRANSLATED, translations
from gui.rooms.training.settings_form import english_title
from models.runs.config import GROUPS, SETTINGS

PACKAGES: Final = tuple(Path(__file__).parents[2] / name for name in ("gui", "core", "models"))
SYMBOLS: Final = re.compile(r"[^A-Za-z]*([A-Za-z]?[^A-Za-z]*)|[a-z0-9]*_[a-z0-9_]*")


def texts() -> list[str]:
    """Return every text of the window once, in the order of the files."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for top in PACKAGES for path in sorted(top.rglob("*.py"))]
    collected = dict.fromkeys(texts_of(trees))
    games = (family.title for family in OWN_GAMES.values())
    encodings = [e for family in OWN_GAMES.values() if family.small for e in load_game(family.small).encodings]
    inputs = (text for encoding in encodings for text in (*encoding.planes, *encoding.features))
    searching = (text for setting in SEARCH_SETTINGS for text in (setting.unit, setting.meaning))
    training = (text for setting in SETTINGS for text in (english_title(setting.name), setting.unit, setting.meaning))
    collected |= dict.fromkeys((*games, *inputs, *searching, *GROUPS, *training))
    return [text for text in collected if text and not SYMBOLS.fullmatch(text)]


def plurals() -> list[str]:
    """Return the texts that depend on a number, ``tr(text, n)``."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGES[0].rglob("*.py")))
    literals = [
        text
        for call in (node for tree in trees for node in ast.walk(tree))
        if isinstance(call, ast.Call) and len(call.args) == 2 and getattr(call.func, "id", "") == "tr"
        if isinstance(text := getattr(call.args[0], "value", None), str)
    ]
    return list(dict.fromkeys(literals))


def texts_of(trees: list[ast.Module]) -> Iterator[str]:
    """Yield the texts of some files, by what is declared in any of them."""
    declared = Declared()
    for read in (declared.read_types, declared.read):
        for tree in trees:
            read(tree)
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                yield from declared.texts_for_bases(node)
            elif isinstance(node, ast.Call):
                yield from declared.texts_of_call(node, _called(node))
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                yield from declared.texts_in(node.value, node.annotation)


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


@dataclass
class Declared:
    """Where texts are declared: for each function and class the types of its arguments, and names of types."""

    arguments: dict[str, list[dict[int | str, ast.expr]]] = field(default_factory=dict)  # a list for equal names
    bases: dict[str, list[str]] = field(default_factory=dict)  # of classes without a constructor of their own
    types: dict[str, ast.expr] = field(default_factory=dict)

    def read_types(self, tree: ast.Module) -> None:
        """Note the names that one file gives to types, such as ``TextSource``."""
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and self._is_text(node.value):
                self.types[node.targets[0].id] = node.value

    def read(self, tree: ast.Module) -> None:
        """Note the arguments that one file declares."""
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                self._read_class(node)
            elif isinstance(node, ast.FunctionDef) and node.name != "__init__":  # of which class, texts_for_bases knows
                self._note(node.name, _arguments(node))

    def _read_class(self, node: ast.ClassDef) -> None:
        fields: dict[int | str, ast.expr] = {}
        for part in node.body:  # fields in their order, or the arguments of the constructor
            if isinstance(part, ast.FunctionDef) and part.name in ("__init__", "__new__"):
                fields = _arguments(part)
                break
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                fields[len(fields) // 2] = fields[part.target.id] = part.annotation
        else:
            self.bases.setdefault(node.name, []).extend(_bases(node))
        self._note(node.name, fields)

    def texts_for_bases(self, node: ast.ClassDef) -> Iterator[str]:
        """Yield the texts that a class gives to the constructor of one of its bases."""
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "super().__init__":
                for base in _bases(node):
                    yield from self.texts_of_call(call, base)

    def _note(self, name: str, types: dict[int | str, ast.expr]) -> None:
        types = {place: type_ for place, type_ in types.items() if self._is_text(type_)}
        if types:
            self.arguments.setdefault(name, []).append(types)

    def _is_text(self, type_: ast.expr) -> bool:
        names = {node.id for node in ast.walk(type_) if isinstance(node, ast.Name)}
        return not names.isdisjoint({"Words", "MenuPath", *self.types})

    def texts_of_call(self, call: ast.Call, name: str) -> Iterator[str]:
        """Yield the texts among the arguments of a call of ``name``."""
        for base in self.bases.get(name, ()):
            yield from self.texts_of_call(call, base)
        for types in self.arguments.get(name, ()):
            values: list[tuple[ast.expr | None, ast.expr]] = [
                (types.get(i), value) for i, value in enumerate(call.args)
            ]
            values += [(types.get(k.arg, types.get("**")), k.value) for k in call.keywords if k.arg]
            for type_, value in values:
                if type_ is not None:
                    yield from self.texts_in(value, type_)

    def texts_in(self, value: ast.expr, type_: ast.expr) -> Iterator[str]:
        """Yield the texts that are literals in an expression of some type."""
        match value, type_:
            case ast.IfExp(), _:
                yield from self.texts_in(value.body, type_)
                yield from self.texts_in(value.orelse, type_)
            case ast.BoolOp(), _:
                for operand in value.values:
                    yield from self.texts_in(operand, type_)
            case ast.Constant(value=str(text)), ast.Name(id="Words") if text:
                yield text
            case ast.Constant(value=str(path)), ast.Name(id="MenuPath") if path:
                above, _, title = path.lstrip("-").partition("/")
                yield from (f"&{above}", title)
            case _, ast.Name(id=name) if name in self.types:
                yield from self.texts_in(value, self.types[name])
            case _, ast.BinOp():
                yield from self.texts_in(value, type_.left)
                yield from self.texts_in(value, type_.right)
            case _, ast.Subscript(value=ast.Name(id=name), slice=of):
                yield from self._texts_inside(value, name, of.elts if isinstance(of, ast.Tuple) else [of])

    def _texts_inside(self, value: ast.expr, name: str, types: list[ast.expr]) -> Iterator[str]:
        """Yield the texts of a value whose type is ``name[types]``."""
        if name in ("Final", "ClassVar"):
            yield from self.texts_in(value, types[0])
        elif isinstance(value, ast.Dict) and len(types) == 2:
            for part in value.values:
                yield from self.texts_in(part, types[1])
        elif isinstance(value, ast.Tuple | ast.List):
            many = name != "tuple" or ast.unparse(types[-1]) == "..."
            for place, part in enumerate(value.elts):
                if isinstance(part, ast.Starred):
                    yield from self._texts_inside(part.value, name, types)
                elif many or place < len(types):
                    yield from self.texts_in(part, types[0 if many else place])


def _bases(node: ast.ClassDef) -> list[str]:
    """Return the names of a class's bases, without their type arguments."""
    return [ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases]


def _arguments(function: ast.FunctionDef) -> dict[int | str, ast.expr]:
    """Return the types of a function's arguments, by place and by name; "**" for those of any name."""
    places = [*function.args.posonlyargs, *function.args.args]
    if places and places[0].arg in ("self", "cls"):
        places = places[1:]
    types: dict[int | str, ast.expr] = {}
    for place, argument in enumerate(places):
        if argument.annotation is not None:
            types[place] = types[argument.arg] = argument.annotation
    types |= {a.arg: a.annotation for a in function.args.kwonlyargs if a.annotation is not None}
    if function.args.kwarg is not None and function.args.kwarg.annotation is not None:
        types["**"] = function.args.kwarg.annotation
    return types


def read(path: Path) -> dict[str, str]:
    """Read the texts of a Linguist file with their translations, English ones with their singular; "" for none."""
    root = ElementTree.parse(path).getroot()
    return {
        m.findtext("source") or "": m.findtext("translation/numerusform") or (m.findtext("translation") or "").strip()
        for m in root.iter("message")
    }


def write(path: Path, language: str, pairs: dict[str, str]) -> None:
    """Write a Linguist file; texts without a translation are marked as unfinished.

    An English text is the plural; its translation is the singular.
    """
    root = ElementTree.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ElementTree.SubElement(root, "context")
    ElementTree.SubElement(context, "name").text = CONTEXT
    for source, translation in pairs.items():
        message = ElementTree.SubElement(context, "message")
        ElementTree.SubElement(message, "source").text = source
        done = ElementTree.SubElement(message, "translation", {} if translation else {"type": "unfinished"})
        if language == ENGLISH:
            message.set("numerus", "yes")
            for form in (translation, source):
                ElementTree.SubElement(done, "numerusform").text = form
        else:
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
    compiled = target.with_name(f"{target.name}.new")
    subprocess.run([str(tool), "-silent", str(source), "-qm", str(compiled)], check=True)
    compiled.replace(target)


def main() -> int:
    """Update each language's catalogue and compile it; prints the texts without a translation."""
    for language in (ENGLISH, *TRANSLATED):
        path = translations() / f"plyscope_{language}.ts"
        before = read(path) if path.is_file() else {}
        pairs = {text: before.get(text, "") for text in (plurals() if language == ENGLISH else texts())}
        write(path, language, pairs)
        release(path, path.with_suffix(".qm"))
        missing = [text for text, translation in pairs.items() if not translation]
        for text in missing:
            print(f"not translated: {text!r}")
        print(f"{path.name}: {len(pairs)} texts, {len(missing)} without translation")
    return 0


if __name__ == "__main__":
    sys.exit(main())
