"""The torch net behind an inference server, and a run whose players are processes: on the processor."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.games import load_game
from models.nets.net import PolicyValueNet, TorchEvaluator
from models.nets.served_net import TorchServedNet
from models.play.inference_server import ROWS
from models.runs.config import SERVER, TrainConfig
from models.runs.net_config import NetConfig
from models.training.iteration import Trainer
from tests.models.training.iterations import iterate

GAME = load_game("tictactoe")
CPU = torch.device("cpu")


def a_net(seed: int) -> PolicyValueNet:
    torch.manual_seed(seed)
    return PolicyValueNet.for_game(GAME, NetConfig(blocks=1, channels=8)).eval()


def answers(net: TorchServedNet, planes: np.ndarray, buffer: int = 0) -> tuple[np.ndarray, ...]:
    net.room(buffer).planes[: len(planes)] = planes
    net.begin(buffer, next(size for size in net.buckets if size >= len(planes)))
    return tuple(part[: len(planes)].copy() for part in net.finish(buffer))


def test_a_served_net_answers_as_the_evaluator_and_takes_new_weights_in_place() -> None:
    first, second = a_net(1), a_net(2)
    served = TorchServedNet(first, GAME, CPU, 20, precisions=("fp32",))
    assert (served.buckets, served.precision, served.note) == ((8, 12, 16, 24), "fp32", "")
    planes = np.random.default_rng(0).integers(0, 2, (11, 4, 3, 3)).astype(np.float32)
    for net in (first, second):
        wanted = TorchEvaluator(net, device="cpu", bf16=False).evaluate(planes)
        for buffer in (0, 1):
            for given, expected in zip(answers(served, planes, buffer), wanted, strict=True):
                np.testing.assert_allclose(given, expected, atol=1e-5)
        served.load(second)


def test_a_net_that_bears_no_16_bits_is_served_in_32() -> None:
    served = TorchServedNet(a_net(1), GAME, CPU, 8, precisions=("bf16",))
    assert served.precision == "bf16"
    sharp = a_net(3)
    with torch.no_grad():
        for head in (sharp.wdl_out, sharp.policy_out):
            head.weight.normal_(std=3.0)
            head.bias.fill_(3000.0)  # beside which bf16 loses what tells one move from another
    served.load(sharp)
    assert served.precision == "fp32"
    served.load(a_net(1))
    assert served.precision == "fp32"  # until the run begins anew


@pytest.mark.slow
def test_a_run_plays_in_processes_and_learns_beside_them(tmp_path: Path) -> None:
    config = TrainConfig.of(
        game="tictactoe", simulations=8, fast_simulations=4, iterations=1, games=6, threads=1, evaluator=SERVER,
        blocks=1, channels=8, samples_per_iteration=40, batch_size=8,
    )  # fmt: skip
    trainer = Trainer(config, tmp_path, False)
    pool: Any = trainer.pool
    try:
        assert str(pool.choice.words).startswith("a server on CPU for all players (1), ")
        report = iterate(trainer)
        assert report["samples"] >= 40
        assert pool.served.figures[ROWS] > 0
        assert pool.served.notes == []
    finally:
        trainer.close()


def test_sizes_of_the_board_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^evaluator is 'server', which plays on one size of the board; clear sizes"):
        TrainConfig.of(game="go(size=7)", sizes="7, 9", inputs="points", heads="pooled", iterations=1, evaluator=SERVER)
