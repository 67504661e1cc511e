#ifndef TTKIT_TTG_ENUMS
#define TTKIT_TTG_ENUMS

include "mlir/IR/EnumAttr.td"

def TTG_AddrSpaceAttr : I32BitEnumAttr<"AddrSpace", "which accesses a barrier makes visible", [
  I32BitEnumAttrCase<"None", 0, "none">, I32BitEnumAttrCase<"Local", 1, "local">,
  I32BitEnumAttrCase<"GlobalRead", 2, "global_read">, I32BitEnumAttrCase<"GlobalWrite", 4, "global_write">,
  I32BitEnumAttrCase<"TensorRead", 8, "tensor_read">, I32BitEnumAttrCase<"TensorWrite", 16, "tensor_write">,
  I32BitEnumAttrCase<"All", 31, "all">]> {
  let cppNamespace = "::ttkit::ttg";
}

#endif // TTKIT_TTG_ENUMS
