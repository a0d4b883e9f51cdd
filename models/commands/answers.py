"""The commands with exact answers: ``plyscope solve``, ``threats``, ``count`` and ``perft``."""

import argparse
import json
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from core.games import Position, load_game
from core.games.perft import perft
from core.solve import Interim, MoveValue, Solution, count, solve
from core.solve.solution import best_first
from core.solve.threats import threats
from core.solve.threats_win import find_win
from models.commands.analyze import INTERRUPTED, interruptible, notice_when_slow, typed_position
from models.commands.printing import SIDES, position_lines

VALUES: Final = {1: "win", 0: "draw", -1: "loss", None: "not found"}
PROGRESS_S: Final = 2.0
POLL_S: Final = 0.05
WARM_UP_S: Final = 1e-6  # stops a search after its first slice, when its code is compiled
COMPILING: Final = "compiling the solver (once on this machine) ..."


def add_answers(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add the four commands and their options."""
    solve_parser = commands.add_parser(
        "solve",
        help="the exact value and distance of every move",
        description="Solve a position exactly: win, draw or loss of every move and in how many plies.  Connect Four "
        "and Nim of any size, other games up to a number of empty cells; a position beyond it is refused.  In "
        "Othello up to 8x8: by how many discs, empty cells being the winner's.",
    )
    solve_parser.add_argument("--seconds", type=float, metavar="S", help="give up after S seconds (default: never)")
    threats_parser = commands.add_parser(
        "threats",
        help="fours and threes on the board, and wins by them",
        description="Show the patterns of both sides in a k-in-a-row game (five, open four, four, open three ...) and "
        "whether the side to move wins by continuous fours (VCF) or by threes and fours (VCT), with the line.",
    )
    threats_parser.add_argument("--seconds", type=float, default=10.0, metavar="S", help="for each search (default 10)")
    threats_parser.add_argument("--depth", type=int, default=20, metavar="N", help="the attacker's moves (default 20)")
    count_parser = commands.add_parser(
        "count",
        help="how many different boards can be reached",
        description="Count the different boards that can be reached, by number of moves; play stops at a win.",
    )
    count_parser.add_argument("--plies", type=int, metavar="N", help="boards of at most N moves (default: all)")
    perft_parser = commands.add_parser(
        "perft",
        help="how many lines of play there are",
        description="Count the lines of play of each length, the usual check of a game's rules; a line that ends "
        "earlier counts once, a pass is a ply.",
    )
    perft_parser.add_argument("--depth", type=int, default=6, metavar="N", help="the longest (default 6)")
    for parser, run in (
        (solve_parser, solve_command),
        (threats_parser, threats_command),
        (count_parser, count_command),
        (perft_parser, perft_command),
    ):
        parser.add_argument("game", metavar="GAME", help="as `plyscope games` lists it")
        if run is not count_command:
            parser.add_argument("moves", metavar="MOVES", nargs="*", help="the moves that led there, or a diagram")
        if run in (solve_command, count_command):
            parser.add_argument("--json", action="store_true", help="one JSON object")
        parser.set_defaults(run=run)


def solve_command(args: argparse.Namespace) -> int:
    """Print the exact value and distance of a position and of each of its moves."""
    position = typed_position(load_game(args.game), args.moves)
    if args.seconds is not None and not args.seconds > 0:
        raise ValueError(f"--seconds is {args.seconds:g}; it must be above 0")
    with interruptible() as signals:
        with notice_when_slow(COMPILING):
            solve(position, lambda: bool(signals), seconds=WARM_UP_S)
        printer = _Progress(position)
        solution = solve(position, lambda: bool(signals), printer.progress, args.seconds, printer.take)
    if signals:
        print("interrupted: nothing was proved", file=sys.stderr)
        return INTERRUPTED
    if solution is None:
        proved = f" ({printer.words})" if printer.words else ""
        raise ValueError(
            f"the value was not found in {args.seconds:g} s{proved}; give more --seconds, or none for no limit"
        )
    game = position.game
    if args.json:
        moves = [{"action": m.action, "name": game.action_name(m.action), **_value_text(m)} for m in solution.moves]
        print(
            json.dumps(
                {
                    "game": game.text,
                    "diagram": position.diagram(),
                    "to_move": SIDES[position.to_move],
                    **_value_text(solution),
                    "best": [game.action_name(a) for a in solution.best],
                    "moves": moves,
                    "nodes": solution.nodes,
                    "seconds": solution.seconds,
                }
            )
        )
        return 0
    lines = position_lines(position)
    if not position.is_over:
        best = " ".join(game.action_name(a) for a in solution.best)
        lines += [
            f"value     {_words(solution)} for {SIDES[position.to_move]}, to move",
            f"best      {best}",
            f"searched  {_positions(solution.nodes)} in {solution.seconds:.2f} s",
            "",
        ]
        width = max(len(game.action_name(m.action)) for m in solution.moves)
        lines += [f"{game.action_name(m.action):<{width}}  {_words(m)}" for m in best_first(solution)]
    print("\n".join(lines))
    return 0


def threats_command(args: argparse.Namespace) -> int:
    """Print the patterns on the board and the wins found by fours, and by threes and fours."""
    position = typed_position(load_game(args.game), args.moves)
    if not args.seconds >= 0:
        raise ValueError(f"--seconds is {args.seconds:g}; it must be a number from 0")
    game = position.game
    lines = position_lines(position)
    names = [game.action_name(a) for a in range(game.num_actions)]
    with notice_when_slow(COMPILING):
        patterns = threats(position).patterns
        find_win(position, "vcf", args.depth, max_nodes=1)
    for pattern in patterns:
        stones, gaps = (" ".join(names[c] for c in cells) for cells in (pattern.cells, pattern.gaps))
        lines.append(f"{SIDES[pattern.side]}  {pattern.name:<10}  {stones}" + (f"   to play at {gaps}" if gaps else ""))
    print("\n".join(lines), flush=True)
    with interruptible() as signals:
        for kind, words in (("vcf", "by continuous fours"), ("vct", "by threes and fours")):
            began = time.perf_counter()
            win = find_win(position, kind, args.depth, args.seconds, should_stop=lambda: bool(signals))
            spent = time.perf_counter() - began
            side = SIDES[position.to_move]
            if win is not None:
                line = " ".join(names[a] for a in win.moves)
                print(
                    f"{side} wins {words} within {win.plies} plies: {line}   ({_positions(win.nodes)}, {spent:.2f} s)"
                )
                break
            how = (
                "interrupted"
                if signals
                else "stopped by the time"
                if spent >= args.seconds
                else f"{args.depth} moves deep"
            )
            print(f"{side} was not found to win {words} ({how}, {spent:.2f} s)", flush=True)
            if signals:
                return INTERRUPTED
    return 0


def count_command(args: argparse.Namespace) -> int:
    """Print the number of different reachable boards, by number of moves."""
    game = load_game(args.game)
    with interruptible() as signals:
        counts = count(game, args.plies, lambda: bool(signals), _progress_printer("boards"))
    if counts is None:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    if args.json:
        print(
            json.dumps({"game": game.text, "per_ply": counts.per_ply, "total": counts.total, "seconds": counts.seconds})
        )
        return 0
    meaning = (
        "legal boards of so many stones"
        if game.captures
        else "different boards after so many moves, play stopping at a win"
    )
    print(f"{game.title} ({game.text}): {meaning}")
    print("\n".join(f"{ply:>4} {boards:>14,}" for ply, boards in enumerate(counts.per_ply)))
    print(f" all {counts.total:>14,}   in {counts.seconds:.2f} s")
    return 0


def perft_command(args: argparse.Namespace) -> int:
    """Print the number of lines of play of each length; one that ends earlier counts once."""
    position = typed_position(load_game(args.game), args.moves)
    if args.depth < 1:
        raise ValueError(f"--depth is {args.depth}; it must be at least 1")
    with interruptible() as signals:
        perft(position, 1)  # compiles before the clock starts
        for depth in range(1, args.depth + 1):
            began = time.perf_counter()
            lines = _interruptible_perft(signals, position, depth)
            spent = time.perf_counter() - began
            if lines is None:
                print("interrupted", file=sys.stderr)
                return INTERRUPTED
            rate = lines / max(spent, 1e-9) / 1e6
            print(f"{depth:>3} {lines:>16,}   {spent:8.3f} s   {rate:8.2f} M lines/s", flush=True)
    return 0


def _interruptible_perft(signals: list[int], position: Position, depth: int) -> int | None:
    """The count, or None as soon as a signal came.  The kernel cannot be stopped, so it runs in a daemon thread."""
    counts: list[int] = []
    thread = threading.Thread(target=lambda: counts.append(perft(position, depth)), daemon=True)
    thread.start()
    while thread.is_alive() and not signals:
        thread.join(POLL_S)
    return None if signals else counts[0]


def _progress_printer(what: str) -> Callable[..., None]:
    """A callback that prints the progress of a long computation to stderr every ``PROGRESS_S``, and words with it."""
    printed = time.monotonic()

    def print_progress(number: int, words: str = "") -> None:
        nonlocal printed
        if time.monotonic() - printed > PROGRESS_S:
            printed = time.monotonic()
            print(f"{number:,} {what}{', ' if words else ''}{words} ...", file=sys.stderr, flush=True)

    return print_progress


class _Progress:
    """Prints the progress of a solution, with what is known of it so far."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._print = _progress_printer("positions searched")
        self.words = ""

    def take(self, interim: Interim) -> None:
        """Keep what is known for the next line."""
        self.words = f"{interim.known} of {interim.moves} moves solved"
        if interim.bounds is not None:
            self.words = f"score {_range(*interim.bounds)}"
        if interim.best is not None:
            self.words += f", best so far {self._position.game.action_name(interim.best)}"

    def progress(self, nodes: int) -> None:
        """Print a line when the last one is long enough ago."""
        self._print(nodes, self.words)


def _value_text(answer: Solution | MoveValue) -> dict[str, Any]:
    figures: dict[str, Any] = {"value": answer.value, "distance": answer.distance}
    if answer.bounds is not None:
        figures |= {"discs": answer.score, "bounds": list(answer.bounds)}
    return figures


def _range(low: int, high: int) -> str:
    return f"{low:+d}" if low == high else f"{low:+d} to {high:+d}"


def _positions(number: int) -> str:
    return f"{number} position{'' if number == 1 else 's'}"


def _words(answer: Solution | MoveValue) -> str:
    """``win in 7 plies``, ``win by 12 discs``."""
    if answer.score is not None:
        discs = abs(answer.score)
        return f"{VALUES[answer.value]} by {discs} discs" if discs else VALUES[0]
    if answer.bounds is not None:
        return f"{VALUES[answer.value]}, {_range(*answer.bounds)} discs"
    if answer.distance is None:
        return VALUES[answer.value]
    return f"{VALUES[answer.value]} in {answer.distance} {'ply' if answer.distance == 1 else 'plies'}"
