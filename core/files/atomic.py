"""Atomic writing of files."""

import os
from itertools import count
from pathlib import Path

_numbers = count()  # two threads may write the same file


def write_atomically(path: Path, data: bytes | memoryview, make_folder: bool = True) -> None:
    """Write ``data`` to a temporary file and rename it to ``path``, so that neither a reader nor a crash sees a partial
    file.  Makes the folder if ``make_folder``.  ``OSError`` when it cannot write; the old file is then kept."""
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
        # Name the target instead of the temporary file.
        raise type(error)(error.errno, error.strerror or str(error), str(path)) from None
    finally:
        temporary.unlink(missing_ok=True)
