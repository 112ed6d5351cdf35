; error: the default of "x" is of another type (rule 21)
export "f"("x": f64 = 1) -> none = @f

func @f array (%x: f64) -> () {
  return
}
