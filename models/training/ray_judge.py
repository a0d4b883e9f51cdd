"""Exams and bouts of kept nets on a machine of a Ray cluster, in a process of their own, so that the learner's machine
has no work with them.

The nets travel with each question, so that nothing depends on what came before: a judge that dies begins again, on
another machine if its own is gone.  The results are those of a judge in the learner's process.

Nothing here imports Ray but inside functions, so that this file can be imported without it.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from core.games import GameSpec, load_game
from core.text import Text, text_of
from models.cluster.connect import Connection
from models.cluster.versions import WAIT_S, Fitness
from models.runs.config import TrainConfig
from models.runs.folder import RunError, net_path
from models.runs.scratch import ScratchFolder
from models.strength.exams import ExamResult
from models.strength.ladder import NETS_FOLDER, BoutResult, Ladder
from models.training.measuring import LocalJudge

_TICK_S: Final = 0.2  # between two looks at whether to stop

Nets = Mapping[str, bytes]  # content of files of nets by name


class JudgeActor:
    """Plays the bouts and takes the exams that it is asked for."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        config = TrainConfig.from_dict({**settings, "self_play.openings": ""})
        self._scratch = ScratchFolder("plyscope-judge-")
        self._folder = self._scratch.path
        (self._folder / NETS_FOLDER).mkdir()
        self._judge = LocalJudge(self._folder, load_game(config.game), config)

    def bout(self, pair: tuple[str, str], games: int, step: int, number: int, nets: Nets) -> BoutResult | None:
        """Play a bout before which ``number`` were played."""
        self._take(nets)
        return self._judge.ladder.play(pair, games, step, number)

    def exam(self, step: int, nets: Nets) -> dict[str, ExamResult]:
        self._take(nets)
        return self._judge.exam(step, lambda: False)

    def _take(self, nets: Nets) -> None:
        for name, data in nets.items():
            path = self._folder / NETS_FOLDER / name
            if not path.exists():
                path.write_bytes(data)


class RayJudge:
    """A judge on a machine of the cluster: one that this process is not on, if there is another."""

    def __init__(self, config: TrainConfig, connection: Connection, folder: Path, game: GameSpec) -> None:
        """``folder``: the run's, whose ladder and nets these are."""
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        self._ray = ray
        self.ladder = Ladder(folder, game, config.strength.ladder_simulations, config.run.seed)
        nodes = [node for node in connection.nodes() if node.processors]
        nodes = Fitness("models.training.ray_judge").fit(nodes, WAIT_S)
        if not nodes:
            raise RunError(Text("the cluster at {address!r} has no machine for players", address=connection.address))
        this_node = ray.get_runtime_context().get_node_id()
        node = max(nodes, key=lambda candidate: (candidate.id != this_node, candidate.processors))
        device = "cpu" if config.run.device == "cpu" else "auto"
        # Ends with this process: nothing of it is needed by a run that resumes.
        self._actor: Any = (
            ray.remote(JudgeActor)
            .options(
                num_cpus=0,
                max_restarts=-1,
                max_task_retries=-1,
                scheduling_strategy=NodeAffinitySchedulingStrategy(node.id, soft=True),
            )
            .remote({**config.to_dict(), "run.device": device})
        )

    def bout(self, pair: tuple[str, str], games: int, step: int, should_stop: Callable[[], bool]) -> BoutResult | None:
        number = len(self.ladder.records())
        call = self._actor.bout.remote(pair, games, step, number, self._nets(*pair))
        result: BoutResult | None = self._answer(call, should_stop)
        if result is not None:
            self.ladder.record(result)
        return result

    def exam(self, step: int, should_stop: Callable[[], bool]) -> dict[str, ExamResult]:
        return self._answer(self._actor.exam.remote(step, self._nets(Path(net_path(step)).stem)), should_stop) or {}

    def close(self) -> None:
        """End the actor, and what it is doing."""
        with suppress(Exception):  # the cluster may be gone
            self._ray.kill(self._actor)

    def _nets(self, *players: str) -> dict[str, bytes]:
        """The nets among ``players``."""
        paths = [self.ladder.folder / NETS_FOLDER / f"{player}.onnx" for player in players]
        return {path.name: path.read_bytes() for path in paths if path.is_file()}

    def _answer(self, call: Any, should_stop: Callable[[], bool]) -> Any:
        """What the actor answers; None when stopped."""
        while not should_stop():
            ready, _ = self._ray.wait([call], timeout=_TICK_S)
            if not ready:
                continue
            try:
                return self._ray.get(call)
            except self._ray.exceptions.RayTaskError as error:
                cause = error.cause if isinstance(error.cause, Exception) else error
                reason = text_of(cause) if isinstance(cause, ValueError) else f"{type(cause).__name__}: {cause}"
                raise RunError(Text("exams and matches failed on the cluster: {error}", error=reason)) from None
            except self._ray.exceptions.RayError as error:
                first = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
                raise RunError(Text("exams and matches failed on the cluster: {error}", error=first)) from None
        return None
