"""What the soak's random user chooses from: games, sizes, keys, texts, settings."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import Qt

from core.search.rules.table import RULES

GAMES: Final = {  # games -> how often they are opened
    "tictactoe": 4,
    "connect4": 4,
    "connectn(rows=5, cols=5, k=4)": 1,
    "gomoku(size=9)": 1,
    "othello(size=6)": 1,
    "nim": 1,
    "go(size=9)": 2,
    "go": 2,
    "go(rows=5, cols=9)": 1,
    "go(size=9, rules=japanese, komi=0)": 1,
    "go(size=7, rules=chinese, button=yes, suicide=yes)": 1,
}
LIMITS: Final = (1, 10, 100, 1000, 20_000, 200_000)
SIZES: Final = ((1480, 860), (1024, 700), (960, 540), (1920, 1080), (700, 500))
KEYS: Final = (
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
    *(Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Escape, Qt.Key.Key_Tab),
    *(Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_F2, Qt.Key.Key_F6, Qt.Key.Key_Plus, Qt.Key.Key_Minus),
    *(Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_D, Qt.Key.Key_L, Qt.Key.Key_N, Qt.Key.Key_P, Qt.Key.Key_T, Qt.Key.Key_Z),
    *(Qt.Key.Key_0, Qt.Key.Key_1, Qt.Key.Key_5, Qt.Key.Key_Comma, Qt.Key.Key_Period, Qt.Key.Key_Menu),
)
MODIFIERS: Final = (
    *(Qt.KeyboardModifier.NoModifier,) * 6,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
BUTTONS: Final = (*(Qt.MouseButton.LeftButton,) * 6, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton)
TEXTS: Final = (
    "d d c",
    "b2 a1",
    "(;FF[4]GM[40]SZ[9];B[ee];W[de])",
    "(;FF[4]GM[1]SZ[9]KM[6.5]RU[Chinese];B[ee];W[gc](;B[cg];W[])(;B[];W[]))",
    "(;GM[1]SZ[19]HA[2]AB[dp][pd];W[dd];B[pp]C[\u4e2d])",
    "(;GM[1]SZ[9:5]AB[aa][ab]AW[ba]PL[W];W[bb])",
    "(;GM[1]SZ[9];B[ee];AE[ee]AB[cc]AW[dd]PL[W](;W[gg])(;AB[aa];B[bb]))",
    "d4 pass c3 pass pass",
    "",
    "x o .\n. x .\n. . o",
    "1e400",
    "-3",
    "ü中文",
    "7",
)
SETTINGS: Final[dict[str, tuple[Any, ...]]] = {
    "selection": tuple(RULES),
    "c_puct": (0.5, 1.5, 4.0),
    "prove": (True, False),
    "max_batch": (1, 8, 64),
    "batches_in_flight": (1, 2),
    "threads": (1, 2),
    "collectors": (1, 2),
    "temperature": (0.0, 1.0),
    "final": ("visits", "mean", "lcb"),
    "merge_symmetric": (True, False),
    "root_symmetries": (True, False),
    "root_temperature": (1.0, 1.3),
    "root_fpu": ("same", "reduction", "loss"),
    "score_utility": (0.0, 0.1),
    "c_spread": (0.0, 0.85),
    "expansion_threshold": (1, 4),
}
NO_TRAINING: Final = "import sys; sys.exit('the soak trains nothing')"
