"""Sentences about a search in the window's language, plain or with links at their figures."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Final

from gui.language.core_words import Figure
from gui.language.language import tr
from gui.widgets.theme import current_theme

if TYPE_CHECKING:
    from core.glass.sentence import Link, Sentence

NODE: Final = "node:"  # of a link: actions from the root, with commas
SIMULATION: Final = "simulation:"


class _LinkedFigure(Figure):
    """A figure that is perhaps a link."""

    def __init__(self, value: Any, link: Link | None, rich: bool) -> None:
        super().__init__(value)
        self._link, self._rich = link, rich

    def __format__(self, form: str) -> str:
        text = super().__format__(form)
        if not self._rich:
            return text
        text = html.escape(text)
        if self._link is None:
            return text
        return f'<a href="{address(self._link)}" style="color: {current_theme().accent}">{text}</a>'


def address(link: Link) -> str:
    """Return a link as an address: "node:3,4" or "simulation:120"."""
    return f"{SIMULATION}{link}" if isinstance(link, int) else NODE + ",".join(map(str, link))


def link_at(address: str) -> Link:
    """Return the link of an address; ValueError for another text."""
    if address.startswith(SIMULATION):
        return int(address.removeprefix(SIMULATION))
    if not address.startswith(NODE):
        raise ValueError(f"{address!r} is no link of a sentence")
    return tuple(int(action) for action in address.removeprefix(NODE).split(",") if action)


def plain_sentence(sentence: Sentence) -> str:
    """Return a sentence in the window's language."""
    return _written(sentence, False)


def linked_sentence(sentence: Sentence) -> str:
    """Return a sentence as rich text with links at its figures."""
    return _written(sentence, True)


def _written(sentence: Sentence, rich: bool) -> str:
    text = sentence.text
    values = {name: _LinkedFigure(value, sentence.links.get(name), rich) for name, value in text.values.items()}
    template = tr(text.template)
    return (html.escape(template, quote=False) if rich else template).format(**values)
