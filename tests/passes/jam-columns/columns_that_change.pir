; Each column is centred: a loop adds it up, another one changes it, in a branch that is the same for all.
; pass: jam-columns
; count: for = 9
; run: @f([[1.0, 2.0], [4.0, 8.0]], true) = [[-1.5, -3.0], [1.5, 3.0]]
; run: @f([[1.0, 2.0], [4.0, 8.0]], false) = [[1.0, 2.0], [4.0, 8.0]]
; run: @f([[1.0, 2.0, 3.0, 4.0, 5.0], [3.0, 8.0, 1.0, 2.0, 9.0]], true) = [[-1.0, -3.0, 1.0, 1.0, -2.0], [1.0, 3.0, -1.0, -1.0, 2.0]]
func @f loop fast (%a: array<f64, 2>, %c: bool) -> (array<f64, 2>) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[1] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  %none: f64 = const 0.0
  %rows: f64 = cast %n
  for %zero, %m, %one {
  (%j: i64):
    %mean: f64 = if %c {
      %s: f64 = for %zero, %n, %one, %none {
      (%k: i64, %t: f64):
        %x: f64 = load_raw %a, %k, %j
        %z: f64 = add %t, %x
        continue[0] %z
      }
      %q: f64 = div %s, %rows
      yield %q
    } else {
      yield %none
    }
    for %zero, %n, %one {
    (%i: i64):
      %y: f64 = load_raw %a, %i, %j
      %d: f64 = sub %y, %mean
      store_raw %a, %d, %i, %j
      continue[0]
    }
    continue[0]
  }
  return %a
}
