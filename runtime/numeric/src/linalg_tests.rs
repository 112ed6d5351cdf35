use super::*;

type C = Complex<f64>;

fn matrix(rows: usize, columns: usize) -> Mat<f64> {
    Mat::from_fn(rows, columns, |i, j| {
        ((i * 7 + j * j * 3) % 11) as f64 - 4.0 + if i == j { 9.0 } else { 0.0 }
    })
}

fn complex(rows: usize, columns: usize) -> Mat<C> {
    let (re, im) = (matrix(rows, columns), matrix(columns, rows));
    Mat::from_fn(rows, columns, |i, j| C::new(re[(i, j)], im[(j, i)] / 4.0))
}

fn distance<T: Number>(a: &Mat<T>, b: &Mat<T>) -> f64 {
    assert_eq!(a.shape(), b.shape());
    (a - b).norm_max()
}

fn diagonal<T: Number>(s: &Mat<T>) -> Mat<T> {
    Mat::from_fn(s.nrows(), s.nrows(), |i, j| if i == j { s[(i, 0)] } else { T::of(Complex::ZERO) })
}

fn check<T: Number>(make: impl Fn(usize, usize) -> Mat<T>) {
    for n in [1, 2, 5, 40] {
        let (a, b) = (make(n, n), make(n, 3));
        let x = run(Routine::Solve, &[a.clone(), b.clone()], &[(n, 3)]).unwrap().remove(0);
        assert!(distance(&(&a * &x), &b) < 1e-9, "{n}");
        let spd = &a * a.adjoint();
        let l = run(Routine::Cholesky, std::slice::from_ref(&spd), &[(n, n)]).unwrap().remove(0);
        assert!(distance(&(&l * l.adjoint()), &spd) < 1e-9, "{n}");
        let [w, v] =
            <[_; 2]>::try_from(run(Routine::Eigh, std::slice::from_ref(&spd), &[(n, 1), (n, n)]).unwrap())
                .unwrap();
        assert!(distance(&(&v * diagonal(&w)), &(&spd * &v)) < 1e-8, "{n}");
        let only = run(Routine::Eigh, &[spd], &[(n, 1), (0, 0)]).unwrap().remove(0);
        assert!(distance(&only, &w) < 1e-8);
        for (rows, columns) in [(n, n), (n + 2, n), (n, n + 2)] {
            let a = make(rows, columns);
            let k = n.min(rows);
            let qr = run(Routine::Qr, std::slice::from_ref(&a), &[(rows, k), (k, columns)]).unwrap();
            assert!(distance(&(&qr[0] * &qr[1]), &a) < 1e-9);
            let qr = run(Routine::Qr, std::slice::from_ref(&a), &[(rows, rows), (rows, columns)]).unwrap();
            assert!(distance(&(&qr[0] * &qr[1]), &a) < 1e-9);
            let svd =
                run(Routine::Svd, std::slice::from_ref(&a), &[(rows, k), (k, 1), (k, columns)]).unwrap();
            assert!(distance(&(&svd[0] * diagonal(&svd[1]) * &svd[2]), &a) < 1e-9);
            let full =
                run(Routine::Svd, std::slice::from_ref(&a), &[(rows, rows), (k, 1), (columns, columns)])
                    .unwrap();
            assert_eq!((full[0].shape(), full[2].shape()), ((rows, rows), (columns, columns)));
            let only = run(Routine::Svd, &[a], &[(0, 0), (k, 1), (0, 0)]).unwrap();
            assert!(distance(&only[1], &svd[1]) < 1e-9 && distance(&full[1], &svd[1]) < 1e-9);
        }
    }
}

#[test]
fn factors_multiply_to_the_matrix() {
    check(matrix);
    check(complex);
}

#[test]
fn eigenvectors_of_any_matrix() {
    let a = complex(6, 6);
    let [w, v] =
        <[_; 2]>::try_from(run(Routine::Eig, std::slice::from_ref(&a), &[(6, 1), (6, 6)]).unwrap()).unwrap();
    assert!(distance(&(&v * diagonal(&w)), &(&a * &v)) < 1e-9);
    assert!((v.col(2).norm_l2() - 1.0).abs() < 1e-12);
}

#[test]
fn determinants_have_a_sign() {
    let slogdet = |a: Mat<f64>| run(Routine::Slogdet, &[a], &[(2, 1)]).unwrap().remove(0);
    let swap = slogdet(faer::mat![[0.0, 2.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_eq!((swap[(0, 0)], swap[(1, 0)]), (-1.0, 6.0_f64.ln()));
    let singular = slogdet(faer::mat![[1.0, 2.0], [2.0, 4.0]]);
    assert_eq!((singular[(0, 0)], singular[(1, 0)]), (0.0, f64::NEG_INFINITY));
    let nothing = slogdet(Mat::new());
    assert_eq!((nothing[(0, 0)], nothing[(1, 0)]), (1.0, 0.0));
}

#[test]
fn what_has_no_result_says_why() {
    let flat = faer::mat![[1.0, 2.0], [2.0, 4.0]];
    let one =
        |routine, a: &Mat<f64>| run(routine, &[a.clone(), a.clone()], &[(2, 2), (2, 2), (2, 2)]).unwrap_err();
    assert_eq!(one(Routine::Solve, &flat), Failure::Singular);
    assert_eq!(one(Routine::Cholesky, &faer::mat![[1.0, 2.0], [2.0, 1.0]]), Failure::NotPositiveDefinite);
    let nan = faer::mat![[f64::NAN, 2.0], [2.0, 1.0]];
    let l = run(Routine::Cholesky, std::slice::from_ref(&nan), &[(2, 2)]).unwrap().remove(0);
    assert!(l[(0, 0)].is_nan() && l[(1, 1)].is_nan() && l[(0, 1)] == 0.0);
    assert_eq!(one(Routine::Svd, &nan), Failure::Svd);
    assert_eq!(one(Routine::Eigh, &nan), Failure::Eigenvalues);
    assert_eq!(one(Routine::Eig, &nan), Failure::NotFinite);
}
