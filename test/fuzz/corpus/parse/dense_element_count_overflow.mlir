"arith.constant"() {value = dense<0.0> : tensor<9223372036854775807x128xf32>} : () -> ()
