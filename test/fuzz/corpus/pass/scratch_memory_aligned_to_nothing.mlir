// passes: tritongpu-global-scratch-memory-allocation

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @grid() -> (i32, i32) {
    %0 = tt.get_program_id y : i32
    %1 = tt.get_num_programs x : i32
    tt.return %0, %1 : i32, i32
  }
  tt.func public @warps() -> (i32, i32) {
    %0 = ttg.warp_id
    %1 = ttg.warp_id {omitUniformHint}
    tt.return %0, %1 : i32, i32
  }
  tt.func public @scratch() -> !tt.ptr<i8> {
    %0 = ttg.global_scratch_alloc {alignment = 0 : i32, nbytes = 64 : i32, ttg.global_scratch_memory_offset = 128 : i32} : !tt.ptr<i8>
    tt.return %0 : !tt.ptr<i8>
  }
}
