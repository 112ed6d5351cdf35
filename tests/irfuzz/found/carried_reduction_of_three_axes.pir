; irfuzz: pass:lower#16 panic
; seed: 53165
; index out of bounds: the len is 1 but the index is 2
module "kernel" file "fuzz.pydd"
scopes "f"
export "f"("p0": array<i64, 3>, "p1": array<i32, 1>, "p2": written list<f64>) -> () = @f

func @f array (%0: array<i64, 3> in m0, %1: array<i32, 1> in m0, %2: list<f64> in m1) -> () {
  %3: bool = const true at 3:1 in "f"
  %4: array<i64, 1> in m2 = map[reduce min axes 0 1] %0, %3, %1 !r m0 at 8:1 in "f" {
  (%5: i64, %6: bool, %7: i32):
    %8: i64 = const 1 at 4:1 in "f"
    yield %8 at 7:1 in "f"
  }
  %9: i64 = const 1 at 20:1 in "f"
  %10: i64 = const 0 at 21:1 in "f"
  %11: i64 = const 1 at 22:1 in "f"
  %12: array<i64, 1> in m2 = for %10, %9, %11, %4 at 37:1 in "f" {
  (%13: i64, %14: array<i64, 1> in m2):
    continue[0] %14 at 36:1 in "f"
  }
  %15: i64 = reduce[sum] %12 !r m2 at 45:1 in "f"
  %16: f64 = cast %15 at 46:1 in "f"
  list_append %2, %16 !w m1 at 47:1 in "f"
  return at 48:1 in "f"
}
