"""Commands run as a user types them."""

import pytest

from models.commands import program


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of one command."""
    code = program.main(words)
    out, err = capsys.readouterr()
    return code, out, err
