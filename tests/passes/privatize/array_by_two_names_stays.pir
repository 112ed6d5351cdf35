; The body also uses a view that was made before the loop, which a copy would not be.
; pass: privatize
; count: if = 0
func @f array fast (%0: array<f64, 2> in m0, %1: array<i64, 1> in m1) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  %5: i64 = dim[0] %1
  %6: array<f64, 1> in m0 = view[at] %0, %2
  pfor[| reduced sum, invariant] %2, %5, %3, %0, %1 !r m0|m1 !w m0 {
  (%7: i64):
    %8: i64 = load %1, %7 !r m1
    %9: f64 = load %0, %3, %8 !r m0
    %10: f64 = add %9, %4
    store %0, %10, %3, %8 !w m0
    %11: f64 = load %6, %8 !r m0
    %12: f64 = add %11, %4
    store %6, %12, %8 !w m0
    continue[0]
  }
  return
}
