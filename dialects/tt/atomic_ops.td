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

def TT_AtomicLoadOp : TT_Op<"atomic_load", [
    SameOperandsAndResultShape, SameOperandsAndResultEncoding /*atomic_load_c1*/,
    TypesMatchWith<"ptr type matches result type", "result", "ptr",
                   "::ttkit::tt::getPointerTypeSameShape($_self)"> /*atomic_load_c2*/,
    TypesMatchWith<"mask type matches result type", "result", "mask", "::ttkit::tt::getI1SameShape($_self)",
                   "($_op.getOperands().size() <= 1) || std::equal_to<>()"> /*atomic_load_c3*/]> {
  let summary = "Memory read in one indivisible, ordered step";
  let description = [{
    Where `mask[i]` (an absent `mask` is all true): `result[i] = *ptr[i]`.  Elsewhere `result[i]` is undefined.  `sem`
    orders the step against the program's later accesses as seen by the threads in `scope`.

    Constraints:
    - (C1) All operands and the result have the same shape and layout.
    - (C2) `ptr` points, in address space 1, to the element type of `result`.
    - (C3) `mask` is of `i1`.
    - (C4) `sem` is `relaxed` or `acquire`.

    Example:
    ```mlir
    tt.func @example(%flag: !tt.ptr<i32>) -> i32 {
      %0 = tt.atomic_load acquire, gpu, %flag : (!tt.ptr<i32>) -> i32
      tt.return %0 : i32
    }
    ```
  }];
  let arguments = (ins TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope,
                       Arg<TT_PtrLike, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr,
                       Optional<TT_BoolLike>:$mask);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "$sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;  // atomic_load_c4
}

def TT_AtomicStoreOp : TT_Op<"atomic_store", [
    SameOperandsShape, SameOperandsEncoding /*atomic_store_c1*/,
    TypesMatchWith<"val type matches ptr type", "ptr", "val",
                   "::ttkit::tt::getPointeeType($_self)"> /*atomic_store_c2*/,
    TypesMatchWith<"mask type matches ptr type", "ptr", "mask", "::ttkit::tt::getI1SameShape($_self)",
                   "($_op.getOperands().size() <= 2) || std::equal_to<>()"> /*atomic_store_c2*/]> {
  let summary = "Memory written in one indivisible, ordered step";
  let description = [{
    Where `mask[i]` (an absent `mask` is all true): `*ptr[i] = val[i]`.  `sem` orders the step against the program's
    earlier accesses as seen by the threads in `scope`.

    Constraints:
    - (C1) All operands have the same shape and layout.
    - (C2) `val` has the element type that `ptr` points to, and `mask` has `i1`.
    - (C3) `sem` is `relaxed` or `release`.

    Example:
    ```mlir
    tt.func @example(%flag: !tt.ptr<i32>, %done: i32) {
      tt.atomic_store release, gpu, %flag, %done : !tt.ptr<i32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope,
                       Arg<TT_PtrLike, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr,
                       TT_Type:$val, Optional<TT_BoolLike>:$mask);
  let assemblyFormat = "$sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:` type($ptr)";
  let hasVerifier = 1;  // atomic_store_c3
}

def TT_AtomicPollOp : TT_Op<"atomic_poll", [
    TypesMatchWith<"ptr type matches expected type", "expected", "ptr",
                   "::ttkit::tt::getPointerTypeSameShape($_self)"> /*atomic_poll_c1*/,
    TypesMatchWith<"result type matches expected type", "expected", "result",
                   "::ttkit::tt::getI1SameShape($_self)"> /*atomic_poll_c2*/]> {
  let summary = "Wait until memory holds an expected value";
  let description = [{
    Reads `*ptr[i]` again and again until it equals `expected[i]`; `result[i]` is true then.  With `timeout`, in
    nanoseconds for all of them together, it is false if that takes longer.  `sem` orders the last read as that of
    `tt.atomic_load`.  No warp goes on before all have ended.

    Constraints:
    - (C1) `ptr` has the shape and layout of `expected` and points, in address space 1, to its element type.
    - (C2) `result` has them too, of `i1`.
    - (C3) `sem` is `relaxed` or `acquire`.

    Example:
    ```mlir
    tt.func @example(%flag: !tt.ptr<i32>, %done: i32, %limit: i64) -> i1 {
      %0 = tt.atomic_poll acquire, gpu, %flag, %done timeout %limit : !tt.ptr<i32>, i32 -> i1
      tt.return %0 : i1
    }
    ```
  }];
  let arguments = (ins TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope,
                       Arg<TT_PtrLike, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr,
                       AnyTypeOf<[TT_IntLike, TT_FloatLike]>:$expected, Optional<I64>:$timeout);
  let results = (outs TT_BoolLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict `:` qualified(type($ptr)) `,`
    type($expected) `->` type($result)
  }];
  let hasVerifier = 1;  // atomic_poll_c3
}

#endif // TTKIT_TT_ATOMIC_OPS
