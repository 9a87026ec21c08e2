#!/usr/bin/env python3
"""Fails if a hand-written source file is longer than 600 lines (tests: 800). Tested by check_test.py.

A long file has more than one job: split it by job, not by length.
"""

import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 600
TEST_LIMIT = 800
FOLDERS = ("src", "runtime", "models", "tests", "tools", "bench", "examples")
SUFFIXES = (".cpp", ".h", ".c", ".py", ".sh", ".kat", "")


def limit_of(path):
    return TEST_LIMIT if path.stem.endswith("_test") or path.parts[0] == "tests" else LIMIT


def too_long(root):
    """Yields 'path: N lines, limit M'."""
    for folder in FOLDERS:
        for path in sorted((root / folder).glob("**/*")):
            if not path.is_file() or path.suffix not in SUFFIXES or "__pycache__" in path.parts:
                continue
            relative = path.relative_to(root)
            lines = path.read_bytes().count(b"\n")
            if lines > limit_of(relative):
                yield f"{relative}: {lines} lines, the limit is {limit_of(relative)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the project's root")
    problems = list(too_long(parser.parse_args().root))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
