#ifndef TTKIT_NVG_ENUMS
#define TTKIT_NVG_ENUMS

include "mlir/IR/EnumAttr.td"

def NVG_EltTypeAttr : I32EnumAttr<"WGMMAEltType", "element type of a wgmma operand", [
  I32EnumAttrCase<"s8", 0>, I32EnumAttrCase<"s32", 1>, I32EnumAttrCase<"e4m3", 2>, I32EnumAttrCase<"e5m2", 3>,
  I32EnumAttrCase<"f16", 4>, I32EnumAttrCase<"bf16", 5>, I32EnumAttrCase<"tf32", 6>, I32EnumAttrCase<"f32", 7>]> {
  let cppNamespace = "::ttkit::nvg";
}

def NVG_LayoutAttr : I32EnumAttr<"WGMMALayout", "order of a wgmma operand in shared memory", [
  I32EnumAttrCase<"row", 0>, I32EnumAttrCase<"col", 1>]> {
  let cppNamespace = "::ttkit::nvg";
}

#endif // TTKIT_NVG_ENUMS
