"""Limits and accidents: whatever runs out or is cut off, the tool ends with a message and an exit code of its contract,
in time, and leaves no half of a report behind. Run by ./test with the release build; HEDDLE_TOOL names another tool.
"""

import json
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOL = pathlib.Path(os.environ.get("HEDDLE_TOOL", ROOT / "build" / "release" / "heddle"))
SECONDS = 60  # far more than any of these takes

ENDLESS = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *run(void *p) {
  for (int i = 0; i < 9; ++i) atomic_fetch_add(&x, 1);
  return p;
}
int main(void) {
  pthread_t t[8];
  for (int i = 0; i < 8; ++i) pthread_create(&t[i], 0, run, 0);
  return 0;
}
"""
VIOLATED = """
#include <assert.h>
#include <stdatomic.h>
atomic_int x;
int main(void) { assert(atomic_load(&x) == 1); return 0; }
"""


class Limits(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.environment = {**os.environ, "HEDDLE_CACHE_DIR": str(self.folder / "cache")}

    def file(self, text, name="program.c"):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    def run_tool(self, *arguments, before=None, **settings):
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **settings}
        return subprocess.run([str(TOOL), *arguments], stdin=subprocess.DEVNULL, text=True, errors="replace", check=False,
                              timeout=SECONDS, env=self.environment, preexec_fn=before, cwd=self.folder, **settings)

    def expect(self, done, code, *texts):
        said = (done.stdout or "") + (done.stderr or "")
        self.assertEqual(done.returncode, code, said[-2000:])
        for text in texts:
            self.assertIn(text, said)
        if code == 4:
            self.assertIn("verdict: unknown", said)
        return said

    # ---- time and memory

    def test_timeout(self):
        started = time.monotonic()
        done = self.run_tool("check", "--timeout", "0.5", self.file(ENDLESS))
        self.expect(done, 4, "time limit")
        self.assertLess(time.monotonic() - started, 10)

    def test_memory_limit(self):
        # Every execution is remembered by its events: this program has more of them than fit.
        program = """
            #include <stdlib.h>
            #include <stdatomic.h>
            atomic_int x;
            int main(void) { for (int i = 0; i < 100000000; ++i) atomic_store(&x, i); return 0; }"""
        done = self.run_tool("check", "--memory-limit", "40", self.file(program))
        self.expect(done, 4, "memory limit of 40 MB")

    def test_out_of_memory(self):
        for megabytes in (60, 100, 150):
            def limit(size=megabytes):
                resource.setrlimit(resource.RLIMIT_AS, (size << 20, size << 20))
            path = self.file(self.assembly(ENDLESS), "program.ll")
            done = self.run_tool("check", "--checker", "native", "--timeout", "0.5", path, before=limit)
            self.expect(done, 4)

    def assembly(self, text):
        command = ["clang-19", "-S", "-emit-llvm", "-o", "-", "-x", "c", "-"]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout

    # ---- programs that ask for too much

    def test_endless_recursion(self):
        done = self.run_tool("check", self.file("int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }"))
        self.expect(done, 4, "nested too deeply")

    def test_endless_loop(self):
        done = self.run_tool("check", self.file("int main(void) { unsigned n = 0; for (;;) n += 2; }"))
        self.expect(done, 4, "--step-limit")

    def test_endless_execution(self):
        text = "#include <stdatomic.h>\natomic_int x; int main(void) { for (;;) atomic_store(&x, 1); }"
        self.expect(self.run_tool("check", self.file(text)), 4, "more than 100000 events")

    def test_a_million_threads(self):
        text = """
            #include <pthread.h>
            static void *run(void *p) { return p; }
            int main(void) {
              pthread_t t;
              for (int i = 0; i < 1000000; ++i) pthread_create(&t, 0, run, 0);
              return 0;
            }"""
        self.expect(self.run_tool("check", self.file(text)), 4, "more than 1024 threads")

    def test_threads_that_create_threads(self):
        text = """
            #include <pthread.h>
            static void *run(void *p) { pthread_t t; pthread_create(&t, 0, run, 0); return p; }
            int main(void) { run(0); return 0; }"""
        self.expect(self.run_tool("check", self.file(text)), 4, "more than 1024 threads")

    def test_huge_local_variable(self):
        text = "void use(char *p) { p[0] = 1; } int main(void) { char big[1UL << 45]; use(big); return 0; }"
        self.expect(self.run_tool("check", self.file(text)), 42, "stack overflow")

    def test_huge_length_at_run_time(self):
        text = """
            void use(char *p) { p[0] = 1; }
            int main(void) { volatile unsigned long n = ~0UL - 15; char big[n]; use(big); return 0; }"""
        self.expect(self.run_tool("check", self.file(text)), 42, "stack overflow")

    def test_huge_global_variable(self):
        for size in ("1UL << 29", "1UL << 45", "(1UL << 60) - 1"):
            done = self.run_tool("check", self.file(f"char big[{size}]; int main(void) {{ return big[0]; }}"))
            self.expect(done, 3, "program.c:1", "no room for the variable 'big'")
        done = self.run_tool("check", self.file(f"_Thread_local char big[1UL << 45]; int main(void) {{ return big[0]; }}"))
        self.expect(done, 3, "no room for the variable 'big'")

    def test_huge_allocations(self):
        text = """
            #include <stdlib.h>
            int main(void) {
              volatile size_t many = 1UL << 33;
              char *p = malloc(~0UL), *q = calloc(1UL << 33, 1UL << 33), *r = calloc(many, many);
              char *s = aligned_alloc(64, ~0UL - 63), *small = malloc(4), *t = realloc(small, ~0UL - 8);
              if (p || q || r || s || t) abort();
              free(small);
              return 0;
            }"""
        self.expect(self.run_tool("check", self.file(text)), 0)

    def test_long_copy(self):
        text = """
            #include <stdlib.h>
            #include <string.h>
            int main(void) { char *p = malloc(SIZE); memset(p, 1, SIZE); free(p); return 0; }"""
        done = self.run_tool("check", self.file(text), "--", "-DSIZE=(1UL<<34)")
        self.expect(done, 3, "program.c:4:", "more than 512 MiB")
        self.expect(self.run_tool("check", self.file(text), "--", "-DSIZE=(1UL<<28)"), 4, "events")

    def test_huge_choice(self):
        text = "#include <heddle.h>\nint main(void) { return heddle_choose(0, 2000000000) == 5; }"
        self.expect(self.run_tool("check", self.file(text)), 3, "choice among more than")

    def test_giant_program(self):
        lines = "".join(f"  x = x * {i} + {i};\n" for i in range(20000))
        functions = "".join(f"static int f{i}(int n) {{ return n + {i}; }}\n" for i in range(2000))
        calls = "".join(f"  x = f{i}(x);\n" for i in range(2000))
        text = f"{functions}int main(void) {{ unsigned x = 1;\n{lines}{calls} return x != 0 && x == 0; }}"
        self.expect(self.run_tool("check", "--timeout", "30", self.file(text)), 0)

    # ---- nesting

    def test_deep_nesting_in_a_model(self):
        for text in ("acyclic " + "(" * 100000 + "po" + ")" * 100000, "acyclic po" + "^-1" * 100000,
                     "acyclic " + "[R];" * 200000 + "po", "let x = " + "(* " * 100000):
            done = self.run_tool("check", "--model", self.file(text, "deep.kat"), self.file(VIOLATED))
            self.expect(done, 3, "deep.kat:")

    def test_deep_nesting_in_a_trace(self):
        for text in ("[" * 1000000, '{"a":' * 1000000, '{"tool":"heddle","errors":' + "[" * 100000):
            self.expect(self.run_tool("replay", self.file(text, "trace.json")), 3, "nested too deeply")

    def test_deep_nesting_in_assembly(self):
        text = "@x = global " + "{" * 200000 + "i32" + "}" * 200000 + " zeroinitializer"
        self.expect(self.run_tool("check", self.file(text, "deep.ll")), 3, "deep.ll: error:")

    def test_damaged_bitcode(self):
        command = ["clang-19", "-c", "-emit-llvm", "-o", "-", "-x", "c", "-"]
        good = subprocess.run(command, input=VIOLATED.encode(), capture_output=True, check=True).stdout
        for damage in range(30):
            bad = bytearray(good)
            for place in range(damage % 7 + 1):
                bad[(damage * 7919 + place * 104729) % len(bad)] ^= 1 << damage % 8
            done = self.run_tool("check", "--timeout", "0.2", self.file(bytes(bad), "damaged.bc"))
            self.assertIn(done.returncode, (0, 3, 4, 42), done.stderr)
        self.expect(self.run_tool("check", self.file(good[:200], "short.bc")), 3, "short.bc")

    # ---- output that cannot be written

    def test_full_disk(self):
        for extra in ((), ("--format", "json"), ("--format", "dot")):
            done = self.run_tool("check", "--output", "/dev/full", *extra, self.file(VIOLATED))
            self.expect(done, 4, "cannot write '/dev/full': No space left on device")
        with open("/dev/full", "w", encoding="utf-8") as full:
            for command in (["check", self.file(VIOLATED)], ["--help"], ["models", "sc"]):
                self.expect(self.run_tool(*command, stdout=full), 4, "cannot write")

    def test_messages_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = self.run_tool("check", self.file("int main(void) { return 1 +; }"), stderr=full)
        self.assertIn(done.returncode, (3, 4))

    def test_closed_standard_output(self):
        done = self.run_tool("check", self.file(VIOLATED), before=lambda: os.close(1))
        self.assertEqual(done.returncode, 4)
        self.assertIn("cannot write", done.stderr)

    def test_all_standard_files_closed(self):
        path = self.file(VIOLATED)
        done = self.run_tool("check", path, "--output", "report.txt", before=lambda: os.closerange(0, 3))
        self.assertEqual(done.returncode, 42)
        self.assertIn("verdict: violated", (self.folder / "report.txt").read_text())
        self.assertEqual(pathlib.Path(path).read_text(), VIOLATED)

    def test_file_that_may_not_grow(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        path = self.file(self.assembly(VIOLATED), "program.ll")
        done = self.run_tool("check", "--checker", "native", "--output", "report.json", "--format", "json", path,
                             before=limit)
        self.expect(done, 4, "cannot write")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir() if p.name != "cache"), ["program.ll"])

    def test_old_report_stays_if_the_new_one_fails(self):
        report = self.folder / "report.txt"
        report.write_text("old")

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
        path = self.file(self.assembly(VIOLATED), "program.ll")
        self.expect(self.run_tool("check", "--output", "report.txt", path, before=limit), 4, "cannot write")
        self.assertEqual(report.read_text(), "old")

    def test_cache_that_cannot_be_used(self):
        for place in ("/dev/full", "/proc/nowhere", str(self.folder / "file" / "below")):
            (self.folder / "file").write_text("")
            self.environment["HEDDLE_CACHE_DIR"] = place
            self.expect(self.run_tool("check", "--checker", "native", self.file(VIOLATED)), 42, "verdict: violated")

    # ---- signals

    def interrupt(self, number, *arguments):
        with subprocess.Popen([str(TOOL), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=self.environment, cwd=self.folder) as process:
            time.sleep(1)
            process.send_signal(number)
            output, errors = process.communicate(timeout=SECONDS)
            return subprocess.CompletedProcess(arguments, process.returncode, output, errors)

    def test_interrupted_while_exploring(self):
        path = self.file(self.assembly(ENDLESS), "program.ll")
        for number in (signal.SIGINT, signal.SIGTERM):
            done = self.interrupt(number, "check", "--output", "report.txt", path)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("interrupted", (self.folder / "report.txt").read_text())

    def test_interrupted_before_exploring(self):
        slow = self.folder / "bin" / "clang-19"
        slow.parent.mkdir()
        slow.write_text("#!/bin/sh\nexec sleep 5\n")
        slow.chmod(0o755)
        self.environment["PATH"] = f"{slow.parent}:{os.environ['PATH']}"
        done = self.interrupt(signal.SIGTERM, "check", "--output", "report.txt", self.file(ENDLESS))
        self.expect(done, 4, "interrupted")
        self.assertFalse((self.folder / "report.txt").exists())

    # ---- files that are not what they seem

    def test_files_that_never_end(self):
        os.mkfifo(self.folder / "pipe.kat")
        model = self.file('include "pipe.kat"\nacyclic po\n', "model.kat")
        self.expect(self.run_tool("check", "--model", model, self.file(VIOLATED)), 3, "cannot read")
        self.expect(self.run_tool("check", "--model", str(self.folder / "pipe.kat"), self.file(VIOLATED)), 2, "no model")
        self.expect(self.run_tool("replay", "/dev/zero"), 3, "too large for a trace")
        for name in ("pipe.ll", "pipe.c"):
            os.mkfifo(self.folder / name)
            self.expect(self.run_tool("check", str(self.folder / name)), 3, "not a file")

    def test_trace_that_wants_code_to_run(self):
        report = self.folder / "trace.json"
        self.run_tool("check", "--format", "json", "--output", str(report), self.file(VIOLATED))
        trace = json.loads(report.read_text())
        self.expect(self.run_tool("replay", str(report)), 42)
        for flags in (["-fplugin=./evil.so"], ["-MD", "-MF", "written"], ["@file"]):
            trace["replay"]["clang_flags"] = flags
            report.write_text(json.dumps(trace))
            self.expect(self.run_tool("replay", str(report)), 3, flags[0], "may run code or write files")
        self.assertFalse((self.folder / "written").exists())

    def test_odd_bytes(self):
        name = self.folder / os.fsdecode(b"odd \xff\n\x1b.c")
        name.write_bytes(b'#include <assert.h>\nint main(void) { assert(!"\xff\xfe\x1b[31m"); }\n')
        for form in ("text", "json", "dot"):
            done = self.run_tool("check", "--format", form, str(name))
            self.assertEqual(done.returncode, 42, done.stderr)
        json.loads(self.run_tool("check", "--format", "json", str(name)).stdout)


if __name__ == "__main__":
    unittest.main()
