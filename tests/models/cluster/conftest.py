from __future__ import annotations

from collections.abc import Iterator

import pytest

from models.cluster import courier, remote_client
from tests.models.cluster.wire import Cluster


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    monkeypatch.setattr(courier, "HOLD_S", 0.02)
    monkeypatch.setattr(remote_client, "RETRIES_S", (0.0,))
    found = Cluster()
    yield found
    found.close()
