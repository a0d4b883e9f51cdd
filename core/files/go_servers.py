"""Reads games of Go as servers write them: Tygem (.gib), WBaduk (.ngf) and PandaNet (.ugf, .ugi), as trees of SGF.

None of them has published its format.  Sources: senseis.xmp.net/?GIB, ?NGF and ?UGI, homepages.cwi.nl/~aeb/go/misc, the
files that Sabaki's tests read.

- GIB: lines ``\\[NAME=value\\]``; ``GAMEINFOMAIN`` and ``GAMETAG`` have the result (0, 1: by points, in tenths; 3, 4:
  resigned; 7, 8: on time) and the komi in tenths; ``INI 0 1 H`` has H handicap stones; ``STO 0 n player x y`` is a
  move, counted from 0 at the top left, ``SKI`` a pass.
- NGF: twelve lines (title, size, white, black, place, handicap, ?, whole points of komi, date, minutes, result, moves),
  then ``PMABBREER``: number, colour, and x, y, y, x from B at the top left; A is a pass.  Some begin each line of the
  head with GI and have another order there.
- UGF: sections; ``[Header]`` has ``Name=value`` lines, ``[Data]`` moves ``QP,B1,1,0`` (0: stones set up), from A at the
  left, and from the bottom where ``CoordinateType`` is IGS; Y and Z are passes; ``[Figure]`` and ``[ReviewComment]``
  have comments.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from core.checks import short
from core.files.reading import BadFile
from core.files.sgf_text import Report, SgfNode, SgfTree, decode_stated, escape, known_encoding
from core.games.go_sgf import handicap_cells
from core.text import Text

MAX_BYTES: Final = 4 << 20  # with the photographs that UGF has
_MOST_MOVES: Final = 20_000
_MOST_TEXT: Final = 20_000  # characters of one comment
_MOST_HANDICAP: Final = 9
_USUAL_SIZE: Final = 19
_MOST_SIZE: Final = 26
_BLACK, _WHITE = "B", "W"

# What words about players and results have, by encoding: most files do not say theirs.
_WORDS: Final[Mapping[str, str]] = {
    "gb18030": "黑白胜负目子段级",
    "cp949": "흑백승패집단급",
    "cp932": "黒白勝負目段級",
    "cp950": "黑白勝負目子段級",
}
_OF_COUNTRY: Final = {"korea": "cp949", "china": "gb18030", "japan": "cp932", "taiwan": "cp950"}


def read_tree(data: bytes, kind: str, report: Report) -> SgfTree:
    """The game of a file as a tree of SGF, whose moves are not checked; ``kind``: a key of ``READERS``.

    BadFile when it is none of its kind.
    """
    if len(data) > MAX_BYTES:
        raise BadFile(f"it has more than {MAX_BYTES} bytes")
    return READERS[kind](data, report)


class _Tree:
    """A game of one line as it is read."""

    def __init__(self, size: int = _USUAL_SIZE) -> None:
        self.size = size
        self.root: dict[str, list[str]] = {"GM": ["1"], "SZ": [str(size)]}
        self.nodes: SgfTree = [SgfNode(-1, self.root)]

    def set_text(self, ident: str, text: str) -> None:
        """Set a property of the root to a plain text; none for an empty one."""
        if text := " ".join(text.split())[:_MOST_TEXT]:
            self.root[ident] = [escape(text)]

    def move(self, colour: str, cell: tuple[int, int] | None) -> None:
        """Add a move at (column, row) from the top left, or a pass; a third one in a row is left out."""
        if cell is None and all([""] in node.properties.values() for node in self.nodes[-2:]) and len(self.nodes) > 2:
            return
        if len(self.nodes) > _MOST_MOVES:
            raise BadFile(f"it has more than {_MOST_MOVES} moves")
        last = len(self.nodes) - 1
        self.nodes[last].children.append(last + 1)
        self.nodes.append(SgfNode(last, {colour: [_point(cell) if cell else ""]}))

    @property
    def other(self) -> str:
        """The colour that did not move last; Black at first, White after a handicap."""
        before = next(iter(self.nodes[-1].properties)) if len(self.nodes) > 1 else ""
        return _WHITE if before == _BLACK or (not before and "AB" in self.root) else _BLACK

    def on_board(self, col: int, row: int) -> tuple[int, int] | None:
        """(column, row), None beside the board."""
        return (col, row) if 0 <= col < self.size and 0 <= row < self.size else None

    def handicap(self, count: int) -> None:
        """Set up handicap stones of which the file has only the number, once the moves are known.

        Servers put the third of three stones into either corner that is left: the one where no stone is played first.
        """
        if count < 2:
            return
        cells = [divmod(cell, self.size)[::-1] for cell in handicap_cells(self.size, self.size, count)]
        if not cells:
            raise BadFile(f"it has {count} handicap stones on a board of {self.size} lines")
        if count == 3:
            far = self.size - 1 - cells[0][0]
            corners = [_point((cells[0][0],) * 2), _point((far, far))]
            moves = (value for node in self.nodes[1:] for (value,) in node.properties.values())
            empty = next((word for word in moves if word in corners), corners[1])
            self.root["AB"] = [*map(_point, cells[:2]), corners[empty == corners[0]]]
        else:
            self.root["AB"] = list(map(_point, cells))
        self.root["HA"] = [str(count)]

    def comment(self, number: int, text: str) -> None:
        """Add a comment to the position after so many moves; a number beyond the last belongs to the last."""
        properties = self.nodes[min(number, len(self.nodes) - 1)].properties
        before = properties.get("C", [""])[0]
        if text and len(before) < _MOST_TEXT:
            properties["C"] = [f"{before}\n{escape(text[:_MOST_TEXT])}".lstrip("\n")]


def _point(cell: tuple[int, int]) -> str:
    return "".join(chr(ord("a") + part) for part in cell)


def _decode(data: bytes, stated: str, report: Report) -> str:
    """Decode a file: as UTF-8, else as ``stated``, else in the encoding that makes the most of such files' words."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    if stated:
        return decode_stated(data, stated, report)
    counts = {}
    for encoding, words in _WORDS.items():
        text = data.decode(encoding, "replace")
        counts[encoding] = sum(map(text.count, words)) - 2 * text.count("\N{REPLACEMENT CHARACTER}")
    best = max(counts, key=lambda encoding: counts[encoding])
    report(Text("it does not say how its text is encoded; it was read as {encoding}", encoding=best))
    return decode_stated(data, best, report)


def _whole(word: str, low: int, high: int, what: str) -> int:
    """A whole number; 0 where nothing stands."""
    word = word.strip()
    if not word:
        return 0
    if not re.fullmatch(r"-?[0-9]{1,6}", word) or not low <= int(word) <= high:
        raise BadFile(f"its {what} is {short(word)}")
    return int(word)


def _player(tree: _Tree, colour: str, text: str) -> None:
    """Note a player ``name (rank)`` or ``name   rank``."""
    match = re.fullmatch(r"\s*(\S[^()]{0,200}?)\s*\(([^()]{0,40})\)\s*", text) or re.fullmatch(
        r"\s*(\S.{0,200}?)\s+(\S*[0-9初二三四五六七八九][^\s]{0,8})\s*", text
    )
    tree.set_text(f"P{colour}", match[1] if match else text)
    if match:
        tree.set_text(f"{colour}R", match[2].rstrip("*"))


# Tygem

_GIB_LINE: Final = re.compile(r"\\\[([A-Z]{1,20})=(.*?)(?:\\\])?\s*$")
_GIB_RESULTS: Final = {"0": "B+", "1": "W+", "3": "B+R", "4": "W+R", "7": "B+T", "8": "W+T"}


def _read_gib(data: bytes, report: Report) -> SgfTree:
    country = re.search(rb"GIBOKIND=([A-Za-z]{1,20})", data[:4096])
    stated = _OF_COUNTRY.get(country[1].decode("ascii").lower(), "") if country else ""
    tree, handicap, about = _Tree(), 0, dict[str, str]()
    for line in _decode(data, stated, report).splitlines():
        if match := _GIB_LINE.match(line):
            about.setdefault(match[1], match[2].strip())
            continue
        words = line.split()
        if words[:1] == ["INI"] and len(words) > 3:
            handicap = _whole(words[3], 0, _MOST_HANDICAP, "handicap")
        elif words[:1] == ["SKI"]:
            tree.move(tree.other, None)
        elif words[:1] == ["STO"] and len(words) > 5:
            col, row = (_whole(word, 0, _USUAL_SIZE - 1, "move") for word in words[4:6])
            tree.move(_WHITE if words[3] == "2" else _BLACK, (col, row))
    tree.handicap(handicap)
    _set_head_of_gib(tree, about, report)
    return tree.nodes


def _set_head_of_gib(tree: _Tree, about: Mapping[str, str], report: Report) -> None:
    main = dict(part.partition(":")[::2] for part in about.get("GAMEINFOMAIN", "").split(","))
    tag = {part.strip()[:1]: part.strip()[1:] for part in about.get("GAMETAG", "").split(",")}
    for colour, name in ((_BLACK, "GAMEBLACKNAME"), (_WHITE, "GAMEWHITENAME")):
        _player(tree, colour, about.get(name, ""))
    for ident, name in (("EV", "GAMENAME"), ("PC", "GAMEPLACE"), ("GC", "GAMECOMMENT")):
        tree.set_text(ident, about.get(name, ""))
    date = re.match(r"C?([0-9]{4}):([0-9]{2}):([0-9]{2})", tag.get("C", ""))
    tree.set_text("DT", "-".join(date.groups()) if date else "")
    result = _GIB_RESULTS.get(main.get("GRLT") or tag.get("W", ""), "")
    if result.endswith("+"):
        points = _tenths(main.get("ZIPSU") or tag.get("Z", ""))
        result += f"{points:g}" if points else ""
    tree.set_text("RE", result)
    komi = _tenths(main.get("GONGJE") or tag.get("G", ""))
    tree.set_text("KM", "" if komi is None else f"{komi:g}")
    tree.set_text("RU", "Korean")
    bonus = main.get("DUM") or tag.get("D", "")
    if re.fullmatch("[1-9][0-9]{0,3}", bonus):
        report(Text("a bonus of {points} points was left out: nothing says who is given it", points=bonus))


def _tenths(word: str) -> float | None:
    return int(word) / 10 if re.fullmatch(r"-?[0-9]{1,4}", word.strip()) else None


# WBaduk

_NGF_MOVE: Final = re.compile(r"PM[A-Z]{2}([BW])([A-Z])([A-Z])")
_NGF_HEAD: Final = 12  # lines
_NGF_MARKED: Final = "GI"  # what begins each line of the head in the other form
_NAMES: Final = {_BLACK: "black|흑|黑|黒", _WHITE: "white|백|白"}
_LOST: Final = re.compile("los|패|负|負")
_RESIGNED: Final = re.compile("resi|불계|中押|中盘|中盤|不计")
_ON_TIME: Final = re.compile("time|시간|超时|超時|時間|切れ")
_POINTS: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9])?)\s*(?:目(半)?|집(?:\s*(반))?|子|point|win|!|$)")


def _read_ngf(data: bytes, report: Report) -> SgfTree:
    lines = _decode(data, "", report).splitlines()
    head = [line.strip() for line in lines[:_NGF_HEAD]]
    marked = head[:1] != [""] and all(line.startswith((_NGF_MARKED, "PM")) for line in head)
    if marked:
        head = [line[len(_NGF_MARKED) :].strip() for line in head if line.startswith(_NGF_MARKED)]
    if len(head) < _NGF_HEAD - marked:
        raise BadFile(f"it has {len(head)} lines before the moves; they should be {_NGF_HEAD}")
    size, handicap, komi = (head[6], head[7], head[9]) if marked else (head[1], head[5], head[7])
    tree = _Tree(_whole(size, 2, _MOST_SIZE, "board") or _USUAL_SIZE)
    for line in lines:
        if move := _NGF_MOVE.match(line.strip().upper()):
            col, row = (ord(letter) - ord("B") for letter in move.groups()[1:])
            tree.move(move[1], tree.on_board(col, row))
    count = _whole(handicap, 0, _MOST_HANDICAP, "handicap")
    tree.handicap(count)
    points = _whole(komi, -50, 50, "komi")
    tree.set_text("KM", f"{points:g}" if count else f"{points + 0.5:g}")  # the half is not written
    tree.set_text("RU", "Korean")
    tree.set_text("EV", head[0])
    date = re.match(r"([0-9]{4})-?([0-9]{1,2})-?([0-9]{1,2})", head[5] if marked else head[8])
    tree.set_text("DT", f"{date[1]}-{int(date[2]):02}-{int(date[3]):02}" if date else "")
    if marked:
        tree.set_text("GN", f"{head[1]} – {head[2]}")
        report(Text("it does not say which player has black; the title names both"))
    else:
        _player(tree, _WHITE, head[2])
        _player(tree, _BLACK, head[3])
        tree.set_text("PC", head[4])
        tree.set_text("RE", _result(head[10]))
    return tree.nodes


def _result(text: str) -> str:
    """The result in SGF by a sentence of WBaduk in one of its languages; "" where there is none."""
    text = text.partition(">>")[0].lower()
    named = [colour for colour, words in _NAMES.items() if re.search(words, text)]
    if len(named) != 1:
        return ""
    (winner,) = named
    if _LOST.search(text):
        winner = _WHITE if winner == _BLACK else _BLACK
    if _RESIGNED.search(text):
        return f"{winner}+R"
    if _ON_TIME.search(text):
        return f"{winner}+T"
    points = _POINTS.search(text)
    return f"{winner}+" + (f"{float(points[1]) + 0.5 * bool(points[2] or points[3]):g}" if points else "")


# PandaNet

_UGF_MOVE: Final = re.compile(r"([A-Z])([A-Z]),(?:([BW])[0-9]?|MK),([0-9]{1,5})(?:,|$)")
_UGF_RULES: Final = {"JPN": "Japanese", "CHN": "Chinese", "CH": "Chinese"}
_UGF_RESULTS: Final = {"D": "0", "N": "Void", "O": "Both lost"}
_PLAIN: Final = "PLAIN_UGF_FILE"


def _read_ugf(data: bytes, report: Report) -> SgfTree:
    stated = re.search(rb"(?m)^Lang=([A-Za-z0-9_.-]{1,40})", data[:4096])
    sections: dict[str, list[str]] = {}
    section: list[str] = []
    name = known_encoding(stated[1].decode("ascii")) if stated else None
    for line in _decode(data, name or "", report).splitlines():
        if match := re.fullmatch(r"\[([A-Za-z]{1,20})\]\s*", line):
            section = sections.setdefault(match[1].lower(), [])
        else:
            section.append(line.strip())
    if "header" not in sections:
        raise BadFile("it has no section [Header]")
    about = {key.strip(): value for key, _, value in (line.partition("=") for line in sections["header"])}
    crypt = about.get("Crypt", "").split(",")
    if len(crypt) > 1 and crypt[1].strip() != _PLAIN:
        raise BadFile("it is encrypted")
    tree = _Tree(_whole(about.get("Size", ""), 2, _MOST_SIZE, "board") or _USUAL_SIZE)
    from_bottom = about.get("CoordinateType", "").strip().upper() == "IGS"
    for line in sections.get("data", ()):
        move = _UGF_MOVE.match(line)
        if move is None:
            continue
        col, row = (ord(letter) - ord("A") for letter in move.groups()[:2])
        cell = tree.on_board(col, tree.size - 1 - row if from_bottom else row)
        if int(move[4]) == 0 and cell is not None:
            tree.root.setdefault(f"A{move[3] or _BLACK}", []).append(_point(cell))
        else:
            tree.move(move[3] or tree.other, cell)
    _set_head_of_ugf(tree, about)
    variations = _comment_ugf(tree, sections.get("figure", ()), sections.get("reviewcomment", ()))
    if variations:
        report(Text("diagrams with variations were left out: {count}", count=variations))
    return tree.nodes


def _set_head_of_ugf(tree: _Tree, about: Mapping[str, str]) -> None:
    for colour in (_BLACK, _WHITE):
        name, rank = [*about.get(f"Player{colour}", "").split(","), "", ""][:2]
        tree.set_text(f"P{colour}", name)
        tree.set_text(f"{colour}R", rank)
    tree.set_text("EV", ", ".join(filter(None, map(str.strip, about.get("Title", "").split(",")))))
    tree.set_text("PC", about.get("Place", ""))
    tree.set_text("GC", about.get("Comment", ""))
    tree.set_text("AN", about.get("Commentator", ""))
    date = re.match(r"([0-9]{4})/([0-9]{2})/([0-9]{2})", about.get("Date", ""))
    tree.set_text("DT", "-".join(date.groups()) if date else "")
    tree.set_text("RU", _UGF_RULES.get(about.get("Rule", "").strip().upper(), ""))
    handicap, komi = [*about.get("Hdcp", "").split(",", 1), ""][:2]
    if "AB" in tree.root:
        tree.root["HA"] = [str(len(tree.root["AB"]))]
    elif not any(_BLACK in node.properties for node in tree.nodes[1:2]):  # else black's moves are the handicap
        tree.handicap(_whole(handicap, 0, _MOST_HANDICAP, "handicap"))
    if points := re.fullmatch(r"\s*(-?[0-9]{1,3})(?:[.,]([0-9]{1,2}))?\s*", komi):
        tree.set_text("KM", f"{float(f'{points[1]}.{points[2] or 0}'):g}")
    winner, margin = [*about.get("Winner", "").split(","), "", ""][:2]
    winner = winner.strip().upper()[:1]
    if winner in (_BLACK, _WHITE):
        score = re.fullmatch(r"\s*([0-9]{1,3}(?:\.[0-9]{1,2})?)\s*", margin)
        word = (
            f"{float(score[1]):g}" if score else {"C": "R"}.get(margin.strip().upper()[:1], margin.strip().upper()[:1])
        )
        tree.set_text("RE", f"{winner}+{word}")
    else:
        tree.set_text("RE", _UGF_RESULTS.get(winner, ""))


def _comment_ugf(tree: _Tree, figure: Sequence[str], review: Sequence[str]) -> int:
    """Add the comments of both kinds; the number of variations of diagrams, which are left out."""
    variations, at, in_diagram = 0, -1, False
    for line in figure:
        if match := re.match(r"\.Text,([0-9]{1,5})", line):
            at = int(match[1])
        elif line.startswith((".EndText", ".Fig", ".EndFig")):
            variations += line.startswith(".Fig")
            in_diagram, at = line.startswith(".Fig"), -1
        elif at >= 0 and not in_diagram and not line.startswith("."):
            tree.comment(at, line)
    at = -1
    for line in review:
        if match := re.match(r"\.Comment,([0-9]{1,5})", line):
            at = int(match[1]) - 1  # of nodes, the first of which is the start
        elif at >= 0:
            tree.comment(at, line)
    return variations


READERS: Final[Mapping[str, Callable[[bytes, Report], SgfTree]]] = {
    ".gib": _read_gib,
    ".ngf": _read_ngf,
    ".ugf": _read_ugf,
    ".ugi": _read_ugf,
}
BEGINNINGS: Final[Mapping[str, re.Pattern[bytes] | None]] = {  # None where only the name tells
    ".gib": re.compile(rb"(?:\xef\xbb\xbf)?\s*\\HS"),
    ".ngf": None,
    ".ugf": (_ugf := re.compile(rb"(?:\xef\xbb\xbf)?(?:#[^\n]*+\n|\s++)*+\[Header\]")),
    ".ugi": _ugf,
}
