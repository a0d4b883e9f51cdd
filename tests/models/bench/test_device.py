"""The bench of what feeds a device: a whole run on tiny settings, the table's arithmetic, bad options."""

import pytest

from models.bench import device as bench_device
from models.bench.device import Measured, Spent, Use, table


def test_a_whole_run(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--seconds 0.2 --batch 8 --simulations 50 --processes 1"
    words += " --analysis tictactoe 5000 --self-play tictactoe 9000"
    assert bench_device.main(words.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith(("analysis, ", "self-play, "))] == [
        "analysis, tictactoe",
        "self-play, tictactoe",
    ]
    assert sum("(calculated)" in line for line in lines) == 6
    measured = [line.split() for line in lines if line.strip().startswith("1 ")]
    assert len(measured) == 2
    assert all(float(row[1]) > 0 and float(row[8].rstrip("%")) >= 0 for row in measured)


def test_the_shape_follows_from_what_a_core_offers() -> None:
    found = {1: Measured([Spent(1000, 500, 0.1, 0.2)], 0.5, 100.0, 2.0)}
    rows = table(Use("analysis", "gomoku", 40_000.0, 256, 1), found).rows
    assert rows[0] == ("1", "100.00", "10,000", "25%", "10,000", "5,000", "50%", "100", "50%", "2.00")
    assert [row[:4] for row in rows[1:]] == [
        ("4 (calculated)", "-", "40,000", "100%"),
        ("8 (calculated)", "-", "80,000", "100%"),
        ("16 (calculated)", "-", "160,000", "100%"),
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--seconds 0", "--seconds is 0.0; it must be above 0"),
        ("--processes 0", "--processes is 0; it must be at least 1"),
        ("--analysis gomoku fast", "the rate of a device is 'fast'"),
    ],
)
def test_bad_options(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_device.main(words.split()) == 2
    assert message in capsys.readouterr().err
