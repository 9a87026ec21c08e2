#!/usr/bin/env python3
"""Tests of run_conformance.py with a stand-in for the conformance set."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import run_conformance  # noqa: E402

# Prints the ids it was asked for as failures, so that the test sees the selection.
STAND_IN = """import json, pathlib, re, sys
pattern = re.compile(sys.argv[sys.argv.index("--filter") + 1])
rows = json.loads((pathlib.Path(__file__).parent / "expected.json").read_text())
names = [row["id"] for row in rows if pattern.search(row["id"])]
for name in names: print(name + ": wrong")
print(f"0 passed, {len(names)} failed")
"""


class Conformance(unittest.TestCase):
    def test_skip_list(self):
        entries = run_conformance.read_skip_list("# comment\n\n:imm$   no dependencies\n^a/b  other words\n")
        self.assertEqual([(":imm$", "no dependencies"), ("^a/b", "other words")],
                         [(expression.pattern, reason) for expression, reason in entries])
        rows = [{"id": name} for name in ["a/b:sc", "c:imm", "c:sc", "c:sc:large"]]
        chosen, skipped = run_conformance.select(rows, entries, large=False)
        self.assertEqual(chosen, ["c:sc"])
        self.assertEqual(sorted(skipped.values()), [1, 1, 1])
        self.assertEqual(run_conformance.select(rows, [], large=True)[0], [row["id"] for row in rows])

    def test_the_real_skip_list_can_be_read(self):
        for _, reason in run_conformance.read_skip_list(run_conformance.SKIP_LIST.read_text(encoding="utf-8")):
            self.assertTrue(reason)

    def run_on(self, ids):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "run.py").write_text(STAND_IN)
            (folder / "expected.json").write_text(json.dumps([{"id": each} for each in ids]))
            return run_conformance.run("tool", folder, everything=True)

    def test_failures_are_counted_and_named(self):
        passed, failures, _ = self.run_on(["x+y:sc", "x:sc:large", "xxy:sc"])
        self.assertEqual((passed, failures), (0, ["conformance/x+y:sc: wrong", "conformance/xxy:sc: wrong"]))

    def test_nothing_to_run_is_a_failure(self):
        self.assertEqual(self.run_on(["x:large"])[1], ["conformance: every row is skipped"])

    def test_a_missing_set_is_said(self):
        passed, failures, remarks = run_conformance.run("tool", pathlib.Path("/nonexistent"))
        self.assertEqual((passed, failures, len(remarks)), (0, [], 1))


if __name__ == "__main__":
    unittest.main()
