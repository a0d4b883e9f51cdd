"""Packages with games, installed for one test: as pip would, but without it."""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import pytest

from core.games.catalog import GAMES

HEX = Path(str(files("resources"))) / "examples" / "hex"


def look_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program look for installed games once more; after the test it knows what it knew."""
    monkeypatch.setattr(GAMES, "_installed", None)
    monkeypatch.setattr(GAMES, "_failures", {})


def write_dist_info(folder: Path, name: str, points: Mapping[str, str]) -> None:
    """Write the metadata of an installed package, with these games as its entry points."""
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{point} = {value}" for point, value in points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[plyscope.games]", *lines, ""]))


@contextmanager
def hex_installed(folder: Path) -> Iterator[None]:
    """The example package of Hex, installed from its own pyproject.toml into ``folder`` and the path of modules."""
    project = tomllib.loads((HEX / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    write_dist_info(folder, project["name"], project["entry-points"]["plyscope.games"])
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(HEX))
        patch.syspath_prepend(str(folder))
        look_again(patch)
        yield
