; pass: inline
; count: scope = 1
; count: call = 0
; run: @f(-3.0) = 0.0
; run: @f(3.0) = 9.0
func @g array (%0: f64) -> (f64) {
  %1: f64 = const 0.0
  %2: bool = lt %0, %1
  if %2 {
    return %1
  } else {
    yield
  }
  %3: f64 = mul %0, %0
  return %3
}

func @f array (%0: f64) -> (f64) {
  %1: f64 = call[@g] %0
  return %1
}
; ---- after
func @g array (%0: f64) -> (f64) {
  %1: f64 = const 0.0
  %2: bool = lt %0, %1
  if %2 {
    return %1
  } else {
    yield
  }
  %3: f64 = mul %0, %0
  return %3
}

func @f array (%0: f64) -> (f64) {
  %1: f64 = scope {
    %2: f64 = const 0.0
    %3: bool = lt %0, %2
    if %3 {
      break[0] %2
    } else {
      yield
    }
    %4: f64 = mul %0, %0
    break[0] %4
  }
  return %1
}
