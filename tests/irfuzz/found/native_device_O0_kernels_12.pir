; irfuzz: native:device O0 kernels
; seed: 12
; code generation failed: LLVM refuses the module: "Basic Block in function \'pydd.f.device.region0\' does not have terminator!\nlabel %group.again\n"
module "kernel" file "fuzz.pydd"
scopes "h0", "h1", "f"
export "f"("p0": written array<i64, 2>, "p1": written list<f64>) -> (array<i64, 2>, f32) = @f

func @f array (%0: array<i64, 2> in m0, %1: list<f64> in m1) -> (array<i64, 2>, f32) {
  %2: f32 = const 5.5 at 105:1 in "f"
  %3: i64 = const 1 at 141:1 in "f"
  %4: array<i64, 1> in m2 = zeros %3 at 141:1 in "f"
  %5: i64 = reduce[sum] %0 !r m0 at 179:1 in "f"
  return %0, %2 at 182:1 in "f"
}
