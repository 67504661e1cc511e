"builtin.module"() ({}) {a = array<index: 1>} : () -> ()
