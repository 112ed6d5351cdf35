; irfuzz: native:device O3 kernels
; seed: 0
; code generation failed: LLVM refuses the module: "Basic Block in function \'pydd.f.device.region0\' does not have terminator!\nlabel %group.again\n"
module "kernel" file "fuzz.pydd"
scopes "f"
export "f"("p0": written array<bool, 1>, "p1": written list<i64>) -> () = @f

func @f array (%0: array<bool, 1> in m0, %1: list<i64> in m1) -> () {
  %2: array<i64, 1> in m2 = cast %0 !r m0 at 34:1 in "f"
  %3: i64 = reduce[sum] %2 !r m2 at 35:1 in "f"
  list_append %1, %3 !w m1 at 36:1 in "f"
  return at 37:1 in "f"
}
