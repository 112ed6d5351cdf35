; irfuzz: native:device O3 panic
; seed: 212
; range start index 1 out of range for slice of length 0
module "kernel" file "fuzz.pydd"
scopes "f"
export "f"("p0": array<bool, 1>, "p1": written array<f64, 2>, "p2": bool, "p3": written list<i64>) -> (array<bool, 1>, bool, array<bool, 1>) = @f

func @f array (%0: array<bool, 1> in m0, %1: array<f64, 2> in m0, %2: bool, %3: list<i64> in m1) -> (array<bool, 1>, bool, array<bool, 1>) {
  %4: i64 = const 1 at 12:1 in "f"
  %5: i64 = const -2 at 17:1 in "f"
  %6: i64 = const 0 at 33:1 in "f"
  for %4, %6, %5 !r m0|m2|m3|m4 !w m0|m1 at 33:1 in "f" {
  (%7: i64):
    %8: f64 = const 1.0 at 18:1 in "f"
    %9: f64 = const -2.0 at 22:1 in "f"
    %10: array<f64, 2> in m2 = fmax %1, %9 !r m0 at 23:1 in "f"
    %11: i64 = const 0 at 24:1 in "f"
    %12: i64 = const 0 at 25:1 in "f"
    store %1, %8, %11, %12 !w m0 at 26:1 in "f"
    %13: f64 = const 64.0 at 27:1 in "f"
    %14: array<f64, 2> in m3 = mul %10, %13 !r m2 at 28:1 in "f"
    %15: array<i64, 2> in m4 = cast %14 !r m3 at 29:1 in "f"
    %16: i64 = reduce[sum] %15 !r m4 at 30:1 in "f"
    list_append %3, %16 !w m1 at 31:1 in "f"
    continue[0] at 32:1 in "f"
  }
  %17: array<bool, 2> in m5 = eq %1, %1 !r m0 at 42:1 in "f"
  %18: bool = const true at 45:1 in "f"
  return %0, %18, %0 at 117:1 in "f"
}
