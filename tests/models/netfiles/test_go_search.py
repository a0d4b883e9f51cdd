"""Tests of searches with nets of Go programs, from their own files: inputs, answers, leads, cache, board sizes."""

from pathlib import Path
from threading import Thread

import numpy as np
import onnx
import pytest

from core.engine import Search, UniformEvaluator
from core.engine.lockstep import Lockstep
from core.engine.ownership import OwnershipReader, most_visited
from core.engine.symmetry import under_symmetries
from core.files.tree_file import dump_tree, load_tree, saved
from core.games import load_game
from core.games.encoding import key
from core.games.go_encodings import KATAGO, LEELA, ZERO
from core.games.net_inputs import inputs_of
from core.search import Limit, SearchSettings
from models.netfiles import opened
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.katago_answers import outcome, scaling_of, scores
from models.netfiles.opened import as_onnx, is_for, net_info, usual_game
from models.netfiles.ort_session import BadNet
from tests.core.search.fakes import run_search
from tests.models.netfiles.katago_nets import RandomLeela

TINY = Path(__file__).parents[2] / "data" / "katago" / "tiny"
KATA = TINY / "rect15-b2c16.bin.gz"
GO = load_game("go(size=7, komi=7)")
SETTINGS = SearchSettings(memory_mb=32)


@pytest.fixture(autouse=True)
def _own_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened, "user_cache_dir", lambda: tmp_path / "caches")


def encoding(name: str):
    return next(one for one in GO.encodings if one.name == name)


def test_a_net_of_katago_is_searched_from_its_own_file(tmp_path: Path) -> None:
    search = run_search(GO.position("d4 c3"), OnnxEvaluator(KATA, GO, device="cpu"), 150, SETTINGS)
    found = search.snapshot()
    assert found.evaluator == "rect15-b2c16.bin.gz on CPU"
    assert np.isfinite(found.root.lead)
    assert found.root.lead_spread > 0
    assert all(np.isfinite(row.lead) for row in found.moves if row.visits)
    made = list((tmp_path / "caches" / "nets").iterdir())
    assert len(made) == 1
    stamp = made[0].stat().st_mtime_ns
    OnnxEvaluator(KATA, load_game("go(rows=9, cols=5)"), device="cpu")
    assert made[0].stat().st_mtime_ns == stamp
    again = load_tree(dump_tree(saved(search)))
    assert again.state.tree.lead_sum.size


def test_another_converter_makes_another_file_and_the_old_one_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = opened.as_onnx(KATA)
    folder = first.parent
    others = [folder / "rect15-b2c16-0123456789abcdef-01234567.onnx", folder / f"{first.stem[:-9]}-int8-01234567.onnx"]
    earlier = folder / f"{first.stem[:-9]}.onnx"  # as names were before they had the converter's hash
    for file in (*others, earlier):
        file.touch()
    assert opened.as_onnx(KATA) == first
    assert earlier.exists()
    monkeypatch.setattr(opened, "_converter", lambda: "89abcdef")
    second = opened.as_onnx(KATA)
    assert second.read_bytes()
    assert sorted(folder.iterdir()) == sorted([second, *others])


def test_the_answer_is_that_of_the_net_for_these_inputs() -> None:
    evaluator = OnnxEvaluator(KATA, GO, device="cpu")
    inputs = inputs_of(GO.position("d4 c3 e5 pass"), evaluator.encoding)
    logits, values, leads = evaluator.evaluate(*inputs)
    names = ("policy", "value", "miscvalue")
    raw = dict(zip(names, evaluator._runtime.run({"spatial": inputs.planes, "global": inputs.features}), strict=True))
    chances = outcome(raw["value"], no_result=False)
    points = scores(raw["miscvalue"], scaling_of(evaluator.info.config), chances[:, 2])
    assert values[0] == pytest.approx(chances[0, 0] - chances[0, 1], abs=1e-6)
    assert leads[0].tolist() == pytest.approx([points.lead[0], points.lead[0] ** 2 + points.stdev[0] ** 2], rel=1e-5)
    assert np.argmax(logits[0]) == np.argmax(raw["policy"][0, -1])
    assert logits.shape == (1, GO.num_actions)


def test_ownership_is_that_of_the_net_for_the_first_player() -> None:
    evaluator = OnnxEvaluator(KATA, GO, device="cpu")
    assert evaluator.gives_ownership
    for moves in ("d4 c3", "d4 c3 e5"):
        position = GO.position(moves)
        inputs = inputs_of(position, evaluator.encoding)
        raw = evaluator.outputs(("ownership",), *inputs)["ownership"]
        sign = 1 if position.to_move == 0 else -1
        found = OwnershipReader(evaluator).at(position)
        np.testing.assert_allclose(found.points, sign * np.tanh(raw[0]), atol=1e-6)
    with pytest.raises(ValueError, match="takes float32"):
        evaluator.ownership(inputs.planes[:, :, :5], inputs.features)
    with pytest.raises(ValueError, match="features are"):
        evaluator.ownership(inputs.planes)


def test_a_net_without_that_output_gives_no_ownership(tmp_path: Path) -> None:
    model = onnx.load(as_onnx(KATA))
    del model.graph.output[3]
    path = tmp_path / "without.onnx"
    onnx.save(model, path)
    evaluator = OnnxEvaluator(path, GO, device="cpu")
    assert not evaluator.gives_ownership
    with pytest.raises(ValueError, match="gives no ownership"):
        OwnershipReader(evaluator)
    search = run_search(GO.initial(), evaluator, 20, SETTINGS)
    assert not search.snapshot().ownership


def test_a_net_of_one_batch_size_answers_in_parts(tmp_path: Path) -> None:
    model = onnx.load(as_onnx(KATA))
    for tensor in (*model.graph.input, *model.graph.output):
        tensor.type.tensor_type.shape.dim[0].dim_value = 3
    path = tmp_path / "three.onnx"
    onnx.save(model, path)
    three, free = (OnnxEvaluator(file, GO, device="cpu") for file in (path, KATA))
    positions = [GO.position(moves) for moves in ("", "d4", "d4 c3", "d4 c3 e5")]
    inputs = [np.concatenate(part) for part in zip(*(inputs_of(p, free.encoding) for p in positions), strict=True)]
    np.testing.assert_allclose(three.ownership(*inputs), free.ownership(*inputs), atol=1e-6)
    for found, wanted in zip(three.evaluate(*inputs), free.evaluate(*inputs), strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-5)


def test_a_run_that_fails_is_one_sentence() -> None:
    evaluator = OnnxEvaluator(KATA, GO, device="cpu")
    inputs = inputs_of(GO.initial(), evaluator.encoding)
    with pytest.raises(BadNet, match=r"rect15-b2c16.bin.gz cannot be evaluated: .*Invalid.*rank"):
        evaluator.outputs((), inputs.planes[0], inputs.features)


def test_ownership_may_be_asked_for_while_a_search_runs() -> None:
    evaluator = OnnxEvaluator(KATA, GO, device="cpu")
    alone = run_search(GO.initial(), evaluator, 200, SETTINGS)
    reader, wanted = OwnershipReader(evaluator), OwnershipReader(evaluator).mean(GO.initial(), most_visited(alone))
    search, found = Search(GO.initial(), evaluator, SETTINGS), []
    thread = Thread(target=lambda: found.append(reader.mean(GO.initial(), most_visited(alone))))
    thread.start()
    search.run(Limit(simulations=200))
    thread.join()
    assert search.snapshot().root.visits_of.tolist() == alone.snapshot().root.visits_of.tolist()
    np.testing.assert_allclose(found[0].points, wanted.points, atol=1e-6)


def test_a_turned_board_gives_about_the_same_answer() -> None:
    answer = under_symmetries(OnnxEvaluator(KATA, GO, device="cpu"), GO.position("d4 c3 e5"))
    assert answer.policies.shape == (8, len(answer.actions))
    # Opposite symmetries of a trained net differ, but less than its values do.
    assert answer.value_spread < 0.5


@pytest.mark.slow  # compiles the search of its planes
def test_a_net_of_leela_zero_is_searched(tmp_path: Path) -> None:
    path = tmp_path / "weights.txt.gz"
    path.write_bytes(RandomLeela(7, 1, 4).file())
    search = run_search(GO.initial(), OnnxEvaluator(path, GO, device="cpu"), 60, SETTINGS)
    assert search.simulations == 60
    assert np.isnan(search.snapshot().root.lead)
    with pytest.raises(BadNet, match="takes planes"):
        OnnxEvaluator(path, load_game("go(size=9)"), device="cpu")


@pytest.mark.slow
def test_self_play_takes_features() -> None:
    lockstep = Lockstep(GO, OnnxEvaluator(KATA, GO, device="cpu"), 3, SETTINGS, seed=1)
    for g in range(3):
        lockstep.restart(g)
        lockstep.set_target(g, 20, False)
    while len(lockstep.step()) < 3:
        pass
    assert all(lockstep.visits(g) >= 20 for g in range(3))


def test_a_file_says_for_which_games_it_is(tmp_path: Path) -> None:
    info = net_info(KATA)
    assert is_for(info, GO)
    assert not is_for(info, load_game("gomoku"))
    assert usual_game(info) == load_game("go")
    with pytest.raises(BadNet, match=r"rect15-b2c16\.bin\.gz takes planes encoded as 'katago-v7'"):
        OnnxEvaluator(KATA, load_game("gomoku"), device="cpu")
    broken = tmp_path / "broken.bin.gz"
    broken.write_bytes(KATA.read_bytes()[:5000])
    with pytest.raises(BadNet):
        as_onnx(broken)
    assert not list((tmp_path / "caches").rglob("broken*"))


@pytest.mark.slow  # compiles what is not compiled beforehand
@pytest.mark.parametrize("name", [KATAGO, LEELA, ZERO])
def test_every_encoding_can_be_searched_and_names_what_it_shows(name: str) -> None:
    own = encoding(name)
    run_search(GO.initial(), UniformEvaluator(GO.num_actions, own), 30, SETTINGS)
    inputs = inputs_of(GO.position("d4"), own)
    assert inputs.planes.shape == (1, len(own.planes), 7, 7)
    assert inputs.features.shape == (1, len(own.features))
    assert len(set(own.planes)) == len(own.planes)


def test_the_key_covers_what_is_shown() -> None:
    """Positions with the same stones but another history, ko or pass differ; the same lines do not."""
    own = encoding(KATAGO)

    def key_of(moves: str) -> int:
        position = GO.position(moves)
        return int(key(own.new_encoder(), position.state))

    assert key_of("d4 c3 e5 c5") == key_of("d4 c3 e5 c5")
    assert key_of("d4 c3 e5 c5") != key_of("e5 c3 d4 c5")
    assert key_of("d4 c3 e5 c5 a1 b1 a2 b2 a3 b3") == key_of("e5 c5 d4 c3 a1 b1 a2 b2 a3 b3")  # beyond what is shown
    assert key_of("d4 c3 pass") != key_of("d4 c3")
