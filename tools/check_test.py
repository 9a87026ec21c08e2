#!/usr/bin/env python3
"""Tests of check_layers.py and check_file_size.py: each must accept a right tree and reject each kind of wrong one."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent
TABLE = """# Architecture
<!-- allowed-includes -->
| folder | may include | libraries |
|---|---|---|
| `base` | – | – |
| `graph` | base | – |
| `graph/native` | base, graph | llvm |
| `frontend` | base | llvm |
| `cli` | everything | json, cli11 |

| `graph` | cli | llvm |
"""


def run(script, files):
    """Runs a check over a tree made of {path: text}; returns (exit code, output)."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, TOOLS / script, "--root", root], capture_output=True, text=True,
                              check=False)
        return done.returncode, done.stdout


class Layers(unittest.TestCase):
    def check(self, path, line, table=TABLE):
        return run("check_layers.py", {"ARCHITECTURE.md": table, path: f"// story\n{line}\n"})

    def test_accepts_what_the_table_allows(self):
        for path, line in [("src/graph/a.h", '#include "base/check.h"'), ("src/graph/a.h", '#include "graph/b.h"'),
                           ("src/graph/a.h", "#include <vector>"), ("src/cli/main.cpp", '#include "graph/a.h"'),
                           ("src/frontend/a.cpp", "#include <llvm/IR/Module.h>"),
                           ("src/cli/main.cpp", "#include <CLI/CLI.hpp>"),
                           ("src/graph/a_test.cpp", "#include <gtest/gtest.h>"),
                           ("src/graph/test_support.h", "#include <gtest/gtest.h>"),
                           ("src/graph/native/a.cpp", "#include <llvm/IR/Module.h>"),
                           ("src/graph/native/a.cpp", '#include "graph/native/b.h"'),
                           ("src/graph/native/a.cpp", '#include "graph/b.h"'),
                           ("src/graph/other/a.cpp", '#include "graph/b.h"'),
                           ("src/graph/a_test.cpp", '#include "cli/a.h"')]:
            self.assertEqual(self.check(path, line), (0, ""), (path, line))

    def test_rejects_a_folder_that_is_not_allowed(self):
        code, output = self.check("src/base/a.h", '#include "graph/a.h"')
        self.assertEqual((code, output), (1, "src/base/a.h:2: base may not include graph: graph/a.h\n"))

    def test_a_folder_with_its_own_row_is_another_folder(self):
        code, output = self.check("src/graph/a.h", '#include "graph/native/a.h"')
        self.assertEqual((code, output), (1, "src/graph/a.h:2: graph may not include graph/native: graph/native/a.h\n"))
        self.assertEqual(self.check("src/graph/other/a.cpp", "#include <llvm/IR/Module.h>")[0], 1)

    def test_rejects_spaces_in_the_directive(self):
        self.assertEqual(self.check("src/base/a.h", '  #  include "graph/a.h"')[0], 1)

    def test_rejects_libraries_outside_their_folders(self):
        for path, line in [("src/graph/a.cpp", "#include <llvm/IR/Module.h>"),
                           ("src/graph/a.cpp", '#include "llvm/IR/Module.h"'),
                           ("src/graph/a_test.cpp", "#include <llvm/IR/Module.h>"),
                           ("src/frontend/a.cpp", "#include <nlohmann/json.hpp>"),
                           ("src/frontend/a.cpp", "#include <CLI/CLI.hpp>"),
                           ("src/graph/a.cpp", "#include <gtest/gtest.h>")]:
            self.assertEqual(self.check(path, line)[0], 1, (path, line))

    def test_rejects_a_project_header_in_angle_brackets(self):
        self.assertEqual(self.check("src/graph/a.h", "#include <base/check.h>")[0], 1)

    def test_rejects_a_header_without_its_folder(self):
        self.assertEqual(self.check("src/graph/a.cpp", '#include "a.h"')[0], 1)

    def test_rejects_a_folder_without_a_row(self):
        self.assertEqual(self.check("src/other/a.h", "")[0], 1)

    def test_rejects_a_document_without_the_table(self):
        self.assertEqual(self.check("src/base/a.h", "", table="# Architecture\n")[0], 1)
        self.assertEqual(self.check("src/base/a.h", "", table=TABLE.replace("| base | llvm", "| bass | llvm"))[0], 1)
        self.assertEqual(self.check("src/base/a.h", "", table=TABLE.replace("json,", "jason,"))[0], 1)


class FileSize(unittest.TestCase):
    def check(self, path, lines):
        return run("check_file_size.py", {path: "x\n" * lines})

    def test_limit_of_sources(self):
        self.assertEqual(self.check("src/base/a.cpp", 600), (0, ""))
        self.assertEqual(self.check("src/base/a.cpp", 601),
                         (1, "src/base/a.cpp: 601 lines, the limit is 600\n"))

    def test_limit_of_tests(self):
        self.assertEqual(self.check("src/base/a_test.cpp", 800)[0], 0)
        self.assertEqual(self.check("src/base/a_test.cpp", 801)[0], 1)
        self.assertEqual(self.check("tests/run.py", 801)[0], 1)

    def test_other_files_have_no_limit(self):
        self.assertEqual(self.check("docs/a.md", 5000)[0], 0)


if __name__ == "__main__":
    unittest.main()
