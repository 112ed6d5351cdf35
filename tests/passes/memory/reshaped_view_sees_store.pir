; Reshaping gives a view or a copy: its class is the array's or its own.
;     def f(a):
;         r = a.reshape(2, 2)
;         x = r[0, 0]
;         a[0] = 9.0
;         y = r[0, 0]
;         return x, y
; pass: licm, cse, fuse, dce
; count: load = 2
; run: @f([1.0, 2.0, 3.0, 4.0]) = 1.0, 9.0
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 2
  %2: i64 = const 0
  %3: f64 = const 9.0
  %4: array<f64, 2> in m0|m1 = reshape %0, %1, %1 !r m0
  %5: f64 = load %4, %2, %2 !r m0|m1
  store %0, %3, %2 !w m0
  %6: f64 = load %4, %2, %2 !r m0|m1
  return %5, %6
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 2
  %2: i64 = const 0
  %3: f64 = const 9.0
  %4: array<f64, 2> in m0|m1 = reshape %0, %1, %1 !r m0
  %5: f64 = load %4, %2, %2 !r m0|m1
  store %0, %3, %2 !w m0
  %6: f64 = load %4, %2, %2 !r m0|m1
  return %5, %6
}
