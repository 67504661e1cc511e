"""What dumps call passes, beside the headers of Triton 3.6's dumps."""

import re

import pytest

from ttkit.passes.infra.titles import title
from ttkit.passes.registry import PASSES

# As MLIR_ENABLE_DUMP=1 of Triton 3.6 prints them, and of 3.9 the last two.
TRITON = """
    AllocateSharedMemoryNv (allocate-shared-memory-nv)
    LLVMDIScope (enable-line-info)
    NVGPUWarpSpecialization (nvgpu-warp-specialization)
    NVWSLowerWarpGroup (nvws-lower-warp-group)
    NVWSInsertAref (nvws-insert-aref)
    TritonCombineOps (triton-combine)
    TritonLoopInvariantCodeMotion (triton-licm)
    TritonGPUFenceInsertion (triton-nvidia-gpu-fence-insertion)
    TritonGPUPlanCTAPass (triton-nvidia-gpu-plan-cta)
    TritonNvidiaGPURemoveTMEMTokensPass (triton-nvidia-gpu-remove-tmem-tokens)
    TritonNvidiaGPUMMALoweringPass (triton-nvidia-mma-lowering)
    TritonNvidiaGPUOptimizeDescriptorEncodingPass (triton-nvidia-optimize-descriptor-encoding)
    TritonTensorMemoryAllocationPass (triton-tensor-memory-allocation)
    TritonGPUF32DotTC (tritongpu-F32DotTC)
    TritonGPUCoalesce (tritongpu-coalesce)
    TritonNvidiaGPUPromoteLHSToTMemPass (tritongpu-promote-lhs-to-tmem)
    ConvertTritonToTritonGPU (convert-triton-to-tritongpu)
    TritonNvidiaGPUAssignCGALayoutsPass (triton-nvidia-gpu-assign-cga-layouts)
    TritonNvidiaGPUOptimizeCTALocalityPass (triton-nvidia-gpu-optimize-cta-locality)
"""


@pytest.mark.parametrize(("wanted", "name"), re.findall(r"(\w+) \((.*)\)", TRITON))
def test_title(wanted, name):
    assert title(name, PASSES[name].split(":")[1]) == wanted


def test_passes_of_ones_own_have_their_class():
    assert title("count-loads", "CountLoads") == "CountLoads"
