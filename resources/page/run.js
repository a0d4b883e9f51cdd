// The page of a training run: one of its running games with the figures of the search, and the curves of its reports.

const CHART = { width: 320, height: 150, left: 44, right: 8, top: 8, below: 20 };
const COLUMNS = ["move", "visits", "share", "value", "prior"];
const LINE_NAMES = { policy_loss: "line_loss", value_loss: "line_loss", target_entropy: "line_floor", elo: "line_elo" };

class RunPage {
  constructor() {
    this.state = null;
    this.chosen = -1; // the number of the game that is shown
    const svg = find("board");
    this.board = svg ? new Board(svg, () => {}) : null;
    this.players = () => playerNames(svg ? this.board.looks : ["c", "c"]);
    find("language").addEventListener("change", () => { language = find("language").value; this.translate(); });
    find("theme").addEventListener("change", () => setTheme(find("theme").value));
    find("game").addEventListener("change", () => { this.chosen = Number(find("game").value); this.drawGame(); });
    language = find("language").value = preferredLanguage();
    this.translate();
  }

  translate() {
    writeTexts({});
    if (this.state) this.show(this.state);
  }

  show(state) {
    this.state = state;
    const { phase, game, progress } = state;
    sayLive(phase ? "run_phase" : "run_rests", phase ? { phase: phase[language] } : {});
    const figures = Object.entries(progress).filter(([, value]) => value !== null);
    find("about").textContent = [game[language], ...figures.map(([name, value]) => say(`run_${name}`, { n: count(value) }))].join(" · ");
    const games = find("game"), ids = state.games.map(one => String(one.id));
    if (ids.join() !== Array.from(games.options, option => option.value).join()) { // a list that is open stays open
      games.replaceChildren(...ids.map(id => {
        const option = made("option", id);
        option.value = id;
        return option;
      }));
    }
    this.drawGame();
    find("charts").replaceChildren(...Object.entries(state.charts).filter(([, lines]) => Object.keys(lines).length).map(
      ([name, lines]) => chart(say(name), Object.entries(lines))));
  }

  /** The game that was chosen; once it has ended, the first of those that run. */
  drawGame() {
    const games = this.state.games, game = games.find(one => one.id === this.chosen) || games[0];
    find("none").hidden = Boolean(game);
    for (const id of ["choice", "position_part", "moves"]) find(id).hidden = !game;
    if (!game) return;
    this.chosen = game.id;
    find("game").value = game.id;
    const { cells, moves, value, toMove } = game, all = Math.max(1, moves.reduce((sum, [, , visits]) => sum + visits, 0));
    const player = this.players()[toMove];
    if (this.board) {
      const marks = moves.map(([, move, visits], place) => ({
        cell: this.board.cellOf(cells, move), share: visits / all, best: place === 0, next: false,
        text: visits / all >= 0.01 ? String(Math.round((100 * visits) / all)) : "",
      }));
      this.board.show(cells, { last: this.board.lastOf(cells, game.last), marks: marks.filter(mark => mark.cell >= 0) });
      find("board").setAttribute("aria-label", say("to_move", { player }));
    } else find("words").textContent = game.text;
    const facts = [["to_play", player], ["run_ply", count(game.ply)]];
    if (value !== null) facts.push(["value_of", say("value_for", { value: signed(value), player })]);
    find("position").replaceChildren(...facts.flatMap(([key, text]) => [made("dt", say(key)), made("dd", text)]));
    this.drawMoves(moves, all);
  }

  drawMoves(moves, all) {
    const table = find("moves");
    table.tHead.rows[0].replaceChildren(...COLUMNS.map(name => {
      const head = made("th");
      head.scope = "col";
      const words = head.appendChild(made("abbr", say(name)));
      if (name !== "move") words.title = say(`${name}_tip`);
      return head;
    }));
    table.tBodies[0].replaceChildren(...moves.map(([name, , visits, q, prior]) => {
      const line = made("tr");
      line.append(made("td", name === "pass" ? say("pass") : name), made("td", count(visits)));
      const cell = line.appendChild(made("td"));
      cell.appendChild(shareBar(visits / all));
      cell.setAttribute("aria-label", percent(visits / all));
      line.append(made("td", signed(q)), made("td", percent(prior)));
      return line;
    }));
  }
}

/** A chart with its title: lines of [name, [[place, value], ...]]. */
function chart(title, lines) {
  const { width, height, left, right, top, below } = CHART, points = lines.flatMap(([, line]) => line);
  const [xs, ys] = [0, 1].map(k => points.map(point => point[k]));
  const [first, last, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const x = at => left + ((at - first) / Math.max(1e-12, last - first)) * (width - left - right);
  const y = at => height - below - ((at - low) / Math.max(1e-12, high - low)) * (height - top - below);
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "chart" });
  svg.append(drawn("rect", { x: left, y: top, width: width - left - right, height: height - top - below, class: "frame" }));
  lines.forEach(([, line], place) => {
    const path = line.map(([at, value], k) => `${k ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    svg.append(drawn("path", { d: line.length > 1 ? path : `${path}h1`, class: `line of${place % 5}` }));
  });
  for (const [at, value] of [[y(high) + 8, high], [y(low), low]]) {
    svg.append(drawn("text", { x: left - 4, y: at, class: "end" }, short(value)));
  }
  svg.append(drawn("text", { x: left, y: height - 5 }, short(first)), drawn("text", { x: width - right, y: height - 5, class: "end" }, short(last)));
  const words = lines.map(([name, line]) => `${name in LINE_NAMES ? say(LINE_NAMES[name]) : name} ${short(line[line.length - 1][1])}`);
  svg.setAttribute("aria-label", `${title}: ${words.join(", ")}`);
  const figure = made("figure"), caption = figure.appendChild(made("figcaption"));
  caption.append(made("b", title), ...words.flatMap((text, place) => [" ", made("span", text, `name of${place % 5}`)]));
  figure.append(svg);
  return figure;
}

/** A figure with up to four digits. */
function short(value) {
  const text = Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
  return text.replace("-", "−");
}

async function openRun() {
  const page = new RunPage();
  let version = 0;
  await followPieces(() => version, bytes => {
    const state = JSON.parse(new TextDecoder().decode(bytes));
    version = state.version;
    page.show(state);
  });
}

openRun();
