// parse signature: SIGABRT: Assertion `this->size() >= N && _' failed. in mlir::detail::verifyLoopLikeOpInterface < mlir::verify, called by MLIR
%0 = "arith.constant"() {value = 0 : i32} : () -> i32
"scf.for"(%0, %0, %0) ({
  "scf.yield"() : () -> ()
}) : (i32, i32, i32) -> ()
