"""A small Gomocup engine for the tests, run as a program: it plays the first empty point or misbehaves.

Kinds: plays, cheats, hangs, crashes, odd (no protocol), small (boards up to 9), rude (refuses a turn), long (chatter
before its answers), yixin (analyses until it is stopped).
"""

import sys
import time


def main(kind: str) -> None:
    size, taken = 0, []
    lines = iter(sys.stdin)
    for line in lines:
        command, _, rest = line.strip().partition(" ")
        if command == "START":
            size = int(rest)
            print("hello" if kind == "odd" else "OK" if kind != "small" or size <= 9 else "ERROR too large", flush=True)
            continue
        if command == "RECTSTART":
            print("ERROR only squares", flush=True)
            continue
        if command == "ABOUT":
            print('name="fake", version="1"', flush=True)
            continue
        if command == "INFO":
            continue
        if command == "RESTART":
            taken = []
            print("OK", flush=True)
            continue
        if command == "END":
            return
        if command == "YXBOARD" and kind == "yixin":
            for stone in lines:
                if stone.strip() == "DONE":
                    break
            continue
        if command == "YXNBEST" and kind == "yixin":
            blocks = [
                ["PV 0", "NUMPV 2", "DEPTH 4", "NODES 70", "EVAL 12", "WINRATE 0.75", "BESTLINE 4,3 0,0", "PV DONE"],
                ["PV 1", "NUMPV 2", "DEPTH 4", "NODES 30", "EVAL -M3", "WINRATE 0.25", "BESTLINE 3,3 9,9", "PV DONE"],
                ["PV 0", "NUMPV 2", "DEPTH 5", "NODES 90", "EVAL 20", "WINRATE 0.8", "BESTLINE 3,3 4,4 1,1", "PV DONE"],
            ]
            print("\n".join(f"INFO {line}" for block in blocks for line in block), flush=True)
            continue
        if command == "YXSTOP" and kind == "yixin":
            print("MESSAGE stopped", "3,3", sep="\n", flush=True)
            continue
        if command == "TURN":
            if kind == "rude":
                print("ERROR not now", flush=True)
                continue
            taken.append(rest)
        elif command == "BOARD":
            for stone in lines:
                if stone.strip() == "DONE":
                    break
                taken.append(stone.strip().rpartition(",")[0])
        elif command != "BEGIN":
            print("UNKNOWN", flush=True)
            continue
        if kind == "crashes":
            sys.exit("out of luck")
        if kind == "hangs":
            time.sleep(600)
        if kind == "long":
            print("\n".join(["MESSAGE depth", "DEBUG x", "", "SUGGEST 1,1"] * 50))
        points = [f"{x},{y}" for y in range(size) for x in range(size)]
        move = next(point for point in points if (point in taken) == (kind == "cheats"))
        taken.append(move)
        print(move, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
