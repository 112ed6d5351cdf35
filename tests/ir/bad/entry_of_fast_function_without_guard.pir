; error: export "f": the entry @f lacks the guard `contiguous` (rule 25)
export "f"("a": array<f64, 1>) -> none = @f if apart, @g

func @f array fast (%a: array<f64, 1>) -> () {
  return
}

func @g array general (%a: array<f64, 1>) -> () {
  return
}
