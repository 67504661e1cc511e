#ifndef TTKIT_PROTON_DIALECT
#define TTKIT_PROTON_DIALECT

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tt/tt_dialect.td"

def Proton_Dialect : Dialect {
  let name = "proton";
  let cppNamespace = "::ttkit::proton";
  let summary = "Regions of a kernel that are timed while it runs";
  let description = [{
    A kernel says where a region begins and where it ends, `ttkit.profiler.language`; nothing here says how it is
    timed.  `convert-proton-to-protongpu` places the reads of a clock and the buffers: operations of `proton_gpu`.
  }];
}

def Proton_Clock : Resource<"::ttkit::proton::Clock">;

class Proton_Op<string mnemonic, list<Trait> traits = []> : Op<Proton_Dialect, mnemonic, traits>, GeneralBuilder;

#endif // TTKIT_PROTON_DIALECT
