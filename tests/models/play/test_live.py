"""The file of running games: what is written is read back, and what cannot be read is nothing."""

import json
from pathlib import Path

import pytest

from core.text import Text
from models.play.live import LiveGame, LiveWriter, read_live

GAMES = [
    LiveGame(7, (3, 3), (2,), 3, True, 1.0, -0.25, ((4, 30, 0.125, 0.5), (0, 2, -0.5, 0.25)), None),
    LiveGame(8, (), (), 0, False, 0.25, None, (), Text("player {player} below {value:g}", player=1, value=-0.95)),
]


def test_live_games_round_trip(tmp_path: Path) -> None:
    writer = LiveWriter(tmp_path / "live.json")
    assert writer.due()
    writer.write(GAMES)
    assert read_live(tmp_path / "live.json") == tuple(GAMES)
    assert isinstance(read_live(tmp_path / "live.json")[1].resign, Text)
    assert [path.name for path in tmp_path.iterdir()] == ["live.json"]
    entry = json.loads((tmp_path / "live.json").read_text())["games"][0]
    assert entry["moves_figures"][0] == [4, 30, 0.125, 0.5]
    writer.close()
    writer.close()
    assert read_live(tmp_path / "live.json") == ()


def test_only_so_many_games_are_shown(tmp_path: Path) -> None:
    LiveWriter(tmp_path / "live.json", most=1).write(GAMES)
    assert read_live(tmp_path / "live.json") == tuple(GAMES[:1])


def test_writing_waits_and_costs_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("models.play.live.time.perf_counter", lambda: now[0])
    writer = LiveWriter(tmp_path / "live.json")
    assert writer.due()
    writer.write(GAMES)
    now[0] += 0.49
    assert not writer.due()
    now[0] += 0.02
    assert writer.due()
    now[0] += 0.01  # the games took 10 ms to read
    writer.write(GAMES)
    now[0] += 2.4
    assert not writer.due()
    now[0] += 0.2
    assert writer.due()


def test_an_unwritable_live_file_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    writer = LiveWriter(tmp_path / "file" / "live.json")
    writer.write(GAMES)
    writer.close()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"games": 3}',
        '{"games": [{"id": 1}]}',
        '{"games": [null]}',
        "\x00\x01",
        '{"games": "ab"}',
    ],
)
def test_unreadable_live_files_hold_no_games(tmp_path: Path, text: str) -> None:
    path = tmp_path / "live.json"
    assert read_live(path) == ()
    path.write_text(text)
    assert read_live(path) == ()
