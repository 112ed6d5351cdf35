; irfuzz: pass:prove-bounds#17 panic
; seed: 59688
; attempt to divide by zero
module "kernel" file "fuzz.pydd"
scopes "h0", "f"
export "f"("p0": array<bool, 1>, "p1": array<i64, 1>, "p2": list<f64>) -> () = @f

func @f array (%0: array<bool, 1> in m0, %1: array<i64, 1> in m0, %2: list<f64> in m1) -> () {
  %3: i64 = const 1 at 83:1 in "f"
  %4: i64 = const -2 at 84:1 in "f"
  %5: i64 = const 0 at 96:1 in "f"
  for %5, %3, %4 at 96:1 in "f" {
  (%6: i64):
    %7: i64 = const 1 at 89:1 in "f"
    %8: i64 = floordiv %7, %6 at 90:1 in "f"
    continue[0] at 95:1 in "f"
  }
  return at 113:1 in "f"
}
