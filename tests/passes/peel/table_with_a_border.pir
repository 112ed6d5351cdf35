; Only the first row and the first column have no neighbour: what is left has no branch.
; pass: peel
; count: for = 3
; run: @f(1, 1) = 0.0
; run: @f(3, 4) = 5.0
; run: @f(0, 2) raises IndexError
func @f loop fast (%0: i64, %1: i64) -> (f64) {
  %2: array<f64, 2> = zeros %0, %1
  %3: i64 = const 0
  %4: i64 = const 1
  for %3, %0, %4 {
  (%5: i64):
    %6: bool = gt %5, %3
    for %3, %1, %4 {
    (%7: i64):
      %8: bool = if %6 {
        %9: bool = gt %7, %3
        yield %9
      } else {
        %10: bool = const false
        yield %10
      }
      if %8 {
        %11: f64 = const 1.0
        %12: i64 = sub %5, %4
        %13: f64 = load_raw %2, %12, %7
        %14: f64 = const 2.0
        %15: i64 = sub %7, %4
        %16: f64 = load_raw %2, %5, %15
        %17: f64 = mul %14, %16
        %18: f64 = min %17, %13
        %19: f64 = add %11, %18
        store_raw %2, %19, %5, %7
        yield
      } else {
        %20: f64 = const 3.0
        %21: f64 = cast %5
        %22: f64 = mul %20, %21
        %23: f64 = cast %7
        %24: f64 = add %22, %23
        store_raw %2, %24, %5, %7
        yield
      }
      continue[0]
    }
    continue[0]
  }
  %25: i64 = sub %0, %4
  %26: i64 = sub %1, %4
  %27: i64 = add %25, %0
  %28: bool = lt %25, %3
  %29: i64 = select %28, %27, %25
  %30: u64 = cast %29
  %31: u64 = cast %0
  %32: bool = lt %30, %31
  check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %32, %25, %0
  %33: i64 = add %26, %1
  %34: bool = lt %26, %3
  %35: i64 = select %34, %33, %26
  %36: u64 = cast %35
  %37: u64 = cast %1
  %38: bool = lt %36, %37
  check[IndexError, "index {0} is out of bounds for axis 1 with size {1}"] %38, %26, %1
  %39: f64 = load_raw %2, %29, %35
  return %39
}
