// Registration of the dialects.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "ttg/TTG.h"
#include "ttng/TTNG.h"

void ttkitRegisterDialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<ttkit::tt::TTDialect, ttkit::ttg::TTGDialect, ttkit::ttng::TTNGDialect>();
}
