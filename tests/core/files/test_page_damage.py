"""Damaged data of a page: they are refused in one sentence or show something, and never hang what reads them."""

import json
import random
import re
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.files.page import search_page
from core.files.page_data import PageRecord, packed, page_record
from core.files.tree_file import saved
from core.games import load_game
from core.search import Limit
from tests.core.files.browser import open_browser
from tests.core.files.page_reader import node, script
from tests.core.files.test_page_data import a_search
from tests.core.search.fakes import HashEvaluator, run_search

DAMAGE = (Path(__file__).parent / "page_damage.js").read_text("utf-8")
LONGEST_S = 120.0
SENTENCE = re.compile(r"the record is damaged: .+")
WRONG: tuple[Any, ...] = (None, -1, 1 << 40, 0.5, "x", [], {}, [[1, 2]], [None], True)


def records() -> list[PageRecord]:
    settings = {"gumbel_simulations": 64}
    searches = [
        a_search("othello(size=4)", "", "gumbel", HashEvaluator, 120, settings),
        a_search("connect4", "d", "ucb1", None, 90),
    ]
    searches[1].advance(searches[1].best_action())
    searches[1].run(Limit(simulations=searches[1].simulations + 40))
    return [page_record(saved(search)) for search in searches]


def opened(parts: list[bytes], folder: Path) -> list[str]:
    """What reading each of them says."""
    program = node()
    (folder / "parts.bin").write_bytes(b"".join(len(part).to_bytes(4, "little") + part for part in parts))
    end = (
        'const all = new Uint8Array(require("fs").readFileSync("parts.bin")), records = [];'
        "for (let at = 0; at < all.length;) {"
        "  const length = new DataView(all.buffer, all.byteOffset).getUint32(at, true);"
        "  records.push(all.slice(at + 4, at + 4 + length));"
        "  at += 4 + length;"
        "}"
        "openedOrNot(records).then(out => process.stdout.write(JSON.stringify(out)));"
    )
    (folder / "damage.js").write_text("\n".join((script(), DAMAGE, end)), "utf-8")
    done = subprocess.run(
        [program, "damage.js"], cwd=folder, capture_output=True, text=True, timeout=LONGEST_S, check=False
    )
    assert done.returncode == 0, done.stderr
    said: list[str] = json.loads(done.stdout)
    assert len(said) == len(parts)
    return said


def columns_damaged(record: PageRecord, drawn: random.Random) -> Iterator[PageRecord]:
    """The record with one column away, shorter, longer, or with another value in a place."""
    for name, (kind, values) in record.columns.items():
        others = {other: column for other, column in record.columns.items() if other != name}
        yield record._replace(columns=others)
        yield record._replace(columns={**others, name: (kind, values[:-1])})
        yield record._replace(columns={**others, name: (kind, np.append(values, values[:1]))})
        limits = np.finfo(values.dtype) if values.dtype.kind == "f" else np.iinfo(values.dtype)
        for wrong in (limits.min, limits.max, 0, 1, 2):
            for _ in range(3 if len(values) else 0):
                changed = values.copy()
                changed[drawn.randrange(len(values))] = wrong
                yield record._replace(columns={**others, name: (kind, changed)})


def headers_damaged(record: PageRecord) -> Iterator[PageRecord]:
    """The record with one entry of its header away or another."""
    for name in record.header:
        yield record._replace(header={key: value for key, value in record.header.items() if key != name})
        yield from (record._replace(header={**record.header, name: wrong}) for wrong in WRONG)
    for name in record.header["position"]:
        for wrong in WRONG:
            position = {**record.header["position"], name: wrong}
            yield record._replace(header={**record.header, "position": position})


def test_damaged_values_are_refused_in_one_sentence_or_shown(tmp_path: Path) -> None:
    drawn = random.Random(5)
    parts = [packed(record) for record in records()]
    assert opened(parts, tmp_path) == ["", ""]
    parts = [packed(bad) for record in records() for bad in (*columns_damaged(record, drawn), *headers_damaged(record))]
    said = opened(parts, tmp_path)
    assert [text for text in said if text and not SENTENCE.fullmatch(text)] == []
    assert len(said) > 600
    assert sum(map(bool, said)) > 300


def test_damaged_bytes_are_refused_in_one_sentence(tmp_path: Path) -> None:
    drawn = random.Random(6)
    data = packed(records()[0])
    parts = [b"", b"x", data[:-1], data[: len(data) // 2], data + b"x"]
    for _ in range(300):
        changed = bytearray(data)
        for _ in range(drawn.randint(1, 3)):
            changed[drawn.randrange(len(data))] ^= 1 << drawn.randrange(8)
        parts.append(bytes(changed) if changed != data else data[1:])
    said = opened(parts, tmp_path)
    assert [text for text in said if text and not SENTENCE.fullmatch(text)] == []
    whole = zlib.decompress(data)
    for part, text in zip(parts, said, strict=True):
        assert text or zlib.decompressobj().decompress(part) == whole  # some bits of the first bytes say nothing


def test_a_page_whose_data_are_damaged_says_so(tmp_path: Path) -> None:
    search = run_search(load_game("tictactoe").initial(), None, 30, selection="ucb1")
    text = search_page(saved(search)).decode()
    begin = text.index('base64">') + 400
    (tmp_path / "search.html").write_text(text[:begin] + "AAAA" + text[begin + 4 :], "utf-8")
    with open_browser(tmp_path) as tab:
        said = "document.getElementById('state').textContent"
        tab.open(
            tmp_path / "search.html", "", f"{said}.startsWith(say('broken', {{ error: 'the record is damaged: ' }}))"
        )
        assert tab.value("document.getElementById('main').hidden") is True


@pytest.mark.parametrize("name", ["parent", "leaf", "nodes"])
def test_what_would_lead_in_a_circle_is_found(name: str, tmp_path: Path) -> None:
    record = records()[0]
    if name == "nodes":
        bad = record._replace(header={**record.header, "nodes": record.header["nodes"] + 1})
    else:
        kind, values = record.columns[name]
        changed = values.copy()
        changed[1] = 0 if name == "parent" else -5
        bad = record._replace(columns={**record.columns, name: (kind, changed)})
    assert SENTENCE.fullmatch(opened([packed(bad)], tmp_path)[0])
