; irfuzz: pass:lower#24 lists
; seed: 71145
; fast: lists
; expected: [[Float(4.25, F64), Float(4.0, F64), Float(-0.75, F64), Float(0.0, F64)], [Int(6, I64)]]
;      got: [[Float(4.25, F64), Float(4.0, F64), Float(-0.75, F64), Float(-9.223372036854776e18, F64)], [Int(6, I64)]]
; args: ArgSet { buffers: [[1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]], grain: [(Bool, 0)], args: [List(F64, [Float(4.25, F64), Float(4.0, F64), Float(-0.75, F64)]), Array { buffer: 0, offset: 0, dims: [2, 7], strides: [7, 1], dtype: Bool }, Scalar(Float(5.75, F64)), Scalar(Bool(true)), List(I64, [Int(6, I64)])] }
module "kernel" file "fuzz.pydd"
scopes "h0", "f"
export "f"("p0": written list<f64>, "p1": array<bool, 2>, "p2": f64, "p3": bool, "p4": written list<i64>) -> (array<bool, 0>, array<bool, 2>, array<f64, 0>) = @f

func @f array (%0: list<f64> in m0, %1: array<bool, 2> in m1, %2: f64, %3: bool, %4: list<i64> in m2) -> (array<bool, 0>, array<bool, 2>, array<f64, 0>) {
  %5: array<bool, 0> in m3 = zeros at 22:1 in "f"
  %6: array<f64, 0> in m4 = zeros at 23:1 in "f"
  %7: f64 = const 0.0 at 49:1 in "f"
  %8: f64 = const inf at 50:1 in "f"
  %9: i64 = const 1 at 51:1 in "f"
  %10: array<f64, 1> in m5 = iota %7, %8, %9 at 52:1 in "f"
  %11: f64 = const 64.0 at 95:1 in "f"
  %12: array<f64, 1> in m6 = mul %10, %11 !r m5 at 96:1 in "f"
  %13: array<i64, 1> in m7 = cast %12 !r m6 at 97:1 in "f"
  %14: i64 = reduce[sum] %13 !r m7 at 98:1 in "f"
  %15: f64 = cast %14 at 99:1 in "f"
  list_append %0, %15 !w m0 at 100:1 in "f"
  return %5, %1, %6 at 102:1 in "f"
}
