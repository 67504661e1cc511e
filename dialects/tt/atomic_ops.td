// Atomic operations on memory.

#ifndef TTKIT_TT_ATOMIC_OPS
#define TTKIT_TT_ATOMIC_OPS

include "tt/tt_types.td"
include "tt/tt_enums.td"

def TT_AtomicRMWOp : TT_Op<"atomic_rmw", [
    SameOperandsAndResultShape, SameOperandsAndResultEncoding /*atomic_rmw_c1*/,
    TypesMatchWith<"ptr type matches value type", "val", "ptr",
                   "::ttkit::tt::getPointerTypeSameShape($_self)"> /*atomic_rmw_c2*/,
    TypesMatchWith<"mask type matches value type", "val", "mask", "::ttkit::tt::getI1SameShape($_self)",
                   "($_op.getOperands().size() <= 2) || std::equal_to<>()"> /*atomic_rmw_c3*/]> {
  let summary = "Memory combined with a value, in one indivisible step";
  let description = [{
    Where `mask[i]` (an absent `mask` is all true): `result[i] = *ptr[i]; *ptr[i] = op(*ptr[i], val[i])`, with no other
    access in between.  Elsewhere `result[i]` is undefined.  `sem` orders the step against the program's other accesses
    as seen by the threads in `scope`.

    | `atomic_rmw_op` | new value |
    | --- | --- |
    | `and`, `or`, `xor`, `add` | bitwise, or the integer sum |
    | `fadd` | floating-point sum |
    | `max`, `min` / `umax`, `umin` | of signed / unsigned integers |
    | `exch` | `val` |

    Constraints:
    - (C1) All operands and the result have the same shape and layout.
    - (C2) `ptr` points, in address space 1, to the element type of `val`.
    - (C3) `mask` is of `i1`.
    - (C4) `result` has the type of `val`.
    - (C5) `fadd` takes floating-point values; `add`, `max`, `min`, `umax` and `umin` take integers; the others take
      both, and see bits.

    Example:
    ```mlir
    tt.func @example(%p: tensor<64x!tt.ptr<f32>>, %val: tensor<64xf32>, %mask: tensor<64xi1>) {
      %0 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %val, %mask
          : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_AtomicRMWAttr:$atomic_rmw_op,
                       Arg<TT_PtrLike, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr,
                       TT_Type:$val,
                       Optional<TT_BoolLike>:$mask,
                       TT_MemSemanticAttr:$sem,
                       TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:`
    functional-type(operands, $result)
  }];
  let hasVerifier = 1;  // atomic_rmw_c4, atomic_rmw_c5
}

def TT_AtomicCASOp : TT_Op<"atomic_cas", [
    SameOperandsAndResultShape, SameOperandsAndResultEncoding /*atomic_cas_c1*/,
    TypesMatchWith<"ptr type matches cmp type", "cmp", "ptr",
                   "::ttkit::tt::getPointerTypeSameShape($_self)"> /*atomic_cas_c2*/,
    TypesMatchWith<"ptr type matches value type", "val", "ptr",
                   "::ttkit::tt::getPointerTypeSameShape($_self)"> /*atomic_cas_c3*/]> {
  let summary = "Memory replaced if it holds an expected value, in one indivisible step";
  let description = [{
    `result[i] = *ptr[i]; if (result[i] == cmp[i]) *ptr[i] = val[i]`, comparing bits, with no other access in between.
    `sem` orders the step against the program's other accesses as seen by the threads in `scope`.

    Constraints:
    - (C1) All operands and the result have the same shape and layout.
    - (C2) `ptr` points, in address space 1, to the element type of `cmp`.
    - (C3) `ptr` points, in address space 1, to the element type of `val`.
    - (C4) `result` has the type of `val`.

    Example:
    ```mlir
    tt.func @example(%lock: !tt.ptr<i32>, %free: i32, %taken: i32) -> i32 {
      %0 = tt.atomic_cas acquire, gpu, %lock, %free, %taken : (!tt.ptr<i32>, i32, i32) -> i32
      tt.return %0 : i32
    }
    ```
  }];
  let arguments = (ins Arg<TT_PtrLike, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr,
                       TT_Type:$cmp,
                       TT_Type:$val,
                       TT_MemSemanticAttr:$sem,
                       TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;  // atomic_cas_c4
}

#endif // TTKIT_TT_ATOMIC_OPS
