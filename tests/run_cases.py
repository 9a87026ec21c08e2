#!/usr/bin/env python3
"""Data tests: runs the tool over C files that say themselves what it must answer.

    tests/run_cases.py --tool build/release/heddle [--filter REGEX] [--jobs N] [FOLDER...]

Comment lines at the beginning of a line of the case (folders: tests/cases, examples):

    // expect [MODEL, ...]: VERDICT [COUNT] [blocked COUNT] [KIND, ...] [at here] [exit CODE] [message "TEXT"]...
                          [silent]
    // expect: exit CODE [at here] [message "TEXT"]...
    // flags: options of `heddle check`            // clang: flags after --
    // files: what to check instead of this file   // warning: KIND that must be among the warnings

Without a model the default one is used. COUNT is the number of complete executions. KIND is the kind of an error that
must be reported (`any`: some error); if several are listed, exactly these. `at here`: the first error lies in a line
that ends in the comment `// here`; for inputs that are rejected, every such line is named on standard error. `message`:
the text occurs in an error's message or on standard error; `silent`: standard error is empty. Exit codes are always
checked.
Tested by run_cases_test.py.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = [ROOT / "tests" / "cases", ROOT / "examples"]
SUFFIXES = (".c", ".cpp", ".ll")
LINE = re.compile(r"^(?:; )?// (expect|flags|clang|files|warning)\b([^:]*):\s*(.*?)\s*$")
EXIT_CODES = {"verified": 0, "violated": 42, "bounded": 10, "unknown": 4}
KINDS = {"any", "assertion", "race", "use-after-free", "double-free", "invalid-free", "out-of-bounds", "uninitialized",
         "null-dereference", "deadlock", "liveness", "lock-misuse", "barrier-misuse", "thread-misuse",
         "uncaught-exception", "division-by-zero", "undefined-behavior", "memory-leak"}
TIMEOUT = 60  # seconds a case may take; builds with sanitizers need more, see --time-limit


class BadCase(Exception):
    pass


@dataclasses.dataclass
class Expectation:
    model: str | None
    verdict: str | None = None  # None: the input is rejected
    complete: int | None = None
    blocked: int | None = None
    kinds: list = dataclasses.field(default_factory=list)
    at_here: bool = False
    exit_code: int | None = None
    messages: list = dataclasses.field(default_factory=list)
    silent: bool = False


@dataclasses.dataclass
class Case:
    path: pathlib.Path
    expectations: list
    flags: list
    clang: list
    files: list
    warnings: list
    here: list  # numbers of the lines marked `// here`


def parse_expectation(model, text):
    result = Expectation(model)
    words = shlex.split(text.replace(",", " "))
    while words:
        word = words.pop(0)
        if word in EXIT_CODES:
            result.verdict = word
        elif word.isdigit():
            result.complete = int(word)
        elif word == "silent":
            result.silent = True
        elif word in KINDS:
            result.kinds.append(word)
        elif word in ("blocked", "exit", "message", "at") and words:
            value = words.pop(0)
            if word == "message":
                result.messages.append(value)
            elif word == "at" and value == "here":
                result.at_here = True
            elif word == "blocked" and value.isdigit():
                result.blocked = int(value)
            elif word == "exit" and value.isdigit():
                result.exit_code = int(value)
            else:
                raise BadCase(f"cannot understand '{word} {value}'")
        else:
            raise BadCase(f"cannot understand '{word}'")
    if result.verdict is None and result.exit_code is None:
        raise BadCase("an expectation needs a verdict or an exit code")
    if (result.verdict == "violated") != bool(result.kinds):
        raise BadCase("'violated' needs the kind of the error, other verdicts have none")
    if result.exit_code is None:
        result.exit_code = EXIT_CODES[result.verdict]
    return result


def read_case(path):
    case = Case(path, [], [], [], [path.name], [], [])
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.rstrip().endswith("// here"):
            case.here.append(number)
        match = LINE.match(line)
        if not match:
            continue
        key, models, text = match.groups()
        if key == "expect":
            for model in models.replace(",", " ").split() or [None]:
                case.expectations.append(parse_expectation(model, text))
        elif key == "flags":
            case.flags += shlex.split(text)
        elif key == "clang":
            case.clang += shlex.split(text)
        elif key == "files":
            case.files = shlex.split(text)
        else:
            case.warnings += text.replace(",", " ").split()
    if not case.expectations:
        raise BadCase("no line '// expect ...'")
    if any(expectation.at_here for expectation in case.expectations) and not case.here:
        raise BadCase("'at here', but no line is marked '// here'")
    return case


def command_for(tool, case, expectation):
    command = [*tool, "check", "--format", "json"]
    if expectation.model:
        command += ["--model", expectation.model]
    command += [*case.flags, *case.files]
    return command + (["--", *case.clang] if case.clang else [])


def difference(case, expectation, code, stdout, stderr):
    """What is wrong with the tool's answer, or None."""
    if expectation.silent and stderr.strip():
        return f"standard error is not empty: {stderr.strip()}"
    first_line = (stderr.strip().splitlines() or ["nothing on standard error"])[0]
    if expectation.verdict is None:
        if code != expectation.exit_code:
            return f"expected exit code {expectation.exit_code}, got {code}: {first_line}"
        if expectation.at_here:
            for line in case.here:
                if not re.search(rf"{re.escape(case.path.name)}:{line}\b", stderr):
                    return f"standard error does not name line {line}: {first_line}"
        missing = [text for text in expectation.messages if text not in stderr]
        return f"standard error does not say '{missing[0]}': {first_line}" if missing else None
    try:
        answer = json.loads(stdout)
        verdict, errors = answer["verdict"], answer["errors"]
        complete, blocked = answer["executions"]["complete"], answer["executions"]["blocked"]
        kinds = [error["kind"] for error in errors]
        warnings = [warning["kind"] if isinstance(warning, dict) else warning for warning in answer["warnings"]]
    except (ValueError, KeyError, TypeError):
        return f"no JSON of the agreed form, exit code {code}: {first_line}"
    got = f"got {verdict} with {complete} executions ({blocked} blocked)" + "".join(
        f", {error['kind']} in line {(error.get('location') or {}).get('line')}: {error.get('message')}"
        for error in errors)
    if verdict != expectation.verdict:
        return f"expected {expectation.verdict}, {got}"
    if code != expectation.exit_code:
        return f"expected exit code {expectation.exit_code}, got {code} with verdict {verdict}"
    if expectation.complete not in (None, complete):
        return f"expected {expectation.complete} executions, {got}"
    if expectation.blocked not in (None, blocked):
        return f"expected {expectation.blocked} blocked executions, {got}"
    if len(expectation.kinds) > 1 and sorted(expectation.kinds) != sorted(kinds):
        return f"expected {', '.join(expectation.kinds)}, {got}"
    if expectation.kinds and expectation.kinds[0] not in ("any", *kinds):
        return f"expected {expectation.kinds[0]}, {got}"
    if expectation.at_here and (errors[0].get("location") or {}).get("line") not in case.here:
        return f"expected an error in line {' or '.join(map(str, case.here))}, {got}"
    said = stderr + "".join(error.get("message", "") for error in errors)
    for text in expectation.messages:
        if text not in said:
            return f"nothing says '{text}', {got}"
    for kind in case.warnings:
        if not any(kind in warning for warning in warnings):
            return f"expected the warning {kind}, got {warnings}"
    return None


def run(tool, case, expectation, time_limit=TIMEOUT):
    command = command_for(tool, case, expectation)
    try:
        done = subprocess.run(command, cwd=case.path.parent, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=time_limit, check=False)
    except subprocess.TimeoutExpired:
        return f"no answer within {time_limit} s"
    except OSError as error:
        return f"cannot run {command[0]}: {error.strerror}"
    problem = difference(case, expectation, done.returncode, done.stdout.decode(errors="replace"),
                         done.stderr.decode(errors="replace"))
    if problem is None and expectation.verdict == "violated":
        return replay_difference(tool, case, done.stdout, time_limit)
    return problem


def replay_difference(tool, case, trace, time_limit=TIMEOUT):
    """Every error that is reported must be reached again along its recorded path."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(trace)
        file.flush()
        try:
            done = subprocess.run([*tool, "replay", file.name], cwd=case.path.parent, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=time_limit, check=False)
        except subprocess.TimeoutExpired:
            return f"no replay within {time_limit} s"
    if done.returncode != 42:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["nothing on standard error"]
        return f"its replay ends with exit code {done.returncode}: {lines[0]}"
    return None


def collect(folders, pattern):
    """[(name, case, expectation, None) or (name, None, None, why the case cannot be read)]."""
    tests = []
    for folder in folders:
        for path in sorted(folder.iterdir()):
            if path.suffix not in SUFFIXES:
                continue
            name = f"{folder.name}/{path.name}"
            try:
                case = read_case(path)
            except (BadCase, ValueError) as error:
                tests.append((name, None, None, f"bad case: {error}"))
                continue
            tests += [(f"{name}:{e.model}" if e.model else name, case, e, None) for e in case.expectations]
    return [test for test in tests if not pattern or pattern.search(test[0])]


def run_all(tool, folders=None, pattern=None, jobs=2, time_limit=TIMEOUT):
    """Yields (name, None or what is wrong)."""
    tests = collect(folders or FOLDERS, pattern)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda t: (t[0], t[3] if t[1] is None else run(tool, t[1], t[2], time_limit)), tests)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True, help="the checker, without its command `check`")
    parser.add_argument("--filter", type=re.compile, metavar="REGEX", help="only tests whose name matches")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--time-limit", type=int, default=TIMEOUT, metavar="SECONDS", help="for each run of the checker")
    parser.add_argument("folders", type=lambda text: pathlib.Path(text).resolve(), nargs="*", metavar="FOLDER")
    arguments = parser.parse_args()
    tool = shlex.split(arguments.tool)
    tool[0] = str(pathlib.Path(tool[0]).resolve()) if "/" in tool[0] else tool[0]
    passed = failed = 0
    for name, problem in run_all(tool, arguments.folders, arguments.filter, arguments.jobs,
                                 arguments.time_limit):
        if problem:
            print(f"{name}: {problem}", flush=True)
            failed += 1
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
