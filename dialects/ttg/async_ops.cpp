// Asynchronous copies and barriers.

#include "ttg/AsmDirectives.h"
#include "ttg/async_ops.h"

using namespace mlir;

namespace ttkit::ttg {

LogicalResult AsyncCopyGlobalToLocalOp::verify() {
  if (!getResult().getType().getMutableMemory()) // async_copy_global_to_local_c3
    return emitOpError("Cannot store into immutable memory, found ") << getResult().getType();
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// BarrierOp
//===--------------------------------------------------------------------------------------------------------------===//

ParseResult parseAddrSpace(OpAsmParser &parser, AddrSpaceAttr &spaces) {
  AddrSpace all = AddrSpace::None;
  bool none = false;
  unsigned count = 0;
  do {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword))
      return failure();
    std::optional<AddrSpace> space = symbolizeAddrSpace(keyword);
    if (!space)
      return parser.emitError(loc) << "'" << keyword << "' is not an address space; expected none, local, global_read, "
                                   << "global_write, tensor_read, tensor_write or all";
    all = all | *space;
    none |= *space == AddrSpace::None;
    ++count;
  } while (succeeded(parser.parseOptionalVerticalBar()));
  if (none && count > 1)
    return parser.emitError(parser.getNameLoc()) << "'none' cannot be combined with other address spaces";
  spaces = AddrSpaceAttr::get(parser.getContext(), all);
  return success();
}

void printAddrSpace(OpAsmPrinter &printer, Operation *, AddrSpaceAttr spaces) {
  AddrSpace value = spaces.getValue();
  if (value == AddrSpace::All) {
    printer << "all";
    return;
  }
  if (value == AddrSpace::None) {
    printer << stringifyEnum(AddrSpace::None);
    return;
  }
  StringRef separator;
  for (AddrSpace space : {AddrSpace::Local, AddrSpace::GlobalRead, AddrSpace::GlobalWrite, AddrSpace::TensorRead,
                          AddrSpace::TensorWrite}) {
    if (!bitEnumContainsAll(value, space))
      continue;
    printer << separator << stringifyEnum(space);
    separator = "|";
  }
}

} // namespace ttkit::ttg
