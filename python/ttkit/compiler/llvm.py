"""LLVM: from the llvm dialect to LLVM IR, optimized, to PTX.

All through the C API of the libLLVM that MLIR itself uses: it is loaded already, has the NVPTX target, and an optimized
module need not be printed and parsed again on its way to PTX.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_char_p, c_int, c_size_t, c_void_p
from typing import Any

from mlir import ir

import ttkit.locks as locks
from ttkit._native import handle, library, operation_handle, told
from ttkit.target import Target

TRIPLE = b"nvptx64-nvidia-cuda"
_OPTIMIZATION_LEVEL = 3
_ASSEMBLY_FILE = 0
_RETURN_STATUS = 2  # LLVMReturnStatusAction
_OVERRIDE_FLAG = 3  # LLVMModuleFlagBehaviorOverride
_LINK_ONCE_LINKAGE = 3
_INTERNAL_LINKAGE = 8
_WGMMA = "wgmma.mma_async"
_CONTRACT = 1 << 5  # LLVMFastMathAllowContract
_CHAINED = frozenset([8, 10, 12, 20, 23, 24, 25])  # LLVMAdd, LLVMSub, LLVMMul, LLVMShl, LLVMAnd, LLVMOr, LLVMXor
_LONGEST_CHAIN, _MANY_INSTRUCTIONS = 64, 2000


class LLVMError(Exception):
    """LLVM found the module or its text wrong."""


_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "mlirRegisterAllLLVMTranslations": (None, [c_void_p]),
    "mlirTranslateModuleToLLVMIR": (c_void_p, [c_void_p, c_void_p]),
    "LLVMContextCreate": (c_void_p, []),
    "LLVMContextDispose": (None, [c_void_p]),
    "LLVMContextSetDiagnosticHandler": (None, [c_void_p, c_void_p, c_void_p]),
    "LLVMGetDiagInfoDescription": (c_void_p, [c_void_p]),
    "LLVMGetDiagInfoSeverity": (c_int, [c_void_p]),
    "LLVMCreateMemoryBufferWithMemoryRangeCopy": (c_void_p, [c_char_p, c_size_t, c_char_p]),
    "LLVMCreateMemoryBufferWithContentsOfFile": (c_int, [c_char_p, c_void_p, c_void_p]),
    "LLVMParseIRInContext": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "LLVMGetBitcodeModuleInContext2": (c_int, [c_void_p, c_void_p, c_void_p]),
    "LLVMLinkModules2": (c_int, [c_void_p, c_void_p]),
    "LLVMDisposeModule": (None, [c_void_p]),
    "LLVMDisposeMessage": (None, [c_void_p]),
    "LLVMSetTarget": (None, [c_void_p, c_char_p]),
    "LLVMGetDataLayoutStr": (c_char_p, [c_void_p]),
    "LLVMSetDataLayout": (None, [c_void_p, c_char_p]),
    "LLVMGetFirstFunction": (c_void_p, [c_void_p]),
    "LLVMGetNextFunction": (c_void_p, [c_void_p]),
    "LLVMGetValueName2": (c_void_p, [c_void_p, c_void_p]),
    "LLVMSetValueName2": (None, [c_void_p, c_char_p, c_size_t]),
    "LLVMGetFirstGlobal": (c_void_p, [c_void_p]),
    "LLVMGetNextGlobal": (c_void_p, [c_void_p]),
    "LLVMGetFirstBasicBlock": (c_void_p, [c_void_p]),
    "LLVMGetNextBasicBlock": (c_void_p, [c_void_p]),
    "LLVMGetFirstInstruction": (c_void_p, [c_void_p]),
    "LLVMGetNextInstruction": (c_void_p, [c_void_p]),
    "LLVMGetInstructionOpcode": (c_int, [c_void_p]),
    "LLVMGetNumOperands": (c_int, [c_void_p]),
    "LLVMGetOperand": (c_void_p, [c_void_p, ctypes.c_uint]),
    "LLVMSetOperand": (None, [c_void_p, ctypes.c_uint, c_void_p]),
    "LLVMReplaceAllUsesWith": (None, [c_void_p, c_void_p]),
    "LLVMCreateBuilderInContext": (c_void_p, [c_void_p]),
    "LLVMDisposeBuilder": (None, [c_void_p]),
    "LLVMPositionBuilderBefore": (None, [c_void_p, c_void_p]),
    "LLVMBuildFreeze": (c_void_p, [c_void_p, c_void_p, c_char_p]),
    "LLVMCanValueUseFastMathFlags": (c_int, [c_void_p]),
    "LLVMSetFastMathFlags": (None, [c_void_p, ctypes.c_uint]),
    "LLVMIsDeclaration": (c_int, [c_void_p]),
    "LLVMSetLinkage": (None, [c_void_p, c_int]),
    "LLVMAddModuleFlag": (None, [c_void_p, c_int, c_char_p, c_size_t, c_void_p]),
    "LLVMValueAsMetadata": (c_void_p, [c_void_p]),
    "LLVMConstInt": (c_void_p, [c_void_p, ctypes.c_ulonglong, c_int]),
    "LLVMInt32TypeInContext": (c_void_p, [c_void_p]),
    "LLVMGetTargetFromTriple": (c_int, [c_char_p, c_void_p, c_void_p]),
    "LLVMCreateTargetMachine": (c_void_p, [c_void_p, c_char_p, c_char_p, c_char_p, c_int, c_int, c_int]),
    "LLVMDisposeTargetMachine": (None, [c_void_p]),
    "LLVMCreateTargetDataLayout": (c_void_p, [c_void_p]),
    "LLVMDisposeTargetData": (None, [c_void_p]),
    "LLVMSetModuleDataLayout": (None, [c_void_p, c_void_p]),
    "LLVMCreatePassBuilderOptions": (c_void_p, []),
    "LLVMDisposePassBuilderOptions": (None, [c_void_p]),
    "LLVMRunPasses": (c_void_p, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "LLVMGetErrorMessage": (c_void_p, [c_void_p]),
    "LLVMDisposeErrorMessage": (None, [c_void_p]),
    "LLVMPrintModuleToString": (c_void_p, [c_void_p]),
    "LLVMTargetMachineEmitToMemoryBuffer": (c_int, [c_void_p, c_void_p, c_int, c_void_p, c_void_p]),
    "LLVMGetBufferStart": (c_void_p, [c_void_p]),
    "LLVMGetBufferSize": (c_size_t, [c_void_p]),
    "LLVMDisposeMemoryBuffer": (None, [c_void_p]),
    "LLVMVerifyModule": (c_int, [c_void_p, c_int, c_void_p]),
    "LLVMPassBuilderOptionsSetSLPVectorization": (None, [c_void_p, c_int]),
    "LLVMParseCommandLineOptions": (None, [c_int, ctypes.POINTER(c_char_p), c_char_p]),
}


_initializing = locks.lock()
_creating = locks.lock()
_LONG = ("LLVMRunPasses", "LLVMTargetMachineEmitToMemoryBuffer")
"""Functions that run without the interpreter's lock: contexts are apart, and threads optimize at the same time."""


@functools.cache
def _api() -> Any:
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
    _parse_flags(lib, ["-nvptx-mad-wide-opt", "-nvptx-short-ptr", "-unroll-runtime=false", "-enable-pre=false"])
    return lib


def set_flags(flags: list[str]) -> None:
    """Sets LLVM's own flags, `-print-after-all`, for the process; LLVM ignores those that it does not know."""
    _parse_flags(_api(), flags)


def _parse_flags(lib: Any, flags: list[str]) -> None:
    words = (c_char_p * (len(flags) + 1))(b"ttkit", *(flag.encode() for flag in flags))
    lib.LLVMParseCommandLineOptions(len(words), words, None)


# --- what LLVM finds wrong --------------------------------------------------------------------------------------------

_ERROR, _WARNING = 0, 1  # LLVMDiagnosticSeverity


@ctypes.CFUNCTYPE(None, c_void_p, c_void_p)
def _handle(diagnostic: int, context: int) -> None:
    api = _api()
    text = _taken(api.LLVMGetDiagInfoDescription(diagnostic), api.LLVMDisposeMessage)
    severity = api.LLVMGetDiagInfoSeverity(diagnostic)
    if severity == _ERROR:
        ctypes.cast(context, ctypes.py_object).value.errors.append(text)
    elif severity == _WARNING:
        print(f"LLVM: warning: {text}", file=sys.stderr)


class _Context:
    """An LLVM context, which its diagnostics know by its address in Python.

    Attributes:
        errors: what LLVM called an error in it.  Without a handler LLVM prints the first one and ends the process.
    """

    def __init__(self) -> None:
        api = _api()
        self.errors: list[str] = []
        self.pointer: int = api.LLVMContextCreate()
        api.LLVMContextSetDiagnosticHandler(self.pointer, ctypes.cast(_handle, c_void_p), id(self))

    def free(self) -> None:
        _api().LLVMContextDispose(self.pointer)


class Module:
    """An LLVM module, in a context of its own.  Use it in a `with` statement, which frees it.

    Attributes:
        multiplies_by_wgmma: whether instructions are ordered so that few registers are in use: beside accumulators they
            are scarce.  Attention took 1.2 % less time in the geometric mean of 16 kernels, 7 % at most; a kernel
            without products took a quarter more (H200, 2026-11, bench/cubins.py).
    """

    def __init__(self, context: _Context, module: int, multiplies_by_wgmma: bool = False) -> None:
        self._context, self._module = context, module
        self.multiplies_by_wgmma = multiplies_by_wgmma

    @classmethod
    def from_mlir(cls, module: ir.Operation) -> Module:
        """Translates a module of the llvm and nvvm dialects.

        Raises:
            LLVMError: some operation has no translation; MLIR's diagnostics say which.
        """
        api = _api()
        api.mlirRegisterAllLLVMTranslations(handle(module.context, "Context").pointer)
        context = _Context()
        found = api.mlirTranslateModuleToLLVMIR(operation_handle(module).pointer, context.pointer)
        if not found:
            context.free()
            raise LLVMError("the module has operations that don't translate to LLVM IR")
        return cls(context, found)

    @classmethod
    def parse(cls, text: str) -> Module:
        """Reads LLVM IR, and verifies it: LLVM's passes may do anything with a module that is wrong.

        Raises:
            LLVMError: with line, column and reason.
        """
        api = _api()
        context = _Context()
        data = text.encode()
        buffer = api.LLVMCreateMemoryBufferWithMemoryRangeCopy(data, len(data), b"llir")
        try:
            module = cls(context, _parse(api, context.pointer, buffer), _WGMMA in text)
        except LLVMError:
            context.free()
            raise
        try:
            module.verify()
            module.check_assembly()
        except LLVMError:
            module.close()
            raise
        return module

    def __enter__(self) -> Module:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Frees the module, once."""
        if self._module:
            api = _api()
            api.LLVMDisposeModule(self._module)
            self._context.free()
            self._module = 0

    def __str__(self) -> str:
        api = _api()
        return _taken(api.LLVMPrintModuleToString(self._module), api.LLVMDisposeMessage)

    def verify(self) -> None:
        """Raises LLVMError if LLVM's verifier refuses the module."""
        api, message = _api(), c_void_p()
        if api.LLVMVerifyModule(self._module, _RETURN_STATUS, ctypes.byref(message)):
            raise LLVMError(_taken(message.value, api.LLVMDisposeMessage))
        api.LLVMDisposeMessage(message)

    def check_assembly(self) -> None:
        """Raises LLVMError at inline assembly that LLVM would end the process on.

        Of modules that were translated, the pass convert-triton-gpu-to-llvm has done so.
        """
        _, problem = told(library().ttkitFindBadLLVMAssembly, self._module)
        if problem:
            raise LLVMError(problem)

    def functions(self) -> Iterator[tuple[str, int, bool]]:
        """Name, address and whether it is only declared, of each function."""
        return _functions(_api(), self._module)

    def prepare(self, target: Target, flush_denormals: bool = True) -> None:
        """Sets triple, data layout and names that PTX can have, and whether libdevice flushes denormal f32 to zero."""
        api = _api()
        self._escape_names()
        api.LLVMSetTarget(self._module, TRIPLE)
        with _machine(target) as machine:
            layout = api.LLVMCreateTargetDataLayout(machine)
            api.LLVMSetModuleDataLayout(self._module, layout)
            api.LLVMDisposeTargetData(layout)
        if flush_denormals:
            one = api.LLVMConstInt(api.LLVMInt32TypeInContext(self._context.pointer), 1, 0)
            name = b"nvvm-reflect-ftz"
            api.LLVMAddModuleFlag(self._module, _OVERRIDE_FLAG, name, len(name), api.LLVMValueAsMetadata(one))

    def _escape_names(self) -> None:
        """Renames what PTX has no letters for, which LLVM ends the process on: `я` becomes `_u44f_`.

        Of names that only this module knows, dots are LLVM's to rename, as it does for Triton.
        """
        api = _api()
        for kind in ("Function", "Global"):
            symbol = getattr(api, f"LLVMGetFirst{kind}")(self._module)
            while symbol:
                name = _name(api, symbol)
                if not name.startswith("llvm.") and (escaped := _UNWRITABLE.sub(_escape, name)) != name:
                    api.LLVMSetValueName2(symbol, escaped.encode(), len(escaped))
                symbol = getattr(api, f"LLVMGetNext{kind}")(symbol)

    def calls_libdevice(self) -> bool:
        """Whether a function of NVIDIA's library of mathematical functions is declared and not defined."""
        return any(declared and name.startswith("__nv_") for name, _, declared in self.functions())

    def link_library(self, path: str) -> None:
        """Links a library in LLVM bitcode; what of it is not called, `optimize` removes.

        Raises:
            LLVMError: the file can't be read.
        """
        api = _api()
        own = {name for name, _, declared in self.functions() if not declared}
        buffer, message = c_void_p(), c_void_p()
        if api.LLVMCreateMemoryBufferWithContentsOfFile(path.encode(), ctypes.byref(buffer), ctypes.byref(message)):
            raise LLVMError(f"{path}: {_taken(message.value, api.LLVMDisposeMessage)}")
        found = c_void_p()
        # Bodies are read when they are linked, and what may be left out is, unless it is called: libdevice has some 350
        # functions.
        if api.LLVMGetBitcodeModuleInContext2(self._context.pointer, buffer, ctypes.byref(found)):
            raise LLVMError(f"{path} is no LLVM bitcode: {self._found_wrong()}")
        linked = found.value
        for _, function, declared in _functions(api, linked):
            if not declared:
                api.LLVMSetLinkage(function, _LINK_ONCE_LINKAGE)
        api.LLVMSetTarget(linked, TRIPLE)
        api.LLVMSetDataLayout(linked, api.LLVMGetDataLayoutStr(self._module))
        if api.LLVMLinkModules2(self._module, linked):
            raise LLVMError(f"can't link {path}: {self._found_wrong()}")
        for name, function, declared in self.functions():
            if not declared and name not in own:
                api.LLVMSetLinkage(function, _INTERNAL_LINKAGE)

    def allow_contraction(self) -> None:
        """Says of every operation on floats that it may be fused with another: a product and a sum into one."""
        api = _api()
        for _, function, _ in self.functions():
            for operation in _instructions(api, function):
                if api.LLVMCanValueUseFastMathFlags(operation):
                    api.LLVMSetFastMathFlags(operation, _CONTRACT)  # which adds it to the others

    def optimize(self, target: Target, pipeline: str = "default<O3>") -> None:
        """Runs a pass pipeline.

        Raises:
            LLVMError: the module does not verify, or the pipeline does not parse.
        """
        self.verify()
        api = _api()
        options = api.LLVMCreatePassBuilderOptions()
        api.LLVMPassBuilderOptionsSetSLPVectorization(options, 1)
        with _machine(target) as machine:
            error = api.LLVMRunPasses(self._module, pipeline.encode(), machine, options)
        api.LLVMDisposePassBuilderOptions(options)
        if error:
            raise LLVMError(_taken(api.LLVMGetErrorMessage(error), api.LLVMDisposeErrorMessage))
        self._check()

    def _cut_chains(self) -> None:
        """Puts a `freeze`, which changes no value, into long chains of integer arithmetic.

        LLVM walks the whole chain at each of its members, in assertions that its libraries here are built with: with
        4,000 lines `x = x * n + i` the emission of PTX took 20 s instead of 0.9 (loaded machine, 2026-11).
        """
        api = _api()
        for _, function, _ in self.functions():
            instructions = list(_instructions(api, function))
            if len(instructions) < _MANY_INSTRUCTIONS:
                continue
            builder = api.LLVMCreateBuilderInContext(self._context.pointer)
            depths: dict[int, int] = {}
            for instruction, following in itertools.pairwise(instructions):
                if api.LLVMGetInstructionOpcode(instruction) not in _CHAINED:
                    continue
                operands = range(api.LLVMGetNumOperands(instruction))
                depth = 1 + max(depths.get(api.LLVMGetOperand(instruction, i), 0) for i in operands)
                if depth == _LONGEST_CHAIN:
                    api.LLVMPositionBuilderBefore(builder, following)
                    frozen = api.LLVMBuildFreeze(builder, instruction, b"")
                    api.LLVMReplaceAllUsesWith(instruction, frozen)
                    api.LLVMSetOperand(frozen, 0, instruction)
                    depth = 0
                depths[instruction] = depth
            api.LLVMDisposeBuilder(builder)

    def ptx(self, target: Target) -> str:
        """The module in PTX.

        Raises:
            LLVMError: LLVM can't emit it.
        """
        self._cut_chains()
        api, message, buffer = _api(), c_void_p(), c_void_p()
        with _machine(target, self.multiplies_by_wgmma) as machine:
            failed = api.LLVMTargetMachineEmitToMemoryBuffer(
                machine, self._module, _ASSEMBLY_FILE, ctypes.byref(message), ctypes.byref(buffer)
            )
        if failed:
            raise LLVMError(_taken(message.value, api.LLVMDisposeMessage))
        text = ctypes.string_at(api.LLVMGetBufferStart(buffer), api.LLVMGetBufferSize(buffer)).decode()
        api.LLVMDisposeMemoryBuffer(buffer)
        self._check()
        return text

    def _found_wrong(self) -> str:
        return "; ".join(self._context.errors) or "LLVM gave no reason"

    def _check(self) -> None:
        """Raises what LLVM called an error and went on after."""
        if self._context.errors:
            raise LLVMError(self._found_wrong())


_UNWRITABLE = re.compile(r"^(?=[0-9])|[^A-Za-z0-9_$.@]")
"""What names in PTX can't have; LLVM itself replaces the last two of those that they can't either."""


def _escape(found: re.Match[str]) -> str:
    return f"_u{ord(found[0]):x}_" if found[0] else "_"


def _name(api: Any, value: int) -> str:
    """The name of a function or a variable; bytes that are no UTF-8 as surrogates."""
    size = c_size_t()
    text = api.LLVMGetValueName2(value, ctypes.byref(size))
    return ctypes.string_at(text, size.value).decode(errors="surrogateescape")


def _instructions(api: Any, function: int) -> Iterator[int]:
    """The instructions of a function, in the order of its text."""
    block = api.LLVMGetFirstBasicBlock(function)
    while block:
        instruction = api.LLVMGetFirstInstruction(block)
        while instruction:
            yield instruction
            instruction = api.LLVMGetNextInstruction(instruction)
        block = api.LLVMGetNextBasicBlock(block)


def _functions(api: Any, module: Any) -> Iterator[tuple[str, int, bool]]:
    """Name, address and whether it is only declared, of each function."""
    function = api.LLVMGetFirstFunction(module)
    while function:
        yield _name(api, function), function, bool(api.LLVMIsDeclaration(function))
        function = api.LLVMGetNextFunction(function)


def _parse(api: Any, context: int, buffer: Any) -> int:
    """A module from a memory buffer, which it takes."""
    module, message = c_void_p(), c_void_p()
    if api.LLVMParseIRInContext(context, buffer, ctypes.byref(module), ctypes.byref(message)):
        raise LLVMError(_taken(message.value, api.LLVMDisposeMessage))
    assert module.value is not None
    return module.value


@contextmanager
def _machine(target: Target, few_registers: bool = False) -> Iterator[int]:
    """A target machine, which may order instructions so that few registers are in use."""
    api, found, message = _api(), c_void_p(), c_void_p()
    if api.LLVMGetTargetFromTriple(TRIPLE, ctypes.byref(found), ctypes.byref(message)):
        raise LLVMError(_taken(message.value, api.LLVMDisposeMessage))
    with _creating:  # a machine reads LLVM's flag once, when it is made
        if few_registers:
            set_flags(["-nvptx-sched4reg"])
        machine = api.LLVMCreateTargetMachine(
            found, TRIPLE, target.arch.encode(), target.features.encode(), _OPTIMIZATION_LEVEL, 0, 0
        )
        if few_registers:
            set_flags(["-nvptx-sched4reg=false"])
    try:
        yield machine
    finally:
        api.LLVMDisposeTargetMachine(machine)


def _taken(message: int | None, dispose: Any) -> str:
    """The text of a C string that is ours to free."""
    if not message:
        return "LLVM gave no reason"
    text = ctypes.string_at(message).decode(errors="replace").strip()
    dispose(message)
    return text
