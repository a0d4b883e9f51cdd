"""Net files and lenses of nets, and their readers, for tests with damaged ones."""

from pathlib import Path
from typing import Final

from core.games import load_game
from core.games.net_inputs import inputs_of
from models.inside.lens import fit_lens, read_lens, write_lens
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.recipe import Recipe, RecipeInput
from models.netfiles.shipped import nets_dir
from models.netfiles.tapped import TappedNet

_GAME: Final = load_game("tictactoe")
_NET: Final = nets_dir() / "tictactoe-2x32.onnx"
_OURS: Final = Recipe((RecipeInput(("mine", "theirs", "last", "first to move")),))  # for a net that lost its metadata


def net_files(folder: Path) -> list[bytes]:
    return [_NET.read_bytes()]


def read_net(path: Path) -> None:
    """Open a net, and look into it."""
    OnnxEvaluator(path, _GAME, recipe=_OURS, device="cpu", threads=1)
    net = TappedNet(path, _GAME, recipe=_OURS)
    inputs = inputs_of(_GAME.initial(), net.encoding)
    for block, output in enumerate(net.run(inputs).blocks):
        net.continue_from(block, output, inputs)


def lens_files(folder: Path) -> list[bytes]:
    path = folder / "a.lens"
    write_lens(path, fit_lens(TappedNet(_NET, _GAME), 50))
    return [path.read_bytes()]


def read_net_lens(path: Path) -> None:
    read_lens(path, TappedNet(_NET, _GAME))
