tt.func public @a(%p: !tt.ptr<i32>, %n: i32, %f: f32, %b: i1, %l: i64) {
  tt.store %p, %n : !tt.ptr<i32>
  tt.return
}
tt.func public @b(%p: !tt.ptr<i32>) {
  tt.return
}
