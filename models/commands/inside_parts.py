"""What each part of ``plyscope inside`` says: as JSON, and as lines of text.  Values are for the side to move."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec, Position
from core.games.net_inputs import inputs_of
from core.text import aligned
from models.commands.printing import signed
from models.inside.atlas import Atlas, Channel
from models.inside.attention import Looks
from models.inside.blocks import Strip
from models.inside.knowledge import ConceptReport, NetReport
from models.inside.lens import Lens, Reading
from models.inside.probes import Score
from models.inside.reply import SeenLine
from models.inside.stones import Stone, Stones
from models.inside.sums import Summed, SumReader
from models.inside.uses import SIMULATIONS, Use
from models.inside.views import Views
from models.netfiles.tapped import TappedNet

_MOVES: Final = 3  # of a block; cells of a head
_SPOTS: Final = 2  # of a channel, in the text
_TERMS: Final = 6  # products of a sum


# Block by block.


def blocks_data(strip: Strip, lens: Lens | None) -> dict[str, Any]:
    """The blocks of a position, and how well the lens reads, for JSON."""
    rows = [
        {
            "name": name,
            "own": _view(strip, strip.own, i),
            "lens": None if strip.fitted is None else _view(strip, strip.fitted, i),
        }
        for i, name in enumerate(strip.blocks)
    ]
    data: dict[str, Any] = {"sentence": strip.sentence, "blocks": rows, "lens": None}
    if lens is not None:
        data["lens"] = {
            "positions": lens.positions,
            "held_out": lens.held_out,
            "own": [_reading(reading) for reading in lens.own],
            "lens": [_reading(reading) for reading in lens.fitted],
        }
    return data


def _view(strip: Strip, views: Views, block: int) -> dict[str, Any]:
    """One block's view of the position: probabilities by move, the most probable first."""
    name, shares = strip.position.game.action_name, views.policies[block, 0]
    moves = sorted(strip.position.legal_actions(), key=lambda action: -shares[action])
    return {
        "value": float(views.values[block, 0]),
        "kl": float(views.divergences[block, 0]),
        "agrees": bool(views.agreements[block, 0]),
        "policy": {name(action): float(shares[action]) for action in moves},
    }


def _reading(reading: Reading) -> dict[str, Any]:
    return {"kl": reading.divergence._asdict(), "agreement": reading.agreement._asdict()}


def blocks_lines(strip: Strip, lens: Lens | None) -> list[str]:
    """The blocks as a table, and the sentence."""
    rows: list[Sequence[str]] = [
        ("after", "V", "KL", "moves", *(("V of lens", "KL", "moves") if strip.fitted is not None else ()))
    ]
    for i, name in enumerate(strip.blocks):
        parts = [strip.own] if strip.fitted is None else [strip.own, strip.fitted]
        rows.append((name, *(cell for views in parts for cell in _cells(strip, views, i))))
    lines = aligned(rows)
    if lens is not None:
        lines += ["", f"on {lens.held_out} positions of other games than the lens is fitted to"]
        for name, own, fitted in zip(strip.blocks, lens.own, lens.fitted, strict=True):
            lines.append(f"  {name}: {_measured('own heads', own)}; {_measured('lens', fitted)}")
    return [*lines, "", str(strip.sentence)]


def _cells(strip: Strip, views: Views, block: int) -> tuple[str, str, str]:
    view = _view(strip, views, block)
    first = list(view["policy"].items())[:_MOVES]
    return signed(view["value"]), f"{view['kl']:.2f}", " ".join(f"{move} {share:.0%}" for move, share in first)


def _measured(what: str, reading: Reading) -> str:
    kl, same = reading
    return (
        f"{what} KL {kl.mean:.2f} ({kl.low:.2f} to {kl.high:.2f}), "
        f"same first move {same.mean:.0%} ({same.low:.0%} to {same.high:.0%})"
    )


# Stones that matter.


def stones_data(found: Stones) -> dict[str, Any]:
    """The stones of a position, for JSON; V for the side to move."""
    game, reason = found.position.game, found.reason
    cells, names = found.position.cells().ravel().tolist(), game.cell_names
    return {
        "sentence": found.sentence,
        "move": game.action_name(found.move),
        "prior": found.prior,
        "value": found.value,
        "counterfactuals": len(found.effects),
        "right": found.is_right,
        "reason": None if reason is None else reason._asdict(),
        "stones": [
            {
                "cell": names[stone.cell],
                "player": cells[stone.cell] - 1,
                "sarfa": stone.sarfa,
                "value": stone.value,
                "tests": stone.tests,
                "truth": stone.truth,
            }
            for stone in found.stones
        ],
    }


def stones_lines(found: Stones) -> list[str]:
    """The stones as a table, those on which the move depends most first, and the sentence."""
    rows: list[Sequence[str]] = [("stone", "SARFA", "V without it", "exact answer differs", "tests")]
    rows += [_row(found, stone) for stone in sorted(found.stones, key=lambda stone: -abs(stone.sarfa))]
    return [*aligned(rows), "", str(found.sentence)]


def _row(found: Stones, stone: Stone) -> tuple[str, ...]:
    name = found.position.game.cell_names[stone.cell]
    if not stone.tests:
        return name, "-", "-", "-", "0"
    truth = "?" if stone.truth is None else f"{stone.truth:.0%}"
    return name, signed(stone.sarfa), signed(found.value + stone.value), truth, str(stone.tests)


# Does it see the reply?


def reply_data(seen: SeenLine) -> dict[str, Any]:
    """The line as a JSON object; effects are changes of the log-odds of the first move, in nats."""
    game = seen.position.game
    cells = game.cell_names
    plies = [
        {
            "ply": number,
            "move": game.action_name(ply.action),
            "cell": cells[ply.cell],
            "block": seen.blocks[ply.block] if ply.block >= 0 else None,
            "strength": ply.strength,
            "chance": ply.chance,
            "nets_compared": ply.rivals,
            "changes": [
                {
                    "moves": [game.action_name(action) for action in change.position.moves],
                    "cells": [cells[cell] for cell in change.cells],
                    "kind": change.kind,
                }
                for change in ply.changes
            ],
            "effects": [float(sizes.ravel()[ply.cell]) for sizes in ply.choice] if ply.changes else None,
            "effects_on_value": [float(sizes.ravel()[ply.cell]) for sizes in ply.value] if ply.changes else None,
        }
        for number, ply in enumerate(seen.plies, 2)
    ]
    line = [game.action_name(action) for action in seen.line]
    thresholds = dict(zip(seen.blocks, seen.thresholds, strict=True))
    about = {"sentence": str(seen.sentence), "line": line, "depth": seen.depth}
    return {**about, "thresholds": thresholds, "sampled": seen.sampled, "plies": plies}


def reply_lines(seen: SeenLine) -> list[str]:
    """A row for each ply: the effect of its square in each block, a star where it is beyond the threshold."""
    name = seen.position.game.action_name
    rows = [("ply", "move", "changes", *seen.blocks, "most", "chance")]
    for number, ply in enumerate(seen.plies, 2):
        sizes = [float(part.ravel()[ply.cell]) for part in ply.choice]
        beyond = ["*" if size > least else "" for size, least in zip(sizes, seen.thresholds, strict=True)]
        effects = [f"{size:.2f}{star}" if ply.changes else "-" for size, star in zip(sizes, beyond, strict=True)]
        most = (f"{ply.strength:.2f}", f"{ply.chance:.2f}" if ply.rivals else "-")
        rows.append((str(number), name(ply.action), str(len(ply.changes)), *effects, *most))
    rows.append(("", "", "threshold", *(f"{least:.2f}" for least in seen.thresholds), "", ""))
    table = aligned(rows)
    line = " ".join(map(name, seen.line))
    sampled = f"of the squares that cannot matter {seen.sampled}, drawn by lot, give the thresholds of each ply"
    return [
        f"the line {line}: how much the choice of {name(seen.line[0])} depends on each ply, in nats",
        *table,
        "*: above the threshold; most, chance: how many times the threshold, here and with weights in random order",
        *([sampled] if seen.sampled else ()),
        "",
        str(seen.sentence),
    ]


# Concepts.


def concepts_data(report: NetReport, uses: Mapping[str, Use]) -> dict[str, Any]:
    """What was measured as a JSON object; what is not known is null."""
    about = {"positions": len(report.sample.positions), "judged": len(report.judged), "blocks": list(report.blocks)}
    return {**about, "concepts": [concept_data(concept, uses) for concept in report.concepts]}


def concept_data(concept: ConceptReport, uses: Mapping[str, Use]) -> dict[str, Any]:
    """What was measured of one concept."""
    blocks = [
        {
            "score": score_data(block.score),
            "random_net": score_data(block.random),
            "shuffled_labels": score_data(block.shuffled),
            "above_baselines": score_data(block.above),
            "beats_baselines": block.beats_baselines,
        }
        for block in concept.blocks
    ]
    about = {"name": concept.name, "title": concept.title, "measure": _measure(concept), "rows": concept.rows}
    data = {**about, "mean": _number(concept.mean), "board": score_data(concept.board), "blocks": blocks}
    if concept.name in uses:
        use = uses[concept.name]
        data["searched"] = {str(n): score_data(score) for n, score in zip(SIMULATIONS, use.searched, strict=True)}
        data["pushed"] = [
            None if pushed is None else {**pushed._asdict(), "along": score_data(pushed.along)} for pushed in use.pushed
        ]
    return data


def _measure(concept: ConceptReport) -> str:
    return "AUC" if concept.yes_no else "R2"


def score_data(score: Score) -> dict[str, float | None]:
    """A score and its interval; what is not known is null."""
    return {name: _number(value) for name, value in score._asdict().items()}


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def concepts_lines(report: NetReport, uses: Mapping[str, Use]) -> list[str]:
    """A table: a row for each concept, a star where a block is above all baselines for certain."""
    rows = [("concept", "measure", "bare board", "random net", *report.blocks)]
    for concept in report.concepts:
        if concept.blocks:
            random = max(block.random.value for block in concept.blocks)
            blocks = [f"{block.score.value:.3f}{'*' if block.beats_baselines else ''}" for block in concept.blocks]
            rows.append((concept.name, _measure(concept), f"{concept.board.value:.3f}", f"{random:.3f}", *blocks))
        else:
            rows.append((concept.name, _measure(concept), "too few", *[""] * (len(report.blocks) + 1)))
    lines = aligned(rows)
    about = f"judged by {len(report.judged)} of {len(report.sample.positions)} positions, in games of their own"
    lines.append("*: above the bare board, the net with random weights and shuffled labels, for certain")
    for name, use in uses.items():
        shares = ", ".join(f"{score.value:.0%} of {n}" for n, score in zip(SIMULATIONS, use.searched, strict=True))
        lines += ["", f"{name}: a search chooses it in {shares} simulations, where there is such a move"]
        for block, pushed in zip(report.blocks, use.pushed, strict=True):
            if pushed is not None:
                lines.append(
                    f"  pushed in {block}: P rises in {pushed.along.value:.0%}, more than by {pushed.outdone:.0%} "
                    f"of shuffled labels (mean {pushed.at_random:.0%})"
                )
    return [about, *lines]


# Channels, and one number taken apart.


def channels_data(atlas: Atlas, net: TappedNet, position: Position) -> dict[str, Any]:
    """The atlas as a JSON object, with the sum of the strongest number of each block in ``position``."""
    cells = net.game.cell_names
    blocks = [
        {
            "name": name,
            "dead": [channel.number for channel in row if channel.dead],
            "channels": [_channel(channel, net.game, cells) for channel in row],
            "strongest": _sum(net, position, block, cells),
        }
        for block, (name, row) in enumerate(zip(atlas.blocks, atlas.channels, strict=True))
    ]
    return {"positions": atlas.positions, "blocks": blocks}


def _channel(channel: Channel, game: GameSpec, cells: tuple[str, ...]) -> dict[str, Any]:
    spots = [
        {"moves": [game.action_name(a) for a in spot.position.moves], "cell": cells[spot.cell], "value": spot.value}
        for spot in channel.spots
    ]
    about = {"number": channel.number, "dead": channel.dead, "active": channel.active}
    return {**about, "least": channel.least, "most": channel.most, "spots": spots, "mean": channel.mean.tolist()}


def _sum(net: TappedNet, position: Position, block: int, cells: tuple[str, ...]) -> dict[str, Any]:
    """The strongest number of a block in a position, and what adds up to it."""
    output = net.run(inputs_of(position, net.encoding)).blocks[block][0]
    channel, cell = divmod(int(output.argmax()), position.game.num_cells)
    found: dict[str, Any] = {"channel": channel, "cell": cells[cell], "value": float(output.max())}
    try:
        summed = SumReader(net, block).summed(position, channel, cell)
    except ValueError as error:
        return {**found, "sum": None, "why": str(error)}
    parts = {"before": summed.before, "bias": summed.bias, "others": dict(summed.others), "total": summed.total}
    return {**found, "sum": {**parts, "largest": _largest(summed)}}


def _largest(summed: Summed) -> list[dict[str, Any]]:
    """The largest products, with the channel and the place round the cell that they read."""
    half = summed.products.shape[-1] // 2
    order = np.argsort(-np.abs(summed.products), axis=None)[:_TERMS]
    rows = zip(*np.unravel_index(order, summed.products.shape), strict=True)
    return [
        {"channel": int(c), "down": int(i) - half, "right": int(j) - half, "product": float(summed.products[c, i, j])}
        for c, i, j in rows
    ]


def channels_lines(data: dict[str, Any]) -> list[str]:
    """A few lines for each block: its dead channels, the strongest places of the others, one sum."""
    lines = [f"channels over {data['positions']} positions of random and net-led play"]
    for block in data["blocks"]:
        dead = ", ".join(map(str, block["dead"])) or "none"
        lines += ["", f"{block['name']}: the same everywhere: {dead}"]
        for channel in block["channels"]:
            if not channel["dead"]:
                spots = [
                    f"{spot['value']:.2f} at {spot['cell']} after {' '.join(spot['moves']) or 'no move'}"
                    for spot in channel["spots"][:_SPOTS]
                ]
                lines.append(f"  {channel['number']:>4}  above 0 in {channel['active']:.0%}; {'; '.join(spots)}")
        lines.append(_sum_line(block["strongest"]))
    return lines


def _sum_line(strongest: dict[str, Any]) -> str:
    start = f"  here strongest: channel {strongest['channel']} at {strongest['cell']}, {strongest['value']:.3f}"
    if strongest["sum"] is None:
        return f"{start}; {strongest['why']}"
    parts = [f"bias {strongest['sum']['bias']:+.3f}"]
    parts += [f"{name} {number:+.3f}" for name, number in strongest["sum"]["others"].items()]
    products = strongest["sum"]["total"] - strongest["sum"]["bias"] - sum(strongest["sum"]["others"].values())
    return f"{start} = {' '.join(parts)}, products {products:+.3f}"


# Attention.


def attention_data(looks: Looks, cell: int) -> dict[str, Any]:
    """Where each head looks from a cell, and from where it is looked at, as a JSON object; weights by rows [H, W]."""
    game = looks.position.game
    rows = [
        {
            "block": layer.name,
            "heads": [
                {
                    "looks_at": looks.seen(number, head, cell).reshape(game.shape).tolist(),
                    "looked_at_from": looks.seen(number, head, cell, backwards=True).reshape(game.shape).tolist(),
                }
                for head in range(len(layer.weights))
            ],
        }
        for number, layer in enumerate(looks.layers)
    ]
    return {"cell": game.cell_names[cell], "layers": rows}


def attention_lines(looks: Looks, cell: int) -> list[str]:
    """A row for each head: the cells that it looks at most, and those from which most is looked at the cell."""
    names = looks.position.game.cell_names
    rows: list[Sequence[str]] = [("block", "head", "looks at", "looked at from")]
    for number, layer in enumerate(looks.layers):
        for head in range(len(layer.weights)):
            both = (looks.seen(number, head, cell, backwards) for backwards in (False, True))
            rows.append((layer.name, str(head + 1), *(_most_looked(names, weights) for weights in both)))
    about = f"attention at {names[cell]}: what a head looks at from a cell adds up to 100%"
    return [about, *aligned(rows)]


def _most_looked(names: Sequence[str], weights: NDArray[np.float32]) -> str:
    order = np.argsort(-weights, kind="stable")[:_MOVES].tolist()
    return " ".join(f"{names[cell]} {float(weights[cell]):.1%}" for cell in order)
