// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Each number is an argument of a function that is declared once.
  // CHECK: llvm.func @__nv_sinf(f32) -> f32
  // CHECK-LABEL: llvm.func @library
  tt.func public @library(%x: tensor<64xf32, #b>) -> tensor<64xf32, #b> {
    // CHECK-COUNT-2: llvm.call @__nv_sinf(
    %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_sinf"} : (tensor<64xf32, #b>) -> tensor<64xf32, #b>
    tt.return %0 : tensor<64xf32, #b>
  }

  // Small elements share a register of the assembly.
  // CHECK-LABEL: llvm.func @assembly
  tt.func public @assembly(%x: tensor<64xf16, #b>) -> tensor<64xf16, #b> {
    // CHECK: llvm.inline_asm asm_dialect = att {{.*}}"add.f16x2 $0, $1, $1;", "=r,r" %{{.*}} : (vector<2xf16>) -> vector<2xf16>
    %0 = tt.elementwise_inline_asm "add.f16x2 $0, $1, $1;" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %x : tensor<64xf16, #b> -> tensor<64xf16, #b>
    tt.return %0 : tensor<64xf16, #b>
  }

  // Blanks mean nothing in constraints, though LLVM takes them for some.
  // CHECK-LABEL: llvm.func @blanks
  tt.func public @blanks(%x: i32) -> i32 {
    // CHECK: llvm.inline_asm asm_dialect = att {{.*}}"add.s32 $0, $1, 1;", "=r,r,~{memory}" %{{.*}} : (i32) -> i32
    %0 = tt.elementwise_inline_asm "add.s32 $0, $1, 1;" {constraints = " =r, r,\09~{memory}", packed_element = 1 : i32, pure = true} %x : i32 -> i32
    tt.return %0 : i32
  }

  // Scalar code without branches is computed for all elements at once.
  // CHECK-LABEL: llvm.func @straight
  tt.func public @straight(%x: tensor<64xi32, #b>) -> tensor<64xi32, #b> {
    // CHECK: llvm.add %{{.*}} : vector<2xi32>
    %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
    ^bb0(%a: i32):
      %s = arith.addi %a, %a : i32
      tt.map_elementwise.return %s : i32
    }) : (tensor<64xi32, #b>) -> tensor<64xi32, #b>
    tt.return %0 : tensor<64xi32, #b>
  }

  // Edge: with branches it is there once for each element.
  // CHECK-LABEL: llvm.func @branches
  tt.func public @branches(%x: tensor<64xi32, #b>, %y: tensor<64xi32, #b>) -> tensor<64xi32, #b> {
    // CHECK-COUNT-2: llvm.cond_br
    // CHECK-NOT: llvm.cond_br
    // CHECK: llvm.return
    %0 = "tt.map_elementwise"(%x, %y) <{pack = 1 : i32}> ({
    ^bb0(%a: i32, %c: i32):
      %less = arith.cmpi slt, %a, %c : i32
      cf.cond_br %less, ^bb1(%a : i32), ^bb1(%c : i32)
    ^bb1(%least: i32):
      tt.map_elementwise.return %least : i32
    }) : (tensor<64xi32, #b>, tensor<64xi32, #b>) -> tensor<64xi32, #b>
    tt.return %0 : tensor<64xi32, #b>
  }
}
