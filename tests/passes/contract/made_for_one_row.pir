; Loops over blocks of rows and of columns: the array is made for each element of a row, and of its rows one is used.
; pass: contract
; count: empty = 1
; run: @f([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]]) = 63.0
func @f loop fast (%0: array<f64, 2>) -> (f64) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: array<f64, 2> = empty %1, %2
  %4: i64 = const 0
  %5: i64 = const 1
  %6: i64 = const 2
  %7: f64 = const 0.0
  %8: f64 = for %4, %1, %6, %7 {
  (%9: i64, %10: f64):
    %11: i64 = add %9, %6
    %12: i64 = min %11, %1
    %13: f64 = for %9, %12, %5, %10 {
    (%14: i64, %15: f64):
      %16: f64 = for %4, %2, %5, %15 {
      (%17: i64, %18: f64):
        %19: f64 = load_raw %0, %14, %17
        store_raw %3, %19, %14, %17
        %20: f64 = load_raw %3, %14, %17
        %21: f64 = add %18, %20
        continue[0] %21
      }
      continue[0] %16
    }
    continue[0] %13
  }
  return %8
}
; ---- after
func @f loop fast (%0: array<f64, 2> in m0) -> (f64) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = const 2
  %6: f64 = const 0.0
  %7: f64 = for %3, %1, %5, %6 !r m0|m1 !w m1 {
  (%8: i64, %9: f64):
    %10: i64 = add %8, %5
    %11: i64 = min %10, %1
    %12: f64 = for %8, %11, %4, %9 !r m0|m1 !w m1 {
    (%13: i64, %14: f64):
      %15: f64 = for %3, %2, %4, %14 !r m0|m1 !w m1 {
      (%16: i64, %17: f64):
        %18: i64 = const 1
        %19: array<f64, 1> in m1 = empty %18
        %20: f64 = load_raw %0, %13, %16 !r m0
        %21: i64 = const 0
        store_raw %19, %20, %21 !w m1
        %22: i64 = const 0
        %23: f64 = load_raw %19, %22 !r m1
        %24: f64 = add %17, %23
        continue[0] %24
      }
      continue[0] %15
    }
    continue[0] %12
  }
  return %7
}
