; Lowering lost an axis of what a scope gives.
; seed: 301421
module "kernel" file "fuzz.pydd"
scopes "h0", "f"
export "f"("p0": array<u32, 2>, "p1": array<i64, 2>, "p2": list<i64>) -> (list<i64>, u32) = @f

func @f array (%0: array<u32, 2> in m0, %1: array<i64, 2> in m0, %2: list<i64> in m1) -> (list<i64>, u32) {
  %3: u32 = const 4294967290 at 26:1 in "f"
  %4: u32 = const 1 at 27:1 in "f"
  %5: i64 = const -5 at 28:1 in "f"
  %6: u32 = const 4294967290 at 30:1 in "f"
  %7: bool = const true at 31:1 in "f"
  %8: u32 = const 1 at 39:1 in "f"
  %9: bool = const true at 40:1 in "f"
  %10: u32 = const 1 at 53:1 in "f"
  %11: bool = const true at 53:1 in "f"
  %12: i64 = const 0 at 54:1 in "f"
  %13: i64 = const 0 at 55:1 in "f"
  %14: array<bool, 1> in m2 = map[reduce any axes 0] %1, %0 !r m0 at 70:1 in "f" {
  (%15: i64, %16: u32):
    %17: i64 = const 10 at 57:1 in "f"
    %18: bool = const true at 58:1 in "f"
    %19: i64 = const 7 at 61:1 in "f"
    %20: i64 = const -1 at 62:1 in "f"
    %21: i64 = const 1 at 63:1 in "f"
    %22: u32 = const 4294967293 at 68:1 in "f"
    yield %22 at 69:1 in "f"
  }
  %23: array<bool, 1> in m2 = scope at 76:1 in "f" {
    %24: u32 = const 1 at 72:1 in "f"
    break[0] %14 at 75:1 in "f"
  }
  %25: i64 = const 1 at 78:1 in "f"
  %26: i64 = const 0 at 79:1 in "f"
  %27: i64 = const 2 at 80:1 in "f"
  %28: i64 = const 1 at 81:1 in "f"
  %29: array<bool, 1> in m3 = zeros %28 at 81:1 in "f"
  %30: i64 = const 1 at 91:1 in "f"
  %31: i64 = const 1 at 93:1 in "f"
  %32: array<i64, 1> in m4 = zeros %31 at 93:1 in "f"
  %33: i64 = const 1 at 94:1 in "f"
  %34: i64 = const 1 at 96:1 in "f"
  %35: i64 = const 1 at 98:1 in "f"
  %36: i64 = const 1 at 100:1 in "f"
  %37: i64 = const 1 at 102:1 in "f"
  return %2, %10 at 104:1 in "f"
}
