// The page: one selected node and one simulation, shown by board, icicle, table and timeline.

const SHOWN_MOVES = 24; // of a node, before all are asked for
const LEAST_MARKED = 0.002; // of the visits, for a mark on the board
const SPEEDS = [0, 5, 25, 100, 500, 2500]; // simulations a second; 0: each playout is shown move by move
const STEP_MS = 420; // of a playout's move
const STAGE_MS = 900; // of the other stages
const PROOFS = { win: "won", draw: "draw", loss: "lost" };

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

class Page {
  constructor(search) {
    this.search = search;
    this.simulation = search.simulations;
    this.selected = 0;
    this.top = 0; // the node that the icicle has as its first
    this.allMoves = false;
    this.playing = false;
    this.speed = 0;
    this.part = null; // of the playout that is shown: {stage, step}
    this.icicle = new Icicle(find("icicle"), node => this.select(node), node => this.enlarge(node));
    this.icicle.hintText = node => this.nodeWords(node);
    const svg = find("board");
    this.looks = svg ? [svg.dataset.first, svg.dataset.second] : ["c", "c"];
    this.board = svg ? new Board(svg, cell => this.clickCell(cell)) : null;
    find("slider").max = search.simulations;
    this.listen();
    this.follow(location.hash);
    this.translate();
    setTimeout(() => this.drawCurve(), 0); // the rest is shown first
  }

  // what is shown

  /** The names of the players, first and second. */
  get players() {
    return playerNames(this.looks);
  }

  /** The nodes of the simulation whose playout is shown, from the root; none while no playout is shown. */
  get playout() {
    return this.part ? this.search.path(this.simulation) : [];
  }

  /** The node of which table and board are: the selected one, or where the playout is. */
  get shown() {
    return this.part && this.part.stage < 4 ? this.playout[this.part.step] : this.selected;
  }

  /** The nodes from the root to a node, without the root. */
  line(node) {
    const nodes = [];
    for (let at = node; at > 0; at = this.search.parent(at)) nodes.unshift(at);
    return nodes;
  }

  name(node) {
    return node === 0 ? say("root") : this.moveName(this.search.move(node));
  }

  moveName(move) {
    const name = this.search.header.names[move];
    return name === "pass" ? say("pass") : name;
  }

  moveNames(nodes) {
    return nodes.length ? nodes.map(node => this.name(node)).join(" ") : say("at_root");
  }

  /** The player for whom values of a node are: who moved there; at the root who is to move. */
  owner(node) {
    return this.search.toMove(node === 0 ? 0 : this.search.parent(node));
  }

  nodeWords(node) {
    const q = signed(this.moment.value(node));
    return `${this.moveNames(this.line(node))}: N ${count(this.moment.visits(node))}, Q ${q}`;
  }

  show() {
    const before = this.part && this.part.stage < 4;
    this.moment = this.search.at(before ? this.simulation - 1 : this.simulation);
    while (!this.moment.has(this.selected)) this.selected = this.search.parent(this.selected);
    this.rows = this.moment.has(this.shown) ? this.moment.rows(this.shown) : [];
    this.drawBoard();
    this.drawIcicle();
    this.drawPath();
    this.drawMoves();
    this.drawTime();
    if (this.curve) this.drawCurve();
  }

  /** Shows a later record of the search.  What is selected stays; who looks at the last simulation goes on with it. */
  replace(search) {
    const follows = this.simulation === this.search.simulations && !this.part;
    if (search.header.tree !== this.search.header.tree) this.selected = this.top = 0; // it was begun anew
    this.search = search;
    this.simulation = follows ? search.simulations : Math.min(this.simulation, search.simulations);
    find("slider").max = search.simulations;
    if (this.curve) this.curve.read(search);
    else this.drawCurve();
    this.writeAbout();
    this.show();
  }

  drawBoard() {
    const node = this.shown, moves = this.line(node), player = this.players[this.search.toMove(node)];
    const after = moves.length ? say("after", { moves: this.moveNames(moves) }) : say("root");
    if (this.board) {
      const cells = this.search.board(node), last = this.lastCell(node), walks = this.part && this.part.stage < 4;
      this.board.show(cells, { last, marks: this.marks(cells), ring: walks && this.part.step > 0 ? last : -1 });
      find("board").setAttribute("aria-label", say("label", { after, to_move: say("to_move", { player }) }));
    } else find("words").textContent = this.search.text(node);
    find("stage").replaceChildren(...this.stageWords());
    const value = signed(this.moment.value(node)), line = this.moment.has(node) ? this.moment.line(node) : [];
    const facts = [
      ["to_play", player],
      ["value_of", say("value_for", { value, player: this.players[this.owner(node)] })],
      ["simulations", count(this.moment.visits(node))],
    ];
    if (line.length) facts.push(["line", this.moveNames(line)]);
    find("position").replaceChildren(...facts.flatMap(([key, text]) => [made("dt", say(key)), made("dd", text)]));
  }

  /** The cell of the stone that the move to a node put; -1 for none. */
  lastCell(node) {
    const { last, cells } = this.search.header.position;
    if (node === 0) return this.board.lastOf(cells, last);
    return this.search.changes(node).find(cell => cell % this.board.period === this.search.move(node)) ?? -1;
  }

  marks(cells) {
    const marks = [];
    for (const row of this.rows) {
      const cell = this.board.cellOf(cells, row.move);
      if (cell >= 0 && (row.share >= LEAST_MARKED || row.chosen)) {
        const text = row.share >= 0.01 ? String(Math.round(100 * row.share)) : "";
        marks.push({ cell, share: row.share, text, next: row.chosen, best: row.best });
      }
    }
    return marks;
  }

  /** What the simulation shown does, in words. */
  stageWords() {
    if (!this.part) return [];
    const { stage, step } = this.part, path = this.playout, { value, leaf, kind } = this.search.simulation(this.simulation);
    const moves = this.moveNames(path.slice(1, stage === 1 ? step + 1 : path.length));
    const key = [step ? "selects" : "begins", "expands", `valued_${kind}`, "backs_up"][stage - 1];
    const words = say(key, {
      n: count(this.simulation), moves, move: this.name(leaf), value: signed(value),
      player: this.players[this.search.toMove(leaf)],
    });
    return [made("b", `${say(`stage_${stage}`)}: `), document.createTextNode(words)];
  }

  drawIcicle() {
    const path = this.playout, lit = this.part && this.part.stage === 1 ? path.slice(0, this.part.step + 1) : path;
    if (!this.moment.has(this.top) || !this.isBelow(this.selected, this.top)) this.top = 0;
    this.icicle.draw(this.moment, this.top, {
      selected: this.selected,
      main: new Set([0, ...this.moment.line(0)]),
      path: new Set(lit),
      valueFor: node => (this.owner(node) === this.owner(0) ? 1 : -1) * this.moment.value(node),
      label: node => this.name(node),
    });
    find("whole").hidden = this.top === 0;
    find("icicle").setAttribute("aria-label", `${say("icicle")}. ${this.nodeWords(this.selected)}`);
  }

  drawCurve() {
    if (!this.curve && this.search.simulations > 0) {
      this.curve = new Curve(find("curve"), this.search, n => { this.pause(); this.goTo(n); });
      find("shares").hidden = false;
    }
    if (!this.curve) return;
    const words = this.curve.draw(this.simulation, node => this.name(node), this.icicle.colours, this.icicle.dark);
    find("curve").setAttribute("aria-label", `${say("shares")}: ${words}`);
  }

  isBelow(node, top) {
    let at = node;
    while (at > top) at = this.search.parent(at);
    return at === top;
  }

  drawPath() {
    const items = [0, ...this.line(this.shown)].map(node => {
      const item = made("li"), button = item.appendChild(made("button", this.name(node)));
      button.type = "button";
      if (node === this.shown) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => this.select(node));
      return item;
    });
    find("path").replaceChildren(...items);
  }

  /** The columns of the table: those that this search's rule has. */
  get columns() {
    const has = name => this.rows.some(row => !Number.isNaN(row[name])) && (name !== "s" || this.search.header.scored);
    return ["move", "visits", "share", "value", ...["prior", "s", "exploration", "score"].filter(has)];
  }

  drawMoves() {
    const columns = this.columns, table = find("moves");
    const focused = document.activeElement?.closest("#moves")?.querySelector("tr button:focus")?.dataset.move;
    table.tHead.rows[0].replaceChildren(...columns.map(name => {
      const head = made("th");
      head.scope = "col";
      const words = head.appendChild(made("abbr", say(name)));
      if (name !== "move") words.title = say(`${name}_tip`);
      return head;
    }));
    const shown = this.allMoves ? this.rows : this.rows.filter((row, i) => i < SHOWN_MOVES || row.chosen);
    const lines = shown.map(row => this.tableRow(row, columns));
    if (!lines.length) {
      const line = made("tr"), cell = line.appendChild(made("td", say("no_rows"), "soft"));
      cell.colSpan = columns.length;
      lines.push(line);
    }
    table.tBodies[0].replaceChildren(...lines);
    if (focused) table.querySelector(`button[data-move="${focused}"]`)?.focus();
    const more = find("more"), hidden = this.rows.length - shown.length;
    more.hidden = !hidden && !this.allMoves || this.rows.length <= SHOWN_MOVES;
    more.textContent = this.allMoves ? say("less") : say("more", { n: this.rows.length });
    this.drawSum();
  }

  tableRow(row, columns) {
    const line = made("tr");
    line.classList.toggle("next", row.chosen);
    line.classList.toggle("best", row.best && row.visits > 0);
    line.classList.toggle("untried", row.visits === 0);
    for (const name of columns) {
      const cell = line.appendChild(made("td"));
      if (name === "move") this.fillMove(cell, row);
      else if (name === "share") cell.appendChild(shareBar(row.share));
      else if (name === "visits") cell.textContent = count(row.visits);
      else if (name === "prior") cell.textContent = percent(row.prior);
      else cell.textContent = signed(row[name]);
      if (name === "share") cell.setAttribute("aria-label", percent(row.share));
    }
    return line;
  }

  fillMove(cell, row) {
    const button = cell.appendChild(made("button", this.moveName(row.move)));
    button.type = "button";
    button.dataset.move = row.move;
    if (row.node < 0) button.disabled = true;
    else button.addEventListener("click", () => this.select(row.node));
    if (row.chosen) cell.append(" ▸", made("span", say("next"), "unseen"));
    if (row.best && row.visits) cell.append(made("span", say("best"), "unseen"));
    if (row.proof) cell.append(" ", made("span", say(PROOFS[row.proof]), `proof ${row.proof}`));
  }

  /** The sum by which the next move is chosen, and how many moves are not in the table. */
  drawSum() {
    const next = this.rows.find(row => row.chosen), sum = find("sum"), rest = this.moment.hidden(this.shown);
    sum.replaceChildren();
    if (next) {
      const { scored } = this.search.header;
      const terms = [["Q", next.value], ...(scored ? [["S", next.s]] : []), ["U", next.exploration]];
      const adds = Math.abs(terms.reduce((all, [, term]) => all + term, 0) - next.score) < 1e-4;
      const written = terms.map(([letter, term]) => `${letter} ${signed(term, 4)}`).join(" + ");
      const move = this.moveName(next.move), score = signed(next.score, 4);
      sum.append(made("b", "▸ "), say(adds ? "next_sum" : "next_score", { move, written, score }));
    }
    const formula = `${say("rule")}: ${this.moment.formula(this.shown)}`;
    find("formula").textContent = [rest && this.rows.length ? say("rest", { n: rest }) : "", formula].filter(Boolean).join(" ");
  }

  drawTime() {
    find("slider").value = this.simulation;
    find("slider").setAttribute("aria-valuetext", `${say("simulation")} ${count(this.simulation)}`);
    if (document.activeElement !== find("number")) find("number").value = this.simulation;
    for (const id of ["first", "back"]) find(id).disabled = this.simulation === 0;
    for (const id of ["on", "last"]) find(id).disabled = this.simulation === this.search.simulations;
    const play = find("play");
    play.classList.toggle("playing", this.playing);
    play.title = say(this.playing ? "pause" : "play");
    play.setAttribute("aria-label", play.title);
  }

  // what is done

  say(text) {
    find("said").textContent = text;
  }

  select(node) {
    if (!this.moment.has(node)) return;
    this.part = null;
    this.selected = node;
    this.allMoves = false;
    this.pause();
    this.show();
    this.icicle.reveal();
    const q = signed(this.moment.value(node));
    this.say(say("selected", { move: this.moveNames(this.line(node)), n: this.moment.visits(node), q }));
  }

  enlarge(node) {
    this.top = node;
    this.select(node);
  }

  clickCell(cell) {
    const cells = this.search.board(this.shown);
    const row = this.rows.find(one => this.board.cellOf(cells, one.move) === cell);
    if (row && row.node >= 0) this.select(row.node);
    else if (cells[cell] && this.selected > 0) this.select(this.search.parent(this.selected));
  }

  /** Shows the search after its first `n` simulations; the number is moved into what there is. */
  goTo(n, part = null) {
    this.simulation = Math.max(0, Math.min(this.search.simulations, Math.round(n) || 0));
    this.part = part && this.simulation > 0 ? part : null;
    this.show();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
    this.drawTime();
  }

  pause() {
    this.playing = false;
    clearTimeout(this.timer);
    this.drawTime();
  }

  play() {
    if (this.simulation >= this.search.simulations) this.goTo(0);
    this.playing = true;
    this.begun = performance.now();
    this.from = this.simulation;
    this.advance();
  }

  advance() {
    if (!this.playing) return;
    if (SPEEDS[this.speed] === 0) this.nextPart();
    else {
      const passed = (performance.now() - this.begun) / 1000;
      this.goTo(this.from + Math.max(1, passed * SPEEDS[this.speed]));
    }
    if (this.simulation >= this.search.simulations && !this.part) {
      this.pause();
      return;
    }
    const staged = SPEEDS[this.speed] === 0;
    const pause = staged ? (this.part && this.part.stage === 1 ? STEP_MS : STAGE_MS) : 1000 / Math.min(30, SPEEDS[this.speed]);
    this.timer = setTimeout(() => this.advance(), pause);
  }

  /** Goes on by one part of a playout: a move, then the new node, its value, the way back; then the next simulation. */
  nextPart() {
    const last = this.playout.length - 1;
    if (!this.part || this.part.stage === 4) {
      if (this.simulation < this.search.simulations) this.goTo(this.simulation + 1, this.firstPart());
      else this.goTo(this.simulation);
    } else if (this.part.stage === 1 && this.part.step < last) {
      this.goTo(this.simulation, { stage: 1, step: this.part.step + 1 });
    } else {
      const skips = this.part.stage === 1 && !this.search.simulation(this.simulation).created;
      this.goTo(this.simulation, { stage: this.part.stage + (skips ? 2 : 1), step: last });
    }
    this.say(find("stage").textContent);
  }

  /** Where a playout begins; without motion its result is shown at once. */
  firstPart() {
    return { stage: calm() ? 4 : 1, step: 0 };
  }

  step(by) {
    this.pause();
    if (by > 0 && this.simulation >= this.search.simulations) this.goTo(this.simulation);
    else {
      this.goTo(this.simulation + by, { stage: 4, step: 0 });
      this.say(this.simulation ? find("stage").textContent : say("start"));
    }
  }

  // language, theme, keys

  translate() {
    this.moment = this.search.at(this.simulation);
    writeTexts({ player: this.players[this.owner(0)] });
    this.writeAbout();
    find("speed").replaceChildren(...SPEEDS.map((speed, place) => {
      const option = made("option", speed ? say("speed_n", { n: speed }) : say("speed_slow"));
      option.value = place;
      return option;
    }));
    find("speed").value = this.speed;
    this.drawNotes();
    this.show();
  }

  writeAbout() {
    const { evaluator, title, game } = { ...this.search.header, ...this.search.header.texts[language] };
    document.title = document.querySelector("h1").textContent = game;
    find("about").textContent = say("about", { n: count(this.search.simulations), evaluator, rule: title });
  }

  /** The names and comments that the game's record gives to positions. */
  drawNotes() {
    const section = find("notes"), { notes, position, names } = this.search.header, parts = [section.firstElementChild];
    for (const { ply, name, comment } of notes) {
      const move = ply ? `${ply}. ${names[position.moves[ply - 1]]}` : say("beginning");
      parts.push(made("h3", name ? `${move}: ${name}` : move));
      if (comment) parts.push(made("p", comment, "comment"));
    }
    section.replaceChildren(...parts);
    section.hidden = !notes.length;
  }

  setTheme(theme) {
    setTheme(theme);
    this.icicle.readColours();
    if (this.moment) this.drawIcicle();
    if (this.curve) this.drawCurve();
  }

  setLanguage(code) {
    language = code;
    find("language").value = code;
  }

  /** Shows what the part of an address after # names: simulation, moves, language, theme. */
  follow(hash) {
    const asked = new URLSearchParams(hash.slice(1)), code = (asked.get("language") || "").slice(0, 2);
    this.setLanguage(code in LANGUAGES ? code : preferredLanguage());
    this.setTheme(["light", "dark"].includes(asked.get("theme")) ? asked.get("theme") : "");
    if (/^\d{1,9}$/.test(asked.get("simulation") || "")) {
      this.simulation = Math.min(this.search.simulations, Number(asked.get("simulation")));
    }
    this.moment = this.search.at(this.simulation);
    this.selected = this.top = 0;
    for (const name of (asked.get("moves") || "").split(" ").filter(Boolean)) {
      const row = this.moment.rows(this.selected).find(one => one.label === name);
      if (!row || row.node < 0) break;
      this.selected = row.node;
    }
    if (asked.get("playout") !== null && this.simulation > 0) this.part = { stage: 4, step: 0 };
  }

  listen() {
    const on = (id, event, run) => find(id).addEventListener(event, run);
    on("first", "click", () => { this.pause(); this.goTo(0); });
    on("last", "click", () => { this.pause(); this.goTo(this.search.simulations); });
    on("back", "click", () => this.step(-1));
    on("on", "click", () => this.step(1));
    on("play", "click", () => this.toggle());
    on("slider", "input", () => { this.pause(); this.goTo(Number(find("slider").value)); });
    on("number", "change", () => { this.pause(); this.goTo(Number(find("number").value.replace(/\D/g, ""))); });
    on("speed", "change", () => {
      this.speed = Number(find("speed").value);
      [this.begun, this.from, this.part] = [performance.now(), this.simulation, null];
    });
    on("language", "change", () => { this.setLanguage(find("language").value); this.translate(); });
    on("theme", "change", () => this.setTheme(find("theme").value));
    on("whole", "click", () => { this.top = 0; this.show(); });
    on("more", "click", () => { this.allMoves = !this.allMoves; this.drawMoves(); });
    on("icicle", "keydown", event => this.treeKey(event));
    on("moves", "keydown", event => this.tableKey(event));
    addEventListener("keydown", event => this.key(event));
    addEventListener("hashchange", () => { this.pause(); this.part = null; this.follow(location.hash); this.translate(); });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme(find("theme").value));
    new ResizeObserver(() => this.moment && this.drawIcicle()).observe(find("tree_scroll"));
    new ResizeObserver(() => this.curve && this.drawCurve()).observe(find("board_part"));
  }

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const on = event.target.closest("input, select, textarea"), button = event.target.closest("button");
    if (on || event.key === " " && button) return;
    const run = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => { this.pause(); this.goTo(0); },
      End: () => { this.pause(); this.goTo(this.search.simulations); },
    }[event.key];
    if (run) {
      event.preventDefault();
      run();
    }
  }

  /** The arrow keys in the tree: up to the parent, down to the most visited reply, sideways to the moves beside it. */
  treeKey(event) {
    const node = this.selected, atRoot = node === 0;
    const visited = at => this.moment.rows(at).filter(row => row.node >= 0).map(row => row.node);
    let next = -1;
    if (event.key === "ArrowUp" && !atRoot) next = this.search.parent(node);
    else if (event.key === "ArrowDown") next = visited(node)[0] ?? -1;
    else if ((event.key === "ArrowLeft" || event.key === "ArrowRight") && !atRoot) {
      const beside = visited(this.search.parent(node));
      next = beside[beside.indexOf(node) + (event.key === "ArrowRight" ? 1 : -1)] ?? -1;
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.enlarge(node);
      return;
    } else if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    if (next >= 0) this.select(next);
  }

  /** The arrow keys in the table: up and down to the next move. */
  tableKey(event) {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    const buttons = [...find("moves").querySelectorAll("button:enabled")];
    const next = buttons[buttons.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1)];
    event.preventDefault();
    next?.focus();
  }
}

async function open() {
  language = preferredLanguage();
  writeTexts({ player: "" });
  const state = find("state");
  if (typeof DecompressionStream === "undefined" || !CSS.supports("color", "light-dark(red, blue)")) {
    state.textContent = say("old", { error: navigator.userAgent });
    return null;
  }
  try {
    const search = await openSearch(fromBase64(find("search").textContent));
    find("main").hidden = find("time").hidden = false;
    const page = new Page(search);
    state.hidden = true;
    return page;
  } catch (error) {
    find("main").hidden = find("time").hidden = true;
    state.textContent = say("broken", { error: error.message });
    throw error;
  }
}

const opened = open(); // the Page; null in a browser that is too old
