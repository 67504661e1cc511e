#ifndef TTKIT_NVWS_DESCRIPTOR_OPS
#define TTKIT_NVWS_DESCRIPTOR_OPS

include "nvws/nvws_dialect.td"

def NVWS_DescriptorLoadOp : NVWS_Op<"descriptor_load"> {
  let summary = "Copy a block of a tensor to shared memory in the background";
  let description = [{
    As `tt.descriptor_load`, into the buffer `result`, which an asynchronous reference gave.  `txCount` is how many
    bytes come.

    Example:
    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    tt.func @load(%d: !tt.tensordesc<tensor<64x16xf16>>, %i: i32,
                  %x: !ttg.memdesc<64x16xf16, #shared, #smem, mutable>) {
      nvws.descriptor_load %d[%i, %i] 2048 %x
          : !tt.tensordesc<tensor<64x16xf16>>, i32, i32, !ttg.memdesc<64x16xf16, #shared, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_TensorDescType:$desc, Variadic<I32>:$indices, I32Attr:$txCount,
                       Arg<TTG_MemDescType, "the buffer", [MemWrite<SharedMemory>]>:$result,
                       DefaultValuedAttr<TT_CacheModifierAttr, "::ttkit::tt::CacheModifier::NONE">:$cache,
                       DefaultValuedAttr<TT_EvictionPolicyAttr, "::ttkit::tt::EvictionPolicy::NORMAL">:$evict);
  let assemblyFormat = [{
    $desc `[` $indices `]` $txCount $result oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) attr-dict
    `:` qualified(type(operands))
  }];
}

def NVWS_DescriptorGatherOp : NVWS_Op<"descriptor_gather"> {
  let summary = "Copy rows of a tensor to shared memory in the background";
  let description = [{
    As `tt.descriptor_gather`, into the buffer `result`, which an asynchronous reference gave.  `txCount` is how many
    bytes come.

    Example:
    ```mlir
    #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    tt.func @gather(%d: !tt.tensordesc<tensor<1x16xf16>>, %rows: tensor<64xi32>, %column: i32,
                    %x: !ttg.memdesc<64x16xf16, #shared, #smem, mutable>) {
      nvws.descriptor_gather %d[%rows, %column] 2048 %x
          : !tt.tensordesc<tensor<1x16xf16>>, tensor<64xi32>, i32, !ttg.memdesc<64x16xf16, #shared, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_TensorDescType:$desc, RankedTensorOf<[I32]>:$x_offsets, I32:$y_offset, I32Attr:$txCount,
                       Arg<TTG_MemDescType, "the buffer", [MemWrite<SharedMemory>]>:$result);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` $txCount $result attr-dict `:` qualified(type(operands))
  }];
}

def NVWS_CLCTryCancelOp : NVWS_Op<"clc_try_cancel"> {
  let summary = "Ask for the work of a cluster that is still waiting";
  let description = [{
    As `ttng.clc_try_cancel`, into the buffer `result`, which an asynchronous reference gave.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #smem = #ttg.shared_memory
    tt.func @ask(%answer: !ttg.memdesc<2xi64, #shared, #smem, mutable>) {
      nvws.clc_try_cancel %answer : !ttg.memdesc<2xi64, #shared, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "where the answer goes", [MemWrite<SharedMemory>]>:$result);
  let assemblyFormat = "$result attr-dict `:` qualified(type($result))";
}

#endif // TTKIT_NVWS_DESCRIPTOR_OPS
