"""The figures of the index of games by position are printed, of games that are really found."""

import re

import pytest

from measure import openings


def test_every_time_is_printed_and_the_games_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert openings.main(["--games", "12"]) == 0
    out = capsys.readouterr().out
    assert len(re.findall(r"[0-9.]+ ms, +[0-9.]+ ms of the processor", out)) == 3 + len(openings.ASKED)
    assert "12 games listed" in out
    assert int(re.findall(r"^ +(\d+) games,", out, re.MULTILINE)[0]) == 12
