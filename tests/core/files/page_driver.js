"use strict";
// Answers questions about a search by the scripts of its page; used in Node and in a browser.

// A number as a text that JSON keeps: NaN and infinities too.
function kept(value) {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

function keptRow(row) {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, kept(value)]));
}

function onceHas(search, node, n) {
  return n >= 0 && search.at(n).has(node);
}

// questions: [[simulation, [move, ...]], ...]; returns an answer for each, after the pieces of a search that went on.
async function answers(bytes, questions, pieces = []) {
  let search = await openSearch(bytes);
  for (const piece of pieces) search = continued(search, await readFile(piece));
  const out = questions.map(([n, moves]) => {
    const moment = search.at(n);
    let node = 0;
    for (const move of moves) node = node < 0 ? -1 : search.child(node, move);
    const one = n > 0 ? search.simulation(n) : null;
    const done = one && {...one, path: one.path.slice(1).map((i) => search.move(i))};
    if (node < 0 || !moment.has(node)) return {missing: true, done};
    const cells = search.board(node);
    return {
      node: keptRow(moment.node(node)),
      rows: moment.rows(node).map(keptRow),
      hidden: moment.hidden(node),
      terms: keptRow(moment.terms(node) || {}),
      line: moment.line(node).map((i) => search.move(i)),
      cells: cells && Array.from(cells),
      text: search.text(node),
      formula: moment.formula(node),
      toMove: search.toMove(node),
      done,
      first: node > 0 ? [-1, 0].map((before) => onceHas(search, node, search.first(node) + before)) : [false, true],
    };
  });
  return {simulations: search.simulations, nodes: search.nodes, header: search.header, answers: out};
}
