; The first row is one of before the step, for all rows.
; pass: rebind
; count: assign = 0
; run: @f([[1.0, 2.0], [4.0, 8.0]], 2) = [[4.0, 8.0], [7.0, 14.0]]
; run: @f([[1.0, 2.0]], 0) = [[1.0, 2.0]]
; run: @f([[1.0]], 3) = [[8.0]]
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %u: array<f64, 2> = copy %a

  for %zero, %steps, %one {
  (%t: i64):
    %row: array<f64, 1> = view[at] %u, %zero
    %new: array<f64, 2> = add %u, %row
    assign %u, %new
    continue[0]
  }
  return %u
}
; ---- after
func @f array fast (%0: array<f64, 2> in m0, %1: i64) -> (array<f64, 2>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 2> in m1 = copy %0 !r m0
  %5: array<f64, 2> in m1|m2 = for %2, %1, %3, %4 !r m1|m2 {
  (%6: i64, %7: array<f64, 2> in m1|m2):
    %8: array<f64, 1> in m1|m2 = view[at] %7, %2
    %9: array<f64, 2> in m2 = add %7, %8 !r m1|m2
    continue[0] %9
  }
  return %5
}
