"""Go's rules once more, from their definition: lists, flood fill, all earlier boards, slow, with nothing from core."""

from functools import cache

from tests.core.games.reference import BoardGame

Board = tuple[tuple[int, ...], ...]
Cell = tuple[int, int]


@cache
def neighbours(rows: int, cols: int) -> dict[Cell, list[Cell]]:
    """The cells beside each cell of a board."""
    found = {}
    for row in range(rows):
        for col in range(cols):
            around = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
            found[row, col] = [(r, c) for r, c in around if 0 <= r < rows and 0 <= c < cols]
    return found


def freeze(board: list[list[int]]) -> Board:
    return tuple(tuple(row) for row in board)


class ReferenceGo(BoardGame):
    """One game being played; ``cell`` is where the last stone was put, None after a pass."""

    def __init__(
        self,
        rows: int,
        cols: int,
        komi: float = 7.5,
        ko: str = "positional",
        suicide: bool = True,
        button: bool = False,
        cap: int | None = None,
        tax: str = "none",
        territory: bool = False,
    ) -> None:
        self.rows, self.cols = rows, cols
        self.komi, self.ko, self.suicide, self.button = komi, ko, suicide, button
        self.tax, self.territory = tax, territory
        self.prisoners = [0, 0]  # stones that black and white took
        self.cap = 3 * rows * cols + 104 if cap is None else cap
        self.board = [[0] * cols for _ in range(rows)]
        self.moves: list[int] = []
        self.cell: Cell | None = None
        self.ko_cell: Cell | None = None
        self.button_bonus = 0.0
        self.taken_button = not button
        self.passes = 0
        self.ended = ""
        # (board, player to move) of every position since the start, or since the button was taken.
        self.past: set[tuple[Board, int]] = {(freeze(self.board), 0)}
        self.since_pass: list[tuple[Board, int]] = [*self.past]
        self.passed: list[tuple[Board, int]] = []

    def near(self, cell: Cell) -> list[Cell]:
        return neighbours(self.rows, self.cols)[cell]

    def group(self, board: list[list[int]], start: Cell) -> tuple[set[Cell], set[Cell]]:
        """The cells of one value connected with ``start``, and the other cells that they touch."""
        value = board[start[0]][start[1]]
        found, edge, todo, near = {start}, set(), [start], neighbours(self.rows, self.cols)
        while todo:
            for cell in near[todo.pop()]:
                if board[cell[0]][cell[1]] != value:
                    edge.add(cell)
                elif cell not in found:
                    found.add(cell)
                    todo.append(cell)
        return found, edge

    def liberties(self, board: list[list[int]], start: Cell) -> int:
        return sum(board[r][c] == 0 for r, c in self.group(board, start)[1])

    def breathes(self, board: list[list[int]], start: Cell) -> bool:
        """Whether the group at ``start`` has a liberty."""
        value = board[start[0]][start[1]]
        found, todo, near = {start}, [start], neighbours(self.rows, self.cols)
        while todo:
            for cell in near[todo.pop()]:
                stone = board[cell[0]][cell[1]]
                if not stone:
                    return True
                if stone == value and cell not in found:
                    found.add(cell)
                    todo.append(cell)
        return False

    def after(self, cell: Cell) -> tuple[list[list[int]], set[Cell], set[Cell]]:
        """The board after a stone of the player to move, the enemy's stones taken and the player's own."""
        mine = 1 + self.to_move
        board = [row[:] for row in self.board]
        board[cell[0]][cell[1]] = mine
        taken: set[Cell] = set()
        for r, c in self.near(cell):
            if board[r][c] == 3 - mine and not self.breathes(board, (r, c)):
                taken |= self.group(board, (r, c))[0]
        for r, c in taken:
            board[r][c] = 0
        own: set[Cell] = set()
        if not self.breathes(board, cell):
            own = self.group(board, cell)[0]
            for r, c in own:
                board[r][c] = 0
        return board, taken, own

    def refusal(self, cell: Cell) -> str:
        """Why a stone may not be put; "" when it may."""
        if self.board[cell[0]][cell[1]]:
            return "taken"
        if cell == self.ko_cell:
            return "ko"
        board, _, own = self.after(cell)
        if own and (len(own) == 1 or not self.suicide):
            return "suicide"
        if self.ko == "positional" and not self.past.isdisjoint((freeze(board), player) for player in (0, 1)):
            return "repetition"
        if self.ko == "situational" and (freeze(board), 1 - self.to_move) in self.past:
            return "repetition"
        return ""

    def legal(self) -> list[int]:
        if self.result() != "ongoing":
            return []
        cells = [(row, col) for row in range(self.rows) for col in range(self.cols)]
        return [i for i, cell in enumerate(cells) if not self.refusal(cell)] + [len(cells)]

    def play(self, action: int) -> None:
        before, player = (freeze(self.board), self.to_move), self.to_move
        self.cell = self.ko_cell = None
        if action == self.rows * self.cols:
            if not self.taken_button:
                self.taken_button = True
                self.button_bonus = 0.5 - player
                self.past, self.passed, self.passes = set(), [], 0
            else:
                self.passes += 1
                if self.passes == 2 or (self.ko == "simple" and before in self.passed):
                    self.ended = "passes"
                self.passed.append(before)
            self.since_pass = []
        else:
            cell = self.cell = divmod(action, self.cols)
            self.passes = 0
            self.board, taken, own = self.after(cell)
            self.prisoners[player] += len(taken)
            self.prisoners[1 - player] += len(own)
            if len(taken) == 1:
                own, edge = self.group(self.board, cell)
                if len(own) == 1 and sum(self.board[r][c] == 0 for r, c in edge) == 1:
                    self.ko_cell = taken.pop()
        self.moves.append(action)
        now = (freeze(self.board), self.to_move)
        self.past.add(now)
        self.since_pass.append(now)
        if not self.ended and self.ko == "simple" and self.since_pass.count(now) == 3:
            self.ended = "repetition"
        if not self.ended and len(self.moves) == self.cap:
            self.ended = "cap"

    def owners(self) -> dict[Cell, int]:
        """The player 1 or 2 who owns each point, 0 for nobody: every stone is alive."""
        found = {}
        for row in range(self.rows):
            for col in range(self.cols):
                touched = {self.board[row][col]}
                if touched == {0}:
                    touched = {self.board[r][c] for r, c in self.group(self.board, (row, col))[1]}
                found[row, col] = touched.pop() if len(touched) == 1 else 0
        return found

    def points(self) -> int:
        """Black's points less white's, without komi."""
        owners = self.owners()
        board = [[owners[row, col] for col in range(self.cols)] for row in range(self.rows)]
        ahead, done = 0, set()
        for start, owner in owners.items():
            if not owner or start in done:
                continue
            group, edge = self.group(board, start)
            done |= group
            stones = [(r, c) for r, c in group if self.board[r][c]]
            seki = any(not owners[cell] for cell in edge) or any(self.liberties(self.board, s) == 1 for s in stones)
            empty = group - set(stones)
            eyes = {frozenset(self.group(self.board, cell)[0]) for cell in empty}
            if self.territory and (len(eyes) > 1 or len(empty) >= 7):
                seki = False
            points = len(group) - len(stones) * self.territory
            if self.tax != "none" and seki:
                points -= len(group) - len(stones)
            elif self.tax == "all":
                points -= 2
            ahead += points if owner == 1 else -points
        return ahead + (self.prisoners[0] - self.prisoners[1]) * self.territory

    def margin(self) -> float:
        return self.points() - self.komi + self.button_bonus

    def result(self) -> str:
        if not self.ended:
            return "ongoing"
        margin = self.margin() if self.ended in ("passes", "cap") else 0
        return "draw" if margin == 0 else "first" if margin > 0 else "second"
