; Another thread may update what is loaded.
; pass: outline
; count: launch = 0
; count: for = 1
; run: @f([1, 2], 3) = [8, 2]
func @f loop fast device (%0: array<i64, 1> in m0, %1: i64) -> (array<i64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  pfor[| reduced sum] %2, %1, %3, %0 !r m0 !w m0 {
  (%4: i64):
    %5: i64 = load_raw %0, %2 !r m0
    update_raw[sum] %0, %5, %2 !r m0 !w m0
    continue[0]
  }
  return %0
}
