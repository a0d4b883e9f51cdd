"""Net files, lenses of nets and what was found of their concepts, and their readers, for tests with damaged ones."""

from pathlib import Path
from typing import Final

from core.engine import UniformEvaluator
from core.games import load_game
from core.games.net_inputs import inputs_of
from models.inside.concepts import concepts_of
from models.inside.examined import Examined, examined_file, read_examined
from models.inside.knowledge import examine
from models.inside.lens import fit_lens, lens_file, read_lens
from models.inside.sample import play_sample
from models.inside.uses import uses_of
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.opened import import_go_net
from models.netfiles.recipe import Recipe, RecipeInput
from models.netfiles.shipped import nets_dir
from models.netfiles.tapped import TappedNet
from tests.models.netfiles.katago_nets import RandomLeela, RandomNet

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
    lens = fit_lens(TappedNet(_NET, _GAME), 50)
    assert lens is not None
    return [lens_file(lens)]


def read_net_lens(path: Path) -> None:
    read_lens(path, TappedNet(_NET, _GAME))


def concept_files(folder: Path) -> list[bytes]:
    net, concepts = TappedNet(_NET, _GAME), concepts_of(_GAME)
    report = examine(net, play_sample(net, 200, 0), concepts)
    assert report is not None
    uses = uses_of(net, UniformEvaluator(_GAME.num_actions), report, concepts)
    return [examined_file(Examined({concept.name: concept for concept in concepts}, report, uses))]


def read_net_concepts(path: Path) -> None:
    read_examined(path.read_bytes(), TappedNet(_NET, _GAME), concepts_of(_GAME))


def katago_files(folder: Path) -> list[bytes]:
    kinds = ((8, ("o", "g")), (11, (("o", "g"),)), (13, ("g",)), (16, (("o", ("o",)),)), (17, ("l", ("t", "f"))))
    human = RandomNet(15, ("o",), channels=3, human=True)
    humans = [human.file(binary=binary, zipped=zipped) for binary in (True, False) for zipped in (True, False)]
    return humans + [
        RandomNet(version, blocks, channels=3, tip="board" if version == 17 else "batch").file(
            binary=binary, zipped=zipped
        )
        for version, blocks in kinds
        for binary in (True, False)
        for zipped in (True, False)
    ]


def leela_files(folder: Path) -> list[bytes]:
    return [RandomLeela(3, version, 3, version).file(zipped=zipped) for version in (1, 2) for zipped in (True, False)]


def read_go_net(path: Path) -> None:
    import_go_net(path, path.with_name("imported.onnx"))
