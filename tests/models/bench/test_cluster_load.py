"""What a cluster run would ask, calculated from measured numbers."""

from models.bench.cluster_load import Limits, Measured, load, table
from models.runs.config import TrainConfig

CONFIG = TrainConfig(iterations=1, samples_per_iteration=4000, train_ratio=4.0, batch_size=200)
MEASURED = Measured(10.0, 500.0, 60.0, 1e-4, 0.01, 1_000_000)


def test_the_load_grows_with_the_actors_until_the_learner_cannot_follow() -> None:
    one, many = (load(MEASURED, CONFIG, actors, Limits()) for actors in (1, 1000))
    assert one.samples_per_s == 10.0
    assert one.in_bytes_per_s == 5000.0
    assert one.out_bytes_per_s == 10.0 / 4000 * 1e6
    assert one.store_bytes == 2 * 1000 * 500.0 + 2e6  # two portions of a quarter of an iteration, two nets
    assert one.steps == 10.0 * 4.0 / 200 * 0.01
    assert one.intake == 10.0 * 1e-4
    assert one.first == ""
    assert many.steps == 1000 * one.steps == 2.0
    assert many.intake == 1000 * one.intake == 1.0
    assert many.first == "network"  # a new net to each of a thousand, 2.5 times a second
    assert load(MEASURED, CONFIG, 600, Limits()).first == "steps"
    assert load(MEASURED, CONFIG, 600, Limits(step_speed=10.0)).first == ""


def test_the_table_has_a_line_for_each() -> None:
    lines = table([load(MEASURED, CONFIG, actors) for actors in (1, 600)]).splitlines()
    assert len(lines) == 3
    assert lines[1].split()[:2] == ["1", "10"]
    assert lines[1].endswith("-")
    assert lines[2].endswith("steps")
