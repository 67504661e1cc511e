"""The kernels in Gluon of test/data, and what compares them with Triton's ttgir."""

import sys
from contextlib import contextmanager
from pathlib import Path

from ttkit import compat

TEST = Path(__file__).parents[1]


@contextmanager
def loaded_cases(version=None, **given):
    """test/oracle/compare_gluon.py and the cases that it loads, while `import triton` leads to ttkit.

    Args:
        version: of Triton's that `import triton` has.
        given: of `load_cases`.
    """
    before, path = dict(sys.modules), list(sys.path)
    compat.install(children=False, **({} if version is None else {"version": version}))
    sys.path[:0] = [str(TEST / "oracle")]
    import compare_gluon

    yield compare_gluon, compare_gluon.load_cases(**given)
    compat.uninstall()
    sys.path[:] = path
    for name in set(sys.modules) - set(before):
        if name.partition(".")[0] in ("triton", "compare_gluon", "cases"):
            del sys.modules[name]
