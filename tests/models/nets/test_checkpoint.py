"""Checkpoints: the round trip, files that are none, and writes that fail half-way."""

import os
import pickle
from pathlib import Path

import pytest
import torch

from models.nets.checkpoint import BadCheckpoint, Checkpoint, load_checkpoint, load_weights, save_checkpoint


def make(value: float = 1.0) -> tuple[torch.nn.Module, Checkpoint]:
    torch.manual_seed(0)
    net = torch.nn.Linear(3, 2)
    optimizer = torch.optim.AdamW(net.parameters())
    net(torch.ones(1, 3)).sum().backward()
    optimizer.step()
    averaged = {name: tensor * value for name, tensor in net.state_dict().items()}
    return net, Checkpoint(net.state_dict(), averaged, optimizer.state_dict(), {"step": 7, "rng": [1 << 90, "x"]})


@pytest.mark.parametrize("how", ["replace", "fsync"])
def test_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    path = tmp_path / "c.pt"
    save_checkpoint(path, make(1.0)[1])

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, how, fail)
    with pytest.raises(OSError, match="No space left"):
        save_checkpoint(path, make(3.0)[1])
    assert list(tmp_path.iterdir()) == [path]
    read = load_checkpoint(path)
    assert torch.equal(read.averaged["weight"], read.net["weight"])


class Trap:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("sprung",)


@pytest.mark.filterwarnings("ignore:Detected pickle protocol")
def test_nothing_is_executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    torch.save({"net": Trap()}, tmp_path / "trap.pt")
    (tmp_path / "plain.pt").write_bytes(pickle.dumps(Trap()))
    for name in ("trap.pt", "plain.pt"):
        with pytest.raises(BadCheckpoint, match=f"{name}' is not a Plyscope checkpoint, or is damaged"):
            load_checkpoint(tmp_path / name)
    assert not (tmp_path / "sprung").exists()


def test_files_that_are_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(BadCheckpoint, match="cannot be read: No such file"):
        load_checkpoint(tmp_path / "none.pt")
    (tmp_path / "empty.pt").touch()
    (tmp_path / "text.pt").write_text("hello")
    save_checkpoint(tmp_path / "whole.pt", make()[1])
    data = (tmp_path / "whole.pt").read_bytes()
    (tmp_path / "half.pt").write_bytes(data[: len(data) // 2])
    torch.save({"weights": torch.ones(2)}, tmp_path / "other.pt")
    for name in ("empty.pt", "text.pt", "half.pt", "other.pt"):
        with pytest.raises(BadCheckpoint, match=f"{name}' is not a Plyscope checkpoint"):
            load_checkpoint(tmp_path / name)


def test_weights_of_another_shape_are_refused() -> None:
    _, checkpoint = make()
    with pytest.raises(BadCheckpoint, match=r"'c\.pt' holds a net of another shape: size mismatch for weight"):
        load_weights(torch.nn.Linear(4, 2), checkpoint.net, "c.pt")
