"""What was found of a net is kept, and is found again only for the same net and the same concepts."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.files import caches
from core.files.caches import cache_path, keep
from core.games import Position, load_game
from core.games.spec import Concept, Label
from models.inside import examined
from models.inside.concepts import concepts_of
from models.inside.examined import Examined, examined_for, kept_examined
from models.netfiles.shipped import nets_dir
from models.netfiles.tapped import TappedNet
from tests.models.inside.nets import at_random

GAME = load_game("tictactoe")
NET = "tictactoe-2x32.onnx"


def here(position: Position) -> Label:
    return (position.cells() == 0).astype(np.float32)


def there(position: Position) -> Label:
    return (position.cells() != 0).astype(np.float32)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(caches, "user_cache_dir", lambda: tmp_path)
    monkeypatch.setattr(examined, "positions_at_most", lambda net: 200)
    return tmp_path


def concepts(label: Any = here) -> list[Concept]:
    return [*concepts_of(GAME), Concept("free", "free", label, is_move=True), Concept("never", "never", never, False)]


def never(position: Position) -> Label:
    return 0.0


def plain(found: Examined) -> Any:
    report = found.report
    rows = [tuple(map(repr, row[:-1])) for row in (tuple(vars(one).values()) for one in report.concepts)]
    lines = [[(line.weights.tolist(), line.offsets.tolist()) for line in row.lines] for row in report.concepts]
    moves = [position.moves for position in report.sample.positions]
    return rows, lines, moves, report.sample.games.tolist(), report.judged.tolist(), report.blocks, repr(found.uses)


def test_what_was_found_is_read_again_to_the_bit(own_cache: Path) -> None:
    net = TappedNet(nets_dir() / NET, GAME)
    assert kept_examined(net, concepts()) is None
    parts: list[float] = []
    first = examined_for(net, concepts(), progress=parts.append)
    assert first is not None
    assert parts == sorted(parts)
    assert (parts[0] > 0.0, parts[-1]) == (True, 1.0)
    again = examined_for(net, concepts(), progress=lambda part: pytest.fail("it is examined again"))
    assert plain(again) == plain(first)
    assert list(again.uses) == [concept.name for concept in concepts() if concept.is_move]
    assert again.report.concepts[-1].blocks == ()


def test_another_net_another_concept_or_a_damaged_file_is_examined_anew(own_cache: Path) -> None:
    net = TappedNet(nets_dir() / NET, GAME)
    assert examined_for(net, concepts()) is not None
    assert kept_examined(net, concepts(there)) is None  # of the same name, but it says something else
    assert kept_examined(net, concepts()[1:]) is None
    assert kept_examined(TappedNet(at_random(NET, own_cache / "other.onnx"), GAME), concepts()) is None
    (file,) = own_cache.rglob("*.concepts")
    whole = file.read_bytes()
    for damaged in (b"", whole[:-40], whole[: len(whole) // 2] + bytes(40) + whole[len(whole) // 2 + 40 :]):
        file.write_bytes(damaged)
        assert kept_examined(net, concepts()) is None
    assert examined_for(net, concepts()) is not None
    assert file.read_bytes() == whole


def test_what_was_stopped_is_not_kept(own_cache: Path) -> None:
    parts: list[float] = []
    net = TappedNet(nets_dir() / NET, GAME)
    assert examined_for(net, concepts(), stop=lambda: len(parts) > 3, progress=parts.append) is None
    assert not list(own_cache.rglob("*.concepts"))


def test_the_oldest_files_are_removed(own_cache: Path) -> None:
    for number in range(4):
        keep(cache_path("concepts", "concepts", str(number)), bytes([number]), 2)
    files = list(own_cache.rglob("*.concepts"))
    assert (len(files), files[0].parent.name) == (2, "concepts")
    keep(own_cache / "file" / "is" / "x.concepts", b"", 2)
    (own_cache / "blocked").write_bytes(b"")
    keep(own_cache / "blocked" / "x.concepts", b"", 2)  # cannot be written
