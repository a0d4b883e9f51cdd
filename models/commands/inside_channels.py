"""What ``plyscope inside --part channels`` prints: each channel's strongest positions, and one number taken apart."""

from typing import Any, Final

import numpy as np

from core.games import GameSpec, Position
from core.games.grid import cell_names
from core.games.net_inputs import inputs_of
from models.inside.atlas import Atlas, Channel
from models.inside.sums import Summed, SumReader
from models.netfiles.tapped import TappedNet

_TERMS: Final = 6  # products of a sum that are printed
_SHOWN: Final = 2  # examples of a channel in the text


def channels_data(atlas: Atlas, net: TappedNet, position: Position) -> dict[str, Any]:
    """The atlas as a JSON object, with the sum of the strongest number of each block in ``position``."""
    cells = names_of_cells(net.game)
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


def names_of_cells(game: GameSpec) -> tuple[str, ...]:
    """The name of each cell ``row * cols + col``, as its move is called where there is one."""
    return game.action_names if game.moves_are_cells else cell_names(*game.shape, game.rows_from_top)


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
                    for spot in channel["spots"][:_SHOWN]
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
