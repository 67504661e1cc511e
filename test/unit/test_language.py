"""Kernels become the tt that Triton makes of them: test/data/language/tt has Triton's, written by
test/oracle/compare_language.py.
"""

import sys
from pathlib import Path

import pytest

TEST = Path(__file__).parents[1]
FOLDERS = (TEST / "data" / "kernels", TEST / "data" / "language")
EXPECTED = {
    path.name.removesuffix(".ttir"): path for path in sorted((TEST / "data" / "language" / "tt").glob("*.ttir"))
}

# What differs on purpose, see the comment in ttkit/language/extra/cuda/float8e4b15.py.
OWN_ASSEMBLY = {"old_eight_bits.80"}


@pytest.fixture(scope="module")
def sources():
    """The module that loads kernel files and compiles them, while `import triton` leads to ttkit."""
    before, path = dict(sys.modules), list(sys.path)
    sys.path.append(str(TEST / "oracle"))
    import kernel_sources

    kernel_sources.stand_in_for_triton()
    cases = [case for folder in FOLDERS for case in kernel_sources.load_cases(folder)]
    kernel_sources.by_name = {f"{case.name}.{arch}": (case, arch) for case in cases for arch in case.archs}
    yield kernel_sources
    sys.path[:] = path
    for name in set(sys.modules) - set(before):
        if name.partition(".")[0] in ("triton", "kernel_sources", "cases"):
            del sys.modules[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_same_operations_as_triton(name, sources):
    if name in OWN_ASSEMBLY:
        pytest.skip("ttkit has assembly of its own for fp8e4b15")
    located = name.endswith(".loc")
    module = sources.prepared_ttkit(*sources.by_name[name.removesuffix(".loc")])()
    assert sources.normalized(module, locations=located) == EXPECTED[name].read_text()


def test_every_function_of_the_language_is_in_a_kernel():
    import ttkit.language as tl
    from ttkit.language.jit_function import JITCallable

    text = "\n".join(path.read_text() for folder in FOLDERS for path in folder.glob("*.py"))
    # Triton 3.6, whose tt of those kernels is compared, has none of these.
    text += (Path(__file__).parent / "test_language_compat.py").read_text()
    functions = [name for name in tl.__all__ if getattr(getattr(tl, name), "__triton_builtin__", False)]
    functions += [name for name in tl.__all__ if isinstance(getattr(tl, name), JITCallable)]
    assert len(functions) > 100
    missing = [name for name in functions if f".{name}(" not in text]
    assert not missing, missing
