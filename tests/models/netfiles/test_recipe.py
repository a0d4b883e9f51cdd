"""Nets of other programs, read by a recipe: their planes, policies and values, and how a recipe is guessed."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from core.engine.evaluator import ask
from core.files.reading import BadFile
from core.games import load_game
from core.games.net_inputs import inputs_of
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.net_file import read_net_info
from models.netfiles.ort_session import BadNet
from models.netfiles.recipe import PLANES, Recipe, RecipeInput, beside, boards_in, parse_recipe, planes_of
from models.netfiles.recipe_check import Check
from models.netfiles.recipe_guess import (
    Unclear,
    candidates,
    draft,
    guess_recipe,
    open_evaluator,
    stands_out,
    with_recipe,
)
from models.netfiles.recipe_planes import planes, shown_planes
from models.netfiles.recipe_reader import RecipeTrial
from models.netfiles.shipped import default_net
from tests.models.netfiles.foreign_nets import linear, positions, tactician, write_net

TTT, FOUR = load_game("tictactoe"), load_game("connect4")
PLAYED = positions("tictactoe", "a1", "a1 b2", "b2 a1 a3")


def asked(path: Path, game: str, recipe: Recipe, *moves: str) -> tuple[np.ndarray, np.ndarray]:
    """Logits and values of a net for the positions after these moves."""
    shown = np.stack([position.planes() for position in positions(game, *moves)])
    logits, values = OnnxEvaluator(path, load_game(game), recipe=recipe, device="cpu").evaluate(shown)
    return logits, values


def test_every_plane_of_a_recipe() -> None:
    position = FOUR.position("d d c")  # the second player is to move
    own = position.planes()[None]
    cells = position.cells()
    found = dict(zip(PLANES, planes(tuple(PLANES), own, FOUR)[0], strict=True))
    first, second = (cells == 1).astype(np.float32), (cells == 2).astype(np.float32)
    wanted = {
        "mine": second,
        "theirs": first,
        "first": first,
        "second": second,
        "empty": cells == 0,
        "mine-theirs": second - first,
        "first-second": first - second,
        "last": own[0, 2],
        "first to move": np.zeros_like(first),
        "second to move": np.ones_like(first),
        "colour": -np.ones_like(first),
        "row": np.repeat(np.linspace(0, 1, 6)[:, None], 7, axis=1),
        "column": np.repeat(np.linspace(0, 1, 7)[None], 6, axis=0),
        "ones": np.ones_like(first),
        "zeros": np.zeros_like(first),
    }
    for name, plane in wanted.items():
        np.testing.assert_allclose(found[name], plane, atol=1e-6, err_msg=name)
    assert sorted(zip(*np.nonzero(found["legal"]), strict=True)) == [(3, 3), (4, 2), *((5, c) for c in (0, 1, 4, 5, 6))]
    np.testing.assert_array_equal(planes(("-mine",), own, FOUR)[0, 0], -second)


def test_a_recipe_is_the_same_after_json() -> None:
    inputs = (RecipeInput(("mine", "-theirs"), "a", "nhwc"), RecipeInput(("colour",), "b", "numbers"))
    recipe = Recipe(inputs, "connect4", "x", "bottom", True, "p", "probabilities", "cells", "first", "top", "q")
    recipe = replace(recipe, value="wld-logits", value_for="first")
    assert parse_recipe(recipe.to_json()) == recipe
    assert planes_of(recipe.encoding_name) == ("mine", "-theirs", "colour")
    assert planes_of("mover-opponent-last-first/1") == ()


def test_planes_of_earlier_boards_are_counted_and_written_out() -> None:
    recipe = parse_recipe('{"planes": ["mine, theirs x 3", "last x 2", "-first-second 1", "colour"]}')
    words = (
        "mine",
        "theirs",
        "mine 1",
        "theirs 1",
        "mine 2",
        "theirs 2",
        "last",
        "last 2",
        "-first-second 1",
        "colour",
    )
    assert recipe.planes == words
    assert (boards_in(words), boards_in(("mine", "last 2")), boards_in(("mine", "colour"))) == (3, 2, 1)
    assert parse_recipe(recipe.to_json()) == recipe


def test_planes_of_earlier_boards() -> None:
    """As the side now to move sees them; before the first move there are none."""
    position = FOUR.position("d d c")  # the second player is to move
    words = ("mine 1", "theirs 1", "first 2", "mine-theirs 1", "empty 1", "last 2", "last 3", "last 4", "theirs 4")
    found = dict(zip(words, shown_planes(words, position), strict=True))
    before = FOUR.position("d d").cells()
    one, two = (before == 1).astype(np.float32), (before == 2).astype(np.float32)
    for word, plane in (
        ("mine 1", two),
        ("theirs 1", one),
        ("first 2", one),
        ("mine-theirs 1", two - one),
        ("empty 1", before == 0),
        ("last 2", two),
        ("last 3", one),
        ("last 4", 0 * one),
        ("theirs 4", 0 * one),
    ):
        np.testing.assert_array_equal(found[word], plane, err_msg=word)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('{"planes": ["my stones"]}', "'my stones' is no plane; a plane is one of mine, theirs"),
        (
            '{"planes": ["mine", "legal 3"]}',
            "'legal 3' is no plane: earlier ones, up to 31 moves ago, are known",
        ),
        ('{"planes": ["mine 32"]}', "'mine 32' is no plane: earlier ones"),
        ('{"planes": ["mine, theirs x 99"]}', "'mine 32' is no plane: earlier ones"),
        ('{"planes": ["mine, x 2"]}', "'' is no plane"),
        ('{"planes": ["mine x 0"]}', "'mine x 0' is no plane"),
        ('{"planes": []}', "no planes"),
        ('{"planes": [7]}', "7 is no plane"),
        ('{"inputs": []}', "from 1 to 512 planes"),
        ('{"planes": ["mine"], "row": "top"}', "'row' is no part of a recipe; allowed here: recipe, name"),
        ('{"planes": ["mine"], "rows": "left"}', "rows is 'left'; it must be one of top, bottom"),
        ('{"planes": ["mine"], "policy": {"kind": "logit"}}', "kind is 'logit'"),
        ('{"planes": ["mine"], "game": "chess"}', "'chess'"),
        ('{"recipe": 2, "planes": ["mine"]}', "recipe is 2"),
        ("[]", "it must be an object"),
        ("{", "JSON"),
    ],
)
def test_a_bad_recipe_is_one_sentence(text: str, quoted: str) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*$") as refused:
        parse_recipe(text)
    assert quoted in str(refused.value)


def test_alpha_zero_general(tmp_path: Path) -> None:
    """A signed board without a channel, log-probabilities with an entry for no move, a value by tanh."""
    path, w, v = linear(tmp_path / "net.onnx", ["batch", 3, 3], 10, ending="LogSoftmax")
    guess = guess_recipe(path, read_net_info(path), TTT)
    assert guess.recipe.name == "alpha-zero-general"
    assert (guess.recipe.planes, guess.recipe.policy) == (("mine-theirs",), "log-probabilities")
    logits, values = asked(path, "tictactoe", guess.recipe, "a1", "a1 b2", "b2 a1 a3")
    boards = [np.where(p.cells() == 0, 0, np.where(p.cells() == p.to_move + 1, 1, -1)).ravel() for p in PLAYED]
    raw = np.array(boards) @ w
    np.testing.assert_allclose(logits - logits[:, :1], (raw - raw[:, :1])[:, :9], atol=1e-4)
    np.testing.assert_allclose(values, np.tanh(np.array(boards) @ v)[:, 0], atol=1e-5)


def test_open_spiel(tmp_path: Path) -> None:
    """Its observation tensors, flat or not."""
    spiel = pytest.importorskip("pyspiel")
    path, w, _ = linear(tmp_path / "net.onnx", ["batch", 126], 7, names=("observation", "policy_softmax", "value_out"))
    recipe = Recipe((RecipeInput(("theirs", "mine", "empty")),), "connect4", rows="bottom")
    logits, _ = asked(path, "connect4", recipe, "d", "d d c")
    for moves, row in (((3,), logits[0]), ((3, 3, 2), logits[1])):
        state = spiel.load_game("connect_four").new_initial_state()
        for move in moves:
            state.apply_action(move)
        np.testing.assert_allclose(row, np.array(state.observation_tensor()) @ w, atol=1e-4)
    recipe = Recipe((RecipeInput(("empty", "second", "first")),), "tictactoe")
    path, w, _ = linear(tmp_path / "net3.onnx", ["batch", 3, 3, 3], 9)
    logits, _ = asked(path, "tictactoe", recipe, "a1 b2")  # a1 is the lower left corner: cell 6
    state = spiel.load_game("tic_tac_toe").new_initial_state()
    for move in (6, 4):
        state.apply_action(move)
    np.testing.assert_allclose(logits[0], np.array(state.observation_tensor()) @ w, atol=1e-4)


def test_the_mask_of_open_spiel_is_filled_in(tmp_path: Path) -> None:
    """Its AlphaZero's nets also take the legal moves; without a 1 for them no move has a chance."""
    nodes = [
        helper.make_node("Flatten", ["input"], ["flat"]),
        helper.make_node("MatMul", ["flat", "W"], ["plain"]),
        helper.make_node("Where", ["legals_mask", "plain", "low"], ["policy"]),
        helper.make_node("ReduceMean", ["input"], ["value"], axes=[1], keepdims=1),
    ]
    weights = {"W": np.eye(27, 9, dtype=np.float32), "low": np.array(-1e32, np.float32)}
    inputs = {"input": (["batch", 27], TensorProto.FLOAT), "legals_mask": (["batch", 9], TensorProto.BOOL)}
    outputs = {"policy": ["batch", 9], "value": ["batch", 1]}
    path = write_net(tmp_path / "net.onnx", inputs, nodes, weights, outputs)
    inputs_given = (
        RecipeInput(("empty", "second", "first"), "input"),
        RecipeInput(("ones",), "legals_mask", "numbers"),
    )
    found = next(candidates(read_net_info(path), TTT))
    assert (found.name, found.inputs) == ("OpenSpiel", inputs_given)
    logits, _ = asked(path, "tictactoe", found, "a3 b2")
    assert logits[0].tolist() == [0, 1, 1, 1, 0, 1, 1, 1, 1]


def test_alpha_zero_gomoku_is_told_by_its_answers(tmp_path: Path) -> None:
    """Four planes, and the policy's rows from the bottom: of two recipes that fit, one finds the wins in one."""
    path = tactician(tmp_path / "net.onnx", 4, 0, 1, policy_flipped=True)
    guess = guess_recipe(path, read_net_info(path), TTT)
    assert guess.recipe.name == "AlphaZero_Gomoku"
    assert guess.recipe.planes == ("mine", "theirs", "last", "first to move")
    assert (guess.recipe.rows, guess.recipe.policy_rows, guess.recipe.policy) == ("top", "bottom", "probabilities")
    assert guess.check.wins == guess.check.glad == guess.check.positions == 12
    assert guess.check.alike > 0.99
    logits, _ = asked(path, "tictactoe", guess.recipe, "a1 b3 b1 c3")
    assert TTT.action_name(int(logits[0].argmax())) == "c1"


def test_planes_in_another_order_are_told_by_the_answers(tmp_path: Path) -> None:
    path = tactician(tmp_path / "net.onnx", 3, 1, 2)
    assert guess_recipe(path, read_net_info(path), TTT).recipe.planes == ("empty", "mine", "theirs")


@pytest.mark.parametrize("text", ["othello(size=6)", "connect4"])
def test_a_net_of_ours_without_its_metadata_is_read_rightly(tmp_path: Path, text: str) -> None:
    """By wins in one move; in Othello, where random games hardly come by a choice of one, by its legal moves."""
    game = load_game(text)
    shipped = default_net(game)
    assert shipped is not None
    model = onnx.load(shipped)
    del model.metadata_props[:]
    onnx.save(model, tmp_path / "net.onnx")
    guess = guess_recipe(tmp_path / "net.onnx", read_net_info(tmp_path / "net.onnx"), game)
    assert guess.recipe.planes == ("mine", "theirs", "last", "first to move")
    assert (guess.recipe.rows, guess.recipe.policy_rows) == ("top", "top")
    assert guess.check.convincing
    shown = game.initial().planes()[None]
    for ours, read in zip(
        OnnxEvaluator(shipped, game, device="cpu").evaluate(shown),
        OnnxEvaluator(tmp_path / "net.onnx", game, recipe=guess.recipe, device="cpu").evaluate(shown),
        strict=True,
    ):
        np.testing.assert_allclose(ours, read, atol=1e-5)


def test_what_answers_do_not_tell_apart_is_not_guessed(tmp_path: Path) -> None:
    """Such as those of a net that learned its policy over the legal moves alone, where wins at once are rare."""
    game, shipped = load_game("othello"), default_net(load_game("othello"))
    assert shipped is not None
    model = onnx.load(shipped)
    del model.metadata_props[:]
    onnx.save(model, tmp_path / "othello.onnx")
    with pytest.raises(Unclear, match="2 recipes fit its shapes"):
        guess_recipe(tmp_path / "othello.onnx", read_net_info(tmp_path / "othello.onnx"), game)
    path, _, _ = linear(tmp_path / "net.onnx", ["batch", 4, 3, 3], 9)
    with pytest.raises(Unclear, match=r"2 recipes fit its shapes.*plyscope import net\.onnx --recipe FILE"):
        guess_recipe(path, read_net_info(path), TTT)
    path, _, _ = linear(tmp_path / "many.onnx", ["batch", 5, 3, 3], 9)
    with pytest.raises(Unclear, match="fit no recipe known for tictactoe"):
        guess_recipe(path, read_net_info(path), TTT)


def test_boards_in_a_stack_are_told_by_the_answers(tmp_path: Path) -> None:
    """AlphaGo Zero's order, own stones and the opponent's board by board, not first all own stones."""
    path = tactician(tmp_path / "net.onnx", 8, 2, 1)  # sees the stones of a move ago, when the mover had as many
    apart = ("mine", "mine 1", "mine 2", "theirs", "theirs 1", "theirs 2", "first to move", "second to move")
    assert [one.planes for one in candidates(read_net_info(path), TTT)][1] == apart
    guess = guess_recipe(path, read_net_info(path), TTT)
    assert guess.recipe.planes[:4] == ("mine", "theirs", "mine 1", "theirs 1")
    assert guess.recipe.planes[-2:] == ("first to move", "second to move")
    evaluator = OnnxEvaluator(path, TTT, recipe=guess.recipe, device="cpu")
    logits, _, _ = ask(evaluator, inputs_of(TTT.position("a1 b3 b1 c3"), evaluator.encoding), 9)
    assert TTT.action_name(int(logits[0].argmax())) == "c1"


def test_a_recipe_beside_a_net_corrects_the_one_in_it(tmp_path: Path) -> None:
    path, _, _ = linear(tmp_path / "net.onnx", ["batch", 3, 3, 3], 9)
    wrong = Recipe((RecipeInput(("mine", "theirs", "zeros")),), "tictactoe")
    path.write_bytes(with_recipe(path, wrong))
    right = replace(wrong, inputs=(RecipeInput(("theirs", "mine", "last 2")),))
    beside(path).write_text(right.to_json())
    assert read_net_info(path).recipe == right
    evaluator = OnnxEvaluator(path, TTT, recipe=wrong, device="cpu")  # what is given goes before both
    assert evaluator.encoding.name == wrong.encoding_name


def test_a_net_is_asked_by_one_recipe_after_the_other(tmp_path: Path) -> None:
    path = tactician(tmp_path / "net.onnx", 4, 1, 0)
    trial = RecipeTrial(path, read_net_info(path), TTT)
    first = draft(trial.info, TTT)
    assert first.planes == ("mine", "theirs", "last", "first to move")
    first = trial.kinds(first)
    assert first.policy == "probabilities"
    position = trial.questions.won[0].position
    assert trial.ask(first, position).check.wins < 12
    inputs = (RecipeInput(("theirs", "mine", "last 2", "mine 1"), "board"),)
    answered = trial.ask(replace(first, inputs=inputs, policy_rows="top"), position)
    assert (answered.check.wins, answered.check.positions) == (12, 12)
    assert max(answered.shares, key=answered.shares.__getitem__) in trial.questions.won[0].winning
    assert answered.value > 0
    with pytest.raises(BadNet, match="gives it 1 planes"):
        trial.ask(replace(first, inputs=(RecipeInput(("mine",)),)), position)
    odd, _, _ = linear(tmp_path / "odd.onnx", ["batch", 5, 3, 3], 9)
    assert draft(read_net_info(odd), TTT).planes == ("mine", "theirs", "last", "first to move", "zeros")


def test_which_guess_stands_out() -> None:
    """The checks of AlphaZero_Gomoku's net for 8x8: it finds eight of twelve wins, and one when it is read wrongly."""
    right, wrong = Check(12, 8, 9, 1.0, 0.9, 0.81), Check(12, 1, 9, 1.0, 0.9, 0.5)
    assert not right.convincing
    assert stands_out(right, wrong)
    assert not stands_out(right, Check(12, 6, 9, 1.0, 0.9, 0.8))
    assert not stands_out(Check(12, 5, 9, 1.0, 0.9, 0.8), Check(12, 0, 0, 1.0, 0.9, 0.5))
    assert stands_out(Check(12, 11, 9, 1.0, 0.9, 0.8), right)


def test_rapfi(tmp_path: Path) -> None:
    """Boards in 8 bits, the side to move as a number, a policy as a board, win, loss and draw as logits."""
    rng = np.random.default_rng(0)
    w = rng.normal(0, 1, (51, 3)).astype(np.float32)
    nodes = [
        helper.make_node("Cast", ["board_input"], ["float"], to=TensorProto.FLOAT),
        helper.make_node("Flatten", ["float"], ["cells"]),
        helper.make_node("Concat", ["cells", "global_input"], ["flat"], axis=1),
        helper.make_node("MatMul", ["flat", "W"], ["value"]),
        helper.make_node("ReduceSum", ["float", "axis"], ["policy"], keepdims=0),
    ]
    inputs = {"board_input": ([1, 2, 5, 5], TensorProto.INT8), "global_input": ([1, 1], TensorProto.FLOAT)}
    outputs = {"value": [1, 3], "policy": [1, 5, 5]}
    path = write_net(tmp_path / "net.onnx", inputs, nodes, {"W": w, "axis": np.array([1], np.int64)}, outputs)
    text = "connectn(rows=5, cols=5, k=4)"
    recipe = guess_recipe(path, read_net_info(path), load_game(text)).recipe
    assert (recipe.name, recipe.value) == ("Rapfi", "wld-logits")
    logits, values = asked(path, text, recipe, "a1", "a1 b2")
    for place, position in enumerate(positions(text, "a1", "a1 b2")):
        own = position.planes()
        flat = np.concatenate([own[0].ravel(), own[1].ravel(), [-1.0 if position.to_move == 0 else 1.0]])
        win, loss, draw = np.exp(flat @ w)
        assert values[place] == pytest.approx((win - loss) / (win + loss + draw), abs=1e-5)
        np.testing.assert_allclose(logits[place], (own[0] + own[1]).ravel(), atol=1e-6)


def test_a_policy_per_cell_is_read_for_columns(tmp_path: Path) -> None:
    path, w, _ = linear(tmp_path / "net.onnx", ["batch", 6, 7, 2], 42)
    recipe = Recipe((RecipeInput(("mine", "theirs")),), "connect4", moves="cells")
    logits, _ = asked(path, "connect4", recipe, "d d c")
    position = FOUR.position("d d c")
    raw = position.planes()[:2].transpose(1, 2, 0).ravel() @ w
    lowest = [5, 5, 4, 3, 5, 5, 5]
    np.testing.assert_allclose(logits[0], [raw[row * 7 + col] for col, row in enumerate(lowest)], atol=1e-4)


def test_turned_boards_a_pass_first_and_a_value_for_the_first_player(tmp_path: Path) -> None:
    path, w, v = linear(tmp_path / "net.onnx", ["batch", 36], 37)
    inputs = (RecipeInput(("mine-theirs",)),)
    recipe = Recipe(inputs, "othello(size=6)", "", "bottom", True, pass_at="first", value_for="first")
    recipe = replace(recipe, policy_rows="bottom")
    game = load_game("othello(size=6)")
    position = game.initial().play(game.initial().legal_actions()[0])
    own = position.planes()
    flat = (own[0] - own[1])[::-1].T.ravel()
    logits, values = OnnxEvaluator(path, game, recipe=recipe, device="cpu").evaluate(own[None])
    raw = flat @ w
    np.testing.assert_allclose(logits[0, :36], raw[1:].reshape(6, 6).T[::-1].ravel(), atol=1e-4)
    assert logits[0, 36] == pytest.approx(raw[0], abs=1e-4)
    assert values[0] == pytest.approx(-np.tanh(flat @ v)[0], abs=1e-5)


def test_what_does_not_fit_is_a_sentence(tmp_path: Path) -> None:
    path, _, _ = linear(tmp_path / "net.onnx", ["batch", 3, 3, 3], 9)
    three = (RecipeInput(("mine", "theirs", "ones")),)
    for recipe, said in (
        (Recipe((RecipeInput(("mine", "theirs")),)), r"takes board \[batch, 3, 3, 3\]; the recipe gives it 2 planes"),
        (Recipe((RecipeInput(three[0].planes, "x"),)), "has no input 'x'"),
        (Recipe(three, "connect4"), "is a net for connect4"),
        (Recipe(three, value="wdl-logits"), "no single output that holds win, draw and loss"),
        (Recipe(three, policy_output="v"), "no single output that holds a policy of 9 actions"),
        (Recipe(three, policy="probabilities"), "holds no probabilities"),
    ):
        with pytest.raises(BadNet, match=said):
            asked(path, "tictactoe", recipe, "a1")
    with pytest.raises(BadNet, match="legal can be shown only"):
        asked(path, "othello(size=6)", Recipe((RecipeInput(("legal",)),)), "")


def test_a_recipe_beside_the_file(tmp_path: Path) -> None:
    path, _, _ = linear(tmp_path / "net.onnx", ["batch", 4, 3, 3], 9)
    written = beside(path)
    assert written == tmp_path / "net.recipe.json"
    words = ["mine", "theirs", "empty", "ones"]
    written.write_text(json.dumps({"game": "tictactoe", "planes": words}))
    evaluator = OnnxEvaluator(path, TTT, device="cpu")
    assert evaluator.info.game == "tictactoe"
    assert evaluator.encoding.name == "recipe: mine, theirs, empty, ones"
    written.write_text('{"game": "tictactoe", "planes": ["mein"]}')
    with pytest.raises(BadNet, match=r"net\.recipe\.json' is no recipe for a net: 'mein' is no plane"):
        read_net_info(path)


def test_too_large_a_recipe_is_refused() -> None:
    with pytest.raises(BadFile, match="from 1 to 512 planes"):
        parse_recipe(json.dumps({"planes": ["ones"] * 513}))


def test_a_net_of_katago_that_others_converted_is_not_guessed(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Flatten", ["input_spatial"], ["flat"]),
        helper.make_node("ReduceMean", ["flat"], ["out_value"], axes=[1], keepdims=1),
        helper.make_node("Identity", ["input_global"], ["out_policy"]),
    ]
    inputs = {"input_spatial": (["n", 22, 9, 9], TensorProto.FLOAT), "input_global": (["n", 19], TensorProto.FLOAT)}
    path = write_net(tmp_path / "kata.onnx", inputs, nodes, {}, {"out_policy": ["n", 19], "out_value": ["n", 1]})
    with pytest.raises(BadNet, match=r"^kata\.onnx takes the inputs of KataGo's nets, .*ends in \.bin\.gz$"):
        open_evaluator(path, load_game("go(size=9)"))
