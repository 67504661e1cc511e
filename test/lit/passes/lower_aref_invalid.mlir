// RUN: tt-opt %s --verify-diagnostics --nvws-lower-aref

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // More slots than shared memory has room for.
  tt.func @ring() {
    %x = ttg.local_alloc : () -> !ttg.memdesc<2147483648x64x16xf16, #shared, #smem, mutable>
    // expected-error@+1 {{found 2147483648 buffer slots, each with an mbarrier of 8 bytes: a program has 232448 bytes of shared memory at most; use fewer slots}}
    %a = nvws.aref.create %x : <[!ttg.memdesc<2147483648x64x16xf16, #shared, #smem, mutable>]>
    tt.return
  }
}
