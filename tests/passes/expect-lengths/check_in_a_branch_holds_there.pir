; A check within a branch says nothing about what stands behind the branch.
; pass: expect-lengths
; count: unreachable = 0
; run: @f([1.0], [2.0, 4.0], 0) = 2
; run: @f([1.0], [2.0, 4.0], 1) raises ValueError
; run: @f([1.0], [2.0], 1) = 2
func @f loop fast (%a: array<f64, 1>, %b: array<f64, 1>, %k: i64) -> (i64) {
  %n: i64 = dim[0] %a
  %m: i64 = dim[0] %b
  %zero: i64 = const 0
  %asked: bool = ne %k, %zero
  %least: i64 = if %asked {
    %same: bool = eq %n, %m
    check[ValueError, "lengths differ"] %same
    %twice: i64 = add %n, %m
    yield %twice
  } else {
    yield %m
  }
  return %least
}
; ---- after
func @f loop fast (%0: array<f64, 1> in m0, %1: array<f64, 1> in m1, %2: i64) -> (i64) {
  %3: i64 = dim[0] %0
  %4: i64 = dim[0] %1
  %5: i64 = const 0
  %6: bool = ne %2, %5
  %7: i64 = if %6 {
    %8: bool = eq %3, %4
    check[ValueError, "lengths differ"] %8
    %9: i64 = add %3, %3
    yield %9
  } else {
    yield %4
  }
  return %7
}
