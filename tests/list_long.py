"""Lists the test functions that take 0.4 seconds or more, for tests/amount.py.

On a quiet machine: ``make test-all ARGS=--junitxml=build/tests.xml``, then
``python tests/list_long.py build/tests.xml``.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

LONG_S = 0.4
LIST = Path(__file__).with_name("long_tests.txt")


def main(report: str) -> None:
    """Write the list, by the mean time of a function's cases in ``report``, as pytest writes it for JUnit."""
    seconds: dict[str, list[float]] = defaultdict(list)
    for case in ElementTree.parse(report).iter("testcase"):
        name, classes = case.attrib["name"].split("[")[0], case.attrib["classname"].split(".")
        while not (file := Path(*classes).with_suffix(".py")).exists():
            name = f"{classes.pop()}::{name}"
        seconds[f"{file}::{name}"].append(float(case.attrib["time"]))
    LIST.write_text("\n".join(sorted(name for name, all_of in seconds.items() if sum(all_of) / len(all_of) >= LONG_S)))


if __name__ == "__main__":
    main(sys.argv[1])
