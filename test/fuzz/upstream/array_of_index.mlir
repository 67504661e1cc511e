// parse signature: SIGABRT: Assertion `isIntOrFloat() && _' failed. in mlir::Type::getIntOrFloatBitWidth < mlir::detail::Parser::parseCommaSeparatedList, called by MLIR
"builtin.module"() ({}) {a = array<index: 1>} : () -> ()
