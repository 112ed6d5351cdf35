;     def f(a, c):
;         x = a[0]
;         if c:
;             a[0] = 5.0
;         y = a[0]
;         return x, y
; pass: licm, cse, fuse, dce
; count: load = 2
; run: @f([1.0], True) = 1.0, 5.0
; run: @f([1.0], False) = 1.0, 1.0
func @f array (%0: array<f64, 1> in m0, %1: bool) -> (f64, f64) {
  %2: i64 = const 0
  %3: f64 = const 5.0
  %4: f64 = load %0, %2 !r m0
  if %1 !w m0 {
    store %0, %3, %2 !w m0
    yield
  } else {
    yield
  }
  %5: f64 = load %0, %2 !r m0
  return %4, %5
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: bool) -> (f64, f64) {
  %2: i64 = const 0
  %3: f64 = const 5.0
  %4: f64 = load %0, %2 !r m0
  if %1 !w m0 {
    store %0, %3, %2 !w m0
    yield
  } else {
    yield
  }
  %5: f64 = load %0, %2 !r m0
  return %4, %5
}
