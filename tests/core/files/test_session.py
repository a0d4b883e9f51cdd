"""The session file: written whole, read back, and damage reported."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.engine import Search
from core.files import arrays
from core.files.arrays import BadFile
from core.files.record import ROOT, GameRecord
from core.files.session import SavedGame, Session, dump_session, load_session, open_session, save_session
from core.files.sgf import read_sgf
from core.files.tree_file import dump_tree, saved
from core.games import load_game
from core.search import Limit, SearchSettings
from tests.core.files.records import GAMES, records

NIM = load_game("nim(heaps=3-4-5)")


@pytest.fixture(scope="module")
def session() -> Session:
    """Two games, one of them searched, with a variation that cannot be played here."""
    game = load_game("tictactoe")
    chosen = SearchSettings(selection="ucb1", memory_mb=4)
    search = Search(game.position("a1"), None, chosen)
    search.run(Limit(simulations=50))
    record = GameRecord.of(game.position("a1 b2"))
    record.play(ROOT, 4)
    odd = read_sgf("(;GM[4]SZ[5]XY[1];B[aa](;W[aa])(;W[bb]))").records[0]
    return Session(
        (
            SavedGame(record, 1, chosen, "", 500, (saved(search),)),
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
        assert [dump_tree(s) for s in mine.searches] == [dump_tree(s) for s in its.searches]
        assert not mine.record.can_undo
    assert loaded.games[1].record.node(1).unread == ("(;W[aa])",)


@settings(max_examples=100, deadline=None)
@given(record=records((*GAMES, "nim(heaps=3-4-5)")), data=st.data())
def test_every_record_round_trips(record: GameRecord, data: st.DataObject) -> None:
    cursor = data.draw(st.sampled_from(list(record.preorder())))
    loaded = load_session(dump_session(Session((SavedGame(record, cursor),))))
    assert loaded.errors == ()
    (game,) = loaded.session.games
    assert game.record == record
    assert game.record.path(game.cursor) == record.path(cursor)
    assert game.record.start.diagram() == record.start.diagram()


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
        (_set("games", 0, "nodes", 2, "move", "a1"), "game 1 is left out: move 'a1' (action 6) is not legal", 2),
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
        (_set("version", 9), "it is a session of format 9, and this program reads format 1"),
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
