; error: "y" follows a default and has none (rule 21)
export "f"("x": f64 = 1.0, "y": f64) -> none = @f

func @f array (%x: f64, %y: f64) -> () {
  return
}
