; error: "y" follows one that is only given by its name (rule 21)
export "f"(keyword "x": f64 = 1.0, "y": f64 = 2.0) -> none = @f

func @f array (%x: f64, %y: f64) -> () {
  return
}
