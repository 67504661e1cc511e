// The proton dialect in C++.  Operations are in the headers of their families (see tt/TT.h).

#ifndef TTKIT_PROTON_PROTON_H
#define TTKIT_PROTON_PROTON_H

#include "tt/TT.h"

#include "proton/Dialect.h.inc"

namespace ttkit::proton {

/// The clock of a multiprocessor, and where its times go: orders the operations that read it among themselves.
struct Clock : mlir::SideEffects::Resource::Base<Clock> {
  llvm::StringRef getName() final { return "<Clock>"; }
};

} // namespace ttkit::proton

#endif // TTKIT_PROTON_PROTON_H
