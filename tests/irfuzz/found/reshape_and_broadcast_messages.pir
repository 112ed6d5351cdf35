; What reshape, broadcast_to, min and argmin complain about where there is nothing, or too little.
; seed: 75
module "kernel" file "fuzz.pydd"
scopes "f"
export "f"("p0": i64, "p1": array<f64, 2>) -> (i64) = @f

func @f array (%0: i64, %1: array<f64, 2>) -> (i64) {
  %2: i64 = const 3 at 1:1 in "f"
  %3: i64 = mod %0, %2 at 2:1 in "f"
  %4: i64 = const 0 at 3:1 in "f"
  %5: bool = eq %3, %4 at 4:1 in "f"
  if %5 at 9:1 in "f" {
    %6: i64 = const 1000 at 5:1 in "f"
    %7: i64 = const -1 at 6:1 in "f"
    %8: array<f64, 2> = reshape %1, %6, %7 at 7:1 in "f"
    yield at 8:1 in "f"
  } else {
    yield at 8:2 in "f"
  }
  %9: i64 = const 1 at 10:1 in "f"
  %10: bool = eq %3, %9 at 11:1 in "f"
  if %10 at 15:1 in "f" {
    %20: i64 = const -1 at 12:1 in "f"
    %11: array<f64, 2> = broadcast_to %1, %20, %9 at 13:1 in "f"
    yield at 14:1 in "f"
  } else {
    yield at 14:2 in "f"
  }
  %12: array<f64, 2> = zeros %4, %4 at 16:1 in "f"
  %13: array<i64, 1> = reduce[argmin axes 0] %12 at 17:1 in "f"
  return %3 at 18:1 in "f"
}
