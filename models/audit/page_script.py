"""The script of an audit's page: sorts and filters its list.  It reads only numbers and letters that the page wrote."""

from typing import Final

SCRIPT: Final = """
"use strict";
const list = document.getElementById("list"), body = list.tBodies[0], rows = [...body.rows];
const kind = document.getElementById("kind"), phase = document.getElementById("phase");
const least = document.getElementById("least"), count = document.getElementById("count");
function loss(row) {
  return Math.max(...Object.keys(row.dataset).filter(k => k.startsWith("loss")).map(k => +row.dataset[k]));
}
function filter() {
  const low = parseFloat(least.value.replace(",", "."));
  let shown = 0;
  for (const row of rows) {
    const fits = row.dataset.kind.includes(kind.value) && (phase.value === "" || row.dataset.phase === phase.value)
      && !(loss(row) < low);
    row.hidden = !fits;
    shown += fits;
  }
  count.textContent = shown + " shown";
}
function sort(head) {
  const up = head.getAttribute("aria-sort") === "descending", key = head.dataset.key;
  for (const one of list.tHead.rows[0].cells) one.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  rows.sort((a, b) => (up ? 1 : -1) * (a.dataset[key] - b.dataset[key]));
  body.append(...rows);
}
for (const head of list.tHead.rows[0].cells) {
  if (!head.dataset.key) continue;
  head.addEventListener("click", () => sort(head));
  head.addEventListener("keydown", event => { if (event.key === "Enter") sort(head); });
}
for (const one of [kind, phase, least]) one.addEventListener("input", filter);
filter();
"""
