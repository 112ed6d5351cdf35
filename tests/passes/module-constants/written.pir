; pass: module-constants
; refuse: an array that is a constant of the module is written
func @f array (%0: f64, %1: i64) -> (f64) {
  %2: array<f64, 1> in m0 = full %0, %1
  %3: array<f64, 1> in m1 = module_constant %2 !r m0
  %4: i64 = const 0
  store %3, %0, %4 !w m1
  return %0
}
