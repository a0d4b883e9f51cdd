"""The picture of the page of a search, in a browser; ``measure/pictures.py`` runs it with the options of a window."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LONGEST_S: Final = 300.0  # for the browser


def main() -> int:
    """Search, write the page, and take its picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("place", help="what the page shows, as in the part of its address after #")
    for name in ("game", "moves", "limit", "size", "theme", "language"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--screenshot", type=Path, required=True)
    args = parser.parse_args()
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        print(f"the picture of a page needs one of {', '.join(BROWSERS)}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "search.html"
        search = ("tree", args.game, args.moves, "--simulations", args.limit, "--out", str(page))
        subprocess.run([sys.executable, "-m", "gui.app", *search], check=True)
        options = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=5000")
        address = f"{page.as_uri()}#{args.place}&language={args.language}&theme={args.theme}"
        files = (f"--user-data-dir={folder}/browser", f"--screenshot={args.screenshot}")
        size = f"--window-size={args.size.replace('x', ',')}"
        command = [browser, *options, *files, size, address]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    if done.returncode or not args.screenshot.exists():
        print(done.stderr.strip(), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
