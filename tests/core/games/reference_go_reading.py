"""What is read on a Go board, once more from the definitions: sets and recursion, slow, with nothing from core.

A board is a dict from (row, column) to 0 empty, 1 black, 2 white; ``ko`` is the cell of the simple ko or None.
"""

from collections.abc import Iterator

Cell = tuple[int, int]
Board = dict[Cell, int]


class TooLong(Exception):
    """A ladder takes more steps than a test should."""


def near(board: Board, cell: Cell) -> list[Cell]:
    row, col = cell
    return [c for c in [(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)] if c in board]


def component(board: Board, cell: Cell, values: set[int]) -> set[Cell]:
    """The cells of ``values`` connected with ``cell``."""
    found, todo = {cell}, [cell]
    while todo:
        for c in near(board, todo.pop()):
            if board[c] in values and c not in found:
                found.add(c)
                todo.append(c)
    return found


def components(board: Board, values: set[int]) -> Iterator[set[Cell]]:
    left = {cell for cell in board if board[cell] in values}
    while left:
        found = component(board, min(left), values)
        left -= found
        yield found


def around(board: Board, cells: set[Cell], value: int) -> set[Cell]:
    """The cells of ``value`` that touch ``cells``."""
    return {c for cell in cells for c in near(board, cell) if board[c] == value}


def liberties(board: Board, stone: Cell) -> set[Cell]:
    return around(board, component(board, stone, {board[stone]}), 0)


def play(board: Board, ko: Cell | None, cell: Cell, colour: int) -> tuple[Board, Cell | None] | None:
    """The board and the ko after a move; None where it is not legal, as suicide never is."""
    if board[cell] != 0 or cell == ko:
        return None
    after = {**board, cell: colour}
    taken: set[Cell] = set()
    for c in near(after, cell):
        if after[c] == 3 - colour and not liberties(after, c):
            taken |= component(after, c, {3 - colour})
    after.update(dict.fromkeys(taken, 0))
    left = liberties(after, cell)
    if not left:
        return None
    is_ko = len(taken) == 1 and len(left) == 1 and len(component(after, cell, {colour})) == 1
    return after, taken.pop() if is_ko else None


class _Ladder:
    def __init__(self, prey: Cell, colour: int, points: int, steps: int) -> None:
        self.prey, self.colour = prey, colour
        self.deepest = points * 3 // 2
        self.steps = steps

    def _after(self, board: Board, ko: Cell | None, cell: Cell, colour: int) -> tuple[Board, Cell | None] | None:
        self.steps -= 1
        if self.steps < 0:
            raise TooLong
        return play(board, ko, cell, colour)

    def saved(self, board: Board, ko: Cell | None, depth: int) -> bool:
        """Whether the defender, to move, escapes."""
        if depth >= self.deepest:
            return False
        last = liberties(board, self.prey)
        if len(last) >= 2 or ko is not None:
            return True
        moves = last | self._captures(board)
        after = [self._after(board, ko, move, self.colour) for move in sorted(moves)]
        return any(not self.caught(*result, depth + 1) for result in after if result)

    def caught(self, board: Board, ko: Cell | None, depth: int) -> bool:
        """Whether the attacker, to move, catches the chain."""
        if depth >= self.deepest:
            return True
        ends = liberties(board, self.prey)
        if len(ends) != 2:
            return len(ends) < 2
        if not self._captures(board) and all(self._is_ko_mouth(board, cell) for cell in ends):
            return True
        after = [self._after(board, ko, move, 3 - self.colour) for move in sorted(ends)]
        return any(not self.saved(*result, depth + 1) for result in after if result)

    def _captures(self, board: Board) -> set[Cell]:
        stones = component(board, self.prey, {self.colour})
        found = [liberties(board, stone) for stone in around(board, stones, 3 - self.colour)]
        return {cell for cells in found if len(cells) == 1 for cell in cells}

    def _is_ko_mouth(self, board: Board, cell: Cell) -> bool:
        """Whether the attacker takes one stone there and the defender gains nothing by a stone there."""
        if any(board[c] != self.colour for c in near(board, cell)):
            return False
        weak = [c for c in near(board, cell) if len(liberties(board, c)) == 1]
        if len(weak) != 1 or len(component(board, weak[0], {self.colour})) != 1:
            return False
        return len(liberties({**board, cell: self.colour}, cell)) <= 2


def ladder(board: Board, ko: Cell | None, stone: Cell, steps: int = 3000) -> tuple[bool, set[Cell]]:
    """Whether the chain of ``stone``, with one or two liberties, is caught, and by which first moves if it has two."""
    colour = board[stone]
    search = _Ladder(stone, colour, len(board), steps)
    ends = liberties(board, stone)
    if len(ends) == 1:
        return not search.saved(board, None, 0), set()
    working = set()
    for cell in ends:
        result = play(board, ko, cell, 3 - colour)
        if result and not search.saved(result[0], None, 0):
            working.add(cell)
    return bool(working), working


def _alive(board: Board, colour: int, suicide: bool) -> tuple[list[set[Cell]], list[set[Cell]]]:
    """The pass-alive chains of a colour and the regions that touch no other of its chains."""
    chains = list(components(board, {colour}))
    regions = list(components(board, {0, 3 - colour}))

    def is_vital(region: set[Cell], chain: set[Cell]) -> bool:
        return all(chain & set(near(board, cell)) for cell in region if suicide or board[cell] == 0)

    while True:
        kept = [chain for chain in chains if sum(is_vital(region, chain) for region in regions) >= 2]
        dropped = [chain for chain in chains if chain not in kept]
        if not dropped:
            return chains, regions
        regions = [r for r in regions if not any(around(board, r, colour) & chain for chain in dropped)]
        chains = kept


def area(board: Board, suicide: bool, upto: int = 3) -> Board:
    """KataGo's area; ``upto`` as in core.games.go_area."""
    owner = dict.fromkeys(board, 0)
    for colour in (1, 2):
        if colour not in board.values():
            continue
        chains, safe = _alive(board, colour, suicide)
        for chain in chains:
            owner.update(dict.fromkeys(chain, colour))
        for region in components(board, {0, 3 - colour}):
            empty = all(board[cell] == 0 for cell in region)
            inner = sum(all(board[c] != colour for c in near(board, cell)) for cell in region)
            if region in safe and (inner <= 1 or (empty and upto >= 1)):
                owner.update(dict.fromkeys(region, colour))
            elif empty and upto >= 2:
                owner.update({cell: colour for cell in region if owner[cell] == 0})
    return {cell: owner[cell] or (board[cell] if upto >= 3 else 0) for cell in board}


def untaxed(board: Board, owner: Board, keep: int) -> tuple[Board, int]:
    """The area without groups in seki, and how many more groups white has than black."""
    left, difference = dict(owner), 0
    neutral = {cell for cell in board if board[cell] == 0 and owner[cell] == 0}
    for colour in (1, 2):
        for group in components(owner, {colour}):
            atari = any(board[cell] == colour and len(liberties(board, cell)) == 1 for cell in group)
            if atari or any(neutral & set(near(board, cell)) for cell in group):
                kept = {cell for cell in group if keep & (2 if board[cell] == colour else 1)}
                left.update(dict.fromkeys(group - kept, 0))
            else:
                difference += 1 if colour == 2 else -1
    return left, difference


def tromp_taylor(board: Board) -> int:
    """White's points less black's."""
    score = 0
    for cell, value in board.items():
        region = component(board, cell, {0})
        reached = {value} if value else {board[c] for r in region for c in near(board, r)} - {0}
        score += 1 if reached == {2} else -1 if reached == {1} else 0
    return score
