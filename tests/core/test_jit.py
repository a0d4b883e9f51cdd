"""Where compiled kernels are kept: a folder per version of the source, and never an error for want of one."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def cache_dir(folder: Path) -> Path:
    """The cache directory a process chooses when the user's caches belong into ``folder``."""
    names = {"XDG_CACHE_HOME": str(folder), "LOCALAPPDATA": str(folder), "HOME": str(folder)}
    code = "import numba; from core._jit import CACHE_DIR as d; assert numba.config.CACHE_DIR == str(d); print(d)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, **names}, capture_output=True, text=True, check=True
    )
    return Path(done.stdout.strip())


def test_the_folder_is_named_by_the_source_and_old_ones_are_removed(tmp_path: Path) -> None:
    first = cache_dir(tmp_path)
    assert first.is_dir()
    assert first.is_relative_to(tmp_path)
    assert len(first.name) == 16
    old, recent = first.parent / "0123456789abcdef", first.parent / "fedcba9876543210"
    for folder in (old, recent):
        folder.mkdir()
    os.utime(old, (0, 0))
    assert cache_dir(tmp_path) == first
    assert not old.exists()
    assert recent.is_dir()


def test_an_unwritable_home_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    found = cache_dir(blocked)
    assert found.is_dir()
    assert not found.is_relative_to(blocked)
    found.rmdir()
