"""Connecting to a cluster: addresses, tokens, silence, and versions that do not fit."""

import os
import socket
import sys
from pathlib import Path

import pytest

from models.cluster import connect as connecting
from models.cluster import versions
from models.cluster.connect import NoCluster, cannot_fetch, connect
from models.cluster.versions import Version, difference, own_version


@pytest.mark.parametrize("address", ["", "host", "host:0", "host:70000", "http://host:80", "a b:6379", "ray://"])
def test_no_address(address: str) -> None:
    with pytest.raises(NoCluster, match="is no address of a cluster; allowed are auto, local, HOST:PORT or ray://"):
        connect(address)


def test_nobody_listens() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # a port that nobody else listens at
        port = held.getsockname()[1]
        with pytest.raises(NoCluster, match=rf"no cluster answers at '127.0.0.1:{port}' \(Connection refused\)"):
            connect(f"127.0.0.1:{port}")


@pytest.mark.parametrize(("begin", "given"), [("", "127.0.0.1"), ("ray://", "ray://localhost")])
def test_ray_is_given_the_number_of_a_head_node(begin: str, given: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert connecting._answering(f"{begin}localhost:{port}", 5.0) == f"{given}:{port}"


def test_versions_that_differ() -> None:
    words = (
        "Version mismatch: The cluster was started with:\n    Ray: 2.51.0\n    Python: 3.11.7\n"
        "This process on 10.0.0.1 was started with:\n    Ray: 2.60.0\n    Python: 3.11.7\n"
    )
    found = connecting._sentence("10.0.0.1:6379", RuntimeError(words))
    assert str(found) == (
        "the cluster at '10.0.0.1:6379' runs Ray 2.51.0 Python 3.11.7 and this machine Ray 2.60.0 Python 3.11.7; "
        "they must be the same"
    )


def test_a_cluster_with_a_token() -> None:
    found = connecting._sentence("10.0.0.1:6379", ConnectionError("Failed to connect to Ray cluster at 10.0.0.1:6379"))
    assert str(found) == (
        "what answers at '10.0.0.1:6379' is no head node of Ray, or asks for its token: then copy the "
        "head's ~/.ray/auth_token to the same place here"
    )


@pytest.mark.parametrize(
    ("there", "given", "mode"), [(True, "", "token"), (False, "", None), (True, "disabled", "disabled")]
)
def test_the_token_of_this_machine_is_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, there: bool, given: str, mode: str | None
) -> None:
    monkeypatch.setattr(connecting, "TOKEN", tmp_path / "auth_token")
    monkeypatch.delitem(sys.modules, "ray", raising=False)
    monkeypatch.setattr(os, "environ", {"RAY_AUTH_MODE": given} if given else {})
    if there:
        (tmp_path / "auth_token").write_text("0" * 64)
    connecting._show_token()
    assert os.environ.get("RAY_AUTH_MODE") == mode


def test_a_token_that_is_not_the_clusters() -> None:
    error = type("AuthenticationError", (Exception,), {})("the token given is invalid")
    found = connecting._sentence("10.0.0.1:6379", error)
    assert str(found) == (
        "the cluster at '10.0.0.1:6379' asks for its token: copy the head's ~/.ray/auth_token to the same place here"
    )


def test_a_variable_that_asks_for_a_token_that_is_not_here() -> None:
    words = "Token authentication is enabled but Ray couldn't find an authentication token. Create a token file"
    found = connecting._sentence("ray://10.0.0.1:10001", type("AuthenticationError", (Exception,), {})(words))
    assert str(found) == (
        "RAY_AUTH_MODE asks for a token on this machine, and there is none: copy the head's ~/.ray/auth_token to the "
        "same place here, or unset the variable where the head has no token"
    )


def test_a_server_of_clients_that_stays_silent() -> None:
    found = connecting._sentence("ray://10.0.0.1:10001", ConnectionError("ray client connection timeout"))
    assert str(found).startswith("what answers at 'ray://10.0.0.1:10001' is no head node of Ray, or asks for its token")


def test_a_reason_below_a_heading() -> None:
    words = "Initialization failure from server:\nTraceback (most recent call last):\nOSError: no space is left"
    found = connecting._sentence("ray://10.0.0.1:10001", ConnectionError(words))
    assert str(found) == "no cluster answers at 'ray://10.0.0.1:10001' (OSError: no space is left)"


def test_ray_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(NoCluster, match="needs Ray, which is not installed here: pip install"):
        connect("local")


def test_what_ray_raises_where_a_net_cannot_be_fetched_is_known() -> None:
    errors = pytest.importorskip("ray.exceptions")
    unfetched = errors.RayTaskError("take_net", "", errors.OwnerDiedError("00" * 28, "", ""))
    assert cannot_fetch(unfetched.as_instanceof_cause())
    assert not cannot_fetch(errors.RayTaskError("take_net", "", ValueError()).as_instanceof_cause())


OURS = Version("0.2.0", "ab" * 32)


@pytest.mark.parametrize(
    ("theirs", "words"),
    [
        (OURS, None),
        (Version("", ""), "Plyscope is not installed on red"),
        (
            Version("0.1.0", "cd" * 32),
            "red has Plyscope 0.1.0 and this machine 0.2.0; install the same on both",
        ),
        (
            Version("0.2.0", "cd" * 32),
            "red has Plyscope 0.2.0, build cdcdcdcd and this machine 0.2.0, build abababab; install the same on both",
        ),
        (
            Version("0.2.0", ""),
            "red has Plyscope 0.2.0, build ? and this machine 0.2.0, build abababab; install the same on both",
        ),
    ],
)
def test_a_difference_is_a_sentence(theirs: Version, words: str | None) -> None:
    assert difference("red", theirs, OURS) == words


def test_the_build_is_of_the_sources_that_do_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "player.py"
    monkeypatch.setattr(versions, "sources_of", lambda _: [source])
    source.write_bytes(b"a = 1\nb = 2\n")
    first = own_version("player")
    source.write_bytes(b"a = 1\r\nb = 2\r\n")
    assert own_version("player") == first  # checked out on Windows
    source.write_bytes(b"a = 1\nb = 3\n")
    assert own_version("player") != first
    source.unlink()
    assert own_version("player") == Version(first.program, "")
