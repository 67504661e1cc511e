module {
}
{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module
    }
  }
#-}
