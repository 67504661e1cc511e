"""Layouts, conversions and accesses as Triton 3.6 has them.

data/triton_layouts.json has a case a line: a function of layout_answers, its arguments and Triton's answer.
`../oracle/layouts.py --record` makes it.
"""

import json
from pathlib import Path

import layout_answers
import pytest

CASES = json.loads((Path(__file__).parent / "data" / "triton_layouts.json").read_text())


@pytest.mark.parametrize("name", sorted({name for name, _, _ in CASES}))
def test_same_as_triton(name):
    answer = getattr(layout_answers, name)
    cases = [(arguments, expected) for which, arguments, expected in CASES if which == name]
    assert len(cases) >= 20
    different = [(case, answer(*case), expected) for case, expected in cases if answer(*case) != expected]
    assert not different, f"{len(different)} of {len(cases)} differ, the first: {different[0]}"
