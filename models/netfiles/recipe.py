"""Recipes: what the inputs and outputs of a net from elsewhere mean, as a small JSON table.

A recipe lies in a net file's metadata or as JSON beside the file (``net.recipe.json`` for ``net.onnx``).
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.checks import short
from core.files.reading import BadFile, Fields, parse_json, read_bytes
from core.games import load_game
from core.games.past_boards import MOST_BOARDS
from core.text import Text, text_of
from models.netfiles.katago_metadata import players
from models.netfiles.ort_session import BadNet

BESIDE: Final = ".recipe.json"
ENCODING_PREFIX: Final = "recipe: "  # of the name of an encoding, before the planes
AUTO: Final = "auto"

# What one plane, or one number of an input without a board, holds.
PLANES: Final = {
    "mine": "stones of the side to move",
    "theirs": "stones of the other side",
    "first": "stones of the player who began",
    "second": "stones of the other player",
    "empty": "empty cells",
    "mine-theirs": "+1 mine, -1 theirs",
    "first-second": "+1 first, -1 second",
    "last": "the last move",
    "legal": "cells where a stone may be put",
    "first to move": "1 when the first player is to move, else 0",
    "second to move": "1 when the second player is to move, else 0",
    "colour": "+1 when the first player is to move, else -1",
    "row": "0 in the top row to 1 in the bottom row",
    "column": "0 in the left column to 1 in the right one",
    "ones": "1 everywhere",
    "zeros": "0 everywhere",
}
# Those of which there are earlier ones: ``mine 2``, two moves ago; ``last 2``, the move before the last.
PAST: Final = ("mine", "theirs", "first", "second", "empty", "mine-theirs", "first-second", "last")
LAYOUTS: Final = (AUTO, "nchw", "nhwc", "numbers")
ROWS: Final = ("top", "bottom")
POLICY_KINDS: Final = ("logits", "log-probabilities", "probabilities")
MOVES: Final = (AUTO, "actions", "cells")
PASSES: Final = ("last", "first")
VALUE_KINDS: Final = (
    "value",
    "win-probability",
    "wdl-logits",
    "wdl-probabilities",
    "wld-logits",
    "wld-probabilities",
)
SIDES: Final = ("mover", "first")

_MOST_BYTES: Final = 1 << 20
MOST_PLANES: Final = 512
_DIGITS: Final = 4  # of a number of boards, one more than allowed


@dataclass(frozen=True, slots=True)
class RecipeInput:
    """One input of a net.

    name: "" for the only one.  planes: words of ``PLANES``, with a minus in front for the negative, and for those of
    ``PAST`` with a number behind.  layout: ``nchw``,
    ``nhwc``, also for flat inputs the order of their numbers, ``auto`` by shape, or ``numbers``: one for each plane.
    """

    planes: tuple[str, ...]
    name: str = ""
    layout: str = AUTO


@dataclass(frozen=True, slots=True)
class Recipe:
    """The inputs and outputs of one net.

    rows: which row of the board comes first in its planes; policy_rows: in its policy.  transposed: columns come
    before rows in both.  policy_output, value_output: their names; "" finds them by their shapes.  moves: the policy
    has an entry for each of the game's ``actions`` or for each of its ``cells``.  pass_at: where the entry for a pass
    is, if the policy has one more than there are moves.  value_for: ``mover`` or ``first``, whose value it is.
    profile: the players that a human net of KataGo imitates (:mod:`models.netfiles.katago_metadata`); with one,
    ``inputs`` is () and the rest has no meaning.
    """

    inputs: tuple[RecipeInput, ...]
    game: str = ""
    name: str = ""
    rows: str = ROWS[0]
    transposed: bool = False
    policy_output: str = ""
    policy: str = POLICY_KINDS[0]
    moves: str = AUTO
    pass_at: str = PASSES[0]
    policy_rows: str = ROWS[0]
    value_output: str = ""
    value: str = VALUE_KINDS[0]
    value_for: str = SIDES[0]
    profile: str = ""

    @property
    def planes(self) -> tuple[str, ...]:
        """The planes of all inputs."""
        return tuple(word for part in self.inputs for word in part.planes)

    @property
    def encoding_name(self) -> str:
        """What an evaluator calls its encoding, from which ``planes_of`` reads the planes."""
        return ENCODING_PREFIX + ", ".join(self.planes)

    @property
    def summary(self) -> str:
        """The recipe in one line."""
        if self.profile:
            return self.profile
        planes = "; ".join(", ".join(part.planes) for part in self.inputs)
        words: list[str] = [planes]
        words += [f"rows from the {self.rows}"] if self.rows != ROWS[0] else []
        words += ["transposed"] if self.transposed else []
        words.append(f"policy {self.policy}")
        words += [f"policy rows from the {self.policy_rows}"] if self.policy_rows != self.rows else []
        words.append(f"{self.value} for {self.value_for}" if self.value_for != SIDES[0] else self.value)
        return " | ".join(filter(None, (self.name, *words)))

    def to_json(self) -> str:
        """As :func:`parse_recipe` reads it."""
        if self.profile:
            return json.dumps({"recipe": 1, "profile": self.profile})
        data = {
            "recipe": 1,
            "name": self.name,
            "game": self.game,
            "inputs": [asdict(part) for part in self.inputs],
            "rows": self.rows,
            "transposed": self.transposed,
            "policy": {
                "output": self.policy_output,
                "kind": self.policy,
                "moves": self.moves,
                "pass": self.pass_at,
                "rows": self.policy_rows,
            },
            "value": {"output": self.value_output, "kind": self.value, "for": self.value_for},
        }
        return json.dumps(data, indent=1)


def for_profile(profile: str) -> Recipe:
    """The recipe by which a human net of KataGo imitates a profile's players; ``ValueError`` for an unknown one."""
    players(profile)
    return Recipe((), profile=profile)


def planes_of(encoding_name: str) -> tuple[str, ...]:
    """The planes that an encoding's name lists; () for an encoding that is no recipe's."""
    if not encoding_name.startswith(ENCODING_PREFIX):
        return ()
    return tuple(encoding_name.removeprefix(ENCODING_PREFIX).split(", "))


class Plane(NamedTuple):
    """What a word of a recipe means."""

    name: str  # one of PLANES
    ago: int  # moves before the present position
    negative: bool


def plane_of(word: str) -> Plane | None:
    """The meaning of a plane's word; None for a word that is none."""
    text = word.removeprefix("-")
    if text in PLANES:
        return Plane(text, 0, text != word)
    name, _, number = text.rpartition(" ")
    counted = int(number) if number.isdecimal() and len(number) < _DIGITS else 0
    ago = counted - 1 if name == "last" else counted
    return Plane(name, ago, text != word) if name in PAST and 0 < ago < MOST_BOARDS else None


def past_word(name: str, ago: int) -> str:
    """The word for a plane of ``PAST`` so many moves ago."""
    return f"{name} {ago + 1 if name == 'last' else ago}" if ago else name


def boards_in(words: Iterable[str]) -> int:
    """How many boards these planes show, the present one included."""
    return 1 + max((plane.ago for plane in map(plane_of, words) if plane), default=0)


def parse_recipe(data: bytes | str) -> Recipe:
    """The recipe in a JSON text; BadFile when it is none."""
    fields = Fields(parse_json(data), "a recipe")
    fields.whole("recipe", 1, 1, 1)
    if "profile" in fields.values:
        _check_names(fields, ("recipe", "profile"))
        return for_profile(fields.text("profile"))
    _check_names(
        fields, ("recipe", "name", "game", "inputs", "planes", "layout", "rows", "transposed", "policy", "value")
    )
    policy, value = (fields.object(part, {}) for part in ("policy", "value"))
    _check_names(policy, ("output", "kind", "moves", "pass", "rows"))
    _check_names(value, ("output", "kind", "for"))
    if "planes" in fields.values:  # short for a net with one input
        inputs: tuple[RecipeInput, ...] = (
            _input(Fields({key: fields.values.get(key) for key in ("planes", "layout")})),
        )
    else:
        inputs = tuple(_input(Fields(part, "an input")) for part in fields.list("inputs"))
    if not inputs or sum(len(part.planes) for part in inputs) > MOST_PLANES:
        raise BadFile(f"a recipe has from 1 to {MOST_PLANES} planes")
    game = fields.text("game", "")
    if game:
        game = load_game(game).text
    rows = fields.choice("rows", ROWS, ROWS[0])
    return Recipe(
        inputs,
        game,
        fields.text("name", "")[:80],
        rows,
        fields.flag("transposed", False),
        policy.text("output", ""),
        policy.choice("kind", POLICY_KINDS, POLICY_KINDS[0]),
        policy.choice("moves", MOVES, MOVES[0]),
        policy.choice("pass", PASSES, PASSES[0]),
        policy.choice("rows", ROWS, rows),
        value.text("output", ""),
        value.choice("kind", VALUE_KINDS, VALUE_KINDS[0]),
        value.choice("for", SIDES, SIDES[0]),
    )


def _input(fields: Fields) -> RecipeInput:
    _check_names(fields, ("name", "planes", "layout"))
    words = tuple(word for text in fields.list("planes") for word in _planes(text))
    if not words:
        raise BadFile("an input of a recipe has no planes")
    return RecipeInput(words, fields.text("name", ""), fields.choice("layout", LAYOUTS, LAYOUTS[0]))


def _planes(word: object) -> list[str]:
    """The planes that a text of the list means: itself, or for ``mine, theirs x 8`` those of eight boards in turn."""
    text = " ".join(word.split()) if isinstance(word, str) else ""
    names, _, number = text.rpartition(" x ")
    if number.isdecimal() and len(number) < _DIGITS:
        boards = range(min(int(number), MOST_BOARDS + 1))
        plane_names = [past_word(name.strip(), ago) for ago in boards for name in names.split(",")]
    else:
        plane_names = [text]
    if not plane_names:
        raise _no_plane(word)
    for name in plane_names:
        if plane_of(name) is None:
            raise _no_plane(name if isinstance(word, str) else word)
    return plane_names


def _no_plane(word: object) -> BadFile:
    name, _, number = str(word).removeprefix("-").rpartition(" ")
    if name in PLANES and number.isdecimal():
        return BadFile(
            f"{short(word)} is no plane: earlier ones, up to {MOST_BOARDS - 1} moves ago, are known "
            f"of {', '.join(PAST)}"
        )
    return BadFile(f"{short(word)} is no plane; a plane is one of {', '.join(PLANES)}")


def _check_names(fields: Fields, names: tuple[str, ...]) -> None:
    """BadFile for a name that is not read: it may be a misspelt one."""
    for name in fields.values:
        if name not in names:
            raise BadFile(f"{short(name)} is no part of a recipe; allowed here: {', '.join(names)}")


def read_recipe(path: Path, game: str = "") -> Recipe:
    """The recipe in a JSON file, for ``game`` where it names none; :class:`BadNet` says what is wrong with it."""
    try:
        recipe = parse_recipe(read_bytes(path, _MOST_BYTES))
        return recipe if recipe.game else replace(recipe, game=game)
    except OSError as error:
        raise BadNet(
            Text("{path!r} cannot be read: {strerror}", path=str(path), strerror=error.strerror or str(error))
        ) from None
    except ValueError as error:
        raise BadNet(Text("{path!r} is no recipe for a net: {error}", path=str(path), error=text_of(error))) from None


def beside(net: Path) -> Path:
    """Where the recipe of a net file lies if it is not in the file."""
    return net.with_suffix(BESIDE)


def stored(metadata: dict[str, str], key: str, net: Path) -> Recipe | None:
    """The recipe beside a net file, which corrects it, else that in its metadata; None where there is none, BadNet for
    a bad one."""
    if beside(net).is_file():
        return read_recipe(beside(net))
    if (text := metadata.get(key)) is None:
        return None
    try:
        return parse_recipe(text)
    except ValueError as error:
        raise BadNet(
            Text("{file} has damaged metadata: its recipe: {error}", file=net.name, error=text_of(error))
        ) from None


def json_of(value: Any) -> Any:
    """A recipe as data of JSON; None for None."""
    return None if value is None else json.loads(value.to_json())
