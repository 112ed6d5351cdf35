; irfuzz: native:cranelift O3passes compile
; seed: 610660
; code generation failed: pydd.f.fast.region0.part: Duplicate definition of identifier: pydd.f.fast.region0.part
module "kernel" file "fuzz.pydd"
scopes "h0", "f"
export "f"("p0": written list<i64>, "p1": bool, "p2": written array<f64, 1>, "p3": array<bool, 2>, "p4": written list<i64>) -> (array<bool, 1>, list<i64>) = @f

func @f array (%0: list<i64> in m0, %1: bool, %2: array<f64, 1> in m1, %3: array<bool, 2> in m1, %4: list<i64> in m0) -> (array<bool, 1>, list<i64>) {
  %5: i64 = const 1 at 30:1 in "f"
  %6: i64 = dim[0] %3 at 31:1 in "f"
  %7: i64 = dim[1] %3 at 32:1 in "f"
  %8: array<bool, 3> in m1 = broadcast_to %3, %5, %6, %7 at 33:1 in "f"
  %9: i64 = const 1 at 36:1 in "f"
  %10: array<bool, 1> in m2 = zeros %9 at 36:1 in "f"
  %11: array<i64, 3> in m3 = cast %8 !r m1 at 123:1 in "f"
  %12: i64 = reduce[sum] %11 !r m3 at 124:1 in "f"
  list_append %0, %12 !w m0 at 125:1 in "f"
  return %10, %0 at 126:1 in "f"
}
