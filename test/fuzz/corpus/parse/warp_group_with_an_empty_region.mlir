"builtin.module"() ({
  "tt.func"() <{function_type = () -> (), sym_name = "f"}> ({
    %0:2 = "nvws.warp_group"() <{numWarps = array<i32: 4>}> ({
    ^bb0(%a: i32):
    }) : () -> (i32, i32)
    "tt.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
