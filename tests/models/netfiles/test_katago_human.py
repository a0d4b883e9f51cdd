"""A human net of KataGo, made by its exporter with random weights, against the answers of its analysis engine."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.engine.evaluator import ask
from core.games import Position, load_game
from core.games.encoding import Inputs, encode
from core.games.net_inputs import make_inputs
from models.commands.program import main
from models.netfiles import katago_metadata
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.katago_answers import answers
from models.netfiles.katago_file import read_katago
from models.netfiles.opened import import_go_net
from models.netfiles.ort_session import BadNet
from models.netfiles.recipe import for_profile, parse_recipe
from tests.models.netfiles.katago_nets import RandomNet

DATA = Path(__file__).parents[2] / "data" / "katago"
NET = DATA / "tiny" / "human-b2c16nbt.bin.gz"
RECORDED: list[dict[str, Any]] = json.loads((DATA / "human_net.json").read_text())


def shown(evaluator: OnnxEvaluator, position: Position) -> Inputs:
    inputs = make_inputs(position.game, evaluator.encoding, 1)
    encode(evaluator.encoding.new_encoder(), position.state, inputs.planes[0], inputs.features[0])
    return inputs


def opened(want: dict[str, Any], profile: str) -> tuple[OnnxEvaluator, Position]:
    game = load_game(f"go(size={want['size']}, rules={want['rules']}, komi={want['komi']})")
    recipe = for_profile(profile) if profile else None
    return OnnxEvaluator(NET, game, recipe=recipe, device="cpu", threads=1), game.position(want["moves"].lower())


@pytest.mark.parametrize("want", RECORDED, ids=lambda want: f"{want['profile']}-{want['size']}-{want['to_move']}")
def test_answers_are_those_of_katago(want: dict[str, Any]) -> None:
    """Policy, win rate, lead and spread, for one rank, two, and years, with either side to move."""
    evaluator, position = opened(want, want["profile"])
    assert position.to_move == "BW".index(want["to_move"])
    inputs = shown(evaluator, position)
    outputs = evaluator.outputs((), *inputs)
    legal = np.array(want["policy"])[None] >= 0
    scaling = read_katago(NET).scaling
    found = answers(outputs, legal, scaling, optimism=0.0, no_result=evaluator.encoding.no_result)
    assert np.abs(found.policy[0] - want["policy"])[legal[0]].max() < 1e-5
    win = found.outcome[0, 0] + found.outcome[0, 2] / 2
    assert win == pytest.approx(want["winrate"], abs=1e-5)
    assert found.outcome[0, 2] == pytest.approx(want["no_result"], abs=1e-5)
    assert found.scores.lead[0] == pytest.approx(want["lead"], abs=1e-3)
    assert found.scores.stdev[0] == pytest.approx(want["score_stdev"], abs=1e-3)


@pytest.mark.parametrize("want", RECORDED[:8:7], ids=lambda want: want["profile"])
def test_what_a_search_gets_is_the_plain_policy(want: dict[str, Any]) -> None:
    """KataGo's human nets have an optimistic policy too, which their searches do not use."""
    evaluator, position = opened(want, want["profile"])
    answer = ask(evaluator, shown(evaluator, position), position.game.num_actions)
    logits = answer.logits[0].astype(float)
    policy = np.array(want["policy"])
    chances = np.where(policy >= 0, np.exp(logits - logits.max()), 0.0)
    assert np.abs(chances / chances.sum() - np.maximum(policy, 0)).max() < 1e-5
    outputs = evaluator.outputs(("policy",), *shown(evaluator, position))["policy"][0]
    assert np.abs(outputs[1] - outputs[0]).max() > 0.1


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("encoder\n192", "encoder\n191", "the number of inputs that tell of the players is 191; 192 is needed"),
        (".mul1\n192", ".mul1\n193", "the number of inputs of 'model.sgf_metadata_encoder.mul1' is 193; 192 is needed"),
        (
            ".bias1\n16",
            ".bias1\n15",
            "the number of channels of 'model.sgf_metadata_encoder.bias1' is 15; 16 is needed",
        ),
        (
            ".mul3\n16\n16",
            ".mul3\n16\n8",
            "the number of outputs of 'model.sgf_metadata_encoder.mul3' is 8; 16 is needed",
        ),
        ("150.0\n1", "150.0\n2", "the kind of its metadata encoder is '2'; it must be a whole number from 0 to 1"),
    ],
)
def test_damaged_metadata_layers(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    data = gzip.decompress(NET.read_bytes())
    assert data.count(old.encode()) == 1
    path = tmp_path / "net.bin"
    path.write_bytes(data.replace(old.encode(), new.encode()))
    with pytest.raises(BadNet, match=sentence):
        read_katago(path)


def test_the_recorded_profiles_tell_positions_apart() -> None:
    """So that the comparisons above would see a profile that is not heeded."""
    policies = np.array([want["policy"] for want in RECORDED[:7]])
    gaps = np.abs(policies[:, None] - policies[None]).max(2)
    assert gaps[~np.eye(7, dtype=bool)].min() > 1e-3


def test_the_usual_profile_stands_where_none_is_named() -> None:
    want = next(want for want in RECORDED if want["profile"] == katago_metadata.USUAL)
    without, named = (
        ask(evaluator, shown(evaluator, position), position.game.num_actions).logits
        for evaluator, position in (opened(want, ""), opened(want, want["profile"]))
    )
    np.testing.assert_array_equal(without, named)


@pytest.mark.parametrize(
    "profile",
    [
        "",
        "rank_",
        "rank_10d",
        "rank_21k",
        "rank_5k_",
        "rank_5K",
        "preaz_1d_2d_3d",
        "proyear_1799",
        "proyear_2024",
        "5k",
    ],
)
def test_other_profiles_are_refused(profile: str) -> None:
    with pytest.raises(ValueError, match=r"profile is '.*'; it must be rank_ or preaz_ with a rank from 20k to 9d"):
        for_profile(profile)


def test_a_profile_is_a_recipe() -> None:
    recipe = for_profile("preaz_3d_4k")
    assert parse_recipe(recipe.to_json()) == recipe
    assert recipe.summary == "preaz_3d_4k"
    with pytest.raises(ValueError, match="'planes' is no part of a recipe; allowed here: recipe, profile"):
        parse_recipe('{"recipe": 1, "profile": "rank_5k", "planes": ["mine"]}')


def test_a_net_of_another_kind_takes_no_profile(tmp_path: Path) -> None:
    other = tmp_path / "net.bin.gz"
    other.write_bytes(RandomNet(15).file())
    with pytest.raises(BadNet, match=r"net.bin.gz imitates no players by rank or year, so it takes no profile"):
        OnnxEvaluator(other, load_game("go(size=9)"), recipe=for_profile("rank_5k"), device="cpu")


def test_import_and_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    imported = import_go_net(NET, tmp_path / "human.onnx")
    assert (imported.name, imported.version, imported.blocks, imported.channels) == ("tiny-human", 15, 2, 16)
    arguments = [
        "analyze",
        "go(size=9, rules=chinese)",
        "d4 f6 f4 d6 e3",
        "--net",
        str(tmp_path / "human.onnx"),
        "--json",
    ]
    priors = []
    for profile in ("rank_20k", "proyear_1990"):
        assert main([*arguments, "--simulations", "20", "--profile", profile]) == 0
        moves = json.loads(capsys.readouterr().out)["moves"]
        priors.append(max(moves, key=lambda move: move["prior"]))
    for prior, place in zip(priors, (1, 4), strict=True):
        assert prior["prior"] == pytest.approx(max(RECORDED[place]["policy"]), abs=1e-3)
    assert main([*arguments, "--profile", "rank_30k"]) == 2
    assert "profile is 'rank_30k'" in capsys.readouterr().err


def test_a_random_human_net_of_the_tests_is_one(tmp_path: Path) -> None:
    """So that damaged copies of it reach what reads the players: its profiles give other answers."""
    path = tmp_path / "net.bin.gz"
    path.write_bytes(RandomNet(15, ("o",), channels=3, human=True).file())
    game = load_game("go(size=5)")
    policies = []
    for profile in ("rank_9d", "proyear_1850"):
        evaluator = OnnxEvaluator(path, game, recipe=for_profile(profile), device="cpu")
        assert evaluator.encoding.name == katago_metadata.HUMAN_ENCODING
        policies.append(ask(evaluator, shown(evaluator, game.initial()), game.num_actions).logits)
    assert np.abs(policies[0] - policies[1]).max() > 0.01
