"""Writes a trace of a search of mctx (github.com/google-deepmind/mctx), from the arrays of its tree.

    output = mctx.muzero_policy(...)
    with open("search.trace", "w") as file:
        write_trace(output.search_tree, "tictactoe", ["b2"], file)

It is for a game of two players in turn: the discount is -1, and 0 where the game ends, with the reward of the player
who moved.  The search must have begun with an empty tree and have no greatest depth, so that simulation i made node i.
How mctx chooses moves depends on your functions: that is not checked, but sums, signs, results and priors are.
"""

import json
from collections.abc import Sequence
from typing import Any, TextIO

import numpy as np


def write_trace(tree: Any, game: str, moves: Sequence[str], file: TextIO, batch: int = 0) -> None:
    """Write the search number ``batch`` of ``tree``; ``moves`` led to its root.  Actions are those of the game."""
    names = ("parents", "action_from_parent", "raw_values", "children_index", "children_prior_logits")
    sums = ("children_visits", "children_values", "children_rewards", "children_discounts")
    parents, actions, values, children, logits = (np.asarray(getattr(tree, name))[batch] for name in names)
    visits, means, rewards, discounts = (np.asarray(getattr(tree, name))[batch] for name in sums)
    header = {"format": "plyscope trace", "version": 1, "program": "mctx", "game": game, "moves": list(moves)}
    header |= {"rule": "other", "value_for": "moved", "told": ["N", "Q"]}
    file.write(json.dumps(header) + "\n")
    numbers = {0: 0}  # of the nodes in the trace
    ended: dict[int, int] = {}  # node -> the finished game at or above it
    for node in range(len(parents)):
        parent, action = int(parents[node]), int(actions[node])
        if node and parent < 0:
            break  # the search was shorter
        if parent in ended:  # mctx goes on below a finished game, and backs up its result again
            ended[node] = end = ended[parent]
            edge = int(parents[end]), int(actions[end])
            file.write(f"s {numbers[end]} - {rewards[edge]:.7g}\n")
            continue
        if node == 0:
            file.write(f"s 0 - {-values[0]:.7g}\n")
        else:
            numbers[node] = len(numbers)
            value = rewards[parent, action] + discounts[parent, action] * values[node]
            file.write(f"s {numbers[parent]} {action} {value:.7g}\n")
            if discounts[parent, action] == 0:
                ended[node] = node
                continue
        weights = np.exp(logits[node].astype(np.float64) - logits[node].max())
        priors = weights / weights.sum()
        words = (f"{action} {prior:.7g}" for action, prior in enumerate(priors) if prior > 1e-7)
        file.write(f"p {numbers[node]} {' '.join(words)}\n")
    for node, number in numbers.items():
        entered = [] if node in ended else np.flatnonzero(children[node] >= 0).tolist()
        qs = rewards[node] + discounts[node] * means[node]
        if entered:
            words = (f"{action} {visits[node, action]} {qs[action]:.7g}" for action in entered)
            file.write(f"c {number} {' '.join(words)}\n")
