%0 = "arith.constant"() {value = 0 : i32} : () -> i32
"scf.for"(%0, %0, %0) ({
  "scf.yield"() : () -> ()
}) : (i32, i32, i32) -> ()
