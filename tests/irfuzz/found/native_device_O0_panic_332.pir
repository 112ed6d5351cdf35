; irfuzz: native:device O0 panic
; seed: 332
; range start index 1 out of range for slice of length 0
module "kernel" file "fuzz.pydd"
scopes "h0", "f"
export "f"("p0": array<bool, 2>, "p1": written list<i64>) -> (array<c128, 1>) = @f

func @f array (%0: array<bool, 2> in m0, %1: list<i64> in m1) -> (array<c128, 1>) {
  %2: i64 = const 3 at 11:1 in "f"
  %3: array<c128, 1> in m2 = zeros %2 at 12:1 in "f"
  %4: array<i64, 1> in m3 = map[reduce argmax keepdims] %3 !r m2 at 18:1 in "f" {
  (%5: c128):
    %6: bool = const true at 14:1 in "f"
    yield %6 at 17:1 in "f"
  }
  return %3 at 69:1 in "f"
}
