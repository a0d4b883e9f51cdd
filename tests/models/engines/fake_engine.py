"""A small GTP engine for the tests, run as a program: it plays the first empty point or misbehaves.

Kinds: plays, passes (and counts oddly), resigns, cheats, hangs, crashes, chatters, long (an endless line), odd (no
GTP), poor (no genmove), deaf (ignores the end of its input), child (starts another program), analyses, edax (a space
before the number of an answer), talks (on standard error).
"""

import subprocess
import sys
import time

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def main(kind: str) -> None:
    size, played = 3, []
    if kind == "child":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    if kind == "talks":
        print("Error: no book", file=sys.stderr, flush=True)
    for line in sys.stdin:
        number, command, *words = line.split()
        answer = "="
        text = ""
        if command == "name":
            text = "fake"
        elif command == "list_commands":
            names = ["name", "list_commands", "boardsize", "clear_board", "play", "undo", "quit", "komi"]
            names += ["kata-analyze", "protocol_version"] if kind == "analyses" else []
            names += ["final_score"] if kind == "passes" else []
            text = "\n".join(names + ([] if kind == "poor" else ["genmove"]))
        elif command == "final_score":
            text = "W+99.5"
        elif command == "kata-analyze":
            rows = "info move A1 visits 3 winrate 0.25 order 1 pv A1 info move C3 visits 9 winrate 0.75 scoreLead 2.5 "
            rows += "prior 0.5 order 0 pv C3 B1 pvVisits 9 4 rootInfo visits 12 ownership 0.5 -1"
            print(f"={number}", rows, "info move Z9 visits 1 pv Z9", sep="\n", flush=True)
            continue
        elif command == "protocol_version":
            print(flush=True)
            text = "2"
        elif command == "boardsize":
            size = int(words[0])
            answer, text = ("?", "unacceptable size") if size > 5 else ("=", "")
        elif command == "komi":
            pass
        elif command == "clear_board":
            played = []
        elif command == "play":
            played.append(words[1])
        elif command == "undo":
            played.pop()
        elif command == "showboard":
            text = " ".join(played)
        elif command == "quit":
            if kind == "deaf":
                continue
            print(f"={number}\n\n", end="", flush=True)
            return
        elif command == "genmove":
            if kind == "crashes":
                sys.exit("out of luck")
            if kind == "hangs":
                time.sleep(600)
            if kind == "chatters":
                while True:
                    print("so much to say", flush=False)
            if kind == "long":
                while True:
                    print("x" * 65536, end="")
            if kind == "odd":
                print("my move is A1\n", flush=True)
                continue
            points = [f"{LETTERS[c]}{r + 1}" for r in range(size) for c in range(size)]
            text = next(point for point in points if (point in played) == (kind == "cheats"))
            text = {"resigns": "resign", "passes": "pass"}.get(kind, text)
            if text != "resign":
                played.append(text)
        else:
            answer, text = "?", "unknown command"
        number = f" {number}" if kind == "edax" else number
        print(f"{answer}{number} {text}\n\n", end="", flush=True)
    while kind == "deaf":
        time.sleep(1)


if __name__ == "__main__":
    main(sys.argv[1])
