#ifndef TTKIT_NVWS_ENUMS
#define TTKIT_NVWS_ENUMS

include "mlir/IR/EnumAttr.td"

def NVWS_AsyncOp : I32EnumAttr<"AsyncOp", "what fills or reads a buffer in the background", [
  I32EnumAttrCase<"NONE", 0, "none">, I32EnumAttrCase<"TMALoad", 1, "tma_load">, I32EnumAttrCase<"TC5MMA", 2, "tc5mma">,
  I32EnumAttrCase<"TMEMCopy", 3, "tmem_copy">, I32EnumAttrCase<"CpAsync", 4, "cp_async">,
  I32EnumAttrCase<"WGMMA", 5, "wgmma">, I32EnumAttrCase<"CLC", 6, "clc">]> {
  let cppNamespace = "::ttkit::nvws";
  let genSpecializedAttr = 0;
}

def NVWS_TokenLoadTypeAttr : I32EnumAttr<"TokenLoadType", "what the buffers of a token are filled by", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"AsyncLoadOp", 1, "asyncLoadOp">,
  I32EnumAttrCase<"TMALoadOp", 2, "tmaLoadOp">, I32EnumAttrCase<"LocalStoreOp", 3, "localStoreOp">,
  I32EnumAttrCase<"TmemLoadOp", 4, "tmemLoadOp">]> {
  let cppNamespace = "::ttkit::nvws";
}

#endif // TTKIT_NVWS_ENUMS
