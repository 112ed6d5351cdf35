; The loop stands between, where nobody needs the array.
; pass: fuse, canonicalize, dce
; count: map = 1
; count: dim in loops = 0
; run: @f([1.0, 2.0, 3.0]) = 14.0, 9
func @f array (%0: array<f64, 1> in m0) -> (f64, i64) {
  %1: array<f64, 1> in m1 = mul %0, %0 !r m0
  %zero: i64 = const 0
  %one: i64 = const 1
  %three: i64 = const 3
  %n: i64 = for %zero, %three, %one, %zero {
  (%i: i64, %p: i64):
    %m: i64 = dim[0] %1
    %q: i64 = add %p, %m
    continue[0] %q
  }
  %2: f64 = reduce[sum] %1 !r m1
  return %2, %n
}
