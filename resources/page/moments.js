"use strict";
// The tree after any of its simulations, recomputed from the records as core/glass/history.py does.
//
// Simulations are replayed forwards; an earlier moment is reached from the beginning, which takes a tenth of a second for
// a million of them.  Node 0 is the root that is shown; a root above or beside it is -1.

const DRAWN = 1 << 14;

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
    this.provedAt = new Int32Array(n);
    this.clear();
  }

  clear() {
    for (const name of ["visits", "begun", "total", "squares", "leads", "proof", "distance", "kidCount"]) {
      if (this[name]) this[name].fill(0);
    }
    this.edges.fill(UNEXPANDED);
    this.value.fill(NaN);
    this.provedAt.fill(0x7fffffff);
    this.at = 0;
  }

  // Go to the moment after the first `to` records.
  seek(to) {
    if (to < this.at) this.clear();
    if (to === this.at) return;
    const roots = this.record.roots, at = this.at;
    for (let i = 0; i < roots.length; i++) {
      const end = i + 1 < roots.length ? roots[i + 1][0] : Infinity;
      const first = Math.max(roots[i][0], at), last = Math.min(end, to);
      if (first < last) this.run(roots[i][1], first, last);
      if (i + 1 < roots.length && at < end && end <= to) this.moveRoot(roots[i][1], roots[i + 1][1], end);
    }
    this.at = to;
  }

  run(root, first, last) {
    const {leaf, leafValue, parent, finalEdges, threats, place, lazy, finalValue, ends} = this.record;
    const {visits, begun, total, squares, leads, proof, edges, kidCount, provedAt} = this;
    const proves = this.params.prove, nodeLead = this.record.leads;
    for (let i = first; i < last; i++) {
      const end = leaf[i];
      if (end < 0) continue; // beside the root that is shown
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
