; A list gives the array another name, by which it may be read.
; pass: prove-pfor
; refuse: iterations of this `pfor` read elements of an array that others write
func @f array (%0: array<f64, 1>, %1: i64) -> () {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 1.0
  pfor %2, %1, %3 {
  (%6: i64):
    %5: list<array<f64, 1>> = list_new
    list_append %5, %0
    %8: f64 = load %0, %3
    %9: f64 = add %8, %4
    store %0, %9, %3
    continue[0]
  }
  return
}
