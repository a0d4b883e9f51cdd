"""Search: settings, the tree and the kernels that grow it."""

from core.search.settings import Limit, SearchSettings

__all__ = ["Limit", "SearchSettings"]
