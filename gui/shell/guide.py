"""The guide in a window of its own: its pages, links between them, search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImage, QKeySequence, QShortcut, QTextDocument
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTextBrowser,
    QWidget,
)

from gui.language.language import chosen, language_of, tr
from gui.model.keymap import plain_title
from gui.shell.guide_pages import HOME, Page, find_page, html, pages, picture, search
from gui.widgets.labels import ShortButton, make_label
from gui.widgets.layouts import lay_column, lay_row
from gui.widgets.screen import room_on_screen
from gui.widgets.text_size import by_font, px
from gui.widgets.texts import on_language, set_texts
from gui.widgets.theme import current_theme, on_theme
from gui.widgets.tips import set_tip

if TYPE_CHECKING:
    from gui.shell.commands import Commands

WIDTH, HEIGHT = 1060, 780  # px of the window at the usual text size
LIST: Final = 230  # px of the list of pages
PICTURE: Final = 740  # px, widest picture
NAME: Final = Qt.ItemDataRole.UserRole
# Where F1 opens the guide, by the name of the dock, or of its part, that has the keyboard.
PAGES: Final = {
    "table": "tables",
    "picture": "pictures",
    "icicle": "pictures",
    "why": "why",
    "blind_spots": "audit",
    "inside": "inside",
    "second_opinion": "engines",
    "match": "engines",
    "settings": "settings",
    "timeline": "timeline",
    "what_if": "compare",
    "players": "play",
    "game": "records",
    "folder_games": "formats",
    "report": "report",
    "open_games": "trees",
    "log": "problems",
    "lessons": "lessons",
}
BOARD: Final = "board"  # and elsewhere on the analysis page
TRAIN: Final = "training"


class Guide(QWidget):
    """Pages on the left, the page on the right; a search line over the list."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("central")
        set_texts(self, windowTitle=lambda: plain_title(tr("&Guide")))
        self.page: Page | None = None
        self.text = QTextBrowser(self)
        self.text.setOpenLinks(False)
        self.text.anchorClicked.connect(self._follow)
        set_texts(self.text, accessibleName="Page of the guide")
        self.list = QListWidget(self)
        set_texts(self.list, accessibleName="Pages of the guide")
        self.list.currentItemChanged.connect(self._choose)
        self.words = QLineEdit(self)
        self.words.setClearButtonEnabled(True)
        set_texts(self.words, placeholderText="Search the guide", accessibleName="Search the guide")
        self.words.textChanged.connect(self._list)
        self.words.returnPressed.connect(self.find_next)
        self.note = make_label(self, "dim", wrap=True)
        self.back = set_texts(ShortButton(self), text="Back")
        self.forward = set_texts(ShortButton(self), text="Forward")
        self.back.clicked.connect(lambda: self._turn(-1))
        self.forward.clicked.connect(lambda: self._turn(1))
        self._history: list[str] = []  # pages in the order they were read
        self._place = -1
        self._lay_out()
        for keys, run in (
            (QKeySequence.StandardKey.Find, self.words.setFocus),
            (QKeySequence.StandardKey.Back, self.back.click),
            (QKeySequence.StandardKey.Forward, self.forward.click),
        ):
            QShortcut(QKeySequence(keys), self, run)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.close)
        by_font(self.list, lambda: self.list.setFixedWidth(px(LIST)))
        on_theme(self, self._show)
        on_language(self, self._renew)
        self._list()
        self.resize(QSize(px(WIDTH), px(HEIGHT)).boundedTo(room_on_screen(self)))

    def _lay_out(self) -> None:
        buttons = lay_row(self.back, self.forward, 1)
        column = lay_column(buttons, self.words, (self.list, 1), self.note)
        lay_row(column, (self.text, 1), of=self, margins=12, spacing=12)

    def read(self, name: str = HOME, anchor: str = "") -> None:
        """Show a page, the first one where there is none of that name, from ``anchor`` on."""
        page = find_page(name, _language())
        if not self._history or self._history[self._place] != page.name:
            self._history[self._place + 1 :] = [page.name]
            self._place += 1
        self._open(page, anchor)

    def find_next(self) -> None:
        """Go to the next place of what is looked for on the page, from its end to its beginning again."""
        words = self.words.text().strip()
        if words and not self.text.find(words):
            self.text.moveCursor(self.text.textCursor().MoveOperation.Start)
            self.text.find(words)

    def _open(self, page: Page, anchor: str = "") -> None:
        self.page = page
        self._show()
        if anchor:
            self.text.scrollToAnchor(anchor)
        self.back.setEnabled(self._place > 0)
        self.forward.setEnabled(self._place + 1 < len(self._history))
        self._mark()

    def _show(self) -> None:
        page = self.page
        if page is None:
            return
        document = QTextDocument(self.text)
        document.setDocumentMargin(px(14))
        document.setDefaultStyleSheet(_style())
        ratio = self.devicePixelRatioF()
        source = html(page)
        for name in _pictures(source):
            image = QImage.fromData(picture(name, current_theme().dark))
            if not image.isNull():
                wide = min(image.width(), round(PICTURE * ratio))
                image = image.scaledToWidth(wide, Qt.TransformationMode.SmoothTransformation)
                image.setDevicePixelRatio(ratio)
                document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), image)
        note = "" if page.language == _language() else f"<p><i>{tr('This page is not translated yet.')}</i></p>"
        document.setHtml(note + source)
        self.text.setDocument(document)

    def _list(self) -> None:
        words = self.words.text()
        self.list.blockSignals(True)
        self.list.clear()
        if words.strip():
            for match in search(words, _language()):
                self._add(match.page, tr("{title}  ({n})").format(title=match.page.title, n=match.count), match.line)
        else:
            for page in pages(_language()):
                self._add(page, page.title)
        self.list.blockSignals(False)
        self.note.setText("" if self.list.count() else tr("No page contains this."))
        self._mark()

    def _add(self, page: Page, title: str, tip: str = "") -> None:
        item = QListWidgetItem(title)
        item.setData(NAME, page.name)
        set_tip(item, tip)
        self.list.addItem(item)

    def _mark(self) -> None:
        """Mark the page shown in the list."""
        name = self.page.name if self.page is not None else ""
        rows = [row for row in range(self.list.count()) if self.list.item(row).data(NAME) == name]
        self.list.blockSignals(True)
        self.list.setCurrentRow(rows[0] if rows else -1)
        self.list.blockSignals(False)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.read(str(item.data(NAME)))
            self.find_next()

    def _follow(self, link: QUrl) -> None:
        if link.scheme() in ("http", "https"):
            QDesktopServices.openUrl(link)
        elif link.path():
            self.read(link.path().rpartition("/")[2].removesuffix(".md"), link.fragment())
        else:
            self.text.scrollToAnchor(link.fragment())

    def _turn(self, step: int) -> None:
        if 0 <= self._place + step < len(self._history):
            self._place += step
            self._open(find_page(self._history[self._place], _language()))

    def _renew(self) -> None:
        """Show the pages in the language in force."""
        if self.page is not None:
            self.page = find_page(self.page.name, _language())
        self._show()
        self._list()


def show_guide(commands: Commands) -> Guide:
    """Show the window's guide at the page of what has the keyboard."""
    guide = commands.window.findChild(Guide)
    if guide is None:
        guide = Guide(commands.window)
        commands.appearance.dress(guide)
    guide.read(page_of(BOARD if commands.views.docks.has_board else TRAIN))
    guide.show()
    guide.raise_()
    guide.activateWindow()
    return guide


def page_of(middle: str) -> str:
    """The page about what has the keyboard: the room or its part, else about what is in the ``middle``."""
    part = QApplication.focusWidget()
    while part is not None and part.objectName() not in PAGES:
        part = part.parentWidget()
    return middle if part is None else PAGES[part.objectName()]


def _language() -> str:
    return language_of(chosen())


def _pictures(source: str) -> list[str]:
    return [part.partition('"')[0] for part in source.split('<img src="')[1:]]


def _style() -> str:
    theme = current_theme()
    return f"""
        body {{ color: {theme.text}; line-height: 125%; }}
        p, li, td, th {{ line-height: 125%; }}
        .picture {{ line-height: 100%; }}
        table {{ border-collapse: collapse; margin-top: 6px; margin-bottom: 10px; }}
        h1 {{ font-size: x-large; }}
        h2 {{ font-size: large; color: {theme.accent}; }}
        h3 {{ font-size: medium; }}
        a {{ color: {theme.accent}; }}
        th {{ background: {theme.raised}; padding: 4px 10px; text-align: left; }}
        td {{ padding: 4px 10px; border-bottom: 1px solid {theme.line}; }}
        pre {{ background: {theme.raised}; white-space: pre-wrap; }}
        code {{ color: {theme.text}; background: {theme.raised}; }}
        blockquote {{ color: {theme.dim}; }}
    """
