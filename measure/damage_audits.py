"""Files of audits and of openings, valid ones and their readers, for ``measure.damage_loaders``."""

from pathlib import Path

from core.engine import UniformEvaluator
from core.games import load_game
from models.audit.page import report_page
from models.audit.positions import random_items
from models.audit.results import AuditWriter, NetFile, Plan, begin, read_audit
from models.audit.searching import audit_positions
from models.audit.summary import summary_lines
from models.audit.table import audit_csv, mistake_openings
from models.play.opening_file import openings_text, read_openings

_GAMES = ("tictactoe", "connect4", "go(size=5)")


def audit_seeds(folder: Path) -> list[bytes]:
    """Audits of three games, one of two nets, one unfinished."""
    found = []
    for count, text in enumerate(_GAMES):
        game, path = load_game(text), folder / "seed.audit"
        items = random_items(game, 6, (2, 6), 0).items
        evaluators = [UniformEvaluator(game.num_actions)] * (1 + count % 2)
        nets = tuple(NetFile(f"/nets/{place}.onnx", "00") for place in range(len(evaluators)))
        begin(path, Plan(text, nets, 8, 0.5, "random positions", ("a note",)), items)
        with AuditWriter(path, game) as writer:
            for one in audit_positions(game, evaluators, list(enumerate(items[: 6 - count])), 8, 0.5):
                writer.add(one)
        found.append(path.read_bytes())
    return found


def load_audit(data: bytes, folder: Path) -> None:
    """Read an audit, and make all that is made of one."""
    path = folder / "fuzzed.audit"
    path.write_bytes(data)
    audit = read_audit(path)
    with AuditWriter(path, audit.game):
        pass
    report_page(audit)
    audit_csv(audit)
    summary_lines(audit)
    mistake_openings(audit)


def opening_seeds(folder: Path) -> list[bytes]:
    """A file of openings with comments."""
    game = load_game("connect4")
    items = random_items(game, 12, (1, 8), 0).items
    return [openings_text(game, [item.moves for item in items], "of no net").encode()]


def load_openings(data: bytes, folder: Path) -> None:
    """Read a file of openings."""
    path = folder / "fuzzed.txt"
    path.write_bytes(data)
    read_openings(path, load_game("connect4"))
