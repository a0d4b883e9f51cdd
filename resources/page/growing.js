// The page of a search that goes on.

async function followSearch(page) {
  await followPieces(
    () => page.search.header.version,
    async bytes => page.replace(continued(page.search, await readFile(bytes))),
    ended => (ended ? sayLive("live_done") : sayLive("live_on")),
  );
}

opened.then(page => page && followSearch(page));
