"""The lens of a net: what it reads where something is planted, and that its cache is read with care."""

from pathlib import Path

import numpy as np
import pytest

from core.games import load_game
from core.machine import user_cache_dir
from models.inside import lens as lenses
from models.inside.blocks import strip_of
from models.inside.lens import fit_lens, lens_for, positions_for
from models.netfiles.shipped import lesson_net, nets_dir
from models.netfiles.tapped import TappedNet
from tests.models.inside.nets import without_branch
from tests.models.netfiles.test_katago_recorded import TINY

C4, TTT = load_game("connect4"), load_game("tictactoe")
NET = lesson_net(C4)  # of whose figures the guide speaks
assert NET is not None


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    return user_cache_dir() / "lenses"


def test_the_lens_reads_each_block_better_than_the_heads_alone() -> None:
    lens = fit_lens(TappedNet(NET, C4), 2000)
    for own, fitted in zip(lens.own[:-1], lens.fitted[:-1], strict=True):
        assert fitted.divergence.mean < own.divergence.mean
        assert fitted.agreement.mean > own.agreement.mean
        assert own.divergence.low < own.divergence.mean < own.divergence.high
    assert lens.own[-1] == lens.fitted[-1]
    assert lens.fitted[-1].divergence == (0.0, 0.0, 0.0)
    assert lens.fitted[-1].agreement == (1.0, 1.0, 1.0)
    assert 1800 < lens.positions < 2200
    assert 300 < lens.held_out < 500


def test_a_map_that_reads_worse_than_the_heads_alone_is_drawn_back() -> None:
    """Fitted to few positions of Othello, the nearest channels are farther from the policy than those of the block."""
    net = TappedNet(nets_dir() / "othello8-4x48.onnx", load_game("othello"))
    lens = fit_lens(net, 200)
    for own, fitted in zip(lens.own[:-1], lens.fitted[:-1], strict=True):
        assert fitted.divergence.mean < own.divergence.high
    identity = lens.drawn_back(np.zeros(len(net.blocks), np.float32))
    np.testing.assert_array_equal(identity.weights, np.broadcast_to(np.eye(48, dtype=np.float32), (5, 48, 48)))
    assert not identity.biases.any()


def test_the_lens_finds_a_planted_map(tmp_path: Path) -> None:
    """Where the last block adds nothing, the one before holds the same, and its map is the identity on what is used."""
    net = TappedNet(without_branch(NET.name, tmp_path / "net.onnx", 4), C4)
    lens = fit_lens(net, 1000)
    assert lens.fitted[3].divergence.mean < 1e-4
    assert lens.fitted[3].agreement.mean == 1.0
    assert lens.fitted[2].divergence.mean > 0.01


def test_a_net_whose_blocks_end_without_an_activation_is_read_with_its_signs() -> None:
    lens = fit_lens(TappedNet(TINY / "tiny" / "rect15-b2c16.bin.gz", load_game("go(size=9)")), 60)
    assert not lens.rectified
    assert lens.fitted[-1].divergence == (0.0, 0.0, 0.0)


def test_the_same_seed_fits_the_same_lens() -> None:
    net = TappedNet(nets_dir() / "tictactoe-2x32.onnx", TTT)
    first, again, other = (fit_lens(net, 100, seed=seed) for seed in (0, 0, 7))
    np.testing.assert_array_equal(first.weights, again.weights)
    assert first.own == again.own
    assert (first.weights != other.weights).any()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lenses, "MOST_POSITIONS", 100)


@pytest.mark.usefixtures("few")
def test_a_lens_is_kept_and_a_damaged_file_is_made_again(cache: Path) -> None:
    net = TappedNet(nets_dir() / "tictactoe-2x32.onnx", TTT)
    fitted = lens_for(net)
    (file,) = cache.iterdir()
    stamp = file.stat().st_mtime_ns
    kept = lens_for(net)
    assert file.stat().st_mtime_ns == stamp
    np.testing.assert_array_equal(kept.weights, fitted.weights)
    assert (kept.own, kept.fitted, kept.rectified) == (fitted.own, fitted.fitted, True)
    for damaged in (b"", b"PK\x03\x04 no archive", file.read_bytes()[:-200]):
        file.write_bytes(damaged)
        np.testing.assert_array_equal(lens_for(net).weights, fitted.weights)
        assert file.stat().st_size > 1000


@pytest.mark.usefixtures("few")
def test_another_net_of_the_same_name_gets_a_lens_of_its_own(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "net.onnx"
    for block in (1, 2):
        lens_for(TappedNet(without_branch("tictactoe-2x32.onnx", path, block), TTT))
    assert len(list(cache.iterdir())) == 2


@pytest.mark.usefixtures("few")
def test_a_fit_can_be_stopped(cache: Path) -> None:
    net = TappedNet(nets_dir() / "tictactoe-2x32.onnx", TTT)
    asked = []
    assert lens_for(net, lambda: len(asked) > 3 or asked.append(0) is not None) is None
    assert not cache.exists()


def test_larger_boards_and_nets_need_fewer_positions() -> None:
    go = load_game("go(size=9)")
    nets = [TappedNet(NET, C4), TappedNet(nets_dir() / "go9-5x64.onnx", go)]
    assert [positions_for(net) for net in nets] == [3571, 1851]


@pytest.mark.usefixtures("few")
def test_a_strip_has_both_readings() -> None:
    net = TappedNet(nets_dir() / "tictactoe-2x32.onnx", TTT)
    strip = strip_of(net, TTT.position("b2"), lens_for(net))
    np.testing.assert_array_equal(strip.own.policies[-1], strip.fitted.policies[-1])
    assert (strip.own.policies[0] != strip.fitted.policies[0]).any()
    assert strip.blocks == ("stem", "block 1", "block 2")
