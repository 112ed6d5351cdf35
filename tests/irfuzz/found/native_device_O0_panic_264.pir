; irfuzz: native:device O0 panic
; seed: 264
; range start index 1 out of range for slice of length 0
module "kernel" file "fuzz.pydd"
scopes "h0", "h1", "f"
export "f"("p0": array<i64, 0>, "p1": array<f32, 1>, "p2": array<bool, 1>, "p3": f64, "p4": written list<f64>) -> () = @f

func @f array (%0: array<i64, 0> in m0, %1: array<f32, 1> in m0, %2: array<bool, 1> in m0, %3: f64, %4: list<f64> in m1) -> () {
  %5: array<bool, 1> in m2 = map[reduce max keepdims] %2 !r m0 at 53:1 in "f" {
  (%6: bool):
    %7: bool = const true at 51:1 in "f"
    yield %7 at 52:1 in "f"
  }
  return at 66:1 in "f"
}
