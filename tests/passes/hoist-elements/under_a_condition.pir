; What is loaded and stored in branches: the element must be there, which is asked before the loop.
; pass: hoist-elements
; count: for = 4
; run: @f([[false, true, false], [false, false, true], [true, false, false]], 0, 1) = [[false, true, true], [false, false, true], [true, false, false]]
; run: @f([[true, true], [false, true]], 0, 9) = [[true, true], [false, true]]
func @f loop fast (%a: array<bool, 2>, %i: i64, %k: i64) -> (array<bool, 2>) {
  %n: i64 = dim[0] %a
  %zero: i64 = const 0
  %one: i64 = const 1
  for %zero, %n, %one {
  (%j: i64):
    %is: bool = load_raw %a, %i, %j
    if %is {
      yield
    } else {
      %to: bool = load_raw %a, %i, %k
      if %to {
        %on: bool = load_raw %a, %k, %j
        store_raw %a, %on, %i, %j
        yield
      } else {
        yield
      }
      yield
    }
    continue[0]
  }
  return %a
}
