"""English sentences that keep their template and values, so that a window can show them in another language."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from string import Formatter
from typing import Any, Final, Self

TEXTS: Final = "texts"  # of a JSON object: the templates and values of its texts, by name
_FORMAT: Final = re.compile(r"[+]?,?(0?\d)?(\.\d{1,3})?[a-z%]?")  # of a value
_LONGEST: Final = 2000  # characters of a template, and of a sentence
Words = str  # an English text or template that a window translates; the catalogues collect it by this type


class Text(str):
    """An English text made from a template, as a string: ``Text("{net} on {device}", net="a.onnx", device="CPU")``.

    ``template`` is its key in the catalogue of a language; ``values`` fill the places, some of them texts themselves.
    Raises KeyError or IndexError for a place without a value.
    """

    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: Words, /, **values: Any) -> Self:
        text = super().__new__(cls, template.format(**values))
        text.template, text.values = template, values
        return text

    def __getnewargs_ex__(self) -> tuple[tuple[str], Mapping[str, Any]]:
        return (self.template,), self.values

    def having(self, **values: Any) -> "Text":
        """The same sentence with other values in some places."""
        return Text(self.template, **{**self.values, **values})


def joined(texts: Iterable[str], separator: str = ", ") -> Text:
    """Several texts as one, each with its own template."""
    values = {f"text_{i}": text for i, text in enumerate(texts)}
    return Text(separator.join(f"{{{name}}}" for name in values), **values)


def with_texts(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON object whose texts keep their templates and values: under ``TEXTS``, beside the English."""
    packed: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, Text):
            packed[name] = _packed(value)
        elif isinstance(value, list | tuple) and any(isinstance(item, Text) for item in value):
            packed[name] = [_packed(item) for item in value]
    return {**fields, TEXTS: packed} if packed else dict(fields)


def texts_back(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The object that was given to :func:`with_texts`; a template that does not give the English beside it is left."""
    restored = dict(fields)
    packed = restored.pop(TEXTS, None)
    for name in packed.keys() & restored.keys() if isinstance(packed, dict) else ():
        value, english = packed[name], restored[name]
        if isinstance(english, list) and isinstance(value, list) and len(english) == len(value):
            restored[name] = [_back(item, plain) for item, plain in zip(value, english, strict=True)]
        else:
            restored[name] = _back(value, english)
    return restored


def _packed(value: Any) -> Any:
    if isinstance(value, Text):
        return {"template": value.template, "values": {name: _packed(inner) for name, inner in value.values.items()}}
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _back(packed: Any, english: Any) -> Any:
    try:
        text = _unpacked(packed)
    except (LookupError, ValueError, TypeError, AttributeError):
        return english
    return text if isinstance(text, Text) and text == english else english


def _unpacked(value: Any) -> Any:
    """Make a text of what a file says; ``ValueError`` for what could take much memory or reach into values."""
    if not isinstance(value, dict):
        return value
    template = value["template"]
    for _, name, form, conversion in Formatter().parse(template):
        plain = name is None or (name.isidentifier() and conversion in (None, "r"))
        if not plain or not _FORMAT.fullmatch(form or "") or len(template) > _LONGEST:
            raise ValueError(f"{template!r} is no template of a sentence")
    text = Text(template, **{name: _unpacked(inner) for name, inner in value["values"].items()})
    if len(text) > _LONGEST:
        raise ValueError("a sentence is too long")
    return text


def text_of(error: BaseException) -> str:
    """The sentence of an error, with its template where it has one."""
    message = error.args[0] if len(error.args) == 1 else None
    return message if isinstance(message, Text) else str(error)


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Rows of cells as lines with columns below each other, aligned on the left but for those numbered in ``right``."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
