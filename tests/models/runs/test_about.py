"""A run's note and whether it is archived: kept in its folder, damage ignored."""

import os
from pathlib import Path

import pytest

from models.runs.about import ABOUT, LONGEST_NOTE, About, read_about, write_about


def test_a_note_is_kept_with_the_run_and_moves_with_it(tmp_path: Path) -> None:
    run = tmp_path / "a"
    run.mkdir()
    assert read_about(run) == About()
    write_about(run, About("größer, 更大", archived=True))
    run.rename(tmp_path / "b")
    assert read_about(tmp_path / "b") == About("größer, 更大", archived=True)
    write_about(tmp_path / "b", About())
    assert os.listdir(tmp_path / "b") == []


def test_a_note_that_is_too_long_is_refused_and_the_old_one_stays(tmp_path: Path) -> None:
    write_about(tmp_path, About("short"))
    with pytest.raises(ValueError, match="the note has 4001 characters; it may have 4000"):
        write_about(tmp_path, About("x" * (LONGEST_NOTE + 1)))
    assert read_about(tmp_path).note == "short"


@pytest.mark.parametrize("content", ["", "[1]", '{"note": 3}', '{"note": "a', "[" * 100_000, '{"note": "\\ud800"}'])
def test_a_damaged_file_says_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / ABOUT).write_text(content)
    assert read_about(tmp_path) == About()


def test_no_folder_is_made_for_a_note(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_about(tmp_path / "gone", About("x"))
    assert not (tmp_path / "gone").exists()
