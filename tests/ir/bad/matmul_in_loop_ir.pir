; error: there are 2 operands where 3 belong (rule 7)
func @f loop slots=1 (%a: array<f64, 2>) -> () {
  %0: array<f64, 2> = matmul %a, %a
  return
}
