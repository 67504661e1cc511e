#ifndef TTKIT_TTNG_TMA_OPS
#define TTKIT_TTNG_TMA_OPS

include "ttng/ttng_dialect.td"

// --- Copies by descriptor --------------------------------------------------------------------------------------------

def TTNG_AsyncTMACopyGlobalToLocalOp : TTNG_Op<"async_tma_copy_global_to_local"> {
  let summary = "Start copying a block of a tensor to shared memory";
  let description = [{
    Where `pred` holds: `result[i, j, ...] = tensor[coord[0] + i, coord[1] + j, ...]`, zero or NaN outside the tensor.
    The bytes are counted at `barrier` as they arrive.

    By a descriptor of images (`im2col`), `coord` has the coordinates of the first pixel and channel, then an offset of
    each dimension of space.  `result[p, c] = tensor[pixel(p) + offsets, coord[-1] + c]`, where pixel(0) is at `coord`,
    and pixel(p + 1) comes after pixel(p) in the box of the descriptor, the last dimension of space first.

    Constraints:
    - (C1) `barrier` is a descriptor of one i64.
    - (C2) There are 1 to 5 coordinates.
    - (C3) `result` is mutable.
    - (C4) The layout of `result` is `nvmma_shared`.
    - (C5) Offsets follow the coordinates, one of each dimension of space, if `desc` is of images: it has 3 to 5.

    Example:
    ```mlir
    #tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #smem = #ttg.shared_memory
    tt.func @load(%desc: !tt.tensordesc<tensor<64x64xf16, #tile>>, %i: i32, %pred: i1,
                  %buffer: !ttg.memdesc<64x64xf16, #tile, #smem, mutable>,
                  %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
      ttng.async_tma_copy_global_to_local %desc[%i, %i] %buffer, %bar, %pred
          : !tt.tensordesc<tensor<64x64xf16, #tile>>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
          -> !ttg.memdesc<64x64xf16, #tile, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    Arg<TT_TensorDescType, "what to read", [MemRead<GlobalMemory>]>:$desc,
    Variadic<AnyTypeOf<[I32, I16]>>:$coord, // i16 are offsets
    Arg<TTG_MemDescType, "the barrier", [MemWrite<SharedMemory>]>:$barrier,
    Arg<TTG_MemDescType, "where to write", [MemWrite<SharedMemory>]>:$result,
    I1:$pred,
    DefaultValuedAttr<TT_CacheModifierAttr, "::ttkit::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::ttkit::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let assemblyFormat = [{
    $desc `` custom<CoordinatesAndOffsets>($coord, type($coord)) $result `,` $barrier `,` $pred
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($desc)) `,` qualified(type($barrier)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TTNG_AsyncTMACopyLocalToGlobalOp : TTNG_Op<"async_tma_copy_local_to_global"> {
  let summary = "Start copying a shared-memory buffer to a block of a tensor";
  let description = [{
    `tensor[coord[0] + i, coord[1] + j, ...] = src[i, j, ...]` inside the tensor.  `ttng.async_tma_store_wait` waits
    for it.

    Example:
    ```mlir
    #tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    tt.func @store(%desc: !tt.tensordesc<tensor<64x64xf16, #tile>>, %i: i32,
                   %buffer: !ttg.memdesc<64x64xf16, #tile, #smem>) {
      ttng.async_tma_copy_local_to_global %desc[%i, %i] %buffer
          : !tt.tensordesc<tensor<64x64xf16, #tile>>, !ttg.memdesc<64x64xf16, #tile, #smem>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    Arg<TT_TensorDescType, "where to write", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc,
    Variadic<I32>:$coord,
    Arg<TTG_MemDescType, "what to read", [MemRead<SharedMemory>]>:$src);
  let assemblyFormat = [{
    $desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,` qualified(type($src))
  }];
}

def TTNG_AsyncTMAReduceOp
    : TTNG_Op<"async_tma_reduce", [MemoryEffects<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>]> {
  let summary = "Start combining a shared-memory buffer into a block of a tensor";
  let description = [{
    `tensor[coord[0] + i, coord[1] + j, ...] = kind(tensor[...], src[i, j, ...])` inside the tensor, atomic for each
    element, with relaxed ordering.  `ttng.async_tma_store_wait` waits for it.

    Example:
    ```mlir
    #tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
    #smem = #ttg.shared_memory
    tt.func @accumulate(%desc: !tt.tensordesc<tensor<64x32xf32, #tile>>, %i: i32,
                        %buffer: !ttg.memdesc<64x32xf32, #tile, #smem>) {
      ttng.async_tma_reduce add, %desc[%i, %i] %buffer
          : !tt.tensordesc<tensor<64x32xf32, #tile>>, !ttg.memdesc<64x32xf32, #tile, #smem>
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_DescriptorReduceKindAttr:$kind,
    Arg<TT_TensorDescType, "where to write", [MemRead<GlobalMemory>]>:$desc,
    Variadic<I32>:$coord,
    Arg<TTG_MemDescType, "what to read", [MemRead<SharedMemory>]>:$src);
  let assemblyFormat = [{
    $kind `,` $desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,` qualified(type($src))
  }];
}

def TTNG_AsyncTMAGatherOp : TTNG_Op<"async_tma_gather"> {
  let summary = "Start copying chosen rows of a matrix to shared memory";
  let description = [{
    Where `pred` holds: `result[i, j] = matrix[x_offsets[i], y_offset + j]`.  The bytes are counted at `barrier` as they
    arrive.

    Constraints:
    - (C1) `barrier` is a descriptor of one i64.
    - (C2) `result` is mutable.
    - (C3) `x_offsets` has one dimension; `result` is a matrix with as many rows, at least 8.
    - (C4) Elements of `result` have at most 32 bits, its rows at least 8 times 32 bits.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
    #rows = #ttg.slice<{dim = 0, parent = #blocked}>
    #tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #smem = #ttg.shared_memory
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @gather(%desc: !tt.tensordesc<tensor<1x64xf16, #tile>>, %x: tensor<32xi32, #rows>, %y: i32, %pred: i1,
                      %buffer: !ttg.memdesc<32x64xf16, #tile, #smem, mutable>,
                      %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
        ttng.async_tma_gather %desc[%x, %y] %buffer, %bar, %pred
            : !tt.tensordesc<tensor<1x64xf16, #tile>>, tensor<32xi32, #rows>, i32,
              !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<32x64xf16, #tile, #smem, mutable>, i1
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins
    Arg<TT_TensorDescType, "what to read", [MemRead<GlobalMemory>]>:$desc,
    RankedTensorOf<[I32]>:$x_offsets,
    I32:$y_offset,
    Arg<TTG_MemDescType, "the barrier", [MemWrite<SharedMemory>]>:$barrier,
    Arg<TTG_MemDescType, "where to write", [MemWrite<SharedMemory>]>:$result,
    I1:$pred);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` $result `,` $barrier `,` $pred attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

def TTNG_AsyncTMAScatterOp : TTNG_Op<"async_tma_scatter"> {
  let summary = "Start copying a shared-memory buffer to chosen rows of a matrix";
  let description = [{
    `matrix[x_offsets[i], y_offset + j] = src[i, j]`.  `ttng.async_tma_store_wait` waits for it.

    Constraints:
    - (C1) `x_offsets` has one dimension; `src` is a matrix with as many rows, at least 8.
    - (C2) Elements of `src` have at most 32 bits, its rows at least 8 times 32 bits.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
    #rows = #ttg.slice<{dim = 0, parent = #blocked}>
    #tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @scatter(%desc: !tt.tensordesc<tensor<1x64xf16, #tile>>, %x: tensor<32xi32, #rows>, %y: i32,
                       %buffer: !ttg.memdesc<32x64xf16, #tile, #smem>) {
        ttng.async_tma_scatter %desc[%x, %y] %buffer
            : !tt.tensordesc<tensor<1x64xf16, #tile>>, tensor<32xi32, #rows>, i32, !ttg.memdesc<32x64xf16, #tile, #smem>
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins
    Arg<TT_TensorDescType, "where to write", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc,
    RankedTensorOf<[I32]>:$x_offsets,
    I32:$y_offset,
    Arg<TTG_MemDescType, "what to read", [MemRead<SharedMemory>]>:$src);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` $src attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def TTNG_TMAStoreWaitOp : TTNG_Op<"async_tma_store_wait"> {
  let summary = "Wait until at most a number of TMA stores still reads its buffer";
  let description = [{
    Returns once no more than the `pendings` newest stores, reductions and scatters of the thread still read shared
    memory; the buffers of the others may then be written again.

    Example:
    ```mlir
    tt.func @wait() {
      ttng.async_tma_store_wait {pendings = 0 : i32}
      tt.return
    }
    ```
  }];
  let arguments = (ins I32Attr:$pendings);
  let assemblyFormat = "attr-dict";
}

// --- Descriptors -----------------------------------------------------------------------------------------------------

def TTNG_ReinterpretTensorDescOp : TTNG_Op<"reinterpret_tensor_descriptor", [Pure]> {
  let summary = "Take 128 bytes in memory for a tensor descriptor";
  let description = [{
    `rawDesc` points to a tensor map that the host or `ttng.tensormap_create` wrote; `result` is that descriptor with
    the type of its block.

    Example:
    ```mlir
    tt.func @typed(%p: !tt.ptr<i8>) {
      %0 = ttng.reinterpret_tensor_descriptor %p : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xf16>>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_Ptr:$rawDesc);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$rawDesc attr-dict `:` qualified(type($rawDesc)) `to` qualified(type($result))";
}

def TTNG_TensormapCreateOp
    : TTNG_Op<"tensormap_create", [MemoryEffects<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>,
                                   AttrSizedOperandSegments, RequiredSegments<"0, 1">]> {
  let summary = "Write a tensor map to global memory";
  let description = [{
    Writes to `desc_ptr` the 128-byte tensor map of a tensor at `global_address`.  `box_dim` and `global_dim` are in
    elements, the innermost dimension first; `global_stride`, of all dimensions but that one, is in bytes.  The four
    attributes are the codes that the hardware has for the element type, the interleaving, the swizzling (0 to 3:
    none, 32, 64, 128 bytes) and the value outside the tensor (0: zero, 1: NaN).

    Constraints:
    - (C1) `global_dim` and `element_stride` have as many elements as `box_dim`, `global_stride` one less.
    - (C2) `0 <= elem_type <= 15`, `0 <= interleave_layout <= 2`, `0 <= swizzle_mode <= 3`, `0 <= fill_mode <= 1`.

    Example:
    ```mlir
    tt.func @make(%map: !tt.ptr<i8>, %base: !tt.ptr<f16>, %box: i32, %size: i32, %stride: i64, %one: i32) {
      ttng.tensormap_create %map, %base, [%box, %box], [%size, %size], [%stride], [%one, %one]
          {elem_type = 6 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, fill_mode = 0 : i32}
          : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
      tt.return
    }
    ```
  }];
  let arguments = (ins
    TT_PtrType:$desc_ptr,
    TT_PtrType:$global_address,
    Variadic<I32>:$box_dim,
    Variadic<I32>:$global_dim,
    Variadic<I64>:$global_stride,
    Variadic<I32>:$element_stride,
    ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<15>]>:$elem_type,           // tensormap_create_c2
    ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<2>]>:$interleave_layout,    // tensormap_create_c2
    ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<3>]>:$swizzle_mode,         // tensormap_create_c2
    ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<1>]>:$fill_mode);           // tensormap_create_c2
  let assemblyFormat = [{
    $desc_ptr `,` $global_address `,` `[` $box_dim `]` `,` `[` $global_dim `]` `,` `[` $global_stride `]` `,`
    `[` $element_stride `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TTNG_TensormapFenceproxyAcquireOp
    : TTNG_Op<"tensormap_fenceproxy_acquire", [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let summary = "Order the writing of a tensor map before its use";
  let description = [{
    Copies after it that use the map at `desc_ptr` see what was written there before.

    Example:
    ```mlir
    tt.func @acquire(%map: !tt.ptr<i8>) {
      ttng.tensormap_fenceproxy_acquire %map : !tt.ptr<i8>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_PtrType:$desc_ptr);
  let assemblyFormat = "$desc_ptr attr-dict `:` qualified(type($desc_ptr))";
}

#endif // TTKIT_TTNG_TMA_OPS
