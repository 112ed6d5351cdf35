//! cuBLAS: products of matrices by columns, and multiples of vectors.

use super::{Codes, Element, Made, call, issue, made, stream, times, workspace};
use crate::driver::pointer::{In, Out};
use crate::driver::state::Handle;
use crate::memory::Memory;
use std::collections::BTreeMap;
use std::ffi::{c_int, c_longlong};
use std::sync::Mutex;

const CODES: Codes = Codes { no_memory: 3, invalid_value: 7, failed: 13, not_supported: 15 };

/// Streams by handle.
static HANDLES: Made<Handle> = Mutex::new(BTreeMap::new());

#[unsafe(no_mangle)]
pub extern "C" fn cublasCreate_v2(out: Out<u64>) -> c_int {
    call(&CODES, |driver| {
        workspace(driver, &CODES)?;
        let handle = driver.handle();
        made(&HANDLES).insert(handle, 0);
        out.set(handle).map_err(|_| CODES.invalid_value)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cublasSetStream_v2(handle: u64, to: Handle) -> c_int {
    call(&CODES, |driver| {
        let to = stream(driver, &CODES, to)?;
        made(&HANDLES).get_mut(&handle).map(|stream| *stream = to).ok_or(1)
    })
}

/// A matrix by columns: whether it is transposed before use, and the elements between columns.
#[derive(Clone, Copy)]
struct Matrix {
    address: u64,
    is_transposed: bool,
    leading: i64,
    /// Elements from one matrix of a batch to the next.
    apart: i64,
}

impl Matrix {
    fn new(operation: c_int, address: u64, leading: c_int, apart: c_longlong) -> Result<Self, c_int> {
        match operation {
            0 | 1 => Ok(Self { address, is_transposed: operation == 1, leading: leading.into(), apart }),
            _ => Err(CODES.not_supported),
        }
    }

    /// As stored, it has so many rows.
    fn check(&self, rows: i64, columns: i64) -> Result<(), c_int> {
        let stored = if self.is_transposed { columns } else { rows };
        if self.leading < stored.max(1) { Err(CODES.invalid_value) } else { Ok(()) }
    }

    const fn at(&self, batch: i64, row: i64, column: i64) -> i64 {
        let (row, column) = if self.is_transposed { (column, row) } else { (row, column) };
        batch * self.apart + row + column * self.leading
    }
}

struct Product {
    element: Element,
    sizes: [i64; 3],
    alpha: (f64, f64),
    a: Matrix,
    b: Matrix,
    c: Matrix,
    batch: i64,
}

impl Product {
    fn run(&self, memory: &mut Memory) -> Result<(), crate::fault::Fault> {
        let [m, n, k] = self.sizes;
        for batch in 0..self.batch {
            for column in 0..n {
                for row in 0..m {
                    let mut sum = (0.0, 0.0);
                    for step in 0..k {
                        let x = self.element.read(memory, self.a.address, self.a.at(batch, row, step))?;
                        let y = self.element.read(memory, self.b.address, self.b.at(batch, step, column))?;
                        let product = if self.element.is_complex { times(x, y) } else { (x.0 * y.0, 0.0) };
                        sum = (sum.0 + product.0, sum.1 + product.1);
                    }
                    let value = if self.alpha == (1.0, 0.0) { sum } else { times(self.alpha, sum) };
                    self.element.write(memory, self.c.address, self.c.at(batch, row, column), value)?;
                }
            }
        }
        Ok(())
    }
}

fn number(element: Element, host: In<u8>) -> Result<(f64, f64), c_int> {
    let float = |at: usize| -> Result<f64, c_int> {
        let size = if element.is_double { 8 } else { 4 };
        let bytes = (0..size).map(|i| host.at(at * size + i)).collect::<Result<Vec<u8>, _>>();
        let bytes = bytes.map_err(|_| CODES.invalid_value)?;
        Ok(match bytes[..] {
            [a, b, c, d] => f64::from(f32::from_le_bytes([a, b, c, d])),
            _ => f64::from_le_bytes(bytes.try_into().expect("eight bytes")),
        })
    };
    Ok((float(0)?, if element.is_complex { float(1)? } else { 0.0 }))
}

/// As cuBLAS's functions have them: `C = alpha A B`, since `beta` has to be 0 here.
struct Arguments {
    handle: u64,
    operations: [c_int; 2],
    sizes: [c_int; 3],
    alpha: In<u8>,
    a: (u64, c_int, c_longlong),
    b: (u64, c_int, c_longlong),
    beta: In<u8>,
    c: (u64, c_int, c_longlong),
    batch: c_int,
}

fn gemm(name: &'static str, element: Element, arguments: Arguments) -> c_int {
    call(&CODES, |driver| {
        let to = *made(&HANDLES).get(&arguments.handle).ok_or(1)?;
        let to = stream(driver, &CODES, to)?;
        let sizes = arguments.sizes.map(i64::from);
        let [m, n, k] = sizes;
        if sizes.iter().any(|&size| size < 0) || arguments.batch < 0 {
            return Err(CODES.invalid_value);
        }
        let matrix = |operation, (address, leading, apart)| Matrix::new(operation, address, leading, apart);
        let (a, b) =
            (matrix(arguments.operations[0], arguments.a)?, matrix(arguments.operations[1], arguments.b)?);
        let c = matrix(0, arguments.c)?;
        a.check(m, k)?;
        b.check(k, n)?;
        c.check(m, n)?;
        if number(element, arguments.beta)? != (0.0, 0.0) {
            return Err(CODES.not_supported);
        }
        let alpha = number(element, arguments.alpha)?;
        let product = Product { element, sizes, alpha, a, b, c, batch: arguments.batch.into() };
        issue(driver, to, name, Box::new(move |memory| product.run(memory)));
        Ok(())
    })
}

macro_rules! functions {
    ($($gemm:ident $batched:ident $is_double:literal $is_complex:literal)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $gemm(
            handle: u64, op_a: c_int, op_b: c_int, m: c_int, n: c_int, k: c_int, alpha: In<u8>, a: u64, lda: c_int, b: u64,
            ldb: c_int, beta: In<u8>, c: u64, ldc: c_int,
        ) -> c_int {
            let (operations, sizes) = ([op_a, op_b], [m, n, k]);
            let (a, b, c) = ((a, lda, 0), (b, ldb, 0), (c, ldc, 0));
            let element = Element { is_double: $is_double, is_complex: $is_complex };
            gemm(stringify!($gemm), element, Arguments { handle, operations, sizes, alpha, a, b, beta, c, batch: 1 })
        }

        #[unsafe(no_mangle)]
        pub extern "C" fn $batched(
            handle: u64, op_a: c_int, op_b: c_int, m: c_int, n: c_int, k: c_int, alpha: In<u8>, a: u64, lda: c_int,
            a_apart: c_longlong, b: u64, ldb: c_int, b_apart: c_longlong, beta: In<u8>, c: u64, ldc: c_int, c_apart: c_longlong,
            batch: c_int,
        ) -> c_int {
            let (operations, sizes) = ([op_a, op_b], [m, n, k]);
            let (a, b, c) = ((a, lda, a_apart), (b, ldb, b_apart), (c, ldc, c_apart));
            let element = Element { is_double: $is_double, is_complex: $is_complex };
            gemm(stringify!($batched), element, Arguments { handle, operations, sizes, alpha, a, b, beta, c, batch })
        }
    )*};
}

functions! {
    cublasSgemm_v2 cublasSgemmStridedBatched false false
    cublasDgemm_v2 cublasDgemmStridedBatched true false
    cublasCgemm_v2 cublasCgemmStridedBatched false true
    cublasZgemm_v2 cublasZgemmStridedBatched true true
}

fn scal(
    name: &'static str,
    element: Element,
    handle: u64,
    n: c_int,
    alpha: In<u8>,
    x: u64,
    step: c_int,
) -> c_int {
    call(&CODES, |driver| {
        let to = *made(&HANDLES).get(&handle).ok_or(1)?;
        let to = stream(driver, &CODES, to)?;
        let by = number(element, alpha)?.0;
        let task = move |memory: &mut Memory| {
            for at in (0..i64::from(n)).map(|i| i * i64::from(step)) {
                let value = element.read(memory, x, at)?.0;
                let product =
                    if element.is_double { value * by } else { f64::from(value as f32 * by as f32) };
                element.write(memory, x, at, (product, 0.0))?;
            }
            Ok(())
        };
        issue(driver, to, name, Box::new(task));
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cublasSscal_v2(handle: u64, n: c_int, alpha: In<u8>, x: u64, step: c_int) -> c_int {
    scal("cublasSscal_v2", Element { is_double: false, is_complex: false }, handle, n, alpha, x, step)
}

#[unsafe(no_mangle)]
pub extern "C" fn cublasDscal_v2(handle: u64, n: c_int, alpha: In<u8>, x: u64, step: c_int) -> c_int {
    scal("cublasDscal_v2", Element { is_double: true, is_complex: false }, handle, n, alpha, x, step)
}
