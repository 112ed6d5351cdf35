//! Calls what `all.pydd` has from Rust.

use all::pydd::{self, Complex, CsrView, View, ViewMut};
use ndarray::{Array2, array, s};

#[test]
fn numbers() {
    assert_eq!(all::b1(true, &[true]), Ok(true));
    assert_eq!(all::i1(-29, &[-100]), Ok(127));
    assert_eq!(all::i8(-1, &[i64::MIN]), Ok(i64::MAX));
    assert_eq!(all::u1(200, &[100]), Ok(44));
    assert_eq!(all::u8(1, &[u64::MAX - 1]), Ok(u64::MAX));
    assert_eq!(all::f4(0.5, &[0.25]), Ok(0.75));
    let z = all::c16(Complex { re: 1.0, im: 2.0 }, &[Complex { re: 3.0, im: -4.0 }]).unwrap();
    assert_eq!((z.re, z.im), (11.0, 2.0));
    let z = all::c8(Complex { re: 1.0, im: 2.0 }, &[Complex { re: 3.0, im: 4.0 }]).unwrap();
    assert_eq!((z.re, z.im), (-5.0, 10.0));
    assert_eq!(all::delete(3.0, 1.0), Ok(2.0));
    assert_eq!((all::answer(), all::nothing()), (Ok(42), Ok(())));
}

#[test]
fn layouts() {
    let values: Vec<f64> = (0..24).map(f64::from).collect();
    let total = |elements: &mut dyn Iterator<Item = f64>| elements.fold(0.0, |s, value| s * 2.0 + value);
    assert_eq!(all::total(View::new(&values, [2, 3, 4])), Ok(total(&mut values.iter().copied())));
    let cube = ndarray::Array3::from_shape_vec((2, 3, 4), values.clone()).unwrap();
    let turned = cube.slice(s![..;-1, ..;2, 1..;2]);
    assert_eq!(all::total(turned), Ok(total(&mut turned.iter().copied())));
    assert_eq!(all::total(&cube), all::total(View::new(&values, [2, 3, 4])));
    let mut line = vec![0.0; 4];
    all::shift(&vec![1.0, 2.0], ViewMut::new(&mut line[1..3], [2])).unwrap();
    assert_eq!(line, [0.0, 2.0, 3.0, 0.0]);
    let mut matrix = Array2::<f64>::zeros((2, 2));
    all::shift(&[1.0, 2.0], matrix.column_mut(1)).unwrap();
    assert_eq!(matrix, array![[0.0, 2.0], [0.0, 3.0]]);
}

#[test]
fn results() {
    let mut memory = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let t = all::transposed(&memory).unwrap();
    // A copy, since it would be a part of what the caller may change.
    memory[[0, 0]] = 9.0;
    assert_eq!(t.ndarray(), array![[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]);
    assert_eq!((t[[2, 1]], t.get([3, 0]), t.as_slice().map(<[f64]>::len)), (6.0, None, Some(6)));

    let (doubled, (count, positive)) = all::split(&[1.0, -2.0]).unwrap();
    assert_eq!((doubled.to_vec(), count, positive.to_vec()), (vec![2.0, -4.0], 2, vec![true, false]));
    let same = all::same(&doubled).unwrap();
    drop(doubled);
    assert_eq!(same.as_slice(), Some(&[2.0, -4.0][..]));

    assert_eq!(all::squares(4).unwrap().to_vec(), [0, 1, 4, 9]);
    assert!(all::squares(0).unwrap().is_empty());
    assert_eq!(all::sum_list(&[1.0, 2.0, 3.0], 2, 0.5), Ok(6.0));
    assert_eq!(all::first_above(&[1.0, 2.0], 1.5), Ok(Some(1)));
    assert_eq!(all::first_above(&[1.0, 2.0], 2.5), Ok(None));
    assert!(all::rows_above(&[], 0.0).unwrap().is_none());
    assert_eq!(all::rows_above(&[1.0, 5.0], 2.0).unwrap().unwrap().to_vec(), [5.0]);
    assert_eq!(all::dots((1.0, 2.0), (3.0, 4.0)), Ok(11.0));
    assert_eq!(all::scaled_float32_1d(&[2.0, 3.0]).unwrap()[1], 6.0f32);
}

#[test]
fn sparse() {
    let (indptr, indices, data) = ([0i32, 2, 3], [0i32, 2, 1], [1.0, 2.0, 3.0]);
    let m = CsrView { indptr: (&indptr).into(), indices: (&indices).into(), data: (&data).into(), rows: 2, columns: 3 };
    assert_eq!(all::times_float64_int32(m, &[1.0, 10.0, 100.0]).unwrap().to_vec(), [201.0, 30.0]);
    let two = all::twice_float64_int32(m).unwrap();
    assert_eq!((two.rows, two.columns, two.data.to_vec()), (2, 3, vec![2.0, 4.0, 6.0]));
    assert_eq!(all::twice_float64_int32(CsrView { rows: 5, ..m }).err().unwrap().name, "ValueError");
}

#[test]
fn errors() {
    let error = all::at(&[1.0, 2.0, 3.0], 3).unwrap_err();
    assert_eq!((error.name.as_str(), error.kind, error.function.as_str()), ("IndexError", 2, "at"));
    assert_eq!(error.message, "index 3 is out of bounds for axis 0 with size 3");
    assert!(error.file.ends_with("all.pydd") && error.to_string().contains(&format!("all.pydd:{}: ", error.line)));
    assert_eq!(all::withdraw(1.0, 2.5).unwrap_err().name, "Overdrawn");
    assert_eq!(all::divide(1, 0).unwrap_err().name, "ZeroDivisionError");
    assert_eq!(all::deep(0).unwrap_err().name, "RecursionError");
}

#[test]
fn threads() {
    let xs: Vec<f64> = (0..1_000_003).map(f64::from).collect();
    let alone = all::parallel_sum(&xs).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(all::parallel_sum(&xs), Ok(alone)));
        }
    });
    assert!(pydd::num_threads() > 0);
}

#[test]
#[should_panic(expected = "5 elements for the shape [2, 3]")]
fn a_shape_that_does_not_fit() {
    View::new(&[0.0; 5], [2, 3]);
}
