// passes: nvws-lower-aref
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @ring() {
    %x = ttg.local_alloc : () -> !ttg.memdesc<2147483648x64x16xf16, #shared, #smem, mutable>
    %a = nvws.aref.create %x : <[!ttg.memdesc<2147483648x64x16xf16, #shared, #smem, mutable>]>
    tt.return
  }
}
