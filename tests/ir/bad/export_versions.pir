; error: @f is the wrong version (rule 21)
export "f"() -> none = @f, @g

func @f array general () -> () {
  return
}

func @g array () -> () {
  return
}
