"""Versions of Plyscope on the machines of a cluster: what is the same, and the sentence where they differ."""

from pathlib import Path

import pytest

from models.cluster import versions
from models.cluster.versions import Version, difference, own_version

OURS = Version("0.2.0", "ab" * 32)


@pytest.mark.parametrize(
    ("theirs", "words"),
    [
        (OURS, None),
        (Version("", ""), "Plyscope is not installed on red"),
        (
            Version("0.1.0", "cd" * 32),
            "red has Plyscope 0.1.0 and this machine 0.2.0; install the same on both",
        ),
        (
            Version("0.2.0", "cd" * 32),
            "red has Plyscope 0.2.0, build cdcdcdcd and this machine 0.2.0, build abababab; install the same on both",
        ),
        (
            Version("0.2.0", ""),
            "red has Plyscope 0.2.0, build ? and this machine 0.2.0, build abababab; install the same on both",
        ),
    ],
)
def test_a_difference_is_a_sentence(theirs: Version, words: str | None) -> None:
    assert difference("red", theirs, OURS) == words


def test_the_build_is_of_the_sources_that_do_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "player.py"
    monkeypatch.setattr(versions, "sources_of", lambda _: [source])
    source.write_bytes(b"a = 1\nb = 2\n")
    first = own_version("player")
    source.write_bytes(b"a = 1\r\nb = 2\r\n")
    assert own_version("player") == first  # checked out on Windows
    source.write_bytes(b"a = 1\nb = 3\n")
    assert own_version("player") != first
    source.unlink()
    assert own_version("player") == Version(first.program, "")
