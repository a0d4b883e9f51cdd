"""The positions over which a net is looked into are those of the files, each with its game and what is known of it."""

import math
from pathlib import Path

import numpy as np
import pytest

from core.engine.evaluator import UniformEvaluator
from core.files.record import GameRecord
from core.files.sgf import write_sgf
from core.games import load_game
from models.audit.positions import Item, key_of, random_items
from models.audit.results import SUFFIX, AuditWriter, NetFile, Plan, begin, net_file
from models.audit.searching import audit_positions
from models.inside.sample import Sample
from models.inside.sources import AUDIT, GAMES, PLAYED, RUN, kind_of_source, sample_of
from models.netfiles.shipped import nets_dir
from models.netfiles.tapped import TappedNet
from models.play.replay import save_shard
from models.play.selfplay import SelfPlay
from models.runs.config import TrainConfig
from tests.core import exact

TTT = load_game("tictactoe")


@pytest.fixture(scope="module")
def net() -> TappedNet:
    return TappedNet(nets_dir() / "tictactoe-2x32.onnx", TTT)


def write_audit(path: Path, nets: tuple[NetFile, ...], items: tuple[Item, ...]) -> None:
    begun = begin(path, Plan("tictactoe", nets, 20, 5.0, "somewhere"), items)
    with AuditWriter(path) as writer:
        for audited in audit_positions(TTT, [UniformEvaluator(9)], begun.missing, 20, 5.0, 16):
            writer.add(audited)


def read_all(net: TappedNet, place: Path | None, number: int = 1000) -> Sample:
    sample = sample_of(net, place, number)
    assert sample is not None
    return sample


def test_played_positions_have_no_file(net: TappedNet) -> None:
    sample = read_all(net, None, 50)
    assert kind_of_source(None) == PLAYED
    assert (len(sample.positions), sample.origins, sample.notes) == (50, (), ())


def test_positions_of_an_audit_have_exact_values_and_mistakes(net: TappedNet, tmp_path: Path) -> None:
    path = tmp_path / f"one{SUFFIX}"
    items = random_items(TTT, 60, (1, 7), 0).items
    write_audit(path, (net_file(net.path),), items)
    assert kind_of_source(path) == AUDIT
    sample = read_all(net, path)
    assert [position.moves for position in sample.positions] == [item.moves for item in items]
    assert len(set(sample.games.tolist())) == 60  # random positions are of no common game
    assert sample.notes == ()
    wrong = 0
    for position, origin in zip(sample.positions, sample.origins, strict=True):
        first = position.legal_actions()[0]  # that of the uniform net, which was audited under the name of this one
        assert (origin.words, origin.is_exact, origin.value) == ("random", True, exact.value(position))
        assert origin.mistake == (not exact.keeps_value(position, first))
        wrong += origin.mistake
    assert 5 < wrong < 55
    assert len(read_all(net, path, 20).positions) == 20


def test_an_audit_of_another_net_is_said_to_be_one(net: TappedNet, tmp_path: Path) -> None:
    path = tmp_path / f"one{SUFFIX}"
    line = tuple(TTT.position("b2 a1 c3").moves)
    items = (*(Item(line[:n], None, "a.sgf") for n in (1, 3)), Item((0,), 1, "b.sgf"), Item((1,), -1, "b.sgf"))
    write_audit(path, (NetFile("/nets/a.onnx", "aa"),), items)
    sample = read_all(net, path)
    assert "nets/a.onnx" in sample.notes[0]
    # The first two are of one game; of the others neither begins the other.
    games = sample.games.tolist()
    assert games[0] == games[1]
    assert len(set(games)) == 3


def test_positions_of_games_have_their_results(net: TappedNet, tmp_path: Path) -> None:
    won, drawn = TTT.position("a1 b1 a2 b2 a3"), GameRecord.of(TTT.position("b2 c3"))
    drawn.set_info("result", "Draw")
    (tmp_path / "won.sgf").write_bytes(write_sgf([GameRecord.of(won)]))
    (tmp_path / "drawn.sgf").write_bytes(write_sgf([drawn]))
    (tmp_path / "bad.sgf").write_text("no game")
    assert kind_of_source(tmp_path) == GAMES
    read: list[int] = []
    sample = sample_of(net, tmp_path, 1000, taken=read.append)
    assert read == [1, 2]
    assert any(note.startswith("bad.sgf") for note in sample.notes)
    assert len({key_of(position) for position in sample.positions}) == len(sample.positions) == 7
    for position, game, origin in zip(sample.positions, sample.games.tolist(), sample.origins, strict=True):
        assert (origin.is_exact, origin.mistake) == (False, None)
        if origin.words == "won.sgf":
            assert origin.value == (1.0 if position.to_move == 0 else -1.0)
        else:
            assert (origin.words, origin.value) == ("drawn.sgf", 0.0)
        assert all(
            (other == game) == (of.words == origin.words)
            for other, of in zip(sample.games.tolist(), sample.origins, strict=True)
        )


def test_positions_of_a_run(net: TappedNet, tmp_path: Path) -> None:
    config = TrainConfig.of(game="tictactoe", simulations=8, fast_simulations=4, iterations=1)
    samples, _ = SelfPlay(TTT, UniformEvaluator(9), config, 4, 0).play(UniformEvaluator(9), 30)
    (tmp_path / "replay").mkdir()
    save_shard(tmp_path / "replay", 1, samples)
    assert kind_of_source(tmp_path) == RUN
    sample = read_all(net, tmp_path, 40)
    lines = [(*trace.opening, *trace.moves) for trace in samples.traces]
    assert 20 < len(sample.positions) <= 40
    for position, game, origin in zip(sample.positions, sample.games.tolist(), sample.origins, strict=True):
        assert lines[game][: position.ply] == position.moves
        assert origin.words == f"{tmp_path.name}/000001 {game}"
        assert origin.value == samples.traces[game].outcome * (1 if position.to_move == 0 else -1)


def test_stopped_reading_ends_early(net: TappedNet, tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.sgf").write_bytes(write_sgf([GameRecord.of(TTT.position("b2 a1"))]))
    read: list[int] = []
    assert sample_of(net, tmp_path, 10, stop=lambda: read == [1], taken=read.append) is None
    assert read == [1]
    assert sample_of(net, None, 10, stop=lambda: True) is None


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        (f"damaged{SUFFIX}", b"{", "is not an audit, or is damaged"),
        ("damaged.sgf", b"no game", "damaged.sgf"),
    ],
)
def test_a_damaged_file_gets_one_sentence(
    net: TappedNet, tmp_path: Path, name: str, data: bytes, sentence: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=sentence):
        sample_of(net, tmp_path / name, 10)


def test_a_damaged_shard_and_another_game_get_one_sentence(net: TappedNet, tmp_path: Path) -> None:
    (tmp_path / "replay").mkdir()
    (tmp_path / "replay" / "000001.npz").write_bytes(b"damaged")
    with pytest.raises(ValueError, match="damaged"):
        sample_of(net, tmp_path, 10)
    path = tmp_path / f"other{SUFFIX}"
    begin(path, Plan("connect4", (NetFile("/nets/a.onnx", "aa"),), 20, 5.0, "somewhere"), ())
    with pytest.raises(ValueError, match="the audit is of connect4"):
        sample_of(net, path, 10)
    begin(path, Plan("tictactoe", (NetFile("/nets/a.onnx", "aa"),), 20, 5.0, "somewhere"), ())
    with pytest.raises(ValueError, match="has no position of tictactoe"):
        sample_of(net, path, 10)
    with pytest.raises(OSError, match="missing"):
        sample_of(net, tmp_path / f"missing{SUFFIX}", 10)


def test_what_is_not_known_is_nan(net: TappedNet, tmp_path: Path) -> None:
    (tmp_path / "open.sgf").write_bytes(write_sgf([GameRecord.of(TTT.position("b2 a1"))]))
    sample = read_all(net, tmp_path / "open.sgf", 10)
    assert all(math.isnan(origin.value) for origin in sample.origins)
    assert np.unique(sample.games).tolist() == [0]
