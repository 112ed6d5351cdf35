; Rows in the other order are those of before the step.
; pass: rebind
; count: assign = 1
; run: @f([[1.0, 2.0], [4.0, 8.0]], 2) = [[10.0, 20.0], [10.0, 20.0]]
; run: @f([[1.0, 2.0]], 0) = [[1.0, 2.0]]
; run: @f([[1.0]], 3) = [[8.0]]
func @f array fast (%a: array<f64, 2>, %steps: i64) -> (array<f64, 2>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %final: i64 = sub %n, %one
  %u: array<f64, 2> = copy %a

  for %zero, %steps, %one {
  (%t: i64):
    %row: array<f64, 2> = empty %n, %m
    for %zero, %n, %one {
    (%i: i64):
      %back: i64 = sub %final, %i
      %v: array<f64, 1> = view[at] %u, %back
      %w: array<f64, 1> = view[at] %row, %i
      assign %w, %v
      continue[0]
    }
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
  %4: i64 = dim[0] %0
  %5: i64 = dim[1] %0
  %6: i64 = sub %4, %3
  %7: array<f64, 2> in m1 = copy %0 !r m0
  %8: array<f64, 2> in m1|m3 = for %2, %1, %3, %7 !r m1|m2|m3 !w m2 {
  (%9: i64, %10: array<f64, 2> in m1|m3):
    %11: array<f64, 2> in m2 = empty %4, %5
    for %2, %4, %3 !r m1|m3 !w m2 {
    (%12: i64):
      %13: i64 = sub %6, %12
      %14: array<f64, 1> in m1|m3 = view[at] %10, %13
      %15: array<f64, 1> in m2 = view[at] %11, %12
      assign %15, %14 !r m1|m3 !w m2
      continue[0]
    }
    %16: array<f64, 2> in m3 = add %10, %11 !r m1|m2|m3
    continue[0] %16
  }
  return %8
}
