; error: export "f": entry 2 is never called: one before it takes its calls (rule 25)
export "f"("a": array<f64, 1>) -> none = @f, @g

func @f array (%a: array<f64, 1>) -> () {
  return
}

func @g array (%a: array<f64, 1>) -> () {
  return
}
