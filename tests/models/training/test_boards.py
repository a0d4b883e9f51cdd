"""Runs on boards of several sizes: whose samples are whose, that none is lost, how they are drawn and resumed."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.engine.evaluator import UniformEvaluator
from core.games import load_game
from core.games.net_inputs import encoding_for
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import read_net_info
from models.nets.net import NetConfig, PolicyValueNet
from models.play import replay as replays
from models.play.games import PlayStats
from models.play.replay import Batch, Replay, Replays
from models.play.samples import Samples
from models.play.selfplay import SelfPlay
from models.runs.reports import read_reports
from models.training import boards
from models.training.iteration import Trainer
from models.training.learning import Learner, losses
from models.training.run import train
from tests.models.training.iterations import TINY, iterate

CONFIG = TINY.changed(
    game="go(size=4, komi=2)",
    sizes="3 komi 9, 4 share 2",
    inputs="points",
    heads="pooled",
    games=6,
    samples_per_iteration=40,
    simulations=6,
    full_share=0.5,
    komi_spread=1.0,
    opening_plies=4,
    temperature_plies=8,
    replay_positions=600,
    batch_size=32,
    train_ratio=2.0,
    ladder_games=0,
    exam_positions=0,
    iterations=2,
)
LARGE, SMALL = boards.boards_of(CONFIG)
SHAPES = [(4, 4), (3, 3)]


def test_plies_are_in_proportion_to_the_cells() -> None:
    assert LARGE.config == CONFIG.changed(sizes="")
    assert (SMALL.game.text, SMALL.config.game) == ("go(size=3, komi=9)",) * 2
    assert (SMALL.config.self_play.opening_plies, SMALL.config.self_play.temperature_plies) == (2, 4)
    assert [board.games(12) for board in (LARGE, SMALL)] == [8, 4]
    assert SMALL.games(1) == 1


@pytest.fixture(scope="module")
def samples() -> list[Samples]:
    """Some of each board, marked by their root values: 0.25 on the large one, -0.25 on the small one."""
    made = []
    for board, mark in ((LARGE, 0.25), (SMALL, -0.25)):
        net = UniformEvaluator(board.game.num_actions, board.encoding)
        found, _ = SelfPlay(board.game, net, board.config, games=4, seed=1).play(net, 40)
        made.append(dataclasses.replace(found, root_value=np.full(len(found), mark, np.float32)))
    return made


def filled(samples: list[Samples]) -> Replays:
    found = Replays({one.game.shape: Replay(one.game, 1000, encoding=one.encoding) for one in (LARGE, SMALL)})
    for one in samples:
        found.add(one)
    return found


def test_a_batch_has_a_part_for_each_size_and_none_is_mixed_up(samples: list[Samples]) -> None:
    replay = filled(samples)
    assert len(replay) == sum(map(len, samples))
    drawn = 0
    rng = np.random.default_rng(0)
    for _ in range(40):
        large, small = replay.draw(100, rng)
        assert len(large.result) + len(small.result) == 100
        drawn += len(large.result)
        for batch, mark, shape in ((large, 0.25, (4, 4)), (small, -0.25, (3, 3))):
            assert batch.planes.shape[2:] == shape
            assert batch.policy.shape[1] == shape[0] * shape[1] + 1
            assert batch.points.owners.shape[1:] == shape
            assert set(batch.root_value.tolist()) == {mark}
            np.testing.assert_allclose(batch.policy.sum(axis=1), 1.0, atol=1e-5)
    share = len(replay.by_shape[(4, 4)]) / len(replay)
    assert drawn / 4000 == pytest.approx(share, abs=0.04)


def test_losses_of_parts_are_those_of_all_their_positions(samples: list[Samples]) -> None:
    torch.manual_seed(0)
    net = PolicyValueNet.for_game(LARGE.game, CONFIG.net_config()).eval()
    parts = filled(samples).draw(60, np.random.default_rng(1))
    with torch.no_grad():
        both = losses(net, parts, 0.5, bf16=False)
        alone = [losses(net, [part], 0.5, bf16=False) for part in parts]
    counts = np.array([len(part.result) for part in parts]) / 60
    for name in ("policy", "value", "entropy", "target_entropy"):
        want = sum(n * float(getattr(one, name)) for n, one in zip(counts, alone, strict=True))
        assert float(getattr(both, name)) == pytest.approx(want, rel=1e-5)
    known = np.array([np.isfinite(part.points.margin).sum() for part in parts if part.points is not None])
    for place in (0, 1):
        want = sum(n * float(one.points[place]) for n, one in zip(known / known.sum(), alone, strict=True))
        assert float(both.points[place]) == pytest.approx(want, rel=1e-5)


def test_all_sizes_are_normalised_together(samples: list[Samples]) -> None:
    """The mean that a normalisation learns is that of the points of all boards, not of one size."""
    torch.manual_seed(0)
    net = PolicyValueNet.for_game(LARGE.game, NetConfig(1, 8, 4, 4, 8, "pooled", "points")).train()
    inputs = [
        (torch.from_numpy(one.planes.astype(np.float32)), torch.from_numpy(one.points.features)) for one in samples
    ]
    found: list[torch.Tensor] = []
    hook = net.stem.conv.register_forward_hook(lambda module, given, out: found.append(out.detach()))
    answers = net.together(inputs)
    hook.remove()
    points = torch.cat([one.permute(0, 2, 3, 1).reshape(-1, 8) for one in found])
    norm = net.stem.norm
    torch.testing.assert_close(norm.running_mean, 0.1 * points.mean(dim=0))
    torch.testing.assert_close(norm.running_var, 0.9 + 0.1 * points.var(dim=0))
    assert [tuple(answer[4].shape[1:]) for answer in answers] == SHAPES
    net.eval()
    for answer, given in zip(net.together(inputs), inputs, strict=True):
        for one, other in zip(answer, net(*given), strict=True):
            torch.testing.assert_close(one, other)


def test_turns_keep_the_shares() -> None:
    evaluators = [UniformEvaluator(one.game.num_actions, one.encoding) for one in (LARGE, SMALL)]
    players = [
        SelfPlay(one.game, net, one.config, one.games(6), seed)
        for seed, (one, net) in enumerate(zip((LARGE, SMALL), evaluators, strict=True))
    ]
    turns = boards.Turns(players, [2 / 3, 1 / 3])
    made = dict.fromkeys(SHAPES, 0)
    for _ in range(60):
        found, stats = turns.play(evaluators, 5)
        made[found.shape] += len(found)
        assert stats.games == len(found.traces)
    assert made[(4, 4)] / sum(made.values()) == pytest.approx(2 / 3, abs=0.06)


def count_drawn(draw: Callable[..., tuple[Batch, ...]], shapes: set[tuple[int, ...]]) -> Callable[..., Any]:
    def drawn(*given: Any) -> tuple[Batch, ...]:
        parts = draw(*given)
        shapes.update(part.planes.shape[2:] for part in parts)
        return parts

    return drawn


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run") / "go"
    assert train(CONFIG, out).iterations == 2
    return out


def iterations(out: Path) -> list[dict[str, Any]]:
    return [report for report in read_reports(out / "reports.jsonl") if report["event"] == "iteration"]


def test_samples_kept_are_those_made(run: Path) -> None:
    """Each shard is of one board with its own games, and the reports count what is in them."""
    for report in iterations(run):
        kept = 0
        for board in (LARGE, SMALL):
            path = replays.shard_path(run / "replay", report["iteration"], board.label)
            figures = report["sizes"][board.name]
            assert path.exists() == (figures["samples"] > 0 or not board.label)
            if not path.exists():
                continue
            found = replays.load_shard(path, board.game, board.encoding)
            kept += len(found)
            assert (len(found), len(found.traces)) == (figures["samples"], figures["games"])
            komi = board.game.params["komi"]
            for trace in found.traces:
                game = load_game(trace.game)
                assert game.shape == board.game.shape
                assert abs(game.params["komi"] - komi) <= CONFIG.self_play.komi_spread
        assert kept == report["samples"]
        assert sum(one["games"] for one in report["sizes"].values()) == report["games"]
    shares = [sum(one["sizes"][name]["samples"] for one in iterations(run)) for name in ("4x4", "3x3")]
    assert min(shares) > 0
    assert iterations(run)[-1]["steps"] > 0
    assert "score_loss" in iterations(run)[-1]


def test_the_net_is_of_the_runs_own_board_and_takes_the_others(run: Path) -> None:
    assert read_net_info(run / "net.onnx").game == LARGE.game.text
    for board in (LARGE, SMALL):
        evaluator = OnnxEvaluator(run / "net.onnx", board.game, device="cpu")
        planes = np.zeros((2, len(board.encoding.planes), *board.game.shape), np.float32)
        assert evaluator.evaluate(planes, np.zeros((2, 5), np.float32))[0].shape == (2, board.game.num_actions)


@pytest.mark.slow
def test_a_resumed_run_has_all_samples_and_may_change_its_boards(run: Path, tmp_path: Path) -> None:
    made = sum(report["samples"] for report in iterations(run))
    trainer = Trainer(CONFIG, run, resume=True)
    held = {shape: one._size for shape, one in trainer.replay.by_shape.items()}
    assert sum(held.values()) == made
    assert list(held) == SHAPES
    assert {shape: one._total for shape, one in trainer.replay.by_shape.items()} == pytest.approx(
        {(4, 4): made * 2 / 3, (3, 3): made / 3}, rel=0.4
    )
    trainer.close()
    other = Trainer(CONFIG.changed(sizes="4, 5 komi 24", iterations=3), run, resume=True)
    report = iterate(other)
    other.close()
    assert set(report["sizes"]) == {"4x4", "5x5"}
    assert list(other.replay.by_shape) == [(4, 4), (5, 5)]


def test_games_that_ended_are_not_lost(samples: list[Samples], tmp_path: Path) -> None:
    """A killed iteration leaves the games that were saved, on all boards; those of one that is over are removed."""
    both, parts = (LARGE, SMALL), [(one, PlayStats()) for one in samples]
    boards.save_shards(tmp_path, both, 1, boards.joined(both, parts))
    boards.save_shards(tmp_path, both, 2, boards.joined(both, parts))  # as earlier versions did
    unfinished = boards.Unfinished(tmp_path, both, 2)
    assert unfinished.samples == sum(map(len, samples))
    unfinished.add(parts, 2)
    unfinished.save(2)
    unfinished.add(parts[1:], 2)
    unfinished.save(2)
    unfinished.save(2)
    (tmp_path / "000002" / "000002.npz").unlink()  # killed before the shard of the run's own board was there

    again = boards.Unfinished(tmp_path, both, 2)
    names = ["000002-3x3.npz", "000002.npz"]
    assert sorted(path.name for path in tmp_path.rglob("*.npz")) == [name for name in names for _ in range(2)]
    for (found, stats), one in zip(again.parts, [*samples, *samples], strict=True):
        np.testing.assert_array_equal(found.planes, one.planes)
        assert stats.games == len(one.traces)
    again.clear()
    assert not list(tmp_path.iterdir())
    assert boards.Unfinished(tmp_path, both, 3).parts == again.parts == []


def test_one_step_learns_from_all_sizes(samples: list[Samples]) -> None:
    learner = Learner(LARGE.game, CONFIG, torch.device("cpu"))
    shapes: set[tuple[int, ...]] = set()
    learned = learner.learn(2, count_drawn(filled(samples).draw, shapes), lambda: 0.0)
    assert learned.steps == 2
    assert shapes == set(SHAPES)
    assert all(value is not None for value in learned.figures.values())
    for one in samples:
        assert learner.values(one.planes, one.points.features).shape == (len(one),)
    assert encoding_for(SMALL.game, "points").name == encoding_for(LARGE.game, "points").name
