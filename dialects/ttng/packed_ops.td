// Arithmetic of pairs of elements, two in one instruction.

#ifndef TTKIT_TTNG_PACKED_OPS
#define TTKIT_TTNG_PACKED_OPS

include "ttng/ttng_dialect.td"

def TTNG_PackedArithOp : TTNG_Op<"packed_arith", [
    Pure, Elementwise, SameOperandsAndResultType /*packed_arith_c1*/]> {
  let summary = "Arithmetic of floats by instructions that take two elements at once";
  let description = [{
    `result[i] = operation(args[i]...)`, rounded as the operation of one element is.  `fma` rounds once; `min` and
    `max` give the other operand if one is NaN.

    Constraints:
    - (C1) All operands and the result have the same type.
    - (C2) Elements are f32, f16 or bf16; for `min` and `max` f16 or bf16.
    - (C3) `fma` has three operands, the others two.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
    module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
      tt.func @twice(%x: tensor<256xf32, #blocked>) -> tensor<256xf32, #blocked> {
        %0 = ttng.packed_arith add %x, %x
            : (tensor<256xf32, #blocked>, tensor<256xf32, #blocked>) -> tensor<256xf32, #blocked>
        tt.return %0 : tensor<256xf32, #blocked>
      }
    }
    ```
  }];
  let arguments = (ins TT_PackedArithAttr:$packed_arith_op, Variadic<TT_Tensor>:$args);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$packed_arith_op $args attr-dict `:` functional-type($args, $result)";
  let hasVerifier = 1;  // packed_arith_c2, packed_arith_c3
}

#endif // TTKIT_TTNG_PACKED_OPS
