// RUN: tt-opt %s --split-input-file --convert-warp-specialize-to-llvm --verify-diagnostics | FileCheck %s

// CHECK-LABEL: llvm.func @lowered
module attributes {"ttg.num-warps" = 4 : i32} {
  llvm.func @lowered() {
    llvm.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  llvm.func @left(%x: i32) {
    // expected-error @below {{convert-triton-gpu-to-llvm lowers ttg.warp_specialize, together with its kernel}}
    ttg.warp_specialize(%x)
    default {
      ttg.warp_yield
    }
    partition0(%y: i32) num_warps(1) {
      ttg.warp_return
    } : (i32) -> ()
    llvm.return
  }
}
