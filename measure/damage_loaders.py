"""Valid files of every kind and their readers, for :mod:`measure.damage`."""

import json
import math
import os
import random
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from core.engine import UniformEvaluator
from core.games import load_game
from core.text import Text, with_texts
from measure import damage_formats
from measure.damage import Loader
from measure.damage_audits import audit_seeds, load_audit, load_openings, opening_seeds
from measure.damage_changes import (
    BYTES,
    Change,
    cut,
    flip,
    in_json,
    in_lines,
    in_protobuf,
    in_text,
    in_toml,
    in_words,
    in_zip,
)
from measure.damage_games import (
    TICTACTOE,
    lesson_seeds,
    load_lesson,
    load_saved_session,
    load_saved_tree,
    load_sgf,
    session_seeds,
    sgf_seeds,
    tree_seeds,
)
from measure.damage_gtp import answer, dialogues
from models.netfiles.evaluator import OnnxEvaluator, nets_dir
from models.netfiles.go_import import import_go_net
from models.netfiles.recipe import Recipe, RecipeInput, read_recipe
from models.play.live import LiveGame, LiveWriter, read_live
from models.play.replay import load_shard, save_shard, shard_path
from models.play.selfplay import SelfPlay
from models.runs.about import ABOUT, read_about
from models.runs.card import card_path, write_card
from models.runs.config import TrainConfig, usable
from models.runs.folder import (
    COMMAND,
    LIVE,
    REPORTS,
    RUN_TOML,
    RUNNING_FILE,
    Running,
    read_command,
    read_running,
    running,
)
from models.runs.reports import Reports, event_line, read_reports, repair_reports, report_line
from models.runs.run_toml import read_settings, to_toml
from models.strength.ladder import LADDER_FILE, Ladder

_RUN_FILES: Final = (RUN_TOML, REPORTS, RUNNING_FILE, COMMAND, LIVE, LADDER_FILE, ABOUT, "net.json")


# Nets

_OURS: Final = Recipe((RecipeInput(("mine", "theirs", "last", "first to move")),))  # for a net that lost its metadata


def _net_seeds(folder: Path) -> list[bytes]:
    return [sorted(nets_dir().glob(f"{TICTACTOE}-*.onnx"))[0].read_bytes()]


def _load_net(data: bytes, folder: Path) -> None:
    path = folder / "fuzzed.onnx"
    path.write_bytes(data)
    OnnxEvaluator(path, load_game(TICTACTOE), recipe=_OURS, device="cpu", threads=1)


def _recipe_seeds(folder: Path) -> list[bytes]:
    inputs = (RecipeInput(("mine", "-theirs"), "a", "nhwc"), RecipeInput(("colour",), "b", "numbers"))
    return [Recipe(inputs, TICTACTOE).to_json().encode()]


def _load_recipe(data: bytes, folder: Path) -> None:
    path = folder / "fuzzed.recipe.json"
    path.write_bytes(data)
    read_recipe(path)


def _katago_seeds(folder: Path) -> list[bytes]:
    from tests.models.netfiles.katago_nets import RandomNet

    kinds = ((8, ("o", "g")), (11, (("o", "g"),)), (13, ("g",)), (16, (("o", ("o",)),)))
    return [
        RandomNet(version, blocks, channels=3).file(binary=binary, zipped=zipped)
        for version, blocks in kinds
        for binary in (True, False)
        for zipped in (True, False)
    ]


def _leela_seeds(folder: Path) -> list[bytes]:
    from tests.models.netfiles.katago_nets import RandomLeela

    return [RandomLeela(3, version, 3, version).file(zipped=zipped) for version in (1, 2) for zipped in (True, False)]


def _load_go_net(data: bytes, folder: Path) -> None:
    path = folder / "fuzzed.bin.gz"
    path.write_bytes(data)
    import_go_net(path, folder / "imported.onnx")


# Files of training


def _tiny_config(**given: Any) -> TrainConfig:
    values = {"game": TICTACTOE, "iterations": 1, "blocks": 1, "channels": 8, "simulations": 4, "fast_simulations": 2}
    return TrainConfig.from_dict({**values, "games": 4, **given})


def _toml_seeds(folder: Path) -> list[bytes]:
    return [to_toml(_tiny_config()).encode(), b'game = "connect4"\nminutes = 3\n']


def _load_toml(data: bytes, folder: Path) -> None:
    path = folder / RUN_TOML
    path.write_bytes(data)
    values = read_settings(path)
    usable(values)
    to_toml(TrainConfig.from_dict(values))


def _shard_seeds(folder: Path) -> list[bytes]:
    player = SelfPlay(load_game(TICTACTOE), UniformEvaluator(9), _tiny_config(), games=4, seed=5)
    samples, _ = player.play(UniformEvaluator(9), 12, net_step=5)
    save_shard(folder, 1, samples)
    return [shard_path(folder, 1).read_bytes()]


def _load_shard(data: bytes, folder: Path) -> None:
    path = shard_path(folder, 2)
    path.write_bytes(data)
    load_shard(path, load_game(TICTACTOE))


def run_files(folder: Path) -> dict[str, bytes]:
    """Return the files of a run except its nets, by name."""
    config = _tiny_config()
    reports = Reports(folder / REPORTS)
    evaluator, note = (
        Text("{net} on {device}", net="torch", device="CPU"),
        Text("{share:.1%} of {of!r}", share=0.5, of="a"),
    )
    reports.append("start", 0.0, config=config.to_dict(), evaluator=evaluator, threads=1, notes=[note, "a note"])
    row = {"games_total": 9, "policy_loss": 1.5, "calibration": [[0.1, 0.2, 3]], "learning_rate": 1e-3}
    reports.append("iteration", 65.0, iteration=1, step=4, **row)
    reports.append("checkpoint", 66.0, step=4, iteration=1, net="nets/step-00000004.onnx")
    reports.append("exam", 67.0, step=4, net="x", results={"L1": {"right": 3, "of": 5}})
    match = {"players": ["random", "rollouts:100"], "wins": 3, "draws": 1, "losses": 4}
    reports.append("match", 68.0, **match)
    reports.append("ladder", 69.0, step=4, ratings={"random": [0, 0, 0], "step-00000004": [10, -50, 70.5]}, best=None)
    reports.append("stopped", 70.0, reason="minutes reached")
    game = LiveGame(1, (0,), (4, 8), 3, True, 1.0, 0.5, ((1, 30, 0.25, 0.5), (2, 3, -0.5, 0.1)), note)
    LiveWriter(folder / LIVE).write([game, game])
    write_card(folder, folder / "net.onnx", TICTACTOE, 4)
    process = Running(os.getpid(), 1.7e9, Text("playing {what}", what=note), 1.7e9, "a1", "b2:3", ("/run", "4:5"))
    return {
        RUN_TOML: to_toml(config).encode(),
        REPORTS: (folder / REPORTS).read_bytes(),
        RUNNING_FILE: json.dumps(with_texts(asdict(process))).encode(),
        COMMAND: b'{"command": "pause"}',
        ABOUT: b'{"note": "a note", "archived": true}',
        LIVE: (folder / LIVE).read_bytes(),
        LADDER_FILE: b"".join(json.dumps({**match, "simulations": n}).encode() + b"\n" for n in (100, 100, 7)),
        "net.json": card_path(folder / "net.onnx").read_bytes(),
    }


def with_name(name: str, data: bytes) -> bytes:
    """Return a file of a run as one text: its name, a line feed, its bytes."""
    return name.encode() + b"\n" + data


def lay_run(data: bytes, run: Path, sound: dict[str, bytes]) -> None:
    """Write a run's folder with the one file in ``data`` and valid others."""
    run.mkdir(exist_ok=True)
    name, _, content = data.partition(b"\n")
    damaged = next((one for one in _RUN_FILES if one.encode() == name), REPORTS)
    for one, whole in sound.items():
        (run / one).write_bytes(content if one == damaged else whole)


def _run_seeds(folder: Path) -> list[bytes]:
    return [with_name(name, data) for name, data in run_files(folder).items()]


_sound: dict[str, bytes] = {}


def _load_run(data: bytes, folder: Path) -> None:
    if not _sound:
        _sound.update(run_files(folder))
    run = folder / "run"
    lay_run(data, run, _sound)
    for report in read_reports(run / REPORTS):
        if report["event"] == "iteration":
            report_line({"games_total": 0, "elapsed_s": 0.0, **report})
        elif report["event"] not in ("start", "gate"):
            event_line({"elapsed_s": 0.0, **report})
    repair_reports(run / REPORTS, {"event": "iteration", "iteration": 1, "step": 4})
    read_live(run / LIVE)
    read_command(run)
    read_about(run)
    running(run)
    ratings = Ladder(run, load_game(TICTACTOE), 100).ratings()
    if not all(map(math.isfinite, ratings.elo)):
        raise AssertionError("the ratings are no numbers")
    write_card(run, run / "net.onnx", TICTACTOE, 4)
    read_running(run)
    usable(read_settings(run / RUN_TOML))


def _change_run_file(rng: random.Random, data: bytes) -> bytes:
    name, _, content = data.partition(b"\n")
    kinds = {RUN_TOML.encode(): (in_toml,), REPORTS.encode(): (in_lines,), LADDER_FILE.encode(): (in_lines,)}
    change: Change = rng.choice((*kinds.get(name, (in_json, in_json, in_text)), *BYTES[:3]))
    return name + b"\n" + change(rng, content)


def _checkpoint_seeds(folder: Path) -> list[bytes]:
    import torch

    from models.nets.checkpoint import Checkpoint, save_checkpoint
    from models.nets.net import PolicyValueNet

    config = _tiny_config()
    net = PolicyValueNet.for_game(load_game(TICTACTOE), config.net_config())
    optimizer = torch.optim.AdamW(net.parameters())
    meta = {
        "config": config.to_dict(),
        "progress": {"iteration": 1, "step": 4, "games": 9, "samples": 9, "elapsed_s": 1.0},
    }
    extra = {"torch_rng": torch.get_rng_state()}
    save_checkpoint(
        folder / "seed.pt", Checkpoint(net.state_dict(), net.state_dict(), optimizer.state_dict(), meta, extra)
    )
    return [(folder / "seed.pt").read_bytes()]


def _load_checkpoint(data: bytes, folder: Path) -> None:
    from models.nets.checkpoint import load_checkpoint, load_weights
    from models.nets.net import PolicyValueNet
    from models.training.figures import progress_from

    path = folder / "fuzzed.pt"
    path.write_bytes(data)
    checkpoint = load_checkpoint(path)
    progress_from(checkpoint.meta.get("progress"))
    net = PolicyValueNet.for_game(load_game(TICTACTOE), _tiny_config().net_config())
    load_weights(net, checkpoint.net, path)
    load_weights(net, checkpoint.averaged, path)


LOADERS: Final = (
    Loader("lesson", lesson_seeds, load_lesson, (*BYTES, in_text, in_text, *[in_words] * 4)),
    Loader("sgf", sgf_seeds, load_sgf, (*BYTES, in_text, in_text)),
    *damage_formats.LOADERS,
    Loader("gtp", dialogues, answer, (flip, cut, in_text, in_text, in_lines)),
    Loader("session", session_seeds, load_saved_session, (*BYTES, *[in_zip] * 8)),
    Loader("tree", tree_seeds, load_saved_tree, (*BYTES, *[in_zip] * 8)),
    Loader("net", _net_seeds, _load_net, (*BYTES, *[in_protobuf] * 8), memory=5 << 30),
    Loader("recipe", _recipe_seeds, _load_recipe, (*BYTES, in_text, in_text)),
    Loader("katago", _katago_seeds, _load_go_net, (*BYTES, *[in_words] * 8)),
    Loader("leela", _leela_seeds, _load_go_net, (*BYTES, *[in_words] * 6)),
    Loader("audit", audit_seeds, load_audit, (*BYTES, *[in_lines] * 8)),
    Loader("openings", opening_seeds, load_openings, (*BYTES, in_text, in_text)),
    Loader("settings", _toml_seeds, _load_toml, (*BYTES, *[in_toml] * 6, in_text)),
    Loader("shard", _shard_seeds, _load_shard, (*BYTES, *[in_zip] * 8)),
    Loader("run", _run_seeds, _load_run, (_change_run_file,)),
    Loader("checkpoint", _checkpoint_seeds, _load_checkpoint, (*BYTES, *[in_zip] * 4)),
)
