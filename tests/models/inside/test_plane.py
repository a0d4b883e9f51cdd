"""Positions in the plane: a known geometry is found again, images are one, neighbours are those of a slow search."""

import numpy as np
import pytest

from core.games import GameSpec, Position, load_game
from core.games.encoding import Inputs
from core.games.net_inputs import inputs_of_all
from models.audit.positions import key_of
from models.inside.plane import (
    EXACT,
    RESULT,
    Neighbour,
    V,
    agreements,
    canonical,
    locate,
    make_plane,
    points_at_most,
    principal_axes,
)
from models.inside.sample import Origin, Sample, play_sample
from models.netfiles.shipped import default_net
from models.netfiles.tapped import Tapped, TappedNet

TTT = load_game("tictactoe")
FOUR = load_game("connect4")


@pytest.fixture(scope="module")
def net() -> TappedNet:
    return TappedNet(default_net(TTT), TTT)


@pytest.fixture(scope="module")
def sample(net: TappedNet) -> Sample:
    return play_sample(net, 200, 0)


class Planted(TappedNet):
    """A net whose last block says of a position how many stones of the mover and of the other are on the board, in two
    directions at right angles of length 1, and nothing else."""

    def run(self, inputs: Inputs) -> Tapped:
        tapped = super().run(inputs)
        last = tapped.blocks[-1]
        last[:] = 7.0
        last[:, 3, 0, 0] += inputs.planes[:, 0].sum((1, 2))
        last[:, 5, 2, 1] += inputs.planes[:, 1].sum((1, 2))
        return tapped


class Even(TappedNet):
    """A net whose last block says the same of all positions."""

    def run(self, inputs: Inputs) -> Tapped:
        tapped = super().run(inputs)
        tapped.blocks[-1][:] = 0.25
        return tapped


def stones(position: Position) -> tuple[float, float]:
    cells = position.cells()
    return float((cells == position.to_move + 1).sum()), float((cells == 2 - position.to_move).sum())


def test_a_planted_geometry_is_that_of_the_plane(sample: Sample) -> None:
    planted = Planted(default_net(TTT), TTT)
    plane = make_plane(planted, sample, 2)
    assert sum(plane.shares) == pytest.approx(1.0, abs=1e-9)
    wanted = np.array([stones(position) for position in sample.positions])
    apart = np.linalg.norm(wanted[:, None] - wanted[None, :], axis=2)
    points = plane.points.astype(np.float64)
    np.testing.assert_allclose(np.linalg.norm(points[:, None] - points[None, :], axis=2), apart, atol=1e-4)
    np.testing.assert_allclose(plane.axes @ plane.axes.T, np.eye(2), atol=1e-6)
    here = locate(planted, plane, sample.positions[17])
    assert here.point == pytest.approx(plane.points[17].tolist(), abs=1e-5)


def test_what_does_not_differ_is_exactly_nothing(sample: Sample) -> None:
    even = Even(default_net(TTT), TTT)
    plane = make_plane(even, sample, 2)
    assert plane.shares == (0.0, 0.0)
    assert not plane.points.any()
    assert not plane.axes.any()
    assert [one.distance for one in locate(even, plane, TTT.initial()).by_net] == [0.0] * 10


@pytest.mark.parametrize("shape", [(40, 7), (9, 60), (30, 30), (3, 1), (4, 2)])
def test_the_axes_are_those_of_the_whole_decomposition(shape: tuple[int, int]) -> None:
    rows = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    rows -= rows.mean(0)
    axes, shares = principal_axes(rows)
    left, sizes, right = np.linalg.svd(rows.astype(np.float64), full_matrices=False)
    count = min(2, shape[1])
    np.testing.assert_allclose(shares[:count], (sizes**2 / (sizes**2).sum())[:count], rtol=1e-6)
    np.testing.assert_allclose(np.abs((axes @ right[:2].T).diagonal()), 1.0, atol=1e-5)
    points = rows @ axes.T
    np.testing.assert_allclose(np.abs(points[:, :count]), np.abs(left[:, :count] * sizes[:count]), atol=1e-4)
    furthest = points[np.abs(points).argmax(0), [0, 1]]
    assert (furthest[:count] > 0).all()  # the picture is the same each time
    if shape[1] == 1:
        assert shares[1] == 0.0
        assert not axes[1].any()


def image_of(position: Position, symmetry: int) -> Position:
    """The position turned, with its moves, from the turned first one."""
    game = position.game
    image = game.initial()
    if image.cells().any():
        image = game.set_up(game.transform_planes(image.cells(), symmetry), 0)
    for action in position.moves:
        image = image.play(int(game.symmetries[symmetry, action]))
    return image


@pytest.mark.parametrize("game", [TTT, FOUR, load_game("othello"), load_game("go(size=5)")], ids=lambda game: game.name)
def test_all_images_of_a_position_have_one_canonical_one(game: GameSpec) -> None:
    rng = np.random.default_rng(2)
    position = game.initial()
    for _ in range(7):
        position = position.play(int(rng.choice(position.legal_actions())))
        wanted = canonical(position)
        assert key_of(wanted) == key_of(position)
        for symmetry in range(len(game.symmetries)):
            image = image_of(position, symmetry)
            assert canonical(image) == wanted
            assert canonical(image).moves == wanted.moves


def test_the_canonical_image_of_a_diagram_is_one_too() -> None:
    position = TTT.set_up(TTT.position("a1 b2 a2").cells(), 1).play(TTT.parse_action("c1"))
    images = {canonical(position).cells().tobytes()}
    for symmetry in range(8):
        start = TTT.set_up(TTT.transform_planes(position.start.cells(), symmetry), 1)
        images.add(canonical(start.play(int(TTT.symmetries[symmetry, position.moves[0]]))).cells().tobytes())
    assert len(images) == 1


def test_a_position_and_its_mirror_image_are_their_own_neighbours(net: TappedNet, sample: Sample) -> None:
    plane = make_plane(net, sample, 2)
    assert plane is not None
    for place in (3, 50, 120):
        position = sample.positions[place]
        for symmetry in (0, 3, 5):
            image = image_of(position, symmetry)
            here = locate(net, plane, image)
            assert here.position is image
            assert here.by_net[0].place == here.by_board[0].place == place
            assert here.by_net[0].distance == pytest.approx(0.0, abs=1e-6)
            assert here.by_net[0].equal == 1.0
            assert here.point == pytest.approx(plane.points[place].tolist(), abs=1e-4)
            assert here.value == pytest.approx(plane.values[place], abs=1e-5)


def test_neighbours_are_those_of_a_slow_search(net: TappedNet, sample: Sample) -> None:
    plane = make_plane(net, sample, 1)
    assert plane is not None
    turned = [canonical(position) for position in sample.positions]
    rows = net.run(inputs_of_all(turned, net.encoding)).blocks[1].reshape(len(turned), -1).astype(np.float64)
    here = turned[7]
    centre = rows.mean(0)
    own = rows[7] - centre
    best: dict[int, Neighbour] = {}
    boards: dict[int, float] = {}
    for place, (row, position) in enumerate(zip(rows, turned, strict=True)):
        row = row - centre
        distance = 1.0 - own @ row / np.linalg.norm(own) / np.linalg.norm(row)
        pair = [np.where(p.cells() == 0, 0, np.where(p.cells() == p.to_move + 1, 1, 2)) for p in (here, position)]
        equal = float((pair[0] == pair[1]).mean())
        game = int(sample.games[place])
        if game not in best or distance < best[game].distance:
            best[game] = Neighbour(place, distance, equal)
        boards[game] = max(boards.get(game, 0.0), equal)
    found = locate(net, plane, here)
    wanted = sorted(best.values(), key=lambda one: one.distance)[:10]
    assert [one.place for one in found.by_net] == [one.place for one in wanted]
    np.testing.assert_allclose([one[1:] for one in found.by_net], [one[1:] for one in wanted], atol=1e-5)
    assert [one.equal for one in found.by_board] == pytest.approx(sorted(boards.values(), reverse=True)[:10])


def test_the_agreement_is_that_of_a_slow_count(net: TappedNet, sample: Sample) -> None:
    known = [1.0 if position.ply % 3 else float("nan") for position in sample.positions]
    known = [value if place % 4 else -value for place, value in enumerate(known)]
    origins = tuple(Origin("", value, True) for value in known)
    plane = make_plane(net, sample._replace(origins=origins), 2)
    of_net, exactly = agreements(plane)
    assert (of_net.kind, exactly.kind) == (V, EXACT)
    for one, values in ((of_net, plane.values.tolist()), (exactly, known)):
        places = [i for i, value in enumerate(values) if value == value]
        apart: list[list[float]] = [[], [], []]
        for i in places:
            others = [j for j in places if sample.games[i] != sample.games[j]]
            own = plane.rows[i].astype(np.float64)
            cosines = [
                own @ plane.rows[j] / np.linalg.norm(own) / np.linalg.norm(plane.rows[j].astype(np.float64))
                for j in others
            ]
            differences = np.array([abs(values[i] - values[j]) for j in others])
            apart[0].append(differences[int(np.argmax(cosines))])
            equal = np.array([(plane.boards[i] == plane.boards[j]).mean() for j in others])
            apart[1].append(differences[equal == equal.max()].mean())
            apart[2].append(differences.mean())
        assert one.positions == len(places)
        for score, differences_of in zip((one.by_net, one.by_board, one.at_random), apart, strict=True):
            assert score.value == pytest.approx(np.mean(differences_of), abs=1e-5)
            assert score.low <= score.value <= score.high
    results = sample._replace(origins=tuple(origin._replace(is_exact=False) for origin in origins))
    assert agreements(plane._replace(sample=results))[1].kind == RESULT


def test_a_net_that_has_learnt_tells_values_better_than_the_board(net: TappedNet, sample: Sample) -> None:
    plane = make_plane(net, sample, 2)
    assert plane is not None
    (agreed,) = agreements(plane)
    assert agreed.by_net.high < agreed.by_board.low < agreed.at_random.low


def test_too_few_positions_and_being_stopped(net: TappedNet, sample: Sample) -> None:
    with pytest.raises(ValueError, match="a map needs 3 positions; there are 2"):
        make_plane(net, Sample(sample.positions[:2], sample.games[:2]), 0)
    taken: list[int] = []
    assert make_plane(net, sample, 0, lambda: len(taken) == 2, taken.append) is None
    assert taken == [64, 128]
    few = make_plane(net, Sample(sample.positions[:5], np.zeros(5, np.int64)), 0)
    assert few is not None
    assert agreements(few) == ()
    assert points_at_most(net) == 1500


def test_the_picture_is_the_same_each_time(sample: Sample) -> None:
    first, again = (make_plane(TappedNet(default_net(TTT), TTT), sample, 2) for _ in range(2))
    np.testing.assert_array_equal(first.points, again.points)
