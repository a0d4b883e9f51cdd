"""In which block mistakes are made, over an audit: planted damage is found, figures are those of a slow count."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.engine.evaluator import UniformEvaluator
from core.games import load_game
from core.solve import solve
from models.audit.positions import random_items
from models.audit.results import Audit
from models.inside.blocks import views_of
from models.inside.lens import fit_lens
from models.inside.mistakes import MADE, NEVER, OVERRULED, RIGHT, ByBlock, Fate, by_block, fate_of
from models.inside.mistakes_page import mistakes_page
from models.netfiles.shipped import nets_dir
from models.netfiles.tapped import TappedNet
from tests.models.audit.test_audit import HOSTILE, Page, make_audit
from tests.models.inside.nets import changed

TTT = load_game("tictactoe")
SHIPPED = "tictactoe-2x32.onnx"


@pytest.fixture(scope="module")
def audit() -> Audit:
    return make_audit(TTT, [UniformEvaluator(9)], random_items(TTT, 150, (1, 6), 2).items, 20)


@pytest.fixture(scope="module")
def net() -> TappedNet:
    return TappedNet(nets_dir() / SHIPPED, TTT)


@pytest.fixture(scope="module")
def found(net: TappedNet, audit: Audit) -> ByBlock:
    return by_block(net, audit, fit_lens(net, 100))


@pytest.mark.parametrize(
    ("firsts", "fate"),
    [
        ((1, 1, 1), Fate((True, True, True), RIGHT, 0)),
        ((0, 1, 2), Fate((False, True, True), OVERRULED, 1)),
        ((1, 0, 1), Fate((True, False, True), OVERRULED, 2)),
        ((2, 1, 0), Fate((True, True, False), MADE, 2)),
        ((0, 1, 0), Fate((False, True, False), MADE, 2)),
        ((1, 0, 0), Fate((True, False, False), MADE, 1)),
        ((0, 0, 3), Fate((False, False, False), NEVER, 0)),
    ],
)
def test_what_becomes_of_the_right_moves(firsts: tuple[int, ...], fate: Fate) -> None:
    assert fate_of(firsts, {1, 2}) == fate


def test_the_counts_are_those_of_the_solver(net: TappedNet, audit: Audit, found: ByBlock) -> None:
    right, listed = [0, 0, 0], []
    for case in found.cases:
        solution = solve(case.position, seconds=60.0)
        best = {move.action for move in solution.moves if move.value == solution.value}
        views, _ = views_of(net, [case.position])
        is_right = [first in best for first in views.firsts[:, 0].tolist()]
        assert case.own.right == tuple(is_right)
        right = [count + now for count, now in zip(right, is_right, strict=True)]
        listed.append(case.audited.number)
    assert found.own.right == tuple(right)
    at_the_end = sum(case.own.kind in (RIGHT, OVERRULED) for case in found.cases)
    assert (at_the_end, len(found.cases) - at_the_end) == (right[-1], sum(found.own.made) + found.own.never)
    skipped = {audited.number for audited in audit.done} - set(listed)
    assert all(not audited.exact.worse for audited in audit.done if audited.number in skipped)


def test_damage_that_was_planted_in_a_block_is_found_there(tmp_path: Path, audit: Audit, found: ByBlock) -> None:
    def spoil(name: str, array):
        return array * (-2.0 if name.startswith("blocks.1.second.") else 1.0)

    spoiled = by_block(TappedNet(changed(SHIPPED, tmp_path / "net.onnx", spoil), TTT), audit, None)
    assert spoiled.own.right[:2] == found.own.right[:2]  # the blocks before are the same
    assert spoiled.own.made[2] > max(10, 2 * sum(found.own.made))
    assert "are lost in block 2" in spoiled.sentence
    assert spoiled.fitted is None


def test_an_audit_of_another_game_is_refused_and_a_long_one_can_be_stopped(net: TappedNet, audit: Audit) -> None:
    other = TappedNet(nets_dir() / "connect4-4x48.onnx", load_game("connect4"))
    with pytest.raises(ValueError, match="the audit is of tictactoe, the net for connect4"):
        by_block(other, audit, None)
    assert by_block(net, audit, None, lambda: True) is None


def test_the_page_is_well_formed_and_shows_untrusted_text_as_text(audit: Audit, found: ByBlock) -> None:
    text = mistakes_page(HOSTILE, audit, found)
    page = Page(text)
    assert "img" not in page.tags
    assert page.scripts == ""
    assert "default-src 'none'" in page.policy
    assert "http" not in text.replace("http-equiv", "")
    for start in (at for at in range(len(text)) if text.startswith("<svg", at)):
        ElementTree.fromstring(text[start : text.index("</svg>", start) + 6])
    assert text.count("<td>lost in ") == sum(found.own.made)
    assert text.count("<td>found in ") == sum(found.own.overruled) > 0
