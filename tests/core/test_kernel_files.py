"""Compiled kernels on disk: found again, never stale, and no damaged or missing file is an error."""

import ast
import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba import typeof

from core import _kernel_files
from core._jit import jit, jitable
from core._kernel_files import SUFFIX, compiled_here, remove_unused, sources_of
from core.games import (
    catalog,  # noqa: F401  # enters every game in the table
    encoding,
)
from core.games.dispatch import _TABLE
from core.solve import threats_leaf
from core.text import Text

ROOT = Path(__file__).resolve().parents[2]
REMEMBERED = (
    _kernel_files._path_of,
    _kernel_files._is_package,
    _kernel_files._read,
    _kernel_files._stamp,
    sources_of,
)
DECORATORS = {"jit", "jitable", "apart", "overload"}
compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


@jitable
def half(x: float) -> float:
    return x / 2


def twice_and_half(x: int) -> float:
    return 2 * x + half(x)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of kernels."""
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    return compiled_here()


def fresh() -> Any:
    """The kernel as a process that starts has it."""
    return jit(twice_and_half)


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@compiled
def test_a_kernel_is_compiled_once_and_found_again(folder: Path) -> None:
    first, second = fresh(), fresh()
    assert first(4) == second(4) == 10
    assert sum(first.stats.cache_hits.values()) == 0
    assert sum(second.stats.cache_hits.values()) == 1
    assert [name.partition("-")[0].rpartition(".")[2] for name in files(folder)] == ["half", "twice_and_half"]


def truncate(content: bytes) -> bytes:
    return content[: len(content) // 2]


def garble(content: bytes) -> bytes:
    return content[:200] + bytes(255 - byte for byte in content[200:])


@compiled
@pytest.mark.parametrize("damage", [truncate, garble, lambda content: b"", lambda content: bytes(len(content))])
def test_a_damaged_kernel_file_is_replaced(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    assert fresh()(4) == 10
    [file] = folder.glob("*twice_and_half*")
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    after = fresh()
    assert after(4) == 10
    assert sum(after.stats.cache_hits.values()) == 0
    again = fresh()
    assert again(4) == 10
    assert sum(again.stats.cache_hits.values()) == 1


@compiled
def test_a_kernel_file_of_other_types_is_not_run(folder: Path) -> None:
    assert fresh()(4) == 10
    assert fresh()(4.5) == 11.25
    one, other = folder.glob("*twice_and_half*")
    one.write_bytes(other.read_bytes())
    other.write_bytes(one.read_bytes())
    assert fresh()(4) == 10
    assert fresh()(4.5) == 11.25


@compiled
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_kernels_compile_even_if_they_cannot_be_stored(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    whole = Path.write_bytes

    def until_the_disk_is_full(file: Path, content: bytes) -> int:
        whole(file, content[:100])
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(Path, "write_bytes", until_the_disk_is_full)
    assert fresh()(4) == 10
    assert files(folder) == []


@compiled
def test_no_folder_at_all_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setenv("LOCALAPPDATA", str(blocked))
    monkeypatch.setenv("HOME", str(blocked))
    before = set(Path(os.environ.get("TMPDIR", "/tmp")).iterdir())
    assert fresh()(4) == 10
    assert {
        path.name for path in set(Path(os.environ.get("TMPDIR", "/tmp")).iterdir()) - before if "plyscope" in path.name
    } == set()


@compiled
def test_the_folder_shipped_with_the_program_is_read_first(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fresh()(4) == 10
    elsewhere = tmp_path / "elsewhere"
    folder.rename(elsewhere)
    monkeypatch.setattr(_kernel_files, "shipped", lambda: elsewhere)
    kernel = fresh()
    assert kernel(4) == 10
    assert sum(kernel.stats.cache_hits.values()) == 1
    assert not folder.exists()


def test_unused_kernel_files_are_removed(folder: Path) -> None:
    folder.mkdir(parents=True)
    other = folder.parent / "of another version"
    other.mkdir()
    (other / f"old{SUFFIX}").touch()
    (folder / f"recent{SUFFIX}").touch()
    (folder / "half-written.tmp").touch()
    for path in (other / f"old{SUFFIX}", folder / "half-written.tmp"):
        os.utime(path, (0, 0))
    remove_unused()
    assert files(folder) == [f"recent{SUFFIX}"]


# What makes a kernel stale.


def test_imports_read_from_a_source_are_complete() -> None:
    for file in (ROOT / "core").rglob("*.py"):
        expected = set()
        for node in ast.walk(without_annotations(file)):
            if isinstance(node, ast.Import):
                expected |= {_kernel_files._path_of(alias.name) for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, file
                origin = node.module or ""
                names = [f"{origin}.{alias.name}" for alias in node.names]
                expected |= {_kernel_files._path_of(name) or _kernel_files._path_of(origin) for name in names}
        assert _kernel_files._read(file)[1] >= expected - {None, ROOT / "core/text.py"}, file


def without_annotations(file: Path) -> ast.Module:
    """A source without what it imports for annotations alone."""
    source = ast.parse(file.read_bytes())
    source.body = [
        node
        for node in source.body
        if not (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING")
    ]
    return source


def test_a_kernel_depends_only_on_modules_it_imports() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in sources_of("core.search.simulate")}
    assert {"core/_jit.py", "core/search/tree.py", "core/search/proofs.py", "core/games/dispatch.py"} <= names
    assert not {name for name in names if name.startswith(("core/files", "core/engine", "gui", "models"))}


def test_kernels_of_the_search_depend_on_no_game() -> None:
    """An edit in a game compiles its own kernels anew, and no others."""
    games = {"bits", "dispatch", "encoding", "net_inputs", "past_boards"}
    sources = sources_of("core.search.simulate")
    assert len(sources) <= 30
    assert {file.stem for file in sources if file.parent.name == "games"} == games


# Sentences.


def makes_kernels(source: str) -> bool:
    return any(f"\n@{decorator}" in source for decorator in DECORATORS)


def decorator_of(function: ast.FunctionDef) -> set[str]:
    calls = [node.func if isinstance(node, ast.Call) else node for node in function.decorator_list]
    return {node.id for node in calls if isinstance(node, ast.Name)}


def test_an_edit_of_sentences_compiles_nothing_anew() -> None:
    """No kernel's name depends on core/text.py, for no compiled function uses what a module takes from there."""
    modules = [file for package in _kernel_files.PACKAGES for file in (ROOT / package).rglob("*.py")]
    files = [file for file in modules if makes_kernels(file.read_text())]
    assert len(files) > 50
    for file in files:
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        assert ROOT / "core/text.py" not in sources_of(name)
        source = ast.parse(file.read_bytes())
        imports = [node for node in source.body if isinstance(node, ast.ImportFrom) and node.module == "core.text"]
        sentences = {alias.asname or alias.name for node in imports for alias in node.names}
        for function in ast.walk(source):
            if isinstance(function, ast.FunctionDef) and decorator_of(function) & DECORATORS:
                assert not {node.id for node in ast.walk(function) if isinstance(node, ast.Name)} & sentences, function
    for operations in (table for kind in (_TABLE, encoding._TABLE, threats_leaf._TABLE) for table in kind.values()):
        for operation in operations:
            used = [operation.__globals__.get(name) for name in operation.__code__.co_names]
            assert not [value for value in used if isinstance(value, Text) or value is Text], operation


def test_operations_of_a_game_are_among_the_sources_of_kernels_that_take_its_state() -> None:
    own: dict[Any, Any] = {
        state: kernels for state, kernels in _TABLE.items() if state.__module__.startswith("core.games.")
    }
    assert len(own) == 8  # beside those that installed games have entered
    for state, kernels in own.items():
        modules = _kernel_files._modules_of([typeof(state(*(np.zeros(1) for _ in state._fields)))])
        for function in kernels:
            [file] = [path for path in sources_of(function.__module__) if path == Path(function.__code__.co_filename)]
            assert file in frozenset().union(*map(sources_of, modules))


def test_an_edit_in_an_imported_file_changes_the_kernel_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "core"
    package.mkdir()
    monkeypatch.setattr(_kernel_files, "_ROOT", tmp_path)
    (package / "kernels.py").write_text(
        "from core.deeper import (\n    ONE,\n    TWO,\n)\n\nif TYPE_CHECKING:\n    from core.kinds import Kind\n"
    )
    (package / "deeper.py").write_text("def f():\n    from core import deepest\n")
    (package / "deepest.py").write_text("ONE = 1\n")
    (package / "other.py").write_text("")
    (package / "kinds.py").write_text("")

    def stamp() -> str:
        for remembered in REMEMBERED:
            remembered.cache_clear()
        return _kernel_files._stamp(frozenset({"core.kernels"}))

    try:
        before = stamp()
        (package / "other.py").write_text("1")
        (package / "kinds.py").write_text("1")
        assert stamp() == before
        (package / "deepest.py").write_text("ONE = 2\n")
        assert stamp() != before
    finally:
        for remembered in REMEMBERED:
            remembered.cache_clear()


# Two threads.


@pytest.mark.slow
@compiled
def test_the_first_compilation_registers_no_more_types(tmp_path: Path) -> None:
    """Another thread may be looking through those there are, as it does for the first array it passes: the search died
    of "dictionary changed size during iteration" when a picture of its tree was drawn for the first time."""
    code = (
        "from numba.core.typing.typeof import typeof_impl\n"
        "from core._jit import jit\n"
        "known = len(typeof_impl.registry)\n"
        "assert jit(lambda x: x + 1)(1) == 2\n"
        "assert len(typeof_impl.registry) == known\n"
    )
    names = {"XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path), "HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, **names}, check=True, timeout=120)


# In programs of others.


@compiled
def test_a_program_that_imports_the_engine_compiles_its_own_code_as_before() -> None:
    code = (
        "import numba, numba.core.codegen as codegen, numba.core.datamodel.registry as registry\n"
        "def setting(): return (numba.config.CPU_NAME, codegen.JITCPUCodegen._library_class, "
        "dict(registry.default_manager._handlers))\n"
        "name, library, models = setting()\n"
        "import core.engine, core.solve.solver\n"
        "assert setting()[:2] == (name, library)\n"
        "assert models.items() <= setting()[2].items()\n"
    )
    others = {key: value for key, value in os.environ.items() if not key.startswith(("PLYSCOPE", "NUMBA"))}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=others, check=True, timeout=120)
