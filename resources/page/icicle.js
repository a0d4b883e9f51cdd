// The tree as an icicle on a canvas: a row for each ply, each move as wide as its share of the simulations.

const ROW = 22; // px of a ply
const LEAST = 1; // px of a node that is drawn by itself
const DEEPEST = 400; // rows, more than a canvas can show
const COLOURS = ["ink", "soft", "line", "ground", "main", "path", "best", "raised"];

/**
 * The nodes of a moment below `top` that are wide enough to be seen, row by row: parallel arrays of ids, places of
 * the parents, left edges and widths of 0 to 1, and rows.  What is too narrow is left out.  O(nodes drawn).
 */
function layOut(moment, top, pixels) {
  const laid = { nodes: [top], parents: [-1], lefts: [0], widths: [1], rows: [0] };
  for (let place = 0; place < laid.nodes.length; place++) {
    if (laid.rows[place] >= DEEPEST) continue;
    const node = laid.nodes[place], all = Math.max(1, moment.backups(node));
    let left = laid.lefts[place];
    for (const child of moment.children(node)) {
      const width = laid.widths[place] * Math.min(1, moment.visits(child) / all);
      if (width * pixels < LEAST) break;
      laid.nodes.push(child);
      laid.parents.push(place);
      laid.lefts.push(left);
      laid.widths.push(width);
      laid.rows.push(laid.rows[place] + 1);
      left += width;
    }
  }
  return laid;
}

/** The colour of a value from -1 to +1 as [red, green, blue]: orange, the neutral colour of the theme, blue. */
function valueColour(value, dark) {
  const stops = dark
    ? [[240, 138, 60], [176, 107, 60], [74, 77, 82], [63, 116, 184], [88, 166, 245]]
    : [[200, 98, 15], [232, 177, 131], [228, 230, 232], [143, 184, 230], [31, 111, 196]];
  if (Number.isNaN(value)) return stops[2];
  const at = (Math.max(-1, Math.min(1, value)) + 1) * 2, low = Math.min(3, Math.floor(at));
  return stops[low].map((channel, i) => Math.round(channel + (stops[low + 1][i] - channel) * (at - low)));
}

/** Whether black is easier to read on a colour than white, by WCAG's luminance. */
function isLight(rgb) {
  const [red, green, blue] = rgb.map(c => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
}

/** The icicle of one page.  `choose(node)` is called when a node is clicked, `enlarge(node)` at a double click. */
class Icicle {
  constructor(canvas, choose, enlarge) {
    this.canvas = canvas;
    this.laid = null;
    canvas.addEventListener("click", event => this.at(event) >= 0 && choose(this.at(event)));
    canvas.addEventListener("dblclick", event => this.at(event) >= 0 && enlarge(this.at(event)));
    canvas.addEventListener("mousemove", event => this.hint(event));
    this.hinted = -1;
    this.hintText = () => "";
    this.readColours();
  }

  /** Reads the colours of the theme, which a canvas cannot take from the style sheet. */
  readColours() {
    const probe = document.body.appendChild(document.createElement("span"));
    this.colours = {};
    for (const name of COLOURS) {
      probe.style.color = `var(--${name})`;
      this.colours[name] = getComputedStyle(probe).color;
    }
    probe.remove();
    this.dark = !isLight(this.colours.ground.match(/[\d.]+/g).slice(0, 3).map(Number));
  }

  /** The node under the pointer; -1 for none. */
  at(event) {
    if (!this.laid) return -1;
    const box = this.canvas.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width, row = Math.floor((event.clientY - box.top) / ROW);
    const { nodes, lefts, widths, rows } = this.laid;
    for (let place = 0; place < nodes.length; place++) {
      if (rows[place] === row && x >= lefts[place] && x < lefts[place] + widths[place]) return nodes[place];
    }
    return -1;
  }

  hint(event) {
    const node = this.at(event);
    if (node === this.hinted) return;
    this.hinted = node;
    this.canvas.title = node >= 0 ? this.hintText(node) : "";
  }

  /**
   * Draws a moment below `top`.  `valueFor(node)`: the value for the player whose colour is blue; `label(node)`: a
   * move's name; `main`, `path`: Sets of nodes on the principal variation and on the simulation's path.
   */
  draw(moment, top, { selected, main, path, valueFor, label }) {
    const width = Math.max(200, this.canvas.parentElement.clientWidth), ratio = window.devicePixelRatio || 1;
    const laid = this.laid = layOut(moment, top, width);
    const deepest = laid.rows[laid.rows.length - 1], height = Math.max(8, deepest + 1) * ROW;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.height = `${height}px`;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const outlined = [];
    laid.nodes.forEach((node, place) => {
      const x = laid.lefts[place] * width, y = laid.rows[place] * ROW, wide = laid.widths[place] * width;
      const rgb = valueColour(valueFor(node), this.dark), gap = wide > 3 ? 1 : 0;
      pen.fillStyle = `rgb(${rgb.join(" ")})`;
      pen.fillRect(x, y, wide - gap, ROW - 1);
      if (wide >= 14) this.write(pen, label(node), moment.visits(node), x, y, wide, rgb);
      if (main.has(node)) {
        pen.fillStyle = this.colours.best;
        pen.fillRect(x, y + ROW - 4, wide - gap, 3);
      }
      if (path.has(node)) outlined.push([x, y, wide, this.colours.path, 2.5]);
      if (node === selected) outlined.push([x, y, wide, this.colours.ink, 2.5]);
    });
    for (const [x, y, wide, colour, line] of outlined) {
      pen.strokeStyle = colour;
      pen.lineWidth = line;
      pen.strokeRect(x + 1, y + 1, Math.max(2, wide - 3), ROW - 3);
    }
    this.selectedTop = laid.rows[laid.nodes.indexOf(selected)] * ROW;
  }

  write(pen, name, visits, x, y, wide, rgb) {
    const whole = `${name}  ${count(visits)}`;
    const text = [whole, name].find(words => pen.measureText(words).width + 8 <= wide);
    if (!text) return;
    pen.fillStyle = isLight(rgb) ? "#000" : "#fff";
    pen.fillText(text, x + 4, y + ROW / 2 - 1);
  }

  /** Scrolls so far that the selected node is in view. */
  reveal() {
    const view = this.canvas.parentElement, top = this.selectedTop;
    if (Number.isNaN(top)) return;
    if (top < view.scrollTop || top + ROW > view.scrollTop + view.clientHeight) view.scrollTop = top - ROW;
  }
}
