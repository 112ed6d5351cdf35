; irfuzz: pass:version-loops#18 verify
; seed: 53831
; @f.fast: `%69: u64 = cast %25`: operand 1 is not defined here (rule 5)
; @f.fast: `store_raw %1, %53, %62, %25`: operand 4 is not defined here (rule 5)
module "kernel" file "fuzz.pydd"
scopes "h0", "h1", "f"
export "f"("p0": bool, "p1": written array<i8, 2>, "p2": i8, "p3": list<i64>) -> (array<i8, 2>, i64) = @f

func @f array (%0: bool, %1: array<i8, 2> in m0, %2: i8, %3: list<i64> in m1) -> (array<i8, 2>, i64) {
  %4: array<i64, 2> in m2 = cast %1 !r m0 at 27:1 in "f"
  %5: array<bool, 2> in m3 = eq %4, %4 !r m2 at 28:1 in "f"
  %6: array<bool, 2> in m4 = not %5 !r m3 at 29:1 in "f"
  %7: i64 = const 1 at 39:1 in "f"
  %8: array<i64, 2> in m5 = cast %6 !r m4 at 55:1 in "f"
  %9: i64 = const 1 at 56:1 in "f"
  %10: i64 = const 0 at 57:1 in "f"
  %11: i64 = const 1 at 58:1 in "f"
  %12: i8 = const -1 at 59:1 in "f"
  %13: i64, %14: i8 = pfor[and, prod] %10, %9, %11, %7, %12 !r m5 !w m6 at 69:1 in "f" {
  (%15: i64, %16: i64, %17: i8):
    %18: array<bool, 2> in m6 = gt %8, %8 !r m5 at 60:1 in "f"
    %19: bool = const true at 63:1 in "f"
    %20: i64 = const 0 at 64:1 in "f"
    %21: i64 = const 0 at 65:1 in "f"
    store %18, %19, %20, %21 !w m6 at 65:1 in "f"
    %22: i64 = const 1 at 66:1 in "f"
    %23: i8 = const 1 at 67:1 in "f"
    continue[0] %22, %23 at 68:1 in "f"
  }
  loop !w m0 at 83:1 in "f" {
    %24: i8 = const 2 at 76:1 in "f"
    %25: i64 = const -1 at 77:1 in "f"
    store %1, %24, %25, %13 !w m0 at 78:1 in "f"
    continue[0] at 82:1 in "f"
  }
  return %1, %7 at 100:1 in "f"
}
