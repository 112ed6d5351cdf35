; irfuzz: pass:version-loops#18 verify
; seed: 57062
; @f: `%17: i64 = floordiv %16, %28`: operand 2 is not defined here (rule 5)
module "kernel" file "fuzz.pydd"
scopes "h0", "h1", "f"
export "f"("p0": i64, "p1": list<i64>) -> (i64, i64) = @f

func @f array (%0: i64, %1: list<i64> in m0) -> (i64, i64) {
  %2: i64 = const 1 at 39:1 in "f"
  %3: i64 = const 1 at 43:1 in "f"
  %4: array<i64, 1> in m1 = zeros %3 at 43:1 in "f"
  %5: i64 = const 0 at 53:1 in "f"
  %6: array<i64, 1> in m1 = view[start:] %4, %5 at 54:1 in "f"
  %7: i64 = const 1 at 57:1 in "f"
  %8: i64 = const 1 at 58:1 in "f"
  %9: i64 = const 0 at 59:1 in "f"
  %10: i64 = const 1 at 60:1 in "f"
  %11: array<i64, 1> in m1 = for %9, %8, %10, %4 !r m1 at 106:1 in "f" {
  (%12: i64, %13: array<i64, 1> in m1):
    loop !r m1 at 102:1 in "f" {
      %14: bool = const true at 68:1 in "f"
      if %14 !r m1 at 98:1 in "f" {
        %15: i64 = dim[0] %13 at 69:1 in "f"
        %16: i64 = const 0 at 70:1 in "f"
        %17: i64 = const 2 at 71:1 in "f"
        for %16, %15, %17 !r m1 at 95:1 in "f" {
        (%18: i64):
          %19: i64 = load %6, %18 !r m1 at 72:1 in "f"
          continue[0] at 94:1 in "f"
        }
        %20: i64 = const 0 at 96:1 in "f"
        return %0, %20 at 96:1 in "f"
      } else {
        yield at 97:1 in "f"
      }
      continue[0] at 101:1 in "f"
    }
    continue[0] %6 at 105:1 in "f"
  }
  return %7, %2 at 111:1 in "f"
}
