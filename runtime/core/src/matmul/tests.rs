use super::*;
use crate::testing::{contiguous, ctx, error, view};

fn call(a: &ArrayRef, b: &ArrayRef, out: &ArrayRef) -> Result<(), String> {
    let mut c = ctx();
    // SAFETY: valid arrays.
    match unsafe { matmul(&mut c, a, b, out) } {
        0 => Ok(()),
        _ => Err(error(&mut c).1),
    }
}

fn naive(a: &[f64], b: &[f64], m: usize, k: usize, n: usize) -> Vec<f64> {
    let at = |i: usize, j: usize| (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum();
    (0..m * n).map(|x| at(x / n, x % n)).collect()
}

fn small(n: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 7 + 3) % 11) as f64 - 5.0).collect()
}

#[test]
fn products_agree_with_the_definition() {
    for (m, k, n) in [(1, 1, 1), (2, 3, 4), (65, 33, 17), (200, 150, 130), (3, 0, 2), (0, 3, 2), (1, 500, 1)]
    {
        let (mut a, mut b) = (small(m * k), small(k * n));
        let mut out = vec![f64::NAN; m * n];
        let dims = |x: usize, y: usize| [x as i64, y as i64];
        let va = contiguous(a.as_mut_ptr(), DTypeCode::F64, &dims(m, k));
        let vb = contiguous(b.as_mut_ptr(), DTypeCode::F64, &dims(k, n));
        let vo = contiguous(out.as_mut_ptr(), DTypeCode::F64, &dims(m, n));
        call(&va.array, &vb.array, &vo.array).unwrap();
        assert_eq!(out, naive(&a, &b, m, k, n), "{m} {k} {n}");
    }
}

#[test]
fn shallow_products_agree_with_the_definition() {
    for (m, k, n) in (4..40)
        .step_by(7)
        .flat_map(|m| (1..6).flat_map(move |k| [1, 2, 3, 4, 5, 16, 63, 64, 67].map(move |n| (m, k, n))))
    {
        let (mut a, mut b) = (small(m * k), small(k * n));
        let mut out = vec![f64::NAN; m * n];
        let vo = contiguous(out.as_mut_ptr(), DTypeCode::F64, &[m as i64, n as i64]);
        // By rows and by columns, and the rows from the last to the first.
        for columns in [false, true] {
            let [sa, sb] = [(m, k), (k, n)].map(|(x, y)| if columns { [1, x as i64] } else { [y as i64, 1] });
            let va = view(a.as_mut_ptr(), DTypeCode::F64, &[m as i64, k as i64], &sa);
            let vb = view(b.as_mut_ptr(), DTypeCode::F64, &[k as i64, n as i64], &sb);
            call(&va.array, &vb.array, &vo.array).unwrap();
            // SAFETY: valid views.
            let (fa, fb): (Vec<f64>, Vec<f64>) =
                unsafe { (Array::new(&va.array).pack(), Array::new(&vb.array).pack()) };
            assert_eq!(out, naive(&fa, &fb, m, k, n), "{m} {k} {n} {columns}");
        }
        let last = a.as_mut_ptr().wrapping_add((m - 1) * k);
        let va = view(last, DTypeCode::F64, &[m as i64, k as i64], &[-(k as i64), 1]);
        let vb = view(b.as_mut_ptr(), DTypeCode::F64, &[k as i64, n as i64], &[n as i64, 1]);
        call(&va.array, &vb.array, &vo.array).unwrap();
        // SAFETY: a valid view.
        let backwards: Vec<f64> = unsafe { Array::new(&va.array).pack() };
        assert_eq!(out, naive(&backwards, &b, m, k, n), "{m} {k} {n} backwards");
    }
}

#[test]
fn any_strides_are_taken() {
    let (mut a, mut b) = (small(100), small(100));
    let mut out = vec![0.0; 9];
    let vo = contiguous(out.as_mut_ptr(), DTypeCode::F64, &[3, 3]);
    for (sa, sb, off) in
        [([1, 10], [10, 1], 0), ([-10, -1], [2, 20], 50), ([0, 0], [3, 1], 0), ([20, 2], [0, 1], 0)]
    {
        // SAFETY: within the vectors.
        let (pa, pb) = unsafe { (a.as_mut_ptr().add(off), b.as_mut_ptr()) };
        let va = view(pa, DTypeCode::F64, &[3, 4], &sa);
        let vb = view(pb, DTypeCode::F64, &[4, 3], &sb);
        call(&va.array, &vb.array, &vo.array).unwrap();
        // SAFETY: valid views.
        let (fa, fb): (Vec<f64>, Vec<f64>) =
            unsafe { (Array::new(&va.array).pack(), Array::new(&vb.array).pack()) };
        assert_eq!(out, naive(&fa, &fb, 3, 4, 3), "{sa:?} {sb:?}");
    }
}

#[test]
fn misaligned_operands_are_packed() {
    let values = small(4);
    let mut bytes = vec![0u8; 33];
    for (i, v) in values.iter().enumerate() {
        bytes[1 + 8 * i..9 + 8 * i].copy_from_slice(&v.to_ne_bytes());
    }
    // SAFETY: 32 bytes from the second on; never read as aligned.
    let a = unsafe { view::<f64>(bytes.as_mut_ptr().add(1).cast(), DTypeCode::F64, &[2, 2], &[2, 1]) };
    let mut out = [0.0; 4];
    let vo = contiguous(out.as_mut_ptr(), DTypeCode::F64, &[2, 2]);
    call(&a.array, &a.array, &vo.array).unwrap();
    assert_eq!(out.to_vec(), naive(&values, &values, 2, 2, 2));
}

#[test]
fn vectors_and_stacks_broadcast() {
    let mut a: Vec<i64> = (0..12).collect();
    let mut b: Vec<i64> = (0..6).collect();
    let mut out = vec![0i64; 8];
    let va = contiguous(a.as_mut_ptr(), DTypeCode::I64, &[2, 2, 3]);
    let vb = contiguous(b.as_mut_ptr(), DTypeCode::I64, &[3, 2]);
    let vo = contiguous(out.as_mut_ptr(), DTypeCode::I64, &[2, 2, 2]);
    call(&va.array, &vb.array, &vo.array).unwrap();
    assert_eq!(out, [10, 13, 28, 40, 46, 67, 64, 94]);
    let v1 = contiguous(b.as_mut_ptr(), DTypeCode::I64, &[3]);
    let vo = contiguous(out.as_mut_ptr(), DTypeCode::I64, &[2, 2]);
    call(&va.array, &v1.array, &vo.array).unwrap();
    assert_eq!(out[..4], [5, 14, 23, 32]);
    let scalar = contiguous(out.as_mut_ptr(), DTypeCode::I64, &[]);
    call(&v1.array, &v1.array, &scalar.array).unwrap();
    assert_eq!(out[0], 5);
}

#[test]
fn integers_wrap_and_bools_combine() {
    let (mut a, mut b) = ([100i8, 100], [2i8, 3]);
    let mut out = [0i8];
    let va = contiguous(a.as_mut_ptr(), DTypeCode::I8, &[2]);
    let vb = contiguous(b.as_mut_ptr(), DTypeCode::I8, &[2]);
    call(&va.array, &vb.array, &contiguous(out.as_mut_ptr(), DTypeCode::I8, &[]).array).unwrap();
    assert_eq!(out[0], 500i32 as i8);
    let (mut a, mut out) = ([true, true, false, true], [false; 4]);
    let va = contiguous(a.as_mut_ptr(), DTypeCode::Bool, &[2, 2]);
    call(&va.array, &va.array, &contiguous(out.as_mut_ptr(), DTypeCode::Bool, &[2, 2]).array).unwrap();
    assert_eq!(out, [true, true, false, true]);
}

#[test]
fn long_rows_times_a_vector() {
    const K: usize = 200;
    let mut a: Vec<i64> = (0..3 * K as i64).map(|i| i - 300).collect();
    let mut b: Vec<i64> = (0..K as i64).map(|i| i % 7).collect();
    let mut out = [0i64; 3];
    let va = contiguous(a.as_mut_ptr(), DTypeCode::I64, &[3, K as i64]);
    let vb = contiguous(b.as_mut_ptr(), DTypeCode::I64, &[K as i64]);
    call(&va.array, &vb.array, &contiguous(out.as_mut_ptr(), DTypeCode::I64, &[3]).array).unwrap();
    let expected = a.chunks(K).map(|row| row.iter().zip(&b).map(|(x, y)| x * y).sum());
    assert_eq!(out.to_vec(), expected.collect::<Vec<i64>>());
    // A pair in the last, shorter block alone; none; a row without the other's places.
    let mut m = vec![false; 3 * K];
    m[K - 1] = true;
    m[2 * K..3 * K - 1].fill(true);
    let (mut v, mut found) = (vec![false; K], [true; 3]);
    v[K - 1] = true;
    let vm = contiguous(m.as_mut_ptr(), DTypeCode::Bool, &[3, K as i64]);
    let vv = contiguous(v.as_mut_ptr(), DTypeCode::Bool, &[K as i64]);
    call(&vm.array, &vv.array, &contiguous(found.as_mut_ptr(), DTypeCode::Bool, &[3]).array).unwrap();
    assert_eq!(found, [true, false, false]);
}

#[test]
fn complex_products() {
    let mut a = [c64::new(1.0, 2.0), c64::new(0.0, -1.0)];
    let mut out = [c64::new(0.0, 0.0)];
    let va = contiguous(a.as_mut_ptr(), DTypeCode::C128, &[2]);
    call(&va.array, &va.array, &contiguous(out.as_mut_ptr(), DTypeCode::C128, &[]).array).unwrap();
    assert_eq!(out[0], a[0] * a[0] + a[1] * a[1]);
}

#[test]
fn shape_errors_read_as_in_numpy() {
    let mut x = [0.0; 64];
    let mut array = |dims: &[i64]| contiguous(x.as_mut_ptr(), DTypeCode::F64, dims);
    let (a, b, s) = (array(&[2, 3]), array(&[2, 2]), array(&[]));
    assert_eq!(
        call(&a.array, &b.array, &b.array).unwrap_err(),
        "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature \
         (n?,k),(k,m?)->(n?,m?) (size 2 is different from 3)"
    );
    assert_eq!(
        call(&s.array, &b.array, &b.array).unwrap_err(),
        "matmul: Input operand 0 does not have enough dimensions (has 0, gufunc core with \
         signature (n?,k),(k,m?)->(n?,m?) requires 1)"
    );
    let (a, b) = (array(&[2, 3, 4]), array(&[3, 4, 5]));
    assert_eq!(
        call(&a.array, &b.array, &b.array).unwrap_err(),
        "operands could not be broadcast together with remapped shapes [original->remapped]: \
         (2,3,4)->(2,newaxis,newaxis) (3,4,5)->(3,newaxis,newaxis)  and requested shape (3,5)"
    );
    let (a, wrong) = (array(&[2, 2]), array(&[2, 3]));
    assert!(call(&a.array, &a.array, &wrong.array).is_err());
}

#[test]
fn a_matrix_times_its_own_transposed() {
    for (m, k) in [(95, 4), (96, 7), (150, 33), (97, 0)] {
        let mut a = small(m * k);
        let mut out = vec![f64::NAN; m * m];
        let va = view(a.as_mut_ptr(), DTypeCode::F64, &[m as i64, k as i64], &[k as i64, 1]);
        let vb = view(a.as_mut_ptr(), DTypeCode::F64, &[k as i64, m as i64], &[1, k as i64]);
        let vo = contiguous(out.as_mut_ptr(), DTypeCode::F64, &[m as i64, m as i64]);
        call(&va.array, &vb.array, &vo.array).unwrap();
        let transposed: Vec<f64> = (0..k * m).map(|x| a[x % m * k + x / m]).collect();
        assert_eq!(out, naive(&a, &transposed, m, k, m), "{m} {k}");
    }
}

#[test]
fn matrices_in_either_order_times_vectors() {
    for (m, k) in [(1, 1), (3, 5), (4, 16), (7, 33), (53, 70), (110, 3), (2, 400), (5, 0), (0, 5)] {
        let (mut a, mut x, mut left) = (small(m * k), small(k * 2), small(m * 2));
        let mut by_columns: Vec<f64> = (0..m * k).map(|at| a[at % m * k + at / m]).collect();
        let (m64, k64) = (m as i64, k as i64);
        let c = view(a.as_mut_ptr(), DTypeCode::F64, &[m64, k64], &[k64, 1]);
        let f = view(by_columns.as_mut_ptr(), DTypeCode::F64, &[m64, k64], &[1, m64]);
        // Every other element, the last one first.
        let last = |v: &mut Vec<f64>, n: usize| v.as_mut_ptr().wrapping_add(2 * n.saturating_sub(1));
        let vx = view(last(&mut x, k), DTypeCode::F64, &[k64], &[-2]);
        let vl = view(last(&mut left, m), DTypeCode::F64, &[m64], &[-2]);
        let taken = |v: &[f64], n: usize| -> Vec<f64> { (0..n).rev().map(|i| v[2 * i]).collect() };
        for matrix in [&c, &f] {
            let mut out = vec![f64::NAN; m];
            let vo = contiguous(out.as_mut_ptr(), DTypeCode::F64, &[m64]);
            call(&matrix.array, &vx.array, &vo.array).unwrap();
            assert_eq!(out, naive(&a, &taken(&x, k), m, k, 1), "{m} {k}");
            let mut out = vec![f64::NAN; k];
            let vo = contiguous(out.as_mut_ptr(), DTypeCode::F64, &[k64]);
            call(&vl.array, &matrix.array, &vo.array).unwrap();
            assert_eq!(out, naive(&taken(&left, m), &a, 1, m, k), "{m} {k}");
        }
    }
}
