#ifndef TTKIT_TTG_PIPELINE_OPS
#define TTKIT_TTG_PIPELINE_OPS

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "ttg/ttg_types.td"

def TTG_PredicateStageOp
    : TTG_Op<"predicate_stage", [Pure, AllTypesMatch<["iv", "ub", "step"]> /*predicate_stage_c1*/]> {
  let summary = "Whether a stage of a pipelined loop is active";
  let description = [{
    `result = iv < ub - (maxStage - stage) * step`: with the loop at `iv`, stage `stage` of `maxStage` still has an
    iteration to run.  The pipeliner writes it while it rewrites a loop and then replaces it by arithmetic.

    Constraints:
    - (C1) `iv`, `ub` and `step` have the same type, a signless integer or index.

    Example:
    ```mlir
    tt.func @active(%iv: i32, %ub: i32, %step: i32) {
      %0 = ttg.predicate_stage %iv, %ub, %step maxStage 2 stage 0 : i32 -> i1
      tt.return
    }
    ```
  }];
  let arguments = (ins AnySignlessIntegerOrIndex:$iv, AnySignlessIntegerOrIndex:$ub, AnySignlessIntegerOrIndex:$step,
                       I32Attr:$maxStage, I32Attr:$stage);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $iv `,` $ub `,` $step `maxStage` $maxStage `stage` $stage attr-dict `:` type($iv) `->` type($result)
  }];
}

def TTG_MaskOp : TTG_Op<"mask", [SingleBlock]> {
  let summary = "Run a region only where a predicate holds";
  let description = [{
    `result = pred ? region() : undefined`.  The pipeliner wraps the operations of a stage in it and then gives each of
    them the predicate.  It has no custom syntax.

    Constraints:
    - (C1) The region is one block, ended by `ttg.mask.return`.

    Example:
    ```mlir
    tt.func @masked(%pred: i1, %x: i32) {
      %0 = "ttg.mask"(%pred) ({
        ttg.mask.return %x : i32
      }) : (i1) -> i32
      tt.return
    }
    ```
  }];
  let arguments = (ins I1:$pred);
  let results = (outs Variadic<AnyType>:$result);
  let regions = (region SizedRegion<1>:$region);  // mask_c1
}

def TTG_MaskReturnOp : TTG_Op<"mask.return", [HasParent<"MaskOp"> /*mask_return_c1*/, Pure, Terminator, ReturnLike]> {
  let summary = "End of a masked region";
  let description = [{
    Its operands are the results of the `ttg.mask` around it.

    Constraints:
    - (C1) It stands directly in a `ttg.mask`.

    Example:
    ```mlir
    tt.func @masked(%pred: i1, %x: i32) {
      %0 = "ttg.mask"(%pred) ({
        ttg.mask.return %x : i32
      }) : (i1) -> i32
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "($result^)? attr-dict (`:` type($result)^)?";
}

#endif // TTKIT_TTG_PIPELINE_OPS
