"""``python -m measure.inside``: whether what the room Inside says of a net is more than chance.

``deletion``: in random positions the stones that a net's first move is said to need are changed, the most needed first,
one of either player at a time, by legal moves; P of the move must fall faster than when stones are changed in random
order.  ``replies``: of the plies of winning lines, how many a net is said to see, and how many the same net with its
weights in random order.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec, Position, load_game
from core.solve import Solver, refusal
from core.solve.threats_win import find_win
from models.inside.counterfactuals import EXCHANGED, REMOVED, StoneChanger
from models.inside.knowledge import scrambled_net
from models.inside.probes import Score, Scorer, score_of
from models.inside.reply import LONGEST, read_line
from models.inside.stones import Stones, answers_of, stones_of
from models.inside.views import legal_of
from models.netfiles.agreement import chances
from models.netfiles.shipped import default_net
from models.netfiles.tapped import TappedNet
from models.play.openings import random_opening

CHANGED: Final = 3  # stones of either player that are changed at most
PLIES: Final = (14, 24)  # of the random positions
FIRST_SEED: Final = 1000  # of nets in random order; those that a reading compares have the seeds from 0
SECONDS: Final = 5.0  # for one exact answer


class Pair(NamedTuple):
    """P of a net's first move as its stones are changed, the mean over one to ``CHANGED`` of either player."""

    needed: float
    """The most needed first."""
    at_random: float
    """The same numbers of stones, in random order."""


def random_positions(game: GameSpec, seed: int) -> Iterator[Position]:
    """Endless random positions after some 14 to 24 moves, as far as the board has room."""
    rng = np.random.default_rng(seed)
    most = max(2, game.num_cells * 2 // 3)
    while True:
        yield random_opening(game, min(int(rng.integers(PLIES[0], PLIES[1] + 1)), most), rng)


def deletion(net: TappedNet, number: int, seed: int) -> Iterator[Pair]:
    """The pairs of ``number`` random positions in which both orders allow a legal change."""
    rng = np.random.default_rng(seed)
    answers = answers_of(net)
    for position in random_positions(net.game, seed):
        if number == 0:
            return
        stones = stones_of(position, answers)
        assert stones is not None
        orders = [{stone.cell: stone.sarfa for stone in stones.stones}]
        orders.append(dict(zip(orders[0], rng.random(len(orders[0])).tolist(), strict=True)))
        lines = [_changed(position, order) for order in orders]
        both = [k for k in range(CHANGED) if all(line[k] is not None for line in lines)]
        if both:
            number -= 1
            yield Pair(*(_prior(net, stones, [line[k] for k in both]) for line in lines))


def _changed(position: Position, order: dict[int, float]) -> list[Position | None]:
    """The position with one, two and more stones of either player changed, those of high ``order`` first; None where no
    legal moves lead to that."""
    changer = StoneChanger(position)
    ranked = [sorted(cells, key=order.__getitem__, reverse=True) for cells in changer.stones]
    kinds = (EXCHANGED, REMOVED) if position.game.gravity else (REMOVED, EXCHANGED)
    line: list[Position | None] = []
    for number in range(1, CHANGED + 1):
        cells = tuple(cell for side in ranked for cell in side[:number])
        made = None
        if number <= min(map(len, ranked)):
            made = next((made for kind in kinds if (made := changer.changed(cells, kind)) is not None), None)
        line.append(None if made is None else made.position)
    return line


def _prior(net: TappedNet, stones: Stones, positions: Sequence[Position | None]) -> float:
    """The mean P of the move over some positions."""
    asked = [position for position in positions if position is not None]
    policy = chances(answers_of(net)(asked).logits, legal_of(asked))
    return float(policy[:, stones.move].mean())


def winning_lines(game: GameSpec, seed: int) -> Iterator[tuple[Position, tuple[int, ...]]]:
    """Endless random positions that one move alone wins, with the line: the fastest win, the longest defence."""
    solver = Solver(game)
    for position in random_positions(game, seed):
        line = _solved_line(solver, position) if refusal(position) is None else _line_of_fours(position)
        if 2 < len(line) <= LONGEST:
            yield position, line


def _solved_line(solver: Solver, position: Position) -> tuple[int, ...]:
    line: list[int] = []
    while not position.is_over and len(line) <= LONGEST:
        solution = solver.solve(position, seconds=SECONDS)
        if solution is None or solution.value != (-1) ** len(line) or any(m.value is None for m in solution.moves):
            return ()
        best = [move for move in solution.moves if move.value == solution.value]
        if not line and len(best) > 1:
            return ()
        far = max if solution.value < 0 else min
        move = far(best, key=lambda one: one.distance or 0)
        line.append(move.action)
        position = position.play(move.action)
    return tuple(line)


def _line_of_fours(position: Position) -> tuple[int, ...]:
    """A win by fours that begins with one move alone."""
    win = find_win(position, "vcf", LONGEST, seconds=SECONDS)
    if win is None:
        return ()
    others = (action for action in position.legal_actions() if action != win.moves[0])
    return () if any(_wins_by(position, action) for action in others) else win.moves


def _wins_by(position: Position, action: int) -> bool:
    """Whether a move completes a line, or makes a four from which the side to move wins by fours."""
    after = position.play(action)
    if after.is_over:
        return bool(after.returns[position.to_move] > 0)
    # The reply is forced where the move threatens to complete a line: the only reply that does not lose at once.
    replies = [reply for reply in after.legal_actions() if not _completes(after.play(reply), position.to_move)]
    if len(replies) > 1 or not replies:
        return not replies
    then = after.play(replies[0])
    return not then.is_over and find_win(then, "vcf", LONGEST, seconds=SECONDS) is not None


def _completes(position: Position, side: int) -> bool:
    """Whether the side to move completes a line now."""
    return not position.is_over and any(
        (after := position.play(action)).is_over and after.returns[side] > 0 for action in position.legal_actions()
    )


def seen_plies(net: TappedNet, lines: Sequence[tuple[Position, tuple[int, ...]]]) -> NDArray[np.bool_]:
    """Of each ply after the first that could be examined, whether it is said to be seen."""
    seen = [read_line(net, position, line) for position, line in lines]
    return np.array([ply.block >= 0 for one in seen for ply in one.plies if ply.changes], np.bool_)


def _mean(values: NDArray[np.float64]) -> Score:
    """The mean of the figures of different games with its 95 % interval."""
    return score_of(*Scorer(np.arange(len(values)), 0).means(values))


def net_path(game: GameSpec, args: argparse.Namespace) -> Path:
    """The net that is asked for; SystemExit where the program has none of the game."""
    path: Path | None = args.net or default_net(game)
    if path is None:
        raise SystemExit(f"the program has no net of {game.text}; name one by --net")
    return path


def print_deletion(game: GameSpec, args: argparse.Namespace) -> None:
    net = TappedNet(net_path(game, args), game)
    pairs = np.array(list(deletion(net, args.positions, args.seed)))
    needed, at_random = (_mean(pairs[:, i]) for i in (0, 1))
    less = _mean(pairs[:, 1] - pairs[:, 0])
    print(
        f"{net.path.name}: {len(pairs)} positions, one to {CHANGED} stones of either player changed\n"
        f"P of the first move: the needed stones first {needed.value:.3f}, in random order {at_random.value:.3f}\n"
        f"paired difference {less.value:+.3f} ({less.low:+.3f} to {less.high:+.3f}); lower in "
        f"{(pairs[:, 0] < pairs[:, 1]).mean():.0%} of the positions, higher in {(pairs[:, 0] > pairs[:, 1]).mean():.0%}"
    )


def print_replies(game: GameSpec, args: argparse.Namespace) -> None:
    path = net_path(game, args)
    lines: list[tuple[Position, tuple[int, ...]]] = []
    for line in winning_lines(game, args.seed):
        lines.append(line)
        if sum(len(moves) - 1 for _, moves in lines) >= args.plies:
            break
    began = time.process_time()
    seen = seen_plies(TappedNet(path, game), lines)
    spent = time.process_time() - began
    print(f"{path.name}: {seen.mean():.0%} of {seen.size} plies of {len(lines)} winning lines seen; {spent:.0f} s")
    with TemporaryDirectory() as folder:
        chance = []
        for seed in range(FIRST_SEED, FIRST_SEED + args.scrambled):
            chance.append(seen_plies(TappedNet(scrambled_net(path, Path(folder), seed), game), lines))
            print(f"with weights in random order: {chance[-1].mean():.0%}", file=sys.stderr)
    if chance:
        every = np.concatenate(chance)
        print(f"{args.scrambled} nets with its weights in random order: {every.mean():.0%} of {every.size}")


def main() -> None:
    """Print one of the two counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("deletion", "replies"))
    parser.add_argument("--game", default="connect4")
    parser.add_argument("--net", type=Path, help="a net file (default: the one that comes with the program)")
    parser.add_argument("--positions", type=int, default=500, help="of deletion (default 500)")
    parser.add_argument("--plies", type=int, default=30, help="of replies: so many at least (default 30)")
    parser.add_argument("--scrambled", type=int, default=3, help="of replies: nets in random order (default 3)")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    {"deletion": print_deletion, "replies": print_replies}[args.what](load_game(args.game), args)


if __name__ == "__main__":
    main()
