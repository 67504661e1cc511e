#ifndef TTKIT_TTG_DIALECT
#define TTKIT_TTG_DIALECT

include "tt/tt_types.td"

def TTG_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::ttkit::ttg";
  let summary = "Layouts, shared memory, and what else a GPU adds to tt";
  let dependentDialects = ["::ttkit::tt::TTDialect"];
}

def SharedMemory : Resource<"::ttkit::ttg::SharedMemory">;

class TTG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTG_Dialect, mnemonic, !listconcat(traits, [VerifyTensorLayoutsTrait])>;

#endif // TTKIT_TTG_DIALECT
