; error: export "f": the entry @f is general and has the guard `contiguous` (rule 25)
export "f"("a": array<f64, 1>) -> none = @f if contiguous, @g

func @f array general (%a: array<f64, 1>) -> () {
  return
}

func @g array (%a: array<f64, 1>) -> () {
  return
}
