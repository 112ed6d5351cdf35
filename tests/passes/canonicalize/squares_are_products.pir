; Of floats and integers; not of complex numbers, nor where the exponent is data.
; pass: canonicalize
; count: mul = 3
; count: pow = 2
; run: @f([3.0, -0.5], 7, 2.0) = [9.0, 0.25], 49, [9.0, 0.25], 2.25, -1.0
func @f array (%a: array<f64, 1>, %n: i64, %e: f64) -> (array<f64, 1>, i64, array<f64, 1>, f64, f64) {
  %two: f64 = const 2.0
  %both: i64 = const 2
  %near: f64 = const 1.5
  %z: c128 = const complex(0.0, 1.0)
  %ztwo: c128 = const complex(2.0, 0.0)
  %r: array<f64, 1> = pow %a, %two
  %m: i64 = pow %n, %both
  %w: c128 = pow %z, %ztwo
  %s: array<f64, 1> = pow %a, %e
  %q: f64 = pow %near, %two
  %v: f64 = re %w
  return %r, %m, %s, %q, %v
}
