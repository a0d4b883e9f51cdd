"""What really gets loaded by an import; who may import whom, the contracts of pyproject, ``make lint`` checks."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def loaded_by(statement: str) -> set[str]:
    """The top-level modules in a fresh interpreter after ``statement``."""
    code = f"{statement}\nimport sys, json; print(json.dumps([name.partition('.')[0] for name in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import core.engine", {"PySide6", "torch", "onnx", "onnxruntime", "models", "gui"}),
        ("import core.games", {"PySide6", "torch", "onnxruntime"}),
        ("import models.commands.program", {"PySide6", "torch"}),
        ("import models.commands.analyze", {"PySide6", "torch"}),
        ("import models.netfiles.evaluator", {"PySide6", "torch"}),
        ("import models.runs.config", {"torch", "onnxruntime", "numba"}),
        # The window shows before the engine and the net are loaded.
        ("import gui.app", {"torch", "onnxruntime", "numba"}),
    ],
)
def test_imports_do_not_load_heavy_modules(statement: str, absent: set[str]) -> None:
    assert not loaded_by(statement) & absent


def test_the_tests_are_no_package() -> None:
    assert not list((ROOT / "tests").rglob("__init__.py"))


def test_every_folder_of_the_program_is_a_package() -> None:
    """setuptools leaves out of a wheel what is none, though it can be imported here; the examples go along as files."""
    sources = [path for name in ("core", "models", "gui", "resources") for path in (ROOT / name).rglob("*.py")]
    sources = [path for path in sources if ROOT / "resources" / "examples" not in path.parents]
    assert sources
    assert [folder for folder in {path.parent for path in sources} if not (folder / "__init__.py").is_file()] == []
