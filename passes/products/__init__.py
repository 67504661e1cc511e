"""The parts of accelerate_matmul.py, in the order in which the pass uses them.

- instruction: the instruction that computes a tt.dot, its shape, and the division of the result among warps.
- operands: operands in registers and in shared memory, as the instruction reads them.
- tensor_cores: tt.dot on mma.sync and wgmma.
- dot_to_tcgen05: tt.dot and tt.dot_scaled on tcgen05, which accumulates in tensor memory.
- scaled_mma_sync: tt.dot_scaled on mma.sync.
- scaled: tt.dot_scaled as a tt.dot of scaled operands.
- packed_scales: scales of tcgen05 in the order of their copy to tensor memory, for optimize_dot_operands.py.
- mixed_types: operands of types that neither the instruction nor fused multiply-add supports.
"""
