; irfuzz: native:device O3 kernels
; seed: 4
; code generation failed: LLVM refuses the module: "Basic Block in function \'pydd.f.device.region0\' does not have terminator!\nlabel %group.again\n"
module "kernel" file "fuzz.pydd"
scopes "f"
export "f"("p0": written list<f64>, "p1": array<f64, 2>, "p2": written list<i64>) -> (list<i64>, i64, array<f64, 2>) = @f

func @f array (%0: list<f64> in m0, %1: array<f64, 2> in m1, %2: list<i64> in m2) -> (list<i64>, i64, array<f64, 2>) {
  %3: i64 = const 4 at 2:1 in "f"
  %4: array<i64, 2> in m3 = cast %1 !r m1 at 44:1 in "f"
  %5: i64 = reduce[sum] %4 !r m3 at 45:1 in "f"
  list_append %2, %5 !w m2 at 46:1 in "f"
  return %2, %3, %1 at 47:1 in "f"
}
