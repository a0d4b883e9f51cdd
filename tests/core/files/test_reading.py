"""Files: what is quoted of them, the garbage collector meanwhile, and that they are written whole or not at all."""

import gc
import os
from pathlib import Path

import pytest

from core.files.atomic import write_atomically
from core.files.reading import in_short, not_collected


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("an ordinary one", "an ordinary one"),
        ("two\n  lines", "two lines"),
        ("'" + "a b " * 1000 + "' is no game", "'" + ("a b " * 13)[:49] + "…" + ("a b " * 13)[-49:] + "' is no game"),
        ("device is '" + "x" * 4096 + "'; it must be cpu", f"device is '{'x' * 49}…{'x' * 49}'; it must be cpu"),
        ("unknown arguments: " + "y" * 500, f"unknown arguments: {'y' * 50}…{'y' * 50}"),
        ("a 'b' " + "c " * 60 + "'d'", "a 'b' " + "c " * 60 + "'d'"),  # what lies between two quotations is none
    ],
)
def test_error_sentences_quote_at_most_one_line(sentence: str, message: str) -> None:
    assert in_short(sentence) == message
    assert len(in_short("word " * 1000)) <= 801


def test_the_collector_is_on_again_after_the_last_reading() -> None:
    first, second = not_collected(), not_collected()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()


def test_the_collector_is_on_again_after_a_fault() -> None:
    with pytest.raises(ValueError, match="no"), not_collected():
        raise ValueError("no")
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with not_collected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_concurrent_writes_use_separate_temporary_files(tmp_path, monkeypatch):
    path, sync = tmp_path / "game.sgf", os.fsync

    def meanwhile(file):
        monkeypatch.setattr(os, "fsync", sync)
        write_atomically(path, b"second")
        assert path.read_bytes() == b"second"
        sync(file)

    monkeypatch.setattr(os, "fsync", meanwhile)
    write_atomically(path, b"first")
    assert path.read_bytes() == b"first"
    assert [p.name for p in tmp_path.iterdir()] == ["game.sgf"]


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "game.sgf"
    write_atomically(path, b"old")

    def full(file):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="the disk is full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in Path(tmp_path).iterdir()] == ["game.sgf"]


def test_an_error_names_the_file_and_not_the_temporary_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as found:
        write_atomically(tmp_path / "none" / "file", b"", make_folder=False)
    assert found.value.filename == str(tmp_path / "none" / "file")
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError) as taken:
        write_atomically(tmp_path / "folder", b"")
    assert taken.value.filename == str(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
