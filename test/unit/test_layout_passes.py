"""Passes that choose layouts: Triton's results for the kernels of the corpus, and what lit files can't say well."""

from pathlib import Path

import pytest

import ttkit
from ttkit.layout.encodings import Blocked, Linear, Slice
from ttkit.passes.layouts.clusters import cga_bases, cga_layout, cta_splits, shape_per_cta

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


@pytest.mark.parametrize("name, source, result", golden())
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
    assert cga_layout(Linear(((0, 1),), (), (), ((0, 2),))) == ((0, 2),)
    assert shape_per_cta((64, 1), layout) == (32, 1)
