"""What a pass refuses in a kernel is shown at the kernel's line, as an error of the language is."""

import pytest

import ttkit
import ttkit.language as tl
from ttkit.kernel_errors import TritonError


@ttkit.jit
def sums_bytes(x, out, N: tl.constexpr):
    value = tl.load(x + tl.arange(0, N)).to(tl.float8e5)
    tl.store(out, tl.sum(value))


@ttkit.jit
def many_stages(x, out, N: tl.constexpr):
    total = tl.zeros((N,), tl.float32)
    for k in tl.range(0, 100, num_stages=1000):
        total += tl.load(x + k * N + tl.arange(0, N))
    tl.store(out + tl.arange(0, N), total)


@pytest.mark.parametrize(
    ("kernel", "line", "found"),
    [
        (sums_bytes, "    tl.store(out, tl.sum(value))\n                         ^", "GPUs have no arithmetic for it"),
        (many_stages, "        total += tl.load(x + k * N + tl.arange(0, N))\n", "loops have 128 stages at most"),
    ],
)
def test_the_text_shows_the_line(kernel, line, found):
    source = ttkit.ASTSource(kernel, {"x": "*fp32", "out": "*fp32", "N": "constexpr"}, {"N": 64})
    with pytest.raises(TritonError) as raised:
        ttkit.compile(source, target=ttkit.GPUTarget("cuda", 90, 32))
    text = str(raised.value)
    assert line in text, text
    assert "test_pass_errors_at_kernel_lines.py:" in text and found in text.splitlines()[-1], text
