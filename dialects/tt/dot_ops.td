// Matrix products.

#ifndef TTKIT_TT_DOT_OPS
#define TTKIT_TT_DOT_OPS

include "tt/type_inference.td"
include "tt/tt_types.td"
include "tt/tt_enums.td"

def TT_DotOp : TT_Op<"dot", [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>,
                             TypesMatchWith<"result's type matches accumulator's type", "d", "c",
                                            "$_self"> /*dot_c5*/]> {
  let summary = "Product of two matrices, added to a third";
  let description = [{
    `d[m, n] = sum over k of a[m, k] * b[k, n] + c[m, n]`; with three dimensions, for each index of the first one alone.

    `inputPrecision` says how the products of f32 elements are taken: `ieee` exactly, `tf32` with operands cut to tf32,
    `tf32x3`, `bf16x3` and `bf16x6` as sums of 3 or 6 products of parts of that type.  Other types ignore it.
    `maxNumImpreciseAcc` is how many float8 products may be summed in the tensor core's short accumulator before they
    are added in full f32; 0 leaves it to the target.

    Constraints:
    - (C1) `a`, `b` and `c` all have rank 2 or all have rank 3.
    - (C2) The last dimension of `a` has the size of the last but one of `b`.
    - (C3) `c` has the M of `a`, the N of `b`, and with rank 3 all have the same first dimension.
    - (C4) The elements of `a` and `b` have the same width in bits.
    - (C5) `d` has the type of `c`.
    - (C6) Either neither `a` nor `b` has a layout, or `a`, `b` and `c` have, and those of `a` and `b` suit that of `c`.

    Example:
    ```mlir
    %0 = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<32x16xf32> * tensor<16x64xf32> -> tensor<32x64xf32>
    ```
  }];
  let arguments = (ins TT_FpIntTensor:$a, TT_FpIntTensor:$b, TT_FpIntTensor:$c,
                       DefaultValuedAttr<TT_InputPrecisionAttr, "::ttkit::tt::InputPrecision::IEEE">:$inputPrecision,
                       DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs TT_FpIntTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict
    `:` type($a) `*` type($b) `->` type($d)
  }];
  let hasVerifier = 1;  // dot_c1 to dot_c4, dot_c6
}

def TT_DotScaledOp : TT_Op<"dot_scaled", [
    Pure, AttrSizedOperandSegments, RequiredSegments<"0, 1, 2">,
    TypesMatchWith<"result's type matches accumulator's type", "d", "c", "$_self"> /*dot_scaled_c6*/]> {
  let summary = "Matrix product of operands in a microscaling format";
  let description = [{
    `d = scale(a, a_scale) * scale(b, b_scale) + c`, the product being that of `tt.dot`.  `scale` multiplies each run of
    32 consecutive elements along K by one scale, a power of two stored as its biased exponent (i8); scales in
    f8E4M3FN stand for themselves and for 16 elements each.  Without scales an operand is taken as it is.

    `a_elem_type` and `b_elem_type` tell what the elements are.  `e2m1` elements (4 bits) are packed in pairs into i8:
    two neighbours along K, or if `lhs_k_pack` (`rhs_k_pack`) is false, two neighbours along M (N).  Below, M, N and K
    count unpacked elements.  `fastMath` permits to ignore NaN scales.

    Constraints:
    - (C1) `a`, `b` and `c` all have rank 2 or all have rank 3.
    - (C2) `a` and `b` have the same K.
    - (C3) `c` has the M of `a`, the N of `b`, and with rank 3 all have the same first dimension.
    - (C4) `a_scale` has the shape of `a` (M x K), `b_scale` that of `b` transposed (N x K), with K divided by the
      number of elements that share a scale.
    - (C5) The elements of `a` and `b` have the width of their format, that of packed ones being 8 bits.
    - (C6) `d` has the type of `c`.

    Example:
    ```mlir
    %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e2m1 rhs = bf16 {fastMath = false}
       : tensor<32x32xi8>, tensor<32x2xi8> * tensor<64x16xbf16> -> tensor<32x16xf32>
    ```
  }];
  let arguments = (ins RankedTensorOf<[TT_Float, I8]>:$a, RankedTensorOf<[TT_Float, I8]>:$b, TT_FloatTensor:$c,
                       Optional<RankedTensorOf<[TT_Float, I8]>>:$a_scale,
                       Optional<RankedTensorOf<[TT_Float, I8]>>:$b_scale,
                       TT_ScaleDotElemTypeAttr:$a_elem_type, TT_ScaleDotElemTypeAttr:$b_elem_type, BoolAttr:$fastMath,
                       DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack,
                       DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs TT_FloatTensor:$d);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c `lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict
    `:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($d)
  }];
  let hasVerifier = 1;  // dot_scaled_c1 to dot_scaled_c5
}

#endif // TTKIT_TT_DOT_OPS
