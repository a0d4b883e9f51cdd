"""A sentence about a search whose figures point to where they come from."""

from dataclasses import dataclass, field
from typing import Any

from core.glass.snapshot import Path
from core.text import Text

Link = Path | int  # a node, as actions from the root; or a number of simulations


@dataclass(frozen=True)
class Sentence:
    """A sentence, and what the figures in it are of."""

    text: Text
    links: dict[str, Link] = field(default_factory=dict)  # by the names of the values of ``text``

    def as_json(self) -> dict[str, Any]:
        """For JSON: the English sentence, and for each linked figure its value and its node or simulation."""
        figures = {
            name: {"value": self.text.values[name], "node" if isinstance(link, tuple) else "simulation": link}
            for name, link in self.links.items()
        }
        return {"text": str(self.text), "figures": figures}
