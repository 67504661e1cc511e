tt.func public @forever(%p: !tt.ptr<i32>) {
  cf.br ^bb1
^bb1:
  cf.br ^bb1
}
