// Indices: ranges of integers, and operations that are driven by the values of integers.

#ifndef TTKIT_TT_INDEX_OPS
#define TTKIT_TT_INDEX_OPS

include "tt/type_inference.td"
include "tt/tt_types.td"
include "tt/tt_enums.td"

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]>, DefaultBuilders {
  let summary = "Consecutive integers";
  let description = [{
    `result[i] = start + i`, up to and without `end`.

    Constraints:
    - (C1) `start < end`, both signed.
    - (C2) `result` has one dimension.
    - (C3) `dim(result, 0) == end - start`.
    - (C4) `result` has elements of type i32.

    Example:
    ```mlir
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    ```
  }];
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;  // make_range_c1 to make_range_c4
}

def TT_GatherOp : TT_Op<"gather", [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Pick elements of a tensor by index along one axis";
  let description = [{
    `result[i0, ..., i(axis), ...] = src[i0, ..., indices[i0, ..., i(axis), ...], ...]`.  What an index outside
    `0 ... dim(src, axis) - 1` gives is undefined.  `efficient_layout` asks passes to keep the layouts, which somebody
    chose for speed.

    Constraints:
    - (C1) `result` has the shape of `indices`.
    - (C2) `result` has the layout of `indices`.
    - (C3) `result` has the element type of `src`.
    - (C4) `src` and `indices` have the same rank.
    - (C5) `0 <= axis < rank(src)`.
    - (C6) `dim(indices, d) == dim(src, d)` for each dimension `d` other than `axis`.

    Example:
    ```mlir
    %0 = tt.gather %a[%i] {axis = 0 : i32} : (tensor<8x16xf32>, tensor<4x16xi32>) -> tensor<4x16xf32>
    ```
  }];
  let arguments = (ins TT_Tensor:$src, TT_IntTensor:$indices, I32Attr:$axis, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;  // gather_c1 to gather_c6
}

def TT_HistogramOp : TT_Op<"histogram", [
    Pure,
    TypesMatchWith<"mask type matches src type", "src", "mask", "getI1SameShape($_self)",
                   "$_op.getNumOperands() == 1 || std::equal_to<>()"> /*histogram_c1*/]>, DefaultBuilders {
  let summary = "Count how often each small integer occurs";
  let description = [{
    `result[b]` is the number of elements of `src` that equal `b` and whose `mask` element, if there is a mask, is true.
    What elements outside `0 ... dim(result, 0) - 1` count as is undefined.

    Constraints:
    - (C1) `mask` has the shape and layout of `src`.

    Example:
    ```mlir
    %0 = tt.histogram %a : tensor<512xi32> -> tensor<16xi32>
    %1 = tt.histogram %a, %m : tensor<512xi32> -> tensor<16xi32>
    ```
  }];
  let arguments = (ins TT_IntTensor:$src, Optional<TT_BoolLike>:$mask);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)";
}

#endif // TTKIT_TT_INDEX_OPS
