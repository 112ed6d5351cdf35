; What was fused into a reduction is split with it; an operand of lower rank is the same for all rows.
; pass: split-reductions
; count: pfor = 1
; count: map = 2
; run: @f([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [1, 10]) = [[[60], [80]]]
func @f array fast (%0: array<i64, 3> in m0, %1: array<i64, 1> in m1) -> (array<i64, 3>) {
  %2: array<i64, 3> in m2 = map[reduce max axes 0 2 keepdims] %0, %1 !r m0|m1 {
  (%3: i64, %4: i64):
    %5: i64 = mul %3, %4
    yield %5
  }
  return %2
}
