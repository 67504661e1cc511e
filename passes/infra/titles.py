"""Names of passes in dumps and tables: Triton's class, where ttkit's has a shorter name.

`// -----// IR Dump Before TritonGPUCoalesce (tritongpu-coalesce) ...`: scripts that read dumps of Triton look for that.
"""

# The beginning of a pass's name -> that of Triton's class, and its end.
_BEGINNINGS = (
    ("nvws-", "NVWS", ""),
    ("tritongpu-", "TritonGPU", ""),
    ("triton-nvidia-gpu-", "TritonGPU", ""),
    ("triton-nvidia-", "TritonNvidiaGPU", "Pass"),
    ("triton-", "Triton", ""),
)
# Those that are called otherwise.
_OTHERS = {
    "enable-line-info": "LLVMDIScope",
    "gluon-infer-coalesced-encodings": "GluonInferCoalescedEncodingsPass",
    "gluon-resolve-auto-encodings": "GluonResolveAutoEncodingsPass",
    "nvgpu-warp-specialization": "NVGPUWarpSpecialization",
    "triton-nvidia-gpu-plan-cta": "TritonGPUPlanCTAPass",
    "triton-nvidia-gpu-remove-tmem-tokens": "TritonNvidiaGPURemoveTMEMTokensPass",
    "triton-nvidia-optimize-descriptor-encoding": "TritonNvidiaGPUOptimizeDescriptorEncodingPass",
    "triton-tensor-memory-allocation": "TritonTensorMemoryAllocationPass",
    "tritongpu-global-scratch-memory-allocation": "TritonGPUGlobalScratchAllocationPass",
    "tritongpu-promote-lhs-to-tmem": "TritonNvidiaGPUPromoteLHSToTMemPass",
}


def title(name: str, class_name: str) -> str:
    """Triton's class of the pass `name`, whose class is `class_name` here; that where Triton has no such pass."""
    if name in _OTHERS:
        return _OTHERS[name]
    for beginning, first, last in _BEGINNINGS:
        if name.startswith(beginning):
            return class_name if class_name.startswith(first) else f"{first}{class_name}{last}"
    return class_name
