; A row that is one block is summed up without a loop over blocks.
; pass: single-block
; count: for = 4
; count: if = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]]) = [3.0, 12.0]
; run: @f([[], []]) = [0.0, 0.0]
func @f loop fast (%0: array<f64, 2>) -> (array<f64, 1>) {
  %1: i64 = dim[0] %0
  %2: i64 = dim[1] %0
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = const 4096
  %6: f64 = const 0.0
  %7: array<f64, 1> = empty %1
  for %3, %1, %4 {
  (%8: i64):
    %9: f64 = for %3, %2, %5, %6 {
    (%10: i64, %11: f64):
      %12: i64 = sub %2, %10
      %13: i64 = min %12, %5
      %14: i64 = add %10, %13
      %15: f64 = for %10, %14, %4, %6 {
      (%16: i64, %17: f64):
        %18: f64 = load_raw %0, %8, %16
        %19: f64 = add %17, %18
        continue[0] %19
      }
      %20: f64 = add %11, %15
      continue[0] %20
    }
    store_raw %7, %9, %8
    continue[0]
  }
  return %7
}
