"""The C ABI of libttkit as ctypes sees it: each function of dialects/capi/ttkit.h with its types.

Handles of MLIR are structures of one pointer, which are passed as a pointer is: `Handle` or POINTER, as callers like.
test/unit/test_signatures.py compares all of it with the header.
"""

from __future__ import annotations

import ctypes

TYPE_CHECKING = False  # as of typing, whose import would take a tenth of tt-opt's start
if TYPE_CHECKING:
    from typing import Any


class Handle(ctypes.Structure):
    """An MLIR C API handle: MlirContext, MlirOperation, MlirDialectRegistry... are all one pointer."""

    _fields_ = [("pointer", ctypes.c_void_p)]


POINTER = ctypes.c_void_p
TEXT = ctypes.c_char_p
BOOL, INT, UINT, SIZE, SSIZE = ctypes.c_bool, ctypes.c_int, ctypes.c_uint, ctypes.c_size_t, ctypes.c_ssize_t
INT64, UINT64 = ctypes.c_int64, ctypes.c_uint64
HANDLES, TEXTS = ctypes.POINTER(Handle), ctypes.POINTER(TEXT)
POINTERS, INT64S = ctypes.POINTER(POINTER), ctypes.POINTER(INT64)


class StringRef(ctypes.Structure):
    """MlirStringRef."""

    _fields_ = [("data", POINTER), ("length", SIZE)]


class PassEventFields(ctypes.Structure):
    """TtkitPassEvent."""

    _fields_ = [
        ("kind", INT),
        ("pipeline", UINT64),
        ("depth", UINT),
        ("pass_name", TEXT),
        ("class_name", TEXT),
        ("arguments", TEXT),
        ("operation", Handle),
        ("seconds", ctypes.c_double),
        ("changed", INT),
        ("statistics", TEXT),
    ]


DescribeCallback = ctypes.CFUNCTYPE(None, TEXT, POINTER)
EffectCallback = ctypes.CFUNCTYPE(None, TEXT, TEXT, Handle)
EventCallback = ctypes.CFUNCTYPE(BOOL, POINTER, ctypes.POINTER(PassEventFields))
ExpandCallback = ctypes.CFUNCTYPE(None, TEXT, TEXT, POINTER)
HoldCallback = ctypes.CFUNCTYPE(None, POINTER)
HoistCallback = ctypes.CFUNCTYPE(BOOL, Handle, Handle)
NameCallback = ctypes.CFUNCTYPE(None, TEXT)
OptionCallback = ctypes.CFUNCTYPE(None, TEXT, TEXT)
RunCallback = ctypes.CFUNCTYPE(BOOL, TEXT, POINTER, Handle, POINTER)
StringCallback = ctypes.CFUNCTYPE(None, StringRef, POINTER)
DestroyedCallback = ctypes.CFUNCTYPE(None, POINTER)


class PassCallbacks(ctypes.Structure):
    """TtkitPassCallbacks."""

    _fields_ = [("describe", DescribeCallback), ("run", RunCallback)]


class PassObserver(ctypes.Structure):
    """TtkitPassObserver."""

    _fields_ = [("run", POINTER), ("tell", EventCallback), ("wanted", UINT)]


class HeldTypes(ctypes.Structure):
    """TtkitHeldTypes."""

    _fields_ = [("types", POINTERS), ("sizes", ctypes.POINTER(SIZE)), ("count", SIZE)]


SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "ttkitRegisterDialects": (None, [Handle]),
    "ttkitLoadDialects": (None, [Handle]),
    # Passes and pipelines written in Python
    "ttkitSetPassCallbacks": (None, [PassCallbacks]),
    "ttkitRegisterPass": (BOOL, [TEXT]),
    "ttkitIsPassRegistered": (BOOL, [TEXT]),
    "ttkitDescribePassesEagerly": (None, []),
    "ttkitPassDescribe": (None, [POINTER, TEXT, TEXT, TEXT]),
    "ttkitPassAddOption": (None, [POINTER, TEXT, TEXT, TEXT, TEXT]),
    "ttkitPassAddStatistic": (None, [POINTER, TEXT, TEXT]),
    "ttkitPassAddDependentDialect": (None, [POINTER, TEXT]),
    "ttkitPassSetError": (None, [POINTER, TEXT]),
    "ttkitPassOptions": (None, [POINTER, OptionCallback]),
    "ttkitPassCount": (None, [POINTER, SIZE, UINT64]),
    "ttkitContextOf": (POINTER, [Handle]),
    "ttkitEmitError": (None, [Handle, TEXT]),
    "ttkitEmitRemark": (None, [Handle, TEXT]),
    "ttkitRegisterPipeline": (BOOL, [TEXT, TEXT, ExpandCallback]),
    "ttkitPipelineSetText": (None, [POINTER, TEXT]),
    "ttkitPipelineSetError": (None, [POINTER, TEXT]),
    "ttkitObservePasses": (None, [Handle, PassObserver]),
    "ttkitReport": (None, [Handle, TEXT, BOOL, TEXT]),
    # Looking at IR
    "ttkitContainsAny": (BOOL, [Handle, TEXTS, SIZE]),
    "ttkitCollect": (SIZE, [Handle, TEXTS, SIZE, HANDLES, SIZE]),
    "ttkitCanonicalize": (BOOL, [Handle, TEXTS, SIZE]),
    "ttkitOperationNames": (None, [Handle, NameCallback]),
    "ttkitCollectElementwise": (SIZE, [Handle, TEXTS, SIZE, HANDLES, SIZE]),
    "ttkitIsMemoryEffectFree": (BOOL, [Handle]),
    "ttkitIsPure": (BOOL, [Handle]),
    "ttkitWouldBeTriviallyDead": (BOOL, [Handle]),
    "ttkitHasTrait": (BOOL, [Handle, TEXT]),
    "ttkitProperlyDominates": (BOOL, [Handle, Handle]),
    "ttkitPostDominates": (BOOL, [Handle, Handle]),
    "ttkitTopologicalSort": (None, [HANDLES, SIZE]),
    "ttkitSlices": (SIZE, [Handle, HANDLES, SIZE, POINTER, POINTER]),
    "ttkitOnlyReads": (BOOL, [Handle]),
    "ttkitMemoryEffects": (BOOL, [Handle, EffectCallback]),
    # Transformations
    "ttkitEliminateCommonSubexpressions": (BOOL, [Handle]),
    "ttkitHoistLoopInvariants": (SIZE, [Handle, TEXTS, SIZE, HoistCallback]),
    "ttkitUnrollLoop": (BOOL, [Handle, UINT64, HANDLES]),
    "ttkitCloneOperations": (None, [HANDLES, SIZE, HANDLES, HANDLES, SIZE, Handle, Handle, HANDLES]),
    "ttkitFold": (BOOL, [Handle, HANDLES]),
    "ttkitSetOperands": (None, [Handle, HANDLES, SIZE]),
    "ttkitValueTypes": (SIZE, [Handle, POINTERS, SIZE]),
    "ttkitReplaceTypes": (None, [Handle, POINTERS, POINTERS, SIZE]),
    "ttkitFoldOnce": (None, [Handle, POINTERS, SIZE]),
    # Drivers and contexts
    "ttkitRegisterUpstreamPasses": (None, []),
    "ttkitReportCrashes": (None, []),
    "ttkitOptMain": (INT, [INT, TEXTS, TEXT, PassObserver]),
    "ttkitLspMain": (INT, [INT, TEXTS]),
    "ttkitSetContextDestroyed": (None, [DestroyedCallback]),
    "ttkitWatchContext": (None, [POINTER]),
    # What Python holds
    "ttkitContents": (POINTER, [Handle]),
    "ttkitKeepGone": (None, [POINTER, Handle]),
    "ttkitFreeContents": (None, [POINTER]),
    "ttkitFindInstances": (POINTER, [POINTER, SIZE, POINTER, POINTER]),
    "ttkitCountInstances": (SIZE, [POINTER]),
    "ttkitFindHeld": (SIZE, [POINTER, POINTER, ctypes.POINTER(HeldTypes), HoldCallback, POINTERS, SIZE]),
    "ttkitHasUses": (BOOL, [Handle]),
    # Inline assembly
    "ttkitFindBadAssembly": (POINTER, [Handle, StringCallback, POINTER]),
    "ttkitFindBadLLVMAssembly": (None, [POINTER, StringCallback, POINTER]),
    # Types
    "ttkitTypeID": (POINTER, [TEXT]),
    "ttkitPointerTypeGet": (POINTER, [POINTER, INT]),
    "ttkitPointerTypeGetPointee": (POINTER, [POINTER]),
    "ttkitPointerTypeGetAddressSpace": (INT, [POINTER]),
    "ttkitTensorDescTypeGet": (POINTER, [POINTER]),
    "ttkitTensorDescTypeGetBlockType": (POINTER, [POINTER]),
    "ttkitAsyncTokenTypeGet": (POINTER, [POINTER]),
    "ttkitMemDescTypeGet": (POINTER, [SSIZE, INT64S, POINTER, POINTER, POINTER, BOOL, SSIZE, INT64S]),
    "ttkitMemDescTypeGetRank": (SSIZE, [POINTER]),
    "ttkitMemDescTypeGetShape": (INT64S, [POINTER]),
    "ttkitMemDescTypeGetAllocRank": (SSIZE, [POINTER]),
    "ttkitMemDescTypeGetAllocShape": (INT64S, [POINTER]),
    "ttkitMemDescTypeGetElementType": (POINTER, [POINTER]),
    "ttkitMemDescTypeGetEncoding": (POINTER, [POINTER]),
    "ttkitMemDescTypeGetMemorySpace": (POINTER, [POINTER]),
    "ttkitMemDescTypeIsMutable": (BOOL, [POINTER]),
    # Layouts
    "ttkitPrintLinearLayout": (BOOL, [POINTER, StringCallback, POINTER]),
    "ttkitFitsTensorMemory": (BOOL, [POINTER, POINTER]),
    "ttkitNumWarps": (INT, [Handle]),
    "ttkitThreadsPerWarp": (INT, [Handle]),
}
