"use strict";
// Opens damaged records and asks all that a page asks of a search at once; used in Node.

// What each of the records says: "" where it opened, else its error; what came after it had opened is thrown.
async function openedOrNot(records) {
  const out = [];
  for (const bytes of records) {
    let search;
    try {
      search = await openSearch(bytes);
    } catch (error) {
      out.push(`${error.name === "Error" ? "" : error.name + " "}${error.message}`);
      continue;
    }
    for (const n of new Set([search.simulations, 0, search.simulations >> 1, search.simulations])) {
      const moment = search.at(n);
      for (const node of [0, ...moment.children(0), search.nodes - 1]) {
        if (!moment.has(node)) continue;
        moment.rows(node);
        moment.formula(node);
        moment.line(node);
        moment.hidden(node);
        search.board(node);
        search.moves(node);
        search.first(node);
      }
      if (n) search.simulation(n);
    }
    out.push("");
  }
  return out;
}
