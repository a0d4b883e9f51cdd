"""Pickles of lists of arrays as Python 2 wrote them, and as numpy writes them today."""

import pickle
import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Arrays = Sequence[NDArray[np.float32]]


def python2_repr(raw: bytes) -> bytes:
    """A byte string as Python 2's repr writes it; the quotes are double when only single ones are inside."""
    return repr(raw)[1:].encode("ascii")


def protocol_0(arrays: Arrays) -> bytes:
    """As Python 2's pickle writes it: text, one instruction a line, names and types once, then from the memo."""
    out = [b"(lp1\n"]
    for i, array in enumerate(arrays):
        if i == 0:
            out.append(b"cnumpy.core.multiarray\n_reconstruct\np2\n(cnumpy\nndarray\np3\n")
        else:
            out.append(b"g2\n(g3\n")
        out.append(b"(I0\ntS'b'\ntRp%d\n(I1\n(" % (i + 10))
        out.extend(b"L%dL\n" % size for size in array.shape)
        if i == 0:
            out.append(b"tcnumpy\ndtype\np5\n(S'f4'\nI0\nI1\ntRp6\n(I3\nS'<'\nNNNI-1\nI-1\nI0\ntb")
        else:
            out.append(b"tg6\n")
        out.append(b"I00\nS" + python2_repr(array.astype("<f4").tobytes()) + b"\ntba")
    return b"".join(out) + b"."


def binary(arrays: Arrays, protocol: int) -> bytes:
    """As Python 2's cPickle writes protocols 1 and 2: bytes behind their length."""
    out = [b"\x80\x02" if protocol == 2 else b"", b"]q\x01("]
    three, two_flags = (b"", b"\x87") if protocol == 2 else (b"(", b"t")
    flag = b"\x89" if protocol == 2 else b"I00\n"
    for i, array in enumerate(arrays):
        out.append(b"cnumpy.core.multiarray\n_reconstruct\nq\x02" if i == 0 else b"h\x02")
        out.append(three + (b"cnumpy\nndarray\nq\x03" if i == 0 else b"h\x03"))
        out.append(b"K\x00\x85" if protocol == 2 else b"(K\x00t")
        out.append(b"U\x01b" + two_flags + b"Rr" + struct.pack("<I", 300 + i) + b"(K\x01(")
        out.extend(b"M" + struct.pack("<H", size) for size in array.shape)
        out.append(b"t")
        if i == 0:
            out.append(b"cnumpy\ndtype\nq\x05" + three + b"U\x02f4K\x00K\x01" + two_flags + b"Rq\x06")
            out.append(b"(K\x03U\x01<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb")
        else:
            out.append(b"h\x06")
        raw = array.astype("<f4").tobytes()
        out.append(flag + b"T" + struct.pack("<i", len(raw)) + raw + b"tb")
    return b"".join(out) + b"e."


def every_kind(arrays: Arrays) -> dict[str, bytes]:
    """The same list by every writer."""
    return {
        "python 2, protocol 0": protocol_0(arrays),
        "python 2, protocol 1": binary(arrays, 1),
        "python 2, protocol 2": binary(arrays, 2),
        **{f"python 3, protocol {n}": pickle.dumps(list(arrays), protocol=n) for n in range(5)},
    }
