"""Layouts as plain values: the attributes (`encodings`), and what they mean (`linear`).  Imports no MLIR."""

from ttkit.layout.encodings import parse_layout
from ttkit.layout.errors import UnsuitableLayout, UnsuitableShape
from ttkit.layout.linear import LinearLayout
from ttkit.layout.to_linear import to_linear_layout

__all__ = ["LinearLayout", "UnsuitableLayout", "UnsuitableShape", "parse_layout", "to_linear_layout"]
