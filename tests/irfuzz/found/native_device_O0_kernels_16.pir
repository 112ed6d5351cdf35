; irfuzz: native:device O0 kernels
; seed: 16
; code generation failed: LLVM refuses the module: "Basic Block in function \'pydd.f.device.region0\' does not have terminator!\nlabel %group.again\n"
module "kernel" file "fuzz.pydd"
scopes "h0", "h1", "f"
export "f"("p0": f64, "p1": array<i64, 1>, "p2": written list<f64>, "p3": written list<i64>) -> (array<bool, 1>, f64, f64) = @f

func @f array (%0: f64, %1: array<i64, 1> in m0, %2: list<f64> in m1, %3: list<i64> in m2) -> (array<bool, 1>, f64, f64) {
  %4: i64 = const 0 at 60:1 in "f"
  %5: array<bool, 1> in m3 = zeros %4 at 61:1 in "f"
  %6: i64 = const 1 at 66:1 in "f"
  %7: array<f64, 1> in m4 = zeros %6 at 66:1 in "f"
  %8: i64 = reduce[sum] %1 !r m0 at 111:1 in "f"
  return %5, %0, %0 at 122:1 in "f"
}
