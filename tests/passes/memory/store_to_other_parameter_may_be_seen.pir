; Nothing says that `a` and `b` are different arrays, and in `main` they are not.
;     def f(a, b):
;         x = a[0]
;         b[0] = 9.0
;         y = a[0]
;         return x, y
;     def main(a):
;         return f(a, a)
; pass: licm, cse, fuse, dce
; count: load = 2
; run: @f([1.0], [2.0]) = 1.0, 1.0
; run: @main([1.0]) = 1.0, 9.0
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (f64, f64) {
  %2: i64 = const 0
  %3: f64 = const 9.0
  %4: f64 = load %0, %2 !r m0
  store %1, %3, %2 !w m0
  %5: f64 = load %0, %2 !r m0
  return %4, %5
}

func @main array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: f64, %2: f64 = call[@f] %0, %0 !r m0 !w m0
  return %1, %2
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (f64, f64) {
  %2: i64 = const 0
  %3: f64 = const 9.0
  %4: f64 = load %0, %2 !r m0
  store %1, %3, %2 !w m0
  %5: f64 = load %0, %2 !r m0
  return %4, %5
}

func @main array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: f64, %2: f64 = call[@f] %0, %0 !r m0 !w m0
  return %1, %2
}
