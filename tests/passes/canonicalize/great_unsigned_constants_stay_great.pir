; pass: canonicalize
; run: @f() = 18446744073709551614.0
func @f array () -> (f64) {
  %0: u64 = const 18446744073709551614
  %1: f64 = cast %0
  return %1
}
