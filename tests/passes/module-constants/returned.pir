; pass: module-constants
; refuse: a function returns an array that is a constant of the module
func @f array (%0: f64, %1: i64) -> (array<f64, 1>) {
  %2: array<f64, 1> in m0 = full %0, %1
  %3: array<f64, 1> in m1 = module_constant %2 !r m0
  return %3
}
