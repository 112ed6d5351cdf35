; A parallel loop of which two copies launch the same function, which Cranelift was to declare twice.
module "kernel" file "fuzz.pydd"
scopes "f"
export "f"("p0": written array<f64, 1>, "p1": array<f64, 2>, "p2": array<i64, 1>, "p3": array<i64, 2>, "p4": written list<i64>) -> () = @f

func @f array (%0: array<f64, 1> in m0, %1: array<f64, 2> in m0, %2: array<i64, 1> in m0, %3: array<i64, 2> in m0, %4: list<i64> in m1) -> () {
  %5: i64 = dim[0] %2 at 1:1 in "f"
  %6: i64 = const 0 at 2:1 in "f"
  %7: i64 = const 1 at 3:1 in "f"
  %8: array<f64, 2> in m0 = for %6, %5, %7, %1 !r m0|m2|m3|m4 !w m1 at 40:1 in "f" {
  (%9: i64, %10: array<f64, 2> in m0):
    %11: i64 = const -2 at 4:1 in "f"
    %12: i64 = const 1 at 5:1 in "f"
    %13: array<f64, 1> in m0 = view[start::step, at] %1, %11, %12, %9 at 6:1 in "f"
    %14: array<f64, 2> in m2 = copy %10 !r m0 at 7:1 in "f"
    %15: f64 = const 64.0 at 31:1 in "f"
    %16: array<f64, 2> in m3 = mul %14, %15 !r m2 at 32:1 in "f"
    %17: array<i64, 2> in m4 = cast %16 !r m3 at 33:1 in "f"
    %18: i64 = reduce[sum] %17 !r m4 at 34:1 in "f"
    list_append %4, %18 !w m1 at 35:1 in "f"
    continue[0] %1 at 39:1 in "f"
  }
  %19: i64 = const 1 at 44:1 in "f"
  list_append %4, %19 !w m1 at 45:1 in "f"
  assign %0, %0 !r m0 !w m0 at 54:1 in "f"
  %20: i64 = const 1 at 58:1 in "f"
  list_append %4, %20 !w m1 at 59:1 in "f"
  %21: i64 = const 1 at 60:1 in "f"
  list_append %4, %21 !w m1 at 61:1 in "f"
  %22: i64 = const 1 at 65:1 in "f"
  list_append %4, %22 !w m1 at 66:1 in "f"
  %23: i64 = const 1 at 70:1 in "f"
  list_append %4, %23 !w m1 at 71:1 in "f"
  %24: i64 = const 1 at 75:1 in "f"
  list_append %4, %24 !w m1 at 76:1 in "f"
  %25: i64 = const 1 at 80:1 in "f"
  list_append %4, %25 !w m1 at 81:1 in "f"
  return at 82:1 in "f"
}
