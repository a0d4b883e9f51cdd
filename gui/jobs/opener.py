"""Opens games, nets and moves from the clipboard.

Work that needs the engine or a file runs in the background; errors are reported in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from core.text import Text, Words, text_of
from gui.jobs.recipe_job import Beginning, RecipeJob, begin_recipe
from gui.jobs.task import run_task
from gui.language.core_words import core_text, game_title
from gui.language.language import tr
from gui.model import sources
from gui.model.session import Session
from gui.model.state import QUICK_GAMES, AppState
from gui.widgets.board.plane_titles import plane_titles
from gui.widgets.dialogs import GameDialog, TextDialog
from gui.widgets.saving import ask_open_name
from gui.widgets.texts import Messages

if TYPE_CHECKING:
    from core.games import GameSpec, Position
    from models.netfiles.net_file import NetInfo
    from models.netfiles.recipe import Recipe
    from models.netfiles.recipe_reader import RecipeTrial

RECIPE: Final = "recipe: "  # how the encoding of a net with a recipe begins (models.netfiles.recipe)
OFFERED_RANKS: Final = ("20k", "15k", "10k", "8k", "5k", "3k", "1k", "1d", "3d", "5d", "7d", "9d")
HUMAN: Final = "katago-v7-human"  # the encoding of KataGo's human nets (models.netfiles.katago_metadata)
# By way of reading moves: the title of the button that reads them so.
WAYS: Final[dict[str, Words]] = {
    "with i": "Read with I",
    "without i": "Read without I",
    "from 0": "Count from 0",
    "from 1": "Count from 1",
}


class Opener(QObject):
    """Opens games and nets for one window."""

    used = Signal(object)  # Path of the net that was opened
    pasted = Signal()  # a game from the clipboard was opened
    sgf_pasted = Signal(str)
    listed = Signal()  # the nets that come with the program are known

    def __init__(self, state: AppState, session: Session, messages: Messages, window: QWidget) -> None:
        super().__init__(window)
        self._state, self._session, self._messages, self._window = state, session, messages, window
        self._shipped: list[tuple[Path, GameSpec]] = []
        self.dialog: QDialog | None = None  # the open dialog
        self.choosing = False  # while another game or a net for it is opened: an empty board, named in the toolbar
        state.game_changed.connect(self._list_nets)

    @property
    def nets(self) -> list[Path]:
        """The shipped nets that fit the game; [] until they have been listed in the background."""
        return [path for path, game in self._shipped if game == self._state.game]

    def _list_nets(self) -> None:
        if not self._shipped:
            run_task(self, sources.shipped_nets, self._take_list, self._messages.show_error)

    def _take_list(self, shipped: list[tuple[Path, GameSpec]]) -> None:
        self._shipped = shipped
        self.listed.emit()

    # games

    def _open_empty(self, position: Position, source: Any) -> None:
        """Open the first position of a game that was chosen."""
        self.choosing = position.game != self._state.game
        try:
            self._state.open_position(position, source)
        finally:
            self.choosing = False

    def open_game(self, text: str) -> None:
        """Open a new game by name, with the net that ships for it or the present one where that is for it, too."""
        present = self._state.source

        def load() -> Any:
            from core.games import load_game

            game = load_game(text)
            return game.initial(), sources.source_for(game, present)

        run_task(self, load, lambda opened: self._open_empty(*opened), self._messages.show_error)

    def new_game(self) -> None:
        """Restart the same game."""
        if self._state.game is not None:
            self._state.open_position(self._state.game.initial())

    def choose_game(self) -> None:
        """Show the dialog to choose a game and its size."""
        if self._session.loading:
            return
        dialog = GameDialog(self._state.game, self._window, tr("New game"), tr("Open"))

        def accepted() -> None:
            if dialog.game is not None:
                self.open_game(dialog.game.text)

        dialog.accepted.connect(accepted)
        self._show(dialog)

    # nets

    def choose_net(self) -> None:
        """Show the dialog to choose a net file."""
        filters = tr("Nets (*.onnx *.bin.gz *.txt.gz);;All files (*)")
        path = ask_open_name(self._window, tr("&Open a net…"), "nets", filters)
        if path is not None:
            self.open_net(path)

    def open_net(self, path: Path) -> None:
        """Search with a net file; a net for another game opens that game, one that does not say how it is read is read
        by a recipe that is guessed, or asks for one."""

        def load() -> Any:
            from models.netfiles.opened import is_for, net_info, usual_game

            info = net_info(path)
            fits = present is not None and is_for(info, present)
            if info.is_foreign and present is not None:
                return _guessed(path, info, present)
            return (sources.known_source(info), present if fits else usual_game(info)), None

        def done(loaded: Any) -> None:
            if isinstance(loaded, Beginning):
                self._ask_recipe(loaded)
                return
            net, note = loaded
            self._take_net(net)
            if note is not None:
                self._messages.show_notice(note)

        present = self._state.game
        run_task(self, load, done, self._messages.show_error)

    def edit_recipe(self, source: sources.NetSource) -> None:
        """Show the dialog to correct how a net of another program is read."""
        present = self._state.game

        def load() -> Beginning:
            from core.games import load_game
            from models.netfiles.opened import net_info
            from models.netfiles.recipe_guess import Unclear, guess_recipe

            info = net_info(source.path)
            if not info.is_foreign and info.recipe is None:
                raise ValueError(
                    Text("{path!r} is a net of this program already and needs no recipe", path=str(source.path))
                )
            recipe = source.recipe or info.recipe
            game = load_game(recipe.game) if recipe is not None and recipe.game else present
            if game is None:
                raise ValueError(Text("{net} does not say its game.", net=source.title))
            if recipe is None:
                try:
                    recipe = guess_recipe(source.path, info, game).recipe
                except Unclear as error:
                    return begin_recipe(source.path, info, game, None, error.reason)
            return begin_recipe(source.path, info, game, recipe)

        run_task(self, load, self._ask_recipe, self._messages.show_error)

    def _ask_recipe(self, beginning: Beginning) -> None:
        """Show the dialog of a net's recipe; what is used or saved there is searched with."""
        from gui.widgets.recipe.recipe_dialog import RecipeDialog

        trial, position = beginning.trial, self._state.position
        job = RecipeJob(trial)
        positions = recipe_positions(trial, position)
        dialog = RecipeDialog(job, beginning.recipe, beginning.recipes, positions, beginning.reason, self._window)
        saved: list[tuple[Path, Recipe]] = []
        job.saved.connect(lambda path, recipe: saved.append((path, recipe)))

        def accepted() -> None:
            path, recipe = saved[-1] if saved else (trial.path, dialog.recipe)
            try:
                self._take_net((sources.net_source(path, recipe), trial.game))
            except ValueError as error:
                self._messages.show_error(text_of(error))

        dialog.accepted.connect(accepted)
        self._show(dialog)

    def _take_net(self, net: tuple[sources.NetSource, GameSpec | None]) -> None:
        source, game = net
        self.used.emit(source.path)
        if game is None:
            self._messages.show_error(Text("{net} does not say its game.", net=source.title))
        elif game != self._state.game:
            self._open_empty(game.initial(), source)
            words: Words = "{net} is a net for {game}, which is now open."
            self._messages.show_notice(lambda: tr(words).format(net=source.title, game=game_title(game)))
        else:
            self._state.set_source(source)

    def _show(self, dialog: QDialog) -> None:
        """Show a dialog without blocking the event loop: the search keeps updating behind it."""
        self.dialog = dialog
        dialog.finished.connect(self._forget_dialog)
        dialog.open()

    def _forget_dialog(self) -> None:
        self.dialog = None

    # clipboard

    def copy_game(self) -> None:
        """Copy the game with its variations to the clipboard as SGF; its moves where the game has no SGF."""
        game, record = self._state.game, self._state.record
        if game is None or record is None:
            return
        if game.sgf is None:
            self.copy_moves()
            return
        copy = record.copy()

        def write() -> str:
            from core.files.sgf import write_sgf

            return write_sgf([copy]).decode("utf-8")

        run_task(self, write, QGuiApplication.clipboard().setText, self._messages.show_error)

    def copy_moves(self) -> None:
        """Copy the record's moves to the clipboard, or a diagram if the game starts from a set-up position."""
        game, position = self._state.game, self._state.position
        if game is None or position is None:
            return
        if self._state.start == game.initial() and min(self._state.moves, default=0) >= 0:
            QGuiApplication.clipboard().setText(" ".join(game.action_name(a) for a in self._state.moves))
        else:
            QGuiApplication.clipboard().setText(position.diagram())
            self._messages.show_notice(Text("The game has a position that was set up: the one on the board is copied."))

    def paste_moves(self) -> None:
        """Open moves or a board from the clipboard, for the current game, or a game in SGF."""
        text = QGuiApplication.clipboard().text()
        if self._state.game is None:
            return
        if not text.strip():
            self._messages.show_notice(Text("There is no text in the clipboard: copy moves or a diagram first."))
            return
        from core.files.game_files import is_game_file

        if is_game_file(text):
            self.sgf_pasted.emit(text)
        else:
            self._open_written(self._state.game, text, None)

    def _open_written(self, game: GameSpec, text: str, way: str | None) -> None:
        """Open moves or a board; where they can be read in several ways, ask which or offer the others."""
        from core.games.written import READ_AS, Ambiguous, read

        def choices(ways: Iterable[str]) -> list[tuple[str, Callable[[], object]]]:
            return [(WAYS[other], partial(self._open_written, game, text, other)) for other in ways]

        try:
            written = read(game, text, way)
        except Ambiguous as error:
            words = Text("The numbers of the pasted points may count from 0 or from 1.")
            first, *others = choices(error.ways)
            self._messages.show_offer(words, *first, *others[:1])
            return
        except ValueError as error:
            self._messages.show_error(text_of(error))
            return
        self._state.open_position(written.position)
        self.pasted.emit()
        if written.others:
            first, *others = choices(written.others)
            self._messages.show_offer(lambda: tr(READ_AS[written.way]), *first, *others[:1])
        elif written.way and way is None:
            self._messages.show_notice(READ_AS[written.way])

    # menus

    def usual_games(self) -> list[tuple[str, Callable[[], object]]]:
        """Return (title, function that opens it) of the common games; none while the engine is loading."""
        if self._session.loading:
            return []
        from core.games import load_game

        return [(game_title(load_game(text)), partial(self.open_game, text)) for text in QUICK_GAMES]

    def fill_game_menu(self, menu: QMenu, other: QAction) -> None:
        """Fill the menu with the common games and ``other`` for the rest."""
        menu.clear()
        now = game_title(self._state.game) if self._state.game is not None else ""
        games = self.usual_games()
        if not self._session.loading and now and now not in (title for title, _ in games):
            games.insert(0, (now, self.new_game))
        for title, run in games:
            _tick(menu.addAction(title, run), title == now)
        if self._session.loading:
            return
        menu.addSeparator()
        menu.addAction(other)

    def fill_net_menu(self, menu: QMenu, other: QAction, recent: Sequence[Path] | None = None) -> None:
        """Fill the menu with the game's shipped nets, the two sources without a net, and ``other`` for a file.

        With ``recent`` files the nets among these and the shipped ones of other games are offered, too.
        """
        menu.clear()
        if self._session.loading:
            return
        source = self._state.source
        used = getattr(source, "path", None)
        offered = list(dict.fromkeys([*self.nets, *([used] if used is not None else [])]))
        for path in offered:
            _tick(menu.addAction(_plain(path.name), partial(self.open_net, path)), path == used)
        if not menu.isEmpty():
            menu.addSeparator()
        uniform = sources.UniformSource()
        _tick(menu.addAction(tr("Random rollouts (UCT)"), lambda: self._state.set_source(None)), source is None)
        _tick(menu.addAction(tr("Uniform prior, value 0"), lambda: self._state.set_source(uniform)), source == uniform)
        menu.addSeparator()
        if recent is not None:
            for path, game in self._shipped:
                if game != self._state.game:
                    menu.addAction(_plain(f"{game_title(game)}\t{path.stem}"), partial(self.open_net, path))
            menu.addSeparator()
            for path in recent:
                if path.name.endswith(sources.NETS) and path not in offered:
                    menu.addAction(_plain(path.name), partial(self.open_net, path))
        menu.addAction(other)
        encoding = getattr(self._session.snapshot, "encoding", "")
        if isinstance(source, sources.NetSource) and (source.profile or encoding == HUMAN):
            self._add_profiles(menu.addMenu(tr("Imitated players")), source, self._state.set_source)
        elif isinstance(source, sources.NetSource) and (source.recipe is not None or encoding.startswith(RECIPE)):
            menu.addAction(tr("How to read {net}…").format(net=source.title), partial(self.edit_recipe, source))
        present = self._state.game
        if present is not None and any(encoding.name == HUMAN for encoding in present.encodings):
            self._add_human(menu.addMenu(tr("Human net beside the search")))

    def _add_human(self, menu: QMenu) -> None:
        """Offer a human net beside the one that searches: none, the present one with its players, or another file."""
        human = self._state.human
        _tick(menu.addAction(tr("None"), lambda: self._state.set_human(None)), human is None)
        if human is not None:
            _tick(menu.addAction(_plain(human.path.name), lambda: None), True)
        menu.addAction(tr("Open a human net…"), self.choose_human)
        if human is not None:
            menu.addSeparator()
            self._add_profiles(menu, human, self._state.set_human)

    def choose_human(self) -> None:
        """Show the dialog to choose the file of a human net, which is used beside the search's net."""
        filters = tr("Nets (*.onnx *.bin.gz *.txt.gz);;All files (*)")
        path = ask_open_name(self._window, tr("Open a human net…"), "nets", filters)
        if path is not None:
            self.open_human(path)

    def open_human(self, path: Path) -> None:
        """Use a human net beside the search's, with the players of the one before; what does not fit the game is
        refused in one sentence."""
        game, before = self._state.game, self._state.human
        if game is None:
            return

        def load() -> sources.NetSource:
            source = sources.human_source(path, "" if before is None else before.profile)
            source.load_beside(game)
            return source

        def done(source: sources.NetSource) -> None:
            self.used.emit(path)
            self._state.set_human(source)

        run_task(self, load, done, self._messages.show_error)

    def _add_profiles(
        self, menu: QMenu, source: sources.NetSource, take: Callable[[sources.NetSource], object]
    ) -> None:
        """Offer the players that a human net can imitate: some ranks, and any other by name; ``take`` uses it."""
        from models.netfiles.katago_metadata import USUAL

        present = source.profile or USUAL
        for profile in dict.fromkeys([*(f"rank_{rank}" for rank in OFFERED_RANKS), present]):
            _tick(menu.addAction(profile, partial(self.imitate, source, take, profile)), profile == present)
        menu.addAction(tr("Other players…"), partial(self._ask_profile, source, take))

    def imitate(self, source: sources.NetSource, take: Callable[[sources.NetSource], object], profile: str) -> None:
        """Use a human net as the players of this profile; an unknown one is an error on the banner."""
        from models.netfiles.recipe import for_profile

        try:
            take(replace(source, recipe=for_profile(profile)))
        except ValueError as error:
            self._messages.show_error(text_of(error))

    def _ask_profile(self, source: sources.NetSource, take: Callable[[sources.NetSource], object]) -> None:
        words = tr(
            "rank_5k, with the openings before AlphaZero preaz_5k; rank_5k_1d: Black's rank and White's; proyear_1990: "
            "professionals of a year"
        )
        title = tr("Other players…")
        imitate = partial(self.imitate, source, take)
        dialog = TextDialog(self._window, title, words, source.profile, imitate, profile_problem)
        self._show(dialog)


def profile_problem(profile: str) -> str:
    """Return what is wrong with the name of a profile, for the screen; "" when nothing is."""
    from models.netfiles.recipe import for_profile

    try:
        for_profile(profile)
    except ValueError as error:
        return core_text(text_of(error))
    return ""


def _guessed(
    path: Path, info: NetInfo, game: GameSpec
) -> Beginning | tuple[tuple[sources.NetSource, GameSpec], Callable[[], str]]:
    """Return what ``_take_net`` takes for a net that does not say how it is read, and what to say of the guess; where
    there is none, what a dialog begins with."""
    from models.netfiles.opened import as_onnx
    from models.netfiles.recipe_guess import Unclear, guess_recipe

    try:
        guess = guess_recipe(as_onnx(path), info, game)
    except Unclear as error:
        return begin_recipe(path, info, game, None, error.reason)
    recipe, check = guess.recipe, guess.check

    def note() -> str:
        words: Words = (
            "{net} does not say what its planes are; read as those of {name}: {planes}. Check: {check}."
            if recipe.name
            else "{net} does not say what its planes are; read as: {planes}. Check: {check}."
        )
        planes, result = plane_titles(recipe.planes), core_text(check.words)
        text = tr(words).format(net=path.name, name=recipe.name, planes=planes, check=result)
        if check.convincing:
            return text
        return f"{text} {tr('If they mean something else, correct it: How to read it… in the menu of the net.')}"

    return (sources.net_source(path, recipe), game), note


def recipe_positions(trial: RecipeTrial, present: Position | None) -> list[tuple[str, Position]]:
    """Return the positions to look at in the dialog of a recipe, with titles: the present one first where it is played
    in, wins in one move, others."""
    positions = []
    if present is not None and present.game == trial.game and present.moves and not present.is_over:
        positions.append((tr("the position on the board"), present))
    for number, question in enumerate(trial.questions.won[:3], 1):
        positions.append((tr("a win in one move, {number}").format(number=number), question.position))
    for number, position in enumerate(trial.questions.others[:3], 1):
        positions.append((tr("a random position, {number}").format(number=number), position))
    return positions


def _plain(text: str) -> str:
    """Return a menu's text in which no letter is underlined."""
    return text.replace("&", "&&")


def _tick(action: QAction, ticked: bool) -> None:
    """Mark the current choice in a menu."""
    action.setCheckable(True)
    action.setChecked(ticked)
