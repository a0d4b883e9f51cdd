"""Named inputs and outputs of a net file and their shapes."""

from dataclasses import dataclass
from typing import Any, Final

INPUT: Final = "input"
OUTPUT: Final = "output"


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """A named input or output; a free dimension is None."""

    name: str
    shape: tuple[int | None, ...]
    dtype: str  # as onnxruntime writes it: "tensor(float)"


def tensor_info(node: Any) -> TensorInfo:
    shape = tuple(size if isinstance(size, int) else None for size in node.shape)
    return TensorInfo(str(node.name), shape, str(node.type))


def fits(shape: tuple[int | None, ...], wanted: tuple[int | None, ...]) -> bool:
    """Whether two shapes have the same rank and equal sizes wherever both are known."""
    pairs = zip(shape, wanted, strict=False)
    return len(shape) == len(wanted) and all(a == b or a is None or b is None for a, b in pairs)


def row_size(tensor: TensorInfo, single: bool) -> int | None:
    """Numbers per position in an output whose first axis is the batch; None when a size is free.

    single: the batch size is fixed at 1, so that outputs may lack the batch axis.
    """
    size = 1
    for length in tensor.shape if single else tensor.shape[1:]:
        if length is None:
            return None
        size *= length
    return size


def names(tensors: tuple[TensorInfo, ...]) -> str:
    return ", ".join(f"{t.name} {shape_text(t.shape)}" for t in tensors) or "none"


def shape_text(shape: tuple[int | None, ...]) -> str:
    return "[" + ", ".join("batch" if size is None else str(size) for size in shape) + "]"
