;     def f(a, b):
;         b[:] = a * 2.0
;         return b
;     def main(a):
;         return f(a[:-1], a[1:])
; pass: licm, cse, fuse, dce
; count: map = 0
; run: @f([1.0, 2.0], [0.0, 0.0]) = [2.0, 4.0]
; run: @main([1.0, 2.0, 3.0]) = [2.0, 4.0]
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (array<f64, 1>) {
  %2: f64 = const 2.0
  %3: array<f64, 1> in m1 = mul %0, %2 !r m0
  assign %1, %3 !r m1 !w m0
  return %1
}

func @main array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const -1
  %2: i64 = const 1
  %3: array<f64, 1> in m0 = view[:stop] %0, %1
  %4: array<f64, 1> in m0 = view[start:] %0, %2
  %5: array<f64, 1> in m0 = call[@f] %3, %4 !r m0 !w m0
  return %5
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> (array<f64, 1>) {
  %2: f64 = const 2.0
  %3: array<f64, 1> in m1 = mul %0, %2 !r m0
  assign %1, %3 !r m1 !w m0
  return %1
}

func @main array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const -1
  %2: i64 = const 1
  %3: array<f64, 1> in m0 = view[:stop] %0, %1
  %4: array<f64, 1> in m0 = view[start:] %0, %2
  %5: array<f64, 1> in m0 = call[@f] %3, %4 !r m0 !w m0
  return %5
}
