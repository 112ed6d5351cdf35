//! Routines of the field's libraries: what an operation of array or loop IR calls as it is.

/// A routine. Its operands are arrays that it reads, then arrays all of whose elements it writes, which overlap no
/// other; it has no results. Shapes fit together, which is for the caller to see to. Matrices have two axes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Routine {
    /// `(x, out, scale)`: the Fourier transform along the last axis, of complex arrays, times a f64. At least one
    /// element along the last axis, which holds for the four transforms.
    Fft,
    /// `(x, out, scale)`: with the other sign in the exponent.
    InverseFft,
    /// `(x, out, scale)`: of n real values the first n / 2 + 1 complex ones.
    RealFft,
    /// `(x, out, scale)`: from n / 2 + 1 complex values n real ones.
    InverseRealFft,
    /// `(a, b, x)`: solves `a x = b`. LinAlgError where `a` is singular.
    Solve,
    /// `(a, out)`: two values, the determinant's sign and the logarithm of its absolute value.
    Slogdet,
    /// `(a, l)`: `l lᴴ = a`, by the lower triangle of `a`. LinAlgError where it is not positive definite.
    Cholesky,
    /// `(a, q, r)`: `q r = a`; q is m × m or m × min(m, n).
    Qr,
    /// `(a, u, s, vᴴ)`: singular values, descending, and their vectors: all, min(m, n), or none where both are empty.
    /// LinAlgError where they cannot be found.
    Svd,
    /// `(a, w, v)`: eigenvalues, ascending, and eigenvectors (none where v is empty), by the lower triangle of `a`.
    Eigh,
    /// `(a, w, v)`: eigenvalues and eigenvectors of a complex matrix.
    Eig,
    /// `(a, order)`: the indices, int64, that sort a vector of any element type: stable, NaN last. Raises nothing.
    Argsort,
    /// `(a, kth, out)`: a vector's elements, those of some ranks (int64, in 0..length) in their places, NaN last. Raises nothing.
    Partition,
    /// `(a, kth, order)`: the indices, int64, that do so. Raises nothing.
    Argpartition,
    /// `(indptr, indices, data, x, y)`: a sparse matrix in compressed rows times a vector or matrix. ValueError where a row
    /// is not within the arrays, or an index not among the rows of `x`.
    CsrTimes,
    /// `(rows, columns, data, b, x)`: solves `a x = b` for matrices `b` and `x`, where `a` is sparse and has these entries (places
    /// int64, entries of one place are added), all of float64 or complex128. NaN where `a` is singular. ValueError where a place is
    /// outside.
    SparseSolve,
    /// `(seed, generator)`: makes a random generator of the words of a seed, uint32, the least significant one of each number
    /// first. Raises nothing.
    SeedGenerator,
    /// `(x, code, out)`: a special function of one number or two, the rows of a matrix of float64, by the code in a vector of
    /// one element. Raises nothing.
    Special,
}

impl Routine {
    pub const ALL: [Self; 18] = [
        Self::Fft,
        Self::InverseFft,
        Self::RealFft,
        Self::InverseRealFft,
        Self::Solve,
        Self::Slogdet,
        Self::Cholesky,
        Self::Qr,
        Self::Svd,
        Self::Eigh,
        Self::Eig,
        Self::Argsort,
        Self::Partition,
        Self::Argpartition,
        Self::CsrTimes,
        Self::SparseSolve,
        Self::SeedGenerator,
        Self::Special,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fft => "fft",
            Self::InverseFft => "inverse_fft",
            Self::RealFft => "real_fft",
            Self::InverseRealFft => "inverse_real_fft",
            Self::Solve => "solve",
            Self::Slogdet => "slogdet",
            Self::Cholesky => "cholesky",
            Self::Qr => "qr",
            Self::Svd => "svd",
            Self::Eigh => "eigh",
            Self::Eig => "eig",
            Self::Argsort => "argsort",
            Self::Partition => "partition",
            Self::Argpartition => "argpartition",
            Self::CsrTimes => "csr_times",
            Self::SparseSolve => "sparse_solve",
            Self::SeedGenerator => "seed_generator",
            Self::Special => "special",
        }
    }

    /// Whether a scale follows the arrays.
    #[must_use]
    pub const fn is_transform(self) -> bool {
        matches!(self, Self::Fft | Self::InverseFft | Self::RealFft | Self::InverseRealFft)
    }

    /// The number of arrays that are read.
    #[must_use]
    pub const fn inputs(self) -> usize {
        match self {
            Self::Solve | Self::Partition | Self::Argpartition | Self::Special => 2,
            Self::CsrTimes | Self::SparseSolve => 4,
            _ => 1,
        }
    }

    /// The number of arrays that are written.
    #[must_use]
    pub const fn outputs(self) -> usize {
        match self {
            Self::Svd => 3,
            Self::Qr | Self::Eigh | Self::Eig => 2,
            _ => 1,
        }
    }
}
