"""What holds in most games: the defaults of ``core.games.spec.Board``."""

from core.games.dispatch import State
from core.text import Text


def taken(state: State, action: int) -> str:
    """The only reason why a move is illegal in most games."""
    return Text("the place is taken")


def nothing_forbidden(state: State) -> dict[int, str]:
    """No fouls, as in most games."""
    return {}


def never(state: State, action: int) -> bool:
    """No move is illegal for what came before, as in most games."""
    return False


def no_past(state: State) -> bytes:
    """Nothing: the future depends on no earlier position, as in most games."""
    return b""


def nothing_failed() -> None:
    """Nothing can fail in compiled rules."""
