; irfuzz: native:device O3 panic
; seed: 308
; range start index 1 out of range for slice of length 0
module "kernel" file "fuzz.pydd"
scopes "f"
export "f"("p0": written array<i64, 1>, "p1": written list<f64>) -> () = @f

func @f array (%0: array<i64, 1> in m0, %1: list<f64> in m1) -> () {
  %2: u16 = map[reduce prod axes 0] %0 !r m0 at 19:1 in "f" {
  (%3: i64):
    %4: i64 = const 2 at 8:1 in "f"
    %5: i64 = load %0, %4 !r m0 at 8:1 in "f"
    %6: u16 = const 1 at 10:1 in "f"
    yield %6 at 18:1 in "f"
  }
  return at 29:1 in "f"
}
