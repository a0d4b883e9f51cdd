"""The command ``plyscope match``: a match between two engines."""

import argparse
import json
import math
import re
import sys
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from core.checks import short
from core.games import GameSpec, load_game
from core.search import Limit, SearchSettings
from core.search.settings import preset_values
from models.commands.analyze import (
    INTERRUPTED,
    ROLLOUTS,
    UNIFORM,
    choose_net,
    given_recipe,
    given_settings,
    interruptible,
    prepare,
    settings_for,
)
from models.engines.opening import is_engine, open_text
from models.netfiles.recipe import Recipe, for_profile
from models.netfiles.runtimes import AUTO
from models.play.openings import read_openings
from models.strength.exams import after
from models.strength.match import (
    EngineSide,
    MatchResult,
    PlayedGame,
    SearchSide,
    Side,
    check_match,
    play_match,
)

DEFAULT_SIMULATIONS: Final = 100
DEFAULT_OPENING: Final = 2  # random moves


def match(args: argparse.Namespace) -> int:
    """Play the match, printing a line per game, then score and Elo; after Ctrl-C those of the games played."""
    game = load_game(args.game)
    values = given_settings(args)
    SearchSettings(**values)  # raises for a bad setting before a net is loaded
    recipe = given_recipe(args)
    if args.openings is not None and args.opening_plies is not None:
        raise ValueError("openings are those of --openings or random ones of --opening-plies; give one of both")
    plies = DEFAULT_OPENING if args.opening_plies is None else args.opening_plies
    lines = () if args.openings is None else read_openings(args.openings, game)
    openings = [after(game, moves) for moves in lines]
    check_match(args.games, plies, args.seed, openings)  # raises before anything is compiled
    with interruptible() as came, ExitStack() as running:
        a, b = (
            start_engine(game, text, args.seconds, running)
            if is_engine(text)
            else make_side(game, text, args.seconds, values, recipe, args.device, args.runtime)
            for text in (args.a, args.b)
        )
        for side in (a, b):
            if isinstance(side, SearchSide):
                prepare(game, side.evaluator, side.settings)
        result = play_match(
            game,
            a,
            b,
            args.games,
            plies,
            args.seed,
            report=lambda so_far: _print_game(game, so_far, sys.stderr if args.json else sys.stdout, (a, b)),
            should_stop=lambda: bool(came),
            openings=openings,
        )
    if args.json:
        print(json.dumps(_as_json(game, a, b, result), ensure_ascii=False))
    else:
        print(f"{a.name} against {b.name}: {result}")
    if came:
        print("interrupted: the result is that of the games played", file=sys.stderr)
        return INTERRUPTED
    return 0


def start_engine(game: GameSpec, text: str, seconds: float | None, running: ExitStack) -> EngineSide:
    """Start the engine that ``text`` describes, see ``open_text``; ``running`` ends it."""
    engine = open_text(game, text, seconds)
    running.callback(engine.close)
    return EngineSide(engine.name, engine)


def make_side(
    game: GameSpec,
    text: str,
    seconds: float | None,
    values: dict[str, Any],
    recipe: Recipe | None,
    device: str,
    runtime: str = AUTO,
) -> SearchSide:
    """Parse a player: a net as for ``--net``, after a colon its simulations per move, after commas search settings of
    its own, which override ``values``, and ``profile=rank_5k`` for a human net of KataGo."""
    engine, *settings = text.split(",")
    overrides: dict[str, Any] = {}
    for setting in settings:
        if setting.strip().startswith("profile="):
            recipe = for_profile(setting.strip().removeprefix("profile="))
            continue
        preset = setting.strip().removeprefix("preset=")
        overrides.update(preset_values(preset) if preset != setting.strip() else [parse_search_setting(setting)])
    named = re.fullmatch(r"(.+):(\d{1,10})", engine)
    net, simulations = (named[1], int(named[2])) if named else (engine, None)
    before, colon, after = engine.rpartition(":")
    if colon and not named and (before in (ROLLOUTS, UNIFORM) or Path(before).is_file()):
        raise ValueError(f"{short(after)} is no number of simulations; write it after the colon, as in {before}:400")
    if simulations is None and seconds is None:
        simulations = DEFAULT_SIMULATIONS
    limit = Limit(simulations=simulations, seconds=seconds)
    evaluator = choose_net(game, net, recipe, device, runtime)
    return SearchSide(text, evaluator, limit, settings_for(evaluator, {**values, **overrides}))


def parse_search_setting(text: str) -> tuple[str, Any]:
    """Parse ``"c_puct=2"`` to ("c_puct", 2.0), by the type of the setting."""
    name, equals, value = text.strip().partition("=")
    kinds = {field.name: field.type for field in fields(SearchSettings)}
    if not equals or name not in kinds:
        raise ValueError(f"{text!r} is no search setting; write KEY=VALUE, where KEY is one of {', '.join(kinds)}")
    kind = kinds[name]
    if kind is str:
        return name, value
    if kind is bool:
        if value not in ("yes", "no"):
            raise ValueError(f"{name} is {value!r}; it must be yes or no")
        return name, value == "yes"
    try:
        return name, int(value) if kind is int else float(value)
    except ValueError:
        raise ValueError(f"{name} is {value!r}; it must be a {'whole ' if kind is int else ''}number") from None


def _print_game(game: GameSpec, so_far: MatchResult, stream: Any, sides: tuple[Side, Side]) -> None:
    last = so_far.games[-1]
    outcome = {1.0: "won", 0.5: "drawn", 0.0: "lost"}[last.score] + (" by resignation" if last.resigned else "")
    moves = " ".join(game.action_name(a) for a in last.moves)
    moving = "first" if last.a_moves_first else "second"
    print(
        f"game {len(so_far.games)}: moving {moving}, {outcome} in {len(last.moves)} plies: {moves}"
        f"{_counts(game, last, sides)}",
        file=stream,
        flush=True,
    )


def _counts(game: GameSpec, played: PlayedGame, sides: tuple[Side, Side]) -> str:
    """The final count of a game with points, and that of engines which differ: they may hold stones for dead."""
    if played.margin is None:
        return ""
    end = game.initial()
    for action in played.moves:
        end = end.play(action)
    margin = played.margin
    ours = "0" if not margin else f"{'B' if margin > 0 else 'W'}+{abs(margin):.1f}"
    engines = [(side.name, side.engine) for side in sides if isinstance(side, EngineSide)]
    scores = {name: engine.score(end) for name, engine in engines}
    others = [f"{name} counts {score}" for name, score in scores.items() if score not in ("", ours)]
    return "; ".join([f"; {ours}", *others])


def _as_json(game: GameSpec, a: Side, b: Side, result: MatchResult) -> dict[str, Any]:
    def number(value: float) -> float | None:
        return value if math.isfinite(value) else None

    return {
        "game": game.text,
        "a": a.name,
        "b": b.name,
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "score": number(result.score),
        "score_interval": list(result.score_interval) if result.games else None,
        "one_sided_openings": result.one_sided[0],
        "elo": number(result.elo),
        "elo_interval": [number(value) for value in result.elo_interval] if result.games else None,
        "games": [
            {
                "moves": [game.action_name(action) for action in played.moves],
                "opening_plies": played.opening_plies,
                "a_moves_first": played.a_moves_first,
                "score": played.score,
                "margin": played.margin,
                "resigned": played.resigned,
            }
            for played in result.games
        ],
    }
