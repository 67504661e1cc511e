// passes: tritongpu-accelerate-matmul


#load = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
tt.func @tcgen05(%x: tensor<128x64xf16, #load>, %y: tensor<64x64xf16, #load>, %c: tensor<128x64xf8E4M3FN, #blocked>) -> tensor<128x64xf8E4M3FN, #blocked> {
  %a = ttg.convert_layout %x : tensor<128x64xf16, #load> -> tensor<128x64xf16, #a>
  %b = ttg.convert_layout %y : tensor<64x64xf16, #load> -> tensor<64x64xf16, #b>
  %d = tt.dot %a, %b, %c : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf8E4M3FN, #blocked>
  tt.return %d : tensor<128x64xf8E4M3FN, #blocked>
}
tt.func @scales(%x: tensor<128x64xf8E5M2, #load>, %s: tensor<128x2xi8, #load>, %y: tensor<64x64xf8E4M3FN, #load>, %t: tensor<64x2xi8, #load>, %c: tensor<128x64xf8E4M3FN, #blocked>) -> tensor<128x64xf8E4M3FN, #blocked> {
  %d = tt.dot_scaled %x scale %s, %y scale %t, %c lhs = e5m2 rhs = e4m3 {fastMath = false} : tensor<128x64xf8E5M2, #load>, tensor<128x2xi8, #load> * tensor<64x64xf8E4M3FN, #load>, tensor<64x2xi8, #load> -> tensor<128x64xf8E4M3FN, #blocked>
  tt.return %d : tensor<128x64xf8E4M3FN, #blocked>
}
}

