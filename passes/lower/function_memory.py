"""Memory of the function being lowered: shared memory, and scratch memory that a launch provides."""

from mlir import ir

from ttkit.module_attributes import module_number
from ttkit.passes.lower.access_words import alignment, predicated_store
from ttkit.passes.lower.emitter import Emitter
from ttkit.passes.lower.unsupported import Unsupported
from ttkit.passes.lower.warps import CurrentWarps

SHARED_MEMORY = "global_smem"
"""The symbol of a kernel's shared memory, whose size the launch gives."""


def of_all(place: str) -> str:
    """The name of the attribute with the places of an operation's memory in all partitions that run its code."""
    return f"ttkit.{place.replace('.', '_')}s"


class AddedParameters:
    """Parameters that functions take after those of the source: pointers to memory.

    Args:
        module: around the functions.
        emit: builds addresses.
        warps: remembers addresses that a kernel computes once.
    """

    def __init__(self, module: ir.Operation, emit: Emitter, warps: CurrentWarps) -> None:
        self.module, self.emit, self.warps = module, emit, warps
        self.is_kernel = False
        self._extra: list[ir.Value] = []

    def begin(self, is_kernel: bool, extra: list[ir.Value]) -> None:
        """Starts a function, which takes `extra` after the parameters of the source."""
        self.is_kernel, self._extra = is_kernel, extra

    def of_callee(self, call: ir.OpView) -> list[ir.Value]:
        """The pointers that a called function takes after the parameters of the source."""
        shared = self.shared_memory() if self.is_kernel else self._extra[0]
        offset = call.operation.attributes.get("allocation.offset")
        if offset is not None:
            shared = self.emit.gep(shared, offset.value, self.emit.i8)
        scratch = self._extra[-2]
        if "ttg.global_scratch_memory_offset" in call.operation.attributes:
            scratch = self.global_scratch(call)
        return [shared, scratch, self._extra[-1]]

    def global_scratch(self, op: ir.OpView) -> ir.Value:
        """Pointer to the part of global scratch memory that belongs to `op` in this program.

        Raises:
            Unsupported: global scratch memory is not allocated.
        """
        attributes = op.operation.attributes
        if "ttg.global_scratch_memory_offset" not in attributes:
            remedy = "run tritongpu-global-scratch-memory-allocation"
            raise Unsupported(op, "it needs global scratch memory, and none is allocated", remedy)
        base = self._of_program("global", self._extra[-2]) if self.is_kernel else self._extra[-2]
        return self.emit.gep(base, self.place_of(op, "ttg.global_scratch_memory_offset"), self.emit.i8)

    def place_of(self, op: ir.OpView, name: str) -> ir.Value | int:
        """The place of an operation's memory that an attribute gives, or that in the partition which runs it."""
        attributes = op.operation.attributes
        places = attributes.get(of_all(name))
        return attributes[name].value if places is None else self.warps.place(list(places))

    def profile_scratch(self) -> ir.Value:
        """Pointer to this program's part of the memory that a launch provides for what kernels measure."""
        return self._of_program("profile", self._extra[-1])

    def _of_program(self, kind: str, memory: ir.Value) -> ir.Value:
        emit = self.emit
        size = emit.i32_constant(module_number(self.module, f"ttg.{kind}_scratch_memory_size", 0))
        return self.warps.index.once(f"{kind} scratch", lambda: emit.gep(memory, emit.mul(self.cta(), size), emit.i8))

    def cta(self) -> ir.Value:
        """i32, the number of this CTA in the grid."""
        emit = self.emit
        x, y, z = (emit.op(f"nvvm.read.ptx.sreg.ctaid.{axis}", emit.i32) for axis in "xyz")
        width, height = (emit.op(f"nvvm.read.ptx.sreg.nctaid.{axis}", emit.i32) for axis in "xy")
        return emit.add(emit.mul(emit.add(emit.mul(z, height), y), width), x)

    def shared_memory(self) -> ir.Value:
        """Pointer to the shared memory of the current function."""
        if not self.is_kernel:
            return self._extra[0]
        emit = self.emit
        name = ir.FlatSymbolRefAttr.get(SHARED_MEMORY, emit.context)
        return self.warps.index.once(
            SHARED_MEMORY, lambda: emit.op("llvm.mlir.addressof", emit.pointers[3], global_name=name)
        )


class SharedMemory:
    """Shared memory of the current function.

    Args:
        emit: builds accesses.
        parameters: have the pointer to it.
        scratch_bytes: that each operation has.
    """

    def __init__(self, emit: Emitter, parameters: AddedParameters, scratch_bytes: dict[ir.Operation, int]) -> None:
        self.emit, self.parameters, self._scratch_bytes = emit, parameters, scratch_bytes

    def pointer(self) -> ir.Value:
        """Pointer to its first byte."""
        return self.parameters.shared_memory()

    def scratch(self, op: ir.OpView, needed: int = 0) -> ir.Value:
        """Pointer to the part of shared memory that the allocation gave to `op` as scratch: `needed` bytes or more.

        Raises:
            Unsupported: shared memory is not allocated, or not as much.
        """
        offset = op.operation.attributes.get("allocation.offset")
        if offset is None:
            raise Unsupported(op, "it needs shared memory, and none is allocated", "run allocate-shared-memory-nv")
        given = self._scratch_bytes.get(op.operation, needed)
        if given < needed:
            raise Unsupported(
                op, f"it needs {needed} bytes of shared memory and has {given}", "run allocate-shared-memory-nv"
            )
        return self.emit.gep(self.pointer(), self.parameters.place_of(op, "allocation.offset"), self.emit.i8)

    def store(self, pointer: ir.Value, vector: ir.Value, mask: ir.Value | None = None) -> None:
        """Stores a vector to shared memory, aligned to its size, where an i1 holds."""
        element, count = vector.type.element_type, vector.type.shape[0]
        if mask is None:
            self.emit.store(vector, pointer, alignment(element, count))
        else:
            predicated_store(self.emit, pointer, vector, mask, ".shared", element, count)

    def load(self, pointer: ir.Value, type: ir.Type, pairs: bool = False) -> ir.Value:
        """Loads a vector from shared memory, aligned to its size, at most 16 bytes.

        Args:
            pairs: whether instructions take two bytes of the vector at once.
        """
        emit, element = self.emit, type.element_type
        if type.shape[0] == 1:
            # LLVM makes shuffles of whole tensors of what it finds in vectors of one element: 11 s of 512 bytes.
            return emit.pack([emit.load(pointer, element, alignment(element, 1))])
        if pairs and type.shape[0] == 2 and element == emit.i8:
            # LLVM would load a vector of two bytes to two registers, and join them.
            loaded = emit.load(pointer, emit.i16, 2)
            return emit.bitcast(emit.op("llvm.freeze", loaded.type, loaded), type)
        return emit.load(pointer, type, min(16, alignment(element, type.shape[0])))
