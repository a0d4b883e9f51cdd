"""Reads games of Othello in the Generic Game Format of GGS, NBoard and edax (.ggf).

A game is ``(;GM[Othello]PC[..]PB[..]PW[..]RE[+4.000]TY[8]BO[8 ---...--- *]B[d3//0.01]W[c5]...;)``: BO has the size,
the board from the top left and the side to move; a move is its point, perhaps its value and its seconds; RE is black's
lead in discs.  Sources: the tests of weltyc's ggf library, edax's game_import_ggf, NBoard's bug list.
"""

import re
from collections.abc import Sequence
from typing import Final

from core.checks import short
from core.files.reading import BadFile
from core.files.record import ROOT, GameRecord, played
from core.files.sgf import SgfFile
from core.games import GameSpec, Position, load_game
from core.games.walk import Walk
from core.text import Text, text_of

MAX_BYTES: Final = 16 << 20
BEGINNING: Final = re.compile(rb"\s*(?:\d{1,2}\s*)?\(;\s*GM\s*\[\s*Othello\s*\]", re.IGNORECASE)
_OPEN: Final = re.compile(r"\(\s*+;")
_PROPERTY: Final = re.compile(r"\s*+([A-Za-z]{1,8})\s*+\[([^\]]*+)(\]?)")
_CLOSE: Final = re.compile(r"\s*+;?\s*+\)")
MOST_GAMES: Final = 10_000
_INFO: Final = {"PB": "black", "PW": "white", "PC": "place", "DT": "date"}
_MOST_ERRORS: Final = 20
_MOST_TEXT: Final = 200  # characters of a name


def read_ggf(data: bytes, most: int | None = None, only: int | None = None) -> SgfFile:
    """The games of a file, ``most`` of them or the ``only`` one, from 1; BadFile when there is none."""
    if len(data) > MAX_BYTES:
        raise BadFile(f"it has more than {MAX_BYTES} bytes")
    text = data.decode("utf-8", "replace")
    games = _games(text)
    if not games:
        raise BadFile("there is no game of GGF in it, which begins with '(;GM[Othello]' and ends with ';)'")
    records: list[GameRecord] = []
    numbers: list[int] = []
    errors: list[str] = []
    for number, properties in enumerate(games, 1):
        if len(records) >= (MOST_GAMES if most is None else most):
            break
        if only not in (None, number):
            continue
        faults: list[str] = []
        try:
            records.append(_read_game(properties, faults))
            numbers.append(number)
        except ValueError as error:
            faults.append(text_of(error))
        where = len(games) > 1
        errors += [
            Text("game {number}: {sentence}", number=number, sentence=fault) if where else fault for fault in faults
        ]
    return SgfFile(tuple(records), tuple(errors[:_MOST_ERRORS]), len(games), tuple(numbers))


def _games(text: str) -> list[list[tuple[str, str]]]:
    """The properties of each game that ends, in order; each character is looked at once."""
    games: list[list[tuple[str, str]]] = []
    at = 0
    while (begin := _OPEN.search(text, at)) is not None:
        at = begin.end()
        properties: list[tuple[str, str]] = []
        while (match := _PROPERTY.match(text, at)) is not None:
            at = match.end()
            if not match[3]:
                return games
            properties.append((match[1], match[2]))
        if _CLOSE.match(text, at):
            games.append(properties)
    return games


def _read_game(properties: list[tuple[str, str]], faults: list[str]) -> GameRecord:
    stated = {name.upper(): value for name, value in reversed(properties)}  # the first of each name
    if stated.get("GM", "").strip().lower() != "othello":
        raise BadFile(Text("it is a game of {name}, not of Othello", name=short(stated.get("GM", ""))))
    if "a" in stated.get("TY", "").lower():
        raise BadFile(f"its type {short(stated['TY'])} is of anti-Othello, which has other rules")
    record = GameRecord(_start(stated.get("BO", "")))
    record.write_info({key: stated.get(name, "")[:_MOST_TEXT] for name, key in _INFO.items()}, ROOT)
    steps = [
        ("BW".index(name.upper()), value.split("/")[0].strip())
        for name, value in properties
        if name.upper() in ("B", "W")
    ]
    walk = Walk.of(record.start)
    moves, refusal = _moves(steps, record.game)
    count, actions = walk.play_line(moves, [player for player, _ in steps[: len(moves)]])
    if count < len(moves):
        refusal = _refusal(walk, *steps[count], moves[count])
    if refusal:
        after = " ".join(record.game.action_name(action) for action in actions[-4:])
        faults.append(Text("after {moves}, {error}", moves=after or "-", error=refusal))
    played(record, actions)
    if not record.outcome():
        record.write_info({"result": _result(stated.get("RE", ""))}, ROOT)
    record.forget_undo()
    return record


def _start(board: str) -> Position:
    words = board.split()
    if len(words) < 3 or not words[0].isdigit() or len(words[0]) > 2:
        raise BadFile(f"its board BO[{board[:20]}] has no size, cells and side to move")
    game: GameSpec = load_game(f"othello(size={int(words[0])})")
    return game.parse_diagram("".join(words[1:-1]) + " " + words[-1])


def _moves(steps: Sequence[tuple[int, str]], game: GameSpec) -> tuple[list[int], str]:
    """The actions up to the first word that is no move, and what is wrong with that."""
    actions: list[int] = []
    for _, word in steps:
        try:
            actions.append(game.parse_action(word))
        except ValueError as error:
            return actions, text_of(error)
    return actions, ""


def _refusal(walk: Walk, player: int, word: str, action: int) -> str:
    """Why a move cannot be played, also not after a pass that the file leaves out."""
    passing = walk.game.passing
    if walk.to_move != player and not (action != passing and walk.allows(passing)):
        return Text("{player} plays {move}, and it is not its turn", player="BW"[player], move=word[:10])
    return Text("{move} cannot be played", move=word[:10])


def _result(word: str) -> str:
    match = re.match(r"\s*([+-]?\d{1,3})(?:\.\d+)?", word)
    if match is None:
        return ""
    lead = int(match[1])
    return f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "0"
