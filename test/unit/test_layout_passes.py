"""Passes that choose layouts: Triton's results for the kernels of the corpus, and what lit files can't say well."""

from pathlib import Path

import pytest
from mlir import ir

import ttkit
from ttkit.dialects.ttg import MemDescType
from ttkit.inspection import collect
from ttkit.layout import to_linear_layout
from ttkit.layout.clusters import cga_bases, cga_layout, cta_splits, shape_per_cta
from ttkit.layout.encodings import Blocked, Linear, Slice
from ttkit.passes.infra.retyping import value_types
from ttkit.passes.layouts.assignment import is_bare, tensor_layout
from ttkit.passes.layouts.thread_counts import num_warps
from ttkit.passes.layouts.tmem_access_layouts import access_layout

CORPUS = Path(__file__).parents[1] / "data" / "ir"
STEPS = {  # pass -> the stage before it in Triton's pipeline
    "tritongpu-coalesce": ("convert-to-ttgpuir", "coalesce"),
}


def text_of(module):
    return module.operation.get_asm(use_local_scope=True)


def golden():
    for name, (before, after) in STEPS.items():
        for path in sorted(CORPUS.glob(f"*.{after}.ttgir")):
            source = path.with_name(path.name.replace(f".{after}.", f".{before}."))
            if source.exists():
                yield pytest.param(name, source, path, id=path.name)


@pytest.mark.parametrize("name, source, result", list(golden()))
def test_as_triton(context, name, source, result):
    module = ttkit.parse(source.read_text())
    ttkit.run_passes(module, name)
    assert text_of(module) == text_of(ttkit.parse(result.read_text()))


def test_cga_layouts():
    bases = cga_bases(ctas=(2, 4), splits=(2, 2), order=(1, 0))
    assert bases == ((0, 1), (0, 0), (1, 0))
    assert cta_splits(bases, 2) == (2, 2)
    layout = Blocked((1, 1), (1, 32), (4, 1), (1, 0), bases)
    assert cga_layout(Slice(0, layout)) == ((1,), (0,), (0,))
    assert cga_layout(Linear(((0, 1),), (), (), ((0, 2),))) == ((0, 1),)  # in CTAs, not elements
    assert shape_per_cta((64, 1), layout) == (32, 1)


TENSOR_MEMORY = sorted(CORPUS.glob("*.accelerate-matmul.ttgir")) + sorted(CORPUS.glob("*.promote-lhs-to-tmem.ttgir"))


@pytest.mark.parametrize("path", TENSOR_MEMORY, ids=lambda path: path.name)
def test_tensor_memory_is_accessed_as_in_triton(context, path):
    module = ttkit.parse(path.read_text())
    for op in collect(module.operation, ["ttng.tmem_load", "ttng.tmem_store", "ttng.tmem_alloc"]):
        values = [*op.operands, *op.results]
        tensors = [value.type for value in values if isinstance(value.type, ir.RankedTensorType)]
        (buffer,) = [value.type for value in values if isinstance(value.type, MemDescType)]
        for tensor in tensors:
            layout = access_layout(buffer, num_warps(op), cga_layout(tensor_layout(tensor)))
            assert to_linear_layout(tensor.shape, layout) == to_linear_layout(tensor.shape, tensor_layout(tensor))


def test_relayout_after_a_conversion_that_leaves_casts(context):
    buffer = "!ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>, "
    module = ttkit.parse(
        f"""
        tt.func @f(%m: {buffer} #ttng.tensor_memory, mutable>, %true: i1) {{
          %x = ttng.tmem_load %m : {buffer} #ttng.tensor_memory, mutable> -> tensor<128x64xf32>
          %y = arith.addf %x, %x : tensor<128x64xf32>
          ttng.tmem_store %y, %m, %true : tensor<128x64xf32> -> {buffer} #ttng.tensor_memory, mutable>
          tt.return
        }}"""
    )
    ttkit.run_passes(module, "convert-triton-to-tritongpu{target=cuda:100 enable-source-remat=true},relayout-tritongpu")
    types = value_types(module.operation)
    assert sum(map(is_bare, types)) == 1  # of the cast, for whoever runs both passes to remove
    assert sum(isinstance(type, ir.RankedTensorType) and "#ttg.linear" in str(type) for type in types) == 1
