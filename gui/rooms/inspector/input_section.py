"""What a net is given of a position: planes as small boards, and features.  Knows a Position and an encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from gui.language.language import mark, tr
from gui.widgets.board.board_paint import kind_of
from gui.widgets.board.plane_boards import PlaneBoards
from gui.widgets.figures import plain
from gui.widgets.labels import make_label
from gui.widgets.sections import Facts, Section
from gui.widgets.texts import on_language

if TYPE_CHECKING:
    from core.games import GameSpec, Position
    from core.games.encoding import Encoding


RECIPE: Final = "recipe: "  # how the encoding of a net with a recipe begins (models.netfiles.recipe)


def recipe_encoding(game: GameSpec, name: str) -> Encoding | None:
    """Return the encoding of a net with a recipe, with the recipe's planes; None when ``name`` is of another."""
    if not name.startswith(RECIPE):
        return None
    from models.netfiles.recipe import planes_of

    return game.encodings[0]._replace(name=name, planes=planes_of(name))


class InputSection(Section):
    """The section with the input in one encoding; that of the game itself has four planes and no features."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(mark("Net input"), parent, opened=False)
        self.note = make_label(self.body, "dim", wrap=True)
        self.planes = PlaneBoards(self.body)
        self.features: Facts | None = None  # of the encoding shown; None where it has none
        self._shown: tuple[Position | None, Encoding | None] = (None, None)
        self.add(self.note)
        self.add(self.planes)
        self.note.hide()
        on_language(self, self._write_note)

    def show_input(self, position: Position | None, encoding: Encoding | None) -> None:
        """Show what a net of ``encoding`` is given; None: the game's own planes."""
        if (position, encoding) == self._shown:
            return
        before = self._shown[1]
        self._shown = (position, encoding)
        if encoding != before:
            self._take_features(encoding)
        self.note.setVisible(encoding is not None)
        self._write_note()
        if position is None or encoding is None:
            self.planes.show_position(position)
            return
        if encoding.name.startswith(RECIPE):
            from models.netfiles.recipe_planes import shown_planes

            shown = shown_planes(encoding.planes, position)
            self.planes.show_position(position, shown.tolist(), encoding.planes)
            return
        from core.games.net_inputs import inputs_of

        inputs = inputs_of(position, encoding)
        self.planes.show_position(position, inputs.planes[0].tolist(), encoding.planes)
        if self.features is not None:
            for name, value in zip(encoding.features, inputs.features[0].tolist(), strict=True):
                self.features.set_text(name, plain(value, 0 if value == round(value) else 3))

    def _take_features(self, encoding: Encoding | None) -> None:
        if self.features is not None:
            self.features.hide()
            self.features.deleteLater()
            self.features = None
        if encoding is not None and encoding.features:
            self.features = Facts([(name, name) for name in encoding.features], self.body)
            self.add(self.features)

    def _write_note(self) -> None:
        position, encoding = self._shown
        recipe = encoding is not None and encoding.name.startswith(RECIPE)
        self.set_summary(tr("by a recipe") if recipe else encoding.name if encoding is not None else "")
        if position is not None and encoding is not None:
            mover = kind_of(position.game.name).players[position.to_move]
            words = tr("As {mover}, who is to move, sees the board: own stones are those of {mover}.")
            self.note.setText(words.format(mover=mover))
