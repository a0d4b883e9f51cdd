"""Compiled kernels on disk, one file each, found by name; a missing or unreadable file is no error.

Numba's own cache does not notice an edit in another file, ends the program at a damaged one, and lets two processes
that compile at once write over each other's.  Here a file is named by a hash of all that decides the kernel's code:
its name, the types of its arguments, the processor compiled for, and every source file it may be made from.  It is
written beside its place and moved there, and begins with a checksum.  A file that cannot be read is dropped and the
kernel compiled; one that cannot be written is not.

Two folders are looked into: ``compiled`` beside this file, which a package may bring along and which is only read, and
one in the user's caches.  They may be copied to another machine: no path and no time of a file is in a name.  What is
read there is trusted as the program itself is, which lies as open.
"""

import contextlib
import hashlib
import logging
import os
import pickle
import platform
import re
import sys
import time
import uuid
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from numba import types
from numba.core import sigutils
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from core.machine import user_cache_dir

KEEP_DAYS: Final = 14  # a file that was not used for so long is removed
PACKAGES: Final = ("core", "models", "gui")  # where kernels are made, and what they are made from
SUFFIX: Final = ".kernel"
BUILD_FOLDER: Final = "PLYSCOPE_KERNELS"  # the variable that names another folder than the user's caches
COMMON_PC: Final = "x86-64-v3"  # AVX2 and what came with it: every PC since about 2015
_ITS_FEATURES: Final = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt")

_ROOT: Final = Path(__file__).parents[1]
_SENTENCES: Final = "core.text"  # decides no kernel's code, which can hold no sentence
_NEVER_RUN: Final = re.compile(r"^if TYPE_CHECKING:\n(?:[ \t]+.*\n|\n)+", re.MULTILINE)
_IMPORT: Final = re.compile(r"^[ \t]*(?:from +([\w.]+) +import +(\([^)]*\)|.*)|import +(.*))", re.MULTILINE)
log = logging.getLogger(__name__)


def processor() -> str | None:
    """The processor that kernels are compiled for: a common type if this one has all its features, so that kernels can
    be shipped; else None for this one."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return None
    features = llvmlite.binding.get_host_cpu_features()
    return COMMON_PC if all(features.get(name) for name in _ITS_FEATURES) else None


def folder_name() -> str:
    """The folder of the kernels that this Python, this numba and this machine can run."""
    target = numba.config.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    return (
        f"{sys.implementation.cache_tag}-numba{numba.__version__}-llvmlite{llvmlite.__version__}"
        f"-numpy{np.__version__.partition('.')[0]}-{sys.platform}-{platform.machine()}-{target}"
    )


def shipped() -> Path:
    """The folder of kernels that came with the program."""
    return Path(__file__).parent / "compiled" / folder_name()


def compiled_here() -> Path:
    """The folder of kernels compiled here."""
    return _kernels() / folder_name()


def _kernels() -> Path:
    named = os.environ.get(BUILD_FOLDER)
    return Path(named) if named else user_cache_dir() / "kernels"


# Which sources a kernel may be made from.


_others: dict[str, Path] = {}  # a package that was installed beside the program and has kernels -> its folder's


def _note_other(module: str) -> None:
    """Note where the package of ``module`` is, if it is none of the program's."""
    top = module.partition(".")[0]
    paths = list(getattr(sys.modules.get(top), "__path__", ()))
    if top not in PACKAGES and paths:
        _others[top] = Path(paths[0]).parent


def _folder_of(module: str) -> Path | None:
    """The folder that the package of ``module`` is in; None for one without kernels."""
    top = module.partition(".")[0]
    return _ROOT if top in PACKAGES else _others.get(top)


@cache
def _path_of(module: str) -> Path | None:
    """The file of a module of this program, or of an installed package with kernels; None for any other."""
    folder, above = _folder_of(module), module.rpartition(".")[0]
    if folder is None or (above and not _is_package(above)):
        return None
    path = os.path.join(folder, *module.split("."))
    files = (f"{path}.py", os.path.join(path, "__init__.py"))
    return next((Path(file) for file in files if os.path.isfile(file)), None)


@cache
def _is_package(module: str) -> bool:
    return os.path.isdir(os.path.join(_folder_of(module) or "", *module.split(".")))


def _absolute(origin: str, file: Path) -> str:
    """The module that an import in ``file`` names, which begins with dots where it is of the same package."""
    name = origin.lstrip(".")
    if name == origin:
        return name
    above = file.parents[len(origin) - len(name) - 1]
    folders = [folder for top, folder in _others.items() if above.is_relative_to(folder / top)]
    parts = above.relative_to(folders[0]).parts if folders else ()
    return ".".join([*parts, *filter(None, [name])])


@cache
def _read(file: Path) -> tuple[bytes, frozenset[Path]]:
    """A source's digest, and the files of its package and of this program that it imports anywhere, except for
    annotations alone and sentences."""
    source = file.read_bytes()
    imported: set[Path | None] = set()
    for statement in _IMPORT.finditer(_NEVER_RUN.sub("", source.decode())):
        origin, names, modules = statement.groups()
        origin = origin and _absolute(origin, file)
        for name in re.findall(r"[\w.]+", names if origin else modules):
            # What is imported from a package is a module in it, or a name of its __init__.
            imported.add((_path_of(f"{origin}.{name}") or _path_of(origin)) if origin else _path_of(name))
    return hashlib.sha256(source).digest(), frozenset(imported - {None, _path_of(_SENTENCES)})  # type: ignore[arg-type]


@cache
def sources_of(module: str) -> frozenset[Path]:
    """The files of ``module`` and of all that it imports, directly or not, in its package and in the program."""
    _note_other(module)
    file = _path_of(module) or getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        raise FileNotFoundError(f"the source of {module} is not there to tell whether its kernels are current")
    sources: set[Path] = set()
    todo = {Path(file)}
    while todo:
        file = todo.pop()
        sources.add(file)
        todo |= _read(file)[1] - sources
    return frozenset(sources)


def read_sources(module: str) -> None:
    """Read the sources of the kernels of ``module`` now, as imported: they may be edited later."""
    with contextlib.suppress(OSError):
        sources_of(module)


def _place(file: Path) -> str:
    return file.relative_to(_ROOT).as_posix() if file.is_relative_to(_ROOT) else file.name


@cache
def _stamp(modules: frozenset[str]) -> str:
    """A hash of all that the kernels of ``modules`` may be made from."""
    digest = hashlib.sha256()
    for file in sorted(frozenset().union(*map(sources_of, modules)), key=_place):
        digest.update(_place(file).encode() + _read(file)[0])
    return digest.hexdigest()


_chosen_by: dict[type, set[str]] = {}  # a type of tuples -> the modules of the functions that are chosen by it


def note_operations(kind: type, functions: Iterable[Callable[..., Any]]) -> None:
    """Note that a kernel which is given a ``kind`` of named tuple may run ``functions``: an edit there changes it."""
    modules = {function.__module__ for function in functions}
    for module in modules:
        read_sources(module)
    _chosen_by.setdefault(kind, set()).update(modules)


def _modules_of(args: Iterable[Any]) -> set[str]:
    """The modules that define the named tuples among a kernel's argument types, and those of their operations."""
    modules: set[str] = set()
    for arg in args:
        if isinstance(arg, types.BaseTuple):
            if isinstance(arg, types.BaseNamedTuple):
                modules.add(arg.instance_class.__module__)
                modules |= _chosen_by.get(arg.instance_class, set())
            modules |= _modules_of(arg)
    return modules


# The files.


class KernelFiles(NullCache):  # type: ignore[misc]
    """Numba's cache of one function: loads and stores its compiled kernels."""

    ready: ClassVar[int] = 0  # functions that this process has compiled or found

    def __init__(self, function: Callable[..., Any]) -> None:
        code = function.__code__
        self._module = function.__module__
        self._name = f"{self._module}.{function.__qualname__}".replace("<", "").replace(">", "")
        self._line = code.co_firstlineno
        read_sources(self._module)

    @property
    def cache_path(self) -> str:
        return str(compiled_here())

    def _file_name(self, args: tuple[Any, ...], codegen: Any) -> str:
        stamp = _stamp(frozenset({self._module} | _modules_of(args)))
        decides = (self._line, stamp, codegen.magic_tuple(), *map(str, args))
        return f"{self._name}-{hashlib.sha256(repr(decides).encode()).hexdigest()[:20]}{SUFFIX}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel for these types; None if there is none or it cannot be read."""
        args, _ = sigutils.normalize_signature(sig)
        try:
            name = self._file_name(args, target_context.codegen())
        except OSError:
            return None
        for folder in (shipped(), compiled_here()):
            file = folder / name
            try:
                content = file.read_bytes()
            except OSError:
                continue
            try:
                payload = _opened(content, args)
                rtsys.initialize(target_context)
                kernel = CompileResult._rebuild(target_context, *payload)
            except Exception as error:  # whatever a damaged file makes of it
                log.info("the compiled kernel %s cannot be read and is made anew: %s", file, error)
                with contextlib.suppress(OSError):
                    file.unlink()
                continue
            _mark_used(file)
            KernelFiles.ready += 1
            return kernel
        # Only now: what is loaded does not need numba set up for compiling, which takes a third of a second.
        target_context.refresh()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a kernel that was just compiled; if that fails, the next process compiles it again."""
        KernelFiles.ready += 1
        args, _ = sigutils.normalize_signature(sig)
        if data.library.has_dynamic_globals:  # it holds addresses of this process
            return
        try:
            _make_room()
            name = self._file_name(args, data.codegen)
            payload = dumps((args, data._reduce()))
            _write(compiled_here() / name, hashlib.sha256(payload).digest() + payload)
        except OSError as error:
            log.info("the compiled kernel %s cannot be kept: %s", self._name, error)


def _opened(content: bytes, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The content of a kernel file.  ValueError when it is damaged or for other types."""
    size = hashlib.sha256().digest_size
    if hashlib.sha256(content[size:]).digest() != content[:size]:
        raise ValueError("it is damaged")
    of, payload = pickle.loads(content[size:])
    if of != args:
        raise ValueError("it is for other types")
    return payload  # type: ignore[no-any-return]


def _write(file: Path, content: bytes) -> None:
    """Write ``content`` atomically."""
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_suffix(f".{uuid.uuid4().hex[:12]}.tmp")
    try:
        temporary.write_bytes(content)
        temporary.replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _mark_used(file: Path) -> None:
    with contextlib.suppress(OSError):
        if time.time() - file.stat().st_mtime > 86400:
            os.utime(file)


@cache
def _make_room() -> None:
    """Remove unused files once per process, and only if it compiles: a start that finds all kernels does not wait."""
    remove_unused()


def remove_unused() -> None:
    """Remove files unused for KEEP_DAYS: kernels of other versions and incomplete ones."""
    oldest = time.time() - KEEP_DAYS * 86400
    kernels = _kernels()
    with contextlib.suppress(OSError):
        for folder in kernels.iterdir():
            for file in [*folder.rglob("*"), folder]:
                with contextlib.suppress(OSError):
                    if file.is_dir():
                        file.rmdir()  # fails where it is not empty
                    elif file.stat().st_mtime < oldest:
                        file.unlink()


# Whether all of them are there.


def _whole() -> str:
    every = frozenset({"models.kernels"})  # which imports all that makes kernels, but for the window's few
    return f"whole-{_stamp(every)[:20]}"


def mark_whole(into: Path | None = None) -> None:
    """Record that every kernel of this version was compiled, into the user's caches or another folder."""
    folder = into / folder_name() if into else compiled_here()
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _whole()).touch()


def are_whole() -> bool:
    """Whether every kernel of this version was compiled here, or came with the program."""
    name = _whole()
    for folder in (shipped(), compiled_here()):
        if (folder / name).exists():
            _mark_used(folder / name)
            return True
    return False
