"""What an audit is exported as, written in a thread."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.text import Words
from gui.widgets.saving import write_file

if TYPE_CHECKING:
    from core.text import Text
    from models.audit.results import Audit
    from models.inside.sample import Stop

BY_BLOCK: Final = "blocks.html"
EXPORTS: Final[tuple[tuple[str, Words], ...]] = (
    ("audit.html", "Report as a page…"),
    (BY_BLOCK, "Inside the net: mistakes and wrong reasons, as a page…"),
    ("audit.csv", "Positions as CSV…"),
    ("openings.txt", "Mistakes as openings of a training run…"),
)


def write_export(
    report: Callable[[Text], None], path: Path, audit: Audit, name: str, net: int, kept_in: Path, stop: Stop
) -> Path:
    """Write to ``path`` what ``name`` of ``EXPORTS`` says; ``path``.

    report: told what is being done.  net: number of the net that is looked into.  kept_in: the file of the audit.
    stop: ends the look at the reasons of its moves, with those found until then.  ValueError, a sentence, for a net
    that has changed or has no blocks; OSError."""
    from core.engine.evaluator import telling
    from models.audit.page import report_page
    from models.audit.table import audit_csv, mistake_openings
    from models.play.openings import openings_text

    if name == BY_BLOCK:
        with telling(report):
            text = _by_block(audit, net, kept_in, stop)
    elif path.suffix == ".html":
        text = report_page(audit)
    elif path.suffix == ".csv":
        text = audit_csv(audit)
    else:
        text = openings_text(audit.game, mistake_openings(audit), audit.plan.source)
    write_file(path, text.encode())
    return path


def _by_block(audit: Audit, net: int, kept_in: Path, stop: Stop) -> str:
    """The page that says in which block the mistakes of a net are made, and which right moves have wrong reasons."""
    from models.audit.results import net_file
    from models.audit.work import check_nets
    from models.inside.lens import lens_for
    from models.inside.mistakes import by_block
    from models.inside.mistakes_page import mistakes_page
    from models.inside.reasons import reasons_of
    from models.netfiles.recipe_guess import open_tapped

    files = audit.plan.nets
    check_nets(kept_in, audit, [net_file(Path(file.path)) for file in files])
    tapped, _ = open_tapped(Path(files[net].path), audit.game)
    found = by_block(tapped, audit, lens_for(tapped))
    assert found is not None
    return mistakes_page(files[net].name, audit, found, reasons_of(tapped, found, stop))
