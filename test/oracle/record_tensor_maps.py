"""Records what Triton tells launchers of tensor descriptors, beside their types in ttg: test/data/tensor_maps.json.

    PYTHON_WITH_TRITON test/oracle/record_tensor_maps.py

No GPU is needed.  test/unit/test_tensor_maps.py compares ttkit with the file.
"""

import json
import re
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

DATA = Path(__file__).resolve().parents[1] / "data"


@triton.jit
def copy_1d(a, b, SHAPE: tl.constexpr):
    i = tl.program_id(0) * 16
    b.store([i], a.load([i]))


@triton.jit
def copy_2d(a, b, SHAPE: tl.constexpr):
    i = tl.program_id(0) * 16
    b.store([i, 0], a.load([i, 0]))


@triton.jit
def copy_3d(a, b, SHAPE: tl.constexpr):
    i = tl.program_id(0) * 16
    b.store([i, 0, 0], a.load([i, 0, 0]))


@triton.jit
def product(a, b, SHAPE: tl.constexpr):
    x, y = a.load([0, 0]), b.load([0, 0])
    acc = tl.dot(x, tl.trans(y), out_dtype=tl.float32)
    b.store([0, 0], tl.sum(acc, 1)[:, None].broadcast_to(y.shape).to(b.dtype))


KERNELS = {1: copy_1d, 2: copy_2d, 3: copy_3d}
DTYPES = "fp16 bf16 fp32 fp64 i8 u8 i16 u16 i32 u32 i64 u64 fp8e4nv fp8e5".split()
SHAPES = ([64], [512], [64, 32], [32, 128], [8, 16], [512, 16], [4, 8, 32], [2, 16, 64])


def record(kernel, name, dtype, shape, num_ctas):
    """The types of a kernel's descriptors, and what Triton tells launchers of them."""
    kind = f"tensordesc<{dtype}{shape}>"
    source = ASTSource(kernel, {"a": kind, "b": kind, "SHAPE": "constexpr"}, {"SHAPE": 0})
    compiled = triton.compile(source, GPUTarget("cuda", 90, 32), {"num_ctas": num_ctas})
    ttg = compiled.asm["ttgir"]
    (head,) = re.findall(r"tt\.func public @[^(]*\(([^\n]*?)\) attributes", ttg)
    types = re.findall(r"%(\w+): (!tt\.tensordesc<tensor<.*?>>)[ ,)]", head)
    aliases = re.findall(r"^(#\w+) = (#ttg[^\n]*)$", ttg, re.MULTILINE)
    return {
        "name": name,
        "aliases": aliases,
        "types": [kind for _, kind in types],
        "meta": compiled.metadata.tensordesc_meta,
    }


def main():
    wanted = [(KERNELS[len(shape)], f"{dtype}{shape}", dtype, shape, 1) for dtype in DTYPES for shape in SHAPES]
    for shape, ctas in (([128, 64], 1), ([128, 128], 2), ([64, 64], 1)):
        wanted += [(product, f"product {dtype}{shape} {ctas}", dtype, shape, ctas) for dtype in ("fp16", "fp8e4nv")]
    found = []
    for kernel, name, dtype, shape, ctas in wanted:
        try:
            found.append(record(kernel, name, dtype, shape, ctas))
        except Exception as error:  # a block too small for TMA, say
            print(name, str(error)[:100])
    lines = ",\n".join(json.dumps(one) for one in found)
    (DATA / "tensor_maps.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
