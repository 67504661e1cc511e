// The nvg dialect: single instructions of NVIDIA GPUs, among operations of llvm.

#ifndef TTKIT_NVG
#define TTKIT_NVG

include "nvg/nvg_dialect.td"
include "nvg/instruction_ops.td"

#endif // TTKIT_NVG
