"""The language of the window: what a text is in it, and every shown text turned when it changes.  Knows no view.

A text in the code is English and is its own key.  ``tr`` gives it in the language in force; a text with figures is
one sentence with named placeholders, ``tr("{n} moves").format(n=n)``.  The catalogues are Qt Linguist's, in
``resources/translations``; ``python -m gui.shell.translations`` keeps them.

What ``core`` and ``models`` say when they refuse something is English in the commands, the log and the files; the
window translates it by the template it carries (``core.text``, ``gui.language.core_words``), with names of parameters
as they are typed.  Columns of CSV files stay English.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

CONTEXT: Final = "Plyscope"
SYSTEM, ENGLISH, CHINESE = "system", "en", "zh_CN"
LANGUAGES: Final = (SYSTEM, ENGLISH, CHINESE)


def tr(text: str) -> str:
    """The text in the language in force; itself where there is no translation."""
    return QCoreApplication.translate(CONTEXT, text) if text else text


def begun(text: str) -> str:
    """The text as a sentence begins: with a capital letter."""
    return text[:1].upper() + text[1:]


def stopped(text: str) -> str:
    """The text as a sentence ends: with a full stop."""
    return tr("{sentence}.").format(sentence=text.rstrip(".。"))


def mark(text: str) -> str:
    """The text itself: one that is translated where it is shown."""
    return text


# the language in force

_installed: list[QTranslator] = []
_choice = [SYSTEM]


def chosen() -> str:
    """The choice that was made last: one of ``LANGUAGES``."""
    return _choice[0]


def language_of(choice: str) -> str:
    """ENGLISH or CHINESE; the system's languages decide where it is left to them."""
    if choice in (ENGLISH, CHINESE):
        return choice
    for name in QLocale.system().uiLanguages():
        parts = name.replace("_", "-").split("-")
        if parts[0] == "zh" and not {"Hant", "TW", "HK", "MO"} & set(parts):
            return CHINESE
        if parts[0] == "en":
            return ENGLISH
    return ENGLISH


def set_language(choice: str) -> None:
    """Translate from now on.  ``ValueError`` for what is none of ``LANGUAGES``."""
    if choice not in LANGUAGES:
        raise ValueError(f"language is {choice!r}; it must be one of {', '.join(LANGUAGES)}")
    for translator in _installed:
        QCoreApplication.removeTranslator(translator)
    _installed.clear()
    _choice[0] = choice
    if language_of(choice) == ENGLISH:
        return
    own = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)  # Qt's own dialogs and buttons
    for path in (Path(own) / f"qtbase_{CHINESE}.qm", translations() / f"plyscope_{CHINESE}.qm"):
        translator = QTranslator()
        if translator.load(str(path)):
            QCoreApplication.installTranslator(translator)
            _installed.append(translator)


def translations() -> Path:
    """The folder of the catalogues."""
    return Path(str(files("resources").joinpath("translations")))


@lru_cache(maxsize=1)
def catalogue() -> dict[str, str]:
    """Every English text with its Chinese one, as the Linguist file has them."""
    from xml.etree import ElementTree

    root = ElementTree.parse(translations() / f"plyscope_{CHINESE}.ts").getroot()
    pairs = ((m.findtext("source") or "", m.findtext("translation") or "") for m in root.iter("message"))
    return {source: translation for source, translation in pairs if translation}


# texts that stand already

TELLING: Final = 8  # letters: a shape with fewer of its own takes no words in its places that it does not know
WORD: Final = re.compile(r"\b[A-Za-z]{3,}\b|[\u4e00-\u9fff]")


class Turner:
    """Turns texts of one language into another: whole ones, then sentences with figures in them, then parts."""

    def __init__(self, before: str, now: str) -> None:
        pairs = [(s, t) if before == ENGLISH else (t, s) for s, t in catalogue().items()]
        if before == now:
            pairs = []
        self._whole = dict(pairs)
        shaped = [(_said(a), _longest(a), a, b) for a, b in pairs if "{" in a and _said(a)]
        self._shaped = sorted(shaped, key=lambda one: -len(one[0]))

    def turn(self, text: str) -> str:
        """The text in the other language; itself where it is none of the program's."""
        if text and text not in self._whole:
            self._whole[text] = self._turn(text)
        return self._whole.get(text, text)

    def _turn(self, text: str) -> str:
        for said, longest, template, other in self._shaped:
            found = pattern(template).fullmatch(text) if longest in text else None
            if found is None:
                continue
            values = found.groupdict()
            turned = {name: self.turn(value) for name, value in values.items()}
            if len(said) >= TELLING or all(turned[n] != v or not WORD.search(v) for n, v in values.items()):
                return fill(other, turned)
        for separator in ("\n", " — ", " · "):
            if separator in text:
                return separator.join(self.turn(part) for part in text.split(separator))
        return text


def fill(template: str, values: dict[str, str]) -> str:
    """The template with texts in its places, whatever format a figure would have there."""
    parts = []
    for literal, name, _, _ in Formatter().parse(template):
        parts.append(literal + (values.get(name, "") if name else ""))
    return "".join(parts)


def _said(template: str) -> str:
    """What a template says by itself."""
    return "".join("".join(literal.split()) for literal, *_ in Formatter().parse(template))


def _longest(template: str) -> str:
    """The longest piece of a text that was made from a template, by which most others are told at once."""
    return max((literal for literal, *_ in Formatter().parse(template)), key=len)


@cache
def pattern(template: str) -> re.Pattern[str]:
    """What finds the values in a text that was made from a template."""
    parts, seen = [], set()
    for literal, name, _, _ in Formatter().parse(template):
        parts.append(re.escape(literal))
        if name:
            parts.append(f"(?P={name})" if name in seen else f"(?P<{name}>.+?)")
            seen.add(name)
    return re.compile("".join(parts), re.DOTALL)
