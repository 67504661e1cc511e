// Registration of the dialects.

#include "capi/DynamicDialects.h"

#include "gluon/GLUON.h"
#include "mlir/CAPI/IR.h"
#include "nvg/NVG.h"
#include "nvws/NVWS.h"
#include "proton_gpu/PROTON_GPU.h"
#include "ttg/LegacySpelling.h"
#include "ttg/TTG.h"
#include "ttng/TTNG.h"

void ttkitRegisterDialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<ttkit::tt::TTDialect, ttkit::ttg::TTGDialect, ttkit::ttng::TTNGDialect,
                           ttkit::nvws::NVWSDialect, ttkit::nvg::NVGDialect, ttkit::gluon::GluonDialect,
                           ttkit::proton::ProtonDialect, ttkit::proton_gpu::ProtonGPUDialect>();
  ttkit::ttg::registerLegacyDialects(*unwrap(registry));
  ttkit::registerDynamicDialects(*unwrap(registry));
}

void ttkitLoadDialects(MlirContext context) {
  // By name: the headers of gpu and llvm alone would take longer to compile than most of this library.
  for (const char *name : {"arith", "math", "scf", "cf", "ub", "func", "gpu", "llvm", "tt", "ttg", "ttng", "proton"})
    unwrap(context)->getOrLoadDialect(name);
}
