"""The examples in Gluon run in the interpreter: results of several shapes, and of rings of several depths."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from ttkit.runtime import driver

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def load(tmp_path_factory, monkeypatch):
    """Loads an example, for a GPU that the interpreter stands in for."""
    before = set(sys.modules)
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "gluon"))
    monkeypatch.syspath_prepend(str(EXAMPLES))

    def loaded(name, device):
        monkeypatch.setenv("TTKIT_DEVICE", f"interpret:{device}")
        driver.reset_active()
        return importlib.import_module(name)

    yield loaded
    driver.reset_active()
    for name in {"showing", *(name for name in sys.modules if name.startswith("gluon_"))} - before:
        sys.modules.pop(name, None)


def numbers(*shape):
    return np.random.default_rng(0).standard_normal(shape).astype(np.float16)


@pytest.mark.parametrize(
    ("name", "device"),
    [
        ("gluon_tma_copy", "sm_90"),
        ("gluon_wgmma", "sm_90"),
        ("gluon_warp_roles", "sm_90"),
        ("gluon_attention", "sm_90"),
        ("gluon_tcgen05", "sm_100"),
    ],
)
def test_examples_run(name, device, load):
    load(name, device).main()


@pytest.mark.parametrize("stages", [2, 3, 5])
@pytest.mark.parametrize(
    ("name", "device"), [("gluon_wgmma", "sm_90"), ("gluon_warp_roles", "sm_90"), ("gluon_tcgen05", "sm_100")]
)
def test_products_with_rings_of_several_depths(name, device, stages, load):
    a, b = numbers(64, 200), numbers(32, 200)
    blocks = {"M": 128} if name == "gluon_tcgen05" else {"M": 64}
    found = load(name, device).product(a, b, **blocks, N=32, K=64, STAGES=stages)
    assert np.allclose(found, a.astype(np.float32) @ b.T.astype(np.float32), atol=2e-2, rtol=1e-2)
