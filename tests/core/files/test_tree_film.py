"""The animated picture of a search: a sound APNG whose frames show the shares of each moment."""

import struct
import zlib

import numpy as np
import pytest

from core.engine import Search, UniformEvaluator
from core.files.tree_export import tree_bytes
from core.files.tree_file import saved
from core.files.tree_film import FILM, FRAMES, WIDTH, film, moments, palette
from core.games import load_game
from core.search import Limit
from tests.core.search.fakes import run_search

SIMULATIONS = 400


@pytest.fixture(scope="module")
def search() -> Search:
    game = load_game("connect4")
    return run_search(game.position("d d"), UniformEvaluator(game.num_actions), SIMULATIONS)


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    """Kind and content of each chunk of a PNG file, whose checksums are right."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    found, at = [], 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind, content = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(kind + content)
        found.append((kind, content))
        at += 12 + length
    return found


def frames(data: bytes) -> list[np.ndarray]:
    parts = chunks(data)
    width, height = struct.unpack(">II", parts[0][1][:8])
    lines = [zlib.decompress(content[4:]) for kind, content in parts if kind == b"fdAT"]
    pictures = [np.frombuffer(line, np.uint8).reshape(height, width + 1) for line in lines]
    assert not any(picture[:, 0].any() for picture in pictures)
    return [picture[:, 1:] for picture in pictures]


def test_the_file_is_a_sound_animation(search: Search) -> None:
    data = tree_bytes(saved(search), FILM)
    parts = chunks(data)
    assert [kind for kind, _ in parts[:4]] == [b"IHDR", b"PLTE", b"acTL", b"IDAT"]
    assert parts[-1] == (b"IEND", b"")
    count, plays = struct.unpack(">II", parts[2][1])
    numbers = [struct.unpack(">I", content[:4])[0] for kind, content in parts if kind in (b"fcTL", b"fdAT")]
    assert numbers == list(range(2 * count))
    assert (count, plays) == (len(moments(SIMULATIONS)), 1)
    still = zlib.decompress(dict(parts)[b"IDAT"])
    assert still == np.pad(frames(data)[-1], ((0, 0), (1, 0))).tobytes()


def test_the_last_frame_has_the_shares_of_the_moves(search: Search) -> None:
    last = frames(film(saved(search)))[-1]
    assert (last[5] > 3).sum() == WIDTH - 1  # the root, and a gap
    row = last[18 + 5]
    edges = np.flatnonzero(np.diff(np.concatenate([[0], row > 3, [0]]).astype(int)))
    widths = edges[1::2] - edges[::2] + 1
    visits = sorted((move.visits for move in search.snapshot().moves), reverse=True)
    assert len(widths) == len([n for n in visits if n])
    assert widths == pytest.approx([n / SIMULATIONS * WIDTH for n in visits if n], abs=1.5)


def test_frames_grow_and_values_have_their_colours(search: Search) -> None:
    pictures = frames(film(saved(search)))
    filled = [int((picture[:-24] > 3).sum()) for picture in pictures]
    assert filled[-1] > 3 * filled[0]
    value = search.snapshot().value
    step = round((value + 1) * 32)
    assert pictures[-1][5, 100] == 4 + step
    assert palette()[4].tolist() == [200, 98, 15]
    assert palette()[-1].tolist() == [31, 111, 196]


@pytest.mark.parametrize("simulations", [1, 2, 50, 100_000])
def test_moments_go_from_the_first_simulation_to_the_last(simulations: int) -> None:
    shown = moments(simulations)
    assert (shown[0], shown[-1]) == (1, simulations)
    assert shown == sorted(set(shown))
    assert len(shown) <= FRAMES + 1


def test_a_search_whose_root_moved_on_is_shown_from_its_root(search: Search) -> None:
    game = load_game("connect4")
    other = run_search(game.position("d d"), UniformEvaluator(game.num_actions), 100)
    other.advance(other.best_action())
    other.run(Limit(simulations=150))
    pictures = frames(film(saved(other)))
    assert len(pictures) == len(moments(other.snapshot().simulations))


def test_a_search_without_simulations_is_refused() -> None:
    game = load_game("connect4")
    with pytest.raises(ValueError, match="no simulation"):
        film(saved(Search(game.initial(), UniformEvaluator(game.num_actions))))
