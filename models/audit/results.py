"""The file of an audit: what is audited, and a line for each position that was.

The file begins with a line about the audit and a line for each position, written at once; a line is appended when a
position is finished, and when a mistake is examined.  A process killed at any moment leaves at most one torn line at
the end, which is dropped when the audit is resumed.
"""

import json
import math
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from core.checks import short
from core.files.atomic import write_atomically
from core.files.reading import BadFile, Fields, parse_json, read_bytes
from core.games import GameSpec, load_game
from core.text import Text, text_of, texts_back, with_texts
from models.audit.answers import KINDS, Audited, Blame, Exact, NetAnswer
from models.audit.positions import Item
from models.strength.exams import after

SUFFIX: Final = ".audit"
MOST_BYTES: Final = 1 << 30
MOST_ITEMS: Final = 1_000_000
MOST_NETS: Final = 2
_FORMAT: Final = "plyscope audit"
_VERSION: Final = 1
_MOST_LINE: Final = 1 << 20
_MOST_NET_BYTES: Final = 4 << 30
_MOST_NOTES: Final = 20
_MANY_MOVES: Final = 64  # with more moves than this, those of little prior and without visits are left out
_KEPT_MOVES: Final = 24
_VISITS: Final = 1 << 31


@dataclass(frozen=True)
class NetFile:
    """A net of an audit: its file, and the hash by which it is recognised when the audit is resumed."""

    path: str
    sha256: str

    @property
    def name(self) -> str:
        """The name shown: that of the file, with its folder where the file's own says little."""
        path = Path(self.path)
        return f"{path.parent.name}/{path.name}" if path.parent.name else path.name


@dataclass(frozen=True)
class Plan:
    """What is audited."""

    game: str  # as load_game takes it
    nets: tuple[NetFile, ...]
    simulations: int
    solve_s: float
    source: str  # where the positions are from, for people
    notes: tuple[str, ...] = ()  # what was left out


@dataclass(frozen=True)
class Audit:
    """An audit as far as it went."""

    plan: Plan
    game: GameSpec
    items: tuple[Item, ...]
    done: tuple[Audited, ...]  # in the order of the positions
    blames: tuple[Blame, ...] = ()  # of the mistakes that were examined, in that order, for one net after the other

    @property
    def missing(self) -> list[tuple[int, Item]]:
        """The positions that are not finished, with their numbers."""
        finished = {audited.number for audited in self.done}
        return [(number, item) for number, item in enumerate(self.items) if number not in finished]


def net_file(path: Path) -> NetFile:
    """The net file at ``path``; OSError when it cannot be read."""
    return NetFile(str(path.resolve()), sha256(read_bytes(path, _MOST_NET_BYTES)).hexdigest())


def begin(path: Path, plan: Plan, items: Sequence[Item]) -> Audit:
    """Write the file of a new audit, replacing one that is there."""
    game = load_game(plan.game)
    about = {"format": _FORMAT, "version": _VERSION, **asdict(plan), "positions": len(items)}
    lines = [with_texts(about), *(_item_json(game, item) for item in items)]
    write_atomically(path, "".join(_line(line) for line in lines).encode())
    return Audit(plan, game, tuple(items), ())


def read_audit(path: Path) -> Audit:
    """Read the file of an audit; BadFile when it is none or damaged, OSError when it cannot be read."""
    try:
        return _read(read_bytes(path, MOST_BYTES))
    except ValueError as error:
        raise BadFile(
            Text("{path} is not an audit, or is damaged: {error}", path=short(str(path)), error=text_of(error))
        ) from None


class AuditWriter:
    """Appends finished positions to the file of an audit; a torn last line is removed first."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("r+b", buffering=0)
        data = self._file.read()
        whole = data.rfind(b"\n") + 1
        self._file.truncate(whole)
        self._file.seek(whole)

    def add(self, audited: Audited) -> None:
        """Append a finished position."""
        self._file.write(_line(_audited_json(audited)).encode())

    def add_blame(self, blame: Blame) -> None:
        """Append what is to blame for a mistake."""
        self._file.write(_line({"blame": with_texts(blame._asdict())}).encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()


# JSON.


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def _item_json(game: GameSpec, item: Item) -> dict[str, Any]:
    moves = " ".join(game.action_name(action) for action in item.moves)
    of_base = {} if item.base is None else {"base": item.base}
    return {"moves": moves, "outcome": item.outcome, "source": item.source, **of_base}


def _number(value: float) -> float | None:
    return float(f"{value:.6g}") if math.isfinite(value) else None


def _audited_json(audited: Audited) -> dict[str, Any]:
    exact = None
    if audited.exact is not None:
        exact = {"value": audited.exact.value, "moves": list(map(list, audited.exact.moves.items()))}
    return {"number": audited.number, "nets": [_answer_json(answer) for answer in audited.nets], "exact": exact}


def _answer_json(answer: NetAnswer) -> dict[str, Any]:
    rows = zip(answer.actions, answer.priors, answer.visits, answer.qs, answer.policy, strict=True)
    many = len(answer.actions) > _MANY_MOVES
    return {
        "value": _number(answer.value),
        "searched": _number(answer.searched),
        "best": answer.best,
        "proved": answer.proved,
        "moves": [
            [action, _number(prior), visits, _number(q), _number(policy)]
            for i, (action, prior, visits, q, policy) in enumerate(rows)
            if not many or i < _KEPT_MOVES or visits or policy > 0.0
        ],
    }


def _read(data: bytes) -> Audit:
    lines = data.split(b"\n")
    lines.pop()  # what follows the last newline: nothing, or a torn line
    if not lines:
        raise BadFile("it is empty")
    about = Fields(texts_back(Fields(_parsed(lines[0])).values))
    if about.values.get("format") != _FORMAT or about.values.get("version") != _VERSION:
        raise BadFile(f"its first line does not say {_FORMAT!r} of version {_VERSION}")
    nets = [Fields(net) for net in about.list("nets")]
    notes = about.list("notes", [])
    if not 1 <= len(nets) <= MOST_NETS or len(notes) > _MOST_NOTES or not all(isinstance(note, str) for note in notes):
        raise BadFile("an audit is of one net or two")
    plan = Plan(
        game=about.text("game"),
        nets=tuple(NetFile(net.text("path"), net.text("sha256")) for net in nets),
        simulations=about.whole("simulations", 2, _VISITS),
        solve_s=about.number("solve_s", 0.0, 1e6),
        source=about.text("source"),
        notes=tuple(notes),
    )
    game = load_game(plan.game)
    count = about.whole("positions", 0, MOST_ITEMS)
    if len(lines) < 1 + count:
        raise BadFile("it ends before its positions do")
    items: list[Item] = []
    for line in lines[1 : 1 + count]:
        items.append(_item_from(game, Fields(_parsed(line)), items))
    done: dict[int, Audited] = {}
    blames: dict[tuple[int, int], Blame] = {}
    for line in lines[1 + count :]:
        value = Fields(_parsed(line))
        if "blame" in value.values:
            blame = _blame_from(Fields(value.values["blame"]), len(nets), done)
            blames[blame.net, blame.number] = blame
        else:
            audited = _audited_from(game, items, len(nets), value)
            done[audited.number] = audited
    in_order = tuple(done[number] for number in sorted(done))
    return Audit(plan, game, tuple(items), in_order, tuple(blames[key] for key in sorted(blames)))


def _parsed(line: bytes) -> Any:
    if len(line) > _MOST_LINE:
        raise BadFile("a line of it is too long")
    return parse_json(line)


def _item_from(game: GameSpec, value: Fields, before: Sequence[Item]) -> Item:
    """A position; ``before``: those before it in the file."""
    names = value.text("moves").split()
    if len(names) > game.max_plies:
        raise BadFile("a position of it has too many moves")
    moves = tuple(game.parse_action(name) for name in names)
    if after(game, moves).is_over:
        raise BadFile("a position of it is over")
    base = value.whole("base", 0, len(before) - 1, None)
    if base is not None and (before[base].base is not None or before[base].moves != moves[:-2]):
        raise BadFile("a neighbour of it is not two moves from its position")
    return Item(moves, value.whole("outcome", -1, 1, None), value.text("source"), base)


def _audited_from(game: GameSpec, items: Sequence[Item], nets: int, value: Fields) -> Audited:
    number = value.whole("number", 0, len(items) - 1)
    answers = [Fields(answer) for answer in value.list("nets")]
    if len(answers) != nets:
        raise BadFile("an answer of a net is missing")
    exact_json = value.values.get("exact")
    exact = None
    if exact_json is not None:
        fields = Fields(exact_json)
        rows = [_row(row, 2) for row in fields.list("moves")]
        moves = {_whole(a, 0, game.num_actions - 1): _whole(v, -1, 1) for a, v in rows}
        exact = Exact(fields.whole("value", -1, 1), moves)
    audited = Audited(number, items[number], tuple(_answer_from(game, answer) for answer in answers), exact)
    if exact is not None and any({net.first, net.best} - exact.moves.keys() for net in audited.nets):
        raise BadFile("the exact values of a position are not those of its moves")
    return audited


def _blame_from(fields: Fields, nets: int, done: Collection[int]) -> Blame:
    value = Fields(texts_back(fields.values))
    blame = Blame(
        number=value.whole("number", 0, MOST_ITEMS),
        net=value.whole("net", 0, nets - 1),
        kind=value.text("kind"),
        sentence=value.text("sentence"),
    )
    if blame.kind not in KINDS:
        raise BadFile(f"what is to blame is {short(blame.kind)}; it must be one of {', '.join(KINDS)}")
    if blame.number not in done:
        raise BadFile("a mistake that was examined is of a position that was not searched")
    return blame


def _answer_from(game: GameSpec, value: Fields) -> NetAnswer:
    rows = [_row(row, 5) for row in value.list("moves")]
    if not rows:
        raise BadFile("an answer has no moves")
    actions, priors, visits, qs, policy = zip(*rows, strict=True)
    answer = NetAnswer(
        actions=tuple(_whole(action, 0, game.num_actions - 1) for action in actions),
        priors=tuple(_share(prior, 0.0) for prior in priors),
        visits=tuple(_whole(visit, 0, _VISITS) for visit in visits),
        qs=tuple(math.nan if q is None else _share(q, -1.001) for q in qs),
        policy=tuple(_share(share, 0.0) for share in policy),
        value=value.number("value", -1.001, 1.001, math.nan),
        searched=value.number("searched", -1.001, 1.001),
        best=value.whole("best", 0, game.num_actions - 1),
        proved=value.flag("proved"),
    )
    if answer.best not in answer.actions or len(set(answer.actions)) < len(answer.actions):
        raise BadFile("the moves of an answer do not fit its best move")
    return answer


def _row(value: Any, length: int) -> list[Any]:
    if not isinstance(value, list) or len(value) != length:
        raise BadFile(f"a move is {short(value)}; it must have {length} figures")
    return value


def _whole(value: Any, low: int, high: int) -> int:
    return Fields({"figure": value}).whole("figure", low, high)


def _share(value: Any, low: float) -> float:
    return Fields({"figure": value}).number("figure", low, 1.001)
