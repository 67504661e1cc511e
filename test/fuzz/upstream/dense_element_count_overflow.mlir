// parse signature: SIGABRT: Assertion `num >= _ && _' failed. in mlir::DenseElementsAttr::isValidRawBuffer < mlir::DenseIntOrFPElementsAttr::getRaw, called by MLIR
"arith.constant"() {value = dense<0.0> : tensor<9223372036854775807x128xf32>} : () -> ()
