; A loop that never ends is the last thing in its function; it must stay so.
; pass: version-loops
; count: check = 1
; run: @f([]) raises IndexError
func @f loop fast (%0: array<f64, 1> in m0) -> () {
  %1: i64 = dim[0] %0
  %2: f64 = const 7.0
  %3: i64 = const 0
  loop !w m0 {
    %4: bool = lt %3, %1
    check[IndexError, "index {0} is out of bounds for axis 0 with size {1}"] %4, %3, %1
    store_raw %0, %2, %3 !w m0
    continue[0]
  }
  unreachable
}
