func.func @f(%case: index) {
  scf.index_switch %case
  case 9223372036854775807 {
    scf.yield
  }
  default {
  }
  return
}
