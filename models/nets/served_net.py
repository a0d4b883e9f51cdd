"""A torch net as an inference server evaluates it: buffers kept, batch sizes planned, weights changed in place.

On a GPU the buffers are pinned, the work is on a stream of its own, and each batch size of each
buffer is one CUDA graph: copy in, net, copy out.  On a processor the thread that waits computes.
Letters: B batch, C planes, H W board, G features, A actions.
"""

import threading
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from core.games import GameSpec
from core.games.encoding import Inputs
from core.games.net_inputs import encoding_for
from core.text import Text
from models.netfiles.agreement import Play, compare
from models.netfiles.cuda import failure
from models.netfiles.heads import leads_of
from models.netfiles.quantise import PLAYING_GATE
from models.nets.net import PolicyValueNet, folded, has_fast_bf16
from models.play.inference_server import BUFFERS, buckets_up_to
from models.play.leaf_lanes import Array, LaneShape

PRECISIONS: Final = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}

_COMPARED: Final = 64  # positions
_WARM_RUNS: Final = 3  # before a graph is recorded


class _Buffer(NamedTuple):
    """One buffer, in memory that a GPU reads and writes by itself where there is one."""

    planes: Tensor  # [B, C, H, W]
    features: Tensor  # [B, G]
    logits: Tensor  # [B, A]
    values: Tensor  # [B]
    score: Tensor  # [B, 2] mean and standard deviation of the lead; [B, 0] without leads


class TorchServedNet:
    """A copy of a net for an inference server: folded, channels last, in the fewest bits whose answers pass the gate
    of self-play."""

    def __init__(
        self,
        net: PolicyValueNet,
        game: GameSpec,
        device: torch.device,
        most: int,
        precisions: Sequence[str] = (),
        graphs: bool = True,
    ) -> None:
        """most: rows of a batch.  precisions: those to try, in this order, before fp32; by default the fast ones of the
        device.  graphs: record CUDA graphs, where there is CUDA."""
        encoding = encoding_for(game, net.config.inputs)
        shape = LaneShape.of(game, encoding, most)
        self.buckets = buckets_up_to(most)
        self.note = ""  # why a batch size has no graph
        self._device, self._with_graphs = device, graphs and device.type == "cuda"
        self._buffers = [self._make_buffer(shape) for _ in range(BUFFERS)]
        self._rooms = [Inputs(buffer.planes.numpy(), buffer.features.numpy()) for buffer in self._buffers]
        self._begun = [0] * BUFFERS
        self._lock = threading.Lock()  # weights change between batches
        self._threaded: set[int] = set()  # threads that have been told how many threads torch may use
        self._stream: Any = None
        self._done: list[Any] = []
        if device.type == "cuda":
            self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
            self._done = [torch.cuda.Event(blocking=True) for _ in range(BUFFERS)]  # type: ignore[no-untyped-call]
        self._compared = Play(game, encoding, _COMPARED, np.random.default_rng(0)).positions()
        fast = has_fast_bf16(device)
        self._precisions = tuple(precisions) or (("bf16",) if fast else ()) + (
            ("fp16",) if device.type == "cuda" else ()
        )
        self._graphs: dict[tuple[int, int], Any] = {}
        self.precision = ""
        self._take(folded(net).to(device).to(memory_format=torch.channels_last))  # type: ignore[call-overload]

    def load(self, net: PolicyValueNet) -> None:
        """Change the weights in place, between two batches.  The precision changes where the gate demands it."""
        fresh = folded(net).to(self._device)
        with self._lock:
            if not self._passes(fresh, self.precision):
                self._take(fresh.to(memory_format=torch.channels_last))  # type: ignore[call-overload]
                return
            with torch.no_grad(), self._on_stream():
                for old, new in zip(self._net.parameters(), fresh.parameters(), strict=True):
                    old.copy_(new)
                for mine, other in zip(self._net.buffers(), fresh.buffers(), strict=True):
                    mine.copy_(other)
            if self._stream is not None:
                self._stream.synchronize()  # ``fresh`` is freed now

    # What the server calls.

    def room(self, buffer: int) -> Inputs:
        return self._rooms[buffer]

    def begin(self, buffer: int, bucket: int) -> None:
        self._begun[buffer] = bucket
        if self._stream is None:
            return
        with self._lock, torch.no_grad(), self._on_stream():
            graph = self._graphs.get((buffer, bucket))
            if graph is None:
                self._run(buffer, bucket)
            else:
                graph.replay()
            self._done[buffer].record(self._stream)

    def finish(self, buffer: int) -> tuple[Array, ...]:
        bucket, outputs = self._begun[buffer], self._buffers[buffer]
        if self._stream is not None:
            self._done[buffer].synchronize()
        else:
            if (me := threading.get_ident()) not in self._threaded:
                torch.set_num_threads(1)
                self._threaded.add(me)
            with self._lock, torch.inference_mode():
                self._run(buffer, bucket)
        answer = outputs.logits[:bucket].numpy(), outputs.values[:bucket].numpy()
        return (*answer, leads_of(outputs.score[:bucket].numpy())) if outputs.score.shape[1] else answer

    # Building.

    def _make_buffer(self, shape: LaneShape) -> _Buffer:
        rows, pinned = self.buckets[-1], self._device.type == "cuda"
        sizes = (shape.planes, (shape.features,), (shape.actions,), (), (2 if shape.leads else 0,))
        return _Buffer(*(torch.zeros((rows, *size), pin_memory=pinned) for size in sizes))

    def _on_stream(self) -> Any:
        return torch.cuda.stream(self._stream)  # None changes nothing

    def _take(self, whole: PolicyValueNet) -> None:
        """Begin with another copy of the net: choose its precision and record its graphs."""
        self.precision = next((precision for precision in self._precisions if self._passes(whole, precision)), "fp32")
        self._dtype = PRECISIONS[self.precision]
        self._net = whole.to(self._dtype)
        self._graphs, self.note = {}, ""
        if not self._with_graphs:
            return
        pool = torch.cuda.graph_pool_handle()
        for bucket in reversed(self.buckets):  # the largest first, whose memory the others use
            for buffer in range(BUFFERS):
                try:
                    self._graphs[buffer, bucket] = self._record(buffer, bucket, pool)
                except RuntimeError as error:
                    self.note = Text(
                        "no CUDA graph for batches of {batch}: {error}", batch=bucket, error=failure(error)
                    )
                    torch.cuda.synchronize(self._device)
                    return

    def _record(self, buffer: int, bucket: int, pool: Any) -> Any:
        with torch.no_grad():
            with self._on_stream():
                for _ in range(_WARM_RUNS):
                    self._run(buffer, bucket)
            self._stream.synchronize()
            graph = torch.cuda.CUDAGraph()
            # Another thread may learn on the same GPU meanwhile.
            with torch.cuda.graph(graph, pool=pool, stream=self._stream, capture_error_mode="thread_local"):
                self._run(buffer, bucket)
        return graph

    def _run(self, buffer: int, bucket: int) -> None:
        """Evaluate the first ``bucket`` rows: copies in, net, copies out."""
        rows_buffer = self._buffers[buffer]
        planes = rows_buffer.planes[:bucket].to(self._device, non_blocking=True)
        shown = planes.to(self._dtype).contiguous(memory_format=torch.channels_last)
        features = (
            rows_buffer.features[:bucket].to(self._device, non_blocking=True) if rows_buffer.features.shape[1] else None
        )
        policy, value, _, *points = self._net(shown, features)
        rows_buffer.logits[:bucket].copy_(policy.float(), non_blocking=True)
        rows_buffer.values[:bucket].copy_(value.float(), non_blocking=True)
        if points:
            rows_buffer.score[:bucket].copy_(points[0].float(), non_blocking=True)

    def _passes(self, whole: PolicyValueNet, precision: str) -> bool:
        """Whether the answers in ``precision`` are close enough to those in float32 for self-play."""
        if precision == "fp32":
            return True
        lower = folded(whole).to(PRECISIONS[precision])
        mine, other = self._answers(whole, torch.float32), self._answers(lower, PRECISIONS[precision])
        agreement = compare(mine, other, self._compared.legal)
        return agreement is not None and PLAYING_GATE.passes(agreement)

    def _answers(self, net: PolicyValueNet, dtype: torch.dtype) -> tuple[Array, Array]:
        planes, features = (torch.from_numpy(part).to(self._device) for part in self._compared.inputs)
        with torch.inference_mode():
            policy, value, *_ = net(planes.to(dtype), features if features.shape[1] else None)
        return policy.float().cpu().numpy(), value.float().cpu().numpy()
