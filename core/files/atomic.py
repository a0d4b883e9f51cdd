"""Writing a file whole or not at all.  Knows nothing of what is written."""

import os
from itertools import count
from pathlib import Path

_numbers = count()  # two threads may write the same file


def write_atomically(path: Path, data: bytes | memoryview, make_folder: bool = True) -> None:
    """Put ``data`` at ``path`` by way of a temporary file beside it, so that a reader or a crash never meets half a
    file.  Makes the folder when it is missing, unless told not to; raises ``OSError`` when it cannot write, leaving the
    old file."""
    if make_folder:
        path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{next(_numbers)}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        # By the name that its user knows.
        raise type(error)(error.errno, error.strerror or str(error), str(path)) from None
    finally:
        temporary.unlink(missing_ok=True)
