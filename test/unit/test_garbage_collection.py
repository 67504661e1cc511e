"""The collector rests, and comes back as it was."""

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from ttkit import garbage_collection


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_as_before_also_after_an_error(enabled: bool) -> None:
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        with pytest.raises(KeyError), garbage_collection.paused():
            assert not gc.isenabled()
            raise KeyError
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_what_the_first_pause_brings_is_old_at_once() -> None:
    program = """
import gc
from ttkit import garbage_collection
young = []
gc.callbacks.append(lambda phase, info: young.append(len(gc.get_objects(generation=0))))
for is_first in (True, False):
    young.clear()
    with garbage_collection.paused():
        kept = [[] for _ in range(100_000)]
    more = [[] for _ in range(2000)]
    assert (max(young) < 50_000) == is_first, young
"""
    subprocess.run([sys.executable, "-c", program], check=True)


HOLD = '''
import gc
import subprocess
import sys
from pathlib import Path
from ttkit import Pass

class Hold(Pass):
    """Collect garbage of the inputs before, and none of this one"""
    name = "hold-garbage"
    def run(self, op):
        gc.collect()
        gc.disable()
'''


def test_what_passes_leave_behind_outlives_its_context(tmp_path: Path) -> None:
    """Each part of a file has a context of its own, which is gone when the collector comes."""
    (tmp_path / "hold.py").write_text(HOLD)
    file = Path(__file__).parents[1] / "lit" / "passes" / "optimize_partition_warps.mlir"
    passes = ["--allow-unregistered-dialect", "--hold-garbage", "--tritongpu-optimize-partition-warps"]
    command = [sys.executable, "-m", "ttkit.drivers.opt", f"--load-pass={tmp_path / 'hold.py'}", str(file)]
    done = subprocess.run([*command, "--split-input-file", *passes], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
