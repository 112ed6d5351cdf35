; The `break` counts the loops.
; pass: inline
; count: scope = 1
; count: break >= 1
; run: @f([1.0, -2.0, -3.0]) = -2.0
; run: @f([1.0]) = 0.0
func @first_negative array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = dim[0] %0
  for %1, %4, %2 !r m0 {
  (%5: i64):
    %6: f64 = load %0, %5 !r m0
    %7: bool = lt %6, %3
    if %7 {
      return %6
    } else {
      yield
    }
    continue[0]
  }
  return %3
}

func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = call[@first_negative] %0 !r m0
  return %1
}
; ---- after
func @first_negative array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 0.0
  %4: i64 = dim[0] %0
  for %1, %4, %2 !r m0 {
  (%5: i64):
    %6: f64 = load %0, %5 !r m0
    %7: bool = lt %6, %3
    if %7 {
      return %6
    } else {
      yield
    }
    continue[0]
  }
  return %3
}

func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = scope !r m0 {
    %2: i64 = const 0
    %3: i64 = const 1
    %4: f64 = const 0.0
    %5: i64 = dim[0] %0
    for %2, %5, %3 !r m0 {
    (%6: i64):
      %7: f64 = load %0, %6 !r m0
      %8: bool = lt %7, %4
      if %8 {
        break[1] %7
      } else {
        yield
      }
      continue[0]
    }
    break[0] %4
  }
  return %1
}
