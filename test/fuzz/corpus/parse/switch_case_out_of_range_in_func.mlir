func.func @f(%n: i32) {
  cf.switch %n : i32, [default: ^e, 4294967295: ^e]
^e:
  return
}
