// passes: nvws-lower-warp-group


#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [16], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 16 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func @shared_buffer(%p: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %twice = arith.muli %n, %n : i32
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<64xf32, #shared, #smem, mutable>
    nvws.warp_group
    partition0 num_warps(4) {
      scf.for %i = %c0 to %twice step %c1 : i32 {
        %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
        %pointers = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
        %each = tt.addptr %pointers, %range : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
        %x = tt.load %each : tensor<64x!tt.ptr<f32>, #row>
        ttg.local_store %x, %buffer : tensor<64xf32, #row> -> !ttg.memdesc<64xf32, #shared, #smem, mutable>
      }
      nvws.warp_group.return
    }
    partition1 num_warps(4) {
      scf.for %i = %c0 to %twice step %c1 : i32 {
        %x = ttg.local_load %buffer : !ttg.memdesc<64xf32, #shared, #smem, mutable> -> tensor<64xf32, #row>
        %y = arith.addf %x, %x : tensor<64xf32, #row>
        %pointers = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
        tt.store %pointers, %y : tensor<64x!tt.ptr<f32>, #row>
      }
      nvws.warp_group.return
    }
    tt.return
  }
}
