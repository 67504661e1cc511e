// --- f32: another axis of a reduction
%r = "tt.reduce"(%a) <{axis = [[0||1]] : i32}> ({
^bb0(%p: f32, %q: f32):
  %s = arith.addf %p, %q : f32
  tt.reduce.return %s : f32
}) : (tensor<16x16xf32, #blocked>) -> tensor<16xf32, [[#ttg.slice<{dim = 0, parent = #blocked}>||#ttg.slice<{dim = 1, parent = #blocked}>]]>
%d = ttg.convert_layout %r : tensor<16xf32, [[#ttg.slice<{dim = 0, parent = #blocked}>||#ttg.slice<{dim = 1, parent = #blocked}>]]> -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
%e = tt.expand_dims %d {axis = 1 : i32} : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xf32, #blocked>
%c = tt.broadcast %e : tensor<16x1xf32, #blocked> -> tensor<16x16xf32, #blocked>
// --- f32: a reduction forgets NaN
%r = "tt.reduce"(%a) <{axis = 1 : i32}> ({
^bb0(%p: f32, %q: f32):
  %s = arith.[[maximumf||maxnumf]] %p, %q : f32
  tt.reduce.return %s : f32
}) : (tensor<16x16xf32, #blocked>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
%e = tt.expand_dims %r {axis = 1 : i32} : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xf32, #blocked>
%c = tt.broadcast %e : tensor<16x1xf32, #blocked> -> tensor<16x16xf32, #blocked>
// --- f32: ties of an argmax
%ar = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
%ae = tt.expand_dims %ar {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
%ai = tt.broadcast %ae : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
%r:2 = "tt.reduce"(%a, %ai) <{axis = 1 : i32}> ({
^bb0(%p: f32, %pi: i32, %q: f32, %qi: i32):
  %gt = arith.cmpf ogt, %p, %q : f32
  %eq = arith.cmpf oeq, %p, %q : f32
  %lt = arith.cmpi [[slt||sgt]], %pi, %qi : i32
  %tie = arith.andi %eq, %lt : i1
  %first = arith.ori %gt, %tie : i1
  %s = arith.select %first, %p, %q : f32
  %si = arith.select %first, %pi, %qi : i32
  tt.reduce.return %s, %si : f32, i32
}) : (tensor<16x16xf32, #blocked>, tensor<16x16xi32, #blocked>) -> (tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>)
%rf = arith.sitofp %r#1 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> to tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
%e = tt.expand_dims %rf {axis = 1 : i32} : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xf32, #blocked>
%c = tt.broadcast %e : tensor<16x1xf32, #blocked> -> tensor<16x16xf32, #blocked>
// --- f32: the direction of a scan
%c = "tt.scan"(%a) <{axis = 1 : i32, reverse = [[false||true]]}> ({
^bb0(%p: f32, %q: f32):
  %s = arith.addf %p, %q : f32
  tt.scan.return %s : f32
}) : (tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked>
// --- f32: the axis of a scan
%c = "tt.scan"(%a) <{axis = [[0||1]] : i32, reverse = false}> ({
^bb0(%p: f32, %q: f32):
  %s = arith.mulf %p, %q : f32
  tt.scan.return %s : f32
}) : (tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked>
// --- f32: a lost transpose
%t = tt.trans %a {order = array<i32: 1, 0>} : tensor<16x16xf32, #blocked> -> tensor<16x16xf32, #blocked1>
%u = ttg.convert_layout %t : tensor<16x16xf32, #blocked1> -> tensor<16x16xf32, #blocked>
%c = arith.addf [[%u||%a]], %b : tensor<16x16xf32, #blocked>
// --- f32: swapped halves
%j = tt.join %a, %b : tensor<16x16xf32, #blocked> -> tensor<16x16x2xf32, #blocked2>
%l, %h = tt.split %j : tensor<16x16x2xf32, #blocked2> -> tensor<16x16xf32, #blocked>
%c = arith.subf [[%l, %h||%h, %l]] : tensor<16x16xf32, #blocked>
// --- f32: swapped operands of a product
%da = ttg.convert_layout [[%a||%b]] : tensor<16x16xf32, #blocked> -> tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
%db = ttg.convert_layout [[%b||%a]] : tensor<16x16xf32, #blocked> -> tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
%c = tt.dot %da, %db, %zero : tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<16x16xf32, #blocked>
// --- f32: the sum before a product is lost
%da = ttg.convert_layout %a : tensor<16x16xf32, #blocked> -> tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
%db = ttg.convert_layout %b : tensor<16x16xf32, #blocked> -> tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
%c = tt.dot %da, %db, [[%a||%zero]] : tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<16x16xf32, #blocked>
// --- f32: another part of a buffer
%m = ttg.local_alloc %a : (tensor<16x16xf32, #blocked>) -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
%v = ttg.memdesc_subslice %m[ [[0||8]], 0] : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<8x16xf32, #shared, #smem, mutable, 16x16>
%w = ttg.memdesc_subslice %m[8, 0] : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<8x16xf32, #shared, #smem, mutable, 16x16>
%l = ttg.local_load %v : !ttg.memdesc<8x16xf32, #shared, #smem, mutable, 16x16> -> tensor<8x16xf32, #blocked>
ttg.local_store %l, %w : tensor<8x16xf32, #blocked> -> !ttg.memdesc<8x16xf32, #shared, #smem, mutable, 16x16>
%c = ttg.local_load %m : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> tensor<16x16xf32, #blocked>
// --- f32: a buffer is read before it is written
%m = ttg.local_alloc %a : (tensor<16x16xf32, #blocked>) -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
%l = ttg.local_load %m : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> tensor<16x16xf32, #blocked>
ttg.local_store %b, %m : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
%h = ttg.local_load %m : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> tensor<16x16xf32, #blocked>
%c = arith.addf %a, [[%h||%l]] : tensor<16x16xf32, #blocked>
