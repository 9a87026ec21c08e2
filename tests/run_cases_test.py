#!/usr/bin/env python3
"""Tests of run_cases.py with a stand-in for the tool: a right answer passes, every kind of wrong one fails."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import run_cases  # noqa: E402

STAND_IN = """import json, sys
answer = json.load(open({answer!r}))
print(answer["stderr"], file=sys.stderr)
print(json.dumps(answer["json"]) if answer["json"] else "")
sys.exit(answer["code"])
"""
GOOD = {"verdict": "verified", "executions": {"complete": 3, "blocked": 1}, "errors": [], "warnings": []}
BAD = {"verdict": "violated", "executions": {"complete": 0, "blocked": 0}, "warnings": [],
       "errors": [{"kind": "race", "message": "two accesses", "location": {"line": 2}}]}


class Cases(unittest.TestCase):
    def problem(self, header, code, answer, stderr=""):
        """What run_cases finds wrong with a one-line case and this answer of the tool."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "tool.py").write_text(STAND_IN.format(answer=str(folder / "answer")))
            (folder / "answer").write_text(json.dumps({"json": answer, "code": code, "stderr": stderr}))
            (folder / "x.c").write_text(f"// {header}\nint x;  // here\n")
            results = list(run_cases.run_all([sys.executable, str(folder / "tool.py")], [folder], None, 1))
            self.assertEqual(len(results), 1)
            return results[0][1]

    def test_right_answers(self):
        for header in ["expect: verified", "expect rc11: verified 3", "expect rc11: verified 3 blocked 1",
                       "expect: verified silent"]:
            self.assertIsNone(self.problem(header, 0, GOOD), header)
        for header in ["expect: violated race", "expect: violated any", "expect: violated race at here",
                       'expect: violated race message "two acc"']:
            self.assertIsNone(self.problem(header, 42, BAD), header)
        self.assertIsNone(self.problem('expect: exit 3 at here message "oh"', 3, None, "x.c:2: oh"))

    def test_wrong_answers(self):
        for header in ["expect: violated race", "expect: verified 4", "expect: verified blocked 2",
                       "expect: verified exit 10"]:
            self.assertIsNotNone(self.problem(header, 0, GOOD), header)
        for header in ["expect: verified", "expect: violated deadlock", "expect: violated race, deadlock",
                       'expect: violated race message "else"']:
            self.assertIsNotNone(self.problem(header, 42, BAD), header)
        elsewhere = {**BAD, "errors": [{"kind": "race", "message": "", "location": {"line": 1}}]}
        self.assertIsNotNone(self.problem("expect: violated race at here", 42, elsewhere))

    def test_wrong_exit_codes(self):
        self.assertIsNotNone(self.problem("expect: verified", 42, GOOD))
        self.assertIsNotNone(self.problem("expect: violated race", 0, BAD))
        self.assertIsNotNone(self.problem("expect: exit 3", 139, None))

    def test_rejected_input_must_name_the_place(self):
        self.assertIsNotNone(self.problem("expect: exit 3 at here", 3, None, "x.c:21: oh"))
        self.assertIsNotNone(self.problem('expect: exit 3 message "ah"', 3, None, "x.c:2: oh"))

    def test_silence(self):
        self.assertIsNotNone(self.problem("expect: verified silent", 0, GOOD, "a warning"))

    def test_no_answer(self):
        self.assertIsNotNone(self.problem("expect: verified", 0, None))
        self.assertIsNotNone(self.problem("expect: verified", 0, {"verdict": "verified"}))

    def test_cases_that_make_no_sense(self):
        for header in ["no expectation", "expect: fine", "expect: violated", "expect: verified race", "expect: at here",
                       "expect: verified blocked many"]:
            self.assertRegex(self.problem(header, 0, GOOD), "^bad case")


class TheCasesThemselves(unittest.TestCase):
    def test_all_can_be_read(self):
        tests = run_cases.collect(run_cases.FOLDERS, None)
        self.assertGreater(len(tests), 150)
        self.assertEqual([], [f"{name}: {why}" for name, case, _, why in tests if case is None])


if __name__ == "__main__":
    unittest.main()
