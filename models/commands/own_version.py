"""The version of this program, as shown to people and sent to other programs."""

from importlib.metadata import PackageNotFoundError, version


def own_version() -> str:
    """The version of the package that is installed; "unknown" when none is."""
    try:
        return version("plyscope")
    except PackageNotFoundError:
        return "unknown"
