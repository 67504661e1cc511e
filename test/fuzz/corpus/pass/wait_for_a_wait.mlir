// passes: tritongpu-pipeline
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_commit_group(%t: !ttg.async.token) {
    %0 = ttg.async_commit_group
    %1 = ttg.async_commit_group tokens %t
    %2 = ttg.async_commit_group tokens %0, %1
    tt.return
  }
  tt.func @async_wait(%t: !ttg.async.token) {
    %0 = ttg.async_wait {num = 0 : i32}
    %1 = ttg.async_wait %t {num = 2 : i32}
    %2 = ttg.async_wait %0, %1 {num = 1 : i32}
    tt.return
  }
}
