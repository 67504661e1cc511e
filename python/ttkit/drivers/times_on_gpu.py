"""Times of a script's kernels on the GPU, by the profiler.

They come from a run of the script in a process of its own: what asks for them runs the kernels on the CPU.

    python -m ttkit.drivers.times_on_gpu FILE script.py ARGS        # writes Times as JSON
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ttkit import compat
from ttkit.profiler import sessions
from ttkit.profiler.kernel_report import Watch, report
from ttkit.profiler.profile import begin
from ttkit.profiler.roofs import Roofs, measured
from ttkit.user_scripts import run_script
from ttkit.why.times import Times


def times_on_gpu(script: str, arguments: Sequence[str]) -> Times:
    """Runs a script on the GPU, without its output.

    Raises:
        ValueError: the profiler, or the script, ended with an error; with the last line that it wrote.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "times.json")
        command = [sys.executable, "-m", "ttkit.drivers.times_on_gpu", str(path), script, *arguments]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if not path.is_file():
            raise ValueError((done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1])
        kernels, roofs = json.loads(path.read_text())
        return Times({name: (nanoseconds, count) for name, (nanoseconds, count) in kernels.items()}, Roofs(*roofs))


def main(path: str, script: str, *arguments: str) -> int:
    """Runs the script under the profiler, and writes the times; gives the script's exit code."""
    compat.install()
    session = sessions.SESSIONS[begin("why", "shadow", "tree", None, None, "triton")]
    try:
        code = run_script(script, arguments)
    finally:
        sessions.discard()  # the session now has the times of all launches
    kernels = report(session, Watch(), 0.0, None).kernels
    if code == 0:
        Path(path).write_text(json.dumps([{row.name: (row.nanoseconds, row.count) for row in kernels}, measured()]))
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
