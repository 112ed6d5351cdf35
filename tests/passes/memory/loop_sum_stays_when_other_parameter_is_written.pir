; `main` passes one array twice.
;     def f(a, b, n):
;         for i in range(n):
;             b[i] = np.sum(a)
;         return b
;     def main(a):
;         return f(a, a, 2)
; pass: licm, cse, fuse, dce
; count: reduce in loops = 1
; run: @main([1.0, 2.0]) = [3.0, 5.0]
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0, %2: i64) -> (array<f64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  for %3, %2, %4 !r m0 !w m0 {
  (%5: i64):
    %6: f64 = reduce[sum] %0 !r m0
    store %1, %6, %5 !w m0
    continue[0]
  }
  return %1
}

func @main array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 2
  %2: array<f64, 1> in m0 = call[@f] %0, %0, %1 !r m0 !w m0
  return %2
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0, %2: i64) -> (array<f64, 1>) {
  %3: i64 = const 0
  %4: i64 = const 1
  for %3, %2, %4 !r m0 !w m0 {
  (%5: i64):
    %6: f64 = reduce[sum] %0 !r m0
    store %1, %6, %5 !w m0
    continue[0]
  }
  return %1
}

func @main array (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 2
  %2: array<f64, 1> in m0 = call[@f] %0, %0, %1 !r m0 !w m0
  return %2
}
