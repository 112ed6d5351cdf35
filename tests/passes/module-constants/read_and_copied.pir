; pass: module-constants
; count: module_constant = 0
; count: copy = 2
func @f array (%0: f64, %1: i64) -> (array<f64, 1>, f64) {
  %2: array<f64, 1> in m0 = full %0, %1
  %3: array<f64, 1> in m1 = module_constant %2 !r m0
  %4: i64 = const 0
  %5: f64 = load %3, %4 !r m1
  %6: array<f64, 1> in m2 = copy %3 !r m1
  store %6, %0, %4 !w m2
  return %6, %5
}
