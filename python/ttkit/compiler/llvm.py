"""LLVM: from the llvm dialect to LLVM IR, optimized, to PTX.

All through the C API of the libLLVM that MLIR itself uses: it is loaded already, has the NVPTX target, and an optimized
module need not be printed and parsed again on its way to PTX.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import c_void_p
from typing import Any

from mlir import ir

import ttkit.locks as locks
from ttkit._native import array_type, handle, library, operation_from_pointer, operation_handle, told
from ttkit.analysis.kernel_facts import KernelFacts
from ttkit.compiler.branch_arms import sink_into_arms
from ttkit.compiler.expression_order import order_expressions
from ttkit.compiler.float_pairs import searches_pairs
from ttkit.compiler.llvm_api import Context, LLVMError, c_api, instructions, set_flags, taken
from ttkit.compiler.llvm_facts import read_facts, write_facts
from ttkit.compiler.llvm_symbols import addresses, escape_names, functions
from ttkit.compiler.long_expressions import cut_chains, cut_expressions
from ttkit.compiler.loop_addresses import addresses_stay
from ttkit.compiler.scalar_comparisons import split_comparisons
from ttkit.target import Target
from ttkit.tuning.llvm import FEW_REGISTERS_FLAG, THREAD_RANGE

__all__ = ["LLVMError", "Module"]

TRIPLE = b"nvptx64-nvidia-cuda"
_OPTIMIZATION_LEVEL = 3
_ASSEMBLY_FILE = 0
_RETURN_STATUS = 2  # LLVMReturnStatusAction
_OVERRIDE_FLAG = 3  # LLVMModuleFlagBehaviorOverride
_LINK_ONCE_LINKAGE = 3
_INTERNAL_LINKAGE = 8
_FLUSHES = b"nvvm-reflect-ftz"
"""The flag of a module by which libdevice flushes denormal f32 to zero."""
_CONTRACT = 1 << 5  # LLVMFastMathAllowContract
TRIGONOMETRY = frozenset(f"__nv_{name}{suffix}" for name in ("sin", "cos", "tan", "sincos") for suffix in ("", "f"))
_NO_VECTORIZERS = b"noimplicitfloat"
_FUNCTION_INDEX = (1 << 32) - 1  # LLVMAttributeFunctionIndex
_creating = locks.lock()


def check_translatable(module: ir.Operation) -> None:
    """Raises LLVMError at the first operation that LLVM would end the process on."""
    for find in (library().ttkitFindUntranslatable, library().ttkitFindBadAssembly):
        found, problem = told(find, operation_handle(module))
        if found is not None:
            raise LLVMError(f"{operation_from_pointer(found).location}: {problem}")


def _left_over(module: ir.Operation) -> str:
    """The names of operations that no lowering has replaced, for an error; empty if there are none."""
    names: set[str] = set()

    def visit(op: ir.Operation) -> ir.WalkResult:
        """Keeps an operation's name."""
        names.add(op.name)
        return ir.WalkResult.ADVANCE

    module.walk(visit)
    left = ", ".join(sorted(name for name in names if not name.startswith(("builtin.", "llvm.", "nvvm."))))
    return f": {left}; its lowering must replace them by operations of llvm and nvvm" if left else ""


class Module:
    """An LLVM module, in a context of its own.  Use it in a `with` statement, which frees it.

    Attributes:
        facts: of the kernel, which the module has as metadata, too.
    """

    def __init__(self, context: Context, module: int, facts: KernelFacts) -> None:
        self._context, self._module = context, module
        self.facts = facts
        self._flushes = False
        self._from_libraries: set[str] = set()
        self._machines: dict[tuple[Target, bool], int] = {}

    @classmethod
    def from_mlir(cls, module: ir.Operation) -> Module:
        """Translates a module of the llvm and nvvm dialects.

        Raises:
            LLVMError: LLVM would end the process on an operation; or one has no translation, and MLIR's diagnostics say
                which.
        """
        check_translatable(module)
        api = c_api()
        api.mlirRegisterAllLLVMTranslations(handle(module.context, "Context").pointer)
        # MLIR names no values; those that LLVM's scalarizer makes names for cost it half of its time.
        context = Context(keeps_names=False)
        found = api.mlirTranslateModuleToLLVMIR(operation_handle(module).pointer, context.pointer)
        if not found:
            context.free()
            raise LLVMError(f"the module has operations that don't translate to LLVM IR{_left_over(module)}")
        facts = KernelFacts.of_lowered(module)
        write_facts(context.pointer, found, facts)
        return cls(context, found, facts)

    @classmethod
    def parse(cls, text: str) -> Module:
        """Reads LLVM IR, and verifies it: LLVM's passes may do anything with a module that is wrong.

        Raises:
            LLVMError: with line, column and reason.
        """
        api = c_api()
        context = Context()
        data = text.encode()
        buffer = api.LLVMCreateMemoryBufferWithMemoryRangeCopy(data, len(data), b"llir")
        try:
            parsed = _parse(api, context.pointer, buffer)
            module = cls(context, parsed, read_facts(parsed))
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
            api = c_api()
            api.LLVMDisposeModule(self._module)
            for machine in self._machines.values():
                api.LLVMDisposeTargetMachine(machine)
            self._context.free()
            self._module = 0

    def __str__(self) -> str:
        api = c_api()
        return taken(api.LLVMPrintModuleToString(self._module), api.LLVMDisposeMessage)

    def verify(self) -> None:
        """Raises LLVMError if LLVM's verifier refuses the module."""
        api, message = c_api(), c_void_p()
        if api.LLVMVerifyModule(self._module, _RETURN_STATUS, ctypes.byref(message)):
            raise LLVMError(taken(message.value, api.LLVMDisposeMessage))
        api.LLVMDisposeMessage(message)

    def check_assembly(self) -> None:
        """Raises LLVMError at inline assembly that LLVM would end the process on.

        The pass convert-triton-gpu-to-llvm has done so for translated modules.
        """
        _, problem = told(library().ttkitFindBadLLVMAssembly, self._module)
        if problem:
            raise LLVMError(problem)

    def functions(self) -> Iterator[tuple[str, int, bool]]:
        """Name, address and whether it is only declared, of each function."""
        return functions(self._module)

    def prepare(self, target: Target, flush_denormals: bool = True) -> None:
        """Sets triple, data layout and names that PTX can have, and whether libdevice flushes denormal f32 to zero."""
        api = c_api()
        escape_names(self._module)
        api.LLVMSetTarget(self._module, TRIPLE)
        layout = api.LLVMCreateTargetDataLayout(self._machine(target))
        api.LLVMSetModuleDataLayout(self._module, layout)
        api.LLVMDisposeTargetData(layout)
        if flush_denormals:
            self.flush_denormals()

    def flush_denormals(self) -> None:
        """Has libdevice flush denormal f32 to zero."""
        self._flushes = True
        c_api().LLVMAddModuleFlag(self._module, _OVERRIDE_FLAG, _FLUSHES, len(_FLUSHES), self._number(1))

    def _machine(self, target: Target, few_registers: bool = False) -> int:
        """The target machine, made once; which may order instructions so that few registers are in use."""
        key = target, few_registers
        if key not in self._machines:
            self._machines[key] = _new_machine(*key)
        return self._machines[key]

    def _number(self, value: int) -> int:
        """An i32 as metadata."""
        api = c_api()
        constant = api.LLVMConstInt(api.LLVMInt32TypeInContext(self._context.pointer), value, 0)
        address: int = api.LLVMValueAsMetadata(constant)
        return address

    def calls_libdevice(self) -> bool:
        """Whether a function of NVIDIA's library of mathematical functions is declared and not defined."""
        return any(declared and name.startswith("__nv_") for name, _, declared in self.functions())

    def calls_trigonometry(self) -> bool:
        """Whether one of the functions of that library is declared whose code branches for large arguments."""
        return any(declared and name in TRIGONOMETRY for name, _, declared in self.functions())

    def link_library(self, path: str) -> None:
        """Links a library in LLVM bitcode, without the lines of its source; what is not called, `optimize` removes.

        Raises:
            LLVMError: the file can't be read.
        """
        api = c_api()
        own = {name for name, _, declared in self.functions() if not declared}
        buffer, message = c_void_p(), c_void_p()
        if api.LLVMCreateMemoryBufferWithContentsOfFile(path.encode(), ctypes.byref(buffer), ctypes.byref(message)):
            raise LLVMError(f"{path}: {taken(message.value, api.LLVMDisposeMessage)}")
        found = c_void_p()
        # Bodies are read when they are linked, and what may be left out is, unless it is called: libdevice has some 350
        # functions.
        if api.LLVMGetBitcodeModuleInContext2(self._context.pointer, buffer, ctypes.byref(found)):
            raise LLVMError(f"{path} is not LLVM bitcode: {self._found_wrong()}")
        linked = found.value
        api.LLVMStripModuleDebugInfo(linked)  # LLVM ends the process on scopes of another unit in a kernel
        for function in addresses(linked):
            if not api.LLVMIsDeclaration(function):
                api.LLVMSetLinkage(function, _LINK_ONCE_LINKAGE)
        api.LLVMSetTarget(linked, TRIPLE)
        api.LLVMSetDataLayout(linked, api.LLVMGetDataLayoutStr(self._module))
        self._let_flush(found)
        if api.LLVMLinkModules2(self._module, linked):
            raise LLVMError(f"can't link {path}: {self._found_wrong()}")
        for name, function, declared in self.functions():
            if not declared and name not in own:
                api.LLVMSetLinkage(function, _INTERNAL_LINKAGE)
                self._from_libraries.add(name)

    def _let_flush(self, linked: c_void_p) -> None:
        """Has a library that says whether it flushes denormal numbers, as clang's do, flush as the kernel does."""
        api, kind = c_api(), b"llvm.module.flags"
        flags = (c_void_p * api.LLVMGetNamedMetadataNumOperands(linked, kind))()
        api.LLVMGetNamedMetadataOperands(linked, kind, flags)
        for flag in flags:
            behavior_name_value = (c_void_p * 3)()
            api.LLVMGetMDNodeOperands(flag, behavior_name_value)
            if api.LLVMGetMDString(behavior_name_value[1], ctypes.byref(ctypes.c_uint())) == _FLUSHES:
                api.LLVMReplaceMDNodeOperandWith(flag, 2, self._number(int(self._flushes)))

    def allow_contraction(self, of_libraries: bool = False) -> None:
        """Says of every operation on floats that it may be fused with another: a product and a sum into one.

        Args:
            of_libraries: only of those in functions that came with libraries; the lowering marks the others.
        """
        api = c_api()
        for name, function, _ in self.functions():
            if of_libraries and name not in self._from_libraries:
                continue
            for operation in instructions(api, function):
                if api.LLVMCanValueUseFastMathFlags(operation):
                    api.LLVMSetFastMathFlags(operation, _CONTRACT)  # which adds it to the others

    def optimize(
        self,
        target: Target,
        pipeline: str = "default<O3>",
        knows_threads: bool = True,
        costs: bool = True,
        joins: bool = True,
    ) -> None:
        """Runs a pass pipeline.

        Args:
            costs: whether LLVM knows what operations cost on the target.  It widens no induction variable there, since
                64 bits cost twice as much, and unrolls more.
            knows_threads: whether LLVM knows how large the number of a thread is.  A warp's number is then the thread's
                divided by 32, which ptxas knows all threads to share: addresses made of it go to uniform registers,
                from where each load moves them.
            joins: whether LLVM searches for scalars to join to vectors, which takes an eighth of the time of O3.

        Raises:
            LLVMError: the pipeline does not parse.
        """
        if not knows_threads:
            self._hide_range_of_threads()
        api = c_api()
        if not joins:
            self._mark_functions(True)
        options = api.LLVMCreatePassBuilderOptions()
        error = api.LLVMRunPasses(self._module, pipeline.encode(), self._machine(target) if costs else None, options)
        api.LLVMDisposePassBuilderOptions(options)
        if not joins:
            self._mark_functions(False)
        if error:
            raise LLVMError(taken(api.LLVMGetErrorMessage(error), api.LLVMDisposeErrorMessage))
        self._check()

    def _mark_functions(self, marked: bool) -> None:
        """Has LLVM's vectorizers pass over all functions, or no more: its options do not leave them out of O3."""
        api = c_api()
        kind = api.LLVMGetEnumAttributeKindForName(_NO_VECTORIZERS, len(_NO_VECTORIZERS))
        mark = api.LLVMCreateEnumAttribute(self._context.pointer, kind, 0)
        for function in self._addresses():
            if marked:
                api.LLVMAddAttributeAtIndex(function, _FUNCTION_INDEX, mark)
            else:
                api.LLVMRemoveEnumAttributeAtIndex(function, _FUNCTION_INDEX, kind)

    def _hide_range_of_threads(self) -> None:
        """Says of the numbers of threads that they may be any but -1; what has a range LLVM gives no other one."""
        api, context = c_api(), self._context.pointer
        read = api.LLVMGetNamedFunction(self._module, b"llvm.nvvm.read.ptx.sreg.tid.x")
        use = api.LLVMGetFirstUse(read) if read else None
        bounds = array_type(c_void_p, 2)(*map(self._number, THREAD_RANGE))
        anything = api.LLVMMetadataAsValue(context, api.LLVMMDNodeInContext2(context, bounds, 2))
        while use:
            api.LLVMSetMetadata(api.LLVMGetUser(use), api.LLVMGetMDKindIDInContext(context, b"range", 5), anything)
            use = api.LLVMGetNextUse(use)

    def _addresses(self) -> list[int]:
        """The address of each function."""
        return list(addresses(self._module))

    def cut_expressions(self) -> None:
        """Cuts sums and products of very many integers, see `long_expressions`."""
        cut_expressions(self._context.pointer, self._addresses())

    def split_comparisons(self) -> None:
        """Compares vectors of integers element by element, see `scalar_comparisons`."""
        split_comparisons(self._context.pointer, self._addresses())

    def addresses_stay(self) -> bool:
        """Whether loops count up their pointers in place, see `loop_addresses`."""
        return addresses_stay(self._addresses())

    def move_to_uses(self, by_element: bool) -> None:
        """Moves what only computes into the `branch_arms` that need it; `by_element` in `expression_order`."""
        sink_into_arms(self._context.pointer, self._addresses())
        if by_element:
            order_expressions(self._context.pointer, self._addresses())

    def searches_pairs(self) -> bool:
        """Whether the search for pairs of f32 is worth its time, see `float_pairs`."""
        return searches_pairs(self._addresses())

    def ptx(self, target: Target, few_registers: bool = False) -> str:
        """The module in PTX.

        Args:
            few_registers: whether LLVM orders instructions so that few registers are live.

        Raises:
            LLVMError: LLVM can't emit it.
        """
        cut_chains(self._context.pointer, self._addresses())
        api, message, buffer = c_api(), c_void_p(), c_void_p()
        machine = self._machine(target, few_registers)
        failed = api.LLVMTargetMachineEmitToMemoryBuffer(
            machine, self._module, _ASSEMBLY_FILE, ctypes.byref(message), ctypes.byref(buffer)
        )
        if failed:
            raise LLVMError(taken(message.value, api.LLVMDisposeMessage))
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


def _parse(api: Any, context: int, buffer: Any) -> int:
    """A module from a memory buffer, which it takes."""
    module, message = c_void_p(), c_void_p()
    if api.LLVMParseIRInContext(context, buffer, ctypes.byref(module), ctypes.byref(message)):
        raise LLVMError(taken(message.value, api.LLVMDisposeMessage))
    assert module.value is not None
    return module.value


def _new_machine(target: Target, few_registers: bool) -> int:
    api, found, message = c_api(), c_void_p(), c_void_p()
    if api.LLVMGetTargetFromTriple(TRIPLE, ctypes.byref(found), ctypes.byref(message)):
        raise LLVMError(taken(message.value, api.LLVMDisposeMessage))
    with _creating:  # a machine reads LLVM's flag once, when it is made
        if few_registers:
            set_flags([FEW_REGISTERS_FLAG])
        machine: int = api.LLVMCreateTargetMachine(
            found, TRIPLE, target.arch.encode(), target.features.encode(), _OPTIMIZATION_LEVEL, 0, 0
        )
        if few_registers:
            set_flags([f"{FEW_REGISTERS_FLAG}=false"])
    return machine
