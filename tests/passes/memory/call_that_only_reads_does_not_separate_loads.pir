;     def g(a):
;         return a[1]
;     def f(a):
;         x = a[0]
;         z = g(a)
;         y = a[0]
;         return x, y, z
; pass: licm, cse, fuse, dce
; count: load = 2
; count: call = 1
; run: @f([1.0, 2.0]) = 1.0, 1.0, 2.0
func @g array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 1
  %2: f64 = load %0, %1 !r m0
  return %2
}

func @f array (%0: array<f64, 1> in m0) -> (f64, f64, f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  %3: f64 = call[@g] %0 !r m0
  %4: f64 = load %0, %1 !r m0
  return %2, %4, %3
}
; ---- after
func @g array (%0: array<f64, 1> in m0) -> (f64) {
  %1: i64 = const 1
  %2: f64 = load %0, %1 !r m0
  return %2
}

func @f array (%0: array<f64, 1> in m0) -> (f64, f64, f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  %3: f64 = call[@g] %0 !r m0
  return %2, %2, %3
}
