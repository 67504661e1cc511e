#ifndef TTKIT_GLUON_LAYOUT_OPS
#define TTKIT_GLUON_LAYOUT_OPS

include "gluon/gluon_dialect.td"

def Gluon_SetAutoLayoutOp
    : Gluon_Op<"set_auto_layout", [SameOperandsAndResultShape, SameOperandsAndResultElementType]> {
  let summary = "The layout that an open one must be";
  let description = [{
    The result is `src`; where layouts are found, both get that of the result.

    Constraints:
    - (C1) `src` has the layout `#gluon.auto_encoding`.
    - (C2) The result has another one.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
    tt.func @set(%x: tensor<128xf32, #gluon.auto_encoding>) {
      %0 = gluon.set_auto_layout %x : tensor<128xf32, #gluon.auto_encoding> -> tensor<128xf32, #blocked>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;  // set_auto_layout_c1, set_auto_layout_c2
}

#endif // TTKIT_GLUON_LAYOUT_OPS
