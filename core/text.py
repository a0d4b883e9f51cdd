"""English sentences that keep their template and values, so that a window can show them in another language."""

from collections.abc import Iterable, Mapping
from typing import Any, Self


class Text(str):
    """An English text made from a template, as a string: ``Text("{net} on {device}", net="a.onnx", device="CPU")``.

    ``template`` is its key in the catalogue of a language; ``values`` fill the places, some of them texts themselves.
    Raises KeyError or IndexError for a place without a value.
    """

    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, /, **values: Any) -> Self:
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


def text_of(error: BaseException) -> str:
    """The sentence of an error, with its template where it has one."""
    message = error.args[0] if len(error.args) == 1 else None
    return message if isinstance(message, Text) else str(error)
