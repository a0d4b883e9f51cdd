"""``plyscope postmortem`` says what a search misses, and refuses in a sentence."""

import json

import pytest

from tests.models.commands.running import run

MISSED = ("postmortem", "tictactoe", "a1 b2 c1", "--net", "uniform", "--simulations", "2", "--max-batch", "1")


def test_a_missed_line_is_blamed_on_what_repairs_it(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *MISSED, "--line", "b1", "--json")
    report = json.loads(out)
    assert code == 0
    assert (report["line"], report["right_from"], report["refutes"]) == (["b1"], None, False)
    assert [(ply["action"], ply["tried"]) for ply in report["plies"]] == [("b1", None)]
    assert report["repair"] in report["repairs"]
    assert report["blame"] == report["repair"]["kind"]
    assert 0 <= report["repair"]["right_from"] <= 8


def test_the_report_in_words_ends_with_the_blame(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *MISSED, "--line", "b1")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].endswith("Sought is what makes it choose b1.")
    assert lines[1].startswith("Searched again")
    assert lines[2] == "Values for the side that begins the line:"
    assert lines[3].split()[:5] == ["ply", "move", "P", "V", "N"]
    assert lines[4].split()[1] == "b1"
    assert lines[-1].startswith(("The policy is to blame", "Neither one prior nor one value"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("tictactoe", "--line", "b2", "--net", "rollouts"), "random games have no priors"),
        (("tictactoe", "a1", "--line", "a1"), "a1"),
        (("tictactoe", "--line", ""), "the line has no move"),
        (("tictactoe", "--line", "b2", "--seconds", "3"), "leave out --only and --seconds"),
        (("tictactoe", "--line", "b2", "--exact", "-1"), "--exact is -1.0"),
    ],
)
def test_what_cannot_be_examined_is_refused(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    code, _, error = run(capsys, "postmortem", *words)
    assert code == 2
    assert sentence in error
    assert error.count("\n") == 1


def test_a_right_move_is_examined_for_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    found = ("postmortem", "tictactoe", "a1 b2 c1", "--net", "uniform", "--simulations", "200", "--line", "b1")
    code, out, _ = run(capsys, *found, "--json")
    report = json.loads(out)
    assert code == 0
    assert (report["blame"], report["misjudged"], report["plies"][0]["exact"]) == ("found", [], 0.0)
    assert report["repairs"]
    assert all(repair["keeps"] for repair in report["repairs"])
    assert report["reason"] == (None if report["repair"] is None else report["repair"]["kind"])
    code, out, _ = run(capsys, *found)
    assert code == 0
    assert "still right" in out
    assert out.startswith("The search itself prefers b1.")
    assert out.splitlines()[3].split()[-4:] == ["exact", "first", "tried", "instead"]
    assert out.splitlines()[-1].startswith("The search finds it")


def test_what_is_sought_follows_from_the_search_that_analyze_shows(capsys: pytest.CaptureFixture[str]) -> None:
    """After d d c the runs again prefer another move than the search itself, which keeps the net's answers."""
    asked = ("connect4", "d d c", "--simulations", "300", "--json")
    _, out, _ = run(capsys, "analyze", *asked)
    best = json.loads(out)["best"]["name"]
    other = "b" if best != "b" else "e"
    _, out, _ = run(capsys, "postmortem", *asked, "--line", f"{other} d", "--exact", "0")
    report = json.loads(out)
    assert (report["shown"], report["refutes"]) == (best, False)
    if other in report["again"] and next(iter(report["again"])) == other:
        assert (report["blame"], report["repairs"]) == ("differs", [])
    else:
        assert report["blame"] in ("policy", "value", "horizon", "unknown")
        assert report["repairs"]
