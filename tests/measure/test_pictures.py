"""The pictures of the guide: few colours, and each that a page shows is one that the command takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from gui.shell.guide_pages import pages
from measure.pictures import COLOURS, WINDOWS, shrink


def test_a_picture_keeps_its_size_and_nearly_its_colours(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    image = QImage(60, 40, QImage.Format.Format_RGB32)
    for x in range(60):
        for y in range(40):
            image.setPixelColor(x, y, QColor(4 * x, 6 * y, 90))
    image.save(str(path))
    shrink(path)
    small = QImage(str(path))
    assert small.size() == image.size()
    assert len(small.colorTable()) == COLOURS
    for x, y in ((0, 0), (30, 20), (59, 39)):
        was, now = image.pixelColor(x, y), small.pixelColor(x, y)
        assert max(abs(was.red() - now.red()), abs(was.green() - now.green()), abs(was.blue() - now.blue())) < 16


def test_a_picture_of_few_colours_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    image = QImage(9, 5, QImage.Format.Format_RGB32)
    image.fill(QColor("#0b7fab"))
    image.setPixelColor(3, 2, QColor("#ff0000"))
    image.save(str(path))
    shrink(path)
    assert QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32) == image


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_picture_is_shown_and_taken(language: str) -> None:
    shown = {name for page in pages(language) for name in re.findall(r"pictures/(?:zh_CN/)?(\w+)\.png", page.text)}
    assert shown == set(WINDOWS)
