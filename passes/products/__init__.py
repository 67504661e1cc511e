"""The parts of accelerate_matmul.py, in the order in which it uses them.

instruction      which product instruction computes a tt.dot, of which shape, and which warps compute which part
operands         operands in registers and in shared memory, as the instruction reads them
tensor_cores     tt.dot on mma.sync and wgmma
dot_to_tcgen05   tt.dot and tt.dot_scaled on tcgen05, which accumulates in tensor memory
scaled_mma_sync  tt.dot_scaled on mma.sync
scaled           tt.dot_scaled as a product of what its operands stand for
mixed_types      operands of types that neither the instruction nor fused multiply-add takes
"""
