// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Tensors cross between blocks as vectors.
  // CHECK-LABEL: llvm.func @either
  tt.func public @either(%c: i1, %x: tensor<64xf32, #b>, %y: tensor<64xf32, #b>) -> tensor<64xf32, #b> {
    // CHECK: llvm.cond_br %{{.*}}, ^[[END:bb[0-9]+]](%{{.*}} : vector<2xf32>), ^[[END]](%{{.*}} : vector<2xf32>)
    cf.cond_br %c, ^end(%x : tensor<64xf32, #b>), ^end(%y : tensor<64xf32, #b>)
  // CHECK: ^[[END]](%[[Z:.*]]: vector<2xf32>):
  ^end(%z: tensor<64xf32, #b>):
    // CHECK: llvm.return %[[Z]]
    tt.return %z : tensor<64xf32, #b>
  }

  // Several ways.
  // CHECK-LABEL: llvm.func @cases
  tt.func public @cases(%n: i32) -> i32 {
    // CHECK: llvm.switch %{{.*}} : i32, ^[[END:bb[0-9]+]](%{{.*}} : i32) [
    // CHECK-NEXT: 4: ^[[END]](%{{.*}} : i32)
    %zero = arith.constant 0 : i32
    cf.switch %n : i32, [default: ^end(%zero : i32), 4: ^end(%n : i32)]
  ^end(%r: i32):
    tt.return %r : i32
  }

  // Edge: blocks that nothing reaches are left out.
  // CHECK-LABEL: llvm.func @unreached
  tt.func public @unreached() {
    // CHECK-NOT: llvm.mul
    tt.return
  ^never(%a: i32):
    %0 = arith.muli %a, %a : i32
    cf.br ^never(%0 : i32)
  }
}
