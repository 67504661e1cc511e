"""What all tests of pytest need: the files of test/data, by which tests are collected."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "data"))
import archives

for each in archives.FOLDERS:
    archives.unpack(each)
