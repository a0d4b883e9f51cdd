"""What the program itself says on a page, such as a game's title, in the page's other languages.

The translations are those of the window, ``resources/translations``; what the page's own script says is in
``resources/page/words.js``.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final
from xml.etree import ElementTree

from core.games import Position
from core.text import Text

ENGLISH: Final = "en"
LANGUAGES: Final = {"zh": "zh_CN"}  # of pages, besides English -> the catalogue
_MOST_MOVES: Final = 30  # in a title


def page_title(position: Position, language: str = ENGLISH) -> str:
    """The game and its last moves."""
    game = position.game
    title = in_language(game.title, language)
    moves = [game.action_name(action) for action in position.moves]
    if not moves:
        return title
    return f"{title}: {'… ' if len(moves) > _MOST_MOVES else ''}{' '.join(moves[-_MOST_MOVES:])}"


def in_language(text: str, language: str) -> str:
    """A text of the program in a language of pages; one without a translation is returned unchanged."""
    if language == ENGLISH:
        return text
    words = _catalogue(LANGUAGES[language])
    if not isinstance(text, Text):
        return words.get(text) or text
    values = {
        name: in_language(value, language) if isinstance(value, str) else value for name, value in text.values.items()
    }
    return (words.get(text.template) or text.template).format(**values)


@cache
def _catalogue(name: str) -> Mapping[str, str]:
    text = (files("resources") / "translations" / f"plyscope_{name}.ts").read_text("utf-8")
    messages = ElementTree.fromstring(text).iter("message")
    return {message.findtext("source", ""): message.findtext("translation", "").strip() for message in messages}
