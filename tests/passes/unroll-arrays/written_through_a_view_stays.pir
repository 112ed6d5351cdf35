; The next iteration reads another part of what this one writes.
; pass: unroll-arrays
; count: for = 1
; run: @f([1.0, 2.0, 4.0]) = [1.0, 2.0, 3.0]
func @f array (%x: array<f64, 1>) -> (array<f64, 1>) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %two: i64 = const 2
  %one_f: f64 = const 1.0
  for %zero, %two, %one {
  (%k: i64):
    %next: i64 = add %k, %one
    %end: i64 = add %next, %one
    %a: array<f64, 1> = view[start:stop] %x, %k, %next
    %b: array<f64, 1> = view[start:stop] %x, %next, %end
    %t: array<f64, 1> = add %a, %one_f
    assign %b, %t
    continue[0]
  }
  return %x
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: i64 = const 2
  %4: f64 = const 1.0
  for %1, %3, %2 !r m0|m1 !w m0 {
  (%5: i64):
    %6: i64 = add %5, %2
    %7: i64 = add %6, %2
    %8: array<f64, 1> in m0 = view[start:stop] %0, %5, %6
    %9: array<f64, 1> in m0 = view[start:stop] %0, %6, %7
    %10: array<f64, 1> in m1 = add %8, %4 !r m0
    assign %9, %10 !r m1 !w m0
    continue[0]
  }
  return %0
}
