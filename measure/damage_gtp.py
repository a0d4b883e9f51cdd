"""Dialogues under GTP and the server that answers them, for :mod:`measure.damage_loaders`."""

import contextlib
import io
import re
from pathlib import Path

from core.games import load_game
from core.search import Limit, SearchSettings
from models.engines.gtp_params import Options
from models.engines.gtp_server import GtpServer


def dialogues(_: Path) -> list[bytes]:
    """What GoGui, Sabaki and Lizzie send, with numbers and without."""
    gogui = (
        "1 protocol_version\n2 name\n3 list_commands\n4 boardsize 5\n5 clear_board\n6 komi 0.5\n"
        "7 time_settings 60 10 3\n8 play b c3\n9 time_left w 5 0\n10 genmove w\n11 undo\n12 showboard\n"
        "13 final_score\n14 final_status_list dead\n15 reg_genmove b\n16 printsgf\n17 quit\n"
    )
    sabaki = (
        "name\nversion\nrectangular_boardsize 5 4\nkomi 7.5\nclear_board\nfixed_handicap 2\nset_free_handicap a1 b2\n"
        "genmove_analyze w 10\nplay b pass\nplay w pass\nset_position b a1 w b2\nanalyze b 10\nknown_command loadsgf\n"
    )
    lizzie = (
        'kata-set-rules chinese\nkata-set-rules {"ko":"SIMPLE","tax":"ALL"}\nkata-set-rule suicide true\n'
        "kata-get-rules\nkata-set-param cpuctExploration 1.1\nkata-get-params\nplay b d4 # a comment\n"
        "lz-analyze w interval 10 minmoves 2\n"
        "kata-analyze 10 avoid b a1,b2 3 allow w c3,pass 1 rootInfo true\nkgs-time_settings canadian 60 10 5\n"
        "kata-genmove_analyze b 10\nkgs-genmove_cleanup w\nundo\n"
    )
    return [gogui.encode(), sabaki.encode(), lizzie.encode()]


def answer(data: bytes, folder: Path) -> None:
    """Answer the commands; every answer begins with a sign and ends with an empty line."""
    output = io.StringIO()
    options = Options(Limit(simulations=2), SearchSettings(selection="ucb1", memory_mb=4))
    with contextlib.chdir(folder):
        GtpServer(load_game("go(size=5)"), lambda _: None, options, output).run(
            io.StringIO(data.decode("utf-8", "replace"))
        )
    *answers, rest = output.getvalue().split("\n\n")
    wrong = [answer for answer in answers if not re.match(r"[=?][0-9]*( |\n|$)", answer)]
    if rest or wrong:
        raise AssertionError(f"no answer of GTP: {(wrong or [rest])[0]!r}")
