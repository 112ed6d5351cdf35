; The array grows, in one of two branches.
; pass: canonicalize
; count: dim = 2
; run: @f(3, 2) = 5
; run: @f(3, 0) = 3
func @f loop (%n: i64, %steps: i64) -> (i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %a: array<f64, 1> = zeros %n
  %b: array<f64, 1> = for %zero, %steps, %one, %a {
  (%t: i64, %old: array<f64, 1>):
    %m: i64 = dim[0] %old
    %some: bool = ge %t, %zero
    %new: array<f64, 1> = if %some {
      %l: i64 = add %m, %one
      %x: array<f64, 1> = zeros %l
      yield %x
    } else {
      yield %old
    }
    continue[0] %new
  }
  %last: i64 = dim[0] %b
  return %last
}
