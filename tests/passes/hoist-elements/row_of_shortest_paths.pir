; The element that one iteration writes is loaded before the loop; the row of another node is not asked about.
; pass: hoist-elements
; count: for = 6
; run: @f([[0.0, 7.0, 2.0], [7.0, 0.0, 3.0], [2.0, 3.0, 0.0]]) = [[0.0, 5.0, 2.0], [5.0, 0.0, 3.0], [2.0, 3.0, 0.0]]
; run: @f([[-1.0, 4.0], [3.0, 1.0]]) = [[-2.0, 2.0], [1.0, 1.0]]
func @f loop fast (%a: array<f64, 2>) -> (array<f64, 2>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  for %zero, %n, %one {
  (%k: i64):
    for %zero, %n, %one {
    (%i: i64):
      for %zero, %n, %one {
      (%j: i64):
        %first: f64 = load_raw %a, %i, %k
        %second: f64 = load_raw %a, %k, %j
        %via: f64 = add %first, %second
        %now: f64 = load_raw %a, %i, %j
        %less: bool = lt %via, %now
        %best: f64 = select %less, %via, %now
        store_raw %a, %best, %i, %j
        continue[0]
      }
      continue[0]
    }
    continue[0]
  }
  return %a
}
