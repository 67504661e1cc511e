#ifndef TTKIT_TTG_WARP_SPECIALIZE_OPS
#define TTKIT_TTG_WARP_SPECIALIZE_OPS

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "ttg/ttg_types.td"

def TTG_WarpSpecializeOp
    : TTG_Op<"warp_specialize", [RecursiveMemoryEffects, RecursivelySpeculatable,
                                 DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "Run different code on different groups of warps at once";
  let description = [{
    The warps that arrive run the default region, which may use any value in scope and whose `ttg.warp_yield` gives
    the results.  Further warps start at the same time, a group of `partitionNumWarps[i]` for each partition region
    `i`; all groups have finished when the operation ends.  A partition sees only its arguments, the values of
    `explicitCaptures`, since its tensors have layouts for another number of warps; it lies inside a
    `ttg.warp_specialize.partitions`, which the custom syntax does not show.

    `warpGroupStartIds[i]` is the first warp of group `i`; `requestedRegisters` and `actualRegisters` are registers per
    thread, one number a group (the second has one for the default group in front).

    Constraints:
    - (C1) The second region holds a `ttg.warp_specialize.partitions`.
    - (C2) `partitionNumWarps` has one element a partition, each a power of two.
    - (C3) `warpGroupStartIds`, if present, has one element a partition.
    - (C4) The arguments of each partition have the types of `explicitCaptures`.
    - (C5) It is not nested in another `ttg.warp_specialize`.
    - (C6) The number of warps around it is a multiple of 4.

    Example:
    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @split(%x: i32) {
        %0 = ttg.warp_specialize(%x) attributes {requestedRegisters = array<i32: 24, 80>}
        default {
          ttg.warp_yield %x : i32
        }
        partition0(%arg0: i32) num_warps(1) {
          ttg.warp_return
        }
        partition1(%arg0: i32) num_warps(4) {
          ttg.warp_return
        } : (i32) -> i32
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$explicitCaptures,
                       DenseI32ArrayAttr:$partitionNumWarps,
                       OptionalAttr<DenseI32ArrayAttr>:$warpGroupStartIds,
                       OptionalAttr<DenseI32ArrayAttr>:$requestedRegisters,
                       OptionalAttr<DenseI32ArrayAttr>:$actualRegisters);
  let results = (outs Variadic<AnyType>:$defaultPassthrough);
  let regions = (region MinSizedRegion<1>:$defaultRegion, SizedRegion<1>:$partitionOpHolder);
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The partition regions; none while the operation is malformed.
    ::mlir::MutableArrayRef<::mlir::Region> getPartitionRegions();
  }];
}

def TTG_WarpSpecializePartitionsOp
    : TTG_Op<"warp_specialize.partitions", [IsolatedFromAbove, RecursiveMemoryEffects, RecursivelySpeculatable,
                                            Terminator,
                                            HasParent<"WarpSpecializeOp"> /*warp_specialize_partitions_c1*/]> {
  let summary = "The partition regions, as an operation that is isolated from above";
  let description = [{
    Isolation is a property of whole operations in MLIR, and the default region is not isolated; hence this holder.

    Constraints:
    - (C1) It stands directly in a `ttg.warp_specialize`.
    - (C2) No region is empty.

    Example:
    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @split(%x: i32) {
        "ttg.warp_specialize"(%x) <{partitionNumWarps = array<i32: 1>}> ({
          ttg.warp_yield
        }, {
          "ttg.warp_specialize.partitions"() ({
          ^bb0(%arg0: i32):
            ttg.warp_return
          }) : () -> ()
        }) : (i32) -> ()
        tt.return
      }
    }
    ```
  }];
  let regions = (region VariadicRegion<MinSizedRegion<1>>:$partitionRegions);  // warp_specialize_partitions_c2
}

def TTG_WarpYieldOp
    : TTG_Op<"warp_yield", [Pure, Terminator, ReturnLike, HasParent<"WarpSpecializeOp"> /*warp_yield_c1*/]> {
  let summary = "End of the default region of a warp specialization";
  let description = [{
    Its operands are the results of the `ttg.warp_specialize` around it.

    Constraints:
    - (C1) It stands directly in a `ttg.warp_specialize`.
    - (C2) There are as many operands as results, of the same types.

    Example:
    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @pass_through(%x: i32) {
        %0 = ttg.warp_specialize()
        default {
          ttg.warp_yield %x : i32
        } : () -> i32
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^)? attr-dict (`:` type($values)^)?";
  let hasVerifier = 1;
}

def TTG_WarpReturnOp : TTG_Op<"warp_return", [Pure, Terminator, ReturnLike,
                                              HasParent<"WarpSpecializePartitionsOp"> /*warp_return_c1*/]> {
  let summary = "End of a partition region";
  let description = [{
    The warps of the partition wait there for the other groups.  Partitions return no values.

    Constraints:
    - (C1) It stands directly in a partition region.

    Example:
    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @empty_partition() {
        ttg.warp_specialize()
        default {
          ttg.warp_yield
        }
        partition0() num_warps(4) {
          ttg.warp_return
        } : () -> ()
        tt.return
      }
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TTG_WarpIdOp : TTG_Op<"warp_id", [Pure]> {
  let summary = "Number of the warp within its CTA";
  let description = [{
    `result = thread / 32`, the same in all threads of a warp.  `omitUniformHint` leaves out the shuffle by which
    NVIDIA's compiler is told so.

    Example:
    ```mlir
    tt.func @which() {
      %0 = ttg.warp_id
      tt.return
    }
    ```
  }];
  let arguments = (ins UnitAttr:$omitUniformHint);
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

#endif // TTKIT_TTG_WARP_SPECIALIZE_OPS
