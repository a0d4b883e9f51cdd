"""Self-play of a game that points decide: komi of each game, final counts as targets, shards, symmetries, endings."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.engine.evaluator import UniformEvaluator
from core.games import load_game
from core.games.encoding import OWN_ENCODING
from core.games.go_encodings import LEELA
from core.games.net_inputs import encoding_for, inputs_of
from models.play.replay import BadReplay, Replay, load_shard, restore, save_shard, shard_path
from models.play.samples import COUNTED, PLAYED, Samples
from models.play.selfplay import PlayStats, SelfPlay
from models.runs.config import TrainConfig
from models.strength.exams import after

GO = load_game("go(size=3, komi=2)")
ENCODING = encoding_for(GO, "points")
NET = UniformEvaluator(GO.num_actions, ENCODING)
CONFIG = TrainConfig.of(
    game=GO.text,
    inputs="points",
    heads="pooled",
    simulations=24,
    fast_simulations=8,
    full_share=0.5,
    iterations=1,
    komi_spread=1.5,
)


@pytest.fixture(scope="module")
def played() -> tuple[Samples, PlayStats]:
    return SelfPlay(GO, NET, CONFIG, games=8, seed=5).play(NET, 300)


@pytest.mark.slow
def test_every_game_ends_with_its_count_under_its_own_komi(played: tuple[Samples, PlayStats]) -> None:
    """The trace played again gives the result, the margin and the owners that its samples say."""
    samples, stats = played
    points = samples.points
    assert points is not None
    komis = set()
    for number, trace in enumerate(samples.traces):
        game = load_game(trace.game)
        komis.add(game.params["komi"])
        end = after(game, (*trace.opening, *trace.moves))
        assert end.is_over
        margin = game.scoring.margin(end.state)
        assert trace.ending == (COUNTED if end.ply == game.max_plies else PLAYED)
        assert trace.outcome == np.sign(margin)
        owners = game.scoring.owners(end.cells())
        for row in np.flatnonzero(samples.game == number).tolist():
            side = 1 if samples.ply[row] % 2 == 0 else -1
            assert points.margin[row] == side * margin
            assert samples.result[row] == side * trace.outcome
            np.testing.assert_array_equal(points.owners[row], side * np.select([owners == 1, owners == 2], [1, -1]))
    assert len(komis) > 3
    assert komis <= {0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5}
    assert stats.proved == 0
    assert stats.counted == sum(trace.ending == COUNTED for trace in samples.traces)


def test_planes_and_features_are_those_of_the_position(played: tuple[Samples, PlayStats]) -> None:
    samples = played[0]
    assert samples.points is not None
    for row in range(0, len(samples), 17):
        trace = samples.traces[samples.game[row]]
        position = after(load_game(trace.game), (*trace.opening, *trace.moves)[: samples.ply[row]])
        shown = inputs_of(position, ENCODING)
        np.testing.assert_array_equal(samples.planes[row], shown.planes[0])
        np.testing.assert_array_equal(samples.points.features[row], shown.features[0])


def test_a_shard_keeps_points_and_the_game_of_each_trace(tmp_path: Path, played: tuple[Samples, PlayStats]) -> None:
    save_shard(tmp_path, 1, played[0])
    found = load_shard(shard_path(tmp_path, 1), GO)
    assert found.points is not None
    assert played[0].points is not None
    for one, other in zip(found.points, played[0].points, strict=True):
        np.testing.assert_array_equal(one, other)
    assert [trace.game for trace in found.traces] == [trace.game for trace in played[0].traces]
    with pytest.raises(BadReplay, match="positions of another game"):
        load_shard(shard_path(tmp_path, 1), GO, OWN_ENCODING)
    assert len(restore(tmp_path, Replay(GO, 100, encoding=ENCODING), 1)) > 0


def test_a_shard_of_the_board_alone_opens_as_before(tmp_path: Path) -> None:
    """What runs without points wrote: no array more than it had."""
    net = UniformEvaluator(GO.num_actions)
    config = CONFIG.changed(inputs="board", heads="dense", komi_spread=0.0)
    samples, _ = SelfPlay(GO, net, config, games=4, seed=1).play(net, 20)
    save_shard(tmp_path, 1, samples)
    with np.load(shard_path(tmp_path, 1)) as archive:
        assert not {"features", "margin", "owners"} & set(archive.files)
    found = load_shard(shard_path(tmp_path, 1), GO)
    assert found.points is None
    np.testing.assert_array_equal(found.planes, samples.planes)
    with pytest.raises(BadReplay, match="positions of another game"):
        load_shard(shard_path(tmp_path, 1), GO, ENCODING)


def test_a_drawn_batch_turns_owners_with_the_stones() -> None:
    """A stone's own plane and its owner stay together under every symmetry."""
    samples = SelfPlay(GO, NET, CONFIG, games=4, seed=2).play(NET, 60)[0]
    assert samples.points is not None
    own = samples.planes[:, 1]
    marked = replace(samples, points=samples.points._replace(owners=own))
    replay = Replay(GO, 100, encoding=ENCODING)
    replay.add(marked)
    batch = replay.draw(200, np.random.default_rng(0))
    assert batch.points is not None
    assert own.any()
    np.testing.assert_array_equal(batch.points.owners, batch.planes[:, 1])
    assert batch.points.features.shape == (200, 5)


class Certain(UniformEvaluator):
    """Holds the first player for lost: at once a side would resign."""

    def evaluate(self, planes: np.ndarray, features: np.ndarray | None = None) -> tuple[np.ndarray, ...]:
        logits, values, leads = super().evaluate(planes, features)
        values[:] = np.where(features[:, 0] < 0, -0.99, 0.99)  # black's komi is negative
        return logits, values, leads


def test_a_decided_game_is_played_out_fast_and_not_learned_from() -> None:
    net = Certain(GO.num_actions, ENCODING)
    config = CONFIG.changed(
        komi_spread=0.0,
        full_share=1.0,
        opening_plies=0,
        resign_below=0.9,
        resign_check_share=0.0,
    )
    samples, stats = SelfPlay(GO, net, config, games=4, seed=3).play(net, 30)
    assert stats.resigned == 0
    fast = [number for number, trace in enumerate(samples.traces) if not trace.full.all()]
    assert fast
    assert stats.checked == 0
    passed = GO.action_names.index("pass")
    ends = [samples.traces[number] for number in fast if samples.traces[number].moves[-1] == passed]
    assert ends  # the side held for lost passes too
    for number in fast:
        full = np.flatnonzero(samples.traces[number].full).tolist()
        assert full[:5] == [0, 1, 2, 3, 4]  # the third turn of the same side decides
        assert set(samples.ply[samples.game == number].tolist()) <= set(full)


@pytest.mark.slow
def test_games_of_another_programs_net_are_kept_as_boards(tmp_path: Path) -> None:
    """Its input is not what our nets learn from."""
    encoding = next(one for one in GO.encodings if one.name == LEELA)
    net = UniformEvaluator(GO.num_actions, encoding)
    samples, _ = SelfPlay(GO, net, CONFIG, games=2, seed=1).play(net, 10)
    assert samples.points is None
    assert {trace.game for trace in samples.traces} == {GO.text}
    save_shard(tmp_path, 1, samples)
    np.testing.assert_array_equal(load_shard(shard_path(tmp_path, 1), GO, OWN_ENCODING).planes, samples.planes)


def test_no_pass_is_played_or_learned_in_the_first_plies() -> None:
    config = CONFIG.changed(opening_plies=0, full_share=1.0, noise_epsilon=0.0)
    samples, _ = SelfPlay(GO, NET, config, games=4, seed=6).play(NET, 150)
    passed, plies = GO.action_names.index("pass"), GO.num_cells // 2
    assert all(passed not in trace.moves[:plies] for trace in samples.traces)
    early = samples.ply < plies
    assert (samples.policy[early, passed] == 0).all()
    assert (samples.policy[~early, passed] > 0).any()
    np.testing.assert_allclose(samples.policy.sum(axis=1), 1.0, atol=1e-5)
