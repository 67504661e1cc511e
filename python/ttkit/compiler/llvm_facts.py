"""Facts of a kernel as named metadata of its LLVM IR, through LLVM's C API."""

from __future__ import annotations

import ctypes
from ctypes import c_void_p

from ttkit._native import array_type
from ttkit.analysis.kernel_facts import FACTS, KernelFacts
from ttkit.compiler.llvm_api import c_api

_KEY = FACTS.encode()


def write_facts(context: int, module: int, facts: KernelFacts) -> None:
    """Adds `!ttkit.facts` to a module without one, unless no fact holds."""
    api, names = c_api(), [name.encode() for name in facts.names()]
    if names:
        found = [api.LLVMMDStringInContext2(context, name, len(name)) for name in names]
        texts = array_type(c_void_p, len(names))(*found)
        node = api.LLVMMDNodeInContext2(context, texts, len(names))
        api.LLVMAddNamedMetadataOperand(module, _KEY, api.LLVMMetadataAsValue(context, node))


def read_facts(module: int) -> KernelFacts:
    """The facts of a module; none if it has no `!ttkit.facts`."""
    api, names = c_api(), list[str]()
    nodes = array_type(c_void_p, api.LLVMGetNamedMetadataNumOperands(module, _KEY))()
    api.LLVMGetNamedMetadataOperands(module, _KEY, nodes)
    for node in nodes:
        texts = array_type(c_void_p, api.LLVMGetMDNodeNumOperands(node))()
        api.LLVMGetMDNodeOperands(node, texts)
        for text in texts:
            size = ctypes.c_uint()
            found = api.LLVMGetMDString(text, ctypes.byref(size)) if text else None
            if found is not None:
                names.append(found.decode(errors="replace"))
    return KernelFacts.named(names)
