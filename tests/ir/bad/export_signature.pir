; error: export "f" is (i64) -> (), but @f is (f64) -> () (rule 21)
export "f"("x": weak i64) -> none = @f

func @f array (%x: f64) -> () {
  return
}
