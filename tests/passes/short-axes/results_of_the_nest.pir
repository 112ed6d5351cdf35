; A nest that carries a sum gives it, whichever copy runs.
; pass: short-axes
; count: for = 12
; run: @f([[1.0], [2.0]]) = 9.0
; run: @f([[1.0, 2.0]]) = 5.0
; run: @f([[1.0, 2.0, 4.0]]) = 21.0
; run: @f([[1.0, 2.0, 4.0, 8.0]]) = 85.0
; run: @f([[1.0, 2.0, 4.0, 8.0, 16.0]]) = 341.0
; run: @f([]) = 0.0
func @f loop fast (%p: array<f64, 2>) -> (f64) {
  %n: i64 = dim[0] %p
  %k: i64 = dim[1] %p
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %all: f64 = for %zero, %n, %one, %none {
  (%i: i64, %a: f64):
    %part: f64 = for %zero, %n, %one, %a {
    (%j: i64, %b: f64):
      %sum: f64 = for %zero, %k, %one, %b {
      (%c: i64, %s: f64):
        %x: f64 = load_raw %p, %j, %c
        %y: f64 = load_raw %p, %i, %c
        %xy: f64 = mul %x, %y
        %t: f64 = add %s, %xy
        continue[0] %t
      }
      continue[0] %sum
    }
    continue[0] %part
  }
  return %all
}
