"""Every text on a window, by the place of its widget: what a window that was switched is compared with."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QMenu,
    QMenuBar,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)

from gui.widgets.labels import ShortButton, ShortLabel

PROPERTIES = (
    "windowTitle",
    "toolTip",
    "accessibleName",
    "accessibleDescription",
    "text",
    "title",
    "placeholderText",
    "suffix",
    "prefix",
)
ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
MOST_ROWS = 12
_of_class: dict[type, tuple[str, ...]] = {}
QTS_OWN = "qt_dockwidget_"  # Qt names these once, when it makes them


def shown_texts(window: QWidget) -> dict[str, str]:
    """Texts by the place of the widget and the name of its property, item or header."""
    found: dict[str, str] = {}
    _collect(window, type(window).__name__, found)
    return found


def _properties(thing: QWidget) -> tuple[str, ...]:
    """Return those that the widget's class has."""
    kind = type(thing)
    if kind not in _of_class:
        _of_class[kind] = tuple(name for name in PROPERTIES if thing.metaObject().indexOfProperty(name) >= 0)
    return _of_class[kind]


def _collect(thing: QWidget, place: str, found: dict[str, str]) -> None:
    for name in _properties(thing):
        text = thing.text() if name == "text" and isinstance(thing, ShortButton) else thing.property(name)
        if name == "toolTip" and isinstance(thing, ShortLabel):  # renewed whenever it is painted
            continue
        if isinstance(text, str) and text:
            found[f"{place}.{name}"] = text
    if isinstance(thing, QComboBox):
        for item in range(thing.count()):
            found[f"{place}[{item}]"] = f"{thing.itemText(item)}|{thing.itemData(item, ROLES[1]) or ''}"
    elif isinstance(thing, QAbstractItemView) and not isinstance(thing, QHeaderView) and thing.model() is not None:
        _of_model(thing, thing.model(), place, found)
    for number, action in enumerate(one for one in thing.actions() if one.parent() is not None):
        _of_action(action, f"{place}/action {number}", found)
    numbers: dict[str, int] = {}
    for child in thing.children():
        if isinstance(child, QMenu) and isinstance(thing, QMenuBar) and not child.title():
            continue  # Qt's own menu of those that have no room in a narrow bar
        if isinstance(child, QWidget) and not isinstance(child, QTabBar) and not child.objectName().startswith(QTS_OWN):
            kind = f"{type(child).__name__}{':' + child.objectName() if child.objectName() else ''}"
            numbers[kind] = numbers.get(kind, 0) + 1
            _collect(child, f"{place}/{kind} {numbers[kind]}", found)


def _of_action(action: QAction, place: str, found: dict[str, str]) -> None:
    for name in ("text", "toolTip", "statusTip"):
        if getattr(action, name)():
            found[f"{place}.{name}"] = getattr(action, name)()


def _of_model(view: QAbstractItemView, model: QAbstractItemModel, place: str, found: dict[str, str]) -> None:
    root = QModelIndex()
    across = Qt.Orientation.Horizontal
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(root)
    for column in range(columns):
        for role in ROLES if isinstance(view, QTableView | QTreeView) else ():
            _take(found, f"{place} header {column} {role.name}", model.headerData(column, across, role))
        for row in range(min(MOST_ROWS, model.rowCount(root))):
            for role in ROLES:
                _take(found, f"{place} item {row},{column} {role.name}", model.index(row, column, root).data(role))


def _take(found: dict[str, str], place: str, text: object) -> None:
    if isinstance(text, str) and text:
        found[place] = text
