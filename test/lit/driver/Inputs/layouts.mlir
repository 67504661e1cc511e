// Aliases only, one inside another, and one that is no layout.
#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#operand = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}> // of a product
#smem = #ttg.shared_memory
