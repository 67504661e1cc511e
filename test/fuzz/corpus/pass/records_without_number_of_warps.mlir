// passes: convert-proton-to-protongpu
tt.func @f() {
  proton.record start "load"
  proton.record end "load"
  tt.return
}
