// Cluster launch control: a running cluster takes over the work of one that is still waiting.

#ifndef TTKIT_TTNG_CLC_OPS
#define TTKIT_TTNG_CLC_OPS

include "ttng/ttng_dialect.td"

def TTNG_CLCTryCancelOp : TTNG_Op<"clc_try_cancel"> {
  let summary = "Ask for the work of a cluster that is still waiting";
  let description = [{
    Writes a 16-byte answer to `result`, in the background; its bytes are counted at `mbarrier`.

    Constraints:
    - (C1) `mbarrier` is a descriptor of one i64.
    - (C2) `result` is a mutable descriptor of 16 bytes in shared memory.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #smem = #ttg.shared_memory
    tt.func @ask(%answer: !ttg.memdesc<2xi64, #shared, #smem, mutable>,
                 %bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>) {
      ttng.clc_try_cancel %answer, %bar
          : !ttg.memdesc<2xi64, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "where the answer goes", [MemWrite<SharedMemory>]>:$result,
                       Arg<TTG_MemDescType, "the barrier", [MemWrite<SharedMemory>]>:$mbarrier);
  let assemblyFormat = "$result `,` $mbarrier attr-dict `:` qualified(type($result)) `,` qualified(type($mbarrier))";
  let hasVerifier = 1;
}

def TTNG_CLCTryCancelSyncOp : TTNG_Op<"clc_try_cancel_sync"> {
  let summary = "Ask for the work of a cluster that is still waiting, and wait for the answer";
  let description = [{
    `response` is the answer, as `clc_load_result` reads it from a buffer.  `triton-nvidia-gpu-lower-clc` makes a
    `clc_try_cancel` of it, and waits where the answer is used.

    Constraints:
    - (C1) `response` has the shape [2].

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @ask() {
        %0 = ttng.clc_try_cancel_sync : tensor<2xi64, #blocked>
        tt.return
      }
    }
    ```
  }];
  let results = (outs TensorOf<[I64]>:$response);
  let assemblyFormat = "attr-dict `:` type($response)";
  let hasVerifier = 1;
}

def TTNG_CLCLoadResultOp : TTNG_Op<"clc_load_result"> {
  let summary = "Read the answer to a launch-control request";
  let description = [{
    `clcResult` is the 16 bytes at `src`.

    Constraints:
    - (C1) `src` is a descriptor of 16 bytes in shared memory.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #smem = #ttg.shared_memory
    tt.func @answer(%answer: !ttg.memdesc<2xi64, #shared, #smem, mutable>) {
      %0 = ttng.clc_load_result %answer : !ttg.memdesc<2xi64, #shared, #smem, mutable> -> i128
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "the answer", [MemRead<SharedMemory>]>:$src);
  let results = (outs I<128>:$clcResult);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` type($clcResult)";
  let hasVerifier = 1;
}

def TTNG_CLCIsCanceledOp : TTNG_Op<"clc_is_canceled", [Pure]> {
  let summary = "Whether a launch-control request got a cluster's work";
  let description = [{
    True if the answer `clcResult` names a cluster, false if none was left.

    Example:
    ```mlir
    tt.func @more(%answer: i128) {
      %0 = ttng.clc_is_canceled %answer : i128 -> i1
      tt.return
    }
    ```
  }];
  let arguments = (ins I<128>:$clcResult);
  let results = (outs I1:$is_canceled);
  let assemblyFormat = "$clcResult attr-dict `:` type($clcResult) `->` type($is_canceled)";
}

def TTNG_CLCGetProgramIdOp : TTNG_Op<"clc_get_program_id", [Pure]> {
  let summary = "Position in the grid of the work that was taken over";
  let description = [{
    Coordinate `dim` of the first CTA of the cluster that the answer `clcResult` names.

    Example:
    ```mlir
    tt.func @which(%answer: i128) {
      %0 = ttng.clc_get_program_id %answer, x : i128 -> i32
      tt.return
    }
    ```
  }];
  let arguments = (ins I<128>:$clcResult, TT_ProgramDim:$dim);
  let results = (outs I32:$result);
  let assemblyFormat = "$clcResult `,` $dim attr-dict `:` type($clcResult) `->` type($result)";
}

#endif // TTKIT_TTNG_CLC_OPS
