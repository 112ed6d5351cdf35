; A message of NumPy's names each operand, also one that is given twice.
; seed: 560
module "kernel" file "fuzz.pydd"
scopes "f"
export "f"("p0": array<bool, 1>, "p1": array<i64, 2>) -> (array<i64, 2>) = @f

func @f array (%0: array<bool, 1>, %1: array<i64, 2>) -> (array<i64, 2>) {
  %2: array<bool, 1> = view[:] %0 at 1:1 in "f"
  %3: i64 = const 7 at 2:1 in "f"
  %4: array<bool, 1> = zeros %3 at 3:1 in "f"
  %5: array<i64, 2> = select %4, %1, %1 at 4:1 in "f"
  return %5 at 5:1 in "f"
}
