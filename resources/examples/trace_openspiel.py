"""Writes a trace of OpenSpiel's MCTSBot, which Plyscope opens as a tree and checks: `plyscope lint bot.trace`.

python trace_openspiel.py tic_tac_toe 500 bot.trace

The same few lines do for any search: a record where a node gets its children, and one where a simulation is backed up.
"""

import json
import sys
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts  # type: ignore[import-untyped]


class TracedBot(mcts.MCTSBot):  # type: ignore[misc]
    """The bot, which writes what each of its searches does to ``file``."""

    def __init__(self, game: Any, file: TextIO, **options: Any) -> None:
        super().__init__(game, **options)
        self.file = file

    def mcts_search(self, state: Any) -> Any:
        """Search, and write the header before and the move afterwards."""
        puct = self._child_selection_fn is mcts.SearchNode.puct_value
        header = {"format": "plyscope trace", "version": 1, "program": "OpenSpiel MCTSBot"}
        header |= {"game": f"openspiel({self._game})", "moves": [str(action) for action in state.history()]}
        header |= {"rule": "puct" if puct else "ucb1", "c": self.uct_c, "total": "node", "value_for": "moved"}
        header |= {"solver": "guides"}  # a finished game is scored by its result alone, with and without its solver
        self.file.write(json.dumps(header) + "\n")
        self.numbers: dict[int, int] = {}  # id of a node -> its number: they are counted as they are reached
        self.expanded: set[int] = set()
        self.path: list[Any] = []
        root = super().mcts_search(state)
        self.write_simulation()
        self.file.write(f"m {root.best_child().action}\n")
        return root

    def _apply_tree_policy(self, root: Any, state: Any) -> Any:
        self.write_simulation()  # the one before, which is backed up by now
        path, end = super()._apply_tree_policy(root, state)
        self.path, self.before = list(path), path[-1].total_reward
        return path, end

    def write_simulation(self) -> None:
        """Write the simulation of ``path``, and the priors of nodes that got children in it."""
        if not self.path:
            return
        for node in self.path[:-1]:
            if id(node) not in self.expanded:
                self.expanded.add(id(node))
                priors = " ".join(f"{child.action} {child.prior:.6g}" for child in node.children)
                self.file.write(f"p {self.numbers[id(node)]} {priors}\n")
        leaf, *above = reversed(self.path)
        value = leaf.total_reward - self.before
        if id(leaf) in self.numbers:
            self.file.write(f"s {self.numbers[id(leaf)]} - {value:.6g}\n")
        elif above:
            self.file.write(f"s {self.numbers[id(above[0])]} {leaf.action} {value:.6g}\n")
        else:
            self.file.write(f"s 0 - {-value:.6g}\n")  # what the bot keeps of the root is for the side to move there
        self.numbers.setdefault(id(leaf), len(self.numbers))
        told = "".join(f" {node.explore_count} {node.total_reward:.6g}" for node in self.path[1:])
        self.file.write(f"n {self.path[0].explore_count} -{told}\n")


def main(name: str, simulations: int, file: TextIO) -> None:
    """Search the first position of a game by random games."""
    game, draws = pyspiel.load_game(name), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(random_state=draws)
    bot = TracedBot(
        game, file, uct_c=1.5, max_simulations=simulations, evaluator=evaluator, solve=False, random_state=draws
    )
    bot.step(game.new_initial_state())


if __name__ == "__main__":
    with Path(sys.argv[3]).open("w", encoding="utf-8") as out:
        main(sys.argv[1], int(sys.argv[2]), out)
