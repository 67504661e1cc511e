// passes: 80 8 2
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @types(%a: !nvws.aref<[!ttg.memdesc<2x64x16xbf16, #shared, #smem, mutable>, i32]>, %b: !nvws.token) {
    tt.return
  }
}
