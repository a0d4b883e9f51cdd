"""A search as one HTML file that shows it without this program, a server or a network; texts from files are escaped.

The file has the record of the search (``core.files.page_data``) and what replays and draws it (``resources/page``).
Its content policy names the hashes of its style and its script, so that a browser runs nothing else.
"""

import base64
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Final

from core.files.board_svg import HOLES, empty_board
from core.files.page_data import PageNote, PageRecord, packed, page_record
from core.files.record import GameRecord
from core.files.tree_file import SavedSearch
from core.games import GameSpec

PAGE: Final = ".html"  # the suffix of its file
ASKS: Final = "connect-src 'self'; "  # allows a page to ask the server it came from
_SCRIPTS: Final = ("rules.js", "moments.js", "data.js", "words.js", "board.js", "icicle.js", "curve.js", "page.js")
_ICONS: Final = ("first", "previous", "play", "pause", "next", "last")


def search_page(search: SavedSearch, notes: Sequence[PageNote] = ()) -> bytes:
    """The file, as UTF-8; ``notes``: those of the game record.  ValueError as by ``page_record``."""
    return _page(search.position.game, page_record(search, notes), _SCRIPTS)


def growing_page(game: GameSpec, record: PageRecord) -> bytes:
    """A page that asks the server it came from for what the search did since (``core.files.page_data.piece``)."""
    return _page(game, record, (*_SCRIPTS, "live.js", "growing.js"), ASKS)


def _page(game: GameSpec, record: PageRecord, scripts: tuple[str, ...], allowed: str = "") -> bytes:
    icons = {f"icon_{name}": _icon(name) for name in _ICONS}
    data = base64.b64encode(packed(record)).decode()
    return scripted_page(record.header["game"], game, "page.html", scripts, allowed, data=data, **icons)


def scripted_page(
    title: str, game: GameSpec, parts: str, scripts: tuple[str, ...], allowed: str = "", **values: str
) -> bytes:
    """A page that ``scripts`` draw, with the board of ``game``; ``parts``: the file of what stands under its header,
    which ``values`` fill in."""
    script = joined_pages(scripts)
    board = f"{HOLES}\n{empty_board(game, 'board')}" if game.board.text is None else '<pre id="words"></pre>'
    body = Template(page_file("scripted.html")).substitute(
        title=escape(title),
        parts=Template(page_file(parts)).substitute(board=board, **values),
        script=script,
    )
    return framed(title, body, "page.css", f"script-src '{content_hash(script)}'; {allowed}")


def framed(title: str, body: str, style_name: str, allowed: str, language: str = "en") -> bytes:
    """A page as UTF-8 with the head that all share; ``allowed``: what its policy allows besides its own style."""
    style = joined_pages(("base.css", style_name))
    return (
        Template(page_file("frame.html"))
        .substitute(
            title=escape(title),
            body=body,
            style=style,
            allowed=f"style-src '{content_hash(style)}'; {allowed}",
            language=language.replace("_", "-"),
        )
        .encode("utf-8", "replace")
    )


def notes_of(record: GameRecord, node: int) -> list[PageNote]:
    """The names and comments of the positions that led to ``node`` of a record, for the page of its search."""
    at = record.position(node)
    notes = []
    for one in record.line(node):
        entry, position = record.node(one), record.position(one)
        if entry.name or entry.comment:
            ply = len(position.moves) if position.start == at.start else 0  # stones were set up since
            notes.append(PageNote(ply, entry.name, entry.comment))
    return notes


def content_hash(text: str) -> str:
    """The hash of a style or script as a content policy names it."""
    return f"sha256-{base64.b64encode(sha256(text.encode('utf-8')).digest()).decode()}"


@cache
def page_file(name: str) -> str:
    """The text of a file of ``resources/page``; ``base.css`` is the style that all pages share."""
    return (files("resources") / "page" / name).read_text("utf-8")


@cache
def joined_pages(names: tuple[str, ...]) -> str:
    """The texts of several such files."""
    return "\n".join(page_file(name) for name in names)


@cache
def _icon(name: str) -> str:
    drawing = (files("resources") / "icons" / f"{name}.svg").read_text("utf-8").strip()
    return drawing.replace('xmlns="http://www.w3.org/2000/svg"', 'aria-hidden="true"', 1)
