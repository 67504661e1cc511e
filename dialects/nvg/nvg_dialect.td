#ifndef TTKIT_NVG_DIALECT
#define TTKIT_NVG_DIALECT

include "mlir/Dialect/LLVMIR/LLVMTypes.td"
include "nvg/nvg_enums.td"
include "tt/tt_enums.td"
include "ttg/ttg_dialect.td"

def NVG_Dialect : Dialect {
  let name = "nvg";
  let cppNamespace = "::ttkit::nvg";
  let summary = "Single instructions of NVIDIA GPUs, among operations of llvm";
  let description = [{
    Triton lowers to these first and to inline PTX afterwards, so IR dumped in between has them.  ttkit's lowering makes
    only `nvg.warp_id` and `nvg.cluster_id`; its pass `convert-nv-gpu-to-llvm` lowers all.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

class NVG_Op<string mnemonic, list<Trait> traits = []> : Op<NVG_Dialect, mnemonic, traits>, GeneralBuilder;

#endif // TTKIT_NVG_DIALECT
