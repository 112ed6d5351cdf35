;     def g(a):
;         a[0] = 5.0
;     def f(a):
;         x = a[0]
;         g(a)
;         y = a[0]
;         return x, y
; pass: licm, cse, fuse, dce
; count: load = 2
; count: call = 1
; run: @f([1.0]) = 1.0, 5.0
func @g array (%0: array<f64, 1> in m0) -> () {
  %1: f64 = const 5.0
  %2: i64 = const 0
  store %0, %1, %2 !w m0
  return
}

func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  call[@g] %0 !w m0
  %3: f64 = load %0, %1 !r m0
  return %2, %3
}
; ---- after
func @g array (%0: array<f64, 1> in m0) -> () {
  %1: f64 = const 5.0
  %2: i64 = const 0
  store %0, %1, %2 !w m0
  return
}

func @f array (%0: array<f64, 1> in m0) -> (f64, f64) {
  %1: i64 = const 0
  %2: f64 = load %0, %1 !r m0
  call[@g] %0 !w m0
  %3: f64 = load %0, %1 !r m0
  return %2, %3
}
