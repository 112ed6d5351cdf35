; A device adds up more parts, each into its place along the last axis, and of wider results too; the processor's parts stay beside that.
; pass: split-reductions
; count: device_wanted = 2
; count: pfor = 2
; count: reduce = 4
; run: @f([[1.0, 2.0], [3.0, 4.0]]) = [4.0, 6.0]
; run: @f([[1.0, 2.0]]) = [1.0, 2.0]
func @f array fast device (%0: array<f64, 2> in m0) -> (array<f64, 1>) {
  %1: array<f64, 1> in m1 = reduce[sum axes 0] %0 !r m0
  return %1
}
