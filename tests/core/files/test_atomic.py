"""A file is written whole or not at all, whoever else writes it."""

import os
from pathlib import Path

import pytest

from core.files.atomic import write_atomically


def test_two_who_write_one_file_do_not_share_a_half_written_one(tmp_path, monkeypatch):
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


def test_what_cannot_be_written_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "game.sgf"
    write_atomically(path, b"old")

    def full(file):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="the disk is full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in Path(tmp_path).iterdir()] == ["game.sgf"]
