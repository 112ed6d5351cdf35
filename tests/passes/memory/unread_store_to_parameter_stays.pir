; The caller sees it.
;     def f(a):
;         a[0] = 5.0
;         return a[1]
;     def main(a):
;         f(a)
;         return a
; pass: licm, cse, fuse, dce
; count: store = 1
; run: @f([1.0, 2.0]) = 2.0
; run: @main([1.0, 2.0]) = [5.0, 2.0]
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = const 5.0
  %2: i64 = const 0
  %3: i64 = const 1
  store %0, %1, %2 !w m0
  %4: f64 = load %0, %3 !r m0
  return %4
}

func @main array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: f64 = call[@f] %0 !r m0 !w m0
  return %0
}
; ---- after
func @f array (%0: array<f64, 1> in m0) -> (f64) {
  %1: f64 = const 5.0
  %2: i64 = const 0
  %3: i64 = const 1
  store %0, %1, %2 !w m0
  %4: f64 = load %0, %3 !r m0
  return %4
}

func @main array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: f64 = call[@f] %0 !r m0 !w m0
  return %0
}
