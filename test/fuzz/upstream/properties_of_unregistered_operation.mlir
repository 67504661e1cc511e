// parse signature: SIGABRT: LLVM ERROR: _ created with unregistered dialect. If this is intended, please call allowUnregisteredDialects() on the MLIRContext, or use -allow-unregistered-dialect with the MLIR tool used. in mlir::OpaqueProperties < mlir::BlockRange, called by MLIR
"index"() <{value = 1 : i32}> : () -> ()
