"use strict";
// Reads the record of a search that core/files/page_data.py writes, and answers what is shown of it at any moment.
//
//   openSearch(bytes) -> Promise<Search>     bytes: Uint8Array, the file's base64 decoded (see fromBase64)
//
// rules.js, moments.js and this file are plain scripts that share one scope, in this order.
//
// Search
//   header        {names, position, title, priors, scored, params, evaluator, notes, ...}, which _header of
//                 core/files/page_data.py explains
//   simulations   the number of simulations of the root; moments are 0 to simulations
//   nodes         the number of nodes, numbered in the order in which the search first entered them; 0 is the root
//   at(n)         Moment after n simulations.  Moments stay valid; each computes when it is asked.  The tree goes to the
//                 moment asked: forwards as far as it is, backwards from a checkpoint, some milliseconds for 100,000
//                 simulations.
//   path(n)       the nodes of simulation n (1 to simulations), from the root to its leaf
//   simulation(n) {path, leaf, value, kind, created}: value for the side to move at the leaf; kind is "net", "rollout",
//                 "ended" or "proof": what valued the leaf; created: it added the leaf to the tree
//   first(i)      the first moment that has node i
//   parent(i), depth(i), move(i), label(i), moves(i)     parent -1, move -1 and label "" of the root; labels from the root
//   child(i, move)   the node to which a move leads from i; -1 when no simulation ever took it
//   toMove(i)     the player to move at node i, 0 or 1
//   board(i)      Uint8Array [rows * columns], row 0 on top: 0 empty, 1 the first player's, 2 the second's; null in
//                 games that are shown as words
//   text(i)       the position of node i as text, in games that are shown as words; "" where the file does not have it, which
//                 it has of the root and of the most visited nodes
//   changes(i)    [cell, ...] that the move to node i changed, the stone it put included
//
// Moment: every value is for the player who moves at the node's parent (the owner of the move), as in the program's
// tables; those of the root are for the player to move there.
//   n             its number of simulations
//   size          the number of nodes that the tree has
//   has(i)        whether node i exists
//   visits(i)     N of the move to node i; n of the root
//   backups(i)    n, the simulations in the mean: N and those begun there as root
//   value(i)      exact once proved, else the mean; NaN before the first simulation
//   mean(i)       the mean Q
//   proof(i)      "", "win", "draw" or "loss" for the owner of the value; distance(i): plies to the end, 0 not known
//   children(i)   the nodes tried from node i, most visits first; those with N = 0 are left out
//   rows(i)       every move known at node i as the program's table has it, most visits first: objects like node(), of
//                 which `node` is -1 when it is not tried yet.  Of moves that no simulation ever took the file has those
//                 of the root and of the most visited nodes, and elsewhere the one that is tried next.
//   hidden(i)     how many moves of node i are in no row
//   node(i)       {node, move, label, visits, backups, share, value, exact, w, prior, exploration, s, score, net, chosen,
//                 best, proof, distance, children, radius, lead}: value is Q, or what the rule assumes for a move not tried;
//                 exploration is the rule's own term U (infinite for a move not tried under ucb1); prior is NaN under a
//                 rule without; chosen: the next simulation takes it; best: it is the move to play; net: the net's value
//   terms(i)      {total, c, unvisited, logTotal, deviation, scale, logMass, due}: what the scores of all moves of node i
//                 share, see core/search/rules/terms.py; due: the visits that a move needs under Gumbel's plan, or -1
//   formula(i)    the formula of the score of node i's moves
//   line(i)       the nodes of the principal variation below node i
//   search        its Search

const FORMAT = 1;
const PROOF_NAMES = ["", "win", "draw", "loss"];
const UNKNOWN_PLIES = DRAWN - 1;
const ARRAYS = {
  u8: [Uint8Array, 1],
  u16: [Uint16Array, 2],
  u32: [Uint32Array, 4],
  i16: [Int16Array, 2],
  i32: [Int32Array, 4],
  f32: [Float32Array, 4],
};

function fromBase64(text) {
  const binary = atob(text.trim()), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class DamagedRecord extends Error {
  constructor(what) {
    super(`the record is damaged: ${what}`);
  }
}

function check(right, what) {
  if (!right) throw new DamagedRecord(what);
}

function isWhole(value, low, high) {
  return Number.isInteger(value) && value >= low && value <= high;
}

// What the replay and the page rely on: with it no place is outside its column, and every way up ends at node 0.
function checkRecord(header, columns) {
  const {nodes: n, records, names, position, params, roots} = header, strings = [header.title, header.formula, header.planned];
  check(isWhole(n, 1, Infinity) && isWhole(records, 0, Infinity), "it has no nodes");
  check(Array.isArray(names) && [...names, ...strings, header.evaluator, header.game].every((text) => typeof text === "string"), "texts");
  for (const part of [position, params, header.texts]) check(part && typeof part === "object", "parts of its header");
  check([position.moves, header.words, header.notes, roots].every(Array.isArray), "lists of its header");
  check(isWhole(position.toMove, 0, 1) && isWhole(position.last, -1, names.length - 1), "its position");
  check(position.moves.every((move) => isWhole(move, 0, names.length - 1)), "its moves");
  check(header.words.every((pair) => Array.isArray(pair) && isWhole(pair[0], 0, n - 1) && typeof pair[1] === "string"), "words");
  check(header.notes.every((note) => note && isWhole(note.ply, 0, position.moves.length)
    && typeof note.name === "string" && typeof note.comment === "string"), "its notes");
  check(roots.length && roots.every((root, k) => Array.isArray(root)
    && isWhole(root[0], k ? roots[k - 1][0] : 0, records) && isWhole(root[1], -1, n - 1)), "its roots");
  check(isWhole(header.ownRoot, -1, n - 1), "its root");
  const lengths = {parent: n, action: n, prior: n, edges: n, more: n, leaf: records};
  for (const name of ["ends", "value", "threats", "priorSum", "changes"]) if (columns[name]) lengths[name] = n;
  if (columns.leads) lengths.leads = 2 * n;
  lengths[columns.steps ? "steps" : "leafValue"] = records;
  const sum = (counts) => counts.reduce((all, count) => all + count, 0);
  const {changes} = columns, cells = changes ? position.cells : [];
  lengths.moreAction = lengths.morePrior = columns.more ? sum(columns.more) : 0;
  if (changes) lengths.changeCell = lengths.changeStone = sum(changes.map((count) => Math.max(0, count - 1)));
  for (const name of Object.keys(lengths)) check(columns[name] && columns[name].length === lengths[name], name);
  check(Array.isArray(cells) && cells.every((stone) => isWhole(stone, 0, 2)), "its board");
  check(!changes || columns.changeCell.every((cell) => cell < cells.length), "cells");
  check(!changes || columns.changeStone.every((stone) => stone <= 2), "stones");
  for (const name of ["action", "moreAction"]) check(columns[name].every((move) => move < names.length), "moves");
  check(!columns.ends || columns.ends.every((proof) => proof <= 3), "endings");
  check(params.selection !== GUMBEL || columns.priorSum, "priorSum");
  check(isWhole(header.scheduled, 0, columns.schedule ? columns.schedule.length : 0) && columns.gumbel, "its plan");
  const kids = new Int32Array(n);
  for (let i = 1; i < n; i++) {
    check(columns.parent[i] >= 1 && columns.parent[i] <= i, "nodes");
    kids[i - columns.parent[i]]++;
  }
  check(kids.every((count, i) => count === 0 || count <= columns.edges[i]), "edges");
}

// The columns of the file by name.  Byte k of every value stands together, least first.
function readColumns(bytes, at, list) {
  const columns = {};
  for (const [name, kind, count] of list) {
    check(isWhole(count, 0, bytes.length) && at + count * ARRAYS[kind][1] <= bytes.length, `${name} is cut off`);
    const [Type, width] = ARRAYS[kind], raw = new Uint8Array(count * width);
    for (let k = 0; k < width; k++) {
      for (let i = 0, from = at + k * count; i < count; i++) raw[i * width + k] = bytes[from + i];
    }
    at += count * width;
    columns[name] = new Type(raw.buffer);
  }
  return columns;
}

// Places of consecutive runs: [0, c0, c0 + c1, ...].
function starts(counts) {
  const out = new Int32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) out[i + 1] = out[i] + counts[i];
  return out;
}

// Everything about the search that does not change with the moment.
function readRecord(header, columns) {
  checkRecord(header, columns);
  const n = header.nodes, parent = new Int32Array(n), place = new Int32Array(n), counts = new Int32Array(n);
  parent[0] = -1;
  for (let i = 1; i < n; i++) {
    parent[i] = i - columns.parent[i];
    place[i] = counts[parent[i]]++;
  }
  const kidStart = starts(counts), kids = new Int32Array(Math.max(0, n - 1));
  for (let i = 1; i < n; i++) kids[kidStart[parent[i]] + place[i]] = i;
  const records = header.records, leaf = new Int32Array(records), leafValue = new Float64Array(records);
  const threats = columns.threats || new Int16Array(n), ends = columns.ends || new Uint8Array(n);
  const finalEdges = columns.edges, finalValue = columns.value || new Float32Array(n).fill(NaN);
  if (header.lazy) {
    for (let i = 0; i < n; i++) if (finalEdges[i] === TERMINAL) finalValue[i] = -exactValue(ends[i]);
  }
  let next = 0;
  for (let i = 0; i < records; i++) {
    const node = columns.leaf[i] + next;
    check(node >= 0 && node <= n, "simulations");
    leaf[i] = node < n ? node : -1;
    if (node < n) {
      next = Math.max(next, node + 1);
      const expected = finalValue[node];
      const steps = Number.isNaN(expected) ? 0 : Math.floor(expected * 2 ** 24 + 0.5);
      leafValue[i] = columns.steps ? (steps + columns.steps[i]) / 2 ** 24 : columns.leafValue[i];
    }
  }
  const tree = {
    params: header.params,
    kidStart,
    kids,
    prior: columns.prior,
    moreStart: starts(columns.more),
    moreAction: columns.moreAction,
    morePrior: columns.morePrior,
    priorSum: columns.priorSum || null,
    ownRoot: header.ownRoot,
    scheduled: header.scheduled,
    schedule: columns.schedule,
    gumbel: columns.gumbel,
  };
  return {
    nodes: n,
    records,
    parent,
    place,
    finalEdges,
    finalValue,
    threats,
    ends,
    leaf,
    leafValue,
    lazy: header.lazy,
    roots: header.roots,
    keepsSquares: header.squares,
    leads: columns.leads || null,
    action: columns.action,
    changeStart: columns.changes ? changeStarts(columns.changes) : null,
    plain: columns.changes || null,
    changeCell: columns.changeCell,
    changeStone: columns.changeStone,
    tree,
  };
}

// A node of 0 changes nothing but the cell of its move; otherwise its number of changes and 1.
function changeStarts(changes) {
  return starts(changes.map((count) => Math.max(0, count - 1)));
}

class Search {
  constructor(header, columns) {
    const record = readRecord(header, columns);
    this.header = header;
    this.columns = columns;
    this.record = record;
    this.nodes = record.nodes;
    this._replay = new Replay(record);
    const roots = record.roots, last = roots[roots.length - 1][0], earlier = [];
    for (let k = 0; k + 1 < roots.length; k++) {
      if (roots[k][1] > 0) continue;
      for (let i = roots[k][0]; i < roots[k + 1][0]; i++) if (record.leaf[i] >= 0) earlier.push(i);
    }
    this._earlier = earlier; // the records that passed this root before it became the root
    this._last = last;
    this.simulations = earlier.length + record.records - last;
    this._first = null;
    this._words = new Map(header.words);
  }

  // The number of records up to simulation n.
  _records(n) {
    const earlier = this._earlier;
    if (!(Number.isInteger(n) && n >= 0 && n <= this.simulations)) {
      throw new RangeError(`simulation ${n} is not there; there are 0 to ${this.simulations}`);
    }
    if (n >= earlier.length) return this._last + n - earlier.length;
    return n ? earlier[n - 1] + 1 : 0;
  }

  _record(n) {
    const earlier = this._earlier;
    return n <= earlier.length ? earlier[n - 1] : this._last + n - earlier.length - 1;
  }

  at(n) {
    this._records(n);
    return new Moment(this, n);
  }

  path(n) {
    this._records(n);
    if (n < 1) return [0];
    return this._line(this.record.leaf[this._record(n)]);
  }

  _line(node) {
    const path = [];
    for (; node >= 0; node = this.record.parent[node]) path.push(node);
    return path.reverse();
  }

  simulation(n) {
    const path = this.path(n), record = this._record(n), leaf = path[path.length - 1];
    const {finalEdges, threats, leafValue, lazy} = this.record;
    if (this._replay.reached <= record) this._replay.seek(record + 1);
    let kind = lazy ? "rollout" : "net";
    let root = -1;
    for (const [from, node] of this.record.roots) if (from <= record) root = node;
    if (finalEdges[leaf] === TERMINAL) kind = "ended";
    else if ((threats[leaf] !== 0 && leaf !== root) || this._replay.provedAt[leaf] <= record) kind = "proof";
    return {path, leaf, value: leafValue[record], kind, created: this._firsts()[leaf] === record};
  }

  // The record that first reached each node.
  _firsts() {
    if (!this._first) {
      const {leaf, parent, nodes} = this.record;
      this._first = new Int32Array(nodes).fill(-1);
      for (let i = 0; i < leaf.length; i++) {
        for (let node = leaf[i]; node >= 0 && this._first[node] < 0; node = parent[node]) this._first[node] = i;
      }
    }
    return this._first;
  }

  first(i) {
    const record = this._firsts()[i];
    if (record >= this._last) return this._earlier.length + record - this._last + 1;
    const place = this._earlier.findIndex((other) => other >= record);
    return place < 0 ? this._earlier.length : place + 1;
  }

  parent(i) {
    return this.record.parent[i];
  }

  depth(i) {
    return this._line(i).length - 1;
  }

  move(i) {
    return i > 0 ? this.record.action[i] : -1;
  }

  label(i) {
    return i > 0 ? this.header.names[this.record.action[i]] : "";
  }

  moves(i) {
    return this._line(i).slice(1).map((node) => this.label(node));
  }

  child(i, move) {
    const {tree, action} = this.record;
    for (let k = tree.kidStart[i]; k < tree.kidStart[i + 1]; k++) if (action[tree.kids[k]] === move) return tree.kids[k];
    return -1;
  }

  toMove(i) {
    return (this.header.position.toMove + this.depth(i)) % 2;
  }

  // [cell, stone, cell, stone, ...] of the move to node i, at the given depth.
  _changesOf(i, depth) {
    const {plain, changeStart, changeCell, changeStone, action} = this.record;
    if (!plain || i === 0) return [];
    if (plain[i] === 0) return [action[i], 1 + (this.header.position.toMove + depth + 1) % 2];
    const out = [];
    for (let k = changeStart[i]; k < changeStart[i + 1]; k++) out.push(changeCell[k], changeStone[k]);
    return out;
  }

  board(i) {
    if (!this.record.plain) return null;
    const cells = Uint8Array.from(this.header.position.cells);
    this._line(i).forEach((node, depth) => {
      const changes = this._changesOf(node, depth);
      for (let k = 0; k < changes.length; k += 2) cells[changes[k]] = changes[k + 1];
    });
    return cells;
  }

  text(i) {
    return this._words.get(i) || "";
  }

  changes(i) {
    return this._changesOf(i, this.depth(i)).filter((_, k) => k % 2 === 0);
  }
}

class Moment {
  constructor(search, n) {
    this.search = search;
    this.n = n;
    this._terms = new Map();
  }

  get _tree() {
    const replay = this.search._replay;
    replay.seek(this.search._records(this.n));
    return replay;
  }

  get size() {
    const T = this._tree;
    let size = 0;
    for (let i = 0; i < this.search.nodes; i++) size += i === 0 || backups(T, i) > 0 ? 1 : 0;
    return size;
  }

  has(i) {
    return i === 0 || (i > 0 && i < this.search.nodes && backups(this._tree, i) > 0);
  }

  visits(i) {
    return i > 0 ? this._tree.visits[i] : backups(this._tree, 0);
  }

  backups(i) {
    return backups(this._tree, i);
  }

  mean(i) {
    const T = this._tree, count = backups(T, i);
    return count ? (i > 0 ? T.total[i] : -T.total[i]) / count : NaN;
  }

  value(i) {
    const proof = this._proof(i);
    return proof ? exactValue(proof) : this.mean(i);
  }

  _proof(i) {
    const proof = this._tree.proof[i];
    return i > 0 ? proof : flipProof(proof);
  }

  proof(i) {
    return PROOF_NAMES[this._proof(i)];
  }

  distance(i) {
    const T = this._tree, plies = T.distance[i] + (i > 0 && T.proof[i] !== UNPROVED ? 1 : 0);
    return plies < UNKNOWN_PLIES ? plies : 0;
  }

  children(i) {
    const T = this._tree, out = [];
    for (let e = 0; e < T.kidCount[i]; e++) {
      const kid = kidOf(T, i, e);
      if (T.visits[kid] > 0) out.push(kid);
    }
    return out.sort((a, b) => T.visits[b] - T.visits[a] || a - b);
  }

  // What all moves of node i share: terms, the moves chosen next and to play, the sum of N.
  _shared(i) {
    if (!this._terms.has(i)) {
      const T = this._tree, any = T.edges[i] > 0;
      this._terms.set(i, {
        terms: any ? nodeTerms(T, i) : null,
        next: any ? nextEdge(T, i) : -1,
        best: any ? finalEdge(T, i) : -1,
        chosen: visitsBelow(T, i),
      });
    }
    return this._terms.get(i);
  }

  _row(i, edge) {
    const T = this._tree, {terms, next, best, chosen} = this._shared(i), record = this.search.record;
    const ever = T.kidStart[i + 1] - T.kidStart[i], kid = edge < ever ? kidOf(T, i, edge) : -1;
    const tried = edge < T.kidCount[i] && backups(T, kid) > 0, node = tried ? kid : -1;
    const action = kid >= 0 ? record.action[kid] : T.moreAction[T.moreStart[i] + edge - ever];
    const {s, u, score} = edgeTerms(T, i, edge, terms);
    const q = tried ? T.total[kid] / backups(T, kid) : terms.unvisited;
    const moment = this, bounded = tried && T.params.final === FINAL_LCB && T.visits[kid] > 0;
    return {
      node,
      move: action,
      label: this.search.header.names[action],
      visits: visitsOf(T, i, edge),
      backups: tried ? backups(T, kid) : 0,
      share: visitsOf(T, i, edge) / Math.max(1, chosen),
      value: Math.fround(q),
      exact: node > 0 && T.proof[node] !== UNPROVED ? exactValue(T.proof[node]) : Math.fround(q),
      w: tried ? T.total[kid] : NaN,
      prior: this.search.header.priors ? Math.fround(share(T, i, edge)) : NaN,
      exploration: Math.fround(u),
      s: Math.fround(s),
      score: Math.fround(score),
      net: tried ? -T.value[kid] : NaN,
      chosen: edge === next,
      best: edge === best,
      proof: tried ? this.proof(kid) : "",
      distance: tried ? this.distance(kid) : 0,
      get children() {
        return tried ? moment.children(kid) : [];
      },
      radius: bounded ? Math.fround(boundRadius(T, kid)) : NaN,
      lead: tried && T.leads ? Math.fround(T.leads[2 * kid] / backups(T, kid)) : NaN,
    };
  }

  node(i) {
    if (i > 0) return this._row(this.search.record.parent[i], this.search.record.place[i]);
    const T = this._tree, n = backups(T, 0), q = this.mean(0);
    return {
      node: 0,
      move: -1,
      label: "",
      visits: n,
      backups: n,
      share: 1,
      value: q,
      exact: this.value(0),
      w: n ? -T.total[0] : NaN,
      prior: NaN,
      exploration: NaN,
      s: NaN,
      score: NaN,
      net: T.value[0],
      chosen: true,
      best: true,
      proof: this.proof(0),
      distance: this.distance(0),
      children: this.children(0),
      radius: NaN,
      lead: T.leads && n ? -Math.fround(T.leads[0] / n) : NaN,
    };
  }

  // The number of moves of node i that the file knows at this moment.
  _known(i) {
    const T = this._tree;
    const known = T.kidStart[i + 1] - T.kidStart[i] + T.moreStart[i + 1] - T.moreStart[i];
    return Math.min(Math.max(0, T.edges[i]), known);
  }

  rows(i) {
    const T = this._tree, rows = [];
    for (let e = 0; e < this._known(i); e++) rows.push([this._row(i, e), priorBits(T, i, e)]);
    // As NodeView.rows of core/glass/snapshot.py, by the prior even under rules that do not use it.
    rows.sort(([a, p], [b, q]) => b.visits - a.visits || b.best - a.best || q - p || a.move - b.move);
    return rows.map(([row]) => row);
  }

  hidden(i) {
    return Math.max(0, this._tree.edges[i] - this._known(i));
  }

  terms(i) {
    const T = this._tree, {terms} = this._shared(i);
    if (!terms) return null;
    const planned = T.params.selection === GUMBEL && i === T.ownRoot && terms.total < T.scheduled;
    return {...terms, due: planned ? T.schedule[terms.total] : -1};
  }

  formula(i) {
    const terms = this.terms(i), {formula, planned} = this.search.header;
    return terms && terms.due >= 0 ? planned : formula;
  }

  line(i) {
    const T = this._tree, line = [];
    while (T.edges[i] > 0) {
      const edge = finalEdge(T, i);
      if (edge < 0 || edge >= T.kidCount[i]) break;
      i = kidOf(T, i, edge);
      line.push(i);
    }
    return line;
  }
}

// The header and the columns of a deflated record.
async function readFile(bytes) {
  try {
    const data = await inflate(bytes);
    const length = new DataView(data.buffer).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + length)));
    check(header.format === FORMAT, `its format ${header.format} is not ${FORMAT}`);
    return {header, columns: readColumns(data, 4 + length, header.columns)};
  } catch (error) {
    throw error instanceof DamagedRecord ? error : new DamagedRecord(error.message);
  }
}

async function openSearch(bytes) {
  const {header, columns} = await readFile(bytes);
  return new Search(header, columns);
}

// The search after a piece that core/files/page_pieces.py writes: its columns are those of `before` with values put in
// and added.
function continued(before, {header, columns: pieces}) {
  const columns = {};
  for (const [name, kept] of header.kept) {
    check(kept === 0 || kept <= (before.columns[name] || []).length, `a piece does not follow the one before: ${name}`);
    const added = pieces[name], column = new added.constructor(kept + added.length);
    if (kept) column.set(before.columns[name].subarray(0, kept));
    column.set(added, kept);
    pieces[`${name} at`].forEach((place, k) => { column[place] = pieces[`${name} to`][k]; });
    columns[name] = column;
  }
  return new Search(header, columns);
}
