"""A small engine in the manner of KataGo's analysis engine for the tests, run as a program.

Kinds: plays (answers at once), thinks (reports, and ends when told), mute, rude (refuses queries), crashes, gtp
(another protocol), empty (names no move), odd (figures of other types, moves that are none).
"""

import json
import sys
from typing import Any


def say(**values: Any) -> None:
    print(json.dumps(values), flush=True)


def infos(kind: str) -> list[Any]:
    if kind == "empty":
        return []
    if kind == "odd":
        odd = {"move": "E5", "visits": "many", "winrate": 7, "prior": None, "order": [], "pv": [1, "A1"]}
        return [3, {"move": 5}, {"move": "Z99"}, {"order": 2}, odd]
    second = {"move": "C3", "visits": 2, "winrate": 0.4, "scoreLead": -1.0, "prior": 0.1, "order": 1, "pv": ["C3"]}
    best = {"move": "D4", "visits": 9, "winrate": 0.75, "scoreLead": 2.5, "prior": 0.5, "order": 0}
    return [second, {**best, "pv": ["D4", "pass", "D4", "A1"]}]


def main(kind: str) -> None:
    if kind == "mute":
        sys.stdin.read()
    print("loading", file=sys.stderr, flush=True)
    for line in sys.stdin:
        if kind == "gtp":
            print("? unknown command\n", flush=True)
            continue
        query = json.loads(line)
        name, action = query["id"], query.get("action")
        if action == "query_version":
            say(id=name, action=action, version="1.0")
        elif action == "terminate":
            say(**query)
            say(id=query["terminateId"], turnNumber=0, isDuringSearch=False, moveInfos=infos(kind))
        elif action is None:
            if kind == "crashes":
                sys.exit("out of luck")
            if kind == "rude":
                say(id=name, field="rules", error="Could not parse rules")
                continue
            say(id=name, field="x", warning="Unexpected or unused field")
            say(id="old", turnNumber=0, isDuringSearch=False, moveInfos=[])
            say(id=name, turnNumber=0, isDuringSearch=kind == "thinks", moveInfos=infos(kind))


if __name__ == "__main__":
    main(sys.argv[1])
