#ifndef TTKIT_TTNG_DIALECT
#define TTKIT_TTNG_DIALECT

include "ttg/ttg_dialect.td"

def TTNG_Dialect : Dialect {
  let name = "ttng";
  let cppNamespace = "::ttkit::ttng";
  let summary = "Operations that only NVIDIA GPUs of the Hopper and Blackwell generations have";
  let dependentDialects = ["::ttkit::tt::TTDialect", "::ttkit::ttg::TTGDialect"];
}

class TTNG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTNG_Dialect, mnemonic, !listconcat(traits, [VerifyTensorLayoutsTrait])>;

#endif // TTKIT_TTNG_DIALECT
