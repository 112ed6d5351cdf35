; error: export "f": the last entry has guards (rule 25)
export "f"("a": array<f64, 1>) -> none = @f if contiguous

func @f array (%a: array<f64, 1>) -> () {
  return
}
