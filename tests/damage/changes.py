"""Random damage to files, from a seed: to their bytes or to the elements of a format.

Every change takes a generator and the bytes of a valid file, and returns other bytes.
"""

import gzip
import io
import json
import random
import re
import warnings
import zipfile
from collections.abc import Callable, Sequence
from typing import Any, Final

Change = Callable[[random.Random, bytes], bytes]

# Replacements for values in texts: numbers out of range, other types, depth, length.
EXTREMES: Final = (
    "0", "-1", "1e400", "-1e400", "NaN", "Infinity", "1e-400", "99999999999999999999", "-9223372036854775809",
    "2147483648",     "9" * 5000, "1.5", "true", "false", "null", "[]", "{}", '""', '"x"', '"\\ud800"', '"\\u0000"',
    '"' + "é" * 3000 + '"',     "[" * 2000 + "]" * 2000, '{"a":' * 1500 + "1" + "}" * 1500, "[[[]]]", "[1, 2, 3]",
    '"/dev/zero"', '"../../../etc/passwd"',
    '"a\\nb"', "inf", "nan", "1979-05-27", "'x'", "[1e400]",
)  # fmt: skip
_ODD: Final = ("\0", "\n", "]", "\\", "(", ";", "\ufeff", "\u202e", "𝟙", "é" * 500, " " * 5000, "(;" * 3000, "9" * 400)
_NUMBERS: Final = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, (1 << 63) - 1, (1 << 64) - 1)


def flip(rng: random.Random, data: bytes) -> bytes:
    """Replace some bytes."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16)) if out else 0):
        out[rng.randrange(len(out))] = rng.choice((0, 0xFF, rng.randrange(256)))
    return bytes(out)


def cut(rng: random.Random, data: bytes) -> bytes:
    """Cut off the end."""
    return data[: rng.randrange(len(data) + 1)]


def splice(rng: random.Random, data: bytes) -> bytes:
    """Remove, duplicate, repeat or move a piece, or replace it by noise."""
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    b = min(b, a + rng.choice((1, 8, 64, 1 << 20)))
    piece, at = data[a:b], rng.randrange(len(data) + 1)
    match rng.randrange(5):
        case 0:
            return data[:a] + data[b:]
        case 1:
            return data[:at] + piece + data[at:]
        case 2:
            return data[:at] + piece[:64] * 2000 + data[at:]
        case 3:
            return data[:a] + rng.randbytes(len(piece)) + data[b:]
    return data[:a] + bytes(rng.choice((0, 0, 255)) for _ in range(1)) * len(piece) + data[b:]


def number(rng: random.Random, data: bytes) -> bytes:
    """Replace a few bytes by an extreme number."""
    size = rng.choice((1, 2, 4, 8))
    value = (rng.choice(_NUMBERS) & ((1 << 8 * size) - 1)).to_bytes(size, rng.choice(("little", "big")))
    at = rng.randrange(max(1, len(data) - size))
    return data[:at] + value + data[at + size :]


BYTES: Final[tuple[Change, ...]] = (flip, cut, splice, number)


def in_text(rng: random.Random, data: bytes) -> bytes:
    """Replace a number or word of a text by an extreme value, or insert something unusual."""
    text = data.decode("utf-8", "replace")
    places = list(re.finditer(r"-?\d+(?:\.\d+)?|\w+", text))
    if places and rng.random() < 0.7:
        place = rng.choice(places)
        return (text[: place.start()] + rng.choice(EXTREMES) + text[place.end() :]).encode("utf-8", "replace")
    at = rng.randrange(len(text) + 1)
    return (text[:at] + rng.choice((*_ODD, *EXTREMES)) + text[at:]).encode("utf-8", "replace")


def in_json(rng: random.Random, data: bytes) -> bytes:
    """Replace a value by an extreme one, remove or repeat it, or store it under another key."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return in_text(rng, data)
    raw = f"\x01{rng.random()}"
    place, key = _place(rng, value)
    if place is None:
        return rng.choice(EXTREMES).encode()
    match rng.randrange(5):
        case 0:
            del place[key]
        case 1 if isinstance(place, list):
            place[key:key] = [place[key]] * rng.choice((1, 2, 3000))
        case 2 if isinstance(place, dict):
            place[rng.choice([*place, "x"])] = place[key]
        case _:
            place[key] = raw
    return json.dumps(value).replace(json.dumps(raw), rng.choice(EXTREMES)).encode()


def _place(rng: random.Random, value: Any) -> tuple[Any, Any]:
    """Return a random container in ``value`` and a key or index in it."""
    found: tuple[Any, Any] = (None, None)
    while isinstance(value, dict | list) and value:
        key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
        found, value = (value, key), value[key]
        if rng.random() < 0.25:
            break
    return found


def in_lines(rng: random.Random, data: bytes) -> bytes:
    """Damage, remove or repeat one line of a JSON Lines file."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return in_text(rng, data)
    at = rng.randrange(len(lines))
    change = rng.choice((in_json, in_json, in_json, flip, cut))
    lines[at] = rng.choice((b"", lines[at] * 500, *[change(rng, lines[at].rstrip(b"\n")) + b"\n"] * 6))
    return b"".join(lines)


def in_words(rng: random.Random, data: bytes) -> bytes:
    """Make the first word of a line extreme, remove or repeat it; a gzip file is packed again."""
    if data.startswith(b"\x1f\x8b"):
        try:
            return gzip.compress(in_words(rng, gzip.decompress(data)), 1, mtime=0)
        except Exception:  # it is already damaged
            return flip(rng, data)
    words = list(re.finditer(rb"^[\w.@+-]+", data, re.MULTILINE))
    if not words:
        return flip(rng, data)
    word = rng.choice(words)
    new = rng.choice((b"", word[0] * 2, word[0] + b" " + word[0], *[rng.choice(EXTREMES).encode()] * 4))
    return data[: word.start()] + new + data[word.end() :]


def in_dialogue(rng: random.Random, data: bytes) -> bytes:
    """Take lines of a dialogue in another order, and change, drop, repeat or exchange words of some."""
    lines = data.decode("utf-8", "replace").splitlines()
    made = []
    for _ in range(rng.randrange(1, 60) if lines else 0):
        words = re.findall(r"\w+|\s+|[^\w\s]", rng.choice(lines))
        others = re.findall(r"\w+|[^\w\s]", rng.choice(lines)) or ["x"]
        for _ in range(rng.choice((0, 0, 1, 2, 4))):
            at = rng.randrange(len(words)) if words else 0
            words[at : at + rng.choice((0, 1, 1, 2))] = rng.choice(([], [rng.choice(others)], words[at : at + 1] * 2))
        made.append("".join(words))
    return "\n".join([*made, ""]).encode()


def in_toml(rng: random.Random, data: bytes) -> bytes:
    """Give one setting an extreme value, or duplicate or remove it."""
    lines = data.splitlines(keepends=True)
    settings = [i for i, line in enumerate(lines) if b" = " in line]
    if not settings:
        return in_text(rng, data)
    at = rng.choice(settings)
    name = lines[at].partition(b" = ")[0]
    new = name + b" = " + rng.choice(EXTREMES).encode() + b"\n"
    lines[at] = rng.choice((b"", lines[at] * 2, name * 400 + b" = 1\n", b"[" + name + b"]\n", *[new] * 6))
    return b"".join(lines)


def in_zip(rng: random.Random, data: bytes) -> bytes:
    """Damage one part of a zip by its format, or remove, rename, duplicate or relabel it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [(name, archive.read(name)) for name in archive.namelist()]
    except Exception:  # it is already damaged
        return flip(rng, data)
    if not parts:
        return flip(rng, data)
    at = rng.randrange(len(parts))
    name, content = parts[at]
    match rng.randrange(10):
        case 0:
            del parts[at]
        case 1:
            parts[at] = rng.choice(parts)[0], content
        case 2:
            parts.append((name + rng.choice(("", "x")), content))
        case 3:
            parts[at] = name, content + bytes(8 << 20)
        case _:
            parts[at] = name, rng.choice(_of_part(name))(rng, content)
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", rng.choice((0, zipfile.ZIP_DEFLATED))) as archive:
        warnings.simplefilter("ignore")  # duplicate names
        for name, content in parts:
            archive.writestr(name, content)
    return out.getvalue()


def _of_part(name: str) -> Sequence[Change]:
    if name.endswith(".json"):
        return (in_json,)
    return (in_zip,) if name.endswith(".npz") else (in_array, in_array, *BYTES)


def in_array(rng: random.Random, data: bytes) -> bytes:
    """Make one element of a numpy array extreme, or change its header."""
    end = data.find(b"\n") + 1
    head, body = data[:end], data[end:]
    if rng.random() < 0.3:
        head = re.sub(rb"\d+", lambda found: rng.choice((found[0], b"0", b"99999999999", b"-1")), head)
        return head + body
    found = re.search(rb"[a-z](\d+)'", head)
    size = max(1, min(8, int(found[1]) if found else 4))
    at = rng.randrange(max(1, len(body) // size)) * size
    value = rng.choice((rng.choice(_NUMBERS), rng.randrange(256)))
    return head + body[:at] + (value & ((1 << 8 * size) - 1)).to_bytes(size, "little") + body[at + size :]


def in_protobuf(rng: random.Random, data: bytes) -> bytes:
    """Make one field at any depth extreme, or remove, duplicate or renumber it; the lengths around it stay correct."""
    fields = _fields(data)
    if not fields:
        return flip(rng, data)
    at = rng.randrange(len(fields))
    key, value = fields[at]
    if isinstance(value, bytes) and len(value) > 1 and rng.random() < 0.85 and _fields(value):
        fields[at] = key, in_protobuf(rng, value)
    else:
        match rng.randrange(6):
            case 0:
                del fields[at]
            case 1:
                fields[at:at] = [fields[at]] * rng.choice((1, 1, 40))
            case 2:
                fields[at] = (rng.randrange(1, 30) << 3) | (key & 7), value
            case _ if isinstance(value, int):
                fields[at] = key, rng.choice(_NUMBERS)
            case 3:
                fields[at] = key, rng.choice((b"", b"\xff" * 20, value * 3, rng.choice(EXTREMES).encode()))
            case _:
                fields[at] = key, rng.choice(BYTES)(rng, value) if value else rng.randbytes(8)
    return b"".join(map(_field, fields))


def _fields(data: bytes) -> list[tuple[int, int | bytes]]:
    """Return the fields of a protobuf message as (key, value); none if it is not a message."""
    fields: list[tuple[int, int | bytes]] = []
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        if key & 7 == 0:
            number_, at = _varint(data, at)
            fields.append((key, number_))
            continue
        size, at = {1: (8, at), 5: (4, at)}.get(key & 7) or (_varint(data, at) if key & 7 == 2 else (-1, at))
        if size < 0 or at + size > len(data) or not key >> 3:
            return []
        fields.append((key, data[at : at + size]))
        at += size
    return fields if at == len(data) else []


def _field(field: tuple[int, int | bytes]) -> bytes:
    key, value = field
    if isinstance(value, int):
        return _as_varint(key) + _as_varint(value)
    return _as_varint(key) + (_as_varint(len(value)) if key & 7 == 2 else b"") + value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 70:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at
    return 0, len(data) + 1


def _as_varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
