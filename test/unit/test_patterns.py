"""`ttkit.patterns.pattern` does what `re.compile` does, at its first use."""

from __future__ import annotations

import re

import pytest

from ttkit.patterns import pattern


def test_as_compiled() -> None:
    made = pattern(r"(\d+)x", re.IGNORECASE)
    assert made.findall("4X 5x") == ["4", "5"]
    assert (made.groups, made.pattern, made.sub("", "1x2")) == (1, r"(\d+)x", "2")


def test_compiled_at_first_use() -> None:
    wrong = pattern("(")
    with pytest.raises(re.error):
        wrong.match("")
