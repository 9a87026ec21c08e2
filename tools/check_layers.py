#!/usr/bin/env python3
"""Fails if an #include under src/ goes against the table of allowed includes in ARCHITECTURE.md.

The table is the one that follows the line `<!-- allowed-includes -->`: a row per folder, `everything` standing for all
of them, and the outside libraries that the folder may use. A folder inside another may have a row of its own. Because the check reads the document, the two cannot
disagree. Unit tests (x_test.cpp, test_support.h) may include any folder below the top and gtest. Tested by check_test.py.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARK = "<!-- allowed-includes -->"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Outside libraries that only some folders may use, by how their headers begin.
LIBRARIES = {"llvm": ("llvm/", "llvm-c/", "clang/", "clang-c/"), "json": ("nlohmann/",), "cli11": ("CLI/",),
             "gtest": ("gtest/", "gmock/")}


class BadTable(Exception):
    pass


def read_table(text):
    """{folder: (set of folders or {'everything'}, set of libraries)} from the text of ARCHITECTURE.md."""
    if MARK not in text:
        raise BadTable(f"ARCHITECTURE.md has no line {MARK}")
    rows = {}
    for line in text.split(MARK, 1)[1].lstrip("\n").splitlines():
        if not line.startswith("|"):
            break
        cells = [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]
        if len(cells) != 3:
            raise BadTable(f"a row of the table of allowed includes has {len(cells)} cells instead of 3: {line}")
        if cells[0] == "folder" or set(cells[0]) <= set("-: "):
            continue
        words = [{word.strip() for word in cell.split(",")} - {"", "–"} for cell in cells[1:]]
        unknown = words[1] - set(LIBRARIES)
        if unknown:
            raise BadTable(f"unknown library in the table of allowed includes: {', '.join(sorted(unknown))}")
        rows[cells[0]] = (words[0], words[1])
    if not rows:
        raise BadTable("the table of allowed includes has no rows")
    for folder, (folders, _) in rows.items():
        unknown = folders - set(rows) - {"everything"}
        if unknown:
            raise BadTable(f"the row of {folder} names unknown folders: {', '.join(sorted(unknown))}")
    return rows


def folder_of(path, table):
    """The innermost folder of the path that has a row; its first folder if none has."""
    parents = [str(parent) for parent in path.parents if str(parent) != "."]
    return next((parent for parent in parents if parent in table), parents[-1] if parents else None)


def problem_with(include, quoted, folder, is_test, table):
    """Why a file of `folder` may not include this, or None."""
    folders, libraries = table[folder]
    for library, prefixes in LIBRARIES.items():
        if include.startswith(prefixes):
            if library in libraries or (is_test and library == "gtest"):
                return None
            return f"{folder} may not use {library}"
    target = folder_of(pathlib.PurePosixPath(include), table)
    if target in table:
        if not quoted:
            return "headers of the project are included with quotes"
        if target == folder or is_test or "everything" in folders or target in folders:
            return None
        return f"{folder} may not include {target}"
    if quoted and not is_test:
        return "not a header of src/ (name it by folder/file.h, or use <> for the system's)"
    return None


def check_tree(source, table):
    """Yields 'path:line: problem' for every forbidden include."""
    for path in sorted(source.glob("*/**/*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        relative = path.relative_to(source)
        folder = folder_of(pathlib.PurePosixPath(relative), table)
        if folder not in table:
            yield f"{relative}:1: the folder {folder} has no row in the table of allowed includes"
            continue
        is_test = path.stem.endswith("_test") or path.stem == "test_support"
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                problem = problem_with(match.group(2), match.group(1) == '"', folder, is_test, table)
                if problem:
                    yield f"{relative}:{number}: {problem}: {match.group(2)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the project's root")
    root = parser.parse_args().root
    try:
        table = read_table((root / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    except (OSError, BadTable) as error:
        print(f"check_layers: {error}")
        return 1
    problems = list(check_tree(root / "src", table))
    for problem in problems:
        print(f"src/{problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
