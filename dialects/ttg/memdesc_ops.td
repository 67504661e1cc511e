// Views of memory: a new descriptor of the same bytes.

#ifndef TTKIT_TTG_MEMDESC_OPS
#define TTKIT_TTG_MEMDESC_OPS

include "ttg/ttg_types.td"

class TTG_MemDescViewOp<string mnemonic, list<Trait> traits = []> : TTG_Op<mnemonic, !listconcat([Pure], traits)> {
  let results = (outs TTG_MemDescType:$result);
}

def TTG_MemDescIndexOp : TTG_MemDescViewOp<"memdesc_index"> {
  let summary = "Pick one of the buffers stacked along the first dimension";
  let description = [{
    `result[i...] = src[index, i...]`.

    Constraints:
    - (C1) `src` and `result` have the same element type.
    - (C2) `shape(result) = shape(src)[1:]`.
    - (C3) `src` and `result` are whole allocations, not views of a part of one.
    - (C4) Both layouts are of the same kind: shared memory or tensor memory.
    - (C5) In tensor memory, `src` has three dimensions.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    #smem = #ttg.shared_memory
    tt.func @stage(%ring: !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, %i: i32) {
      %0 = ttg.memdesc_index %ring[%i]
          : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src, I32:$index);
  let assemblyFormat = [{
    $src `[` $index `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TTG_MemDescSubsliceOp : TTG_MemDescViewOp<"memdesc_subslice"> {
  let summary = "View a rectangular part of a buffer";
  let description = [{
    `result[i, j, ...] = src[i + offsets[0], j + offsets[1], ...]`.  `result` keeps the allocation shape of `src`, by
    which addresses are computed.

    Constraints:
    - (C1) `src` and `result` have the same element type and rank, and `offsets` has one element per dimension.
    - (C2) Both layouts are of shared memory.
    - (C3) A dimension that is not cut has offset 0; in a cut one the offset is a multiple of the size of `result`.
    - (C4) No cut goes through the swizzling pattern of the layout.
    - (C5) The layout does not spread over several CTAs.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    #smem = #ttg.shared_memory
    tt.func @rows(%x: !ttg.memdesc<64x64xf16, #shared, #smem>) {
      // Rows 32 to 47.
      %0 = ttg.memdesc_subslice %x[32, 0]
          : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<16x64xf16, #shared, #smem, 64x64>
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$offsets);
  let assemblyFormat = [{
    $src `[` custom<Offsets>($offsets) `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TTG_MemDescTransOp : TTG_MemDescViewOp<"memdesc_trans", [SameOperandsAndResultElementType,
                                                             InferTypeOpAdaptorWithIsCompatible /*memdesc_trans_c2*/]> {
  let summary = "Permute the dimensions of a buffer's view";
  let description = [{
    Dimension `i` of `result` is dimension `order[i]` of `src`.

    Constraints:
    - (C1) `order` is a permutation of the dimensions of `src`.
    - (C2) `result` has the permuted shape and allocation shape and the inferred layout.

    Example:
    ```mlir
    #row = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    #col = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
    #smem = #ttg.shared_memory
    tt.func @transposed(%x: !ttg.memdesc<64x32xf16, #row, #smem>) {
      %0 = ttg.memdesc_trans %x {order = array<i32: 1, 0>}
          : !ttg.memdesc<64x32xf16, #row, #smem> -> !ttg.memdesc<32x64xf16, #col, #smem>
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$order);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
  let hasFolder = 1;
}

def TTG_MemDescReshapeOp : TTG_MemDescViewOp<"memdesc_reshape", [SameOperandsAndResultElementType]> {
  let summary = "Renumber the elements of a buffer in row-major order";
  let description = [{
    Element `k` of `result`, counted row by row, is element `k` of `src`.

    Constraints:
    - (C1) `src` and `result` have the same element type and number of elements.
    - (C2) `src` is not a view of a part of an allocation.
    - (C3) `result` has the inferred layout and allocation shape.

    Example:
    ```mlir
    #matrix = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
    #cube = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 3}>
    #smem = #ttg.shared_memory
    tt.func @split_rows(%x: !ttg.memdesc<32x64xf16, #matrix, #smem>) {
      %0 = ttg.memdesc_reshape %x
          : !ttg.memdesc<32x64xf16, #matrix, #smem> -> !ttg.memdesc<4x8x64xf16, #cube, #smem>
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def TTG_MemDescReinterpretOp : TTG_MemDescViewOp<"memdesc_reinterpret"> {
  let summary = "View the bytes of a buffer as another type, shape and layout";
  let description = [{
    `result` starts at the first byte of `src`.  Nothing is checked: a descriptor has no strides, so `src` should be
    contiguous and `result` no larger.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    #smem = #ttg.shared_memory
    tt.func @as_words(%x: !ttg.memdesc<64x64xf16, #shared, #smem>) {
      %0 = ttg.memdesc_reinterpret %x
          : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<32x64xi32, #shared, #smem>
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
  let hasFolder = 1;
}

#endif // TTKIT_TTG_MEMDESC_OPS
