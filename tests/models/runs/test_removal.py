"""What a run's folder holds; its removal and renaming, which are refused while it trains."""

import os
from pathlib import Path

import pytest

from models.runs.folder import RunControl, RunError
from models.runs.removal import ASIDE, WRITTEN, Contents, contents, remove, rename


def make(folder: Path, **files: int) -> Path:
    for name, size in {"reports.jsonl": 5, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * size)
    return folder


def test_all_files_are_counted_and_others_named(tmp_path: Path) -> None:
    run = make(tmp_path / "a", **{"nets/step-00000001.onnx": 100, "replay/000001.npz": 1000, "thesis.txt": 1})
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "big").write_bytes(b"x" * 9999)
    (run / "link").symlink_to(tmp_path / "elsewhere")
    found = contents(run)
    assert (found.files, found.bytes) == (4, 1106)
    assert found.others == ("link", "thesis.txt")


def test_what_training_writes_is_known(tmp_path: Path) -> None:
    """A folder as training leaves it (tests.models.training.test_run compares a real one)."""
    assert contents(make(tmp_path / "a", **dict.fromkeys(WRITTEN, 1))).others == ()


def test_a_removed_run_is_gone_and_nothing_else(tmp_path: Path) -> None:
    run, other = make(tmp_path / "a"), make(tmp_path / "b")
    left = make(tmp_path / f"{ASIDE}12345678")  # of a removal that was cut short
    (run / "link").symlink_to(other)
    remove(run)
    assert os.listdir(tmp_path) == ["b"]
    assert contents(other) == Contents(1, 5, ())
    assert not left.exists()


def test_of_a_linked_run_only_the_link_is_removed(tmp_path: Path) -> None:
    run = make(tmp_path / "there" / "a")
    (tmp_path / "a").symlink_to(run)
    remove(tmp_path / "a")
    assert not (tmp_path / "a").is_symlink()
    assert contents(run).files == 1


def test_a_run_that_trains_is_neither_removed_nor_renamed(tmp_path: Path) -> None:
    run = make(tmp_path / "a")
    with RunControl(run):
        for act in (remove, lambda folder: rename(folder, "b")):
            with pytest.raises(RunError, match=r"“a” is training \(process \d+\); stop it first"):
                act(run)
    assert run.is_dir()


def test_a_run_gets_a_free_name_only(tmp_path: Path) -> None:
    run = make(tmp_path / "a")
    make(tmp_path / "b")
    with pytest.raises(RunError, match="there is a run “b” already"):
        rename(run, "b")
    assert rename(run, "c") == tmp_path / "c"
    assert sorted(os.listdir(tmp_path)) == ["b", "c"]
