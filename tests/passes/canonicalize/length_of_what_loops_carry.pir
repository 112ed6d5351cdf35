; Each step makes an array of the length that it was given, so all are as long as the first.
; pass: canonicalize
; count: dim = 0
; run: @f(3, 2) = 3, 3
; run: @f(3, 0) = 3, 3
func @f loop (%n: i64, %steps: i64) -> (i64, i64) {
  %zero: i64 = const 0
  %one: i64 = const 1
  %a: array<f64, 1> = zeros %n
  %b: array<f64, 1> = for %zero, %steps, %one, %a {
  (%t: i64, %old: array<f64, 1>):
    %m: i64 = dim[0] %old
    %is: bool = eq %n, %one
    %l: i64 = select %is, %m, %n
    %new: array<f64, 1> = zeros %l
    continue[0] %new
  }
  %last: i64 = dim[0] %b
  %c: array<f64, 1>, %k: i64 = loop %a, %zero {
  (%more: array<f64, 1>, %i: i64):
    %len: i64 = dim[0] %more
    %go: bool = lt %i, %steps
    if %go {
      yield
    } else {
      break[0] %more, %i
    }
    %next: array<f64, 1> = zeros %len
    %j: i64 = add %i, %one
    continue[0] %next, %j
  }
  %end: i64 = dim[0] %c
  return %last, %end
}
