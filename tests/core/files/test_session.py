"""The session file: written whole, read back, and damage reported."""

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.files import arrays
from core.files import session as session_file
from core.files.arrays import BadFile
from core.files.record import ROOT, GameRecord
from core.files.session import (
    MAX_NAME,
    SavedGame,
    Session,
    TreeRoom,
    dump_session,
    load_session,
    one_line,
    open_session,
    save_session,
)
from core.files.sgf import read_sgf
from core.files.tree_file import StoredTree, dump_tree, saved
from core.games import load_game
from core.search import SearchSettings
from tests.core.files.records import ALL_GAMES, records
from tests.core.search.fakes import run_search

NIM = load_game("nim(heaps=3-4-5)")


@pytest.fixture(scope="module")
def session() -> Session:
    """Two games, one of them searched, with a variation that cannot be played here."""
    game = load_game("tictactoe")
    chosen = SearchSettings(selection="ucb1", memory_mb=4)
    search = run_search(game.position("a1"), None, 50, chosen)
    record = GameRecord.of(game.position("a1 b2"))
    record.play(ROOT, 4)
    odd = read_sgf("(;GM[4]SZ[5]XY[1];B[aa](;W[aa])(;W[bb]))").records[0]
    return Session(
        (
            SavedGame(record, 1, chosen, "", 500, (StoredTree(saved(search)),)),
            SavedGame(odd, 2, None, "nets/g.onnx", 0),
            SavedGame(GameRecord.of(NIM.initial().play(0).play(5))),
        ),
        current=1,
        extra={"layout": "wide"},
    )


def edited(data: bytes, change: Callable[[Any], object]) -> bytes:
    """The session with its JSON changed in place."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "session.json":
                index = json.loads(content)
                change(index)
                content = json.dumps(index).encode()
            new.writestr(name, content)
    return out.getvalue()


def test_a_session_is_opened_as_it_was_saved(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "mine.plyscope"
    save_session(path, session)
    save_session(path, session)
    assert [p.name for p in path.parent.iterdir()] == ["mine.plyscope"]
    loaded, errors = open_session(path).session, open_session(path).errors
    assert errors == ()
    assert (loaded.current, loaded.extra) == (1, {"layout": "wide"})
    for mine, its in zip(loaded.games, session.games, strict=True):
        assert mine.record == its.record
        assert mine.record.path(mine.cursor) == its.record.path(its.cursor)
        assert (mine.settings, mine.source, mine.limit) == (its.settings, its.source, its.limit)
        assert [s.packed() for s in mine.searches] == [s.packed() for s in its.searches]
        assert not mine.record.can_undo
    assert loaded.games[1].record.node(1).unread == ("(;W[aa])",)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(record=records((*ALL_GAMES, "nim(heaps=3-4-5)")), data=st.data())
def test_every_record_round_trips(record: GameRecord, data: st.DataObject) -> None:
    cursor = data.draw(st.sampled_from(list(record.preorder())))
    loaded = load_session(dump_session(Session((SavedGame(record, cursor),))))
    assert loaded.errors == ()
    (game,) = loaded.session.games
    assert game.record == record
    assert game.record.path(game.cursor) == record.path(cursor)
    assert game.record.start.diagram() == record.start.diagram()


@pytest.mark.slow
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(draw=st.data())
def test_a_damaged_session_is_refused_or_opened_in_part(session: Session, draw: st.DataObject) -> None:
    data = dump_session(session)
    at = draw.draw(st.integers(0, len(data) - 1))
    broken = data[:at] if draw.draw(st.booleans()) else data[:at] + bytes([data[at] ^ 0xAA]) + data[at + 1 :]
    try:
        loaded = load_session(broken)
    except BadFile:
        return
    same = all(
        mine.record == its.record and len(mine.searches) == len(its.searches)
        for mine, its in zip(loaded.session.games, session.games, strict=False)
    )
    assert loaded.errors or (same and len(loaded.session.games) == len(session.games))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5) | st.just("tictactoe"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["move", "after", "game"]), inner),
    max_leaves=4,
)


@pytest.mark.slow
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(draw=st.data(), value=JSON)
def test_any_json_is_opened_or_refused(session: Session, draw: st.DataObject, value: Any) -> None:
    def change(index: Any) -> None:
        place, key = index, draw.draw(st.sampled_from(sorted(index)))
        while isinstance(place[key], dict | list) and len(place[key]) and draw.draw(st.booleans()):
            place = place[key]
            keys = sorted(place) if isinstance(place, dict) else range(len(place))
            key = draw.draw(st.sampled_from(list(keys)))
        place[key] = value

    try:
        loaded = load_session(edited(dump_session(session), change))
    except BadFile:
        return
    for game in loaded.session.games:
        assert game.cursor in game.record


def _set(*path: Any) -> Callable[[Any], None]:
    def change(index: Any) -> None:
        place = index
        for key in path[:-2]:
            place = place[key]
        place[path[-2]] = path[-1]

    return change


@pytest.mark.parametrize(
    ("change", "sentence", "games"),
    [
        (_set("games", 0, "game", "chess"), "game 1 is left out: cannot load the game 'chess'", 2),
        (_set("games", 0, "nodes", 1, "move", "b9"), "game 1 is left out: unknown move 'b9' in tictactoe", 2),
        (_set("games", 0, "nodes", 2, "move", "a1"), "game 1 is left out: move 'a1' is not legal", 2),
        (_set("games", 0, "nodes", 1, "after", 7), "game 1 is left out: node 1: after is 7; it must", 2),
        (_set("games", 0, "nodes", []), "game 1 is left out: it has no first node", 2),
        (_set("games", 0, {}), "game 1 is left out: game is missing", 2),
        (_set("games", 0, "cursor", 99), "game 1: the move that was shown is not in it: cursor is 99", 3),
        (
            _set("games", 0, "settings", "c_puct", "big"),
            "game 1: its search settings are left out: the setting c_puct",
            3,
        ),
        (_set("games", 0, "settings", "colour", 1), "game 1: its search settings are left out: there is no", 3),
        (_set("games", 0, "searches", ["x"]), "game 1: its search 'x' is left out: its part 'x' is missing", 3),
        (
            _set("games", 1, "searches", ["searches/0.npz"]),
            "game 2: its search 'searches/0.npz' is left out: it is of",
            3,
        ),
    ],
)
def test_errors_are_listed_and_the_rest_is_opened(
    session: Session, change: Callable[[Any], None], sentence: str, games: int
) -> None:
    loaded = load_session(edited(dump_session(session), change))
    assert len(loaded.session.games) == games
    assert loaded.errors[0].startswith(sentence), loaded.errors


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_set("version", 9), "it is of format 9, and this program reads format 1"),
        (_set("format", "x"), "does not say 'plyscope session'"),
        (_set("games", [{}]), "game 1 is left out: game is missing"),
    ],
)
def test_sessions_that_cannot_be_opened_raise(
    session: Session, tmp_path: Path, change: Callable[[Any], None], sentence: str
) -> None:
    path = tmp_path / "bad.plyscope"
    path.write_bytes(edited(dump_session(session), change))
    with pytest.raises(BadFile, match=rf"bad\.plyscope cannot be opened: .*{sentence}"):
        open_session(path)


def test_files_of_other_kinds_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.plyscope"
    path.write_text("words")
    with pytest.raises(BadFile, match="it is no zip archive"):
        open_session(path)
    with pytest.raises(OSError, match="No such file"):
        open_session(tmp_path / "none")
    with pytest.raises(BadFile, match=r"is not a file"):
        open_session(tmp_path)


def test_a_search_listed_many_times_is_read_once(session: Session) -> None:
    data = edited(dump_session(session), _set("games", 0, "searches", ["searches/0.npz"] * 3000))
    loaded = load_session(data)
    assert loaded.errors == ()
    assert len(loaded.session.games[0].searches) == 1


def test_searches_of_a_session_share_one_memory_limit(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    data, out = dump_session(session), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        tree, index = old.read("searches/0.npz"), json.loads(old.read("session.json"))
        index["games"][0]["searches"] = names = [f"searches/{i}.npz" for i in range(20)]
        new.writestr("session.json", json.dumps(index))
        for name in names:
            new.writestr(name, tree)
    monkeypatch.setattr(arrays, "MOST_RATIO", 0)
    monkeypatch.setattr(arrays, "FREE_BYTES", 80_000)
    loaded = load_session(out.getvalue())
    assert 0 < len(loaded.session.games[0].searches) < len(names)
    assert "unpacks to more than" in loaded.errors[0]


def several(session: Session, count: int) -> Session:
    """A session with the searched game so many times, each with another name."""
    return Session(tuple(replace(session.games[0], name=f"tree {i}", seed=i, selected=(4,)) for i in range(count)), 1)


def test_names_seeds_and_selections_are_kept(session: Session) -> None:
    loaded = load_session(dump_session(several(session, 3)))
    assert loaded.errors == ()
    assert [(one.name, one.seed, one.selected) for one in loaded.session.games] == [
        ("tree 0", 0, (4,)),
        ("tree 1", 1, (4,)),
        ("tree 2", 2, (4,)),
    ]


def test_a_session_without_names_seeds_and_selections_is_opened(session: Session) -> None:
    def older(index: Any) -> None:
        for game in index["games"]:
            for name in ("name", "seed", "selected"):
                del game[name]

    loaded = load_session(edited(dump_session(session), older))
    assert loaded.errors == ()
    assert [(one.name, one.seed, one.selected) for one in loaded.session.games] == [("", 0, ())] * 3
    assert len(loaded.session.games[0].searches) == 1


@given(name=st.text())
def test_a_name_is_one_line_that_can_be_seen(name: str) -> None:
    found = one_line(name)
    assert len(found) <= MAX_NAME
    assert found == found.strip() == one_line(found)
    assert all(letter.isprintable() for letter in found)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_set("games", 0, "selected", [0, 0]), "game 1: the selected moves are left out: "),
        (_set("games", 0, "selected", [999]), "game 1: the selected moves are left out: selected is 999"),
        (_set("games", 0, "selected", [4] * 5000), "game 1: the selected moves are left out: "),
        (_set("games", 0, "seed", -1), "game 1 is left out: seed is -1"),
        (_set("games", 0, "name", 3), "game 1 is left out: name is 3"),
    ],
)
def test_what_is_wrong_with_a_tree_is_said(session: Session, change: Callable[[Any], None], sentence: str) -> None:
    loaded = load_session(edited(dump_session(session), change))
    assert loaded.errors[0].startswith(sentence), loaded.errors
    assert all(one.selected == () for one in loaded.session.games)


def test_trees_beyond_their_room_go_to_files(session: Session, tmp_path: Path) -> None:
    data, one = dump_session(several(session, 3)), session.games[0].searches[0]
    loaded = load_session(data, TreeRoom(one.memory, tmp_path / "trees"))
    assert loaded.errors == ()
    trees = [game.searches[0] for game in loaded.session.games]
    assert [tree.in_memory for tree in trees] == [True, False, False]
    assert list((tmp_path / "trees").iterdir()) == []  # they have no names
    assert {tree.packed() for tree in trees} == {one.packed()}
    assert [(tree.nodes, tree.simulations, tree.memory) for tree in trees] == [
        (one.nodes, one.simulations, one.memory)
    ] * 3
    assert dump_session(loaded.session) == data
    for folder in (None, tmp_path / "file"):
        if folder is not None:
            folder.write_text("no folder")
        loaded = load_session(data, TreeRoom(one.memory, folder))
        assert [len(game.searches) for game in loaded.session.games] == [1, 0, 0]
        assert "more than there is room for" in loaded.errors[0]


def test_a_tree_that_cannot_be_written_stays_in_memory(session: Session, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    tree = StoredTree(session.games[0].searches[0].search())
    with pytest.raises(OSError, match="file"):
        tree.put_away(tmp_path / "file")
    assert tree.in_memory
    before = tree.packed()
    tree.put_away(tmp_path)
    tree.put_away(tmp_path)
    assert not tree.in_memory
    assert dump_tree(tree.search()) == tree.packed() == before


def test_all_games_share_the_limit_of_positions(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_file, "MAX_POSITIONS", 5)
    loaded = load_session(dump_session(several(session, 3)))
    sizes = [len(game.record) for game in loaded.session.games]
    assert sizes == [4, 1, 1]
    assert loaded.errors[0].startswith("game 2 has 4 moves, of which the first 1 are read")


def test_all_games_share_the_limit_of_trees(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_file, "MAX_TREES", 2)
    loaded = load_session(dump_session(several(session, 3)))
    assert [len(game.searches) for game in loaded.session.games] == [1, 1, 0]
    assert loaded.errors == ("game 3: of all trees the first 2 are read, and it has more",)
