"""What all tests of pytest need: the files of test/data, by which tests are collected, and numpy on one thread."""

import os
import sys
from pathlib import Path

# Before numpy is loaded, and for the processes that tests start.  Matrices of tests are small, and tests run on all
# cores: OpenBLAS's threads wait for each other in loops, which doubled the CPU time of tests of matrix products.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

sys.path.append(str(Path(__file__).parent / "data"))
import archives

for each in archives.FOLDERS:
    archives.unpack(each)
