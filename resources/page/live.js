// Asks the server that the page came from for what the search did since, and shows it.

const AGAIN_MS = 2000; // after an answer that did not come
const LEAST_MS = 250; // between two pieces
const RESTS = 3; // times as long as reading and showing the last piece took

const pause = ms => new Promise(done => setTimeout(done, ms));

/** Says what has become of the search; the language can change meanwhile. */
function sayLive(key) {
  const line = find("live");
  line.hidden = false;
  line.dataset.text = key;
  line.textContent = say(key);
}

/** The next piece after a version; null while there is none, empty once there is none any more. */
async function nextPiece(version) {
  const answer = await fetch(`newer?after=${version}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.status === 204 ? null : new Uint8Array(await answer.arrayBuffer());
}

async function followSearch(page) {
  for (;;) {
    let bytes;
    try {
      bytes = await nextPiece(page.search.header.version);
    } catch {
      sayLive("live_lost");
      await pause(AGAIN_MS);
      continue;
    }
    if (bytes && !bytes.length) sayLive("live_done");
    else sayLive("live_on");
    if (!bytes) continue;
    if (!bytes.length) return;
    const begun = performance.now();
    page.replace(continued(page.search, await readFile(bytes)));
    await pause(Math.max(LEAST_MS, RESTS * (performance.now() - begun)));
  }
}

opened.then(page => page && followSearch(page));
