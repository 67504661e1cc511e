// Views: operations that repeat, pick or renumber elements of a tensor and compute nothing.

#ifndef TTKIT_TT_VIEW_OPS
#define TTKIT_TT_VIEW_OPS

include "tt/type_inference.td"
include "tt/tt_types.td"
include "tt/tt_enums.td"

def TT_SplatOp : TT_Op<"splat", [Pure, SameOperandsAndResultElementType /*splat_c1*/,
                                 SameOperandsAndResultEncoding /*splat_c2*/]> {
  let summary = "Tensor whose elements all equal one scalar";
  let description = [{
    `result[i, j, ...] = src`.

    Constraints:
    - (C1) The element type of `result` is the type of `src`.
    - (C2) `src` is a scalar, or a tensor of one element with the layout of `result`.

    Example:
    ```mlir
    %0 = tt.splat %x : f32 -> tensor<128x64xf32>
    %1 = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    ```
  }];
  let arguments = (ins TT_Type:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` custom<ViewTypes>(type($src), type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;  // splat_c2
}

def TT_UnsplatOp : TT_Op<"unsplat", [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface> /*unsplat_c2*/]> {
  let summary = "Scalar held by a tensor of one element";
  let description = [{
    `result = src[0, 0, ...]`.

    Constraints:
    - (C1) `src` has exactly one element.
    - (C2) The type of `result` is the element type of `src`.

    Example:
    ```mlir
    %0 = tt.unsplat %a : tensor<1x1xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Scalar:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasVerifier = 1;  // unsplat_c1
}

def TT_ExpandDimsOp : TT_Op<"expand_dims", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface> /*expand_dims_c1, expand_dims_c2*/,
    SameOperandsAndResultElementType /*expand_dims_c3*/]>, DefaultBuilders {
  let summary = "Insert a dimension of size one";
  let description = [{
    `result[i0, ..., i(axis-1), 0, i(axis), ...] = src[i0, ..., i(axis-1), i(axis), ...]`.

    Constraints:
    - (C1) `0 <= axis <= rank(src)`.
    - (C2) The shape of `result` is that of `src` with a 1 inserted at `axis`; the layout of `src` is the
      slice of its layout along `axis`.
    - (C3) `src` and `result` have the same element type.

    Example:
    ```mlir
    %0 = tt.expand_dims %a {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` custom<ViewTypes>(type($src), type($result))";
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
}

def TT_BroadcastOp : TT_Op<"broadcast", [Pure, SameOperandsAndResultElementType /*broadcast_c3*/,
                                         SameOperandsAndResultEncoding /*broadcast_c3*/]> {
  let summary = "Repeat a tensor along its dimensions of size one";
  let description = [{
    `result[i, j, ...] = src[dim(src, 0) == 1 ? 0 : i, dim(src, 1) == 1 ? 0 : j, ...]`.

    Constraints:
    - (C1) `src` and `result` have the same rank.
    - (C2) For each dimension `d`, `dim(src, d) == 1` or `dim(src, d) == dim(result, d)`.
    - (C3) `src` and `result` have the same element type and layout.

    Example:
    ```mlir
    %0 = tt.broadcast %a : tensor<1x32x1xf32> -> tensor<2x32x4xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` custom<ViewTypes>(type($src), type($result))";
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
  let hasVerifier = 1;  // broadcast_c1, broadcast_c2
}

def TT_ReshapeOp : TT_Op<"reshape", [Pure, SameOperandsAndResultElementType /*reshape_c4*/]>, DefaultBuilders {
  let summary = "Give the elements of a tensor another shape";
  let description = [{
    Element number `n` of `result` in row-major order is element number `n` of `src`.  With `allow_reorder` the elements
    of `result` are those of `src` in any order, so that the compiler may choose one that moves no data.
    `efficient_layout` asks passes to keep the layout of `result`, which somebody chose for speed.

    Constraints:
    - (C1) `src` and `result` have the same number of elements.
    - (C2) Either both have a layout, or neither has.
    - (C3) Without `allow_reorder` the layout of `result` is one under which every thread holds the elements that it
      held of `src`, in the same registers.
    - (C4) `src` and `result` have the same element type.

    Example:
    ```mlir
    %0 = tt.reshape %a : tensor<32x16xf32> -> tensor<512xf32>
    %1 = tt.reshape %a allow_reorder efficient_layout : tensor<32x16xf32> -> tensor<512xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)? attr-dict
    `:` custom<ViewTypes>(type($src), type($result))
  }];
  let hasCanonicalizeMethod = 1;
  let hasFolder = 1;
  let hasVerifier = 1;  // reshape_c1, reshape_c2, reshape_c3
}

def TT_TransOp : TT_Op<"trans", [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface> /*trans_c2*/,
                                 SameOperandsAndResultElementType /*trans_c3*/]>, DefaultBuilders {
  let summary = "Permute the dimensions of a tensor";
  let description = [{
    Dimension `d` of `result` is dimension `order[d]` of `src`.  No data moves: every thread keeps the elements that it
    holds, under permuted indices.

    Constraints:
    - (C1) `order` is a permutation of `0 ... rank(src) - 1`.
    - (C2) `dim(result, d) == dim(src, order[d])`, and the layout of `result` is that of `src`, so permuted, or an
      equivalent one.
    - (C3) `src` and `result` have the same element type.

    Example:
    ```mlir
    %0 = tt.trans %a {order = array<i32: 2, 0, 1>} : tensor<1x2x4xf32> -> tensor<4x1x2xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` custom<ViewTypes>(type($src), type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;  // trans_c1
  let extraClassDeclaration = AcceptsEquivalentLayouts;
}

def TT_JoinOp : TT_Op<"join", [Pure, SameTypeOperands /*join_c1*/]> {
  let summary = "Pair two tensors along a new last dimension";
  let description = [{
    `result[..., 0] = lhs[...]` and `result[..., 1] = rhs[...]`.

    Constraints:
    - (C1) `lhs` and `rhs` have the same type.
    - (C2) `result` has their element type and their shape, followed by a dimension of size 2.
    - (C3) `lhs` has the layout that `tt.split` gives to each half of `result`, or an equivalent one.

    Example:
    ```mlir
    %0 = tt.join %a, %b : tensor<4x8xf32> -> tensor<4x8x2xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;  // join_c2, join_c3
}

def TT_SplitOp : TT_Op<"split", [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface> /*split_c1, split_c2*/,
                                 TypesMatchWith<"outLHS and outRHS types match", "outLHS", "outRHS",
                                                "$_self"> /*split_c3*/]> {
  let summary = "Take apart the two halves along a last dimension of size two";
  let description = [{
    `outLHS[...] = src[..., 0]` and `outRHS[...] = src[..., 1]`: the inverse of `tt.join`.

    Constraints:
    - (C1) The last dimension of `src` has size 2.
    - (C2) The results have the element type and shape of `src` less its last dimension, and the layout that leaves
      every element where it is, or an equivalent one.
    - (C3) `outLHS` and `outRHS` have the same type.

    Example:
    ```mlir
    %lhs, %rhs = tt.split %a : tensor<4x8x2xf32> -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
  let extraClassDeclaration = AcceptsEquivalentLayouts;
}

// No effects, yet not speculatable: Triton doesn't hoist it out of loops either.
def TT_CatOp : TT_Op<"cat", [NoMemoryEffect, SameTypeOperands /*cat_c1*/,
                             SameOperandsAndResultElementType /*cat_c2*/]>, DefaultBuilders {
  let summary = "All elements of two tensors, in any order";
  let description = [{
    `result` holds the elements of `lhs` and of `rhs`; where each one lands is up to the compiler.

    Constraints:
    - (C1) `lhs` and `rhs` have the same type.
    - (C2) `result` has their element type.
    - (C3) `result` has twice as many elements as `lhs`.

    Example:
    ```mlir
    %0 = tt.cat %a, %b : tensor<32xf32> -> tensor<64xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;  // cat_c3
}

#endif // TTKIT_TT_VIEW_OPS
