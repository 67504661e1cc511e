"""Bugs of passes in IR that they left: none is proved, and the right IR is."""

from __future__ import annotations

import pytest
from edited_passes import edits, files, text_of, verdict
from sweeps import every

from ttkit.validation.functions import PROVED, REFUTED

EDITS = list(edits())
QUICK = ("reuse_carried_layouts", "converted_after", "carry_base_pointers", "f32_to_e4m3", "f64_to_e5m2")
UNSEEN = ("carry_base_pointers: an iteration reads from the pointer of the next one",)
"""Bugs that read what was not read before, and change no result."""


def test_there_are_forty_bugs():
    assert len({one.name for one in EDITS}) == len(EDITS) >= 40
    assert {one.file for one in EDITS} == set(files())


@pytest.mark.parametrize("file", files())
def test_what_a_pass_left_is_proved(file):
    found = verdict(text_of(file, "before"), text_of(file, "after"), False)
    assert found.outcome == PROVED, str(found)


@pytest.mark.parametrize("edit", every(3, EDITS), ids=lambda edit: edit.name)
def test_no_bug_of_a_pass_is_proved(edit):
    found = verdict(text_of(edit.file, "before"), edit.text(), False)
    assert found.outcome != PROVED, str(found)


@pytest.mark.parametrize(
    "edit", every(3, [one for one in EDITS if one.file in QUICK and one.name not in UNSEEN]), ids=lambda edit: edit.name
)
def test_bugs_of_small_kernels_are_refuted(edit):
    found = verdict(text_of(edit.file, "before"), edit.text(), True)
    assert found.outcome == REFUTED, str(found)
