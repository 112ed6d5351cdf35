; pass: inline
; count: call = 3
; run: @f(4) = 1
; run: @f(3) = 0
func @even array recursive (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: bool = eq %0, %1
  if %3 {
    return %2
  } else {
    yield
  }
  %4: i64 = sub %0, %2
  %5: i64 = call[@odd] %4
  return %5
}

func @odd array recursive (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: bool = eq %0, %1
  if %3 {
    return %1
  } else {
    yield
  }
  %4: i64 = sub %0, %2
  %5: i64 = call[@even] %4
  return %5
}

func @f array (%0: i64) -> (i64) {
  %1: i64 = call[@even] %0
  return %1
}
; ---- after
func @even array recursive (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: bool = eq %0, %1
  if %3 {
    return %2
  } else {
    yield
  }
  %4: i64 = sub %0, %2
  %5: i64 = call[@odd] %4
  return %5
}

func @odd array recursive (%0: i64) -> (i64) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: bool = eq %0, %1
  if %3 {
    return %1
  } else {
    yield
  }
  %4: i64 = sub %0, %2
  %5: i64 = call[@even] %4
  return %5
}

func @f array (%0: i64) -> (i64) {
  %1: i64 = call[@even] %0
  return %1
}
