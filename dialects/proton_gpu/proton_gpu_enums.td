#ifndef TTKIT_PROTON_GPU_ENUMS
#define TTKIT_PROTON_GPU_ENUMS

include "mlir/IR/EnumAttr.td"

def ProtonGPU_MetricTypeAttr : I32EnumAttr<"MetricType", "what a counter counts", [
  I32EnumAttrCase<"CYCLE", 0, "cycle">]> {
  let cppNamespace = "::ttkit::proton_gpu";
}

def ProtonGPU_Granularity : I32EnumAttr<"Granularity", "which warps of a program share a part of a buffer", [
  I32EnumAttrCase<"WARP", 1, "warp">, I32EnumAttrCase<"WARP_2", 2, "warp_2">, I32EnumAttrCase<"WARP_4", 3, "warp_4">,
  I32EnumAttrCase<"WARP_8", 4, "warp_8">, I32EnumAttrCase<"CTA", 5, "cta">,
  I32EnumAttrCase<"WARP_GROUP", 6, "warp_group">, I32EnumAttrCase<"WARP_GROUP_2", 7, "warp_group_2">,
  I32EnumAttrCase<"WARP_GROUP_4", 8, "warp_group_4">, I32EnumAttrCase<"WARP_GROUP_8", 9, "warp_group_8">]> {
  let cppNamespace = "::ttkit::proton_gpu";
  let genSpecializedAttr = 0;
}

#endif // TTKIT_PROTON_GPU_ENUMS
