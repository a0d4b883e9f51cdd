"""The ladder: who plays whom, bouts from both sides, what a killed run leaves, and which net is best."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from core.engine.evaluator import UniformEvaluator
from core.games import load_game
from models.netfiles.shipped import nets_dir
from models.play.openings import draw_openings, opening_plies
from models.strength.ladder import Ladder, net_player, passes_gate
from models.strength.rating import Record

GAME = load_game("tictactoe")
STEPS = (100, 200, 300)
NETS = tuple(net_player(step) for step in STEPS)


def make_ladder(folder: Path, simulations: int = 8) -> Ladder:
    """A run with three nets, all of them uniform evaluators."""
    (folder / "nets").mkdir(exist_ok=True)
    for net in NETS:
        (folder / "nets" / f"{net}.onnx").touch()
    return Ladder(folder, GAME, simulations, seed=1, load=lambda path: UniformEvaluator(9))


def write(ladder: Ladder, *records: Record, simulations: int = 8) -> None:
    with ladder.path.open("a", encoding="utf-8") as file:
        for record in records:
            line = {"players": record[:2], "wins": record.wins, "draws": record.draws, "losses": record.losses}
            file.write(json.dumps({**line, "simulations": simulations, "step": 0, "time": 0.0}) + "\n")


def test_players_are_those_of_the_game_and_the_kept_nets(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    (tmp_path / "nets" / "step-x.onnx").touch()
    (tmp_path / "nets" / "other.onnx").touch()
    assert ladder.nets() == NETS == ("step-00000100", "step-00000200", "step-00000300")
    assert ladder.fixed()[0] == "random"
    assert ladder.players() == (*ladder.fixed(), *NETS)
    large = Ladder(tmp_path, load_game("connect4"), 8)
    assert set(ladder.fixed()) & set(large.fixed()) == {"random"}


@pytest.mark.parametrize("pair", [("random", "rollouts:80"), (NETS[0], "random"), ("rollouts:20", NETS[1])])
def test_a_bout_is_written_and_read(tmp_path: Path, pair: tuple[str, str]) -> None:
    ladder = make_ladder(tmp_path)
    result = ladder.bout(pair, 6, step=300)
    assert (result.record.a, result.record.b) == pair
    assert result.record.games == 6
    assert 6 * 5 <= result.plies <= 6 * 9
    assert ladder.records() == [result.record]
    line = json.loads(ladder.path.read_text(encoding="utf-8"))
    assert line["players"] == list(pair)
    assert line["step"] == 300
    assert line["time"] > 0
    assert set(result.report) == {"step", "players", "wins", "draws", "losses"}


def test_a_bout_is_from_the_first_players_view(tmp_path: Path) -> None:
    """Rollouts beat the random mover, whichever of the two is named first."""
    ladder = make_ladder(tmp_path)
    strong = [ladder.bout(("rollouts:80", "random"), 20), ladder.bout(("random", "rollouts:80"), 20)]
    assert strong[1] is not None
    assert strong[0].record.score > 0.7
    assert strong[1].record.score < 0.3
    assert [record.games for record in ladder.records()] == [20, 20]
    assert ladder.ratings()["rollouts:80"].low > 0


def test_real_nets_play(tmp_path: Path) -> None:
    (tmp_path / "nets").mkdir()
    shutil.copy(nets_dir() / "tictactoe-2x32.onnx", tmp_path / "nets" / "step-00000007.onnx")
    result = Ladder(tmp_path, GAME, 16).bout((net_player(7), "random"), 20)
    assert result.record.score > 0.7


def test_a_stopped_bout_leaves_nothing(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 5

    assert ladder.bout((NETS[0], "rollouts:20"), 6, should_stop=stop) is None
    assert not ladder.path.exists()
    assert len(asked) == 6


def test_the_same_seed_plays_the_same_bouts_and_no_bout_twice(tmp_path: Path) -> None:
    results = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        ladder = make_ladder(tmp_path / name)
        results.append([ladder.bout(("rollouts:5", "random"), 20) for _ in range(2)])
    figures = [[(bout.record, bout.plies) for bout in bouts if bout] for bouts in results]
    assert figures[0] == figures[1]
    assert figures[0][0] != figures[0][1]


@pytest.mark.parametrize("torn", ['{"players": ["rand', '{"players": ["random", "rollouts:5"], "wins": 3}', "\x00\x00"])
def test_an_incomplete_last_line_is_skipped_and_terminated(tmp_path: Path, torn: str) -> None:
    ladder = make_ladder(tmp_path)
    write(ladder, Record("random", "rollouts:5", 1, 2, 3))
    with ladder.path.open("a", encoding="utf-8") as file:
        file.write(torn)
    assert ladder.records() == [Record("random", "rollouts:5", 1, 2, 3)]
    assert ladder.bout(("random", "rollouts:20"), 2) is not None
    assert [record.games for record in ladder.records()] == [6, 2]
    assert ladder.path.read_text(encoding="utf-8").count("\n") == 3


def test_bouts_of_nets_that_searched_otherwise_do_not_count(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    write(ladder, Record(NETS[0], "random", 5, 0, 0), Record("rollouts:5", "random", 4, 0, 0), simulations=400)
    assert ladder.records() == [Record("rollouts:5", "random", 4, 0, 0)]


def test_the_newest_net_first_plays_opponents_of_similar_strength(tmp_path: Path) -> None:
    """Its first opponent is no player whose defeat is certain, and nobody whom it has met often."""
    ladder = make_ladder(tmp_path)
    write(
        ladder,
        Record("rollouts:5", "random", 60, 10, 10),
        Record("rollouts:20", "rollouts:5", 60, 10, 10),
        Record("rollouts:80", "rollouts:20", 60, 10, 10),
        Record(NETS[0], "rollouts:80", 40, 10, 30),
        Record(NETS[1], NETS[0], 60, 0, 20),
        Record(NETS[1], "rollouts:80", 60, 10, 10),
    )
    a, b = ladder.next_pair()
    assert a == NETS[2]
    assert b in (*NETS[:2], "rollouts:80")
    write(ladder, Record(NETS[2], b, 200, 200, 200))
    assert ladder.next_pair() != (a, b)
    assert ladder.next_pair(newest=NETS[0])[0] != NETS[2]


def test_choosing_and_playing_narrows_the_newest_nets_interval(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    before = ladder.ratings()[NETS[-1]]
    for _ in range(6):
        assert ladder.bout(ladder.next_pair(games=4), 4) is not None
    after = ladder.ratings()[NETS[-1]]
    assert after.high - after.low < (before.high - before.low) / 3
    played = {name for record in ladder.records() for name in record[:2]}
    assert NETS[-1] in played
    assert len(played) > 2


def test_best_is_not_the_lucky_one(tmp_path: Path) -> None:
    ladder = make_ladder(tmp_path)
    assert ladder.best() == NETS[-1]
    write(
        ladder,
        Record(NETS[0], "rollouts:80", 50, 0, 50),
        Record(NETS[1], "rollouts:80", 70, 0, 30),
        Record(NETS[1], NETS[0], 70, 0, 30),
    )
    assert ladder.best() == NETS[1]
    write(ladder, Record(NETS[2], "rollouts:80", 2, 0, 0))
    ratings = ladder.ratings()
    assert ratings[NETS[2]].elo > ratings[NETS[1]].elo
    assert ladder.best(ratings) == NETS[1]
    write(ladder, Record(NETS[2], NETS[1], 60, 0, 20))
    assert ladder.best() == NETS[2]


def test_best_of_no_nets_is_none(tmp_path: Path) -> None:
    assert Ladder(tmp_path, GAME, 8).best() is None
    assert Ladder(tmp_path, GAME, 8).next_pair()[0] != Ladder(tmp_path, GAME, 8).next_pair()[1]


def test_the_gate_needs_the_given_score() -> None:
    assert passes_gate(Record("new", "best", 10, 2, 8), 0.55)
    assert not passes_gate(Record("new", "best", 10, 1, 9), 0.55)
    assert not passes_gate(Record("new", "best", 0, 0, 0), 0.55)
    assert passes_gate(Record("new", "best", 0, 0, 0), 0.0)


@pytest.mark.parametrize(
    ("pair", "games", "expected"),
    [
        (("random", "rollouts:5"), 3, "games is 3; it must be an even number from 2"),
        (("random", "random"), 2, "'random' cannot play against itself"),
        (("random", "step-00000999"), 2, "no player 'step-00000999' on this ladder; its players are random, roll"),
        (("random", "../../net"), 2, "no player"),
        (("random", "rollouts:1"), 2, "'rollouts:1' has too few rollouts; it must have at least 2"),
    ],
)
def test_bad_bouts_are_refused(tmp_path: Path, pair: tuple[str, str], games: int, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        make_ladder(tmp_path).bout(pair, games)


def test_too_few_simulations_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="simulations is 1; it must be a whole number from 2"):
        Ladder(tmp_path, GAME, 1)


def test_openings_differ_while_there_are_enough() -> None:
    assert [opening_plies(load_game(text)) for text in ("tictactoe", "connect4", "gomoku")] == [2, 4, 2]
    openings = draw_openings(GAME, 40, np.random.default_rng(0))
    assert len(set(openings)) == 40
    assert all(opening.ply == 2 for opening in openings)
    assert len(draw_openings(load_game("nim(heaps=5, max_take=2)"), 12, np.random.default_rng(0))) == 12


def test_a_growing_ladder_finds_known_strengths(tmp_path: Path) -> None:
    """Results drawn by Elo's curve instead of played: the chosen pairs keep every rating tied to the anchor."""
    ladder = make_ladder(tmp_path)
    true = {"random": 0.0, "rollouts:5": 150.0, "rollouts:20": 350.0, "rollouts:80": 600.0}
    true |= {net: 200.0 + 250.0 * number for number, net in enumerate(NETS)}
    rng = np.random.default_rng(6)
    for net in NETS:
        for _ in range(16):
            a, b = ladder.next_pair(newest=net)
            chance = 1 / (1 + 10 ** ((true[b] - true[a]) / 400))
            wins = int(rng.binomial(8, chance))
            write(ladder, Record(a, b, wins, 0, 8 - wins))
    ratings = ladder.ratings()
    inside = [ratings[name].low <= elo <= ratings[name].high for name, elo in true.items()]
    assert sum(inside) >= len(true) - 1
    assert all(ratings[net].high - ratings[net].low < 500 for net in NETS)
    assert ladder.best() == NETS[-1]
