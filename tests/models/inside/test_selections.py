"""A kept selection of positions is a concept, of which whole games are left out to judge by."""

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from core.files import caches
from core.files.record import GameRecord
from core.files.sgf import write_sgf
from core.games import load_game
from models.audit.positions import key_of, random_items
from models.inside import examined
from models.inside.examined import examined_for, kept_examined
from models.inside.probes import split_games
from models.inside.sample import play_sample
from models.inside.selections import read_selection, with_selection
from models.netfiles.shipped import nets_dir
from models.netfiles.tapped import TappedNet
from models.strength.exams import after

GAME = load_game("connect4")


@pytest.fixture(scope="module")
def net() -> TappedNet:
    return TappedNet(nets_dir() / "connect4-4x48.onnx", GAME)


def listed(path: Path, count: int) -> Path:
    """A list of positions whose first move is on the left edge, and no other one."""
    rng, lines = np.random.default_rng(count), set()
    while len(lines) < count:
        moves = (0, *rng.integers(1, 7, size=rng.integers(5, 11)).tolist())
        with suppress(ValueError):  # a column is full, or the game is over
            if not after(GAME, moves).is_over:
                lines.add(" ".join(map(GAME.action_name, moves)))
    path.write_text("\n".join(sorted(lines)))
    return path


def test_a_list_of_positions_is_told_by_the_net_and_what_is_kept_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, net: TappedNet
) -> None:
    monkeypatch.setattr(caches, "user_cache_dir", lambda: tmp_path / "caches")
    monkeypatch.setattr(examined, "positions_at_most", lambda net: 500)
    chosen = read_selection(listed(tmp_path / "edge.txt", 200), net)
    assert chosen.concept.title == "“edge.txt”"
    assert all(chosen.concept.label(position) == 1.0 for position in chosen.positions)
    assert chosen.concept.label(GAME.initial()) == 0.0
    found = examined_for(net, [], None, [chosen])
    (report,) = found.report.concepts
    assert 0.2 < report.mean < 0.6
    assert report.board.low > 0.6  # one cell of the edge is taken, and the others are free
    again = kept_examined(net, [chosen.concept])
    assert again.report.concepts[0].board == report.board


def test_no_game_is_on_both_sides_and_too_few_are_refused(tmp_path: Path, net: TappedNet) -> None:
    chosen = read_selection(listed(tmp_path / "edge.txt", 150), net)
    sample = play_sample(net, 400, 3)
    joined = with_selection(sample, chosen, 400)
    assert len(joined.positions) == len(joined.games) == 400
    assert len({key_of(position) for position in joined.positions}) == 400
    labels = np.array([chosen.concept.label(position) for position in joined.positions])
    assert labels.sum() == len(chosen.positions)
    assert not set(joined.games[labels == 1.0]) & set(joined.games[labels == 0.0])
    for rows in split_games(joined.games, 0):
        assert labels[rows].sum() >= 10
    few = read_selection(listed(tmp_path / "few.txt", 30), net)
    with pytest.raises(ValueError, match=r"“few\.txt” has \d+ different positions in \d+ games"):
        with_selection(sample, few, 400)


def test_the_ends_of_kept_games_are_a_selection(tmp_path: Path, net: TappedNet) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    items = random_items(GAME, 12, (5, 9), 1).items
    for number, item in enumerate(items):
        record = GameRecord.of(after(GAME, item.moves))
        (folder / f"{number}.sgf").write_bytes(write_sgf([record]))
    chosen = read_selection(folder, net)
    assert {key_of(position) for position in chosen.positions} == {key_of(after(GAME, item.moves)) for item in items}
    assert len(set(chosen.games)) == 12
