// How the shares of the root's moves changed over the simulations, as lines on a canvas.

const LINES = 5; // moves shown
const MOMENTS = 120; // at which the shares are read
const HEIGHT = 110; // px
const NAME = 14; // px of a name
const SERIES = {
  light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00"],
  dark: ["#56b4e9", "#e69f00", "#2fc79a", "#e29bc6", "#f0e442"],
};

/** The shares of the root's most visited moves: [{node, shares}], each with a share at `MOMENTS` + 1 moments. */
function sharesOverTime(search) {
  const nodes = search.at(search.simulations).children(0).slice(0, LINES), lines = nodes.map(node => ({ node, shares: [] }));
  for (let k = 0; k <= MOMENTS; k++) {
    const n = Math.round((k / MOMENTS) * search.simulations), moment = search.at(n);
    const all = Math.max(1, moment.children(0).reduce((sum, node) => sum + moment.visits(node), 0));
    for (const line of lines) line.shares.push(moment.visits(line.node) / all);
  }
  return lines;
}

/** The curves of one page.  A click calls `goTo(simulation)`. */
class Curve {
  constructor(canvas, search, goTo) {
    this.canvas = canvas;
    this.read(search);
    canvas.addEventListener("click", event => {
      const box = canvas.getBoundingClientRect(), wide = box.width - this.right;
      goTo(Math.round(Math.min(1, (event.clientX - box.left) / wide) * this.search.simulations));
    });
  }

  read(search) {
    this.search = search;
    this.lines = sharesOverTime(search);
  }

  /** Draws the curves with a mark at a simulation; `label(node)`: a move's name; `colours`, `dark`: of the theme. */
  draw(simulation, label, colours, dark) {
    const width = Math.max(120, this.canvas.parentElement.clientWidth), ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(HEIGHT * ratio);
    this.canvas.style.height = `${HEIGHT}px`;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const names = this.lines.map(({ node, shares }) => `${label(node)} ${Math.round(100 * shares[MOMENTS])}`);
    this.right = 10 + Math.max(0, ...names.map(name => pen.measureText(name).width));
    const wide = width - this.right, most = Math.max(0.1, ...this.lines.flatMap(line => line.shares));
    const y = share => 4 + (1 - share / most) * (HEIGHT - 9);
    pen.strokeStyle = colours.line;
    pen.strokeRect(0.5, 3.5, wide - 1, HEIGHT - 8);
    pen.lineWidth = 2;
    this.lines.forEach(({ shares }, place) => {
      pen.strokeStyle = SERIES[dark ? "dark" : "light"][place];
      pen.beginPath();
      shares.forEach((share, k) => pen.lineTo((k / MOMENTS) * wide, y(share)));
      pen.stroke();
    });
    this.heights(y).forEach((at, place) => {
      pen.fillStyle = SERIES[dark ? "dark" : "light"][place];
      pen.fillText(names[place], wide + 6, at);
    });
    pen.fillStyle = colours.soft;
    pen.fillText(`${Math.round(100 * most)} %`, 5, 12);
    pen.fillStyle = colours.path;
    pen.fillRect(Math.min(wide - 1, (simulation / Math.max(1, this.search.simulations)) * wide), 4, 2, HEIGHT - 9);
    return names.map(name => `${name} %`).join(", ");
  }

  /** The heights of the names beside the ends of their lines, moved apart where they would touch. */
  heights(y) {
    const heights = this.lines.map(({ shares }) => y(shares[MOMENTS])); // the lines are ordered, the largest share first
    for (let i = 1; i < heights.length; i++) heights[i] = Math.max(heights[i], heights[i - 1] + NAME);
    for (let i = heights.length - 1, least = HEIGHT - 7; i >= 0; i--) {
      heights[i] = Math.max(7, Math.min(heights[i], least));
      least = heights[i] - NAME;
    }
    return heights;
  }
}
