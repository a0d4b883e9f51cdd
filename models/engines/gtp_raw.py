"""The answer to ``kata-raw-nn``: all that a net of KataGo says of one position."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator
from core.games import Position
from core.games.net_inputs import inputs_of
from core.games.spec import PASS
from models.engines.gtp_board import Refused
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.katago_answers import ROOT_OPTIMISM, Answers, answers, scaling_of
from models.netfiles.katago_graph import ENCODING

SYMMETRIES: Final = 8
_TRANSPOSED: Final = 4
_MISSING: Final = -1.0  # a figure that the net does not give

Array = NDArray[Any]


def raw_answer(evaluator: Evaluator | None, position: Position, symmetry: int, optimism: float = ROOT_OPTIMISM) -> str:
    """The lines of one symmetry; Refused when the net is none of KataGo's or the game is over."""
    if not isinstance(evaluator, OnnxEvaluator) or evaluator.info.encoding != ENCODING:
        raise Refused("this needs a net of KataGo")
    if position.is_over:
        raise Refused("the game is over")
    height, width = position.game.shape
    found = net_answers(evaluator, position, symmetry, optimism)
    sign = 1.0 if position.to_move else -1.0
    win, loss, none = found.outcome[0].tolist()
    white, black = (win, loss) if position.to_move else (loss, win)
    scores = found.scores
    mean, spread = float(scores.mean[0]), float(scores.stdev[0])
    figures = {
        "whiteWin": f"{white:.6f}",
        "whiteLoss": f"{black:.6f}",
        "noResult": f"{none:.6f}",
        "whiteLead": f"{sign * float(scores.lead[0]):.3f}",
        "whiteScoreSelfplay": f"{sign * mean:.3f}",
        "whiteScoreSelfplaySq": f"{mean * mean + spread * spread:.3f}",
        "varTimeLeft": _figure(scores.var_time),
        "shorttermWinlossError": _figure(scores.win_error),
        "shorttermScoreError": _figure(scores.score_error),
    }
    policy = np.full(position.game.num_actions, np.nan)
    legal = list(position.legal_actions())
    policy[legal] = found.policy[0, legal]
    lines = [f"symmetry {symmetry}", *(f"{name} {figure}" for name, figure in figures.items())]
    lines += ["policy", *_grid(policy[:-1].reshape(height, width), "8.6f")]
    lines += [f"policyPass {policy[-1]:8.6f}"]
    if found.ownership is not None:
        lines += ["whiteOwnership", *_grid(sign * found.ownership[0].astype(np.float64), "9.7f")]
    return "\n".join(lines)


def net_answers(evaluator: OnnxEvaluator, position: Position, symmetry: int, optimism: float) -> Answers:
    """The net's answers to a board that was turned, turned back."""
    game = position.game
    height, width = game.shape
    turn = symmetry if height == width else symmetry & ~_TRANSPOSED
    encoding = evaluator.encoding
    inputs = inputs_of(position, encoding)
    found = evaluator.outputs((), np.ascontiguousarray(turned(inputs.planes, turn)), inputs.features)
    channels = found["policy"].shape[1]
    points = turned_back(found["policy"][:, :, :-1].reshape(1, channels, height, width), turn)
    found["policy"] = np.concatenate((points.reshape(1, channels, -1), found["policy"][:, :, -1:]), axis=2)
    if "ownership" in found:
        found["ownership"] = turned_back(found["ownership"], turn)
    legal = np.zeros((1, game.num_actions), bool)
    legal[0, list(position.legal_actions())] = True
    assert game.action_names[-1] == PASS
    scaling = scaling_of(evaluator.info.config)
    return answers(found, legal, scaling, optimism=optimism, no_result=encoding.no_result)


def turned(planes: Array, symmetry: int) -> Array:
    """KataGo's symmetries of a board's rows and columns: bit 0 flips rows, bit 1 columns, bit 2 transposes then."""
    planes = planes[..., ::-1, :] if symmetry & 1 else planes
    planes = planes[..., ::-1] if symmetry & 2 else planes
    return np.swapaxes(planes, -1, -2) if symmetry & _TRANSPOSED else planes


def turned_back(planes: Array, symmetry: int) -> Array:
    """The inverse of ``turned``."""
    return turned(np.swapaxes(planes, -1, -2) if symmetry & _TRANSPOSED else planes, symmetry & ~_TRANSPOSED)


def _figure(given: Array | None) -> str:
    return f"{_MISSING if given is None else float(given[0]):.3f}"


def _grid(figures: Array, form: str) -> list[str]:
    """Rows of figures; illegal moves are NAN, as KataGo writes them."""
    words = [[f"{figure:{form}}" if np.isfinite(figure) else "     NAN" for figure in row] for row in figures.tolist()]
    return [" ".join(row) for row in words]
