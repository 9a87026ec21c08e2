#!/usr/bin/env python3
"""Runs the rows of the conformance set that Heddle claims to get right, through the set's own run.py.

    tests/run_conformance.py --tool build/release/heddle [--set FOLDER] [--all] [--large] [--options OPTIONS] [--every N]

tests/conformance_skip.txt lists what is not claimed yet, a regular expression over row ids and the reason in each line.
Skipped rows are counted and named in the output, so that nothing is silently left out. The set lies beside the project
(../shared/conformance); where there is none, that is said and nothing is run.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SET = ROOT.parent / "shared" / "conformance"
SKIP_LIST = pathlib.Path(__file__).resolve().parent / "conformance_skip.txt"
CLOSING = re.compile(r"^(\d+) passed, (\d+) failed$")


def read_skip_list(text):
    """[(regex, reason)]; a line is a regex, two or more spaces, and the reason; # begins a comment."""
    entries = []
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            expression, reason = re.split(r"\s{2,}", line.strip(), maxsplit=1)
            entries.append((re.compile(expression), reason))
    return entries


def select(rows, entries, large):
    """Splits ids into those to run and {reason: number of rows skipped}."""
    chosen, skipped = [], {}
    for row in rows:
        if row["id"].endswith(":large") and not large:
            skipped["takes long (--large runs it)"] = skipped.get("takes long (--large runs it)", 0) + 1
            continue
        reason = next((reason for expression, reason in entries if expression.search(row["id"])), None)
        if reason is None:
            chosen.append(row["id"])
        else:
            skipped[reason] = skipped.get(reason, 0) + 1
    return chosen, skipped


def run(tool, folder=SET, everything=False, large=False, timeout=60, options="", every=1):
    """Returns (passed, [failure lines], [remarks]). `options` go to the tool; only every N-th row is run."""
    if not (folder / "run.py").exists():
        return 0, [], ["conformance: no conformance set beside the project, skipped"]
    rows = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    entries = [] if everything else read_skip_list(SKIP_LIST.read_text(encoding="utf-8"))
    chosen, skipped = select(rows, entries, large)
    chosen = chosen[::every]
    remarks = [f"conformance: {count} rows skipped: {reason}" for reason, count in skipped.items()]
    if not chosen:
        return 0, ["conformance: every row is skipped"], remarks
    command = [sys.executable, folder / "run.py", "--tool", f"{tool} check {options}".strip(), "--timeout", str(timeout),
               "--filter", "^(?:" + "|".join(map(re.escape, chosen)) + ")$"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    closing = CLOSING.match(lines[-1]) if lines else None
    if not closing or int(closing[1]) + int(closing[2]) != len(chosen):
        return 0, [f"conformance: run.py failed: {(done.stderr.strip().splitlines() or ['no output'])[-1]}"], remarks
    return int(closing[1]), [f"conformance/{line}" for line in lines[:-1]], remarks


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True, help="the checker, without its command `check`")
    parser.add_argument("--set", type=pathlib.Path, default=SET, metavar="FOLDER", help="where the set lies")
    parser.add_argument("--all", action="store_true", help="also what is not claimed yet")
    parser.add_argument("--large", action="store_true", help="also the rows that take long")
    parser.add_argument("--timeout", type=float, default=60, metavar="SECONDS", help="for one row")
    parser.add_argument("--options", default="", help="for the tool, e.g. '--checker native'")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th row")
    arguments = parser.parse_args()
    passed, failures, remarks = run(arguments.tool, arguments.set, arguments.all, arguments.large, arguments.timeout,
                                    arguments.options, arguments.every)
    for line in failures + remarks:
        print(line)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
