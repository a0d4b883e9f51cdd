"""Valid game files of each foreign format, and what is done with damaged ones."""

import contextlib
import io
import struct
import zipfile
from pathlib import Path
from typing import Final

from core.files import wthor
from core.files.collection import list_games, open_listed
from core.files.game_files import read_games
from core.files.position_search import find_position
from core.files.sgf import write_sgf
from core.games import load_game
from measure.damage import Loader
from measure.damage_changes import cut, flip, in_lines, in_text, in_words, splice

BINARY: Final = (flip, flip, cut, splice, in_words, in_words)
TEXT: Final = (flip, cut, splice, in_text, in_text, in_lines, in_lines)
_TOO_LONG: Final = 400


def psq_seeds(folder: Path) -> list[bytes]:
    return [
        b"Piskvorky 20x20, 11:11, 0\n10,10,0\n11,11,5\n9,9,30\nalpha.zip\nbeta.zip\n-1\n1,Freestyle\n",
        b"Piskvorky 15x15, 0:0, 1\n8,8,0\n9,9\n-1\n2,Renju\n",
    ]


def ggf_seeds(folder: Path) -> list[bytes]:
    start = "-" * 27 + "O*------*O" + "-" * 27
    game = f"(;GM[Othello]PC[x]DT[2020]PB[a]PW[b]RE[+4.0]TY[8]BO[8 {start} *]B[f5/1.0/2]W[d6]B[c3];)"
    return [game.encode(), f"2 {game}{game}".encode()]


def wtb_seeds(folder: Path) -> list[bytes]:
    def move(name: str) -> int:
        return 10 * int(name[1]) + "abcdefgh".index(name[0]) + 1

    game = struct.pack("<HHHBB60s", 0, 1, 2, 40, 40, bytes(map(move, ["f5", "d6", "c3", "d3", "c4"])))
    return [struct.pack("<4BIHH4B", 20, 20, 1, 1, 3, 0, 2020, 8, 0, 24, 0) + 3 * game]


def names_seeds(folder: Path) -> list[bytes]:
    return [
        struct.pack("<4BIHH4B", 20, 20, 1, 1, 0, 3, 0, 8, 0, 0, 0)
        + b"".join(n.ljust(20, b"\0") for n in (b"A", b"B", b"C"))
    ]


def lib_seeds(folder: Path) -> list[bytes]:
    head = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10
    nodes = bytes.fromhex("0008") + b"start\0" + bytes.fromhex("7800 6890 5940") + bytes.fromhex("5ac3 0001") + b"A\0"
    return [
        head + nodes + bytes.fromhex("6900 9740"),
        head + bytes.fromhex("7820") + b"ol" + bytes([ord("d") | 128, 0]),
    ]


def load_as(name: str, data: bytes) -> None:
    """Read a file by the name that it would have, write what was read as SGF, and check the sentences."""
    for most in (1, None):
        file = read_games(data, name, load_game("gomoku"), most)
        for sentence in file.errors:
            if "\n" in sentence or len(sentence) > _TOO_LONG:
                raise AssertionError(f"no sentence of one line: {sentence[:600]!r}")
    for record in file.records[:3]:
        write_sgf([record])


def load_psq(data: bytes, folder: Path) -> None:
    load_as("a.psq", data)


def load_ggf(data: bytes, folder: Path) -> None:
    load_as("a.ggf", data)


def load_wtb(data: bytes, folder: Path) -> None:
    load_as("a.wtb", data)


def load_lib(data: bytes, folder: Path) -> None:
    load_as("a.lib", data)


def archive_seeds(folder: Path) -> list[bytes]:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/one.sgf", "(;GM[4]SZ[9];B[aa];W[bb](;B[cc])(;B[dd]))" * 5)
        archive.writestr("a/WTHOR.JOU", names_seeds(folder)[0])
        archive.writestr("a/games.wtb", wtb_seeds(folder)[0])
        archive.writestr("b/two.psq", psq_seeds(folder)[0])
    return [out.getvalue()]


def load_archive(data: bytes, folder: Path) -> None:
    path = folder / "games.zip"
    path.write_bytes(data)
    collection = list_games([path])
    for note in collection.notes:
        if "\n" in note or len(note) > _TOO_LONG:
            raise AssertionError(f"no sentence of one line: {note[:600]!r}")
    find_position(collection.games, load_game("othello").position("f5 d6"))
    for one in collection.games[:3]:
        with contextlib.suppress(ValueError):
            open_listed(one)


def load_names(data: bytes, folder: Path) -> None:
    for name in wthor.read_names(data, wthor.PLAYER_BYTES):
        name.encode("utf-8")


LOADERS: Final = (
    Loader("psq", psq_seeds, load_psq, TEXT),
    Loader("ggf", ggf_seeds, load_ggf, TEXT),
    Loader("wthor", wtb_seeds, load_wtb, BINARY),
    Loader("wthor names", names_seeds, load_names, BINARY),
    Loader("renlib", lib_seeds, load_lib, BINARY),
    Loader("archive", archive_seeds, load_archive, BINARY),
)
