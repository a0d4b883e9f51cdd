"""The rules of the preset katago-like against slow Python: the root's priors and answers, score leads, merged moves."""

import io
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.engine import Evaluator, Search
from core.engine.lockstep import Lockstep
from core.engine.look_back import LookBack
from core.engine.symmetry import under_symmetries
from core.files.texts import settings_from
from core.files.tree_file import dump_tree, load_tree, saved
from core.games import load_game
from core.games.encoding import Inputs
from core.games.net_inputs import inputs_of
from core.search import Limit, SearchSettings
from core.search.play import apply_proofs
from core.search.settings import KATAGO, PRESETS, SETTINGS, with_preset
from core.search.tree import NODES, PRIOR_ONE, RECORDS, TERMINAL, Tree, backups, node_at
from tests.core.search.fakes import HashEvaluator, LeadEvaluator, run_search

GO = load_game("go(size=5)")
GAMES = [
    "tictactoe",
    "connect4",
    "gomoku(size=7)",
    "othello(size=6)",
    "nim(heaps=3-3-5)",
    "go(size=5)",
    "go(rows=3, cols=5)",
]


class WithFeatures(Evaluator):
    """A net of KataGo's input, of no sense: everything it is shown counts."""

    description = "features"

    def __init__(self, game):
        self.game = game
        self.encoding = next(one for one in game.encodings if one.trained and one.features)

    def evaluate(self, planes, features=None):
        answers = LeadEvaluator(self.game.num_actions).evaluate(
            np.concatenate(
                [planes, np.broadcast_to(features[:, :, None, None], (*features.shape, *planes.shape[2:]))], axis=1
            )
        )
        return tuple(answers)


def like_katago(**more):
    return replace(with_preset(SearchSettings(memory_mb=16, max_batch=1), KATAGO), **more)


def searched(position, evaluator, simulations=200, **more):
    return run_search(position, evaluator, simulations, like_katago(**more), seed=3)


def test_the_preset_names_settings_and_leaves_the_others():
    assert set(PRESETS[KATAGO]) <= {setting.name for setting in SETTINGS}
    own = SearchSettings(memory_mb=64, max_batch=3, selection="ucb1")
    chosen = with_preset(own, KATAGO)
    assert (chosen.memory_mb, chosen.max_batch, chosen.selection) == (64, 3, "puct")
    assert {name: getattr(chosen, name) for name in PRESETS[KATAGO]} == dict(PRESETS[KATAGO])
    with pytest.raises(ValueError, match="no preset 'katago'; there are: katago-like"):
        with_preset(own, "katago")


def test_settings_of_older_files_are_read_with_the_usual_search():
    old = {setting.name: setting.default for setting in SETTINGS if setting.name not in PRESETS[KATAGO]}
    assert settings_from(old) == SearchSettings(**old)
    assert not SearchSettings().params().extended


@pytest.mark.parametrize("name", GAMES)
def test_the_root_has_the_mean_answer_over_the_symmetries(name):
    game = load_game(name)
    position = game.initial().play(game.initial().legal_actions()[1])
    evaluator: Any = WithFeatures(game) if name.startswith("go(") else HashEvaluator(game.num_actions)
    inputs = (
        inputs_of(position, evaluator.encoding)
        if name.startswith("go(")
        else Inputs(position.planes()[None], np.zeros((1, 0), np.float32))
    )
    shares, values, leads = np.zeros(game.num_actions), [], []
    for s, image in enumerate(game.symmetries):
        given = (game.transform_planes(inputs.planes, s), inputs.features)
        logits, value, *lead = evaluator.evaluate(*given[: 1 + bool(inputs.features.size)])
        powers = {a: math.exp(logits[0, image[a]]) for a in position.legal_actions()}
        for a, power in powers.items():
            shares[a] += power / sum(powers.values()) / len(game.symmetries)
        values.append(value[0])
        leads += [part[0] for part in lead]
    search = run_search(position, evaluator, 1, like_katago(merge_symmetric=False))
    root = search.snapshot().root
    assert root.value == pytest.approx(np.mean(values), abs=1e-6)
    assert root.q == pytest.approx(np.mean(values), abs=1e-6)
    assert root.priors == pytest.approx(shares[root.actions], abs=2 / PRIOR_ONE)
    assert search.snapshot().counters.evaluations == len(game.symmetries)
    if leads:
        lead, square = np.mean(leads, axis=0)
        assert root.lead == pytest.approx(lead, abs=1 / 64)
        assert root.lead_spread == pytest.approx(math.sqrt(square - lead**2), abs=0.05)


def test_a_position_found_in_the_tree_gets_the_mean_as_root_and_keeps_its_visits():
    evaluator = HashEvaluator(GO.num_actions)
    search = searched(GO.position("b2"), evaluator, 150)
    action = search.best_action()
    before = search.snapshot([(action,)]).opened[(action,)]
    search.advance(action)
    search.run(Limit(simulations=before.visits + 1))
    root = search.snapshot().root
    answer = under_symmetries(evaluator, search.position)
    mean = dict(zip(answer.actions, answer.policy_mean.tolist(), strict=True))
    assert root.value == pytest.approx(answer.value_mean, abs=1e-6) != before.value
    assert dict(zip(root.actions.tolist(), root.priors.tolist(), strict=True)) == pytest.approx(mean, abs=2 / PRIOR_ONE)
    visits = dict(zip(before.actions.tolist(), before.visits_of.tolist(), strict=True))
    grown = [n - visits[a] for a, n in zip(root.actions.tolist(), root.visits_of.tolist(), strict=True)]
    assert sorted(grown)[-1] == sum(grown) == 1, "one simulation more, and none is lost"
    count = int(search.tree.counts[RECORDS])
    assert LookBack(search).past(before.visits).snapshot.root.visits == before.visits
    assert int(search.tree.counts[RECORDS]) == count


@pytest.mark.parametrize("temperature", [0.5, 1.3, 4.0])
def test_the_root_temperature_is_for_the_root_alone(temperature):
    position, evaluator = GO.position("b2 c3"), HashEvaluator(GO.num_actions, 2.0)
    search = searched(
        position, evaluator, 120, root_temperature=temperature, root_symmetries=False, merge_symmetric=False
    )
    root = search.snapshot().root
    logits, _ = evaluator.evaluate(position.planes()[None])
    net = np.exp(logits[0, root.actions].astype(float))
    net /= net.sum()
    hot = net ** (1 / temperature)
    assert root.net_priors == pytest.approx(net, abs=2 / PRIOR_ONE)
    assert root.priors == pytest.approx(hot / hot.sum(), abs=3e-4)
    assert root.priors.sum() == pytest.approx(1, abs=1e-3)
    assert root.noisy
    best = search.best_action()
    below = position.play(best)
    search.advance(best)
    search.go_to(position)
    search.run(Limit(simulations=search.simulations + 1))
    again = search.snapshot().root
    assert dict(zip(again.actions.tolist(), again.priors.tolist(), strict=True)) == dict(
        zip(root.actions.tolist(), root.priors.tolist(), strict=True)
    ), "it is not applied twice"
    node = node_at(search.tree, search.root, (best,))
    start, n = int(search.tree.edge_start[node]), int(search.tree.num_edges[node])
    actions = search.tree.edge_action[start : start + n]
    logits, _ = evaluator.evaluate(below.planes()[None])
    child = np.exp(logits[0, actions].astype(float))
    assert search.tree.edge_prior[start : start + n] / PRIOR_ONE == pytest.approx(
        child / child.sum(), abs=2 / PRIOR_ONE
    )


# Symmetries of the whole state.


def slow_symmetries(position):
    """The symmetries under which the game so far could have been another with the same future."""
    game, boards, found = position.game, [], []
    at = position.start
    for action in position.moves:
        boards.append((at.to_move, at.cells()))
        at = at.play(action)
    for s in range(len(game.symmetries)):

        def image(cells, s=s):
            return game.transform_planes(cells[None], s)[0]

        legal = {int(game.symmetries[s][a]) for a in position.legal_actions()} == set(position.legal_actions())
        past = {(player, image(cells).tobytes()) for player, cells in boards} == {(p, c.tobytes()) for p, c in boards}
        if (
            (image(position.cells()) == position.cells()).all()
            and legal
            and (past or not game.board.past(position.state))
        ):
            found.append(s)
    return tuple(found)


@pytest.mark.parametrize(
    "name", [*GAMES, "gomoku(size=7, rule=renju)", "go(size=3, ko=positional)", "go(size=4, rules=chinese)"]
)
def test_symmetries_of_a_position_are_those_of_its_whole_state(name):
    game, rng, seen_more = load_game(name), np.random.default_rng(5), 0
    for _ in range(12):
        position = game.initial()
        while not position.is_over and position.ply < 14:
            assert position.symmetries() == slow_symmetries(position)
            seen_more += len(position.symmetries()) > 1
            position = position.play(int(rng.choice(position.legal_actions())))
    assert seen_more


def test_earlier_positions_and_a_ko_break_a_symmetry_in_go():
    cross = GO.position("b2 b4 d4 d2")  # black on one diagonal, white on the other
    assert len(GO.parse_diagram(cross.diagram()).symmetries()) == 4
    # With black at b2 and white at d2 this game never was: under superko it is another one.
    assert cross.symmetries() == (0,)
    assert len(GO.position("b2 d4").symmetries()) == 2
    assert len(GO.position("c3").symmetries()) == 8
    assert len(GO.position("c3 pass").symmetries()) == 8
    assert len(load_game("gomoku(size=5)").position("b2 b4 d4 d2").symmetries()) == 4
    ko = GO.position("b3 c3 c4 d4 c2 d2 a5 e3 d3")
    assert ko.cells()[2, 2] == 0
    assert ko.cells()[2, 3] == 1
    flipped = [s for s in range(8) if (GO.transform_planes(ko.cells()[None], s)[0] == ko.cells()).all()]
    assert all(GO.symmetries[s][ko.last_action] == ko.last_action for s in ko.symmetries())
    assert set(ko.symmetries()) <= set(flipped)


@pytest.mark.parametrize("name", GAMES)
def test_merged_moves_stand_for_their_images(name):
    position = load_game(name).initial()
    search = searched(position, HashEvaluator(position.game.num_actions), 150)
    root, whole = search.snapshot().root, under_symmetries(search.evaluator, position)
    classes = {
        a: frozenset(int(position.game.symmetries[s][a]) for s in slow_symmetries(position))
        for a in position.legal_actions()
    }
    assert len(root.actions) == len(set(classes.values()))
    policy = dict(zip(whole.actions, whole.policy_mean.tolist(), strict=True))
    for action, prior in zip(root.actions.tolist(), root.priors.tolist(), strict=True):
        assert {action, *root.same.get(action, ())} == classes[action]
        assert prior == pytest.approx(sum(policy[a] for a in classes[action]), abs=1e-3)
    assert root.priors.sum() == pytest.approx(1, abs=1e-3)
    assert root.visits_of.sum() == search.simulations - 1
    pi = root.visit_policy()
    assert pi.sum() == pytest.approx(1)
    weights = root.visits_of.astype(float)
    apply_proofs(weights, root.proofs, root.priors, len(weights), len(weights), root.proof)
    assert root.choice.target.sum() == pytest.approx(1)


def test_merged_moves_stand_for_their_images_after_going_back():
    position = GO.initial()
    search = searched(position, HashEvaluator(GO.num_actions), 100)
    before = search.snapshot().root
    search.advance(search.best_action())
    search.run(Limit(simulations=search.simulations + 30))
    search.go_to(position)
    search.run(Limit(simulations=search.simulations + 30))
    after = search.snapshot().root
    assert {a: set(b) for a, b in after.same.items()} == {a: set(b) for a, b in before.same.items()}
    assert after.priors.sum() == pytest.approx(1, abs=1e-3)
    assert sorted(after.actions.tolist()) == sorted(before.actions.tolist())


# Scores, bounds.


def test_q_is_the_value_and_s_the_lead():
    search = searched(GO.position("b2 c3"), LeadEvaluator(GO.num_actions), 300, score_utility=0.5)
    tree, view = search.tree, search.snapshot().root
    for row in view.rows:
        if not row.visits:
            continue
        slot = int(tree.slot[node_at(tree, search.root, (row.action,))])
        n = backups(tree, slot)
        assert row.q == pytest.approx(tree.total[slot] / n, abs=1e-6)
        assert row.s == pytest.approx(0.5 * math.atan(tree.lead_sum[slot, 0] / n / (2 * 5)) / (math.pi / 2), abs=1e-6)
        assert row.score == pytest.approx(row.q + row.s + row.u, abs=1e-5)
    early = searched(GO.position("b2 c3"), LeadEvaluator(GO.num_actions), 9, score_utility=0.5)
    view = early.snapshot().root
    unseen = next(row for row in view.rows if not row.visits)
    own = 0.5 * math.atan(view.lead / 10) / (math.pi / 2)
    assert unseen.s == pytest.approx(own, abs=1e-6)
    assert unseen.q == pytest.approx(view.q - 0.1 * math.sqrt(view.choice.visited_prior), abs=1e-5)
    assert view.rule == "puct with score"


def test_without_leads_there_is_no_score():
    view = searched(GO.position("b2 c3"), HashEvaluator(GO.num_actions), 100).snapshot().root
    assert view.rule == "puct"
    assert not len(view.ss)
    assert all(math.isnan(row.s) for row in view.rows)


def test_simulations_in_flight_leave_the_score_utility_alone():
    search = searched(GO.position("b2 c3"), LeadEvaluator(GO.num_actions), 100, score_utility=0.5)
    before = search.snapshot().root.choice
    slot = int(search.tree.child_start[search.root])
    search.tree.inflight[slot] += 3
    after = search.snapshot().root.choice
    search.tree.inflight[slot] -= 3
    assert after.ss[0] == before.ss[0] != 0.0
    assert after.us[0] < before.us[0]


@pytest.mark.parametrize(("z", "share"), [(5.0, 0.15), (1.0, 0.0), (2.0, 0.6), (5.0, 1.0)])
def test_the_move_played_has_the_highest_bound_of_the_well_visited(z, share):
    search = searched(
        GO.position("b2"), HashEvaluator(GO.num_actions), 300, lcb_z=z, lcb_share=share, c_spread=0.0, c_puct=3.0
    )
    tree, view = search.tree, search.snapshot().root
    most, bounds = int(view.visits_of.max()), {}
    for row in view.rows:
        if not row.visits:
            assert math.isnan(row.radius)
            continue
        slot = int(tree.slot[node_at(tree, search.root, (row.action,))])
        n = backups(tree, slot)
        variance = tree.squares[slot] / n - (tree.total[slot] / n) ** 2
        radius = z * math.sqrt((variance + 1 / row.visits) / row.visits)
        assert row.radius == pytest.approx(radius, rel=1e-5)
        if row.visits >= share * most:
            bounds[row.action] = row.q - radius
    assert view.best_action == max(bounds, key=bounds.get)
    assert view.best_row.action == view.best_action


# Earlier moments and files.


def figures(snapshot):
    root = snapshot.root
    return repr(
        [(r.action, r.visits, r.q, r.s, r.u, r.score, r.radius, r.prior, r.net_prior) for r in root.rows]
    ), root.same


@pytest.mark.parametrize("scored", [True, False])
def test_every_earlier_moment_is_what_a_search_stopped_there_shows(scored):
    position = GO.initial()
    evaluator = (LeadEvaluator if scored else HashEvaluator)(GO.num_actions)
    back = LookBack(searched(position, evaluator, 200, root_temperature=1.2))
    for simulation in (1, 2, 40, 133, 200):
        then = searched(position, evaluator, simulation, root_temperature=1.2)
        assert figures(back.past(simulation).snapshot) == figures(then.snapshot())


@pytest.mark.parametrize("simulations", [2, 90])
def test_a_saved_tree_goes_on_as_if_it_had_not_been_saved(simulations):
    evaluator = LeadEvaluator(GO.num_actions)
    search = searched(GO.initial(), evaluator, simulations, root_temperature=1.2)
    loaded = load_tree(dump_tree(saved(search)))
    assert loaded.settings == search.settings
    again = Search(loaded.position, evaluator, loaded.settings, seed=3)
    loaded.resume(again)
    assert figures(again.snapshot()) == figures(search.snapshot())
    for one in (search, again):
        one.run(Limit(simulations=simulations + 120))
    assert figures(again.snapshot()) == figures(search.snapshot())


SMALL_GO = load_game("go(size=4, komi=0.5)")


def recount(tree: Tree) -> np.ndarray:
    """The sums of all slots in use, from the recorded simulations of a search whose root never moved: [K, 2]."""
    sums = np.zeros((int(tree.slot[: tree.counts[NODES]].max()) + 1, 2))
    for leaf in tree.leaf[: tree.counts[RECORDS]].tolist():
        lead, square = tree.node_lead[leaf].tolist()
        node = leaf
        while node >= 0:
            lead = -lead
            sums[tree.slot[node]] += lead, square
            node = int(tree.parent[node])
    return sums


def with_leads(simulations: int = 600, position=None) -> Search:
    return run_search(
        position or SMALL_GO.position("b2 c3 c2 b3"), LeadEvaluator(17), simulations, seed=1, memory_mb=16
    )


def in_use(tree: Tree) -> np.ndarray:
    return tree.lead_sum[tree.slot[: tree.counts[NODES]]]


def test_the_sums_are_those_of_all_simulations() -> None:
    search = with_leads()
    tree = search.tree
    assert np.array_equal(in_use(tree), recount(tree)[tree.slot[: tree.counts[NODES]]])


def test_a_finished_game_counts_with_its_score() -> None:
    search = with_leads(900, SMALL_GO.position("b1 c1 b2 c2 b3 c3 b4 c4 pass"))
    tree = search.tree
    ends = np.flatnonzero(tree.num_edges[: tree.counts[NODES]] == TERMINAL)
    assert len(ends)
    # Black has as many points as white, who wins by half a point and is to move after black's second pass.
    second_pass = [node for node in ends if tree.parent[node] == 0 and tree.action[node] == 16]
    assert [tree.node_lead[node].tolist() for node in second_pass] == [[-0.5, 0.25]]
    row = next(row for row in search.snapshot().moves if row.name == "pass")
    assert (row.lead, row.lead_spread) == (0.5, 0.0)


def test_the_rows_show_means_for_the_side_to_move() -> None:
    search = with_leads()
    tree, root = search.tree, search.snapshot(opened=[(search.best_action(),)]).root
    for row in root.rows:
        if row.visits:
            slot = int(tree.slot[node_at(tree, search.root, [row.action])])
            mean, square = tree.lead_sum[slot] / backups(tree, slot)
            assert row.lead == pytest.approx(mean, rel=1e-6)
            assert row.lead_spread == pytest.approx(np.sqrt(square - mean**2), rel=1e-5)
        else:
            assert np.isnan(row.lead)
    assert root.lead == pytest.approx(-tree.lead_sum[0, 0] / 600, rel=1e-6)


def test_without_leads_there_are_no_arrays_for_them() -> None:
    search = run_search(SMALL_GO.initial(), HashEvaluator(17), 50, memory_mb=16)
    assert search.tree.lead_sum.size == search.tree.node_lead.size == 0
    assert np.isnan(search.snapshot().moves[0].lead)
    assert np.isnan(search.snapshot().root.lead)


def test_an_earlier_moment_has_the_sums_of_that_moment() -> None:
    search, at = with_leads(900), 250
    then = with_leads(at)
    past = LookBack(search).past(at).snapshot
    assert past.root.lead == then.snapshot().root.lead
    assert [(r.name, r.lead, r.lead_spread) for r in past.moves if r.visits] == [
        (r.name, r.lead, r.lead_spread) for r in then.snapshot().moves if r.visits
    ]
    later = LookBack(search).past(900).snapshot
    assert later.root.lead == search.snapshot().root.lead


def test_a_subtree_keeps_its_leads_when_the_tree_is_compacted() -> None:
    search = with_leads()
    action = search.best_action()
    before = next(row for row in search.snapshot().moves if row.action == action)
    search.advance(action)
    assert search.snapshot().root.lead == pytest.approx(-before.lead)
    again = Search(SMALL_GO.initial(), LeadEvaluator(17), SearchSettings(memory_mb=16))
    again.load_state(search.state())
    assert again.snapshot().root.lead == pytest.approx(-before.lead)
    again.run(Limit(simulations=800))
    assert again.tree.lead_sum.size


@pytest.mark.slow
def test_leads_lie_in_the_file_of_a_tree() -> None:
    search = with_leads()
    loaded = load_tree(io.BytesIO(dump_tree(saved(search))).read())
    assert np.array_equal(in_use(loaded.state.tree), in_use(search.tree))
    assert np.array_equal(loaded.state.tree.node_lead, search.tree.node_lead[: int(search.tree.counts[NODES])])
    other = Search(SMALL_GO.initial(), HashEvaluator(17), SearchSettings(memory_mb=16))
    loaded.resume(other)
    assert np.isnan(other.snapshot().root.lead)


def test_a_tree_without_leads_is_refused_by_a_search_that_needs_them() -> None:
    plain = run_search(SMALL_GO.initial(), HashEvaluator(17), 50, memory_mb=16)
    with pytest.raises(ValueError, match="without score leads"):
        Search(SMALL_GO.initial(), LeadEvaluator(17), SearchSettings(memory_mb=16)).load_state(plain.state())


def test_games_in_lockstep_keep_leads() -> None:
    lockstep = Lockstep(SMALL_GO, LeadEvaluator(17), 2, SearchSettings(memory_mb=32), seed=3)
    for g in range(2):
        lockstep.restart(g, (g,))
        lockstep.set_target(g, 60, False)
    while len(lockstep.step()) < 2:
        pass
    for g in range(2):
        slot = int(lockstep.tree.slot[lockstep.root(g)])
        assert lockstep.tree.lead_sum[slot, 1] > 0


@pytest.mark.parametrize("leads", [(), (np.zeros((0, 2), np.float32),), (np.full((1, 2), np.nan, np.float32),)])
def test_an_evaluator_that_owes_leads_is_refused(leads) -> None:
    class Poor(LeadEvaluator):
        def evaluate(self, planes, features=None):
            return (*HashEvaluator.evaluate(self, planes), *leads)

    search = Search(SMALL_GO.initial(), Poor(17), SearchSettings(memory_mb=16))
    with pytest.raises(ValueError, match=r"score leads of shape \(0, 2\)|no finite number"):
        search.run(Limit(simulations=20))
