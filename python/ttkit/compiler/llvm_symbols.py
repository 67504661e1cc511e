"""Functions and variables of LLVM modules: their names and addresses, and names that PTX can have."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from ctypes import c_size_t
from typing import Any

from ttkit.compiler.llvm_api import c_api

_UNWRITABLE = re.compile(r"^(?=[0-9])|[^A-Za-z0-9_$.@]")
_ALL_UNWRITABLE = re.compile(r"^(?=[0-9])|[^A-Za-z0-9_$]")
"""What names in PTX can't have.  In names of the module's own LLVM itself replaces dots and @."""
_LOCAL = (8, 9)  # LLVMInternalLinkage, LLVMPrivateLinkage


def functions(module: Any) -> Iterator[tuple[str, int, bool]]:
    """Name, address and whether it is only declared, of each function."""
    api = c_api()
    for function in addresses(module):
        yield _name(api, function), function, bool(api.LLVMIsDeclaration(function))


def addresses(module: Any) -> Iterator[int]:
    """The address of each function."""
    api = c_api()
    function = api.LLVMGetFirstFunction(module)
    while function:
        yield function
        function = api.LLVMGetNextFunction(function)


def escape_names(module: Any) -> None:
    """Renames what PTX has no letters for, which LLVM ends the process on: `я` becomes `_u44f_`.

    LLVM renames dots in names that only this module knows, as it does for Triton.  The names of external functions
    stay.
    """
    api = c_api()
    for kind in ("Function", "Global"):
        symbol = getattr(api, f"LLVMGetFirst{kind}")(module)
        while symbol:
            name = _name(api, symbol)
            left = api.LLVMIsDeclaration(symbol) or api.LLVMGetLinkage(symbol) in _LOCAL
            unwritable = _UNWRITABLE if left else _ALL_UNWRITABLE
            if not name.startswith("llvm.") and (escaped := unwritable.sub(_escape, name)) != name:
                api.LLVMSetValueName2(symbol, escaped.encode(), len(escaped))
            symbol = getattr(api, f"LLVMGetNext{kind}")(symbol)


def _escape(found: re.Match[str]) -> str:
    return f"_u{ord(found[0]):x}_" if found[0] else "_"


def _name(api: Any, value: int) -> str:
    """The name of a function or a variable; bytes that are not UTF-8 as surrogates."""
    size = c_size_t()
    text = api.LLVMGetValueName2(value, ctypes.byref(size))
    return ctypes.string_at(text, size.value).decode(errors="surrogateescape")
