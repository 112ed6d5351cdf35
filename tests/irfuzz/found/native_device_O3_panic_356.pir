; irfuzz: native:device O3 panic
; seed: 356
; range start index 1 out of range for slice of length 0
module "kernel" file "fuzz.pydd"
scopes "f"
export "f"("p0": list<i8>, "p1": written list<i64>) -> (list<i64>, list<i64>, array<i8, 1>) = @f

func @f array (%0: list<i8> in m0, %1: list<i64> in m1) -> (list<i64>, list<i64>, array<i8, 1>) {
  %2: i64 = const 1 at 4:1 in "f"
  %3: array<i8, 1> in m2 = zeros %2 at 4:1 in "f"
  %4: i64 = const 1 at 6:1 in "f"
  %5: array<i8, 1> in m3 = zeros %4 at 6:1 in "f"
  %6: i64 = const 1 at 8:1 in "f"
  %7: array<bool, 1> in m4 = zeros %6 at 8:1 in "f"
  %8: bool = map[reduce any] %5, %7 !r m3|m4 at 12:1 in "f" {
  (%9: i8, %10: bool):
    %11: i64 = const 5 at 10:1 in "f"
    yield %11 at 11:1 in "f"
  }
  %12: i64 = cast %8 at 29:1 in "f"
  list_append %1, %12 !w m1 at 30:1 in "f"
  return %1, %1, %3 at 62:1 in "f"
}
