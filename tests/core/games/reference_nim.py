"""Nim's rules once more, from their definition, with nothing from core."""


class ReferenceNim:
    """One game being played: a list of heaps."""

    def __init__(self, starts: list[int], most: int, misere: bool = False) -> None:
        self.starts = starts
        self.most = most
        self.misere = misere
        self.heaps = starts[:]
        self.moves: list[int] = []

    def copy(self) -> "ReferenceNim":
        other = ReferenceNim(self.starts, self.most, self.misere)
        other.heaps = self.heaps[:]
        other.moves = self.moves[:]
        return other

    @property
    def to_move(self) -> int:
        return len(self.moves) % 2

    @property
    def board(self) -> list[list[int]]:
        return [[int(col < heap) for col in range(max(self.starts))] for heap in self.heaps]

    def legal(self) -> list[int]:
        return [
            heap * self.most + taken - 1
            for heap in range(len(self.heaps))
            for taken in range(1, self.most + 1)
            if taken <= self.heaps[heap]
        ]

    def play(self, action: int) -> None:
        self.heaps[action // self.most] -= action % self.most + 1
        self.moves.append(action)

    def line_cells(self) -> list[int]:
        return []

    def result(self) -> str:
        if sum(self.heaps):
            return "ongoing"
        return "first" if (self.to_move == 1) != self.misere else "second"

    def planes(self) -> list[list[list[float]]]:
        last = self.heaps[:]
        if self.moves:
            last[self.moves[-1] // self.most] += self.moves[-1] % self.most + 1
        wide = range(max(self.starts))
        rows = list(zip(self.heaps, last, self.starts, strict=True))
        return [
            [[float(col < left) for col in wide] for left, _, _ in rows],
            [[float(left <= col < start) for col in wide] for left, _, start in rows],
            [[float(left <= col < before) for col in wide] for left, before, _ in rows],
            [[float(self.to_move == 0) for _ in wide] for _ in rows],
        ]
