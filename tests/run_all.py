#!/usr/bin/env python3
"""Builds and tests everything; ./test calls it. One line per failed test, at last `N passed, M failed`.

    ./test              everything
    ./test --quick      release build, unit tests and data tests only
    ./test REGEX        only tests whose name matches, e.g. ./test graph/ or ./test cases/mutex

Names: build:PRESET, PRESET:FOLDER/SUITE.TEST (unit tests), tools/..., cases/..., examples/..., limits/..., fuzz/...,
random_c, random_loops, conformance/..., conformance-native/..., bench/...; data tests with the sanitized tool are sanitize:cases/...
Exit code 1 if a test failed, also if none ran.
"""

import argparse
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import run_cases  # noqa: E402
import run_conformance  # noqa: E402

JOBS = os.cpu_count() or 2
SANITIZER_ENVIRONMENT = {"ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0", "UBSAN_OPTIONS": "print_stacktrace=1"}


class Tally:
    """Counts results and prints failures as they come."""

    def __init__(self, pattern):
        self.pattern = pattern
        self.passed = self.failed = 0

    def wanted(self, name):
        return not self.pattern or self.pattern.search(name)

    def record(self, name, problem):
        if not self.wanted(name):
            return
        if problem:
            self.failed += 1
            print(f"FAILED {name}: {problem}", flush=True)
        else:
            self.passed += 1


def say(text):
    print(f"# {text}", flush=True)


def build(preset):
    """Builds all targets of a preset through the same function as ./heddle. None, or what went wrong."""
    script = f'set -euo pipefail; source "{ROOT}/tools/setup.sh"; build_preset "{ROOT}" {preset}'
    done = subprocess.run(["bash", "-c", script], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode == 0:
        return None
    print(done.stderr, end="", flush=True)
    return "the build failed, see above"


def unit_tests(preset, tally):
    """Runs ctest and reads its JUnit file, so that every single test is counted."""
    folder = ROOT / "build" / preset
    report = folder / "ctest.xml"
    report.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", folder, "-j", str(JOBS), "--output-junit", report, "--timeout", "300"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          env={**os.environ, **SANITIZER_ENVIRONMENT})
    try:
        cases = list(xml.etree.ElementTree.parse(report).getroot().iter("testcase"))
    except (OSError, xml.etree.ElementTree.ParseError):
        tally.record(f"{preset}:ctest", f"no report, exit code {done.returncode}")
        return
    if not cases:
        tally.record(f"{preset}:ctest", "no unit test was found")
    for case in cases:
        failure = case.find("failure")
        problem = None
        if failure is not None or case.get("status") not in ("run", "passed"):
            output = (case.findtext("system-out") or "").strip().splitlines()
            telling = [line for line in output if re.search(r"Failure|ERROR|runtime error|Expected|what\(\)", line)]
            problem = telling[0] if telling else f"ended without a result ({case.get('status')})"
        tally.record(f"{preset}:{case.get('name')}", problem)


def command_test(name, command, tally):
    if not tally.wanted(name):
        return
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).strip().splitlines()
    tally.record(name, None if done.returncode == 0 else (lines or [f"exit code {done.returncode}"])[0])
    for line in lines[1:10] if done.returncode else []:
        print(f"       {line}")


def python_tests(path, tally, suite="tools"):
    """Runs a unittest file in this process and counts its tests one by one."""
    name = f"{suite}/{path.stem}"
    if tally.pattern and not tally.wanted(name):
        return
    specification = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromModule(module).run(result)
    broken = result.failures + result.errors
    for test, trace in broken:
        tally.record(f"{name}:{test.id().split('.')[-1]}", trace.strip().splitlines()[-1])
    for number in range(result.testsRun - len(broken)):
        tally.record(f"{name}:{number}", None)


def tree_checks(tally):
    command_test("tools/format", ["tools/format", "--check"], tally)
    command_test("tools/layers", [sys.executable, "tools/check_layers.py"], tally)
    command_test("tools/file_size", [sys.executable, "tools/check_file_size.py"], tally)
    for name in ["tools/check_test.py", "tests/run_cases_test.py", "tests/run_conformance_test.py",
                 "tests/random_c/random_c_test.py"]:
        python_tests(ROOT / name, tally)


def hostile_input(tally):
    """A slice of tests/fuzz with the builds that are there: sanitized ones first."""
    builds = [f"--plain=build/{preset}" for preset in ("sanitize", "release")]
    command_test("fuzz/slice", ["tests/fuzz/run", *builds, "--seconds", "15"], tally)


def data_tests(tool, tally, prefix=""):
    for name, problem in run_cases.run_all([str(tool)], None, tally.pattern, JOBS):
        tally.record(prefix + name, problem)


def conformance(tool, tally, suite="conformance/", **settings):
    if tally.pattern and not tally.wanted(suite):
        return
    passed, failures, remarks = run_conformance.run(tool, **settings)
    for remark in remarks if suite == "conformance/" else []:
        say(remark)
    for _ in range(passed):
        tally.record(suite, None)
    for line in failures:
        name, _, problem = line.replace("conformance/", suite, 1).partition(": ")
        tally.record(name if tally.wanted(name) else f"{suite} {name}", problem)


def main():
    parser = argparse.ArgumentParser(prog="./test", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="release build, unit tests and data tests only")
    parser.add_argument("regex", nargs="?", type=re.compile, help="only tests whose name matches")
    arguments = parser.parse_args()
    tally = Tally(arguments.regex)
    tool = ROOT / "build" / "release" / "heddle"
    started = time.monotonic()

    def phase(name):
        say(f"{time.monotonic() - started:.0f} s: {name}")

    if not arguments.quick:
        phase("checks of the tree")
        tree_checks(tally)
    for preset in ["release"] if arguments.quick else ["release", "sanitize"]:
        phase(f"building {preset}")
        problem = build(preset)
        tally.record(f"build:{preset}", problem)
        if problem is None:
            phase(f"unit tests ({preset})")
            unit_tests(preset, tally)
        elif preset == "release":
            print(f"{tally.passed} passed, {max(tally.failed, 1)} failed")
            return 1
    phase("data tests")
    data_tests(tool, tally)
    sanitized_tool = ROOT / "build" / "sanitize" / "heddle"
    if not arguments.quick and sanitized_tool.exists():
        phase("data tests (sanitize)")
        data_tests(sanitized_tool, tally, "sanitize:")
    if not arguments.quick:
        phase("limits and accidents")
        python_tests(ROOT / "tests" / "limits_test.py", tally, "limits")
        phase("hostile input")
        hostile_input(tally)
        phase("random C programs")
        command_test("random_c", ["tests/random_c/run", "--count", "50"], tally)
        command_test("random_loops", ["tests/random_loops/run", "--count", "40", "--models", "rc11"], tally)
        phase("conformance")
        conformance(tool, tally)
        phase("conformance with compiled models (every 5th row)")
        conformance(tool, tally, "conformance-native/", options="--checker native", every=5)
        if run_conformance.SET.exists():
            phase("smallest benchmarks")
            command_test("bench/smoke", ["bench/run", "--smoke"], tally)
            command_test("bench/waiting", ["bench/waiting", "--threads", "2"], tally)
        else:
            say("bench: no conformance set beside the project, skipped")
    phase("done")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed or not tally.passed else 0


if __name__ == "__main__":
    sys.exit(main())
