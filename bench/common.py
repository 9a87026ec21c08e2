"""What the benchmark scripts share: where things are, and one run of the tool."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOL = ROOT / "build" / "release" / "heddle"  # the program itself, not the wrapper that builds it
PROGRAMS = ROOT.parent / "shared" / "conformance" / "synthetic"


def prepare(purpose):
    """Installs what the purpose (a list in tools/setup.sh) needs and brings the release build up to date."""
    script = f'set -euo pipefail; source "{ROOT}/tools/setup.sh"; require_packages {purpose}'
    if subprocess.run(["bash", "-c", script], check=False).returncode:
        sys.exit(70)
    done = subprocess.run([ROOT / "heddle", "--version"], stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        sys.exit("bench: the tool does not start")


def program(name):
    path = PROGRAMS / f"{name}.c"
    if not path.exists():
        sys.exit(f"bench: {path} does not exist: the benchmark programs are those of the conformance set, which has to "
                 "lie beside the project")
    return path


def command_for(name, model, size, options=()):
    # One worker: instruction counts and memory must not depend on the machine's cores.
    return [TOOL, "check", "--format", "json", "--model", model, "--jobs", "1", *options, program(name), "--", f"-DN={size}"]


def executions_of(stdout, what):
    """The number of complete executions in the tool's answer; ends the script if it is not 'verified'."""
    try:
        answer = json.loads(stdout)
        if answer["verdict"] != "verified":
            sys.exit(f"bench: {what}: the verdict is {answer['verdict']}")
        return answer["executions"]["complete"]
    except (ValueError, KeyError, TypeError):
        sys.exit(f"bench: {what}: no answer")


def run_plain(name, model, size):
    """Number of executions."""
    done = subprocess.run(command_for(name, model, size), capture_output=True, check=False)
    return executions_of(done.stdout, f"{name} {model} {size}")


def run_measured(name, model, size, options=()):
    """(executions, peak memory in MiB, seconds of processor time) of the tool's own process."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as output:
        # From bitcode: what the compiler takes would count as the tool's, and it takes more than the tool.
        bitcode = pathlib.Path(folder) / f"{name}.bc"
        subprocess.run(["clang-19", "-c", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-g", "-mcx16",
                        f"-DN={size}", program(name), "-o", bitcode], check=True)
        command = [TOOL, "check", "--format", "json", "--model", model, "--jobs", "1", *options, bitcode]
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
        output.seek(0)
        executions = executions_of(output.read(), f"{name} {model} {size}")
    return executions, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime
