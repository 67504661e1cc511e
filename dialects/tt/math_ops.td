// Elementwise arithmetic that the arith and math dialects don't have, or not for pointers, float8 and chosen rounding.

#ifndef TTKIT_TT_MATH_OPS
#define TTKIT_TT_MATH_OPS

include "tt/tt_types.td"
include "tt/tt_enums.td"

def TT_BitcastOp : TT_Op<"bitcast", [Pure, Elementwise, SameOperandsAndResultShape /*bitcast_c1*/,
                                     SameOperandsAndResultEncoding /*bitcast_c1*/]> {
  let summary = "Read the bits of each element as another type";
  let description = [{
    `result[i, ...]` has the bits of `src[i, ...]`.  Unlike `arith.bitcast` it also changes the pointee type of
    pointers.

    Constraints:
    - (C1) `src` and `result` have the same shape and layout.
    - (C2) Their elements have the same width in bits.
    - (C3) If the elements of one are pointers, so are those of the other.
    - (C4) Pointers stay in their address space.

    Example:
    ```mlir
    %0 = tt.bitcast %a : tensor<64xf32> -> tensor<64xi32>
    %1 = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i32>
    ```
  }];
  let arguments = (ins TT_Type:$src);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "$src attr-dict `:` custom<ViewTypes>(type($src), type($result))";
  let hasVerifier = 1;  // bitcast_c2, bitcast_c3, bitcast_c4
}

def TT_FpToFpOp : TT_Op<"fp_to_fp", [Pure, Elementwise, SameOperandsAndResultShape /*fp_to_fp_c1*/,
                                     SameOperandsAndResultEncoding /*fp_to_fp_c1*/]> {
  let summary = "Convert between floating-point types";
  let description = [{
    `result[i, ...]` is `src[i, ...]` in the type of `result`, rounded as `rounding` says where that type can't hold it.
    For float8 types, and for rounding other than to nearest; `arith.extf` and `arith.truncf` do the rest.

    A float8 result saturates: numbers beyond its largest one, and infinities, become that one with their sign.  Other
    types overflow as IEEE 754 asks: `rtne` to infinity, `rtz` to the largest number.  NaN stays NaN.

    Constraints:
    - (C1) `src` and `result` have the same shape and layout.
    - (C2) `rounding` is given if the elements of `result` are narrower than those of `src`.

    Example:
    ```mlir
    %0 = tt.fp_to_fp %a, rounding = rtne : tensor<64xf32> -> tensor<64xf8E4M3FN>
    %1 = tt.fp_to_fp %0 : tensor<64xf8E4M3FN> -> tensor<64xf16>
    ```
  }];
  let arguments = (ins TT_FloatLike:$src, OptionalAttr<TT_RoundingModeAttr>:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $src attr-dict (`,` `rounding` `=` $rounding^)? `:` custom<ViewTypes>(type($src), type($result))
  }];
  let hasFolder = 1;
  let hasVerifier = 1;  // fp_to_fp_c2
}

def TT_ClampFOp : TT_Op<"clampf", [Pure, Elementwise, SameOperandsAndResultType /*clampf_c1*/]> {
  let summary = "Limit each element to a range";
  let description = [{
    `result = minimum(maximum(x, min), max)`, elementwise.  With `propagateNan = all` a NaN in `x`, `min` or `max` makes
    the result NaN; with `none` a NaN in `x` gives one of the bounds.

    Constraints:
    - (C1) All operands and the result have the same type.

    Example:
    ```mlir
    %0 = tt.clampf %x, %lo, %hi, propagateNan = none : tensor<64xf32>
    ```
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max, TT_PropagateNanAttr:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)";
}

def TT_PreciseSqrtOp : TT_Op<"precise_sqrt", [Pure, Elementwise, SameOperandsAndResultType /*precise_sqrt_c1*/]> {
  let summary = "Square root, rounded to nearest as IEEE 754 asks";
  let description = [{
    `result = sqrt(x)`, elementwise; never the hardware's approximation.

    Constraints:
    - (C1) `x` and `result` have the same type.

    Example:
    ```mlir
    %0 = tt.precise_sqrt %x : tensor<64xf32>
    ```
  }];
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def TT_PreciseDivFOp : TT_Op<"precise_divf", [Pure, Elementwise, SameOperandsAndResultType /*precise_divf_c1*/]> {
  let summary = "Quotient, rounded to nearest as IEEE 754 asks";
  let description = [{
    `result = x / y`, elementwise; never the hardware's approximation.

    Constraints:
    - (C1) `x`, `y` and `result` have the same type.

    Example:
    ```mlir
    %0 = tt.precise_divf %x, %y : tensor<64xf32>
    ```
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_ApproxDivFOp : TT_Op<"approx_divf", [Pure, Elementwise, SameOperandsAndResultType /*approx_divf_c1*/]> {
  let summary = "Quotient that need not be rounded well";
  let description = [{
    `result = x / y`, elementwise, f32 to within 2 units in the last place.  Triton 3.9 makes it, of divisions by constants.

    Constraints:
    - (C1) `x`, `y` and `result` have the same type.

    Example:
    ```mlir
    %0 = tt.approx_divf %x, %y : tensor<64xf32>
    ```
  }];
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_MulhiUIOp : TT_Op<"mulhiui", [Pure, Elementwise, SameOperandsAndResultType /*mulhiui_c1*/]> {
  let summary = "High half of an unsigned product";
  let description = [{
    `result = (x * y) >> N`, elementwise, for unsigned integers of `N` bits whose product is taken with `2 * N` bits.

    Constraints:
    - (C1) `x`, `y` and `result` have the same type.

    Example:
    ```mlir
    %0 = tt.mulhiui %x, %y : tensor<64xi32>
    ```
  }];
  let arguments = (ins TT_IntLike:$x, TT_IntLike:$y);
  let results = (outs TT_IntLike:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

#endif // TTKIT_TT_MATH_OPS
