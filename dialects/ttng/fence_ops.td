#ifndef TTKIT_TTNG_FENCE_OPS
#define TTKIT_TTNG_FENCE_OPS

include "ttng/ttng_dialect.td"

def TTNG_FenceAsyncSharedOp : TTNG_Op<"fence_async_shared"> {
  let summary = "Order plain accesses to shared memory before those of asynchronous units";
  let description = [{
    What threads wrote to shared memory before is seen by wgmma and TMA operations after it; with `bCluster`, also in
    the shared memory of the cluster's other CTAs.

    Example:
    ```mlir
    tt.func @fence() {
      ttng.fence_async_shared {bCluster = false}
      tt.return
    }
    ```
  }];
  let arguments = (ins BoolAttr:$bCluster);
  let assemblyFormat = "attr-dict";
}

def TTNG_FenceMBarrierInitReleaseClusterOp : TTNG_Op<"fence_mbarrier_init_release_cluster"> {
  let summary = "Make initialized mbarriers visible to the cluster";
  let description = [{
    The other CTAs see the mbarriers that `ttng.init_barrier` set up before, once they pass a cluster barrier after it.

    Constraints:
    - (C1) The module has several CTAs.

    Example:
    ```mlir
    module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
      tt.func @publish() {
        ttng.fence_mbarrier_init_release_cluster
        tt.return
      }
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def TTNG_ClusterArriveOp : TTNG_Op<"cluster_arrive"> {
  let summary = "Arrive at the barrier of the cluster, without waiting";
  let description = [{
    `relaxed`: the arrival orders no memory accesses.

    Example:
    ```mlir
    tt.func @meet() {
      ttng.cluster_arrive {relaxed = true}
      ttng.cluster_wait
      tt.return
    }
    ```
  }];
  let arguments = (ins BoolAttr:$relaxed);
  let assemblyFormat = "attr-dict";
}

def TTNG_ClusterWaitOp : TTNG_Op<"cluster_wait"> {
  let summary = "Wait until all threads of the cluster have arrived";
  let description = [{
    Pairs with `ttng.cluster_arrive`.

    Example:
    ```mlir
    tt.func @meet() {
      ttng.cluster_arrive {relaxed = false}
      ttng.cluster_wait
      tt.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TTNG_ClusterBarrierOp : TTNG_Op<"cluster_barrier"> {
  let summary = "All threads of the cluster wait for each other";
  let description = [{
    `ttng.cluster_arrive` and `ttng.cluster_wait` in one, as Triton writes them since 3.8.  `relaxed`: it orders no memory
    accesses.

    Example:
    ```mlir
    tt.func @meet() {
      ttng.cluster_barrier
      tt.return
    }
    ```
  }];
  let arguments = (ins DefaultValuedAttr<BoolAttr, "false">:$relaxed);
  let assemblyFormat = "attr-dict";
}

def TTNG_ArriveBarrierNamedOp : TTNG_Op<"arrive_barrier_named"> {
  let summary = "Arrive at a numbered barrier of the hardware, without waiting";
  let description = [{
    All threads of the group of warps arrive at barrier `bar` of the CTA without waiting.  A phase of the barrier ends
    when `numThreads` threads have arrived, by this operation or by `ttng.wait_barrier_named`; then the next one begins.
    No group may arrive twice in one phase.  Waiting threads see what the others wrote before they arrived.

    Groups of specialized warps alternate (ping-pong) by two barriers, as in this example: each computes during the
    other's turn.  An arrival before the loops gives the first turn, and a wait after the loops takes the last one:
    arrivals left at a barrier would end its next phase too early.

    Barrier 0 belongs to the kernel's own warps.  Warp specialization takes 1, and one from 2 on for each partition of
    several warps.  The others are free (counting from 15 down).

    Constraints:
    - (C1) A constant `bar` is 0 to 15.
    - (C2) A constant `numThreads` is a positive multiple of 32.

    Example:
    ```mlir
    module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
      tt.func @take_turns(%n: i32) {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %mine = arith.constant 15 : i32
        %theirs = arith.constant 14 : i32
        %threads = arith.constant 256 : i32
        scf.for %i = %c0 to %n step %c1 : i32 {
          ttng.wait_barrier_named %mine, %threads : i32, i32
          // what one group does at a time
          ttng.arrive_barrier_named %theirs, %threads : i32, i32
        }
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins I32:$bar, I32:$numThreads);
  let assemblyFormat = "$bar `,` $numThreads attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def TTNG_WaitBarrierNamedOp : TTNG_Op<"wait_barrier_named"> {
  let summary = "Wait at a numbered barrier of the hardware";
  let description = [{
    As `ttng.arrive_barrier_named`, and the threads go on when the turn ends: with the group's own threads among those
    that `numThreads` counts, this is also a barrier of the group.

    Constraints:
    - (C1) A constant `bar` is 0 to 15.
    - (C2) A constant `numThreads` is a positive multiple of 32.

    Example:
    ```mlir
    tt.func @wait() {
      %bar = arith.constant 15 : i32
      %threads = arith.constant 256 : i32
      ttng.wait_barrier_named %bar, %threads : i32, i32
      tt.return
    }
    ```
  }];
  let arguments = (ins I32:$bar, I32:$numThreads);
  let assemblyFormat = "$bar `,` $numThreads attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

#endif // TTKIT_TTNG_FENCE_OPS
