"""Writes the C ABI of libttkit as ctypes sees it, from its header.

    python signatures.py HEADER OUTPUT

OUTPUT (ttkit/_signatures.py) gets SIGNATURES, the result and the parameters of each function, and a type of ctypes for
each structure and callback, whose names lose `Ttkit`.
"""

import re
import sys
from pathlib import Path

START = '''"""The C ABI of libttkit for ctypes (made of dialects/capi/ttkit.h by dialects/python/signatures.py).

Handles of MLIR are structures of one pointer, which are passed as a pointer is: types, attributes, contexts, arrays and
all results are given as numbers here, other parameters as `Handle`.
"""

from __future__ import annotations

import ctypes

TYPE_CHECKING = False  # as of typing, whose import would take a tenth of tt-opt's start
if TYPE_CHECKING:
    from typing import Any


class Handle(ctypes.Structure):
    """An MLIR C API handle: MlirOperation, MlirValue, MlirPassManager... are all one pointer."""

    _fields_ = [("pointer", ctypes.c_void_p)]


class StringRef(ctypes.Structure):
    """MlirStringRef."""

    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]


StringCallback = ctypes.CFUNCTYPE(None, StringRef, ctypes.c_void_p)
'''
TYPES = {
    "void": "None",
    "intptr_t": "ctypes.c_ssize_t",
    "unsigned": "ctypes.c_uint",
    "char*": "ctypes.c_char_p",
    "MlirStringCallback": "StringCallback",
    **{name: f"ctypes.c_{name}" for name in ("bool", "int", "double", "size_t")},
    **{f"{name}_t": f"ctypes.c_{name}" for name in ("int64", "uint64")},
    **{f"Mlir{name}": "ctypes.c_void_p" for name in ("Type", "TypeID", "Attribute", "Context")},
    **{f"Mlir{name}": "Handle" for name in ("Operation", "Block", "Value", "DialectRegistry", "PassManager")},
    **{f"Mlir{name}*": "ctypes.POINTER(ctypes.c_void_p)" for name in ("Operation", "Value")},
}
RESULTS = TYPES | {"MlirOperation": "ctypes.c_void_p"}  # of a structure ctypes would make an object


class Header:
    """The declarations of a C header in which every callback has a name."""

    def __init__(self, text: str) -> None:
        self.text = re.sub(r"//[^\n]*|^#.*|\bconst\b", "", text, flags=re.MULTILINE)
        self.named = dict.fromkeys(re.findall(r"typedef enum \{[^{}]*\} (\w+);", self.text), "ctypes.c_int")
        self.opaque = {"void", *re.findall(r"typedef struct (\w+) \1;", self.text)}

    def type(self, text: str, types: dict[str, str] = TYPES) -> str:
        """The expression for a C type.

        Raises:
            ValueError: it is not known.
        """
        text = text.replace(" ", "")
        if text in types or text in self.named:
            return types.get(text) or self.named[text]
        if not text.endswith("*"):
            raise ValueError(f"ttkit.h: the type {text} is not in TYPES")
        if text[:-1] in self.opaque:
            return "ctypes.c_void_p"
        return f"ctypes.POINTER({self.type(text[:-1], types)})"

    def declared(self, text: str) -> tuple[str, str]:
        """The name and the type of a parameter or field."""
        found = re.fullmatch(r"(.*?[\s*])(\w+)", text.strip(), re.DOTALL)
        assert found is not None, text
        return found[2], self.type(re.sub(r"\s", "", found[1]))

    def parameters(self, text: str) -> list[str]:
        """The types of parameters."""
        return [self.declared(part)[1] for part in text.split(",") if part.strip() not in ("", "void")]

    def types(self) -> str:
        """Callbacks and structures, in their order."""
        made = ""
        pattern = r"typedef (\w+) \(\*(\w+)\)\(([^()]*)\);|typedef struct \{([^{}]*)\} (\w+);"
        for result, callback, parameters, fields, structure in re.findall(pattern, self.text):
            name = (callback or structure).removeprefix("Ttkit")
            self.named[callback or structure] = name
            if callback:
                types = ", ".join([self.type(result), *self.parameters(parameters)])
                made += f"\n\n{name} = ctypes.CFUNCTYPE({types})\n"
            else:
                lines = [self.declared(field) for field in fields.split(";") if field.strip()]
                snake = [(re.sub(r"[A-Z]", lambda found: "_" + found[0].lower(), field), type) for field, type in lines]
                listed = "".join(f'        ("{field}", {type}),\n' for field, type in snake)
                made += f'\n\nclass {name}(ctypes.Structure):\n    """{structure}."""\n\n'
                made += f"    _fields_ = [\n{listed}    ]\n"
        return made

    def functions(self) -> str:
        """The table of functions."""
        rows = ""
        for result, name, parameters in re.findall(r"TTKIT_EXPORT\s+([\w\s*]+?)(ttkit\w+)\(([^()]*)\);", self.text):
            types = ", ".join(self.parameters(parameters))
            rows += f'    "{name}": ({self.type("".join(result.split()), RESULTS)}, [{types}]),\n'
        return f"\n\nSIGNATURES: dict[str, tuple[Any, list[Any]]] = {{\n{rows}}}\n"


if __name__ == "__main__":
    header = Header(Path(sys.argv[1]).read_text())
    Path(sys.argv[2]).write_text(START + header.types() + header.functions())
