"""`tl.device_assert` by every combination of what switches it on, in processes that share a cache."""

import itertools
import json
import os
import subprocess
import sys

import pytest
from sweeps import swept

SCRIPT = """
import itertools, json, sys
import ttkit, ttkit.language as tl
from ttkit.runtime.mock_tensors import MockTensor

def asserts(x, n):
    tl.device_assert(n > 0, "positive")
    tl.store(x, n)

found = {}
for of_function, of_launch in itertools.product((None, False, True), repeat=2):
    kernel = ttkit.jit(asserts, debug=of_function) if of_function is not None else ttkit.jit(asserts)
    given = {} if of_launch is None else {"debug": of_launch}
    made = kernel.warmup(MockTensor(tl.int32), 3, grid=(1,), **given)
    found[f"{of_function} {of_launch}"] = ["tt.assert" in made.asm["ttir"], "__assertfail" in made.asm["ptx"]]
print(json.dumps(found))
"""
DEBUG = {None: False, "": False, "0": False, "off": False, "1": True, "true": True, "on": True}


@pytest.mark.parametrize(
    ("at_once", "values"),
    [(1, (None, "0", "1")), swept((1, tuple(DEBUG))), (4, ())],
    ids=["alone", "alone, all values", "four processes"],
)
def test_combinations(tmp_path, at_once, values):
    (tmp_path / "script.py").write_text(SCRIPT)
    environment = {**os.environ, "TRITON_CACHE_DIR": str(tmp_path / "cache"), "TTKIT_DEVICE": "sm_90"}
    environment.pop("TRITON_DEBUG", None)
    values = [None, "1"] * (at_once // 2) if at_once > 1 else values
    for group in [values] if at_once > 1 else [[value] for value in values]:
        started = [
            subprocess.Popen(
                [sys.executable, tmp_path / "script.py"],
                env=environment | ({} if value is None else {"TRITON_DEBUG": value}),
                stdout=subprocess.PIPE,
                text=True,
            )
            for value in group
        ]
        for value, process in zip(group, started, strict=True):
            found = json.loads(process.communicate(timeout=300)[0])
            for of_function, of_launch in itertools.product((None, False, True), repeat=2):
                # What the launch says counts in place of the function's; the variable adds to both.
                wanted = DEBUG[value] or bool(of_function if of_launch is None else of_launch)
                assert found[f"{of_function} {of_launch}"] == [wanted, wanted], (value, of_function, of_launch)
