"""A dialogue under GTP without a process, for the tests of the server."""

import io

from core.engine.evaluator import Evaluator
from core.games import load_game
from core.search import Limit, SearchSettings
from models.engines.gtp_server import GtpServer
from models.engines.our_engine import Options

GO = load_game("go(size=5, komi=0.5)")
OPTIONS = Options(Limit(simulations=60), SearchSettings(selection="ucb1", memory_mb=16), version="1.2")
FEW = Options(Limit(simulations=6), SearchSettings(selection="ucb1", memory_mb=16))


def talk(*lines: str, game: str = GO.text, options: Options = OPTIONS, evaluator: Evaluator | None = None) -> list[str]:
    """The answers to ``lines``, each without its blank line."""
    output = io.StringIO()
    GtpServer(load_game(game), lambda _: evaluator, options, output).run(io.StringIO("\n".join(lines) + "\n"))
    text = output.getvalue()
    assert text.endswith("\n\n") or not text
    return text.split("\n\n")[:-1]
