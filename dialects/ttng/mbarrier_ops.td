#ifndef TTKIT_TTNG_MBARRIER_OPS
#define TTKIT_TTNG_MBARRIER_OPS

include "ttng/ttng_dialect.td"

def TTNG_InitBarrierOp : TTNG_Op<"init_barrier"> {
  let summary = "Set up an mbarrier";
  let description = [{
    Phase 0 of the barrier at `alloc` ends after `count` arrivals.

    Constraints:
    - (C1) `alloc` is a descriptor of one i64.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #smem = #ttg.shared_memory
    tt.func @init() {
      %0 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
      ttng.init_barrier %0, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "the barrier", [MemWrite<SharedMemory>]>:$alloc, I32Attr:$count);
  let assemblyFormat = "$alloc `,` $count attr-dict `:` qualified(type($alloc))";
  let hasVerifier = 1;
}

def TTNG_InvalBarrierOp : TTNG_Op<"inval_barrier"> {
  let summary = "Give up an mbarrier";
  let description = [{
    Its eight bytes may be used for something else from here on.

    Constraints:
    - (C1) `alloc` is a descriptor of one i64.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #smem = #ttg.shared_memory
    tt.func @done(%bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>) {
      ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #shared, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "the barrier", [MemWrite<SharedMemory>]>:$alloc);
  let assemblyFormat = "$alloc attr-dict `:` qualified(type($alloc))";
  let hasVerifier = 1;
}

def TTNG_BarrierExpectOp : TTNG_Op<"barrier_expect"> {
  let summary = "Arrive at an mbarrier and announce bytes";
  let description = [{
    Where `pred` holds: one arrival, and the phase also waits for `size` more bytes from asynchronous copies.  The
    attribute `fromCTA` is as of `ttng.arrive_barrier`.

    Constraints:
    - (C1) `alloc` is a descriptor of one i64.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #smem = #ttg.shared_memory
    tt.func @announce(%bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %pred: i1) {
      ttng.barrier_expect %bar, 8192, %pred : !ttg.memdesc<1xi64, #shared, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "the barrier", [MemWrite<SharedMemory>]>:$alloc, I32Attr:$size, I1:$pred);
  let assemblyFormat = "$alloc `,` $size attr-dict `,` $pred `:` qualified(type($alloc))";
  let hasVerifier = 1;
}

def TTNG_WaitBarrierOp : TTNG_Op<"wait_barrier", [AttrSizedOperandSegments, RequiredSegments<"0, 1">]> {
  let summary = "Wait for a phase of an mbarrier to end";
  let description = [{
    Returns once phase `phase` (0 or 1) of the barrier at `alloc` is over; at once where `pred` does not hold.  `deps`
    are buffers that are in use until then, so that they are not freed before.

    Constraints:
    - (C1) `alloc` is a descriptor of one i64.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    tt.func @wait(%bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %phase: i32, %pred: i1,
                  %x: !ttg.memdesc<64x64xf16, #tile, #smem, mutable>) {
      ttng.wait_barrier %bar, %phase, %pred deps %x
          : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #tile, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "the barrier", [MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$alloc,
                       I32:$phase, Optional<I1>:$pred, Variadic<TTG_MemDescType>:$deps);
  let assemblyFormat = [{
    $alloc `,` $phase (`,` $pred^)? (`deps` $deps^)? attr-dict `:` qualified(type($alloc)) (`,` type($deps)^)?
  }];
  let hasVerifier = 1;
}

def TTNG_ArriveBarrierOp : TTNG_Op<"arrive_barrier"> {
  let summary = "Arrive at an mbarrier";
  let description = [{
    Where `pred` holds: `count` arrivals.  The attribute `fromCTA` is a mask of bits of CTA numbers.  With it the CTA
    whose other bits are 0 arrives, at the barriers of all CTAs with the same bits in the mask.

    Constraints:
    - (C1) `alloc` is a descriptor of one i64.
    - (C2) `count >= 1`.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #smem = #ttg.shared_memory
    tt.func @arrive(%bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %pred: i1) {
      ttng.arrive_barrier %bar, 1, %pred : !ttg.memdesc<1xi64, #shared, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "the barrier", [MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$alloc,
                       I32Attr:$count, Optional<I1>:$pred);
  let assemblyFormat = "$alloc `,` $count (`,` $pred^)? attr-dict `:` qualified(type($alloc))";
  let hasVerifier = 1;
}

def TTNG_AsyncSharedStoreOp : TTNG_Op<"async_shared_store"> {
  let summary = "Store a tensor to shared memory in the background, counted at an mbarrier";
  let description = [{
    `dst[i] = src[i]`, in the CTA of the cluster that has the element; the bytes are counted at that CTA's `barrier` as
    they arrive.

    Constraints:
    - (C1) `barrier` is a descriptor of i64, one for each CTA.
    - (C2) `dst` is a mutable descriptor in shared memory.
    - (C3) `src` and `dst` have the same shape and element type.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0],
                             CGALayout = [[1]]}>
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
    #smem = #ttg.shared_memory
    module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
      tt.func @hand_over(%x: tensor<256xi32, #blocked>, %to: !ttg.memdesc<256xi32, #shared, #smem, mutable>,
                         %bar: !ttg.memdesc<2xi64, #shared, #smem, mutable>) {
        ttng.async_shared_store %x, %to, %bar : tensor<256xi32, #blocked>
            -> !ttg.memdesc<256xi32, #shared, #smem, mutable>, !ttg.memdesc<2xi64, #shared, #smem, mutable>
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins TT_Tensor:$src, Arg<TTG_MemDescType, "the buffer", [MemWrite<SharedMemory>]>:$dst,
                       Arg<TTG_MemDescType, "the barrier", [MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$barrier);
  let assemblyFormat = [{
    $src `,` $dst `,` $barrier attr-dict `:` type($src) `->` qualified(type($dst)) `,` qualified(type($barrier))
  }];
  let hasVerifier = 1;
}

def TTNG_AsyncCopyMbarrierArriveOp : TTNG_Op<"async_copy_mbarrier_arrive"> {
  let summary = "Arrive at an mbarrier when the thread's copies are done";
  let description = [{
    Each thread arrives in the background, after all `ttg.async_copy_global_to_local` that it started before.  With
    `noIncrement` these arrivals count among the expected ones, one for each thread; without, the expected count is
    raised by one for each first.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #smem = #ttg.shared_memory
    tt.func @arrive_later(%bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>) {
      ttng.async_copy_mbarrier_arrive %bar {noIncrement} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "the barrier", [MemWrite<SharedMemory>]>:$barrier, UnitAttr:$noIncrement);
  let assemblyFormat = "$barrier attr-dict `:` qualified(type($barrier))";
}

#endif // TTKIT_TTNG_MBARRIER_OPS
