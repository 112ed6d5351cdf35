; irfuzz: O0 pass:ownership#25 verify
; seed: 90127
; export "f": "p0" is written and not marked as written (rule 21)
module "kernel" file "fuzz.pydd"
scopes "h0", "h1", "f"
export "f"("p0": list<bool>, "p1": written array<f64, 1>, "p2": f64, "p3": written array<f64, 0>, "p4": written list<f64>) -> (f64, array<f64, 0>, array<bool, 0>) = @f

func @f array (%0: list<bool> in m0, %1: array<f64, 1> in m1, %2: f64, %3: array<f64, 0> in m1, %4: list<f64> in m2) -> (f64, array<f64, 0>, array<bool, 0>) {
  %5: array<bool, 0> in m3 = zeros at 51:1 in "f"
  %6: array<bool, 0> in m4 = zeros at 74:1 in "f"
  %7: array<i64, 0> in m5 = zeros at 83:1 in "f"
  %8: list<list<bool>> in m6 = list_new %0, %0, %0 at 103:1 in "f"
  %9: array<i64, 0> in m7 = zeros at 112:1 in "f"
  %10: array<i64, 0> in m8 = zeros at 127:1 in "f"
  %11: array<i64, 0> in m9 = zeros at 134:1 in "f"
  return %2, %3, %5 at 138:1 in "f"
}
