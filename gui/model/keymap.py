"""Key bindings: default keys, the user's own keys, and the keys that are not allowed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from core.files.reading import parse_json
from core.text import Text, Words

FIXED: Final[dict[str, Words]] = {  # keys handled by the views themselves
    **dict.fromkeys(("Shift+Left", "Shift+Right", "Shift+Up", "Shift+Down"), Text("moves the cursor over the board")),
    "Shift+Return": "plays at the cursor of the board",
    "Shift+Enter": "plays at the cursor of the board",
    **dict.fromkeys(("Tab", "Shift+Tab", "Backtab"), Text("goes to the next field")),
}


class KeyTaken(ValueError):
    """Raised for a key already in use; ``owner`` is the command's name, "" when the key cannot be reassigned."""

    def __init__(self, sentence: str, owner: str = "") -> None:
        super().__init__(sentence)
        self.owner = owner


def title_of(action: QAction) -> str:
    """Return an action's text without mnemonic and ellipsis: "Other game or size"."""
    return plain_title(action.text())


def plain_title(text: str) -> str:
    """Return a menu text without "&" and ellipsis; in Chinese the mnemonic is a letter in brackets."""
    return re.sub(r"\(&.\)", "", text).replace("&", "").rstrip("…")


def shown_key(key: str) -> str:
    """Return a key in the system's notation."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def key_of(action: QAction) -> str:
    """Return an action's first key in the system's notation; "" for none."""
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


def with_key(action: QAction, words: str = "") -> str:
    """Return words, by default an action's title, with its key in brackets: "Search settings (Ctrl+,)"."""
    words, key = words or title_of(action), key_of(action)
    return f"{words} ({key})" if key else words


def shown_keys(keys: Iterable[str]) -> str:
    """Return the keys in one line, each name once: in Chinese, Return and Enter have the same name."""
    return ", ".join(dict.fromkeys(map(shown_key, keys)))


class KeyMap(QObject):
    """Manages the actions' shortcuts.  A key is a portable text such as "Ctrl+G"."""

    changed = Signal()

    def __init__(self, actions: Mapping[str, QAction], parent: QObject | None = None) -> None:
        """``actions`` come with their default keys."""
        super().__init__(parent)
        self.actions = dict(actions)
        self._first = {name: _texts(action) for name, action in self.actions.items()}

    def keys(self, name: str) -> tuple[str, ...]:
        return _texts(self.actions[name])

    def is_first(self, name: str) -> bool:
        """Whether the command has its default keys."""
        return self.keys(name) == self._first[name]

    def owner(self, key: str) -> str:
        """Return the command that uses a key; "" for none."""
        return next((name for name in self.actions if key in self.keys(name)), "")

    def give(self, name: str, key: str, take_over: bool = False) -> None:
        """Make ``key`` the only key of a command, "" for none; raises ``KeyTaken`` when another command uses it.

        ``take_over`` takes the key away from that command instead.
        """
        key = QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)
        if key in FIXED:
            raise KeyTaken(Text("{key} {what}: choose another key.", key=shown_key(key), what=Text(FIXED[key])))
        owner = self.owner(key) if key else ""
        if owner and owner != name:
            if not take_over:
                raise KeyTaken(
                    Text(
                        "{key} is already the key of “{command}”: choose another one, or reassign it.",
                        key=shown_key(key),
                        command=title_of(self.actions[owner]),
                    ),
                    owner,
                )
            self._set(owner, tuple(other for other in self.keys(owner) if other != key))
        self._set(name, (key,) if key else ())
        self.changed.emit()

    def reset(self, name: str) -> None:
        """Restore the default keys of a command; raises ``KeyTaken`` when another command uses one of them."""
        for key in self._first[name]:
            owner = self.owner(key)
            if owner and owner != name:
                raise KeyTaken(
                    Text(
                        "{key} is now the key of “{command}”.",
                        key=shown_key(key),
                        command=title_of(self.actions[owner]),
                    ),
                    owner,
                )
        self._set(name, self._first[name])
        self.changed.emit()

    def reset_all(self) -> None:
        for name, keys in self._first.items():
            self._set(name, keys)
        self.changed.emit()

    def _set(self, name: str, keys: tuple[str, ...]) -> None:
        self.actions[name].setShortcuts([QKeySequence(key) for key in keys])

    def save(self) -> str:
        """Return the keys that differ from the defaults, as JSON."""
        return json.dumps({name: self.keys(name) for name in self.actions if not self.is_first(name)})

    def restore(self, text: str) -> None:
        """Restore keys from the text of ``save``; entries with unknown commands or conflicts are ignored."""
        try:
            values = parse_json(text)
        except ValueError:
            return
        if not isinstance(values, dict):
            return
        chosen = {
            name: tuple(key for key in keys if isinstance(key, str) and key not in FIXED and shown_key(key))
            for name, keys in values.items()
            if name in self.actions and isinstance(keys, list)
        }
        for name in chosen:
            self._set(name, ())
        for name, keys in chosen.items():
            self._set(name, tuple(key for key in keys if not self.owner(key)))
        self.changed.emit()


def _texts(action: QAction) -> tuple[str, ...]:
    return tuple(key.toString(QKeySequence.SequenceFormat.PortableText) for key in action.shortcuts())
