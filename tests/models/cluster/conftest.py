from __future__ import annotations

from collections.abc import Iterator

import pytest

from models.cluster import remote, server
from tests.models.cluster.far_end import FarEnd


@pytest.fixture
def far_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[FarEnd]:
    monkeypatch.setattr(server, "HOLD_S", 0.05)
    monkeypatch.setattr(remote, "RETRIES_S", (0.0,))
    far_end = FarEnd()
    yield far_end
    far_end.close()
