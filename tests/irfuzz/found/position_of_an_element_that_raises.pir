; irfuzz: pass:lower#22 raises
; seed: 765
; fast: exception or none
module "kernel" file "fuzz.pydd"
scopes "h0", "f"
export "f"("p0": bool, "p1": i64, "p2": written list<i64>, "p3": array<f64, 2>, "p4": written list<i64>) -> (f64, i64, array<f64, 2>) = @f

func @f array (%0: bool, %1: i64, %2: list<i64> in m0, %3: array<f64, 2> in m1, %4: list<i64> in m0) -> (f64, i64, array<f64, 2>) {
  %5: f64 = const 1.0 at 20:1 in "f"
  %6: array<bool, 0> in m2 = zeros at 21:1 in "f"
  %7: array<bool, 0> in m3 = zeros at 37:1 in "f"
  %8: i64 = map[reduce argmax] %6, %7 !r m2|m3 at 43:1 in "f" {
  (%9: bool, %10: bool):
    %11: bool = const false at 41:1 in "f"
    %12: i64 = const 0 at 41:1 in "f"
    check[IndexError, "values {1} and {0}"] %11, %1, %12 at 41:1 in "f"
    %13: i64 = const 0 at 42:1 in "f"
    yield %13 at 42:1 in "f"
  }
  %14: i64 = const 0 at 80:1 in "f"
  return %5, %14, %3 at 80:1 in "f"
}

