"""How Go records name their rules, komi and handicap.

Servers write komi in several ways: Fox and Tygem in hundredths (``375`` is 3.75 stones by Chinese counting, 7.5 points;
``650`` is 6.5), others with a decimal comma.  KataGo writes its rules as ``koPOSITIONALscoreAREAtaxNONEsui1button0``.
"""

import re
from typing import Final

from core.games.spec import SgfRules

USUAL: Final = "japanese"  # of most records that do not say
_NAMES: Final = (  # the first whose pattern is found
    ("tromp", "tromp-taylor"),
    ("chin|\\bcn\\b|area|goe|\\bing\\b", "chinese"),
    ("aga|american", "aga"),
    ("\\bnz\\b|new.?zealand", "new-zealand"),
    ("korea", "korean"),
    ("jap|jp|territory", "japanese"),
)
_KATAGO: Final = re.compile(
    r"ko(simple|positional|situational)score(area|territory)tax(none|seki|all)(?:sui([01]))?(.*)"
)
_STONES: Final = {"3.75": 7.5, "2.75": 5.5, "3.25": 6.5}  # of Chinese counting -> points
_MOST_KOMI: Final = 100.0


def game_text(rows: int, cols: int, sgf: SgfRules) -> str:
    """The game as ``load_game`` takes it."""
    words = [f"rows={rows}", f"cols={cols}"]
    rules = sgf.rules.replace(" ", "")
    if stated := _KATAGO.fullmatch(rules):
        ko, score, tax, suicide, rest = stated.groups()
        area = score == "area"
        words += [f"rules={'tromp-taylor' if area else 'japanese'}", f"ko={ko}", f"tax={tax}"]
        words += [f"suicide={'yes' if suicide == '1' else 'no'}"]
        words += ["button=yes"] if area and "button1" in rest else []
    else:
        names = (name for pattern, name in _NAMES if re.search(pattern, sgf.rules))
        words.append(f"rules={next(names, USUAL)}")
    komi = read_komi(sgf.komi)
    if komi is not None:
        words.append(f"komi={komi:g}")
    return f"go({', '.join(words)})"


def rules_text(ko: str, territory: bool, tax: str, suicide: bool, button: bool) -> str:
    """The rules in KataGo's manner, where no name stands for them."""
    score = "TERRITORY" if territory else "AREA"
    end = "button1" if button else ""
    return f"ko{ko.upper()}score{score}tax{tax.upper()}sui{int(suicide)}{end}"


def read_komi(word: str) -> float | None:
    """The komi in points, a multiple of a half; None when the word is none."""
    match = re.match(r"\s*(-?[0-9]{1,4})(?:[.,]([0-9]{1,3}))?", word)
    if match is None:
        return None
    number = float(f"{match[1]}.{match[2] or 0}")
    if abs(number) >= _MOST_KOMI:
        number /= 100
    number = _STONES.get(f"{number:g}", number)
    return number if number * 2 == round(number * 2) and abs(number) < _MOST_KOMI else None


def handicap_cells(rows: int, cols: int, count: int) -> tuple[int, ...]:
    """The usual cells of ``count`` handicap stones, in the order of GTP's fixed handicap; () where there are none."""
    most = 9 if rows % 2 and cols % 2 and min(rows, cols) >= 9 else 4 if min(rows, cols) >= 7 else 0
    if not 2 <= count <= most:
        return ()
    edge = 3 if min(rows, cols) >= 13 else 2
    (low, mid, high), (left, centre, right) = ((edge, size // 2, size - 1 - edge) for size in (rows, cols))
    corners = [(low, left), (high, right), (high, left), (low, right)]
    sides = [(mid, left), (mid, right), (low, centre), (high, centre)]
    chosen = corners[:count] if count <= 4 else corners + sides[: (count - 4) // 2 * 2]
    if count > 4 and count % 2:
        chosen.append((mid, centre))
    return tuple((rows - 1 - row) * cols + col for row, col in chosen)
