// parse signature: print as read (pretty) does not parse: case _ does not fit in i_
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%n: i32):
  "cf.switch"(%n)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<-1> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  "func.return"() : () -> ()
}) : () -> ()
