;     def f(a, l):
;         x = a[0]
;         l.append(x)
;         y = a[0]
;         return x, y
; pass: licm, cse, fuse, dce
; count: load = 1
; run: @f([1.0], []) = 1.0, 1.0
func @f array (%0: array<f64, 1> in m0, %1: list<f64> in m1) -> (f64, f64) {
  %2: i64 = const 0
  %3: f64 = load %0, %2 !r m0
  list_append %1, %3 !w m1
  %4: f64 = load %0, %2 !r m0
  return %3, %4
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: list<f64> in m1) -> (f64, f64) {
  %2: i64 = const 0
  %3: f64 = load %0, %2 !r m0
  list_append %1, %3 !w m1
  return %3, %3
}
