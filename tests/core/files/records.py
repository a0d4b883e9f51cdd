"""Random records of every game that has an SGF, for the tests of files."""

from hypothesis import strategies as st

from core.files.record import INFO_KEYS, MARK_KINDS, ROOT, GameRecord, Mark, Setup
from core.games import GameSpec, Position, load_game

GAMES = (
    "tictactoe",
    "connectn(rows=3, cols=5, k=3)",
    "gomoku(size=7)",
    "gomoku(size=6, rule=renju)",
    "gomoku(size=6, rule=standard)",
    "connect4",
    "connect4(rows=4, cols=5, k=3)",
    "othello(size=4)",
    "othello(size=6)",
    "othello(size=6, passes=no)",
)
ALL_GAMES = (*GAMES, "go(size=5)", "go(size=4, rules=japanese)")
TEXTS = st.text(max_size=20) | st.sampled_from(
    ["]", "\\", "a]b\\]:c", "two\nlines", "é 五子棋 \U0001f642", "\\\n", ";("]
)


def random_position(data: st.DataObject, game: GameSpec, plies: int) -> Position:
    """A position after at most so many random moves."""
    position = game.initial()
    for _ in range(data.draw(st.integers(0, plies))):
        legal = position.legal_actions()
        if not legal:
            break
        position = position.play(data.draw(st.sampled_from(legal)))
    return position


@st.composite
def records(draw: st.DrawFn, games: tuple[str, ...] = ALL_GAMES) -> GameRecord:
    """A record with variations, texts and marks, from the game's first position or from a diagram."""
    data = draw(st.data())
    game = load_game(draw(st.sampled_from(games)))
    start = game.initial()
    if draw(st.booleans()):
        start = game.parse_diagram(random_position(data, game, 8).diagram())
    record = GameRecord(start)
    nodes = [ROOT]
    for _ in range(draw(st.integers(0, 16))):
        node = draw(st.sampled_from(nodes[-3:]))
        position = record.position(node)
        legal = position.legal_actions()
        if data.draw(st.integers(0, 5)) == 0:
            nodes.append(record.set_up(node, Setup.between(position, random_position(data, game, 8))))
        elif legal:
            node = record.play(node, draw(st.sampled_from(legal)))
            if node not in nodes:
                nodes.append(node)
    height, width = game.shape
    for _ in range(draw(st.integers(0, 3))):
        node = draw(st.sampled_from(nodes))
        record.set_comment(node, draw(TEXTS))
        record.set_name(node, draw(TEXTS))
        marks = st.builds(Mark, st.integers(0, height * width - 1), st.sampled_from(MARK_KINDS), TEXTS)
        record.set_marks(node, draw(st.lists(marks, max_size=3)))
        record.set_info(draw(st.sampled_from(INFO_KEYS)), draw(TEXTS))
    return record
