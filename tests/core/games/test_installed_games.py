"""Games of installed packages: the example of Hex is found, plays by the rules, is searched, shown to nets and written;
a package that cannot be used is named and harms nothing."""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core._kernel_files import sources_of
from core.files.record import GameRecord
from core.files.sgf import read_sgf, write_sgf
from core.games import GAMES, BadGame, Position, dispatch, load_game
from core.rng import make_rng
from tests.core.search.fakes import run_search
from tests.installed import HEX, hex_installed, look_again, write_dist_info

SIZES = ("hex(size=3)", "hex(size=4, swap=yes)", "hex(size=6)")


@pytest.fixture(autouse=True, scope="module")
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with hex_installed(tmp_path_factory.mktemp("packages")):
        yield


def connects(cells: np.ndarray, player: int) -> bool:
    """Whether a player's edges are connected, by the rules of Hex in slow Python."""
    own = {tuple(map(int, place)) for place in np.argwhere((cells if player == 0 else cells.T) == player + 1)}
    reached = {place for place in own if place[0] == 0}
    while True:
        more = {
            (row + down, col + right)
            for row, col in reached
            for down, right in ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
        } & own
        if more <= reached:
            return any(row == len(cells) - 1 for row, _ in reached)
        reached |= more


def random_game(text: str, seed: int) -> list[Position]:
    rng = random.Random(seed)
    positions = [load_game(text).initial()]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(rng.choice(positions[-1].legal_actions())))
    return positions


def test_the_package_adds_its_game_to_the_table() -> None:
    assert [*GAMES][-1] == "hex"
    assert len(GAMES) == len([*GAMES])
    assert load_game(" HEX (size=11)") == load_game("hex")
    assert load_game("hex").shape == (11, 11)
    with pytest.raises(BadGame, match="size is '2'; it must be a whole number from 3 to 19"):
        load_game("hex(size=2)")


@pytest.mark.parametrize("text", SIZES)
def test_games_end_when_a_player_has_connected(text: str) -> None:
    for seed in range(8):
        for position in random_game(text, seed):
            cells = position.cells()
            won = [connects(cells, player) for player in (0, 1)]
            assert position.returns == (won[0] - won[1], won[1] - won[0])
            assert position.is_over == any(won)
            chain = np.zeros_like(cells)
            chain.flat[list(position.winning_cells)] = cells.flat[list(position.winning_cells)]
            assert [connects(chain, player) for player in (0, 1)] == won
            empty = np.flatnonzero(cells.ravel() == 0).tolist()
            swap = [cells.size] if "swap" in text and position.ply == 1 else []
            assert position.legal_actions() == (() if any(won) else (*empty, *swap))
            assert position.game.parse_diagram(position.diagram()) == position


def test_a_swap_mirrors_the_stone_and_changes_its_colour() -> None:
    game = load_game("hex(size=4, swap=yes)")
    position = game.position("d2 swap")
    assert position.cells()[3, 1] == 2
    assert np.count_nonzero(position.cells()) == 1
    assert position.to_move == 0
    assert game.num_actions not in position.legal_actions()
    with pytest.raises(ValueError, match="a swap answers the first stone alone"):
        position.play(game.parse_action("swap"))


@pytest.mark.parametrize("text", SIZES)
def test_random_games_can_be_replayed_move_by_move(text: str) -> None:
    for seed in range(6):
        position = random_game(text, seed)[seed % 3]
        state, rng, same = position.state, make_rng(seed), make_rng(seed)
        result = dispatch.rollout(state, rng)
        moves = position.game.board.redraw(position, same)
        assert moves is not None
        for action in moves:
            position = position.play(action)
        assert position.result == result
        assert (rng == same).all()
        assert (position.game.board.cells(state) == position.cells()).all()


def test_tactical_random_games_win_and_block_at_once() -> None:
    game = load_game("hex(size=4)")
    wins = game.position("b1 d1 b2 d2 b3 c4")  # b4 or a4 connects
    blocks = game.position("b1 d1 b2 d2 b3")  # the second player cannot stop both
    for seed in range(10):
        assert dispatch.tactical_rollout(wins.state, make_rng(seed), game.new_spare()) == dispatch.FIRST_WINS
        assert dispatch.tactical_rollout(blocks.state, make_rng(seed), game.new_spare()) == dispatch.FIRST_WINS


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        ("X . .\nX . .\nX O .\nX to move", "with 3 X and 1 O"),
        ("X . .\nX O O\nX O .\nX to move", "it says X to move|X is to move and has connected already"),
    ],
)
def test_impossible_boards_are_refused(rows: str, error: str) -> None:
    with pytest.raises(ValueError, match=error.replace("with 3 X and 1 O", "it has 3 X and 1 O")):
        load_game("hex(size=3)").parse_diagram(rows)


@pytest.mark.slow
def test_a_search_with_random_games_finds_the_win() -> None:
    position = load_game("hex(size=3)").position("b2 a1")
    search = run_search(position, None, 600, seed=1, selection="ucb1")
    won = position.play(search.best_action())
    for reply in won.legal_actions():  # whatever the answer, the next stone connects
        after = won.play(reply)
        assert any(after.play(action).is_over for action in after.legal_actions())


def test_nets_are_shown_the_board_for_the_side_to_move_and_its_half_turn() -> None:
    game = load_game("hex(size=4, swap=yes)")
    position = game.position("d2 a3 b1")
    planes = position.planes()
    assert (planes[0] == (position.cells() == 2)).all()
    assert (planes[1] == (position.cells() == 1)).all()
    assert planes[2].ravel().tolist().index(1.0) == position.last_action
    assert not planes[3].any()
    turned = game.initial()
    for action in position.moves:
        turned = turned.play(int(game.symmetries[1][action]))
    assert (game.transform_planes(planes, 1) == turned.planes()).all()


@pytest.mark.parametrize("moves", ["a1 b2 c3 b3", "a2 swap c3"])
def test_a_game_is_written_as_sgf_and_read_back(moves: str) -> None:
    record = GameRecord.of(load_game("hex(size=5, swap=yes)").position(moves))
    written = write_sgf([record])
    assert b"GM[11]" in written
    read = read_sgf(written)
    assert read.errors == ()
    assert read.records[0].main_line() == record.main_line()
    assert read.records[0].outcome() == record.outcome()


def test_sgf_of_other_programs_is_read() -> None:
    [record] = read_sgf("(;GM[11]SZ[5];B[cc];W[ab];B[d2])").records  # HexGui writes names
    assert record.position(record.main_line()[-1]) == load_game("hex(size=5)").position("c3 a2 d2")
    [error] = read_sgf("(;GM[11]SZ[5:6];B[cc])").errors
    assert "its board is 6×5 and one of Hex is square" in error


def test_an_edit_of_any_module_of_the_package_compiles_its_kernels_anew() -> None:
    load_game("hex")
    found = sources_of("plyscope_hex.board")
    assert HEX / "plyscope_hex" / "kernels.py" in found  # imported as .kernels
    assert {"cells.py", "redraw.py"} <= {path.name for path in found}


BROKEN = """
from core.games.nim import NIM
from core.games.spec import Look
OTHER = NIM._replace(name="mine", look=Look("cubes", ("A", "B")))
TWICE = NIM
NOTHING = 3
"""


@pytest.mark.parametrize(
    ("point", "value", "reason"),
    [
        ("mine", "broken_games:OTHER", "its look is 'cubes'; a look is one of marks, stones"),
        ("mine", "broken_games:NOTHING", "broken_games:NOTHING is no GameFamily"),
        ("mine", "broken_games:MISSING", "AttributeError: .*MISSING"),
        ("mine", "not_there:MINE", "ModuleNotFoundError: .*not_there"),
        ("mine", "broken_games:TWICE", "its family is named 'nim' and its entry point 'mine'"),
    ],
)
def test_a_package_that_cannot_be_used_is_named_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str, value: str, reason: str
) -> None:
    (tmp_path / "broken_games.py").write_text(BROKEN)
    write_dist_info(tmp_path, "broken", {point: value})
    monkeypatch.syspath_prepend(str(tmp_path))
    look_again(monkeypatch)
    with pytest.raises(BadGame, match=f"cannot load the game 'mine': this installed game cannot be used: {reason}"):
        load_game("mine")
    assert "mine" not in GAMES
    assert "hex" in GAMES


def test_an_installed_game_cannot_replace_one_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "another_nim.py").write_text("from core.games.nim import NIM\nMINE = NIM._replace(title='Mine')\n")
    write_dist_info(tmp_path, "another", {"nim": "another_nim:MINE"})
    monkeypatch.syspath_prepend(str(tmp_path))
    look_again(monkeypatch)
    assert [*GAMES][-3:] == ["nim", "openspiel", "hex"]
    assert GAMES["nim"].title == "Nim"
    assert "there is a game nim already" in caplog.text
