"""Random kernels of attention, compiled for sm_90 and run by the interpreter of ttg; those that can be are divided."""

import importlib.util

import numpy as np
import pytest
from attention_variants import Variant
from sweeps import every


@pytest.mark.parametrize("seed", every(20, range(100)))
def test_results(seed, interpreted, tmp_path):
    variant = Variant.random(seed)
    path = tmp_path / f"attention_{seed}.py"
    path.write_text(variant.text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    given = variant.arguments(seed)
    options = {"num_warps": variant.warps, "num_stages": variant.stages}
    compiled = module.kernel[(2,)](*given.values(), **options)
    result, sums = variant.expected(given)
    np.testing.assert_allclose(given["out"], result, rtol=0.02, atol=0.01)
    if variant.stores_sums:
        np.testing.assert_allclose(given["sums"], sums, rtol=0.01, atol=0.02)
    if variant.columns * variant.stages < 3 * 128:  # three slots fit into shared memory in some kernels only
        spills = variant.warps == 4 and variant.columns == 128 and variant.stages > 1  # then it may load vectors too
        loads_more = {"bias"} & {*variant.options} if spills else {"bias", "keys"} & {*variant.options}
        assert ("partition1(" in compiled.asm["ttgir"]) == (not loads_more)
