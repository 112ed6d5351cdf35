; pass: inline
; count: call = 2
; run: @f(4) = 24
func @fac array recursive (%0: i64) -> (i64) {
  %1: i64 = const 1
  %2: bool = le %0, %1
  if %2 {
    return %1
  } else {
    yield
  }
  %3: i64 = sub %0, %1
  %4: i64 = call[@fac] %3
  %5: i64 = mul %0, %4
  return %5
}

func @f array (%0: i64) -> (i64) {
  %1: i64 = call[@fac] %0
  return %1
}
; ---- after
func @fac array recursive (%0: i64) -> (i64) {
  %1: i64 = const 1
  %2: bool = le %0, %1
  if %2 {
    return %1
  } else {
    yield
  }
  %3: i64 = sub %0, %1
  %4: i64 = call[@fac] %3
  %5: i64 = mul %0, %4
  return %5
}

func @f array (%0: i64) -> (i64) {
  %1: i64 = call[@fac] %0
  return %1
}
