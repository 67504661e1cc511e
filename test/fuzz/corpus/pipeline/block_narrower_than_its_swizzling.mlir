// passes: 90 4 1
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @k(%d: !tt.tensordesc<tensor<64x16xf16, #shared>>) {
    tt.return
  }
}
