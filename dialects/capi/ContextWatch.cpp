// Tells Python when a context dies, so that tables keyed by the addresses of its attributes forget them in time.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "ttg/TTG.h"

static TtkitContextDestroyed contextDestroyed = nullptr;

namespace {
/// A context owns its dialects and these own their interfaces, so this is destroyed with it, whoever owns it.
class ContextWatch : public mlir::DialectInterface::Base<ContextWatch> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ContextWatch)

  explicit ContextWatch(mlir::Dialect *dialect) : Base(dialect), context(wrap(dialect->getContext())) {}
  ~ContextWatch() override {
    if (contextDestroyed)
      contextDestroyed(context);
  }

private:
  MlirContext context; // by value: the dialect may be half destroyed when it is needed
};
} // namespace

void ttkitSetContextDestroyed(TtkitContextDestroyed callback) { contextDestroyed = callback; }

void ttkitWatchContext(MlirContext context) {
  unwrap(context)->getOrLoadDialect<ttkit::ttg::TTGDialect>()->addInterfaces<ContextWatch>();
}
