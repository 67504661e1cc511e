// Reductions and scans along one axis, combined by a region.

#ifndef TTKIT_TT_REDUCE_OPS
#define TTKIT_TT_REDUCE_OPS

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "tt/type_inference.td"
include "tt/tt_types.td"
include "tt/tt_enums.td"

def TT_ReduceOp : TT_Op<"reduce", [Pure, SameOperandsShape /*reduce_c2*/, SameOperandsEncoding /*reduce_c2*/,
                                   SingleBlock, DeclareOpInterfaceMethods<InferTypeOpInterface> /*reduce_c5*/]> {
  let summary = "Combine all elements along one axis";
  let description = [{
    Reduces `n` tensors together.  `combineOp` takes two tuples of `n` scalars, the first as arguments `0 ... n - 1`,
    and returns their combination, also `n` scalars:
    `result[..., ...] = combineOp(... combineOp(combineOp(srcs[..., 0, ...], srcs[..., 1, ...]), srcs[..., 2, ...])
    ...)`.  It must be associative and commutative, since the order is up to the compiler.

    Constraints:
    - (C1) There is at least one operand, and as many results as operands.
    - (C2) All operands have the same shape and layout.
    - (C3) `0 <= axis < rank(srcs[0])`.
    - (C4) Result `i` has the element type of operand `i`.
    - (C5) Each result has the shape of the operands less dimension `axis`, and as layout the slice of theirs along
      `axis`.  What would have no dimension left is a scalar.
    - (C6) `combineOp` takes the element types of the operands, twice over.
    - (C7) `combineOp` ends in `tt.reduce.return` of values of the operands' element types.

    Example:
    ```mlir
    %0 = "tt.reduce"(%a) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %sum = arith.addf %x, %y : f32
      tt.reduce.return %sum : f32
    }) : (tensor<32x16xf32>) -> tensor<32xf32>
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_Type>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;        // reduce_c1, reduce_c3, reduce_c4
  let hasRegionVerifier = 1;  // reduce_c6, reduce_c7
}

def TT_ReduceReturnOp : TT_Op<"reduce.return", [HasParent<"ReduceOp"> /*reduce_return_c1*/, Pure, Terminator,
                                                ReturnLike]> {
  let summary = "Result of combining two tuples of elements";
  let description = [{
    Ends the region of a `tt.reduce`; the operands are the combined elements.

    Constraints:
    - (C1) The parent is a `tt.reduce`.

    Example:
    ```mlir
    %0:2 = "tt.reduce"(%a, %i) <{axis = 0 : i32}> ({
    ^bb0(%x: f32, %xi: i32, %y: f32, %yi: i32):
      %less = arith.cmpf olt, %x, %y : f32
      %max = arith.select %less, %y, %x : f32
      %index = arith.select %less, %yi, %xi : i32
      tt.reduce.return %max, %index : f32, i32
    }) : (tensor<32xf32>, tensor<32xi32>) -> (f32, i32)
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

def TT_ScanOp : TT_Op<"scan", [Pure, SameOperandsAndResultEncoding /*scan_c2*/, SameOperandsAndResultShape /*scan_c2*/,
                               SingleBlock, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Combine each element with all before it along one axis";
  let description = [{
    The inclusive prefix form of `tt.reduce`, with `combineOp` as there:
    `result[..., 0, ...] = srcs[..., 0, ...]` and
    `result[..., i, ...] = combineOp(result[..., i - 1, ...], srcs[..., i, ...])`.  With `reverse` it starts at the end
    of the axis and goes down.  `combineOp` must be associative.  With `axis = rank(srcs[0])`, the axis is a
    further one of size one after the others, so `result = srcs`.

    Constraints:
    - (C1) There is at least one operand, and as many results as operands.
    - (C2) All operands and results have the same shape and layout.
    - (C3) `0 <= axis <= rank(srcs[0])`.
    - (C4) Result `i` has the element type of operand `i`.
    - (C5) `combineOp` takes the element types of the operands, twice over.
    - (C6) `combineOp` ends in `tt.scan.return` of values of the operands' element types.

    Example:
    ```mlir
    %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%x: f32, %y: f32):
      %sum = arith.addf %x, %y : f32
      tt.scan.return %sum : f32
    }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;        // scan_c1, scan_c3, scan_c4
  let hasRegionVerifier = 1;  // scan_c5, scan_c6
}

def TT_ScanReturnOp : TT_Op<"scan.return", [HasParent<"ScanOp"> /*scan_return_c1*/, Pure, Terminator, ReturnLike]> {
  let summary = "Result of combining a prefix with the next elements";
  let description = [{
    Ends the region of a `tt.scan`; the operands are the combined elements.

    Constraints:
    - (C1) The parent is a `tt.scan`.

    Example:
    ```mlir
    %0 = "tt.scan"(%a) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%x: f32, %y: f32):
      %sum = arith.addf %x, %y : f32
      tt.scan.return %sum : f32
    }) : (tensor<32xf32>) -> tensor<32xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

#endif // TTKIT_TT_REDUCE_OPS
