#ifndef TTKIT_PROTON_GPU_DIALECT
#define TTKIT_PROTON_GPU_DIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "proton_gpu/proton_gpu_enums.td"
include "tt/tt_types.td"
include "ttg/ttg_types.td"

def ProtonGPU_Dialect : Dialect {
  let name = "proton_gpu";
  let cppNamespace = "::ttkit::proton_gpu";
  let summary = "Reads of a clock, and the buffers that they go to";
  let description = [{
    A *segment* is a buffer of one program in shared or global memory, divided into as many equal parts as warps are
    timed.  Each of these warps writes an entry of 8 bytes for each record into its part, as a ring: when it is full
    the oldest entries go.  At the end of the kernel all of it goes to the profile scratch memory of the launch.

    There each program has, in words of 32 bits: 0xdeadbeef, its number in the grid, its multiprocessor and the bytes of
    the segment.  Then come the global times in ns at its beginning, before and after the end, of two words each, the low
    one first.  Then comes the number of words that each warp of the program wrote; then the segment.  An entry is
    `end << 31 | scopeId << 23 | clock >> 32 & 0x7ff`, then the low 32 bits of the clock.
  }];
  let dependentDialects = ["::ttkit::tt::TTDialect", "::ttkit::ttg::TTGDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

def ProtonGPU_GlobalMemory : AttrDef<ProtonGPU_Dialect, "GlobalMemorySpace"> {
  let mnemonic = "global_memory";
  let description = "The memory space of segments that lie in global memory.";
}

def ProtonGPU_SegmentType : TypeDef<ProtonGPU_Dialect, "Segment"> {
  let mnemonic = "segment";
  let summary = "A buffer for times, and where in it this warp is";
  let description = [{
    `nBytes` of it; in `memorySpace`, `#ttg.shared_memory` or `#proton_gpu.global_memory`; divided as `granularity`
    says; `selectIds` are the warps that are timed, all without.

    Example:
    ```mlir
    #smem = #ttg.shared_memory
    tt.func private @timed(!proton_gpu.segment<1024, #smem, warp>)
    tt.func private @some(!proton_gpu.segment<1024, #proton_gpu.global_memory, warp, [0, 2]>)
    ```
  }];
  let parameters = (ins "int32_t":$nBytes, "::mlir::Attribute":$memorySpace,
                    EnumParameter<ProtonGPU_Granularity>:$granularity,
                    OptionalArrayRefParameter<"int32_t">:$selectIds);
  let assemblyFormat = "`<` $nBytes `,` $memorySpace `,` $granularity (`,` `[` $selectIds^ `]`)? `>`";
}

class ProtonGPU_Op<string mnemonic, list<Trait> traits = []>
    : Op<ProtonGPU_Dialect, mnemonic, traits>, GeneralBuilder;

#endif // TTKIT_PROTON_GPU_DIALECT
