; error: two parameters are named "x" (rule 21)
export "f"("x": f64, "x": f64) -> none = @f

func @f array (%x: f64, %y: f64) -> () {
  return
}
