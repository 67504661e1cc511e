// passes: nvws-lower-warp-group

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func @first_as_default(%a: i32, %p: !tt.ptr<i32>, %unused: i64) -> i32 {
    %c = arith.constant 5 : i32
    %r = nvws.warp_group
    partition0 num_warps(4) {
      %x = arith.addi %a, %c : i32
      nvws.warp_group.yield %x : i32
    }
    partition1 num_warps(4) {
      tt.store %p, %c : !tt.ptr<i32>
      %y = arith.addi %unused, %unused : i64
      nvws.warp_group.return
    }
    partition2 num_warps(2) {
      scf.for %i = %a to %a step %a : i32 {
        tt.store %p, %a : !tt.ptr<i32>
      }
      nvws.warp_group.return
    }
    tt.return %r : i32
  }
  tt.func @empty_default(%a: i32, %p: !tt.ptr<i32>) {
    nvws.warp_group
    partition0 num_warps(9) {
      tt.store %p, %a : !tt.ptr<i32>
      nvws.warp_group.return
    }
    tt.return
  }
  tt.func @nothing() {
    tt.return
  }
}

