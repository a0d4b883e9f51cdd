"""Tooltips are broken into lines: at spaces, in Chinese between characters, never within a figure."""

from __future__ import annotations

import re

from gui.widgets.tips import LINE, wrap_tip

ENGLISH = "Visits without those that only noise or early doubt explains, none a proved loss: 12\u202f345 of 20\u202f000"
CHINESE = (
    "不含仅由噪声或早期疑虑造成的访问次数，其中没有已证明的败着。数值越大，说明搜索越常选择这一着（“访问次数”一栏）。"
)


def test_a_long_line_is_broken_and_nothing_is_lost() -> None:
    lines = wrap_tip(f"short\n\n{ENGLISH} {ENGLISH}").split("\n")
    assert lines[:2] == ["short", ""]
    assert len(lines) > 4
    assert all(len(line) <= LINE for line in lines)
    assert " ".join(lines[2:]) == f"{ENGLISH} {ENGLISH}"


def test_chinese_is_broken_between_characters_but_not_before_a_sign() -> None:
    lines = wrap_tip(CHINESE * 2).split("\n")
    assert all(len(line) <= LINE // 2 + 2 for line in lines)
    assert "".join(lines) == CHINESE * 2
    assert not any(re.match("[，。）”]", line) for line in lines)


def test_short_and_rich_texts_stay_as_they_are() -> None:
    assert wrap_tip("Stop searching") == "Stop searching"
    assert wrap_tip(f"<b>{ENGLISH}</b>") == f"<b>{ENGLISH}</b>"
    assert wrap_tip("/home/anyone/" + "long" * 40) == "/home/anyone/" + "long" * 40
