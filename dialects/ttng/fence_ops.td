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
    The other CTAs see the barriers that `ttng.init_barrier` set up before, once they meet a cluster barrier after it.

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
  let arguments = (ins UnitAttr:$relaxed);
  let assemblyFormat = "attr-dict";
}

#endif // TTKIT_TTNG_FENCE_OPS
