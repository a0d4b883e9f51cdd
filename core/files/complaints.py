"""What is wrong with a file, as sentences: each different one once, and no more than a reader looks at."""

from typing import Final

from core.text import Text

MAX_COMPLAINTS: Final = 100
_LONGEST: Final = 300  # characters of a sentence


class Complaints:
    """Collects the first hundred different sentences, each begun with ``where``, and the number of the rest."""

    def __init__(self) -> None:
        self._sentences: dict[str, None] = {}
        self._more = 0
        self.where = ""

    def __call__(self, sentence: str) -> None:
        if self.where:
            sentence = Text("{where}: {sentence}", where=self.where, sentence=sentence)
        plain = " ".join(sentence.split())  # a file's odd text may be quoted in it
        if len(plain) > _LONGEST:
            plain = plain[: _LONGEST - 1] + "…"
        sentence = sentence if plain == sentence else plain
        if sentence in self._sentences:
            return
        if len(self._sentences) < MAX_COMPLAINTS:
            self._sentences[sentence] = None
        else:
            self._more += 1

    def all(self) -> tuple[str, ...]:
        """The sentences in the order of their first appearance; the last says how many more there were."""
        more = (Text("and {more} more of the kind", more=self._more),) if self._more else ()
        return (*self._sentences, *more)
