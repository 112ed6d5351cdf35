//! Routines of the field's libraries: what an operation of array or loop IR calls as it is.
//!
//! A row of the table below says all that the compiler knows of one; the runtime's table has a function of its name.

use crate::op::LibOp;
use crate::types::DType;

/// The element type and the number of axes of an array.
pub type Operand = (DType, u8);

/// What is true of a routine.
#[derive(Clone, Copy, Debug)]
pub struct RoutineFacts {
    /// In the text form, and in the runtime's table.
    pub name: &'static str,
    /// The number of arrays that are read.
    pub inputs: usize,
    /// The number of arrays that are written, which follow those.
    pub outputs: usize,
    /// Whether a f64 follows the arrays, by which the result is multiplied.
    pub is_scaled: bool,
    /// Whether it may raise something else than MemoryError.
    pub raises: bool,
    /// Whether it takes arrays of these kinds, as many as it has inputs and outputs.
    pub takes: fn(&[Operand]) -> bool,
}

macro_rules! routines {
    ($($(#[doc = $doc:literal])* $variant:ident => $name:ident($inputs:literal -> $outputs:literal, $scale:ident, $raises:ident): $takes:ident,)*) => {
        /// A routine. Its operands are arrays that it reads, then arrays all of whose elements it writes, which overlap no
        /// other; it has no results. Shapes fit together, which is for the caller to see to. Matrices have two axes.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Routine {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Routine {
            pub const ALL: [Self; [$(Self::$variant),*].len()] = [$(Self::$variant),*];

            #[must_use]
            pub const fn facts(self) -> RoutineFacts {
                match self {
                    $(Self::$variant => RoutineFacts {
                        name: stringify!($name),
                        inputs: $inputs,
                        outputs: $outputs,
                        is_scaled: routines!(@ $scale),
                        raises: routines!(@ $raises),
                        takes: $takes,
                    },)*
                }
            }
        }
    };
    (@ scaled) => { true };
    (@ plain) => { false };
    (@ raises) => { true };
    (@ total) => { false };
}

routines! {
    /// `(x, out, scale)`: the Fourier transform along the last axis, of complex arrays, times a f64. At least one
    /// element along the last axis, which holds for the four transforms.
    Fft => fft(1 -> 1, scaled, raises): complex_transform,
    /// `(x, out, scale)`: with the other sign in the exponent.
    InverseFft => inverse_fft(1 -> 1, scaled, raises): complex_transform,
    /// `(x, out, scale)`: of n real values the first n / 2 + 1 complex ones.
    RealFft => real_fft(1 -> 1, scaled, raises): real_transform,
    /// `(x, out, scale)`: from n / 2 + 1 complex values n real ones.
    InverseRealFft => inverse_real_fft(1 -> 1, scaled, raises): inverse_real_transform,
    /// `(a, b, x)`: solves `a x = b`. LinAlgError where `a` is singular.
    Solve => solve(2 -> 1, plain, raises): matrices,
    /// `(a, out)`: two values, the determinant's sign and the logarithm of its absolute value.
    Slogdet => slogdet(1 -> 1, plain, raises): matrices,
    /// `(a, l)`: `l lᴴ = a`, by the lower triangle of `a`. LinAlgError where it is not positive definite.
    Cholesky => cholesky(1 -> 1, plain, raises): matrices,
    /// `(a, q, r)`: `q r = a`; q is m × m or m × min(m, n).
    Qr => qr(1 -> 2, plain, raises): matrices,
    /// `(a, u, s, vᴴ)`: singular values, descending, and their vectors: all, min(m, n), or none where both are empty.
    /// LinAlgError where they cannot be found.
    Svd => svd(1 -> 3, plain, raises): matrices,
    /// `(a, w, v)`: eigenvalues, ascending, and eigenvectors (none where v is empty), by the lower triangle of `a`.
    Eigh => eigh(1 -> 2, plain, raises): matrices,
    /// `(a, w, v)`: eigenvalues and eigenvectors of a complex matrix.
    Eig => eig(1 -> 2, plain, raises): matrices,
    /// `(a, order)`: the indices, int64, that sort a vector of any element type: stable, NaN last. Raises nothing.
    Argsort => argsort(1 -> 1, plain, total): order,
    /// `(a, kth, out)`: a vector's elements, those of some ranks (int64, in 0..length) in their places, NaN last. Raises nothing.
    Partition => partition(2 -> 1, plain, total): partition,
    /// `(a, kth, order)`: the indices, int64, that do so. Raises nothing.
    Argpartition => argpartition(2 -> 1, plain, total): argpartition,
    /// `(indptr, indices, data, x, y)`: a sparse matrix in compressed rows times a vector or matrix. ValueError where a row
    /// is not within the arrays, or an index not among the rows of `x`.
    CsrTimes => csr_times(4 -> 1, plain, raises): csr_times,
    /// `(rows, columns, data, b, x)`: solves `a x = b` for matrices `b` and `x`, where `a` is sparse and has these entries (places
    /// int64, entries of one place are added), all of float64 or complex128. NaN where `a` is singular. ValueError where a place is
    /// outside.
    SparseSolve => sparse_solve(4 -> 1, plain, raises): sparse_solve,
    /// `(seed, generator)`: makes a random generator of the words of a seed, uint32, the least significant one of each number
    /// first. Raises nothing.
    SeedGenerator => seed_generator(1 -> 1, plain, total): seed_generator,
    /// `(x, code, out)`: a special function of one number or two, the rows of a matrix of float64, by the code in a vector of
    /// one element. Raises nothing.
    Special => special(2 -> 1, plain, total): special,
    /// `(a, b, out)`: in versions for devices, loop IR's `matmul` of floats or complex numbers, which a device's library may do. Like a loop that a device may run, it
    /// finds arrays where they are. RuntimeError where the device is lost.
    DeviceMatmul => device_matmul(2 -> 1, plain, raises): stacks,
    /// `(x, out, scale)`: likewise `fft`.
    DeviceFft => device_fft(1 -> 1, scaled, raises): complex_transform,
    /// `(x, out, scale)`: likewise `inverse_fft`.
    DeviceInverseFft => device_inverse_fft(1 -> 1, scaled, raises): complex_transform,
    /// `(x, out, scale)`: likewise `real_fft`.
    DeviceRealFft => device_real_fft(1 -> 1, scaled, raises): real_transform,
}

/// What devices' libraries have, with what the processor does instead.
const OFFERED: [(LibOp, Routine); 4] = [
    (LibOp::Matmul, Routine::DeviceMatmul),
    (LibOp::Routine(Routine::Fft), Routine::DeviceFft),
    (LibOp::Routine(Routine::InverseFft), Routine::DeviceInverseFft),
    (LibOp::Routine(Routine::RealFft), Routine::DeviceRealFft),
];

impl LibOp {
    /// The routine that a device's library may do instead, for arrays of such elements.
    #[must_use]
    pub fn for_device(self, dtype: DType) -> Option<Routine> {
        let found = OFFERED.iter().find(|(op, _)| *op == self).filter(|_| is_wide(dtype));
        found.map(|&(_, routine)| routine)
    }
}

impl Routine {
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// What it is on the processor, for those that devices' libraries may do.
    #[must_use]
    pub fn on_processor(self) -> Option<LibOp> {
        OFFERED.iter().find(|(_, routine)| *routine == self).map(|&(op, _)| op)
    }

    /// The number of arrays that are read.
    #[must_use]
    pub const fn inputs(self) -> usize {
        self.facts().inputs
    }

    /// The number of arrays that are written.
    #[must_use]
    pub const fn outputs(self) -> usize {
        self.facts().outputs
    }
}

// ---- what they take ----

const VECTOR_OF_INDICES: Operand = (DType::I64, 1);
/// What holds a random generator.
pub const GENERATOR: Operand = (DType::U64, 1);

fn is_wide(dtype: DType) -> bool {
    dtype.is_float() || dtype.is_complex()
}

fn stacks(arrays: &[Operand]) -> bool {
    is_wide(arrays[0].0) && arrays[0].1 >= 2 && arrays.iter().all(|array| *array == arrays[0])
}

fn complex_transform(arrays: &[Operand]) -> bool {
    arrays[0] == arrays[1] && arrays[0].0.is_complex() && arrays[0].1 > 0
}

fn real_transform(arrays: &[Operand]) -> bool {
    let [(real, rank), (complex, other)] = [arrays[0], arrays[1]];
    real.is_float() && complex.is_complex() && complex.real() == real && rank == other && rank > 0
}

fn inverse_real_transform(arrays: &[Operand]) -> bool {
    real_transform(&[arrays[1], arrays[0]])
}

fn matrices(arrays: &[Operand]) -> bool {
    arrays[0].1 == 2 && arrays.iter().all(|&(dtype, rank)| is_wide(dtype) && (rank == 1 || rank == 2))
}

fn order(arrays: &[Operand]) -> bool {
    arrays[0].1 == 1 && arrays[1] == VECTOR_OF_INDICES
}

fn partition(arrays: &[Operand]) -> bool {
    arrays[0].1 == 1 && arrays[1] == VECTOR_OF_INDICES && arrays[2] == arrays[0]
}

fn argpartition(arrays: &[Operand]) -> bool {
    arrays[0].1 == 1 && arrays[1] == VECTOR_OF_INDICES && arrays[2] == VECTOR_OF_INDICES
}

fn csr_times(arrays: &[Operand]) -> bool {
    let index = |(dtype, rank): Operand| matches!(dtype, DType::I32 | DType::I64) && rank == 1;
    let [begins, indices, data, x, y] = [0, 1, 2, 3, 4].map(|i| arrays[i]);
    index(begins) && index(indices) && data.1 == 1 && x == y && x.0 == data.0 && (x.1 == 1 || x.1 == 2)
}

fn sparse_solve(arrays: &[Operand]) -> bool {
    let [rows, columns, data, b, x] = [0, 1, 2, 3, 4].map(|i| arrays[i]);
    let wide = matches!(data.0, DType::F64 | DType::C128);
    rows == VECTOR_OF_INDICES && columns == rows && wide && data.1 == 1 && b == x && x == (data.0, 2)
}

fn seed_generator(arrays: &[Operand]) -> bool {
    arrays == [(DType::U32, 1), GENERATOR]
}

fn special(arrays: &[Operand]) -> bool {
    arrays == [(DType::F64, 2), (DType::F64, 1), (DType::F64, 1)]
}
