"use strict";
// The arithmetic of the selection rules: core/search/selection.py and core/search/rules once more, on float64 as there.
//
// A tree T has arrays by node: visits N, begun, total W, squares, leads, proof, distance, value, edges (number of moves,
// below 0 as in core/search/tree.py), kidCount (moves tried); kids[kidStart[node] + e] is the node of move e.  Moves are
// in the order in which they are tried.  Priors are 16 bits, and 65535 means 1.

const UNEXPANDED = -1, TERMINAL = -3;
const PUCT = 0, UCB1 = 1, UCB1_TUNED = 2, FLAT = 3, GUMBEL = 4;
const FPU_REDUCTION = 0, FPU_LOSS = 1;
const FINAL_MEAN = 1, FINAL_LCB = 2;
const UNPROVED = 0, WIN = 1, PROVED_DRAW = 2, LOSS = 3;
const PRIOR_ONE = 65535;

// n: the simulations made through a node or begun there, of which Q is the mean.
function backups(T, node) {
  return T.visits[node] + T.begun[node];
}

function kidOf(T, node, edge) {
  return T.kids[T.kidStart[node] + edge];
}

// The prior of a move as 16 bits; NaN where the file does not have it.
function priorBits(T, node, edge) {
  const tried = T.kidStart[node + 1] - T.kidStart[node];
  if (edge < tried) return T.prior[kidOf(T, node, edge)];
  const at = T.moreStart[node] + edge - tried;
  return at < T.moreStart[node + 1] ? T.morePrior[at] : NaN;
}

function share(T, node, edge) {
  return priorBits(T, node, edge) / PRIOR_ONE;
}

function visitsOf(T, node, edge) {
  return edge < T.kidCount[node] ? T.visits[kidOf(T, node, edge)] : 0;
}

function mean(T, node, unvisited) {
  const count = backups(T, node);
  return count > 0 ? T.total[node] / count : unvisited;
}

function meanOf(T, node, edge, unvisited) {
  return edge < T.kidCount[node] ? mean(T, kidOf(T, node, edge), unvisited) : unvisited;
}

function visitsBelow(T, node) {
  let total = 0;
  for (let e = 0; e < T.kidCount[node]; e++) total += T.visits[kidOf(T, node, e)];
  return total;
}

function valueOfNode(T, node) {
  const count = backups(T, node);
  return count > 0 ? -T.total[node] / count : 0;
}

// The variance of a node's values; 0 where squares are not kept or nothing was seen.
function spread(T, node) {
  const count = backups(T, node);
  if (!T.squares || count === 0) return 0;
  const middle = T.total[node] / count;
  return Math.max(0, T.squares[node] / count - middle * middle);
}

function constant(p, total) {
  return p.c_base <= 0 ? p.c : p.c_log * Math.log((1 + total + p.c_base) / p.c_base) + p.c;
}

function termsOf(total, c, unvisited) {
  return {total, c, unvisited, unvisitedS: 0, logTotal: NaN, deviation: NaN, scale: NaN, logMass: NaN};
}

function scoreUtility(T, node, p) {
  const count = backups(T, node);
  if (p.score_utility === 0 || !T.leads || count === 0) return 0;
  return p.score_utility * (Math.atan(T.leads[2 * node] / count / p.score_scale) * (2 / Math.PI));
}

function puctTerms(T, node) {
  const p = T.params, tried = T.kidCount[node];
  const total = visitsBelow(T, node);
  let mass = 0;
  if ((p.fpu === FPU_REDUCTION || p.extended) && tried < T.edges[node]) {
    for (let e = 0; e < tried; e++) if (T.visits[kidOf(T, node, e)] > 0) mass += share(T, node, e);
  }
  const value = valueOfNode(T, node), terms = termsOf(total, constant(p, total), 0);
  let rule = p.fpu, reduction = p.fpu_reduction;
  if (p.extended && node === T.ownRoot) {
    rule = p.root_fpu;
    reduction = p.root_fpu_reduction;
  }
  if (p.extended && p.c_spread > 0 && T.squares) {
    const count = Math.max(1, backups(T, node));
    terms.deviation = expectedDeviation(count, value, T.squares[node] / count);
    terms.c *= 1 + p.c_spread * (terms.deviation / 0.4 - 1);
  }
  if (rule === FPU_REDUCTION) {
    terms.unvisited = value - reduction * Math.sqrt(mass);
    if (p.extended) terms.unvisitedS = -scoreUtility(T, node, p);
  } else if (rule === FPU_LOSS) {
    terms.unvisited = -1;
    if (p.extended) terms.unvisitedS = T.leads ? -p.score_utility : 0;
  }
  return terms;
}

function expectedDeviation(count, middle, square) {
  if (count <= 1) return 0.4;
  const squared = middle * middle;
  const expected = (squared + 0.4 * 0.4) * 2 + Math.max(square, squared) * count;
  return Math.sqrt(Math.max(0, expected / (2 + count - 1) - squared));
}

function gumbelTerms(T, node) {
  const p = T.params, tried = T.kidCount[node];
  let total = 0, most = 0, mass = 0, massQ = 0, best = -1, rest = T.priorSum[node];
  for (let e = 0; e < tried; e++) {
    const kid = kidOf(T, node, e), visits = T.visits[kid], q = mean(T, kid, -1);
    total += visits;
    most = Math.max(most, visits);
    best = Math.max(best, q);
    rest -= T.prior[kid];
    if (visits > 0) {
      const prior = T.prior[kid] / PRIOR_ONE;
      mass += prior;
      massQ += prior * q;
    }
  }
  const own = T.value[node], value = Number.isFinite(own) ? own : valueOfNode(T, node);
  const mixed = mass <= 0 ? value : (value + total * massQ / mass) / (1 + total);
  const scale = 0.5 * (p.c + most) * p.c_scale;
  const top = scale * Math.max(mixed, best);
  let norm = rest / PRIOR_ONE * Math.exp(scale * mixed - top);
  for (let e = 0; e < tried; e++) {
    const kid = kidOf(T, node, e);
    norm += T.prior[kid] / PRIOR_ONE * Math.exp(scale * mean(T, kid, mixed) - top);
  }
  return {...termsOf(total, NaN, mixed), scale, logMass: top + Math.log(Math.max(norm, 1e-300))};
}

// What the scores of all moves of a node share.
function nodeTerms(T, node) {
  const rule = T.params.selection;
  if (rule === PUCT) return puctTerms(T, node);
  if (rule === GUMBEL) return gumbelTerms(T, node);
  const total = visitsBelow(T, node);
  if (rule === FLAT) return termsOf(total, NaN, NaN);
  return {...termsOf(total, constant(T.params, total), NaN), logTotal: total > 0 ? Math.log(total) : 0};
}

// Q, S, U and the score of one move; `terms` are those of `node`.
function edgeTerms(T, node, edge, terms) {
  const p = T.params, visits = visitsOf(T, node, edge);
  if (p.selection === PUCT) {
    const q = meanOf(T, node, edge, terms.unvisited);
    const u = terms.c * share(T, node, edge) * Math.sqrt(terms.total) / (1 + visits);
    if (!p.extended) return {q, s: 0, u, score: q + u};
    let s = terms.unvisitedS;
    if (edge < T.kidCount[node]) {
      const kid = kidOf(T, node, edge);
      if (backups(T, kid) > 0) s = scoreUtility(T, kid, p);
    }
    return {q, s, u, score: q + s + u};
  }
  if (p.selection === GUMBEL) {
    const q = meanOf(T, node, edge, terms.unvisited);
    const logit = Math.log(share(T, node, edge));
    const u = Math.exp(Math.min(0, logit + terms.scale * q - terms.logMass));
    if (node === T.ownRoot && terms.total < T.scheduled) {
      const due = visits === T.schedule[terms.total];
      return {q, s: 0, u, score: due ? T.gumbel[edge] + logit + terms.scale * q : -Infinity};
    }
    return {q, s: 0, u, score: u - visits / (1 + terms.total)};
  }
  const q = meanOf(T, node, edge, visits > 0 ? -1 : NaN);
  if (p.selection === FLAT) return {q, s: 0, u: -visits, score: -visits};
  let u = Infinity;
  if (visits > 0 && p.selection === UCB1) u = 2 * (terms.c * Math.sqrt(terms.logTotal / visits));
  if (visits > 0 && p.selection === UCB1_TUNED) {
    const kid = kidOf(T, node, edge), part = terms.logTotal / visits;
    const variance = edge < T.kidCount[node] ? spread(T, kid) / 4 : 0;
    u = 2 * (terms.c * Math.sqrt(part * Math.min(0.25, variance + Math.sqrt(2 * part))));
  }
  return {q, s: 0, u, score: visits > 0 ? q + u : u};
}

function mayEnter(T, node, edge) {
  return !T.params.prove || edge >= T.kidCount[node] || T.proof[kidOf(T, node, edge)] !== LOSS;
}

// The move that the next simulation through `node` enters; -1 when none does.
function nextEdge(T, node) {
  const p = T.params, tried = T.kidCount[node], edges = T.edges[node];
  if (edges <= 0 || (p.prove && T.proof[node] !== UNPROVED)) return -1;
  if (tried === 0 || (p.root_first && node === T.ownRoot && tried < edges)) return tried;
  const terms = nodeTerms(T, node), most = Math.min(tried + 1, edges);
  let best = -1, bestScore = -Infinity;
  for (let e = 0; e < most; e++) {
    if (!mayEnter(T, node, e)) continue;
    const score = edgeTerms(T, node, e, terms).score;
    if (score > bestScore) {
      best = e;
      bestScore = score;
    }
  }
  if (best >= 0 || p.selection === UCB1 || (p.selection === PUCT && !p.extended)) return best;
  for (let e = 0; e < most; e++) {
    const first = best < 0 || (e < tried && visitsOf(T, node, e) > visitsOf(T, node, best));
    if (mayEnter(T, node, e) && first) best = e;
  }
  return best;
}

// How far the lower bound of a node's mean lies below it.
function boundRadius(T, node) {
  const visits = T.visits[node];
  return T.params.lcb_z * Math.sqrt((spread(T, node) + 1 / visits) / visits);
}

function rank(T, node, edge, most) {
  const p = T.params, kid = kidOf(T, node, edge), visits = T.visits[kid];
  if (visits === 0) return [-Infinity, 0];
  const value = T.total[kid] / backups(T, kid);
  if (p.final === FINAL_MEAN) return [value, visits];
  if (p.final === FINAL_LCB) {
    if (visits < p.lcb_share * most) return [-2 - p.lcb_z, visits];
    return [value - boundRadius(T, kid), visits];
  }
  if (p.selection === GUMBEL && node === T.ownRoot && T.scheduled > 0) {
    const scale = 0.5 * (p.c + most) * p.c_scale;
    return [visits, T.gumbel[edge] + Math.log(share(T, node, edge)) + scale * value];
  }
  return [visits, value];
}

// The move to play at `node`; -1 without moves.
function finalEdge(T, node) {
  const tried = T.kidCount[node];
  let most = 0, best = -1, drawn = -1;
  for (let e = 0; e < tried; e++) most = Math.max(most, visitsOf(T, node, e));
  for (let e = 0; e < tried; e++) {
    const kid = kidOf(T, node, e), proof = T.proof[kid];
    if (proof === PROVED_DRAW && (drawn < 0 || T.visits[kid] > visitsOf(T, node, drawn))) drawn = e;
    if (best < 0) {
      best = e;
      continue;
    }
    const other = kidOf(T, node, best), otherProof = T.proof[other];
    if (proof === WIN || otherProof === WIN) {
      if (proof === WIN && (otherProof !== WIN || T.distance[kid] < T.distance[other])) best = e;
    } else if (proof === LOSS || otherProof === LOSS) {
      if (otherProof === LOSS && (proof !== LOSS || T.distance[kid] > T.distance[other])) best = e;
    } else {
      const [first, second] = rank(T, node, e, most), [bestFirst, bestSecond] = rank(T, node, best, most);
      if (first > bestFirst || (first === bestFirst && second > bestSecond)) best = e;
    }
  }
  if (best < 0) return T.edges[node] > 0 ? 0 : -1;
  const kid = kidOf(T, node, best);
  if (drawn >= 0 && T.proof[kid] !== WIN && T.total[kid] < 0) best = drawn;
  if (T.proof[kidOf(T, node, best)] === LOSS && tried < T.edges[node]) best = tried;
  return best;
}
