; error: a guard was expected
export "f"() -> none = @f if, @f

func @f array () -> () {
  return
}
