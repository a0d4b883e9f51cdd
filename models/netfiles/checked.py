"""Opens a net file and checks it against a game, for whatever then evaluates it."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.games import GameSpec
from core.games.encoding import Inputs
from core.games.net_inputs import make_inputs
from models.netfiles.heads import Heads, heads_for
from models.netfiles.net_file import NetInfo, read_net_info
from models.netfiles.opened import as_onnx
from models.netfiles.ort_session import POSITIONS, check_run, open_session
from models.netfiles.recipe import Recipe
from models.netfiles.runtimes import run_options
from models.netfiles.shipped import nets_dir

_CPU: Final = ["CPUExecutionProvider"]
_WEIGHTS_BESIDE: Final = "session.model_external_initializers_file_folder_path"


class CheckedNet(NamedTuple):
    """A net file that can be evaluated for its game."""

    file: Path  # as ONNX
    info: NetInfo
    heads: Heads


def checked_net(path: Path, game: "GameSpec", recipe: Recipe | None) -> CheckedNet:
    """The net file at ``path`` for ``game``; one that was not shipped is run once, with limits of memory and time.

    recipe: as :class:`models.netfiles.evaluator.OnnxEvaluator` takes it.  :class:`BadNet` when it cannot be used."""
    file = as_onnx(path)
    info = replace(read_net_info(file), path=path)
    heads = heads_for(info, game, recipe)
    if path.parent != nets_dir():
        arrays = heads.inputs(*empty_boards(game, heads, heads.batch or POSITIONS))
        outputs = (*heads.outputs, *sorted({heads.ownership, heads.outcome} - {"", *heads.outputs}))
        shapes = tuple((name, array.shape, array.dtype.name) for name, array in arrays.items())
        check_run(file, shapes, outputs)
    return CheckedNet(file, info, heads)


def empty_boards(game: "GameSpec", heads: Heads, batch: int) -> Inputs:
    """The input for ``batch`` empty boards."""
    inputs = make_inputs(game, heads.encoding, batch)
    if inputs.features.size:
        inputs.planes[:, 0] = 1.0  # the points of the board, by whose number KataGo's nets divide
    return inputs


def open_changed(file: Path, model: Any, threads: int) -> Any:
    """A session of onnxruntime on ``model``, an ``onnx.ModelProto`` made of ``file``, on the processor."""
    options = run_options(threads)
    options.add_session_config_entry(_WEIGHTS_BESIDE, str(file.parent))
    return open_session(file, options, _CPU, model.SerializeToString())
