tt.func public @forever(%p: !tt.ptr<i32>) {
  %true = arith.constant true
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    scf.yield
  }
  tt.return
}
