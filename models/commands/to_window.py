"""What a command says to the window that started it: templates and values beside its English.

A window sets ``FOR_WINDOW`` in the environment.  Then a line of JSON goes to stderr before what it is about, so that
the window can translate that.
"""

import json
import os
import sys
from collections.abc import Sequence
from typing import Final

from core.files.reading import BadFile, Fields, parse_json
from core.text import Text, texts_back, with_texts

FOR_WINDOW: Final = "PLYSCOPE_TEMPLATES"  # in the environment
PROGRAM_SIGN: Final = "plyscope: "  # before an error

_KEY: Final = "said"


def tell_window(text: str) -> None:
    """Print the template and values of ``text`` as a line of JSON, where a window asks for them."""
    if isinstance(text, Text) and os.environ.get(FOR_WINDOW):
        print(json.dumps(with_texts({_KEY: text})), file=sys.stderr, flush=True)


def with_template(english: str, lines: Sequence[str]) -> str:
    """What a command said as ``english``: a Text, where the last line of :func:`tell_window` in ``lines`` is of it."""
    for line in reversed(lines):
        try:
            text = texts_back(Fields(parse_json(line)).values).get(_KEY)
        except BadFile:
            continue
        return text if isinstance(text, Text) and text == english else english
    return english


def error_in(lines: Sequence[str]) -> str:
    """The error that the last of ``lines`` says, as :func:`with_template`; "" when that line is of another kind."""
    if not lines or not lines[-1].startswith(PROGRAM_SIGN):
        return ""
    return with_template(lines[-1].removeprefix(PROGRAM_SIGN), lines[-2:-1])
