; Reads rows of two matrices, keeps the best in locals, writes one label.
; pass: prove-pfor
; run: @f([[0.0, 0.0], [5.0, 5.0]], [[1.0, 1.0], [4.0, 4.0]], [7, 7]) = [0, 1]
func @f array (%0: array<f64, 2> in m0, %1: array<f64, 2> in m0, %2: array<i64, 1> in m0) -> (array<i64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: f64 = const 1000000.0
  %6: f64 = const 0.0
  %7: i64 = dim[0] %0
  %8: i64 = dim[0] %1
  %9: i64 = dim[1] %0
  pfor %3, %7, %4 !r m0 !w m0 {
  (%10: i64):
    %11: f64, %12: i64 = for %3, %8, %4, %5, %3 !r m0 {
    (%13: i64, %14: f64, %15: i64):
      %16: f64 = for %3, %9, %4, %6 !r m0 {
      (%17: i64, %18: f64):
        %19: f64 = load %0, %10, %17 !r m0
        %20: f64 = load %1, %13, %17 !r m0
        %21: f64 = sub %19, %20
        %22: f64 = mul %21, %21
        %23: f64 = add %18, %22
        continue[0] %23
      }
      %24: bool = lt %16, %14
      %25: f64 = select %24, %16, %14
      %26: i64 = select %24, %13, %15
      continue[0] %25, %26
    }
    store %2, %12, %10 !w m0
    continue[0]
  }
  return %2
}
