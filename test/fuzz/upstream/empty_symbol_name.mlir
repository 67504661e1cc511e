// parse signature: print as read (pretty) does not parse: @ identifier expected to start with letter or _
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "", sym_visibility = "private"}> ({
  }) : () -> ()
}) : () -> ()
