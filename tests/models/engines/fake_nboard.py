"""A small NBoard engine for the tests, run as a program: it plays the moves of its arguments in turn, or misbehaves.

Kinds: plays, hangs, crashes, mute (answers no ping), rude (refuses to go), slow (thinks until a ping),
bare (ends with a word that has no end of line).
"""

import sys
import time


def main(kind: str, *moves: str) -> None:
    waiting, thinking = list(moves), False
    if kind == "bare":
        sys.stderr.write("no eval.dat")
        sys.exit(1)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "nboard":
            print("set myname fake 7", flush=True)
        elif words[0] == "ping" and kind != "mute":
            if thinking:
                print(f"=== {waiting.pop(0)}")
                thinking = False
            print("status ready", f"pong {words[1]}", sep="\n", flush=True)
        elif words[0] == "hint":
            print("status Analyzing", "search D6-c3-D3 +1.5 0 7", "search F6 -2 0 7", "book F4 0.5,-1 12 3", sep="\n")
            print("search Q9 1 0 1", "search", "status", sep="\n", flush=True)
        elif words[0] == "go":
            if kind == "crashes":
                sys.exit("out of luck")
            if kind == "hangs":
                time.sleep(600)
            if kind == "slow":
                thinking = True
                continue
            if kind == "rude":
                print("error no book", flush=True)
                continue
            print("status thinking", "nodestats 12 0.5", f"=== {waiting.pop(0)}/1.25/0.1", sep="\n", flush=True)
        elif words[0] == "quit":
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
