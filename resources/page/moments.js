"use strict";
// The tree after any of its simulations, recomputed from the records as core/glass/history.py does.
//
// Simulations are replayed forwards; an earlier moment is reached from the last checkpoint before it.  Node 0 is the root
// that is shown; a root above or beside it is -1.

const DRAWN = 1 << 14;
const NOT_PROVED = 0x7fffffff;
const CHECKPOINTS = 16;
const CHECKPOINT_BYTES = 48 << 20; // of all of them
const LEAST_GAP = 256; // records between two checkpoints
const FIGURES = ["visits", "begun", "total", "squares", "leads", "proof", "distance", "edges", "kidCount", "value"];

function flipProof(proof) {
  return (4 - proof) & 3;
}

function exactValue(proof) {
  return 2 - proof;
}

class Replay {
  // `record` is what readRecord of data.js returns.
  constructor(record) {
    Object.assign(this, record.tree);
    this.record = record;
    const n = record.nodes;
    this.visits = new Int32Array(n);
    this.begun = new Int32Array(n);
    this.total = new Float64Array(n);
    this.squares = record.keepsSquares ? new Float64Array(n) : null;
    this.leads = record.leads ? new Float64Array(2 * n) : null;
    this.proof = new Uint8Array(n);
    this.distance = new Int32Array(n);
    this.edges = new Int32Array(n);
    this.kidCount = new Int32Array(n);
    this.value = new Float32Array(n);
    this.figures = FIGURES.filter((name) => this[name]);
    this.provedAt = new Int32Array(n).fill(NOT_PROVED); // the record that proved a node, of those replayed so far
    this.reached = 0; // records replayed so far
    this.at = 0; // records that the figures include
    const bytes = this.figures.reduce((sum, name) => sum + this[name].byteLength, 0);
    const most = Math.max(1, Math.min(CHECKPOINTS, Math.floor(CHECKPOINT_BYTES / bytes)));
    this.gap = Math.max(LEAST_GAP, Math.ceil(record.records / (most + 1)));
    this.checkpoints = new Map(); // records -> the figures of the nodes that existed then
    this.size = 1; // nodes that exist
    this.clear();
  }

  clear() {
    for (const name of this.figures) this[name].fill(0);
    this.edges.fill(UNEXPANDED);
    this.value.fill(NaN);
    this.at = 0;
    this.size = 1;
  }

  // Go to the moment after the first `to` records.
  seek(to) {
    const near = this.gap * Math.floor(to / this.gap);
    if (to < this.at || (near > this.at && this.checkpoints.has(near))) this.restore(near);
    while (this.at < to) {
      this.forward(Math.min(to, this.at + this.gap - (this.at % this.gap)));
      if (this.at % this.gap === 0 && !this.checkpoints.has(this.at)) this.keep();
    }
  }

  keep() {
    const {size} = this;
    this.checkpoints.set(this.at, {size, kept: this.figures.map((name) => this[name].slice(0, this.width(name) * size))});
  }

  restore(at) {
    this.clear();
    const checkpoint = this.checkpoints.get(at);
    if (!checkpoint) return;
    this.figures.forEach((name, i) => this[name].set(checkpoint.kept[i]));
    this.at = at;
    this.size = checkpoint.size;
  }

  width(name) {
    return name === "leads" ? 2 : 1;
  }

  forward(to) {
    const roots = this.record.roots, at = this.at;
    for (let i = 0; i < roots.length; i++) {
      const end = i + 1 < roots.length ? roots[i + 1][0] : Infinity;
      const first = Math.max(roots[i][0], at), last = Math.min(end, to);
      if (first < last) this.run(roots[i][1], first, last);
      if (i + 1 < roots.length && at < end && end <= to) this.moveRoot(roots[i][1], roots[i + 1][1], end);
    }
    this.at = to;
    this.reached = Math.max(this.reached, to);
  }

  run(root, first, last) {
    const {leaf, leafValue, parent, finalEdges, threats, place, lazy, finalValue, ends} = this.record;
    const {visits, begun, total, squares, leads, proof, edges, kidCount, provedAt} = this;
    const proves = this.params.prove, nodeLead = this.record.leads;
    for (let i = first; i < last; i++) {
      const end = leaf[i];
      if (end < 0) continue; // beside the root that is shown
      if (end >= this.size) this.size = end + 1;
      const ended = finalEdges[end] === TERMINAL, byThreats = end !== root && threats[end] !== 0;
      if (ended) {
        proof[end] = ends[end];
        this.distance[end] = 0;
      }
      if (byThreats) this.settle(end);
      for (let node = end; node !== root && parent[node] >= 0; node = parent[node]) {
        const above = parent[node];
        if (kidCount[above] > place[node]) break;
        kidCount[above] = place[node] + 1;
        edges[above] = finalEdges[above];
      }
      if (!byThreats && (!lazy || ended)) {
        edges[end] = finalEdges[end];
        this.value[end] = finalValue[end];
      }
      if (proves) this.prove(end, root);
      let v = leafValue[i], lead = nodeLead ? nodeLead[2 * end] : 0;
      for (let node = end; ; node = parent[node]) {
        v = -v;
        lead = -lead;
        if (proves && proof[node] !== UNPROVED) v = exactValue(proof[node]);
        if (node === root) begun[node]++;
        else visits[node]++;
        total[node] += v;
        if (squares) squares[node] += v * v;
        if (leads) {
          leads[2 * node] += lead;
          leads[2 * node + 1] += nodeLead[2 * end + 1];
        }
        if (node === root || parent[node] < 0) break;
      }
      for (let node = end; proof[node] !== UNPROVED; node = parent[node]) {
        if (node === root || threats[node] === 0) provedAt[node] = Math.min(provedAt[node], i);
        if (node === root || parent[node] < 0) break;
      }
    }
  }

  // Mark a node as its threats or its exact ending prove it.
  settle(node) {
    const threat = this.record.threats[node], plies = Math.abs(threat);
    this.proof[node] = threat >= DRAWN ? PROVED_DRAW : threat > 0 ? LOSS : WIN;
    this.distance[node] = plies & (DRAWN - 1);
    if (this.edges[node] === UNEXPANDED) this.value[node] = -exactValue(this.proof[node]);
  }

  // The proof of a node by its moves, for the side that moves into it, and the plies to the end.
  verdict(node) {
    const tried = this.kidCount[node];
    let best = LOSS, plies = 0, open = tried < this.edges[node] || this.edges[node] <= 0;
    for (let e = 0; e < tried; e++) {
      const kid = kidOf(this, node, e), proof = this.proof[kid], distance = this.distance[kid];
      if (proof === UNPROVED) open = true;
      else if (proof < best || (best === WIN && proof === WIN && distance < plies)) {
        best = proof;
        plies = distance;
      } else if (proof === best && proof !== WIN) plies = Math.max(plies, distance);
    }
    return open && best !== WIN ? [UNPROVED, 0] : [flipProof(best), plies + 1];
  }

  // Propagate the proof of `node` towards `root`.
  prove(node, root) {
    const parent = this.record.parent;
    while (node !== root && parent[node] >= 0) {
      const above = parent[node];
      if (this.proof[node] === UNPROVED || this.proof[above] !== UNPROVED) return;
      const [proof, distance] = this.verdict(above);
      if (proof === UNPROVED) return;
      this.proof[above] = proof;
      this.distance[above] = distance;
      node = above;
    }
  }

  // The root of the search moves from node `from` to node `to` before record `at`.
  moveRoot(from, to, at) {
    const {parent, threats} = this.record, above = [];
    for (let node = from, other = to; node > 0 && node !== other; ) {
      if (node > other) {
        node = parent[node];
        above.push(node);
      } else other = parent[other];
    }
    if (from >= 0 && threats[from] !== 0) this.settle(from);
    if (this.params.prove && above.length) {
      const open = above.filter((node) => this.proof[node] === UNPROVED);
      this.prove(from, above[above.length - 1]);
      for (const node of open) if (this.proof[node] !== UNPROVED) this.provedAt[node] = at - 1;
    }
    if (to >= 0 && threats[to] !== 0) {
      [this.proof[to], this.distance[to]] = this.verdict(to);
      if (this.edges[to] === UNEXPANDED) this.value[to] = NaN;
    }
  }
}
