#ifndef TTKIT_TTG_SHARED_MEMORY_OPS
#define TTKIT_TTG_SHARED_MEMORY_OPS

include "ttg/ttg_types.td"
include "tt/tt_enums.td"

// --- Allocation ------------------------------------------------------------------------------------------------------

def TTG_LocalAllocOp : TTG_Op<"local_alloc", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>, DefaultBuilders {
  let summary = "Reserve a buffer in shared memory, optionally filled from a tensor";
  let description = [{
    The buffer lives from here to `ttg.local_dealloc`, or to the point after all its uses.  With `src`, `result[i] =
    src[i]`.  `alignment` is in bytes; without it the layout decides.  An immutable buffer that has not been given an
    offset yet counts as free of side effects, so that equal ones merge and unused ones go away.

    Constraints:
    - (C1) `result` is in shared memory.
    - (C2) `result` is a whole allocation: its shape is its allocation shape.
    - (C3) Without `src`, `result` is mutable.
    - (C4) `src` has the element type and the shape of `result`.
    - (C5) `src` has the rank of the layout of `result`.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    #smem = #ttg.shared_memory
    tt.func @buffers() {
      %0 = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins Optional<TT_Tensor>:$src, OptionalAttr<I32Attr>:$alignment);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TTG_LocalDeallocOp : TTG_Op<"local_dealloc"> {
  let summary = "End the life of a shared-memory buffer";
  let description = [{
    Its bytes may be reused from here on.  Optional: a buffer without one dies where control has left all its uses, so
    an operation that waits for asynchronous accesses to a buffer should take it as an operand.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    #smem = #ttg.shared_memory
    tt.func @free(%buffer: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
      ttg.local_dealloc %buffer : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "the buffer", [MemFree<SharedMemory>]>:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src))";
}

// --- Access ----------------------------------------------------------------------------------------------------------

def TTG_LocalLoadOp : TTG_Op<"local_load">, DefaultBuilders {
  let summary = "Read a shared-memory buffer into registers";
  let description = [{
    `result[i] = src[i]`.  With `token`, the read comes after the asynchronous copies that the token stands for.

    Constraints:
    - (C1) `src` and `result` have the same element type and shape.
    - (C2) The layout of `src` has the rank of `result`.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
    #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    #smem = #ttg.shared_memory
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @read(%buffer: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
        %0 = ttg.local_load %buffer : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "the buffer", [MemRead<SharedMemory>]>:$src,
                       Optional<TTG_AsyncToken>:$token);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src (`token` $token^)? attr-dict `:` qualified(type($src)) `->` type($result)";
  let hasVerifier = 1;
}

def TTG_LocalStoreOp : TTG_Op<"local_store">, DefaultBuilders {
  let summary = "Write registers to a shared-memory buffer";
  let description = [{
    `dst[i] = src[i]`.

    Constraints:
    - (C1) `dst` is mutable.
    - (C2) `src` and `dst` have the same element type and shape.
    - (C3) The layout of `dst` has the rank of `src`.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
    #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    #smem = #ttg.shared_memory
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @write(%x: tensor<64x64xf16, #blocked>, %buffer: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
        ttg.local_store %x, %buffer : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins TT_Tensor:$src, Arg<TTG_MemDescType, "the buffer", [MemWrite<SharedMemory>]>:$dst);
  let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `->` qualified(type($dst))";
  let hasVerifier = 1;
}

def TTG_LocalGatherOp : TTG_Op<"local_gather"> {
  let summary = "Read elements of a shared-memory buffer at computed positions";
  let description = [{
    `result[..., i, ...] = src[..., indices[..., i, ...], ...]`, the index standing at dimension `axis`.

    Constraints:
    - (C1) `src` is in shared memory.
    - (C2) `src`, `indices` and `result` have the same rank, and `0 <= axis < rank(src)`.
    - (C3) `indices` and `result` have the same shape and layout.
    - (C4) `src` and `result` have the same element type.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #smem = #ttg.shared_memory
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @look_up(%table: !ttg.memdesc<256xf32, #shared, #smem>, %i: tensor<128xi32, #blocked>) {
        %0 = ttg.local_gather %table[%i] {axis = 0 : i32}
            : !ttg.memdesc<256xf32, #shared, #smem>, tensor<128xi32, #blocked> -> tensor<128xf32, #blocked>
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "the buffer", [MemRead<SharedMemory>]>:$src, TT_IntTensor:$indices,
                       I32Attr:$axis, Optional<TTG_AsyncToken>:$token);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` (`token` $token^)? attr-dict
    `:` qualified(type($src)) `,` type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_LocalScatterOp : TTG_Op<"local_scatter"> {
  let summary = "Write elements of a shared-memory buffer at computed positions";
  let description = [{
    `dst[..., indices[..., i, ...], ...] = values[..., i, ...]`, the index standing at dimension `axis`.  Which of
    several values for one place stays is not defined.

    Constraints:
    - (C1) `dst` is in shared memory and mutable.
    - (C2) `dst`, `indices` and `values` have the same rank, and `0 <= axis < rank(dst)`.
    - (C3) `indices` and `values` have the same shape and layout.
    - (C4) `dst` and `values` have the same element type.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #smem = #ttg.shared_memory
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @spread(%bins: !ttg.memdesc<256xf32, #shared, #smem, mutable>, %i: tensor<128xi32, #blocked>,
                      %x: tensor<128xf32, #blocked>) {
        ttg.local_scatter %bins[%i], %x {axis = 0 : i32}
            : !ttg.memdesc<256xf32, #shared, #smem, mutable>, tensor<128xi32, #blocked>, tensor<128xf32, #blocked>
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "the buffer", [MemWrite<SharedMemory>]>:$dst, TT_Tensor:$values,
                       TT_IntTensor:$indices, I32Attr:$axis, Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $dst `[` $indices `]` `,` $values (`token` $token^)? attr-dict
    `:` qualified(type($dst)) `,` type($indices) `,` type($values)
  }];
  let hasVerifier = 1;
}

def TTG_LocalAtomicScatterRMWOp : TTG_Op<"local_atomic_scatter_rmw"> {
  let summary = "Elements of a shared-memory buffer at computed positions combined with values, each in one step";
  let description = [{
    Where `mask[..., i, ...]` (an absent `mask` is all true), with `k = indices[..., i, ...]` standing at dimension
    `axis`: `result[..., i, ...] = dst[..., k, ...]; dst[..., k, ...] = op(dst[..., k, ...], values[..., i, ...])`, with
    no other access in between.  Elsewhere `result` is undefined.  Several values for one place are combined in any
    order.  `atomic_rmw_op` is as of `tt.atomic_rmw`.

    Constraints:
    - (C1) `dst` is in shared memory and mutable.
    - (C2) `dst`, `indices` and `values` have the same rank, and `0 <= axis < rank(dst)`.
    - (C3) `indices`, `values`, `mask` and `result` have the same shape and layout.
    - (C4) `dst`, `values` and `result` have the same element type, and `mask` has `i1`.
    - (C5) `fadd` takes floating-point values; `add`, `max`, `min`, `umax` and `umin` take integers; the others take
      both, and see bits.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #smem = #ttg.shared_memory
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @count(%bins: !ttg.memdesc<256xi32, #shared, #smem, mutable>, %i: tensor<128xi32, #blocked>,
                     %x: tensor<128xi32, #blocked>) {
        %0 = ttg.local_atomic_scatter_rmw add, %bins[%i], %x {axis = 0 : i32}
            : (!ttg.memdesc<256xi32, #shared, #smem, mutable>, tensor<128xi32, #blocked>, tensor<128xi32, #blocked>)
            -> tensor<128xi32, #blocked>
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins TT_AtomicRMWAttr:$atomic_rmw_op,
                       Arg<TTG_MemDescType, "the buffer", [MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$dst,
                       TT_Tensor:$values, TT_IntTensor:$indices, Optional<TT_BoolTensor>:$mask, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $dst `[` $indices `]` `,` $values (`,` $mask^)? attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

// --- Memory that is not shared memory --------------------------------------------------------------------------------

def TTG_GlobalScratchAllocOp : TTG_Op<"global_scratch_alloc"> {
  let summary = "Reserve global memory that only this program uses";
  let description = [{
    `result` is the address of `nbytes` bytes, aligned to `alignment` bytes, in the scratch buffer that the launch
    provides.

    Example:
    ```mlir
    tt.func @scratch() {
      %0 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 1024 : i32} : !tt.ptr<i8>
      tt.return
    }
    ```
  }];
  let arguments = (ins I32Attr:$nbytes, I32Attr:$alignment);
  let results = (outs Res<TT_Ptr, "address of the buffer", [MemAlloc<GlobalMemory>]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

#endif // TTKIT_TTG_SHARED_MEMORY_OPS
