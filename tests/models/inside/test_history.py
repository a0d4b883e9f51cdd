"""When the nets of a run learnt a concept, beside a search with them; work that was stopped goes on."""

from itertools import pairwise
from pathlib import Path

import pytest

from core.files import caches
from core.files.reading import BadFile
from core.games.spec import Concept
from models.inside import history
from models.inside.concepts import concepts_of
from models.inside.history import History, column_file, history_of, nets_of_run, read_column, run_of
from models.runs.folder import NETS, net_path
from tests.models.inside.planted import ROW as GAME
from tests.models.inside.planted import is_one_of_two, run_that_learns

LEARNT = Concept("one of two", "one of two", is_one_of_two)
LINE = next(concept for concept in concepts_of(GAME) if concept.name == "own completes")
NEVER = Concept("never", "never", lambda position: 0.0, per_cell=False)
ALL = [LEARNT, LINE, NEVER]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(caches, "user_cache_dir", lambda: tmp_path / "caches")
    monkeypatch.setattr(history, "positions_at_most", lambda net: 400)
    monkeypatch.setattr(history, "_SEARCHED", 30)
    return tmp_path / "caches"


def test_a_concept_is_told_from_the_net_on_that_has_it_and_a_search_knows_a_line_before(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nets = nets_of_run(run_that_learns(tmp_path / "run"))
    assert [(net.step, net.iteration) for net in nets] == [(0, 0), (30, 1), (70, 2)]
    parts: list[float] = []
    states: list[History] = []
    stopped = history_of(nets, GAME, ALL, lambda: len(states) == 1, parts.append, states.append)
    assert stopped is None
    assert len(states) == len(list(own_cache.rglob("*.concepts"))) == 1
    found = history_of(nets, GAME, ALL, progress=parts.append, found=states.append)
    assert [len(state.columns) for state in states] == [1, 1, 2, 3]
    assert parts[-1] == 1.0
    learnt, line, never = found.concepts
    assert [block.beats_baselines for block in learnt.blocks] == [False, False, True]
    assert learnt.blocks[2].score.value == 1.0
    assert all(block.score.value < 0.98 for block in learnt.blocks[:2])
    assert len({block.score for block in line.blocks[:2]}) == 1  # the same net twice
    assert never.blocks == ()
    assert [str(name) for name in found.blocks] == ["iteration 0", "iteration 1", "iteration 2"]
    # these nets have no wish: a search finds the line, and the net alone never does
    assert (found.first_known(LINE.name, 100), found.first_known(LINE.name, 1)) == (0, None)
    assert found.first_known(LEARNT.name, 100) is None
    monkeypatch.setattr(history, "Examiner", None)  # nothing is examined again
    again = history_of(nets, GAME, ALL)
    assert repr(again) == repr(found)


def test_a_damaged_column_is_refused(tmp_path: Path) -> None:
    found = history_of(nets_of_run(run_that_learns(tmp_path / "run"))[1:], GAME, ALL)
    data = column_file(found.columns[0])
    assert repr(read_column(data, ALL)) == repr(found.columns[0])
    for damaged in (b"", data[:-30], data[: len(data) // 2] + bytes(40) + data[len(data) // 2 + 40 :]):
        with pytest.raises(BadFile):
            read_column(damaged, ALL)
    with pytest.raises(BadFile):
        read_column(data, ALL[:1])


def test_many_nets_are_spread_evenly_and_a_folder_without_nets_is_refused(tmp_path: Path) -> None:
    (tmp_path / NETS).mkdir()
    with pytest.raises(ValueError, match="has 0 kept nets of a run"):
        nets_of_run(tmp_path)
    for step in range(0, 1000, 10):
        (tmp_path / net_path(step)).touch()
    nets = nets_of_run(tmp_path)
    steps = [net.step for net in nets]
    assert (len(steps), steps[0], steps[-1]) == (20, 0, 990)
    assert {b - a for a, b in pairwise(steps)} <= {50, 60}
    assert all(net.iteration is None for net in nets)
    assert run_of(nets[0].path) is None  # there are no reports
    run = run_that_learns(tmp_path / "run")
    assert run_of(run / net_path(30)) == run_of(run / "net.onnx") == run
    assert run_of(tmp_path / "elsewhere" / "net.onnx") is None
