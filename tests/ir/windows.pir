; Windows are views.
module "windows" file "windows.pydd" doc ""

func @f array (%0: array<f64, 2> in m0, %1: i64) -> (f64) {
  %2: array<f64, 3> in m0 = windows %0, %1
  %3: i64 = const 0
  %4: f64 = load %2, %3, %3, %3 !r m0
  return %4
}
