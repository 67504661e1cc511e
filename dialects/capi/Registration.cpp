// Registration of the dialects.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "ttg/LegacySpelling.h"
#include "ttg/TTG.h"
#include "ttng/TTNG.h"

void ttkitRegisterDialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<ttkit::tt::TTDialect, ttkit::ttg::TTGDialect, ttkit::ttng::TTNGDialect>();
  ttkit::ttg::registerLegacyDialects(*unwrap(registry));
}

void ttkitLoadDialects(MlirContext context) {
  unwrap(context)
      ->loadDialect<mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                    mlir::cf::ControlFlowDialect, mlir::ub::UBDialect, mlir::func::FuncDialect, mlir::gpu::GPUDialect,
                    mlir::LLVM::LLVMDialect, ttkit::tt::TTDialect, ttkit::ttg::TTGDialect, ttkit::ttng::TTNGDialect>();
}
