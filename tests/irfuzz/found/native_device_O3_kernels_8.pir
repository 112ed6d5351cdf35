; irfuzz: native:device O3 kernels
; seed: 8
; code generation failed: LLVM refuses the module: "Basic Block in function \'pydd.f.device.region0\' does not have terminator!\nlabel %group.again\n"
module "kernel" file "fuzz.pydd"
scopes "h0", "h1", "f"
export "f"("p0": array<c64, 1>, "p1": written list<i64>) -> (array<c64, 1>, list<i64>) = @f

func @f array (%0: array<c64, 1> in m0, %1: list<i64> in m1) -> (array<c64, 1>, list<i64>) {
  %2: array<i64, 1> in m2 = cast %0 !r m0 at 56:1 in "f"
  %3: i64 = reduce[sum] %2 !r m2 at 57:1 in "f"
  list_append %1, %3 !w m1 at 58:1 in "f"
  return %0, %1 at 105:1 in "f"
}
