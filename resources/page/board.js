// The board: the program drew it empty; stones, shares of the visits and the playout are put on it here.

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes. */
function drawn(name, attributes, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

/** The names of the players, first and second, by how their stones look. */
function playerNames(looks) {
  return looks.map((look, player) => say(`stone_${look === "c" ? player : look}`));
}

/** The board of one page; a click on a cell calls `onCell(cell)`. */
class Board {
  constructor(svg, onCell) {
    this.svg = svg;
    this.rows = Number(svg.dataset.rows);
    this.columns = Number(svg.dataset.columns);
    this.kind = svg.dataset.kind;
    this.looks = [svg.dataset.first, svg.dataset.second];
    this.layer = svg.appendChild(drawn("g", {}));
    this.shown = [];
    svg.addEventListener("click", event => {
      const cell = this.cellAt(event);
      if (cell >= 0) onCell(cell);
    });
  }

  /** The middle of a cell, in cells. */
  middle(cell) {
    const row = Math.floor(cell / this.columns), column = cell % this.columns;
    if (this.kind !== "hexagons") return [column + 0.5, row + 0.5];
    return [column + 0.5 + 0.5 * row, 1 / Math.sqrt(3) + row * Math.sqrt(3) / 2];
  }

  /** The cell under the pointer; -1 for none. */
  cellAt(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    let nearest = -1, least = 0.36;
    for (let cell = 0; cell < this.rows * this.columns; cell++) {
      const [x, y] = this.middle(cell), distance = (x - point.x) ** 2 + (y - point.y) ** 2;
      if (distance < least) [nearest, least] = [cell, distance];
    }
    return nearest;
  }

  /** The cell of a move in a position; -1 for one that has none, such as a pass. */
  cellOf(cells, move) {
    if (this.kind === "heaps") return -1;
    if (this.kind === "columns") {
      for (let row = this.rows - 1; row >= 0; row--) {
        if (!cells[row * this.columns + move]) return row * this.columns + move;
      }
      return -1;
    }
    return move < this.rows * this.columns ? move : -1;
  }

  /** Cells from one that a move fills to the next: in games whose moves are columns, a row. */
  get period() {
    return this.kind === "columns" ? this.columns : Infinity;
  }

  /** The cell of the stone that the last move put; -1 for none. */
  lastOf(cells, last) {
    return last < 0 || this.kind === "heaps" ? -1 : cells.findIndex((stone, cell) => stone && cell % this.period === last);
  }

  /**
   * Draws a position.  `cells`: 0 empty, 1 and 2 the players' stones; `last`: the cell of the last move or -1;
   * `marks`: [{cell, share, text, next, best}] of moves; `ring`: the cell of a playout's move or -1.
   */
  show(cells, { last = -1, marks = [], ring = -1 } = {}) {
    const parts = [];
    cells.forEach((stone, cell) => {
      if (stone) parts.push(this.stone(cell, stone, this.shown.length > 0 && this.shown[cell] !== stone));
    });
    if (last >= 0) parts.push(this.circle(last, 0.12, "last"));
    for (const mark of marks) {
      if (cells[mark.cell]) continue;
      const [x, y] = this.middle(mark.cell);
      const disc = this.circle(mark.cell, 0.16 + 0.24 * Math.sqrt(mark.share), mark.best ? "mark best" : "mark");
      disc.setAttribute("fill-opacity", (0.25 + 0.6 * Math.sqrt(mark.share)).toFixed(3));
      parts.push(disc);
      if (mark.next) parts.push(this.circle(mark.cell, 0.43, "enters"));
      if (mark.text) parts.push(drawn("text", { class: "figure", x, y, dy: ".1" }, mark.text));
    }
    if (ring >= 0) parts.push(this.circle(ring, 0.45, "ring ping"));
    this.layer.replaceChildren(...parts);
    this.shown = Array.from(cells);
  }

  circle(cell, radius, kind) {
    const [x, y] = this.middle(cell);
    return drawn("circle", { class: kind, cx: x, cy: y, r: radius });
  }

  stone(cell, stone, fresh) {
    const look = this.looks[stone - 1], kind = fresh ? `${look} fresh` : look;
    if (look !== "x") return this.circle(cell, look === "n" ? 0.29 : look === "c" ? 0.3 : 0.42, kind);
    const [x, y] = this.middle(cell);
    return drawn("path", { class: kind, d: `M${x - 0.27} ${y - 0.27}l.54 .54m0-.54l-.54 .54` });
  }
}
