; `b = a[1:]; c = a + 1; a[0] = 5; return b, c`: the sum reads what the store writes.
module "views" file "views.pydd"
export "f"("a": written array<f64, 1>) -> (array<f64, 1>, array<f64, 1>) = @f

func @f array (%0: array<f64, 1> in m0) -> (array<f64, 1>, array<f64, 1>) {
  %1: i64 = const 1
  %2: array<f64, 1> in m0 = view[start:] %0, %1
  %3: f64 = const 1.0
  %4: array<f64, 1> in m1 = add %0, %3 !r m0
  %5: i64 = const 0
  %6: f64 = const 5.0
  store %0, %6, %5 !w m0
  return %2, %4
}
