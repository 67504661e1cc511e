#ifndef TTKIT_TTNG_TENSOR_MEMORY_OPS
#define TTKIT_TTNG_TENSOR_MEMORY_OPS

include "mlir/IR/OpAsmInterface.td"
include "ttng/ttng_attrs.td"

// A token orders accesses to one buffer of tensor memory: an operation takes the one of the access before and gives its
// own, `%buffer[%token]`, or `%buffer[]` for the first.

// --- Buffers in tensor memory ----------------------------------------------------------------------------------------

def TTNG_TMEMAllocOp : TTNG_Op<"tmem_alloc", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Reserve a buffer in tensor memory, optionally filled from a tensor";
  let description = [{
    With `src`, `result[i, j] = src[i, j]`.  An immutable buffer that has not been given columns yet counts as free of
    side effects.

    Constraints:
    - (C1) The layout of `result` is one of tensor memory.
    - (C2) `result` is a whole allocation: its shape is its allocation shape.
    - (C3) Without `src`, `result` is mutable.
    - (C4) `src` has the element type and the shape of `result`, a matrix.
    - (C5) The layout of `src` can be stored to tensor memory: each warp holds its own rows.

    Example:
    ```mlir
    #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
    tt.func @accumulator() {
      %0, %token = ttng.tmem_alloc
          : () -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
      tt.return
    }
    ```
  }];
  let arguments = (ins Optional<TT_Tensor>:$src);
  let results = (outs TTG_MemDescType:$result, Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def TTNG_TMEMSubSliceOp : TTNG_Op<"tmem_subslice", [Pure]> {
  let summary = "View some columns or rows of a buffer in tensor memory";
  let description = [{
    `result[i, j] = src[i, j + N]`; with `dim = 0`, `src[i + N, j]`.

    Constraints:
    - (C1) `src` and `result` are buffers in tensor memory.
    - (C2) `result` has the rows per block, CTA parts and column stride of `src`.
    - (C3) `dim` is 0 or 1.

    Example:
    ```mlir
    #wide = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
    #narrow = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
    tt.func @right_half(%x: !ttg.memdesc<128x64xf32, #wide, #ttng.tensor_memory, mutable>) {
      %0 = ttng.tmem_subslice %x {N = 32 : i32}
          : !ttg.memdesc<128x64xf32, #wide, #ttng.tensor_memory, mutable>
          -> !ttg.memdesc<128x32xf32, #narrow, #ttng.tensor_memory, mutable, 128x64>
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src, I32Attr:$N, DefaultValuedAttr<I32Attr, "1">:$dim);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = "$src `` custom<SubsliceAttributes>(attr-dict) `:` qualified(type($src)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

// --- Accesses --------------------------------------------------------------------------------------------------------

def TTNG_TMEMLoadOp : TTNG_Op<"tmem_load", [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Read tensor memory into registers";
  let description = [{
    `result[i, j] = src[i, j]`.  A warp reaches a quarter of the rows only, which restricts the layout of `result`.
    With `redOp` there is one more result, `red[i] = redOp over j of result[i, j]`, of absolute values with `abs`; of a
    row with NaN it is NaN with `NaN`, else what it is without that element.

    Constraints:
    - (C1) `src` is in tensor memory, with a layout for blocks.
    - (C2) `result` has the element type and the shape of `src`, a matrix.
    - (C3) The layout of `result` can be loaded from tensor memory.
    - (C4) There is `red` only with `redOp`, and likewise `abs` and `NaN`.
    - (C5) With `redOp` elements are f32, and threads have whole rows of `result`.
    - (C6) `red` is an f32 of each row, in a layout that is the slice of that of `result` along dimension 1.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
    #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @read(%x: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %before: !ttg.async.token) {
        %0, %token = ttng.tmem_load %x[%before]
            : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #blocked>
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "the buffer", [MemRead<TensorMemory>]>:$src, Optional<TTG_AsyncToken>:$dep,
                       OptionalAttr<TTNG_Reduction>:$redOp, OptionalAttr<BoolAttr>:$abs, OptionalAttr<BoolAttr>:$NaN);
  // Triton 3.6 has no sizes of groups of results; 3.9 writes them, in generic form, and they follow from the types.
  let results = (outs TT_Tensor:$result,
                      Variadic<AnyTypeOf<[TTG_AsyncToken, TT_Tensor], "a token and red, if there are any">>:$rest);
  let assemblyFormat = "$src `` custom<Load>($dep, attr-dict, type($src), type($result), type($rest))";
  let hasVerifier = 1;
}

def TTNG_TMEMStoreOp : TTNG_Op<"tmem_store"> {
  let summary = "Write registers to tensor memory";
  let description = [{
    Where `pred` holds: `dst[i, j] = src[i, j]`.

    Constraints:
    - (C1) The layout of `dst` is one of tensor memory.
    - (C2) `dst` is mutable.
    - (C3) `src` has the element type and the shape of `dst`, a matrix.
    - (C4) The layout of `src` can be stored to tensor memory.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
    #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @write(%x: tensor<128x64xf32, #blocked>, %pred: i1,
                     %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) {
        ttng.tmem_store %x, %d, %pred
            : tensor<128x64xf32, #blocked> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "the buffer", [MemWrite<TensorMemory>]>:$dst, Optional<TTG_AsyncToken>:$dep,
                       TT_Tensor:$src, I1:$pred);
  let results = (outs Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $src `,` $dst `` custom<Token>($dep, type($token)) `,` $pred attr-dict `:` type($src) `->` qualified(type($dst))
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def TTNG_TMEMCopyOp : TTNG_Op<"tmem_copy"> {
  let summary = "Start copying shared memory to tensor memory";
  let description = [{
    `dst[i, j] = src[i, j]`, in the order of later products, which need not wait for it.  A layout of scales repeats
    each 32-row unit for the four warps.  `barrier`, if present, gets an arrival when the copy is done.

    Constraints:
    - (C1) `src` and `barrier` are in shared memory.
    - (C2) `dst` is mutable.
    - (C3) `src` and `dst` have the same shape.
    - (C4) The layout of `src` is aligned to at least 16 bytes, neither transposed nor padded.
    - (C5) The module has one CTA.
    - (C6) If `dst` has a layout of scales, an `nvmma_shared` `src` is not swizzled.
    - (C7) If `dst` has a layout of blocks, these have 128 rows, elements are of 32 bits and an `nvmma_shared` `src` is
      swizzled.

    Example:
    ```mlir
    #packed = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8}>
    #scales = #ttng.tensor_memory_scales_encoding<>
    #smem = #ttg.shared_memory
    tt.func @scales(%s: !ttg.memdesc<128x4xi8, #packed, #smem>,
                    %d: !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory, mutable>) {
      ttng.tmem_copy %s, %d
          : !ttg.memdesc<128x4xi8, #packed, #smem>, !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "what to read", [MemRead<SharedMemory>]>:$src,
                       Arg<TTG_MemDescType, "where to write", [MemWrite<TensorMemory>]>:$dst,
                       Optional<TTG_MemDescType>:$barrier);
  let assemblyFormat = "$src `,` $dst (`,` $barrier^)? attr-dict `:` qualified(type(operands))";
  let hasVerifier = 1;
}

def TTNG_TMEMWaitOp : TTNG_Op<"tmem_wait"> {
  let summary = "Wait for this thread's accesses to tensor memory";
  let description = [{
    Until all its loads, or all its stores, have ended: Triton writes it after groups of them since 3.9.  `ttng.tmem_load`
    and `ttng.tmem_store` wait by themselves.

    Constraints:
    - (C1) `kind` is `load` or `store`.

    Example:
    ```mlir
    tt.func @ended() {
      ttng.tmem_wait store
      tt.return
    }
    ```
  }];
  let arguments = (ins StrAttr:$kind);
  let assemblyFormat = "custom<Keyword>($kind) attr-dict";
  let hasVerifier = 1;
}

#endif // TTKIT_TTNG_TENSOR_MEMORY_OPS
