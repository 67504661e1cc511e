// parse signature: SIGABRT: Assertion `!KeyInfoT::isEqual(Val, EmptyKey) && !KeyInfoT::isEqual(Val, TombstoneKey) && _' failed. in mlir::scf::IndexSwitchOp::verify < mlir::verify, called by MLIR
func.func @f(%case: index) {
  scf.index_switch %case
  case 9223372036854775807 {
    scf.yield
  }
  default {
  }
  return
}
