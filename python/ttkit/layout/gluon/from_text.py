"""Layouts of shared memory from their repr, which types of tensor descriptors in signatures have."""

from __future__ import annotations

import ast

from ttkit.layout.gluon.base import SharedLayout
from ttkit.layout.gluon.shared_layouts import (
    NVMMASharedLayout,
    PaddedSharedLayout,
    SharedLinearLayout,
    SwizzledSharedLayout,
)

_CLASSES = {
    one.__name__: one for one in (NVMMASharedLayout, PaddedSharedLayout, SharedLinearLayout, SwizzledSharedLayout)
}


def layout_of_text(text: str) -> SharedLayout:
    """The layout whose repr is `text`.

    Raises:
        ValueError: the text is none, or its fields do not go together.
    """
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        call = None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in _CLASSES:
        raise ValueError(f"expected one of {', '.join(_CLASSES)} with its fields, found {text!r}")
    try:
        arguments = [ast.literal_eval(each) for each in call.args]
        fields = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
        made: SharedLayout = _CLASSES[call.func.id](*arguments, **fields)
    except TypeError as error:
        raise ValueError(f"{error}, in {text!r}") from None
    return made
