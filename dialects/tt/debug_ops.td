// Output and checks while a kernel runs.

#ifndef TTKIT_TT_DEBUG_OPS
#define TTKIT_TT_DEBUG_OPS

include "tt/tt_types.td"

def TT_PrintOp : TT_Op<"print", [SameVariadicOperandSize, MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let summary = "Values printed by the device";
  let description = [{
    Each program prints `prefix` and, for every argument, its elements with their indices; integers as hexadecimal if
    `hex`, else signed where `isSigned` is not zero.  Without arguments it prints the prefix alone.

    Constraints:
    - (C1) `isSigned` has one number for each argument.
    - (C2) Arguments are numbers or pointers, or tensors of them.

    Example:
    ```mlir
    tt.func @example(%x: tensor<64xf32>, %n: i32) {
      tt.print " x and n: " {hex = false, isSigned = array<i32: 0, 1>} : %x, %n : tensor<64xf32>, i32
      tt.return
    }
    ```
  }];
  let arguments = (ins StrAttr:$prefix,
                       BoolAttr:$hex,
                       Variadic<TT_Type>:$args,  // print_c2
                       DenseI32ArrayAttr:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
  let hasVerifier = 1;  // print_c1
}

def TT_AssertOp : TT_Op<"assert", [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let summary = "Condition checked by the device";
  let description = [{
    If any element of `condition` is false, prints `message` and stops the launch with an error.

    Constraints:
    - (C1) `condition` is an `i1` or a tensor of them.

    Example:
    ```mlir
    tt.func @example(%in_bounds: tensor<64xi1>) {
      tt.assert %in_bounds, "index out of bounds" : tensor<64xi1>
      tt.return
    }
    ```
  }];
  let arguments = (ins AnyTypeOf<[I1, TensorOf<[I1]>]>:$condition, StrAttr:$message);  // assert_c1
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

#endif // TTKIT_TT_DEBUG_OPS
