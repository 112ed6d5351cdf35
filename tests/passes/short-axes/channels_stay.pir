; The last of four axes is that of channels.
; pass: short-axes
; count: for = 3
; run: @f([[[[1.0, 2.0]]], [[[4.0, 8.0]]]]) = 125.0
func @f loop fast (%p: array<f64, 4>) -> (f64) {
  %n: i64 = dim[0] %p
  %k: i64 = dim[3] %p
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %all: f64 = for %zero, %n, %one, %none {
  (%i: i64, %a: f64):
    %part: f64 = for %zero, %n, %one, %a {
    (%j: i64, %b: f64):
      %sum: f64 = for %zero, %k, %one, %b {
      (%c: i64, %s: f64):
        %x: f64 = load_raw %p, %i, %zero, %zero, %c
        %y: f64 = load_raw %p, %j, %zero, %zero, %c
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
