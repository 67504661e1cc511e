// RUN: tt-opt %s -split-input-file -verify-diagnostics

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @inline_asm_c1(%x: tensor<256xf32>) {
    // expected-error @+1 {{needs tensors with layouts, found 'tensor<256xf32>'}}
    ttg.inline_asm "" {constraints = "f,f", pure = false} %x : (tensor<256xf32>) -> ()
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @inline_asm_c2(%m: !ttg.memdesc<256xi32, #shared, #smem, mutable>) {
    // expected-error @+1 {{takes a buffer, so it must not be pure}}
    %0 = ttg.inline_asm "ld.shared.b32 $0, [$1];" {constraints = "=r,r", pure = true} %m : (!ttg.memdesc<256xi32, #shared, #smem, mutable>) -> i32
    tt.return
  }
}
