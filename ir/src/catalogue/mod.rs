//! The catalogue: every library function once, with its names, parameters, type rule, algebra and
//! documentation. Inference, did-you-mean suggestions and the reference are driven by this table; no other
//! place matches the name of a library function.
//!
//! To add a function: add an [`Entry`] to the table of its kind. If it can be written in the language, its
//! algebra is [`Algebra::Prelude`] and its text stands in `frontend/src/prelude/`.

mod access;
mod algebra;
mod applied;
mod bisect;
mod builtin;
mod cmath;
mod creation;
mod dicts;
mod elementwise;
mod forms;
mod fourier;
mod heaps;
mod itertools;
mod joining;
pub mod limits;
mod linalg;
mod lists;
mod lookup;
mod masks;
mod numeric;
mod planned;
mod prelude;
mod python_random;
mod random;
mod ranges;
mod reduction;
pub mod reference;
mod scipy;
mod sharing;
mod sorting;
mod spaces;
mod sparse;
mod sparse_make;
mod sparse_products;
mod special;
mod splitting;
mod summary;
mod windows;

pub use algebra::{
    Accumulate, Algebra, Applied, BisectOp, Builtin, Creation, DTypeAttribute, DictOp, HeapOp, Itertool,
    Promote, Shape, SparsePart, Test, dtype_attribute,
};
pub use elementwise::UfuncMethod;
pub use forms::{Form, attribute_takes_generator, goes_over_all, takes_generator};
pub use lists::ListMethod;
pub use lookup::{Found, find, is_planned, names};
pub use masks::{GroupOperation, MaskOperation};
pub use ranges::RangeOperation;
pub use sharing::{Sharing, changes_container, container_sharing};
pub use spaces::{Names, Space};
pub use sparse::{is_by_method, is_for_any_form, keeps_form};
pub use sparse_products::SparseOperation;

/// What stands for a parameter that a call leaves out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Default {
    Required,
    None,
    /// A text, which tells it from None where both mean different things.
    LeftOut,
    Bool(bool),
    Int(i64),
    /// Takes all further positional arguments; the last parameter.
    Rest,
}

/// What a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    Value,
    /// What a function takes element by element: an array without axes is its number, and Python's bool is NumPy's.
    Operand,
    /// A type: `np.float32`, `float64()`, `"int64"`, `a.dtype`.
    DType,
    /// An array that is written to, or asked for what lists do not have: no list becomes one.
    Array,
    /// Several values, where a display of a list is as good as a tuple: shapes, axes, contents.
    Display,
    /// Tuples of anything; a display of a list, nested or not, is an array.
    Contents,
    /// What is stored in the first argument: as an array of its type, whose numbers fit as on assignment.
    Stored,
    /// A number or text that chooses among ways: where it is known when the program is compiled, a constant.
    Choice,
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Param {
    pub name: &'static str,
    pub default: Default,
    pub kind: ParamKind,
    /// The argument must be known when the program is compiled (an axis, a flag); prelude functions are
    /// specialised for it.
    pub constant: bool,
}

/// A library function.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Entry {
    names: Names,
    pub params: &'static [Param],
    pub algebra: Algebra,
    /// Shapes, units, errors; one or two sentences.
    pub doc: &'static str,
    pub sharing: Sharing,
    /// Whether it changes the container that it is a method of.
    pub changes: bool,
}

impl Param {
    /// Whether it counts elements, places, axes or digits, as parameters of these names do: such numbers are Python's, so that what is
    /// computed of them does not wrap in a narrower type.
    #[must_use]
    pub fn counts(&self) -> bool {
        matches!(
            self.name,
            "axis"
                | "bins"
                | "count"
                | "ddof"
                | "decimals"
                | "deg"
                | "dims"
                | "hi"
                | "high"
                | "indices_or_sections"
                | "k"
                | "kernel_size"
                | "kth"
                | "lo"
                | "low"
                | "M"
                | "maxiter"
                | "minlength"
                | "N"
                | "n"
                | "new_shape"
                | "num"
                | "offset"
                | "pad_width"
                | "radius"
                | "repeats"
                | "reps"
                | "shape"
                | "shift"
                | "size"
                | "window_shape"
        )
    }
}

const fn req(name: &'static str) -> Param {
    Param { name, default: Default::Required, kind: ParamKind::Value, constant: false }
}

const fn array(name: &'static str) -> Param {
    Param { name, default: Default::Required, kind: ParamKind::Array, constant: false }
}

const fn operand(name: &'static str) -> Param {
    Param { name, default: Default::Required, kind: ParamKind::Operand, constant: false }
}

const fn opt(name: &'static str) -> Param {
    Param { name, default: Default::None, kind: ParamKind::Value, constant: false }
}

const fn int(name: &'static str, value: i64) -> Param {
    Param { name, default: Default::Int(value), kind: ParamKind::Value, constant: false }
}

const fn axis() -> Param {
    Param { name: "axis", default: Default::None, kind: ParamKind::Display, constant: true }
}

const fn flag(name: &'static str, value: bool) -> Param {
    Param { name, default: Default::Bool(value), kind: ParamKind::Value, constant: true }
}

const fn fixed(param: Param) -> Param {
    Param { constant: true, ..param }
}

const fn dtype() -> Param {
    Param { name: "dtype", default: Default::None, kind: ParamKind::DType, constant: true }
}

const fn display(name: &'static str) -> Param {
    Param { name, default: Default::Required, kind: ParamKind::Display, constant: false }
}

const fn stored(name: &'static str) -> Param {
    Param { name, default: Default::Required, kind: ParamKind::Stored, constant: false }
}

const fn rest(name: &'static str) -> Param {
    Param { name, default: Default::Rest, kind: ParamKind::Value, constant: false }
}

/// An entry without names; [`Entry::within`] adds them, and [`Entry::np`] and its like do for spaces with many.
const fn entry(params: &'static [Param], algebra: Algebra, doc: &'static str) -> Entry {
    Entry { names: Names::NONE, params, algebra, doc, sharing: Sharing::None, changes: false }
}

/// An entry whose function is written in the language.
const fn written(
    params: &'static [Param],
    file: &'static str,
    function: &'static str,
    doc: &'static str,
) -> Entry {
    entry(params, Algebra::Prelude { file, function }, doc)
}

impl Entry {
    /// That it gives a new container.
    const fn makes(self) -> Self {
        Self { sharing: Sharing::New, ..self }
    }

    /// That it may give the container that it is given, or a part of it.
    const fn shares(self) -> Self {
        Self { sharing: Sharing::Shared, ..self }
    }

    /// That it changes its receiver.
    const fn changes(self) -> Self {
        Self { changes: true, ..self }
    }

    /// The same function by further names.
    const fn within(self, space: Space, names: &[&'static str]) -> Self {
        Self { names: self.names.and(space, names), ..self }
    }

    const fn np(self, names: &[&'static str]) -> Self {
        self.within(Space::Numpy, names)
    }

    const fn math(self, names: &[&'static str]) -> Self {
        self.within(Space::Math, names)
    }

    const fn cmath(self, names: &[&'static str]) -> Self {
        self.within(Space::Cmath, names)
    }

    const fn bare(self, names: &[&'static str]) -> Self {
        self.within(Space::Bare, names)
    }

    const fn linalg(self, names: &[&'static str]) -> Self {
        self.within(Space::Linalg, names)
    }

    const fn fft(self, names: &[&'static str]) -> Self {
        self.within(Space::Fft, names)
    }

    const fn method(self, names: &[&'static str]) -> Self {
        self.within(Space::Method, names)
    }

    const fn attribute(self, names: &[&'static str]) -> Self {
        self.within(Space::Attribute, names)
    }

    const fn sparse(self, names: &[&'static str]) -> Self {
        self.within(Space::Sparse, names)
    }

    const fn sparse_attribute(self, names: &[&'static str]) -> Self {
        self.within(Space::SparseAttribute, names)
    }

    const fn dict(self, names: &[&'static str]) -> Self {
        self.within(Space::Dict, names)
    }

    const fn set(self, names: &[&'static str]) -> Self {
        self.within(Space::Set, names)
    }

    const fn collections(self, names: &[&'static str]) -> Self {
        self.within(Space::Collections, names)
    }

    const fn heapq(self, names: &[&'static str]) -> Self {
        self.within(Space::Heapq, names)
    }

    const fn bisect(self, names: &[&'static str]) -> Self {
        self.within(Space::Bisect, names)
    }

    const fn itertools(self, names: &[&'static str]) -> Self {
        self.within(Space::Itertools, names)
    }

    const fn special(self, names: &[&'static str]) -> Self {
        self.within(Space::Special, names)
    }

    const fn scipy_sparse(self, names: &[&'static str]) -> Self {
        self.within(Space::SciPySparse, names)
    }

    const fn random(self, names: &[&'static str]) -> Self {
        self.within(Space::Random, names)
    }

    const fn internal(self, names: &[&'static str]) -> Self {
        self.within(Space::Internal, names)
    }

    /// What it is called: each name with the space that it stands in.
    #[must_use]
    pub fn names(&self) -> &[(Space, &'static str)] {
        self.names.get()
    }
}

/// All tables.
pub const TABLES: &[&[Entry]] = &[
    elementwise::ENTRIES,
    reduction::ENTRIES,
    creation::ENTRIES,
    access::ENTRIES,
    applied::ENTRIES,
    linalg::ENTRIES,
    fourier::ENTRIES,
    builtin::ENTRIES,
    prelude::ENTRIES,
    sparse::ENTRIES,
    sparse_make::ENTRIES,
    joining::ENTRIES,
    sorting::ENTRIES,
    summary::ENTRIES,
    numeric::ENTRIES,
    splitting::ENTRIES,
    windows::ENTRIES,
    dicts::ENTRIES,
    heaps::ENTRIES,
    bisect::ENTRIES,
    itertools::ENTRIES,
    cmath::ENTRIES,
    special::ENTRIES,
    random::ENTRIES,
    python_random::ENTRIES,
    scipy::ENTRIES,
];
