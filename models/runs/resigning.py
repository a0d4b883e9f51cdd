"""When a side resigns: by its searched value, and by its searched lead in points."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ResignRule:
    """A side resigns when its game has looked lost for some turns of its own in a row."""

    below: float | None = None
    """A game looks lost when its value is below minus this; None is never."""
    lead: float = 0.0
    """Where it is above 0, the lead in points must be below minus this as well."""
    turns: int = 1

    def is_lost(self, value: float, lead: float) -> bool:
        """Whether a game looks lost to the side with this value and lead; NaN where there is none."""
        return self.below is not None and value < -self.below and (not self.lead or lead < -self.lead)


NEVER: Final = ResignRule()
