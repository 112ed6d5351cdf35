; pass: keep-order
; count: empty = 1
; count: assign = 2
; count: empty_strided = 1
export "f"("a": array<f64, 2>) -> array<f64, 2> = @f.fast if contiguous, @f.general

func @f.fast array fast (%0: array<f64, 2>) -> (array<f64, 2>) {
  %1: f64 = const 1.0
  %2: array<f64, 2> = transpose[1, 0] %0
  %3: array<f64, 2> = add %2, %1
  return %3
}

func @f.general array general (%0: array<f64, 2>) -> (array<f64, 2>) {
  %1: f64 = const 1.0
  %2: array<f64, 2> = transpose[1, 0] %0
  %3: array<f64, 2> = add %2, %1
  return %3
}
