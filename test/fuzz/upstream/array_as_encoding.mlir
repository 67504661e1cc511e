// parse signature: print as read (pretty) does not parse: expected _ in tensor type
#b = array<i32: 0>
module {
  tt.func private @f(tensor<4xf32, #b>)
}
