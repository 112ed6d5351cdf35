; error: export "f": "a" is written and not marked as written (rule 21)
export "f"("a": array<f64, 1>) -> none = @f

func @set array (%a: array<f64, 1>) -> () {
  %i: i64 = const 0
  %x: f64 = const 1.0
  store %a, %x, %i
  return
}

func @f array (%a: array<f64, 1>) -> () {
  call[@set] %a
  return
}
