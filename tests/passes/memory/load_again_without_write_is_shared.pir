;     def f(a):
;         return a[0] + a[0]
; pass: licm, cse, fuse, dce
; count: load = 1
; run: @f([3.0]) = 6.0
; run: @f([]) raises IndexError
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  %3: f64 = load %0, %1 !r m0
  %4: f64 = add %2, %3
  return %4
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  %3: f64 = add %2, %2
  return %3
}
