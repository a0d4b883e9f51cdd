"""The language of the window and the translation of its texts.

A text in the code is English and is its own key.  ``tr`` gives it in the language in force; a text with figures is
one sentence with named placeholders, ``tr("{n} moves").format(n=n)``.  The catalogues are Qt Linguist's, in
``resources/translations``; ``python -m gui.shell.translations`` keeps them.

What ``core`` and ``models`` say when they refuse something is English in the commands, the log and the files; the
window translates it by the template it carries (``core.text``, ``gui.language.core_words``), with names of parameters
as they are typed.  Columns of CSV files stay English.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from core.text import Words

CONTEXT: Final = "Plyscope"
SYSTEM, ENGLISH, CHINESE = "system", "en", "zh_CN"
TRANSLATED: Final = {CHINESE: "简体中文"}  # languages with a catalogue, each with its own name
LANGUAGES: Final = (SYSTEM, ENGLISH, *TRANSLATED)


def tr(text: Words, n: int = -1) -> str:
    """Return the translation of a text; the text itself if there is none.

    ``n``: the number that decides between the forms of a language, as in ``tr("{n} moves", n).format(n=n)``; the
    text is the English plural, ``plyscope_en.ts`` has its singular.
    """
    return QCoreApplication.translate(CONTEXT, text, None, n) if text else text


def begun(text: str) -> str:
    """Return a text with a capital first letter; one that begins with the name of a file stays as it is."""
    return text if "." in text.split(" ", 1)[0][:-1] else text[:1].upper() + text[1:]


def stopped(text: str) -> str:
    """Return a text with a full stop at its end."""
    return tr("{sentence}.").format(sentence=text.rstrip(".。"))


# the language in force

_installed: list[QTranslator] = []
_choice = [SYSTEM]


def chosen() -> str:
    """Return the current choice, one of ``LANGUAGES``."""
    return _choice[0]


def language_of(choice: str) -> str:
    """Return the language of a choice; for SYSTEM the first of the system's languages that there is."""
    if choice != SYSTEM:
        return choice
    ours = {code.partition("_")[0]: code for code in (ENGLISH, *TRANSLATED)}
    for name in QLocale.system().uiLanguages():
        first, *parts = name.replace("_", "-").split("-")
        if first == "zh" and {"Hant", "TW", "HK", "MO"} & set(parts):
            continue  # traditional Chinese is another language
        if first in ours:
            return ours[first]
    return ENGLISH


def set_language(choice: str) -> None:
    """Set the language of the window.  ``ValueError`` unless it is one of ``LANGUAGES``."""
    if choice not in LANGUAGES:
        raise ValueError(f"language is {choice!r}; it must be one of {', '.join(LANGUAGES)}")
    for translator in _installed:
        QCoreApplication.removeTranslator(translator)
    _installed.clear()
    _choice[0] = choice
    language = language_of(choice)
    qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)  # Qt's own dialogs and buttons
    for path in (Path(qt_folder) / f"qtbase_{language}.qm", translations() / f"plyscope_{language}.qm"):
        translator = QTranslator()
        if translator.load(str(path)):
            QCoreApplication.installTranslator(translator)
            _installed.append(translator)


def in_every_language(text: str) -> str:
    """Return the English text with its translations into all languages, to be searched in."""
    return " ".join((text, *(_catalogue(language).translate(CONTEXT, text) or "" for language in TRANSLATED)))


@cache
def _catalogue(language: str) -> QTranslator:
    translator = QTranslator()
    translator.load(str(translations() / f"plyscope_{language}.qm"))
    return translator


def translations() -> Path:
    """Return the folder of the catalogues."""
    return Path(str(files("resources").joinpath("translations")))
