"""A kernel in ttg beside the lowered code of another kernel, which does something else: none is proved.

`test/data/wrong_pairs/tensors.mlir` has the kernels.  Promises in ttg that the lowering drops are left out.
"""

from __future__ import annotations

import re

import pytest
from sweeps import every
from test_lowering_proofs import proved, sides_of
from test_wrong_pairs import pairs

from ttkit.validation.functions import OPEN, PROVED

PROMISES = re.compile("promise|fast math|infinity")
PAIRS = {kind: sides for kind, sides in pairs("tensors").items() if not PROMISES.search(kind)}


@pytest.mark.parametrize("kind", every(9, PAIRS))
def test_lowered_code_of_another_kernel_is_open(kind):
    (kernel, right), (_, wrong) = (sides_of(side, 90) for side in PAIRS[kind])
    assert proved(kernel, wrong).outcome == OPEN
    assert proved(kernel, right).outcome == PROVED or "overlap" in kind
