; error: export "f": an entry has the guard `apart` twice (rule 25)
export "f"("a": array<f64, 1>) -> none = @f if apart apart, @g

func @f array (%a: array<f64, 1>) -> () {
  return
}

func @g array (%a: array<f64, 1>) -> () {
  return
}
