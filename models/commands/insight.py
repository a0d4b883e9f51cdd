"""What ``plyscope analyze`` says beyond figures: hesitations, why not a move, exact results, questions to the tree.

Uses a finished search, no window.
"""

import argparse
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from core.engine import Search
from core.glass.ask import Beside, Matches, Sums, answer
from core.glass.explain import Explanation, Step, explain, nodes_for
from core.glass.intervals import intervals
from core.glass.leaf_values import leaf_values
from core.glass.question import read_question
from core.glass.sentence import Sentence
from core.glass.snapshot import OVER
from core.glass.truth import Truth, find_truth, net_priors
from core.glass.turns import Turn, find_turns
from core.solve import Solution, solve
from models.commands.printing import SIDES, signed

EXACT_S: Final = 60.0
FOUND: Final = 20  # nodes of an answer that are printed


@dataclass(frozen=True)
class Insight:
    """What was found; None for what was not asked for or is not known."""

    search: Search
    turns: tuple[Turn, ...]
    why: Explanation | None
    solution: Solution | None
    truth: Truth | None
    note: str  # why there is no exact result; ""
    answer: Matches | None = None


def add_insight_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of explanations and exact results."""
    parser.add_argument("--why", metavar="MOVE", help="explain why the search does not play a move, with its figures")
    parser.add_argument(
        "--ask",
        metavar="QUESTION",
        help="the nodes of the tree of which a line such as 'N > 100 and abs(Q - V) > .5' is true, with their sums and "
        "the moves before and after them; values are for the side that makes each move",
    )
    parser.add_argument(
        "--exact",
        type=float,
        nargs="?",
        const=EXACT_S,
        metavar="S",
        help=f"solve the position, in at most S seconds (default {EXACT_S:g}), and say when the search was wrong",
    )


def insight_of(search: Search, args: argparse.Namespace) -> Insight:
    """What the options ask for; ValueError for a bad move and for a position that is too large to be solved."""
    snapshot, game = search.snapshot(), search.game
    question = None if args.ask is None else read_question(args.ask, game)
    if snapshot.reason == OVER:
        return Insight(search, (), None, None, None, "")
    curves, names = search.curves(), game.action_names
    turns = find_turns(curves, names) if curves.exact else ()
    solution = truth = None
    note = ""
    if args.exact is not None:
        solution = solve(search.position, seconds=args.exact)
        note = "" if solution is not None else f"not solved in {args.exact:g} seconds"
    results = {}
    if solution is not None:
        results = {move.action: (move.value, move.distance) for move in solution.moves if move.value is not None}
        if len(results) == len(solution.moves):
            values = {action: value for action, (value, _) in results.items()}
            truth = find_truth(curves, values, net_priors(snapshot.root), names) if curves.exact else None
    why = None
    if args.why is not None:
        action = game.parse_action(args.why)
        shown = search.snapshot(nodes_for(snapshot, action))
        why = explain(shown, action, curves if curves.exact else None, results)
    reply = None
    if question is not None:
        rule, number = search.settings.rule, search.numbering
        reply = answer(
            question, search.tree, search.root, search.params, search.position, priors=rule.priors, number=number
        )
    return Insight(search, turns, why, solution, truth, note, reply)


def insight_json(insight: Insight) -> dict[str, Any]:
    """The same for JSON; values are for the side to move."""
    name = insight.search.game.action_name
    data: dict[str, Any] = {
        "intervals": _intervals(insight.search),
        "turns": [
            {
                "kind": turn.kind,
                "begun": turn.begun,
                "simulation": turn.simulation,
                "before": name(turn.before),
                "after": name(turn.after) if turn.after >= 0 else None,
                **turn.sentence.as_json(),
            }
            for turn in insight.turns
        ],
    }
    if insight.why is not None:
        data["why"] = {
            "move": name(insight.why.action),
            "best": name(insight.why.best) if insight.why.best >= 0 else None,
            "sentences": [sentence.as_json() for sentence in insight.why.sentences],
            "line": [_step(step) for step in insight.why.line],
            "best_line": [_step(step) for step in insight.why.best_line],
        }
    if insight.solution is not None:
        solution = insight.solution
        data["exact"] = {
            "value": solution.value,
            "distance": solution.distance,
            **({} if solution.bounds is None else {"discs": solution.score}),
            "moves": {
                name(move.action): {"value": move.value, "distance": move.distance}
                | ({} if move.bounds is None else {"discs": move.score})
                for move in solution.moves
            },
        }
    elif insight.note:
        data["exact"] = None
    if insight.truth is not None:
        data["truth"] = _truth(insight.truth, insight.search)
    if insight.answer is not None:
        data["ask"] = _answer(insight.answer, insight.search)
    return data


def _answer(reply: Matches, search: Search) -> dict[str, Any]:
    name, to_move = search.game.action_name, search.position.to_move
    sides = (reply.sides[0], reply.sides[1])

    def sums(of: Sums) -> dict[str, Any]:
        return {**of._asdict(), "q": None if math.isnan(of.q) else of.q}

    def beside(moves: Iterable[Beside]) -> list[dict[str, Any]]:
        return [{**move._asdict(), "action": name(move.action) if move.action >= 0 else None} for move in moves]

    return {
        "question": reply.question,
        **sums(reply.sums),
        "by_player": {SIDES[(to_move + i) % 2]: sums(side) for i, side in enumerate(sides)},
        "before": beside(reply.before),
        "after": beside(reply.after),
        "found": [[name(action) for action in path] for path in reply.paths],
    }


def _intervals(search: Search) -> dict[str, tuple[float, float] | None]:
    """The interval of each move's Q, for the side to move; None for a move without visits."""
    root, name = search.snapshot().root, search.game.action_name
    spreads = leaf_values(search.tree, search.root, 1).spreads if root.visits else None
    return dict(zip(map(name, root.actions.tolist()), intervals(root, spreads), strict=True))


def _truth(truth: Truth, search: Search) -> dict[str, Any]:
    name = search.game.action_name
    return {
        "value": truth.value,
        "wrong_moves": [name(action) for action in truth.wrong],
        "prior_on_wrong_moves": None if math.isnan(truth.prior) else truth.prior,
        "simulations": truth.simulations.tolist(),
        "visits_on_wrong_moves": truth.shares.tolist(),
        "right_from": None if truth.right_from < 0 else truth.right_from,
        "sentence": truth.sentence.as_json(),
        "wrong": [
            {"first": stretch.first, "last": stretch.last, "move": name(stretch.action), **stretch.sentence.as_json()}
            for stretch in truth.stretches
        ],
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        key: None if isinstance(value, float) and math.isnan(value) else value for key, value in asdict(step).items()
    }


def insight_lines(insight: Insight) -> list[str]:
    """The explanation and the exact results as lines; none where neither was asked for."""
    lines = []
    if insight.note:
        lines += ["", f"exact     {insight.note}"]
    if insight.truth is not None:
        lines += ["", "the search beside the exact results", *_sentence_lines((insight.truth.sentence,))]
        lines += _sentence_lines(stretch.sentence for stretch in insight.truth.stretches)
    if insight.answer is not None:
        reply, name = insight.answer, insight.search.game.action_name
        side = SIDES[insight.search.position.to_move]
        lines += [
            "",
            f"asked     {reply.question}",
            f"          {reply.sums.nodes} nodes, {reply.sums.visits} visits ({reply.sums.share:.1%}), "
            f"Q {signed(reply.sums.q)} for {side}",
            *(f"  {' '.join(map(name, path))}" for path in reply.paths[:FOUND]),
            *([f"  and {left:,} more"] if (left := reply.sums.nodes - FOUND) > 0 else []),
        ]
    if insight.why is not None:
        name, side = insight.search.game.action_name, SIDES[insight.search.position.to_move]
        lines += [
            "",
            f"why not {name(insight.why.action)}? values for {side}",
            *_sentence_lines(insight.why.sentences),
        ]
        for line in (insight.why.line, insight.why.best_line):
            if line:
                lines.append(
                    "  line " + ", ".join(f"{step.name} (N {step.visits}, Q {signed(step.q)})" for step in line)
                )
    return lines


def _sentence_lines(sentences: Iterable[Sentence]) -> list[str]:
    return [f"  {sentence.text}" for sentence in sentences]
