#ifndef TTKIT_NVWS_WARP_GROUP_OPS
#define TTKIT_NVWS_WARP_GROUP_OPS

include "nvws/nvws_dialect.td"

def NVWS_WarpGroupOp : NVWS_Op<"warp_group", [RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "Groups of warps that run regions at the same time";
  let description = [{
    As `ttg.warp_specialize` with nothing captured: the regions use the values around them.  The first region may yield
    values, which are the results.

    Constraints:
    - (C1) `numWarps` has a number for each region.
    - (C2) With results, the first region ends in `nvws.warp_group.yield`.
    - (C3) There are as many results as values yielded there.

    Example:
    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @groups(%x: i32) {
        %0 = nvws.warp_group
        partition0 num_warps(4) {
          nvws.warp_group.yield %x : i32
        }
        partition1 num_warps(8) {
          nvws.warp_group.return
        }
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins DenseI32ArrayAttr:$numWarps);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region VariadicRegion<MinSizedRegion<1>>:$partitionRegions);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def NVWS_WarpGroupYieldOp
    : NVWS_Op<"warp_group.yield", [Pure, Terminator, ReturnLike, HasParent<"WarpGroupOp"> /*warp_group_yield_c1*/]> {
  let summary = "End of the first region of a warp group, with its results";
  let description = [{
    Constraints:
    - (C1) It stands directly in an `nvws.warp_group`.

    Example:
    ```mlir
    tt.func @give(%x: i32) {
      %0 = nvws.warp_group
      partition0 num_warps(4) {
        nvws.warp_group.yield %x : i32
      }
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^)? attr-dict (`:` type($values)^)?";
}

def NVWS_WarpGroupReturnOp
    : NVWS_Op<"warp_group.return", [Pure, Terminator, ReturnLike, HasParent<"WarpGroupOp"> /*warp_group_return_c1*/]> {
  let summary = "End of a region of a warp group";
  let description = [{
    Constraints:
    - (C1) It stands directly in an `nvws.warp_group`.

    Example:
    ```mlir
    tt.func @end() {
      nvws.warp_group
      partition0 num_warps(4) {
        nvws.warp_group.return
      }
      tt.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // TTKIT_NVWS_WARP_GROUP_OPS
