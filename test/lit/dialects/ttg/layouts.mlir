// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s -mlir-print-op-generic | tt-opt | FileCheck %s

// Every layout, as it is printed: keys in their order, those with default values left out, and an alias for each kind.

// CHECK-DAG: #[[BLOCKED:blocked[0-9]*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #blocked{{[0-9]*}} = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = {{\[\[1\], \[0\]\]}}}>
// CHECK-DAG: #linear = #ttg.linear<{register = {{\[\[0, 1\], \[0, 2\]\]}}, lane = {{\[\[0, 4\], \[1, 0\], \[2, 0\], \[4, 0\], \[8, 0\]\]}}, warp = {{\[\[0, 0\], \[16, 0\]\]}}, block = []}>
// CHECK-DAG: #[[MMA2:mma[0-9]*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// CHECK-DAG: #mma{{[0-9]*}} = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = {{\[\[1, 0\]\]}}, instrShape = [16, 128, 16]}>
// CHECK-DAG: #mma{{[0-9]*}} = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
// CHECK-DAG: #mma{{[0-9]*}} = #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [16, 16, 32], isTransposed = false, tilesPerWarp = [2, 4], elementBitWidth = 64}>
// CHECK-DAG: #mma{{[0-9]*}} = #ttg.amd_wmma<{version = 2, isTranspose = false, warpsPerCTA = [2, 2]}>
// CHECK-DAG: #mma{{[0-9]*}} = #ttg.amd_wmma<{version = 3, isTranspose = true, warpsPerCTA = [2, 2], tilesPerWarp = [1, 2], instrShape = [16, 16, 32]}>
// CHECK-DAG: #shared{{[0-9]*}} = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
// CHECK-DAG: #shared{{[0-9]*}} = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #shared{{[0-9]*}} = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8, fp4Padded = true, rank = 3}>
// CHECK-DAG: #shared{{[0-9]*}} = #ttg.amd_rotating_shared<{vec = 4, perPhase = 1, maxPhase = 16, order = [1, 0]}>
// CHECK-DAG: #shared{{[0-9]*}} = #ttg.padded_shared<[128:+4] {order = [1, 0], shape = [64, 128]}>
// CHECK-DAG: #shared{{[0-9]*}} = #ttg.padded_shared<[4:+2, 16:+4] {offset = {{\[\[0, 1\], \[0, 2\], \[2, 0\], \[1, 0\]\]}}, block = []}>
// CHECK-DAG: #shared{{[0-9]*}} = #ttg.shared_linear<{offset = {{\[\[0, 1\], \[0, 2\], \[1, 0\], \[2, 2\]\]}}}, alignment = 16>
// CHECK-DAG: #blocked{{[0-9]*}} = #ttg.blocked<{sizePerThread = [], threadsPerWarp = [], warpsPerCTA = [], order = []}>
// CHECK-DAG: #mma{{[0-9]*}} = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = []}>
// CHECK-DAG: #mma{{[0-9]*}} = #ttg.nvidia_mma<{versionMajor = 0, versionMinor = 0, warpsPerCTA = [], instrShape = []}>
// CHECK-DAG: #shared{{[0-9]*}} = #ttg.swizzled_shared<{vec = 0, perPhase = 1, maxPhase = 3, order = [0, 1]}>
// CHECK-DAG: #shared{{[0-9]*}} = #ttg.nvmma_shared<{swizzlingByteWidth = 16, transposed = false, elementBitWidth = 0}>
// CHECK-DAG: #smem = #ttg.shared_memory
#blocked = #ttg.blocked<{order = [1, 0], warpsPerCTA = [4, 1], threadsPerWarp = [8, 4], sizePerThread = [1, 4]}>
#mma2 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {test.layouts = [
    #blocked,
    #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1], [0]]}>,
    #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[0, 0], [16, 0]], block = []}>,
    #mma2,
    #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = [[1, 0]], instrShape = [16, 128, 16]}>,
    #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>,
    #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [16, 16, 32], isTransposed = false, tilesPerWarp = [2, 4], elementBitWidth = 64}>,
    #ttg.amd_wmma<{version = 2, warpsPerCTA = [2, 2]}>,
    #ttg.amd_wmma<{version = 3, isTranspose = true, warpsPerCTA = [2, 2], tilesPerWarp = [1, 2], instrShape = [16, 16, 32]}>,
    #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>,
    #ttg.nvmma_shared<{swizzlingByteWidth = 128}>,
    #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8, fp4Padded = true, rank = 3}>,
    #ttg.amd_rotating_shared<{vec = 4, perPhase = 1, maxPhase = 16, order = [1, 0]}>,
    #ttg.padded_shared<[128:+4] {order = [1, 0], shape = [64, 128]}>,
    #ttg.padded_shared<[4:+2, 16:+4] {offset = [[0, 1], [0, 2], [2, 0], [1, 0]], block = []}>,
    #ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 0], [2, 2]], block = []}, alignment = 16>,
    // Tensors can't have these, as in Triton, where they can be written too.
    #ttg.nvidia_mma<{versionMajor = 2, warpsPerCTA = [4, 1]}>,
    #ttg.nvidia_mma<{}>,
    #ttg.swizzled_shared<{vec = 0, perPhase = 1, maxPhase = 3, order = [0, 1]}>,
    #ttg.nvmma_shared<{swizzlingByteWidth = 16, elementBitWidth = 0}>,
    #ttg.blocked<{sizePerThread = [], threadsPerWarp = [], warpsPerCTA = [], order = []}>,
    #ttg.shared_memory]} {

  // Layouts with a parent have no alias.
  // CHECK: func.func private @no_alias() attributes {test.dot = #ttg.dot_op<{opIdx = 0, parent = #[[MMA2]], kWidth = 2}>, test.slice = #ttg.slice<{dim = 1, parent = #[[BLOCKED]]}>}
  func.func private @no_alias() attributes {
    test.slice = #ttg.slice<{parent = #blocked, dim = 1, unknown = 1}>,
    test.dot = #ttg.dot_op<{kWidth = 2, opIdx = 0, parent = #mma2}>}

  // A dot operand of a blocked layout has no kWidth.
  // CHECK: func.func private @fma() attributes {test.dot = #ttg.dot_op<{opIdx = 1, parent = #[[BLOCKED]]}>}
  func.func private @fma() attributes {test.dot = #ttg.dot_op<{opIdx = 1, parent = #blocked}>}
}
