// RUN: tt-opt %s | tt-opt | FileCheck %s

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory

// CHECK: func.func private @memdesc(!ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>)
func.func private @memdesc(!ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>)

// The first dimension, which counts buffers, need not be a power of two.
// CHECK: func.func private @buffers(!ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>)
func.func private @buffers(!ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>)

// The allocation's shape is printed where it is another one.
// CHECK: func.func private @view(!ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>, !ttg.memdesc<32x64xf16, #shared, #smem, 3x64x64>, !ttg.memdesc<64x64xf16, #shared, #smem>)
func.func private @view(!ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>, !ttg.memdesc<32x64xf16, #shared, #smem, 3x64x64>, !ttg.memdesc<64x64xf16, #shared, #smem, 64x64>)

// CHECK: func.func private @token(!ttg.async.token)
func.func private @token(!ttg.async.token)
