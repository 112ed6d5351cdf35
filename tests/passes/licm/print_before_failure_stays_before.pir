; The line is printed before the exception.
; pass: licm
; count: load in loops = 1
; run: @f([], 1) raises IndexError
func @f array (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  for %2, %1, %3 !r m0 {
  (%4: i64):
    print[weak] %4
    %5: f64 = load %0, %2 !r m0
    print[weak] %5
    continue[0]
  }
  return
}
; ---- after
func @f array (%0: array<f64, 1> in m0, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  for %2, %1, %3 !r m0 {
  (%4: i64):
    print[weak] %4
    %5: f64 = load %0, %2 !r m0
    print[weak] %5
    continue[0]
  }
  return
}
