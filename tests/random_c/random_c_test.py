"""Tests of the generator of sequential C programs and of the runner around it."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import generate  # noqa: E402


def load_runner():
    loader = importlib.machinery.SourceFileLoader("random_c_run", str(HERE / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("random_c_run", loader))
    loader.exec_module(module)
    return module


def count_statements(body):
    return sum(1 + sum(count_statements(inner) for inner in statement.bodies) for statement in body)


class GenerateTest(unittest.TestCase):
    def test_is_a_function_of_the_seed(self):
        self.assertEqual(generate.generate_check(7, 1).text(), generate.generate_check(7, 1).text())
        self.assertNotEqual(generate.generate_check(7, 1).text(), generate.generate_check(8, 1).text())

    def test_uses_the_whole_language(self):
        text = "".join(generate.generate_check(seed, seed).text() for seed in range(200))
        for part in ["switch", "for (", "do {", "goto", "struct", "union", "int8_t", "uint64_t", "float", "double", "* p",
                     "calloc", "strcmp", "snprintf", "qsort", "__int128", "<<", ">>", "break;", "continue;", " : ", "apply(",
                     "add_all(", "memmove", "__attribute__((packed))"]:
            self.assertTrue(part in text, part)

    def test_variants_are_smaller_and_leave_the_original_alone(self):
        check = generate.generate_check(3, 3)
        before = check.text()
        sizes = [count_statements(variant.body) + len(variant.results) for variant in generate.smaller_variants(check)]
        self.assertTrue(sizes)
        self.assertLess(max(sizes), count_statements(check.body) + len(check.results))
        self.assertEqual(check.text(), before)

    def test_file_asserts_or_prints(self):
        check = generate.generate_check(1, 1)
        self.assertIn("assert(check_1() == 5u)", generate.file_text([check], {1: 5}))
        self.assertIn("assert(check_1() != 5u)", generate.file_text([check], {1: 5}, wrong=1))
        self.assertIn("printf", generate.file_text([check], None))


class RunnerTest(unittest.TestCase):
    def setUp(self):
        self.run = load_runner()
        # A tool that is wrong about every loop; the real programs behind it are not run.
        self.run.native_values = lambda checks, folder: ({check.number: "5" for check in checks}, None)
        self.run.sequential_problems = lambda tool, checks, values, flags: (
            [("right.c", "wrong")] if any("for (int32_t i" in check.text() for check in checks) else [])

    def test_finds_the_checks_that_fail(self):
        checks = [generate.generate_check(seed, seed) for seed in range(20)]
        expected = [check.number for check in checks if "for (int32_t i" in check.text()]
        self.assertTrue(0 < len(expected) < 20)
        found = self.run.failing([], checks, {}, "")
        self.assertEqual([check.number for check in found], expected)

    def test_shrinks_to_what_the_failure_needs(self):
        check = next(check for check in map(lambda seed: generate.generate_check(seed, seed), range(99))
                     if "for (int32_t i" in check.text() and count_statements(check.body) > 6)
        small, _, problem = self.run.shrink_check([], check, "")
        self.assertEqual(problem, "wrong")
        self.assertIn("for (int32_t i", small.text())
        self.assertLessEqual(count_statements(small.body), 2)


if __name__ == "__main__":
    unittest.main()
