// passes: ttkit-instrument-memory
tt.func @sccp_public(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  tt.return %0 : i32
}
tt.func @sccp_caller() -> i32 {
  %two = arith.constant 2 : i32
  %0 = tt.call @sccp_public(%two) : (i32) -> i32
  tt.return %0 : i32
}
