"""The C API of the libLLVM that MLIR itself uses: its functions, its contexts, and what it finds wrong."""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Iterator
from ctypes import c_char_p, c_int, c_size_t, c_void_p
from enum import IntEnum
from typing import Any

import ttkit.locks as locks
from ttkit._native import library
from ttkit.tuning.llvm import CONSTANTS_OF_A_SELECT


class LLVMError(RuntimeError):
    """LLVM found the module or its text wrong."""


class Opcode(IntEnum):
    """Values of LLVMOpcode: the instructions that ttkit looks for."""

    ADD, SUB, MUL = 8, 10, 12
    SHL, LSHR, ASHR = 20, 21, 22
    AND, OR, XOR = 23, 24, 25
    GEP = 29
    TRUNC, ZEXT, SEXT, BITCAST = 30, 31, 32, 41
    ICMP, FCMP, PHI, SELECT = 42, 43, 44, 46
    EXTRACT_ELEMENT, INSERT_ELEMENT, SHUFFLE_VECTOR = 50, 51, 52


# Functions of one handle, by what they give.
_OF_HANDLES: dict[Any, str] = {
    None: """
        mlirRegisterAllLLVMTranslations LLVMContextDispose LLVMDisposeModule LLVMDisposeMessage LLVMDisposeBuilder
        LLVMDisposeTargetMachine LLVMDisposeTargetData LLVMDisposePassBuilderOptions LLVMDisposeErrorMessage
        LLVMDisposeMemoryBuffer LLVMInstructionEraseFromParent LLVMInstructionRemoveFromParent
    """,
    c_int: """
        LLVMGetDiagInfoSeverity LLVMGetInstructionOpcode LLVMGetNumOperands LLVMCanValueUseFastMathFlags
        LLVMIsDeclaration LLVMGetLinkage LLVMStripModuleDebugInfo LLVMGetTypeKind LLVMGetVectorSize LLVMIsConstant
        LLVMGetICmpPredicate LLVMGetNumSuccessors
    """,
    c_void_p: """
        LLVMGetDiagInfoDescription LLVMGetFirstFunction LLVMGetNextFunction LLVMGetFirstGlobal LLVMGetNextGlobal
        LLVMGetFirstBasicBlock LLVMGetNextBasicBlock LLVMGetFirstInstruction LLVMGetNextInstruction
        LLVMCreateBuilderInContext LLVMValueAsMetadata LLVMInt32TypeInContext LLVMCreateTargetDataLayout
        LLVMGetErrorMessage LLVMPrintModuleToString LLVMGetBufferStart LLVMGetFirstUse LLVMGetNextUse LLVMGetUser
        LLVMTypeOf LLVMGetElementType LLVMIsAInstruction LLVMIsAConstantInt LLVMGetPoison
        LLVMGetEntryBasicBlock LLVMGetBasicBlockTerminator LLVMGetInstructionParent LLVMInstructionClone
        LLVMInstructionGetDebugLoc
    """,
}
BRANCHES_FLAG = "-two-entry-phi-node-folding-threshold"
_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    **{name: (result, [c_void_p]) for result, names in _OF_HANDLES.items() for name in names.split()},
    "mlirTranslateModuleToLLVMIR": (c_void_p, [c_void_p, c_void_p]),
    "LLVMContextCreate": (c_void_p, []),
    "LLVMContextSetDiagnosticHandler": (None, [c_void_p, c_void_p, c_void_p]),
    "LLVMCreateMemoryBufferWithMemoryRangeCopy": (c_void_p, [c_char_p, c_size_t, c_char_p]),
    "LLVMCreateMemoryBufferWithContentsOfFile": (c_int, [c_char_p, c_void_p, c_void_p]),
    "LLVMParseIRInContext": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "LLVMGetBitcodeModuleInContext2": (c_int, [c_void_p, c_void_p, c_void_p]),
    "LLVMLinkModules2": (c_int, [c_void_p, c_void_p]),
    "LLVMContextSetDiscardValueNames": (None, [c_void_p, c_int]),
    "LLVMSetTarget": (None, [c_void_p, c_char_p]),
    "LLVMGetDataLayoutStr": (c_char_p, [c_void_p]),
    "LLVMSetDataLayout": (None, [c_void_p, c_char_p]),
    "LLVMGetValueName2": (c_void_p, [c_void_p, c_void_p]),
    "LLVMSetValueName2": (None, [c_void_p, c_char_p, c_size_t]),
    "LLVMGetOperand": (c_void_p, [c_void_p, ctypes.c_uint]),
    "LLVMSetOperand": (None, [c_void_p, ctypes.c_uint, c_void_p]),
    "LLVMReplaceAllUsesWith": (None, [c_void_p, c_void_p]),
    "LLVMPositionBuilderBefore": (None, [c_void_p, c_void_p]),
    "LLVMPositionBuilderAtEnd": (None, [c_void_p, c_void_p]),
    "LLVMSetCurrentDebugLocation2": (None, [c_void_p, c_void_p]),
    "LLVMGetSuccessor": (c_void_p, [c_void_p, ctypes.c_uint]),
    "LLVMInsertIntoBuilder": (None, [c_void_p, c_void_p]),
    "LLVMBuildFreeze": (c_void_p, [c_void_p, c_void_p, c_char_p]),
    "LLVMBuildICmp": (c_void_p, [c_void_p, c_int, c_void_p, c_void_p, c_char_p]),
    "LLVMBuildBinOp": (c_void_p, [c_void_p, c_int, c_void_p, c_void_p, c_char_p]),
    "LLVMBuildCast": (c_void_p, [c_void_p, c_int, c_void_p, c_void_p, c_char_p]),
    "LLVMBuildExtractElement": (c_void_p, [c_void_p, c_void_p, c_void_p, c_char_p]),
    "LLVMBuildInsertElement": (c_void_p, [c_void_p, c_void_p, c_void_p, c_void_p, c_char_p]),
    "LLVMGetAggregateElement": (c_void_p, [c_void_p, ctypes.c_uint]),
    "LLVMGetMaskValue": (c_int, [c_void_p, ctypes.c_uint]),
    "LLVMConstIntGetZExtValue": (ctypes.c_ulonglong, [c_void_p]),
    "LLVMSetFastMathFlags": (None, [c_void_p, ctypes.c_uint]),
    "LLVMSetLinkage": (None, [c_void_p, c_int]),
    "LLVMAddModuleFlag": (None, [c_void_p, c_int, c_char_p, c_size_t, c_void_p]),
    "LLVMGetNamedMetadataNumOperands": (ctypes.c_uint, [c_void_p, c_char_p]),
    "LLVMGetNamedMetadataOperands": (None, [c_void_p, c_char_p, c_void_p]),
    "LLVMAddNamedMetadataOperand": (None, [c_void_p, c_char_p, c_void_p]),
    "LLVMGetMDNodeNumOperands": (ctypes.c_uint, [c_void_p]),
    "LLVMGetMDNodeOperands": (None, [c_void_p, c_void_p]),
    "LLVMGetMDString": (c_char_p, [c_void_p, c_void_p]),
    "LLVMReplaceMDNodeOperandWith": (None, [c_void_p, ctypes.c_uint, c_void_p]),
    "LLVMConstInt": (c_void_p, [c_void_p, ctypes.c_ulonglong, c_int]),
    "LLVMGetNamedFunction": (c_void_p, [c_void_p, c_char_p]),
    "LLVMGetMDKindIDInContext": (ctypes.c_uint, [c_void_p, c_char_p, ctypes.c_uint]),
    "LLVMMDStringInContext2": (c_void_p, [c_void_p, c_char_p, c_size_t]),
    "LLVMMDNodeInContext2": (c_void_p, [c_void_p, c_void_p, c_size_t]),
    "LLVMMetadataAsValue": (c_void_p, [c_void_p, c_void_p]),
    "LLVMSetMetadata": (None, [c_void_p, ctypes.c_uint, c_void_p]),
    "LLVMGetTargetFromTriple": (c_int, [c_char_p, c_void_p, c_void_p]),
    "LLVMCreateTargetMachine": (c_void_p, [c_void_p, c_char_p, c_char_p, c_char_p, c_int, c_int, c_int]),
    "LLVMSetModuleDataLayout": (None, [c_void_p, c_void_p]),
    "LLVMCreatePassBuilderOptions": (c_void_p, []),
    "LLVMRunPasses": (c_void_p, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "LLVMTargetMachineEmitToMemoryBuffer": (c_int, [c_void_p, c_void_p, c_int, c_void_p, c_void_p]),
    "LLVMGetBufferSize": (c_size_t, [c_void_p]),
    "LLVMVerifyModule": (c_int, [c_void_p, c_int, c_void_p]),
    "LLVMGetEnumAttributeKindForName": (ctypes.c_uint, [c_char_p, c_size_t]),
    "LLVMCreateEnumAttribute": (c_void_p, [c_void_p, ctypes.c_uint, ctypes.c_uint64]),
    "LLVMAddAttributeAtIndex": (None, [c_void_p, ctypes.c_uint, c_void_p]),
    "LLVMRemoveEnumAttributeAtIndex": (None, [c_void_p, ctypes.c_uint, ctypes.c_uint]),
    "LLVMParseCommandLineOptions": (None, [c_int, ctypes.POINTER(c_char_p), c_char_p]),
}


_initializing = locks.lock()
_LONG = ("LLVMRunPasses", "LLVMTargetMachineEmitToMemoryBuffer")
"""Functions that run without the interpreter's lock: contexts are apart, and threads optimize at the same time."""


@functools.cache
def c_api() -> Any:
    """The C API of MLIR and LLVM, with the NVPTX target ready."""
    with _initializing:
        return _initialized()


@functools.cache
def _initialized() -> Any:
    lib = ctypes.PyDLL(None, handle=library()._handle)  # finds the symbols of what libttkit is linked with
    unlocked = ctypes.CDLL(None, handle=lib._handle)
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(unlocked if name in _LONG else lib, name)
        setattr(lib, name, function)
        function.restype, function.argtypes = result, arguments
    for part in ("TargetInfo", "Target", "TargetMC", "AsmPrinter"):
        getattr(lib, f"LLVMInitializeNVPTX{part}")()
    # As Triton does: a 32-bit product that is widened and added becomes one mad.wide.
    # And pointers to shared memory have 32 bits.
    # Loops whose number of iterations is not known stay loops: ptxas unrolls them where that pays.
    # Sums that are partly known are not made where they aren't: that splits the edge around a loop, the accumulators of
    # products get their zeros on it, and ptxas then serializes the products (C7515).
    # A branch around several constants stays one, as in Triton's LLVM: ptxas makes predicated moves of it, on two pipes
    # where selects have one.
    branches = f"{BRANCHES_FLAG}={CONSTANTS_OF_A_SELECT}"
    # The SLP vectorizer, which is to find pairs, tries groups of up to 64 elements.  It tried all sizes up to that of a
    # vector: of 512 elements for 35 s, now for 5 s (CPU time, 2026-11).
    groups = "-slp-max-vf=64"
    flags = ["-nvptx-mad-wide-opt", "-nvptx-short-ptr", "-unroll-runtime=false", "-enable-pre=false", branches, groups]
    _parse_flags(lib, flags)
    return lib


def set_flags(flags: list[str]) -> None:
    """Sets LLVM's own flags, `-print-after-all`, for the process; LLVM ignores those that it does not know."""
    _parse_flags(c_api(), flags)


def _parse_flags(lib: Any, flags: list[str]) -> None:
    words = (c_char_p * (len(flags) + 1))(b"ttkit", *(flag.encode() for flag in flags))
    lib.LLVMParseCommandLineOptions(len(words), words, None)


_ERROR, _WARNING = 0, 1  # LLVMDiagnosticSeverity


@ctypes.CFUNCTYPE(None, c_void_p, c_void_p)
def _handle(diagnostic: int, context: int) -> None:
    api = c_api()
    text = taken(api.LLVMGetDiagInfoDescription(diagnostic), api.LLVMDisposeMessage)
    severity = api.LLVMGetDiagInfoSeverity(diagnostic)
    if severity == _ERROR:
        ctypes.cast(context, ctypes.py_object).value.errors.append(text)
    elif severity == _WARNING:
        print(f"LLVM: warning: {text}", file=sys.stderr)


class Context:
    """An LLVM context, which its diagnostics know by its address in Python.

    Args:
        keeps_names: whether values in functions have names.  Text can be read only then.

    Attributes:
        errors: what LLVM called an error in it.  Without a handler LLVM prints the first one and ends the process.
    """

    def __init__(self, keeps_names: bool = True) -> None:
        api = c_api()
        self.errors: list[str] = []
        self.pointer: int = api.LLVMContextCreate()
        api.LLVMContextSetDiscardValueNames(self.pointer, not keeps_names)
        api.LLVMContextSetDiagnosticHandler(self.pointer, ctypes.cast(_handle, c_void_p), id(self))

    def free(self) -> None:
        """Frees it; no module of it may be left."""
        c_api().LLVMContextDispose(self.pointer)


def taken(message: int | None, dispose: Any) -> str:
    """The text of a C string that is ours to free."""
    if not message:
        return "LLVM gave no reason"
    text = ctypes.string_at(message).decode(errors="replace").strip()
    dispose(message)
    return text


def instructions(api: Any, function: int) -> Iterator[int]:
    """The instructions of a function, in the order of its text."""
    block = api.LLVMGetFirstBasicBlock(function)
    while block:
        instruction = api.LLVMGetFirstInstruction(block)
        while instruction:
            yield instruction
            instruction = api.LLVMGetNextInstruction(instruction)
        block = api.LLVMGetNextBasicBlock(block)
