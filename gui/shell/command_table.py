"""The table of commands, with their menus and keys, in the palette and in the dialog for keys.  Uses texts alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QWidget

from gui.widgets.figures import Column
from gui.widgets.tables.row_delegate import Look
from gui.widgets.tables.table import Table, TableModel


class CommandRow(NamedTuple):
    """A command as shown; ``changed``: its keys are not the default ones."""

    name: str
    title: str
    place: str
    keys: str
    changed: bool = False


COLUMNS: Final[tuple[Column[CommandRow], ...]] = (
    Column("title", "Command", "", "", lambda row: row.title, number=False, elided=True),
    Column("place", "Menu", "", "", lambda row: row.place, number=False),
    Column("keys", "Keys", "", "", lambda row: row.keys, number=False),
)


class CommandModel(TableModel[CommandRow]):
    """Rows in the order in which they are given."""

    def look(self, row: CommandRow, column: int) -> Look:
        id, text = self.columns[column].id, self.columns[column].text(row)
        return Look(text, "dim" if id == "place" else "text", bold=row.changed and id == "keys")

    def identity(self, row: CommandRow) -> str:
        return row.name


class CommandTable(Table[CommandRow]):
    """The table; one row is chosen."""

    def __init__(self, parent: QWidget) -> None:
        commands = CommandModel(COLUMNS)
        super().__init__(commands, parent)
        self.commands = commands
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        modes = QHeaderView.ResizeMode
        for place, mode in enumerate((modes.Stretch, modes.ResizeToContents, modes.ResizeToContents)):
            self.horizontalHeader().setSectionResizeMode(place, mode)

    @property
    def chosen(self) -> CommandRow | None:
        row = self.currentIndex().row()
        return self.commands.rows[row] if row >= 0 else None

    def choose(self, row: int) -> None:
        """Choose a row by its number."""
        self.selectRow(row)

    def show_rows(self, rows: Sequence[CommandRow]) -> None:
        """Show these commands; the chosen one stays chosen if they are the same ones."""
        self.commands.show(rows)
