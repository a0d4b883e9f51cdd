"""Neighbours at which a net goes wrong: against plain minimax, perfect and damaged nets, the command, fresh hunts."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from core.engine.evaluator import Evaluator
from core.files.reading import BadFile
from core.games import Position, load_game
from models.audit import positions
from models.audit.answers import Audited, Exact
from models.audit.neighbours import (
    NeighbourScore,
    Proofs,
    change_words,
    check_fresh,
    hunted_plies,
    neighbour_score,
    quiet_moves,
    with_neighbours,
    wrong_neighbours,
)
from models.audit.page import report_page
from models.audit.positions import Gathered, Item, games_of
from models.audit.results import Audit, AuditWriter, NetFile, Plan, begin, read_audit
from models.audit.searching import audit_positions
from models.audit.summary import summary_lines
from models.audit.table import audit_csv, mistake_openings
from models.commands import program
from models.netfiles.shipped import default_net
from models.strength.exams import after
from models.strength.rating import wilson_interval
from tests.core import exact
from tests.core.search.fakes import HashEvaluator

TTT = load_game("tictactoe")
C4 = load_game("connect4")


class Perfect(Evaluator):
    """Prefers the moves of tic-tac-toe that keep the exact value."""

    description = "perfect"

    def evaluate(self, planes, features=None):
        logits, values = np.zeros((len(planes), 9), np.float32), np.zeros(len(planes), np.float32)
        for place, (mine, theirs) in enumerate(planes[:, :2].reshape(-1, 2, 9) > 0):
            stones = [np.flatnonzero(side).tolist() for side in (mine, theirs)]
            if len(stones[0]) == len(stones[1]):
                first, second = stones
            else:
                second, first = stones
            position = placed(first, second)
            values[place] = exact.value(position)
            for action in position.legal_actions():
                logits[place, action] = 9.0 * exact.keeps_value(position, action)
        return logits, values


def placed(first: list[int], second: list[int]) -> Position:
    """The position with these stones, set in an order that ends no game."""
    position = TTT.initial()
    for ply in range(len(first) + len(second)):
        position = position.play(int((first, second)[ply & 1][ply // 2]))
    return position


def hunted(game, evaluators, plies, number=60, seed=0, simulations=16) -> Audit:
    """An audit of random positions and their neighbours."""
    drawn = positions.random_items(game, 6 * number, plies, seed)
    items = with_neighbours(game, drawn, evaluators, number).items
    plan = Plan(game.text, tuple(NetFile(f"/{i}.onnx", "aa") for i in range(len(evaluators))), simulations, 5.0, "x")
    found = audit_positions(game, evaluators, list(enumerate(items)), simulations, 5.0)
    return Audit(plan, game, items, tuple(sorted(found, key=lambda one: one.number)))


@pytest.fixture(scope="module")
def hunt() -> Audit:
    return hunted(TTT, [HashEvaluator(9, 2.0)], (1, 5))


def wins(position: Position) -> set[int]:
    return {
        a for a in position.legal_actions() if (then := position.play(a)).is_over and then.returns[position.to_move] > 0
    }


def stops(position: Position, action: int) -> bool:
    """Whether a move fills the last cell of a line of two stones of the opponent."""
    cells, other = position.cells().reshape(-1).tolist(), 2 - position.to_move
    lines = [*np.arange(9).reshape(3, 3), *np.arange(9).reshape(3, 3).T, (0, 4, 8), (2, 4, 6)]
    return any(action in line and sum(cells[c] == other for c in line) == 2 for line in lines)


def test_a_quiet_move_neither_wins_nor_stops_a_win() -> None:
    for item in positions.random_items(TTT, 300, (0, 7), 1).items:
        position = after(TTT, item.moves)
        wanted = [a for a in position.legal_actions() if not position.play(a).is_over and not stops(position, a)]
        if len(position.legal_actions()) > 2:  # of two moves the one that does not stop may be the only other
            assert quiet_moves(position) == wanted, item
    falling = C4.position("a g a g a f")  # d is not stopped by a stone that fills the cell below a win
    assert quiet_moves(falling) == [1, 2, 3, 4, 5, 6]
    assert 0 not in quiet_moves(C4.position("a g a g a"))
    assert quiet_moves(TTT.position("a1 b1 c1 b2 b3 a2 c2 a3")) == []


def test_every_neighbour_has_the_value_of_its_position(hunt: Audit) -> None:
    assert sum(item.base is not None for item in hunt.items) == sum(item.base is None for item in hunt.items) > 20
    for item in hunt.items:
        if item.base is None:
            continue
        base = hunt.items[item.base].moves
        assert item.moves[:-2] == base
        before, quiet, there = (after(TTT, moves) for moves in (base, item.moves[:-1], item.moves))
        assert exact.value(before) == -exact.value(quiet) == exact.value(there)
        for position, action in ((before, item.moves[-2]), (quiet, item.moves[-1])):
            assert action not in wins(position)
        assert any(not exact.keeps_value(there, a) for a in there.legal_actions())


def test_the_neighbour_kept_is_the_one_that_the_net_gets_most_wrong(hunt: Audit) -> None:
    net, proofs = HashEvaluator(9, 2.0), Proofs(TTT, 60.0)
    for item in hunt.items[1::2]:
        base = hunt.items[item.base].moves
        found = list(proofs.neighbours(base, proofs.answer(base)))
        losses = {}
        for neighbour in found:
            position = after(TTT, neighbour.moves)
            legal = list(position.legal_actions())
            logits = net.evaluate(position.planes()[None])[0][0, legal]
            first = legal[int(logits.argmax())]
            losses[neighbour.moves] = exact.value(position) + exact.value(position.play(first))
        assert losses[item.moves] == max(losses.values())


def test_a_perfect_net_gets_no_neighbour_wrong() -> None:
    audit = hunted(TTT, [Perfect()], (1, 5))
    for searched in (False, True):
        score = neighbour_score(audit, 0, searched)
        assert (score.right, score.failed) == (sum(item.base is None for item in audit.items), 0)
        assert score.low == 0.0 < score.high < 0.2
        assert wrong_neighbours(audit, 0, searched) == set()


class Blind(Perfect):
    """A perfect net that likes the losing moves of the positions where its side has the centre and more."""

    description = "blind"

    def evaluate(self, planes, features=None):
        logits, values = super().evaluate(planes)
        family = (planes[:, 0, 1, 1] > 0) & (planes[:, 0].sum((1, 2)) > 1)
        logits[family] *= -1.0
        return logits, values


def test_a_net_damaged_on_a_family_of_positions_is_found_out() -> None:
    audit = hunted(TTT, [Perfect(), Blind()], (1, 5))
    assert neighbour_score(audit, 0).failed == 0
    score = neighbour_score(audit, 1)
    assert score.failed > 3
    assert score.low > 0.0
    for number in wrong_neighbours(audit, 1, False):
        assert after(TTT, audit.items[number].moves).planes()[0, 1, 1]


def test_the_score_counts_positions_played_right(hunt: Audit) -> None:
    done = {one.number: one for one in hunt.done}
    for searched in (False, True):
        right = failed = 0
        for number, item in enumerate(hunt.items):
            if item.base is not None:
                base, there = (done[n].search_wrong() if searched else done[n].net_wrong() for n in (item.base, number))
                right += not base
                failed += there and not base
        score = neighbour_score(hunt, 0, searched)
        assert (score.right, score.failed) == (right, failed)
        assert len(wrong_neighbours(hunt, 0, searched)) == failed
        assert (score.low, score.high) == pytest.approx(wilson_interval(failed / right, right), abs=0.02)
    assert "of 1000" in neighbour_score(hunt).words
    assert any("neighbours the net gets wrong" in line for line in summary_lines(hunt))
    page = report_page(hunt)
    assert "two quiet moves from position 1<" in page
    assert '<option value="h">neighbours it gets wrong</option>' in page
    listed = {int(number) for number in re.findall(r'<tr data-number="(\d+)"[^>]* data-kind="\w*h\w*"', page)}
    nets = range(len(hunt.plan.nets))
    assert listed == set().union(*(wrong_neighbours(hunt, net, deep) for net in nets for deep in (False, True)))
    assert len(audit_csv(hunt).splitlines()) == len(hunt.items) + 1
    assert {hunt.items[n].moves for n in wrong_neighbours(hunt, 0, False)} <= set(mistake_openings(hunt))


def test_positions_of_one_game_are_one_draw(hunt: Audit) -> None:
    """Many positions of few games: the interval is as wide as that of the games."""
    (first, second), pairs = hunt.items[:2], 40
    items, done = [], []
    wrong, right = Exact(1, {0: -1, 1: 1}), Exact(1, {0: 1, 1: -1})
    answer = next(one.nets[0] for one in hunt.done)
    answer = type(answer)((0, 1), (0.9, 0.1), (8, 8), (0.0, 0.0), (0.5, 0.5), 0.0, 0.0, 0, False)
    for pair in range(pairs):
        game = pair % 4  # each game all wrong or all right
        items += [Item(first.moves, None, f"game {game}"), Item(second.moves, None, f"game {game}", 2 * pair)]
        done.append(Audited(2 * pair, items[-2], (answer,), right))
        done.append(Audited(2 * pair + 1, items[-1], (answer,), wrong if game < 2 else right))
    score = neighbour_score(Audit(hunt.plan, TTT, tuple(items), tuple(done)))
    assert (score.right, score.failed) == (pairs, pairs // 2)
    assert score.high - score.low > 0.5
    assert len(set(games_of(items))) == 4


def test_a_seed_gives_the_same_hunt_and_the_file_keeps_it(hunt: Audit, tmp_path: Path) -> None:
    again = hunted(TTT, [HashEvaluator(9, 2.0)], (1, 5))
    assert again.items == hunt.items
    assert hunted(TTT, [HashEvaluator(9, 2.0)], (1, 5), seed=1).items != hunt.items
    path = tmp_path / "a.audit"
    begin(path, hunt.plan, hunt.items)
    with AuditWriter(path) as writer:
        for one in hunt.done:
            writer.add(one)
    kept = read_audit(path)
    assert kept.items == hunt.items
    assert neighbour_score(kept) == neighbour_score(hunt)
    data = path.read_bytes()
    for old, new in ((b'"base":0', b'"base":1'), (b'"base":0', b'"base":700'), (b'"base":0', b'"base":"x"')):
        assert old in data
        path.write_bytes(data.replace(old, new, 1))
        with pytest.raises(BadFile):
            read_audit(path)


def test_positions_without_neighbours_are_left_out_and_counted() -> None:
    drawn = positions.random_items(TTT, 200, (1, 8), 2)
    found = with_neighbours(TTT, drawn, [HashEvaluator(9, 2.0)], 200)
    bases = [item for item in found.items if item.base is None]
    left_out = sum(int(note.split()[0]) for note in found.notes[len(drawn.notes) :])
    assert len(bases) + left_out == 200
    assert any("nothing that can be lost" in note for note in found.notes)
    stopped = with_neighbours(TTT, drawn, [HashEvaluator(9, 2.0)], 200, should_stop=lambda: True)
    assert stopped == Gathered((), drawn.notes)


def test_the_usual_plies_are_solved_in_an_instant() -> None:
    assert hunted_plies(C4) == (18, 28)
    assert hunted_plies(load_game("othello")) == (48, 56)
    assert hunted_plies(TTT) == (1, 3)
    assert hunted_plies(load_game("nim(heaps=3-4-5)")) is None


def test_a_change_has_the_interval_of_a_difference() -> None:
    before, now = (
        NeighbourScore(400, 80, *wilson_interval(0.2, 400)),
        NeighbourScore(400, 40, *wilson_interval(0.1, 400)),
    )
    assert change_words(now, before) == "-100 of 1000 (-149 to -51)"
    assert change_words(now, NeighbourScore(0, 0, 0.0, 1.0)) == "-"


def test_a_hunt_with_the_same_seed_is_not_fresh(hunt: Audit) -> None:
    with pytest.raises(ValueError, match="another seed"):
        check_fresh(hunt, hunt)
    bases = [item for item in hunt.items if item.base is None]
    old = Audit(hunt.plan, TTT, tuple(item for item in hunt.items[:2]), ())
    if len(bases) > 10:
        check_fresh(hunt, old)
    with pytest.raises(ValueError, match="no neighbours"):
        check_fresh(hunt, Audit(hunt.plan, TTT, tuple(bases), ()))


def test_the_command_hunts_compares_and_writes_openings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = str(default_net(C4))
    command = ["audit", "connect4", net, "--neighbours", "--plies", "24-30", "--simulations", "8"]
    assert program.main([*command, "--random", "8", "--out", str(tmp_path / "a.html")]) == 0
    assert "neighbours the search gets wrong" in capsys.readouterr().out
    again = [*command, "--random", "8", "--before", str(tmp_path / "a.audit"), "--out", str(tmp_path / "b.html")]
    assert program.main(again) == 2
    assert "another seed" in capsys.readouterr().err
    assert program.main([*again, "--seed", "5"]) == 0
    assert "before, " in capsys.readouterr().out
    openings = tmp_path / "openings.txt"
    assert program.main([*again, "--seed", "6", "--json", "--openings", str(openings)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["nets"][0]["neighbours"]["net"]["right"] >= said["nets"][0]["neighbours"]["net"]["failed"]
    assert said["before"][0]["neighbours"]["search"]["interval"][0] >= 0.0
    assert openings.exists()
    assert program.main(["audit", "connect4", net, "--random", "8", "--before", "x", "--out", "y.html"]) == 2
    assert "add --neighbours" in capsys.readouterr().err
