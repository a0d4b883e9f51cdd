"""Reads the guide's pages from ``resources/guide`` and makes them HTML.  Uses Markdown, no window.

A page is Markdown as MyST writes it, of which tables, fenced code and links are used, so that Sphinx makes a website
of the same files (``make guide``).  The order of the pages is that of the ``toctree`` in ``index.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

HOME: Final = "index"
ENGLISH: Final = "en"
DARK: Final = "dark"  # folder of the pictures for a dark window
_TREE: Final = "{toctree}"


@dataclass(frozen=True)
class Page:
    """One page of the guide: its file's name without ``.md``, its first heading, its language and its Markdown."""

    name: str
    title: str
    language: str
    text: str


@dataclass(frozen=True)
class Match:
    """A page that contains what was looked for: how often, and a line around the first place."""

    page: Page
    count: int
    line: str


def _root() -> Traversable:
    return files("resources") / "guide"


def picture(link: str, dark: bool = False) -> bytes:
    """The PNG file to which a page links, for a dark window where there is such a one; empty where there is none."""
    language, _, name = link.rpartition("pictures/")[2].rpartition("/")
    folder = _root() / "pictures" / language if language else _root() / "pictures"
    paths = (folder / DARK / name, folder / name) if dark else (folder / name,)
    return next((path.read_bytes() for path in paths if path.is_file()), b"")


@lru_cache(maxsize=8)
def pages(language: str) -> tuple[Page, ...]:
    """Every page in its order, in ``language`` where it is translated and else in English."""
    home = _page(HOME, language)
    return (home, *(_page(name, language) for name in _names(_page(HOME, ENGLISH).text)))


def find_page(name: str, language: str) -> Page:
    """The page ``name``, or the first one where there is no such page."""
    everything = pages(language)
    return next((page for page in everything if page.name == name), everything[0])


def search(words: str, language: str) -> list[Match]:
    """The pages that contain ``words``, regardless of case; those with the most places first."""
    text = words.strip().casefold()
    matches = []
    for page in pages(language) if text else ():
        count = page.text.casefold().count(text)
        if count:
            line = next(line for line in page.text.splitlines() if text in line.casefold())
            matches.append(Match(page, count, line.strip("#|*-` ")))
    return sorted(matches, key=lambda match: -match.count)


def anchor(heading: str) -> str:
    """The name by which links reach a heading: as GitHub and MyST make it."""
    return re.sub(r"[^\w\- ]", "", heading.casefold()).replace(" ", "-")


def html(page: Page) -> str:
    """The page as HTML, with an anchor at each heading; the list of pages for Sphinx is left out."""
    parser = _parser()
    tokens = [
        token for token in parser.parse(page.text) if not (token.type == "fence" and token.info.startswith(_TREE))
    ]
    text = str(parser.renderer.render(list(_with_anchors(tokens)), parser.options, {}))
    return text.replace("\n</code>", "</code>").replace("<p><img ", '<p class="picture"><img ')


def _with_anchors(tokens: list[Token]) -> Iterator[Token]:
    for before, token in zip([None, *tokens], tokens, strict=False):
        if before is not None and before.type == "heading_open":
            yield Token("html_block", "", 0, content=f'<a name="{anchor(token.content)}"></a>')
        yield token


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


def _page(name: str, language: str) -> Page:
    for folder in dict.fromkeys((language, ENGLISH)):
        path = _root() / folder / f"{name}.md"
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            return Page(name, text.partition("\n")[0].lstrip("# ").strip(), folder, text)
    raise ValueError(f"the guide has no page {name!r}")


def _names(text: str) -> Iterator[str]:
    """The pages listed in the ``toctree`` of a page."""
    for token in _parser().parse(text):
        if token.type == "fence" and token.info.startswith(_TREE):
            yield from (line.strip() for line in token.content.splitlines() if line.strip() and line[0] != ":")
