; Where no lengths are compared, it does not matter where a slice ends.
; pass: expect-lengths
; count: unreachable = 0
; run: @f([1.0, 2.0, 4.0], 2) = 2
func @f loop fast (%a: array<f64, 1>, %k: i64) -> (i64) {
  %n: i64 = dim[0] %a
  %x: i64 = min %k, %n
  return %x
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: i64) -> (i64) {
  %2: i64 = dim[0] %0
  %3: i64 = min %1, %2
  return %3
}
