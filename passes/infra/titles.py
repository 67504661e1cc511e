"""Names of passes in dumps and tables: those of Triton's classes, for which scripts that read dumps look.

Example: `// -----// IR Dump Before TritonGPUCoalesce (tritongpu-coalesce) ...`.
"""

# The prefix of a pass's name -> prefix and suffix of Triton's class.
_BEGINNINGS = (
    ("nvws-", "NVWS", ""),
    ("tritongpu-", "TritonGPU", ""),
    ("triton-nvidia-gpu-", "TritonGPU", ""),
    ("triton-nvidia-", "TritonNvidiaGPU", "Pass"),
    ("triton-", "Triton", ""),
)
# Names that do not follow the rules above.
_OTHERS = {
    "enable-line-info": "LLVMDIScope",
    "gluon-infer-coalesced-encodings": "GluonInferCoalescedEncodingsPass",
    "gluon-resolve-auto-encodings": "GluonResolveAutoEncodingsPass",
    "nvgpu-warp-specialization": "NVGPUWarpSpecialization",
    "triton-nvidia-gpu-assign-cga-layouts": "TritonNvidiaGPUAssignCGALayoutsPass",
    "triton-nvidia-gpu-optimize-cta-locality": "TritonNvidiaGPUOptimizeCTALocalityPass",
    "triton-nvidia-gpu-plan-cta": "TritonGPUPlanCTAPass",
    "triton-nvidia-gpu-remove-tmem-tokens": "TritonNvidiaGPURemoveTMEMTokensPass",
    "triton-nvidia-optimize-descriptor-encoding": "TritonNvidiaGPUOptimizeDescriptorEncodingPass",
    "triton-tensor-memory-allocation": "TritonTensorMemoryAllocationPass",
    "tritongpu-global-scratch-memory-allocation": "TritonGPUGlobalScratchAllocationPass",
    "tritongpu-promote-lhs-to-tmem": "TritonNvidiaGPUPromoteLHSToTMemPass",
}


def title(name: str, class_name: str) -> str:
    """The name of Triton's class for the pass `name`; `class_name`, that of ttkit's class, if Triton has none."""
    if name in _OTHERS:
        return _OTHERS[name]
    for beginning, first, last in _BEGINNINGS:
        if name.startswith(beginning):
            return class_name if class_name.startswith(first) else f"{first}{class_name}{last}"
    return class_name
