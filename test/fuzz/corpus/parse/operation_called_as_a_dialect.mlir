"index"() <{value = 1 : i32}> : () -> ()
