// Asks the server that the page came from for what is new, again and again.

const AGAIN_MS = 2000; // after an answer that did not come
const LEAST_MS = 250; // between two pieces
const RESTS = 3; // times as long as reading and showing the last piece took

const rest = ms => new Promise(done => setTimeout(done, ms));

/** Says what has become of what is watched, so that a change of the language finds it. */
function sayLive(key, values = {}) {
  const line = find("live");
  line.hidden = false;
  line.dataset.text = key;
  line.textContent = say(key, values);
}

/** The next piece after a version; null while there is none, empty once there is none any more. */
async function nextPiece(version) {
  const answer = await fetch(`newer?after=${version}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.status === 204 ? null : new Uint8Array(await answer.arrayBuffer());
}

/** Gives each piece after `version()` to `take`; `tell(ended)` is called before. */
async function followPieces(version, take, tell = () => {}) {
  for (;;) {
    let bytes;
    try {
      bytes = await nextPiece(version());
    } catch {
      sayLive("live_lost");
      await rest(AGAIN_MS);
      continue;
    }
    const ended = bytes !== null && !bytes.length;
    tell(ended);
    if (ended) return;
    if (!bytes) continue;
    const begun = performance.now();
    try {
      await take(bytes);
    } catch (error) {
      sayLive("broken", { error: error.message });
      throw error;
    }
    await rest(Math.max(LEAST_MS, RESTS * (performance.now() - begun)));
  }
}
