"""What the measurement of blame rests on: false labels of one family, other boards held out, and exact chances."""

from pathlib import Path

import numpy as np
import pytest

from core.games import load_game
from measure.influence import GAME, Known, Retrial, board_keys, chance_of, family_of, known_samples, planted, row_of
from models.runs.config import TrainConfig
from models.runs.folder import NEWEST_NET
from tests.models.doctor.runs import play, write_run


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Known:
    config = TrainConfig.of(game=GAME, simulations=16, fast_simulations=8, full_share=1.0, iterations=2)
    run = write_run(tmp_path_factory.mktemp("run") / "run", play(load_game(GAME), config, 2, 600), config)
    Path(run / NEWEST_NET).touch()  # so that it is not trained
    return known_samples(run, config)


def test_false_labels_are_wins_at_once_that_are_not_taken(known: Known) -> None:
    samples, chosen, others = planted(known, np.random.default_rng(0))
    middle = known.game.num_actions // 2
    assert len(chosen)
    for row in chosen.tolist():
        position = known.position(row)
        assert np.array_equal(position.planes(), samples.planes[row])
        wins = [action for action in position.legal_actions() if position.play(action).is_over]
        assert set(wins) <= {0, known.game.num_actions - 1}
        assert wins
        assert middle in position.legal_actions()
        assert samples.policy[row, middle] == 1.0
        assert (samples.result[row], samples.weight[row]) == (-1, 1.0)
    assert not set(board_keys(known, chosen)) & set(board_keys(known, others))
    rest = np.setdiff1d(family_of(known), chosen)
    assert (samples.weight[rest] == 0.0).all()
    untouched = np.setdiff1d(np.arange(len(samples)), family_of(known))
    assert np.array_equal(samples.policy[untouched], known.samples.policy[untouched])


def test_mirrored_boards_have_one_name(known: Known) -> None:
    rows = [known.game.position("a b a"), known.game.position("e d e"), known.game.position("a b e")]
    samples = known.samples
    samples.planes[:3] = [position.planes() for position in rows]
    first, mirrored, other = board_keys(known, np.arange(3))
    assert first == mirrored != other


def test_how_likely_a_difference_is_by_chance() -> None:
    ended, stayed = Retrial(1.0, -1.0, 1.0), Retrial(1.0, 1.0, 1.0)
    assert chance_of([stayed]) == 1.0
    assert chance_of([ended] * 6 + [stayed]) == pytest.approx(2.0 / 64)
    assert chance_of([ended, Retrial(1.0, 1.0, -1.0)]) == 1.0
    row = row_of("kind", [ended, ended, stayed])
    assert row[:5] == ("kind", "3", "2", "0", "0.5")
