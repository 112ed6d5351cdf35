; pass: inline
; count: call = 0
; run: @f(True) = 1
; run: @f(False) raises ValueError
func @fail array () -> () {
  raise[ValueError, "no"]
}

func @f array (%0: bool) -> (i64) {
  %1: i64 = const 1
  if %0 {
    yield
  } else {
    call[@fail]
    unreachable
  }
  return %1
}
; ---- after
func @fail array () -> () {
  raise[ValueError, "no"]
}

func @f array (%0: bool) -> (i64) {
  %1: i64 = const 1
  if %0 {
    yield
  } else {
    scope {
      raise[ValueError, "no"]
    }
    unreachable
  }
  return %1
}
