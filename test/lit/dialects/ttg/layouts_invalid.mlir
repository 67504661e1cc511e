// RUN: tt-opt %s -split-input-file -verify-diagnostics

// Every rule of the layouts and types of ttg; what breaks it is in the function's name.

// expected-error @+1 {{sizePerThread, threadsPerWarp, warpsPerCTA, and order must all have the same rank.}}
func.func private @blocked_rank() attributes {test.layout = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [0]}>}

// -----

// expected-error @+1 {{Every element in sizePerThread must be a power of two. Found 3}}
func.func private @blocked_power_of_two() attributes {test.layout = #ttg.blocked<{sizePerThread = [3], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>}

// -----

// expected-error @+1 {{order must be a permutation of 0..(rank-1), but was [1, 1]}}
func.func private @blocked_order() attributes {test.layout = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 1]}>}

// -----

// expected-error @+1 {{the layout's tile has 2^93 elements; at most 2^31 are supported}}
func.func private @blocked_too_large() attributes {test.layout = #ttg.blocked<{sizePerThread = [2147483648], threadsPerWarp = [2147483648], warpsPerCTA = [2147483648], order = [0]}>}

// -----

// expected-error @+1 {{unexpected key: warps}}
func.func private @blocked_unknown_key() attributes {test.layout = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], warps = 4}>}

// -----

// expected-error @+1 {{expected an unsigned integer value in order, found -1}}
func.func private @blocked_negative() attributes {test.layout = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [-1]}>}

// -----

// expected-error @+1 {{expected an unsigned integer value in order, found true}}
func.func private @blocked_not_integer() attributes {test.layout = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [true]}>}

// -----

// expected-error @+1 {{expected an array for order, found 0}}
func.func private @blocked_not_array() attributes {test.layout = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = 0}>}

// -----

// expected-error @+1 {{'CGALayout' entry length does not match rank 1}}
func.func private @cga_rank() attributes {test.layout = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1, 0]]}>}

// -----

// expected-error @+1 {{'CGALayout' must reach every part of the tensor: it is not surjective}}
func.func private @cga_not_surjective() attributes {test.layout = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[2]]}>}

// -----

// expected-error @+1 {{CTAsPerCGA and CTASplitNum must be powers of two, and the former multiples of the latter; found 2 and 4}}
func.func private @cga_split() attributes {test.layout = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CTAsPerCGA = [2], CTASplitNum = [4], CTAOrder = [0]}>}

// -----

// expected-error @+1 {{CTAsPerCGA describes 4096 CTAs or more; a cluster has at most 1024}}
func.func private @cga_too_large() attributes {test.layout = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0], CTAsPerCGA = [1024, 4], CTASplitNum = [4, 1], CTAOrder = [1, 0]}>}

// -----

// expected-error @+1 {{parent layout must have at least rank >= 2}}
func.func private @slice_parent_rank() attributes {test.layout = #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>}>}

// -----

// expected-error @+1 {{slice dim=2 must be less than the parent rank=2}}
func.func private @slice_dim() attributes {test.layout = #ttg.slice<{dim = 2, parent = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>}>}

// -----

// expected-error @+1 {{missing key: parent}}
func.func private @slice_no_parent() attributes {test.layout = #ttg.slice<{dim = 0}>}

// -----

// expected-error @+1 {{expected a distributed encoding trait}}
func.func private @slice_of_shared() attributes {test.layout = #ttg.slice<{dim = 0, parent = #ttg.shared_memory}>}

// -----

#mma2 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @+1 {{ttg.dot_op opIdx parameter can be 0 or 1, got: 2}}
func.func private @dot_op_index() attributes {test.layout = #ttg.dot_op<{opIdx = 2, parent = #mma2, kWidth = 2}>}

// -----

// expected-error @+1 {{ttg.dot_op unexpected parent layout: #ttg.shared_memory}}
func.func private @dot_op_parent() attributes {test.layout = #ttg.dot_op<{opIdx = 0, parent = #ttg.shared_memory}>}

// -----

#mma2 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @+1 {{ttg.dot_op kWidth parameter is mandatory for Ampere or Hopper MMA parent}}
func.func private @dot_op_no_width() attributes {test.layout = #ttg.dot_op<{opIdx = 0, parent = #mma2}>}

// -----

#mma3 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
// expected-error @+1 {{ttg.dot_op opIdx parameter must be 0 for Hopper MMA parent}}
func.func private @dot_op_hopper_right() attributes {test.layout = #ttg.dot_op<{opIdx = 1, parent = #mma3, kWidth = 2}>}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
// expected-error @+1 {{ttg.dot_op kWidth parameter is not supported when the parent is a blocked layout}}
func.func private @dot_op_blocked_width() attributes {test.layout = #ttg.dot_op<{opIdx = 1, parent = #blocked, kWidth = 2}>}

// -----

// expected-error @+1 {{ttg.dot_op kWidth parameter must be 8/16 for WMMA v1}}
func.func private @dot_op_wmma_width() attributes {test.layout = #ttg.dot_op<{opIdx = 1, parent = #ttg.amd_wmma<{version = 1, warpsPerCTA = [2, 2]}>, kWidth = 4}>}

// -----

// expected-error @+1 {{invalid (mDim, nDim) combination: (32, 16)}}
func.func private @amd_mfma_shape() attributes {test.layout = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 16, 8], isTransposed = true}>}

// -----

// expected-error @+1 {{version must be in the [0, 4] range}}
func.func private @amd_mfma_version() attributes {test.layout = #ttg.amd_mfma<{version = 5, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>}

// -----

// expected-error @+1 {{elementBitWidth must be 32 or 64}}
func.func private @amd_mfma_width() attributes {test.layout = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true, elementBitWidth = 16}>}

// -----

// expected-error @+1 {{WMMA version must be in the [1, 3] range}}
func.func private @amd_wmma_version() attributes {test.layout = #ttg.amd_wmma<{version = 0, warpsPerCTA = [2, 2]}>}

// -----

// expected-error @+1 {{invalid WMMA v1 instruction shape}}
func.func private @amd_wmma_shape() attributes {test.layout = #ttg.amd_wmma<{version = 1, warpsPerCTA = [2, 2], instrShape = [16, 16, 32]}>}

// -----

// expected-error @+1 {{Expected basis of 'block' not found}}
func.func private @linear_missing() attributes {test.layout = #ttg.linear<{register = [[0, 1]], lane = [[1, 0]], warp = []}>}

// -----

// expected-error @+1 {{In a distributed layout, each base must move in at most one dimension.}}
func.func private @linear_two_dims() attributes {test.layout = #ttg.linear<{register = [[1, 1]], lane = [[1, 0]], warp = [], block = []}>}

// -----

// expected-error @+1 {{Layout is expected to be surjective}}
func.func private @linear_not_surjective() attributes {test.layout = #ttg.linear<{register = [[0, 2]], lane = [[1, 0]], warp = [], block = []}>}

// -----

// expected-error @+1 {{'lane' entry length does not match rank 2}}
func.func private @linear_ragged() attributes {test.layout = #ttg.linear<{register = [[0, 1]], lane = [[1]], warp = [], block = []}>}

// -----

// expected-error @+1 {{Empty Layout not supported}}
func.func private @linear_empty() attributes {test.layout = #ttg.linear<{register = [], lane = [], warp = [], block = []}>}

// -----

// expected-error @+1 {{order must be a permutation of 0..(rank-1), but was [0, 2]}}
func.func private @swizzled_order() attributes {test.layout = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 2]}>}

// -----

// expected-error @+1 {{missing key: swizzlingByteWidth}}
func.func private @nvmma_missing() attributes {test.layout = #ttg.nvmma_shared<{elementBitWidth = 16}>}

// -----

// expected-error @+1 {{padding values must all be power of two}}
func.func private @padded_power_of_two() attributes {test.layout = #ttg.padded_shared<[4:+3] {order = [1, 0], shape = [64, 64]}>}

// -----

// expected-error @+1 {{interval values must all be power of two}}
func.func private @padded_interval() attributes {test.layout = #ttg.padded_shared<[3:+4] {order = [1, 0], shape = [64, 64]}>}

// -----

// expected-error @+1 {{interval values cannot have duplicates}}
func.func private @padded_duplicate() attributes {test.layout = #ttg.padded_shared<[4:+4, 4:+2] {order = [1, 0], shape = [64, 64]}>}

// -----

// expected-error @+1 {{Mismatch of shape and order ranks in padded layout}}
func.func private @padded_ranks() attributes {test.layout = #ttg.padded_shared<[4:+4] {order = [1, 0], shape = [64]}>}

// -----

// expected-error @+1 {{Mismatch of shape and order ranks in padded layout}}
func.func private @padded_without_order() attributes {test.layout = #ttg.padded_shared<[4:+4] {shape = [64, 64]}>}

// -----

// expected-error @+1 {{linearComponent must have [offset, block] as input dims; found neither these nor order and shape}}
func.func private @padded_without_fields() attributes {test.layout = #ttg.padded_shared<[4:+4] {}>}

// -----

// expected-error @+1 {{expected integer value: found no pair of an interval and a padding, such as 32:+4}}
func.func private @padded_without_pairs() attributes {test.layout = #ttg.padded_shared<[] {order = [1, 0], shape = [64, 64]}>}

// -----

// expected-error @+1 {{Unexpected attribute "warps" found}}
func.func private @padded_key() attributes {test.layout = #ttg.padded_shared<[4:+4] {order = [1, 0], shape = [64, 64], warps = 4}>}

// -----

// Each key that does not fit, and what is missing.
// expected-error @+3 {{Unexpected attribute "order" found}}
// expected-error @+2 {{Unexpected attribute "shape" found}}
// expected-error @+1 {{Expected basis of 'offset' not found}}
func.func private @padded_mixed() attributes {test.layout = #ttg.padded_shared<[4:+4] {order = [1, 0], shape = [64, 64], block = []}>}

// -----

// expected-error @+1 {{Broadcasting is not supported.}}
func.func private @padded_broadcast() attributes {test.layout = #ttg.padded_shared<[4:+4] {offset = [[0, 1], [0, 0]], block = []}>}

// -----

// expected-error @+1 {{Each offset basis must move in at most one dimension.}}
func.func private @padded_two_dims() attributes {test.layout = #ttg.padded_shared<[4:+4] {offset = [[0, 1], [1, 1]], block = []}>}

// -----

// expected-error @+1 {{Each offset basis must be 0 or a power of two.}}
func.func private @padded_swizzle() attributes {test.layout = #ttg.padded_shared<[4:+4] {offset = [[0, 1], [0, 3]], block = []}>}

// -----

// expected-error @+1 {{After removing the zero bases the layout must be bijective}}
func.func private @shared_linear_bijective() attributes {test.layout = #ttg.shared_linear<{offset = [[0, 1], [0, 1]]}, alignment = 16>}

// -----

// expected-error @+1 {{The layout must be surjective}}
func.func private @shared_linear_surjective() attributes {test.layout = #ttg.shared_linear<{offset = [[0, 2]]}, alignment = 16>}

// -----

// expected-error @+1 {{alignment must be a positive power of two}}
func.func private @shared_linear_alignment() attributes {test.layout = #ttg.shared_linear<{offset = [[0, 1]]}, alignment = 3>}

// -----

// expected-error @+1 {{alignment must be specified outside of the linear layout braces}}
func.func private @shared_linear_alignment_inside() attributes {test.layout = #ttg.shared_linear<{offset = [[0, 1]], alignment = 16}>}

// -----

// expected-error @+1 {{with hasLeadingOffset, (perPhase, maxPhase) must be (4, 2), (2, 4) or (1, 8)}}
func.func private @shared_leading_offset() attributes {test.layout = #ttg.shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0], hasLeadingOffset = true}>}

// -----

// expected-error @+1 {{unknown attribute `blokced` in dialect `ttg`}}
func.func private @unknown() attributes {test.layout = #ttg.blokced<{}>}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{rank 0 memdesc is not allowed}}
func.func private @memdesc_no_shape(!ttg.memdesc<f16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{shape must have power-of-2 and non-zero dimensions; got 3, 3}}
func.func private @memdesc_power_of_two(!ttg.memdesc<3x3xf16, #shared, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{alloc shape must have at least as many dimensions as shape}}
func.func private @memdesc_alloc_rank(!ttg.memdesc<4x4xf16, #shared, #smem, 4>)

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{shape must be less than or equal to allocShape. shape = 8, 8, allocShape = 4, 8}}
func.func private @memdesc_alloc_smaller(!ttg.memdesc<8x8xf16, #shared, #smem, 4x8>)

// -----

#smem = #ttg.shared_memory
// expected-error @+1 {{#ttg.shared_memory is not a valid encoding}}
func.func private @memdesc_encoding(!ttg.memdesc<8x8xf16, #smem, #smem>)

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// expected-error @+1 {{memorySpace must be SharedMemorySpace for shared encoding. Got 3}}
func.func private @memdesc_space(!ttg.memdesc<8x8xf16, #shared, 3>)

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @+1 {{rank must be equal to or one less than the shape size. Got 2 and 4}}
func.func private @memdesc_rank(!ttg.memdesc<2x2x8x8xf16, #shared, #smem>)

// -----

#smem = #ttg.shared_memory
// expected-error @+1 {{Mismatch in expected shape for dimension 1. Expected: 8, got: 16}}
func.func private @memdesc_padded(!ttg.memdesc<8x8xf16, #ttg.padded_shared<[4:+4] {order = [1, 0], shape = [8, 16]}>, #smem>)

// -----

#smem = #ttg.shared_memory
// expected-error @+1 {{Mismatch in expected shape for dimension 0. Expected: 8, got: 1}}
func.func private @memdesc_shared_linear(!ttg.memdesc<8x2xf16, #ttg.shared_linear<{offset = [[0, 1]]}, alignment = 16>, #smem>)
