"""Constants, loops and kernels that are too large to compile are refused in time, with the kernel's line."""

import time
from types import ModuleType

import pytest

from ttkit import Context
from ttkit.frontend import bounded_builder
from ttkit.frontend.errors import CompilationError
from ttkit.frontend.source import ASTSource
from ttkit.target import GPUTarget

HEAD = "from ttkit import jit\nimport ttkit.language as tl\n@jit\ndef kernel(p, n):\n"


def built(body, tmp_path):
    """A kernel of these statements, in tt, and the CPU seconds that it took."""
    path = tmp_path / "large_kernel.py"
    path.write_text(HEAD + body)
    module = ModuleType("large_kernel")
    exec(compile(path.read_text(), path, "exec"), module.__dict__)
    start = time.process_time()
    with Context():
        made = ASTSource(module.kernel, {"p": "*i32", "n": "i32"}).make_ir(GPUTarget("cuda", 90, 32))
        return str(made), time.process_time() - start


@pytest.mark.parametrize(
    "constant",
    [
        "9**9**9**9",
        "(-3) ** (10**9)",
        "1 << (1 << 40)",
        "(1 << 40000) * (1 << 40000)",
        "'a' * 10**12",
        "10**12 * 'a'",
        "(1, 2) * 10**12",
        "(1,) * 131073 + (1,) * 131073",
        "'%1000000000000d' % 5",
        "f'{9:>1000000000000}'",
    ],
)
def test_large_constants_are_refused(constant, tmp_path):
    with pytest.raises(CompilationError, match=r"(?s)at 2:.*the constant would have \d+ (bits|items); at most \d+"):
        built(f"    x: tl.constexpr = {constant}\n    tl.store(p, n)\n", tmp_path)


@pytest.mark.parametrize(
    "constant",
    ["2**-5", "1**9**9", "0 << 10**30", "1 >> (1 << 60)", "'a' * -5", "(1,) * 100000", "(1 << 60000) + 1", "'%5d' % 5"],
)
def test_other_constants_stay(constant, tmp_path):
    text, seconds = built(f"    x: tl.constexpr = {constant}\n    tl.store(p, n)\n", tmp_path)
    assert "tt.store" in text and seconds < 5


@pytest.mark.parametrize("option", ["loop_unroll_factor", "num_stages"])
@pytest.mark.parametrize("value", ["2**63", "2**31", "-2**40"])
def test_options_of_loops_are_integers_of_32_bits(option, value, tmp_path):
    with pytest.raises(
        CompilationError, match=rf"(?s)at 2:4:.*{option} of tl\.range is .* not fit into a signed integer of 32"
    ):
        built(f"    for i in tl.range(0, n, {option}={value}):\n        tl.store(p + i, i)\n", tmp_path)


def test_very_many_operations_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(bounded_builder, "MOST_OPERATIONS", 1000)
    lines = "".join(f"    tl.store(p + {i}, {i})\n" for i in range(500))
    with pytest.raises(CompilationError, match=r"(?s)at 25\d:.*the kernel exceeds the limit of 1000 operations"):
        built(lines, tmp_path)
    nest = "".join(f"{'    ' * level}for i{level} in range(n):\n" for level in range(1, 15))
    with pytest.raises(CompilationError, match="each level of nested loops doubles the count"):
        built(f"{nest}{'    ' * 15}tl.store(p, n)\n", tmp_path)


def test_time_is_linear_in_lines(tmp_path):
    seconds = []
    for count in (1000, 8000):
        lines = "".join(f"    if n > {i}:\n        tl.store(p + {i}, {i})\n" for i in range(count))
        seconds.append(built(lines, tmp_path)[1])
    assert seconds[1] < 24 * seconds[0] + 1
