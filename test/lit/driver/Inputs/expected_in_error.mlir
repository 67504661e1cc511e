func.func @f() -> index {
  return %1 : index // expected-error {{undeclared}}
}
