"""Parser and writer of the SGF syntax: trees of nodes with properties.

FF[4] (red-bean.com/sgf): a file is a list of game trees ``( ; node ; node ( variation ) ( variation ) )``, a node a
list of properties ``IDENT[value][value]``.  Values are kept raw until they are interpreted.  Reading never raises:
``report`` is called with each error, and everything readable is kept.
"""

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from core.text import Text

MAX_BYTES: Final = 64 << 20
MAX_NODES: Final = 100_000
_NODES_A_LINE: Final = 10
_MOST_ERRORS: Final = 20  # syntax errors of one tree that are reported with their place
_MOST_ERRORS_IN_ALL: Final = 200
# Character sets that programs extend without saying so, by the superset with which they are read.
_LARGER: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "cp950",
}

Report = Callable[[str], None]

# The first group is a run of nodes that have one move each, as most do.
_TOKEN = re.compile(
    r"\s++|((?:;[BW]\[[a-z]{2}\]\s*+)++)|([();])|([0-9]*+[A-Za-z][A-Za-z0-9_]*+)"
    r"|\[((?:[^\]\\]++|\\.)*+)(\]?)|([^\s();A-Za-z\[]++)",
    re.DOTALL,
)
_MOVE = re.compile(r"([BW])\[(..)")
_BEGINNING = re.compile(r"\(\s*;")
_CHARSET = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([A-Za-z0-9_.:+ -]{1,40}?)\s*\]")
_ENCODINGS: Final = re.compile(
    r"utf-(8|16|32)(-le|-be|-sig)?|ascii|iso8859-\d+|cp\d+|windows-\d+|gb2312|gbk|gb18030|hz|big5(hkscs)?|shift_jis\w*"
    r"|euc[_-](jp|kr|jis)\w*|iso2022_\w+|koi8-[ru]|mac-\w+|johab"
)
_ESCAPED = re.compile(r"\\(\n|.)", re.DOTALL)


@dataclass(slots=True)
class SgfNode:
    """One node: its properties with raw values, and the indices of its parent and children."""

    parent: int
    properties: dict[str, list[str]] = field(default_factory=dict)
    children: list[int] = field(default_factory=list)


SgfTree = list[SgfNode]  # in the order of the file; [0] is the root


def decode(data: bytes, report: Report) -> str:
    """Decode a file: by its byte order mark, by the CA property, as UTF-8, as GB 18030 when all high bytes come in
    pairs as in Chinese text, or as ISO-8859-1, the default of the format.  Some sets are read as their supersets: files
    with CA[GB2312] contain characters that only GB 18030 has."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if data.startswith(mark):
            return decode_stated(data[len(mark) :], encoding, report)
    if named := _CHARSET.search(data[:4096]):
        name = named[1].decode("ascii")
        if (charset := known_encoding(name)) is not None:
            return decode_stated(data, charset, report)
        report(Text("its encoding {name!r} is not known", name=name))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    high = re.findall(rb"[\x80-\xff]+", data)
    if all(len(run) % 2 == 0 and min(run) >= 0xA1 for run in high):
        try:
            text = data.decode("gb18030")
        except UnicodeDecodeError:
            pass
        else:
            report(_guessed("GB 18030"))
            return text
    report(_guessed("ISO-8859-1"))
    return decode_stated(data, _LARGER["iso8859-1"], report)


def _guessed(encoding: str) -> Text:
    return Text("it does not say how its text is encoded; it was read as {encoding}", encoding=encoding)


def known_encoding(name: str) -> str | None:
    """The codec of a character set, perhaps of its superset; None for a name that is not known."""
    try:
        codec = codecs.lookup(name.replace(" ", "")).name
    except LookupError:
        return None
    return _LARGER.get(codec, codec) if _ENCODINGS.fullmatch(codec) else None


def decode_stated(data: bytes, encoding: str, report: Report) -> str:
    """Decode a file in the encoding that it states; what cannot be decoded is replaced and reported."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == _LARGER["iso8859-1"]:  # cp1252 leaves five bytes undefined
            return data.decode("latin-1")
        report(
            Text(
                "byte {start} and perhaps others are not {encoding}; they became \N{REPLACEMENT CHARACTER}",
                start=error.start,
                encoding=encoding,
            )
        )
        return data.decode(encoding, "replace")


def parse(text: str, report: Report) -> list[SgfTree]:
    """Parse the game trees of a text; other text before, between and after them is ignored."""
    trees: list[SgfTree] = []
    at = 0
    room = MAX_NODES
    reported = [0]
    while (begin := _BEGINNING.search(text, at)) is not None and room > 0:
        tree, at = _parse_tree(text, begin.start(), report, room, reported)
        room -= len(tree)
        trees.append(tree)
    if not trees and (bare := re.search(r";\s*[A-Z]{1,2}\s*\[", text)):
        report("the bracket before the first node is missing")
        trees.append(_parse_tree(text, bare.start(), report, room, reported)[0])
    return trees


def _parse_tree(text: str, at: int, report: Report, room: int, all_reported: list[int]) -> tuple[SgfTree, int]:
    """Parse one tree from ``at`` on: (the tree, the index after it).  ``all_reported`` counts the errors so far."""
    tree: SgfTree = []
    branches: list[int] = []  # the node each open bracket stands after
    node = -1
    values: list[str] | None = None  # of the property that is being read
    ident = ""
    depth = 0
    reported = 0

    def report_at(what: str, where: int) -> None:
        nonlocal reported
        reported += 1
        if reported <= _MOST_ERRORS and all_reported[0] < _MOST_ERRORS_IN_ALL:
            all_reported[0] += 1
            line = text.count("\n", 0, where) + 1
            report(f"{what} at {text[where : where + 12]!r} in line {line}")

    for token in _TOKEN.finditer(text, at):
        run, mark, word, value, end, odd = token.groups()
        if (run or mark or word) and values is not None and not values:
            report_at(f"property {ident} has no value", token.start())
        if run and len(tree) < room:
            moves = _MOVE.findall(run)
            first, above = len(tree), node
            nodes = (SgfNode(i - 1, {ident: [move]}, [i + 1]) for i, (ident, move) in enumerate(moves, first))
            tree += islice(nodes, room - first)
            tree[first].parent, node = above, len(tree) - 1
            if above >= 0:
                tree[above].children.append(first)
            tree[node].children.clear()
            ident, values = next(iter(tree[node].properties.items()))
            if len(moves) == len(tree) - first:
                continue
        if mark == "(":
            branches.append(node)
            depth += 1
        elif mark == ")":
            depth -= 1
            if depth <= 0:
                return _whole(tree), token.end()
            node = branches.pop()
        elif (
            run
            or mark == ";"
            or (mark is None and (word or value is not None) and node == (branches[-1] if branches else -1))
        ):
            if not run and mark != ";":
                report_at("a variation begins without ';'", token.start())
            if len(tree) >= room:
                report(f"it has more than {MAX_NODES} nodes; the rest was not read")
                return _whole(tree), len(text)
            tree.append(SgfNode(node))
            if node >= 0:
                tree[node].children.append(len(tree) - 1)
            node = len(tree) - 1
        if mark is not None:
            values, ident = None, ""
        elif word is not None:
            # FF[3] allowed lower-case letters in names of properties: "Black" is B.
            ident = word if word.isupper() else "".join(c for c in word if not c.islower()) or word.upper()
            values = []
        elif value is not None:
            if values is None:
                report_at("a value has no property", token.start())
            else:
                if not values:
                    values = tree[node].properties.setdefault(ident, [])
                values.append(value)
            if not end:
                report("it ends inside a value, which has no ']'")
        elif odd is not None:
            report_at("it is no SGF", token.start())
    if values is not None and not values and ident:
        report(f"it ends after the name of property {ident}")
    report("it ends inside a game: a ')' is missing")
    return _whole(tree), len(text)


def _whole(tree: SgfTree) -> SgfTree:
    return tree or [SgfNode(-1)]


def write_tree(tree: SgfTree, top: int = 0) -> str:
    """The SGF text of the tree at ``top``."""
    parts: list[str] = []
    stack: list[int | str] = [")", top, "("]
    in_line = 0
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            if item == "(" and parts:
                parts.append("\n")
                in_line = 0
            parts.append(item)
            continue
        if in_line == _NODES_A_LINE:
            parts.append("\n")
            in_line = 0
        in_line += 1
        node = tree[item]
        parts.append(";")
        for ident, values in node.properties.items():
            parts.append(ident)
            parts.extend(f"[{value}]" for value in values)
        if len(node.children) == 1:
            stack.append(node.children[0])
        else:
            for child in reversed(node.children):
                stack += (")", child, "(")
    return "".join(parts)


def unescape(raw: str, *, one_line: bool = False) -> str:
    """The text of a raw value (Text; SimpleText when ``one_line``)."""
    text = raw.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n")
    text = _ESCAPED.sub(lambda match: "" if match[1] == "\n" else match[1], text)
    return " ".join(text.split()) if one_line else text


def escape(text: str, *, composed: bool = False) -> str:
    """``text`` as a raw value; ``composed``: as a part of a value with a colon in it."""
    return re.sub(r"[\]\\:]" if composed else r"[\]\\]", r"\\\g<0>", text)
