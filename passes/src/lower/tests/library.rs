use super::{agree, module};

fn matmul(a: u8, b: u8, result: &str) -> pydd_ir::Module {
    module(
        &format!("(%0: array<f64, {a}>, %1: array<f64, {b}>) -> ({result})"),
        &format!("%2: {result} = matmul %0, %1\n  return %2"),
    )
}

#[test]
fn matmul_of_all_ranks() {
    agree(&matmul(1, 1, "f64"), "[1, 2, 3], [4, 5, 6]").unwrap();
    agree(&matmul(2, 2, "array<f64, 2>"), "[[1, 2], [3, 4], [5, 6]], [[1, 2], [3, 4]]").unwrap();
    agree(&matmul(2, 1, "array<f64, 1>"), "[[1, 2], [3, 4], [5, 6]], [1, 2]").unwrap();
    agree(&matmul(1, 2, "array<f64, 1>"), "[1, 2], [[1, 2, 3], [3, 4, 5]]").unwrap();
    let stack = "[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]";
    agree(&matmul(3, 3, "array<f64, 3>"), &format!("{stack}, {stack}")).unwrap();
    agree(&matmul(3, 3, "array<f64, 3>"), &format!("[[[1, 2], [3, 4]]], {stack}")).unwrap();
    agree(&matmul(3, 2, "array<f64, 3>"), &format!("{stack}, [[1, 2], [3, 4]]")).unwrap();
    agree(&matmul(3, 1, "array<f64, 2>"), &format!("{stack}, [1, 2]")).unwrap();
    agree(&matmul(1, 3, "array<f64, 2>"), &format!("[1, 2], {stack}")).unwrap();
}

#[test]
fn matmul_checks_shapes() {
    let error = agree(&matmul(2, 2, "array<f64, 2>"), "[[1, 2]], [[1, 2]]").unwrap_err();
    assert!(error.ends_with("(n?,k),(k,m?)->(n?,m?) (size 1 is different from 2)"), "{error}");
    agree(&matmul(1, 1, "f64"), "[1, 2, 3], [4, 5]").unwrap_err();
}

#[test]
fn matmul_of_nothing_is_zero() {
    agree(&matmul(2, 2, "array<f64, 2>"), "[[], []], []").unwrap();
    agree(&matmul(1, 1, "f64"), "[], []").unwrap();
}

#[test]
fn sort_leaves_its_operand() {
    let m = module("(%0: array<f64, 2>) -> (array<f64, 2>)", "%1: array<f64, 2> = sort %0\n  return %1");
    agree(&m, "[[3, 1, 2], [nan, 5, 4]]").unwrap();
}
