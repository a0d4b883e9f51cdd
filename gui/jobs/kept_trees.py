"""Copies search trees into session files and restores them, through the analysis thread."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from core.engine import Analysis, Search
from core.engine.request import Request
from core.files.tree_file import SavedSearch, saved
from core.text import Text, text_of

log = logging.getLogger(__name__)
Failed = Callable[[str], object]


@dataclass(frozen=True)
class _Offer:
    search: SavedSearch
    label: str | None
    refused: Failed


class KeepingAnalysis(Analysis):
    """An analysis that can copy its tree and resume from a saved one.  Callbacks run in its thread."""

    def __init__(self) -> None:
        self._offer: _Offer | None = None
        super().__init__()

    def offer(self, search: SavedSearch | None, label: str | None = None, refused: Failed = log.info) -> None:
        """Let the next search of a saved tree's position, with source label ``label`` (None: rollouts), resume from it.

        ``refused`` is called with the reason when it cannot.  None withdraws the offer.
        """
        self._offer = None if search is None else _Offer(search, label, refused)

    def take(self, done: Callable[[SavedSearch | None], object], failed: Failed) -> None:
        """Copy the search between two slices, whether it runs or is paused, and call ``done`` with the copy or None."""

        def visit(search: Search | None) -> None:
            try:
                copy = None if search is None else saved(search)
            except MemoryError:
                failed(Text("there is not enough memory to copy the tree"))
                return
            done(copy)

        self.visit(visit)

    def prepared(self, request: Request, search: Search) -> None:
        offer = self._offer
        label = None if request.source is None else request.source.label
        if offer is None or (offer.search.position, offer.label) != (request.position, label):
            return
        if self._offer is offer:  # not replaced in the meantime
            self._offer = None
        sentence = _misfit(offer.search, search)
        if not sentence:
            try:
                offer.search.resume(search)
            except ValueError as error:
                sentence = text_of(error)
        if sentence:
            offer.refused(sentence)


def _misfit(saved_search: SavedSearch, search: Search) -> str:
    """Return why a saved tree does not match a search; "" when it does."""
    if saved_search.settings != search.settings:
        return Text("it was searched with other settings")
    if saved_search.state.restriction.only != search.only:
        return Text("it was searched with other moves chosen")
    return ""
