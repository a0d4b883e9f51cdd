"""A file is written whole or not at all, whoever else writes it."""

import os
from pathlib import Path

import pytest

from core.files.atomic import write_atomically


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
