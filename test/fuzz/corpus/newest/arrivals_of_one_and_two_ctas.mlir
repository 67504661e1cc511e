// passes: 100 4 1
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_commit(%arg0: !ttg.memdesc<1xi1, #shared, #smem, mutable>, %arg1: i1) {
    ttng.tc_gen5_commit %arg0 : !ttg.memdesc<1xi1, #shared, #smem, mutable>
    ttng.tc_gen5_commit %arg0, %arg1 {two_ctas} : !ttg.memdesc<1xi1, #shared, #smem, mutable>
    tt.return
  }
}

