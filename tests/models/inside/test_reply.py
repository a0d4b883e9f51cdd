"""Whether a net sees the reply: patches from changed positions, their light cones, and how far planted nets read."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from core.games import Position, load_game
from core.games.net_inputs import inputs_of_all
from models.inside.changes import IMPOSSIBLE, POINTLESS, Changer, cells_of, exchanges
from models.inside.knowledge import scrambled_net
from models.inside.reply import (
    LEVEL,
    SAMPLED,
    SAMPLED_CHANGES,
    SeenLine,
    _thresholds,
    log_odds,
    patched_effects,
    policy_line,
    read_line,
)
from models.netfiles.shipped import default_net, nets_dir
from models.netfiles.tapped import TappedNet
from models.play.openings import random_opening
from models.strength.exams import after
from tests.models.inside.planted import ROW, STONES, planted
from tests.models.netfiles.foreign_nets import recipe

FOUR = load_game("connect4")
LINE = ("a5", "b5", "d5", "f5", "h5")  # 1, 3, 5 and 7 cells from the first
# The first player wins, at first by one move alone, in 3, 5 and 7 plies: by core.solve.
WON = (
    ("c e d d d c d e c c d d", "a a b"),
    ("d d g e g e f f a b d d e d g b d g e f", "e a e"),
    ("e f d b d b d f f g a b f d b d e c b f", "e e c a c"),
    ("d d b b g f e e g b f d a", "c c c a a"),
    ("e f e c b d e c b a a b c b b c f c g e a g", "a a f a d b d"),
    ("a d d c e f f a b a a c d a b c", "c a e b b b d"),
)


def actions(position: Position, words: str) -> tuple[int, ...]:
    """The moves of a line."""
    return tuple(map(position.game.parse_action, words.split()))


def won(number: int) -> tuple[Position, tuple[int, ...]]:
    """One of the positions with its winning line."""
    moves, line = WON[number]
    position = FOUR.position(moves)
    return position, actions(position, line)


def distances(cells: tuple[int, ...], shape: tuple[int, int]) -> np.ndarray:
    """How many cells each cell is from the nearest of ``cells``, [H, W]."""
    rows, columns = np.indices(shape)
    return np.min([np.maximum(abs(rows - c // shape[1]), abs(columns - c % shape[1])) for c in cells], axis=0)


def without(path: Path, blocks: int, to: Path) -> Path:
    """The shipped net of Connect Four whose last blocks add nothing to what they are given."""
    model = onnx.load(path)
    for tensor in model.graph.initializer:
        parts = tensor.name.split(".")
        if parts[0] == "blocks" and parts[2] == "second" and int(parts[1]) >= 4 - blocks:
            array = np.zeros_like(numpy_helper.to_array(tensor))
            tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))
    onnx.save(model, to)
    return to


@pytest.mark.parametrize("number", range(len(WON)))
def test_a_patch_changes_nothing_outside_the_light_cone_and_all_of_them_give_the_changed_answer(number: int) -> None:
    net, (position, line) = TappedNet(default_net(FOUR), FOUR), won(number)
    changer = Changer(position, line)
    changes = [change for ply in range(1, len(line)) for change in changer.changes(ply)]
    assert changes
    for change in changes[:4]:
        inputs = inputs_of_all([position, change.position], net.encoding)
        answer, blocks = net.run(inputs)
        odds = log_odds(answer.logits, line[0], position.legal_actions())
        effects = patched_effects(net, position, change.position, line[0])
        assert effects.whole == (odds[1] - odds[0], answer.values[1] - answer.values[0])
        altered = (inputs.planes[0] != inputs.planes[1]).any(axis=0).ravel()
        far = distances(tuple(np.flatnonzero(altered).tolist()), FOUR.shape)
        for block, output in enumerate(blocks):
            outside = far > 1 + 2 * block  # the stem has one convolution of 3x3, each block two
            assert not effects.choice[block][outside].any()
            assert not effects.value[block][outside].any()
            assert effects.choice[block].any()
            for given, wanted in ((output[:1], 0), (output[1:], 1)):
                after = net.continue_from(block, given, inputs_of_all([position], net.encoding))
                np.testing.assert_allclose(after.logits[0], answer.logits[wanted], atol=1e-5)
                np.testing.assert_allclose(after.values[0], answer.values[wanted], atol=1e-6)


def test_blocks_that_add_nothing_change_no_effect(tmp_path: Path) -> None:
    net, (position, line) = TappedNet(without(default_net(FOUR), 2, tmp_path / "cut.onnx"), FOUR), won(0)
    change = Changer(position, line).changes(2)[0]
    effects = patched_effects(net, position, change.position, line[0])
    for block in (3, 4):
        np.testing.assert_allclose(effects.choice[block], effects.choice[2], atol=1e-5)
        np.testing.assert_allclose(effects.value[block], effects.value[2], atol=1e-5)
    assert not np.allclose(effects.choice[1], effects.choice[2], atol=1e-3)


@pytest.mark.parametrize(
    ("blocks", "depth", "first"), [(1, 2, (0, -1, -1, -1)), (2, 3, (0, 0, -1, -1)), (4, 5, (0,) * 4)]
)
def test_a_planted_net_reads_as_far_as_its_blocks_reach(
    blocks: int, depth: int, first: tuple[int, ...], tmp_path: Path
) -> None:
    net = TappedNet(planted(tmp_path / "planted.onnx", blocks), ROW, recipe=recipe())
    position = ROW.position(STONES)
    reading = read_line(net, position, actions(position, " ".join(LINE)), rivals=0)
    assert [block.radius for block in net.blocks] == [2 * (blocks - k) for k in range(blocks + 1)]
    assert all({change.kind for change in ply.changes} == {IMPOSSIBLE} for ply in reading.plies)
    assert tuple(ply.block for ply in reading.plies) == first
    assert reading.depth == depth
    for ply in reading.plies:
        reach = distances((reading.cells[0],), ROW.shape)
        for k, sizes in enumerate(ply.choice):
            assert not sizes[reach > 2 * (blocks - k)].any()
    wanted = f"it reads {depth} plies here; ply {depth + 1} it does not"
    assert reading.sentence == (
        wanted if depth < 5 else "its choice depends on every ply that could be examined, up to ply 5"
    )


def test_a_line_that_is_seen_with_gaps_is_described_by_its_plies(tmp_path: Path) -> None:
    net = TappedNet(planted(tmp_path / "planted.onnx", 2), ROW, recipe=recipe())
    position = ROW.position(STONES)
    reading = read_line(net, position, actions(position, " ".join(LINE)), rivals=0)
    plies = [ply._replace(block=block) for ply, block in zip(reading.plies, (-1, 0, -1, 1), strict=True)]
    assert reading._replace(plies=tuple(plies)).sentence == (
        "its choice depends on plies 3, 5 of this line, and on 2, 4 no more than by chance"
    )


def test_the_changed_positions_are_legal_and_take_the_ply_or_its_reason() -> None:
    kinds = set()
    for number in range(len(WON)):
        position, line = won(number)
        changer = Changer(position, line)
        for ply in range(1, len(line)):
            before = changer.cells[:ply]
            for change in changer.changes(ply):
                kinds.add(change.kind)
                other = after(FOUR, change.position.moves)
                assert other == change.position
                assert other.to_move == position.to_move
                assert set(change.cells) == set(np.flatnonzero(other.cells() != position.cells()).tolist())
                cells = cells_of(other, line)
                assert cells[:ply] == before
                assert (cells[ply : ply + 1] == (changer.cells[ply],)) == (change.kind == POINTLESS)
                assert not changer.untouched(change)[list(change.cells)].any()
    assert POINTLESS in kinds


@pytest.mark.parametrize(("text", "plies"), [("connect4", 14), ("gomoku(size=9)", 10), ("tictactoe", 5)])
def test_exchanged_stones_are_a_legal_game_of_the_same_length(text: str, plies: int) -> None:
    game, rng = load_game(text), np.random.default_rng(3)
    found = 0
    for _ in range(6):
        position = random_opening(game, plies, rng)
        for other in exchanges(position):
            found += 1
            replayed = game.initial()
            for action in other.moves:
                replayed = replayed.play(action)
            assert replayed == other
            assert (other.to_move, other.ply, other.is_over) == (position.to_move, position.ply, False)
            changed = np.flatnonzero(other.cells().ravel() != position.cells().ravel())
            before, after = position.cells().ravel()[changed], other.cells().ravel()[changed]
            assert sorted(before.tolist()) == [1, 2]
            np.testing.assert_array_equal(after, 3 - before)
        assert [other.moves for other in exchanges(position)] == [other.moves for other in exchanges(position)]
    assert found > 30


def test_stones_that_were_set_up_stay_where_they_are() -> None:
    position = FOUR.position("d d c c e")
    start = FOUR.set_up(position.cells(), None, -1)
    assert list(exchanges(start)) == []
    assert len(list(exchanges(start.play(5).play(6).play(5).play(6).play(0)))) > 0


def test_a_square_whose_lines_are_as_before_cannot_matter() -> None:
    position, line = won(0)
    changer = Changer(position, line)
    change = changer.changes(2)[0]
    untouched = changer.untouched(change)
    old, new = position.cells(), change.position.cells()
    for cell in np.flatnonzero(untouched).tolist():
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            for start in range(-3, 1):
                steps = [(cell // 7 + down * (start + i), cell % 7 + right * (start + i)) for i in range(4)]
                if all(0 <= r < 6 and 0 <= c < 7 for r, c in steps):
                    was, now = ([board[r, c] for r, c in steps] for board in (old, new))
                    dead = {1, 2} <= set(was) and {1, 2} <= set(now)
                    assert dead or [was.count(s) for s in (1, 2)] == [now.count(s) for s in (1, 2)]


def test_of_squares_that_cannot_matter_few_are_beyond_the_thresholds() -> None:
    quiet = np.abs(np.random.default_rng(0).normal(0, [[0.1], [0.5], [2.0]], (3, 2000))).astype(np.float32)
    beyond = (quiet > _thresholds(quiet)[:, None]).any(axis=0).mean()
    assert 0.5 * (1 - LEVEL) < beyond <= 1 - LEVEL


def test_a_net_in_random_order_is_coloured_by_chance_alone(tmp_path: Path) -> None:
    scrambled = TappedNet(scrambled_net(default_net(FOUR), tmp_path, 0), FOUR)
    position, line = won(0)
    words: list[str] = []
    reading = read_line(scrambled, position, line, rivals=2, heard=words.append)
    assert words == [f"{number} of 2 nets with weights in random order compared…" for number in (1, 2)]
    assert {ply.rivals for ply in reading.plies if ply.changes} == {2}
    assert reading.sampled == 0
    for ply in reading.plies:
        assert ply.chance > 0 or not ply.changes
        assert ply.block < 0 or ply.strength > max(1.0, ply.chance)
        cells = ply.choice.reshape(len(ply.choice), -1)[:, ply.cell]
        assert ply.strength == pytest.approx((cells / np.array(reading.thresholds)).max(), rel=1e-6)
    same = TappedNet(default_net(FOUR), FOUR)
    own = [ply.strength for ply in read_line(same, position, line, rivals=0).plies]
    rival = read_line(same, position, line, rivals=1)
    assert [ply.strength for ply in rival.plies] == own
    # The first rival of the shipped net is the net above: what it does by chance is what that net does.
    wanted = [ply.strength for ply in read_line(scrambled, position, line, rivals=0).plies]
    np.testing.assert_allclose([ply.chance for ply in rival.plies], wanted, rtol=1e-3, atol=1e-5)


def test_the_log_odds_of_a_move_are_those_of_the_softmax() -> None:
    logits = np.random.default_rng(1).normal(0, 3, (5, 7)).astype(np.float32)
    legal = [0, 2, 3, 6]
    shares = np.exp(logits[:, legal].astype(np.float64))
    share = shares[:, 1] / shares.sum(axis=1)
    np.testing.assert_allclose(log_odds(logits, 2, legal), np.log(share / (1 - share)), rtol=1e-6)
    assert not log_odds(logits, 2, [2]).any()


def test_the_line_of_the_net_alone_takes_its_most_probable_legal_moves() -> None:
    net, position = TappedNet(default_net(FOUR), FOUR), FOUR.position("d d d d d d")
    line = policy_line(net, position, 4)
    assert len(line) == 4
    for action in line:
        logits = net.run(inputs_of_all([position], net.encoding)).answer.logits[0]
        assert action == max(position.legal_actions(), key=lambda move: logits[move])
        position = position.play(action)


def test_a_game_whose_stones_cannot_be_changed_is_refused_in_a_sentence() -> None:
    game = load_game("othello(size=6)")
    net = TappedNet(default_net(game), game)
    position = game.initial()
    with pytest.raises(ValueError, match="no stone of Othello"):
        read_line(net, position, policy_line(net, position, 3))


def test_on_a_large_board_a_sample_of_squares_judges_and_the_maps_come_last() -> None:
    net = TappedNet(nets_dir() / "gomoku15-4x48.onnx", load_game("gomoku(size=15)"))
    game = net.game
    position = game.position("h8 i9 h9 h7 g8 i8 g7 i6 i7 g10 j8 f8")
    words: list[str] = []
    states: list[SeenLine] = []
    line = policy_line(net, position, 3)
    seen = read_line(net, position, line, rivals=2, heard=words.append, known=states.append)
    assert words[:2] == ["examining ply 2 of 3…", "examining ply 3 of 3…"]
    assert seen.sampled == SAMPLED
    examined = [ply for ply in seen.plies if ply.changes]
    assert len(states) == 1 + len(examined) > 1
    cells = game.num_cells
    for ply in states[0].plies:
        known = ~np.isnan(ply.choice.reshape(len(net.blocks), -1))
        assert known.all() if not ply.changes else known.sum(axis=1).tolist() == [SAMPLED + 1] * len(net.blocks)
        assert known[:, ply.cell].all()
    first, changer = line[0], Changer(position, line)
    for number, (before, ply) in enumerate(zip(states[0].plies, seen.plies, strict=True), 1):
        assert (before.block, before.strength, before.chance) == (ply.block, ply.strength, ply.chance)
        changes = changer.changes(number)[:SAMPLED_CHANGES]
        assert ply.changes == changes
        effects = [np.abs(patched_effects(net, position, change.position, first).choice) for change in changes]
        np.testing.assert_allclose(ply.choice, np.mean(effects, axis=0) if changes else 0.0, atol=1e-5)
        assert (ply.rivals > 0) == (ply.strength > 1.0)
        assert ply.rivals == 2 or ply.chance >= ply.strength or ply.strength <= 1.0  # until one shows as much
        assert ply.choice.size == len(net.blocks) * cells
    again = read_line(net, position, line, rivals=2, maps=False)
    assert [ply[5:] for ply in again.plies] == [ply[5:] for ply in seen.plies]  # the same squares are drawn
    assert again.thresholds == seen.thresholds
