"""Reading arrays out of pickles: every protocol, and nothing is ever run."""

import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.netfiles.pickled_arrays import BadPickle, read_arrays
from tests.models.pickles import binary, every_kind, protocol_0

ARRAYS = [
    np.arange(-12, 12, dtype=np.float32).reshape(2, 3, 4) / 7,
    np.array([1e-30, -np.pi, 0.0, 39.0, 34.0], np.float32),  # bytes that are quotes among them
    np.zeros((1, 3), np.float32),
]
WHOLE = every_kind(ARRAYS)


@pytest.mark.parametrize("kind", WHOLE)
def test_every_protocol(kind: str) -> None:
    found = read_arrays(WHOLE[kind])
    assert len(found) == len(ARRAYS)
    for array, want in zip(found, ARRAYS, strict=True):
        assert array.dtype == np.float32
        np.testing.assert_array_equal(array, want)


@pytest.mark.parametrize("array", [np.asfortranarray(ARRAYS[0]), ARRAYS[0].astype(">f4"), ARRAYS[0].astype("f8")])
def test_columns_first_other_byte_order_double(array: np.ndarray) -> None:
    found = read_arrays(pickle.dumps([array], protocol=2))[0]
    assert found.dtype.isnative
    np.testing.assert_array_equal(found, array)


@given(raw=st.binary(max_size=64).map(lambda raw: raw + bytes(-len(raw) % 4)))
def test_any_bytes_survive_the_text_form(raw: bytes) -> None:
    array = np.frombuffer(raw, np.float32)
    assert read_arrays(protocol_0([array]))[0].tobytes() == raw


@pytest.mark.parametrize("kind", WHOLE)
def test_a_truncated_file_is_refused(kind: str) -> None:
    whole = WHOLE[kind]
    for length in range(len(whole)):
        with pytest.raises(BadPickle):
            read_arrays(whole[:length])


@given(place=st.integers(0, 10_000), byte=st.integers(0, 255), kind=st.sampled_from(sorted(WHOLE)))
def test_a_damaged_file_is_arrays_or_a_sentence(place: int, byte: int, kind: str) -> None:
    damaged = bytearray(WHOLE[kind])
    damaged[place % len(damaged)] = byte
    try:
        found = read_arrays(bytes(damaged))
    except BadPickle:
        found = []
    assert all(array.dtype in (np.float32, np.float64) for array in found)


class Evil:
    """Unpickled, it makes a folder."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (self.path,)


@pytest.mark.parametrize("protocol", range(5))
def test_a_pickle_that_calls_is_refused_and_not_run(tmp_path: Path, protocol: int) -> None:
    path = tmp_path / "made by the pickle"
    data = pickle.dumps([*ARRAYS, Evil(path)], protocol=protocol)
    with pytest.raises(BadPickle, match=r"it asks for '(posix|nt)\.mkdir', which no list of arrays needs; nothing was"):
        read_arrays(data)
    assert not path.exists()
    pickle.loads(data)  # the pickle would have done it
    assert path.is_dir()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "ends too early"),
        (b"PK\x03\x04 a zip", "byte 0 is b'P'"),
        (b"cos\nsystem\n(S'echo'\ntR.", "it asks for 'os.system'"),
        (b"cbuiltins\neval\n(S'1'\ntR.", "it asks for 'builtins.eval'"),
        (b"(S'echo'\nios\nsystem\n.", "byte 9 is b'i'"),
        (b"c_codecs\nencode\n(S'a'\nS'punycode'\ntR.", "it calls something that no list of arrays needs"),
        (b"cnumpy\nndarray\n(I9\ntR.", "it calls something"),
        (b"cnumpy\nndarray\n.", "it holds a name where a list of arrays is needed"),
        (b"}.", "byte 0 is b'}'"),
        (b"I5\n.", "it holds a int where a list"),
        (b"(lI5\na.", "entry 1 of its list is a int where an array"),
        (b"I" + b"9" * 5000 + b"\n.", "is no number an array needs"),
        (b"\x80\x05]\x94.", "protocol 5; protocols 0 to 4 can be read"),
        (b"t.", "out of order"),
        (b"a.", "out of order"),
        (b"h\x07.", "out of order"),
        (b"T\xff\xff\xff\xff.", "ends too early"),
        (b"X\xff\xff\xff\xff.", "ends too early"),
        (b"S'abc\n.", "no quotes"),
        (b"S'\\xg1'\n.", "damaged"),
        (pickle.dumps([np.arange(3)], protocol=2), "numbers of the type 'i8'; the numbers must be float32"),
        (pickle.dumps([np.array([None])], protocol=2), "numbers of the type 'O8'"),
        (pickle.dumps([{}], protocol=2), "byte 5 is b'}'"),
        (protocol_0(ARRAYS).replace(b"L2L", b"L3L"), r"an array of shape \(3, 3, 4\) whose numbers are not all there"),
        (protocol_0(ARRAYS).replace(b"L2L", b"L-2L"), "whose shape is no list of sizes"),
        (protocol_0(ARRAYS).replace(b"L2L", b"L999999999999L"), "whose shape is no list of sizes"),
        (protocol_0(ARRAYS).replace(b"L2L\n", b"L1L\n" * 9 + b"L2L\n"), "whose shape is no list of sizes"),
        (b"(c_codecs\nencode\np1\n(V" + b"a" * 400 + b"\nS'latin1'\ntp2\nR" + b"g1\ng2\nR" * 9, "beyond its own size"),
        (binary(ARRAYS, 2).replace(b"U\x01<", b"U\x01x"), "the numbers must be float32 or float64"),
    ],
)
def test_other_pickles_are_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(BadPickle, match=sentence):
        read_arrays(data)


def test_a_list_inside_itself_is_refused() -> None:
    data: list[object] = []
    data.append(data)
    for protocol in range(5):
        with pytest.raises(BadPickle, match="entry 1 of its list is a list"):
            read_arrays(pickle.dumps(data, protocol=protocol))
