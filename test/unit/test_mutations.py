"""The mutants that passes are compared with Triton's on: most are modules, and what they become is compared as said."""

import importlib.util
import random
import sys
from pathlib import Path

import pytest
from mlir import ir

import ttkit

TEST = Path(__file__).parents[1]
IR = TEST / "data" / "ir"

sys.path.insert(0, str(TEST))
from fuzz.ir_changes import MUTATIONS, mutate  # noqa: E402
from fuzz.ir_insertions import INSERTIONS  # noqa: E402


def is_module(text: str) -> bool:
    try:
        ttkit.parse(text)
    except ir.MLIRError:
        return False
    return True


@pytest.mark.parametrize("file", ["layer_norm.80.source.ttir", "matmul_f16.80.ttgir"])
def test_most_mutants_are_modules(file):
    text = (IR / file).read_text()
    with ttkit.Context():
        assert is_module(text)
        made = [mutate(random.Random(seed), text, None, (*MUTATIONS, *INSERTIONS)) for seed in range(40)]
        assert len(set(made)) > 20
        assert sum(map(is_module, made)) > 15


def test_each_insertion_finds_something_to_change():
    texts = [path.read_text() for path in sorted(IR.glob("*.90.ttgir"))[:12] + sorted(IR.glob("*.ttir"))[:12]]
    for insertion in INSERTIONS:
        assert any(insertion(random.Random(seed), text) != text for text in texts for seed in range(3)), insertion


STORES = """
tt.func @f(%p: !tt.ptr<f32>, %x: f32) {{
  {0}
  {1}
  tt.store %p, %a : !tt.ptr<f32>
  tt.store %p, %b : !tt.ptr<f32>
  tt.return
}}"""
SUM, PRODUCT = "%a = arith.addf %x, %x : f32", "%b = arith.mulf %x, %x : f32"


def test_order_of_values_does_not_count_that_of_stores_does():
    spec = importlib.util.spec_from_file_location("structure", TEST / "oracle" / "structure.py")
    assert spec is not None and spec.loader is not None
    structure = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(structure)
    with ttkit.Context():
        first, second = ttkit.parse(STORES.format(SUM, PRODUCT)), ttkit.parse(STORES.format(PRODUCT, SUM))
        stores = ttkit.parse(STORES.format(SUM.replace("%a", "%b"), PRODUCT.replace("%b", "%a")))
        assert structure.fingerprint(first) == structure.fingerprint(second)
        assert structure.fingerprint(first) != structure.fingerprint(stores)
