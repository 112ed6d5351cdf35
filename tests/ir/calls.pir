; Callers know what memory their callees read, write and give back.
func @first array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (array<f64, 1>, array<f64, 1>) {
  %2: i64 = const 0
  %3: f64 = load %1, %2 !r m0
  %4: array<f64, 1> in m1 = copy %0 !r m0
  return %0, %4
}

func @fill array (%0: array<f64, 1> in m0, %1: f64) -> () {
  assign %0, %1 !w m0
  return
}

func @caller array fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1) -> () {
  %2: array<f64, 1> in m0, %3: array<f64, 1> in m2 = call[@first] %0, %1 !r m0|m1
  %4: f64 = const 0.0
  call[@fill] %1, %4 !w m1
  call[@fill] %3, %4 !w m2
  return
}

func @even array recursive (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: array<f64, 1> in m1 = call[@odd] %0, %1 !w m0
  return %2
}

func @odd array recursive (%0: array<f64, 1> in m0, %1: i64) -> (array<f64, 1>) {
  %2: bool = const false
  if %2 {
    %3: array<f64, 1> in m1 = zeros %1
    return %3
  } else {
    yield
  }
  %4: f64 = const 0.0
  %5: i64 = const 0
  store %0, %4, %5 !w m0
  %6: array<f64, 1> in m2 = call[@even] %0, %1 !w m0
  return %6
}
