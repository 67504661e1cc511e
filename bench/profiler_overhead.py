"""What a launch costs while a profiler watches, here and with Triton's Proton: each compiler in a process of its own.

    python bench/profiler_overhead.py [-o FILE]        needs a GPU, torch and triton

Host time of a launch of a kernel that does nothing, medians of rounds: without a session, with one, in a scope each,
and with `launch_metadata` asked.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import textwrap

from result_file import as_text

SCRIPT = """
import importlib, json, os, statistics, sys, time
name = sys.argv[1]
compiler = importlib.import_module(name)
tl = importlib.import_module(name + ".language")
proton = importlib.import_module(name + ".profiler")
import torch

def told(grid, metadata, arguments):
    return {"name": "named", "bytes": 8}

@compiler.jit
def nothing(x, n):
    pass

@compiler.jit(launch_metadata=told)
def described(x, n):
    pass

x = torch.zeros(16, device="cuda")
LAUNCHES, ROUNDS = 2000, 9

def measure(run):
    times = []
    for _ in range(ROUNDS):
        torch.cuda.synchronize()
        began = time.perf_counter()
        for _ in range(LAUNCHES):
            run()
        times.append((time.perf_counter() - began) / LAUNCHES * 1e6)
        torch.cuda.synchronize()
    return statistics.median(times)

def in_scope():
    with proton.scope("a"):
        nothing[(1,)](x, 16)

plain = lambda: nothing[(1,)](x, 16)
plain(), described[(1,)](x, 16)
found = {"no session": measure(plain)}
for hook in (None, "triton"):
    session = proton.start(f"overhead_{name}_{hook}", hook=hook)
    found[f"session, hook {hook}"] = measure(plain)
    found[f"scope each, hook {hook}"] = measure(in_scope)
    if hook:
        found["described, hook triton"] = measure(lambda: described[(1,)](x, 16))
    began = time.perf_counter()
    proton.finalize(session)
    found[f"finalize, hook {hook} (ms)"] = (time.perf_counter() - began) * 1e3
found["no session, after"] = measure(plain)
print(json.dumps(found))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="output", help="the figures as JSON")
    parser.add_argument("--rounds", type=int, default=2, help="processes of each, in turn (2)")
    options = parser.parse_args()
    runs = {"ttkit": [], "triton": []}
    with tempfile.TemporaryDirectory() as folder:
        script = f"{folder}/overhead.py"
        with open(script, "w") as file:
            file.write(textwrap.dedent(SCRIPT))
        for _ in range(options.rounds):
            for name, made in runs.items():
                done = subprocess.run([sys.executable, script, name], capture_output=True, text=True, cwd=folder)
                if done.returncode:
                    print(f"{name}: {done.stderr.strip()[-2000:]}", file=sys.stderr)
                else:
                    made.append(json.loads(done.stdout.splitlines()[-1]))
    table = {
        name: {key: statistics.median(run[key] for run in made) for key in made[0]} if made else {}
        for name, made in runs.items()
    }
    for key in table["ttkit"] or table["triton"]:
        row = [table[name].get(key) for name in runs]
        print(f"{key:28}", *(f"{name} {value:8.2f} us" for name, value in zip(runs, row) if value is not None))
    if options.output:
        with open(options.output, "w") as file:
            file.write(as_text(table))


if __name__ == "__main__":
    main()
