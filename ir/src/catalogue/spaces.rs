//! Where the names of library functions stand: modules, methods and attributes. A line of the table is all that a
//! namespace needs.

/// Makes [`Space`] and its tables of lines `Space = "path of the module", "how programs spell it, up to the name";`.
macro_rules! spaces {
    ($($(#[$doc:meta])* $space:ident = $path:literal, $prefix:literal;)*) => {
        /// Where a name is looked up.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Space {
            $($(#[$doc])* $space,)*
        }

        impl Space {
            /// All spaces, in the order in which the reference names what they have.
            pub const ALL: &[Self] = &[$(Self::$space,)*];

            /// The path of the module; empty for methods, attributes and what is not seen.
            #[must_use]
            pub const fn path(self) -> &'static str {
                match self {
                    $(Self::$space => $path,)*
                }
            }

            /// What stands before a name: `np.linalg.`, or a dot for methods and attributes.
            #[must_use]
            pub const fn prefix(self) -> &'static str {
                match self {
                    $(Self::$space => $prefix,)*
                }
            }
        }
    };
}

spaces! {
    Numpy = "numpy", "np.";
    Linalg = "numpy.linalg", "np.linalg.";
    Fft = "numpy.fft", "np.fft.";
    Math = "math", "math.";
    Cmath = "cmath", "cmath.";
    /// Without a prefix: Python's built-in functions, Intrepydd's names, `from pydd import *`.
    Bare = "pydd", "";
    /// A method of an array or number.
    Method = "", ".";
    /// An attribute of an array or number.
    Attribute = "", ".";
    /// A method of a sparse matrix; also what a function of that name means for one.
    Sparse = "", ".";
    /// An attribute of a sparse matrix.
    SparseAttribute = "", ".";
    /// A method of a dict.
    Dict = "", ".";
    /// A method of a set.
    Set = "", ".";
    Collections = "collections", "collections.";
    Heapq = "heapq", "heapq.";
    Bisect = "bisect", "bisect.";
    Itertools = "itertools", "itertools.";
    Chain = "itertools.chain", "itertools.chain.";
    Functools = "functools", "functools.";
    Operator = "operator", "operator.";
    Time = "time", "time.";
    /// Python's own module.
    PythonRandom = "random", "random.";
    Scipy = "scipy", "scipy.";
    Special = "scipy.special", "scipy.special.";
    SciPySparse = "scipy.sparse", "scipy.sparse.";
    SparseLinalg = "scipy.sparse.linalg", "scipy.sparse.linalg.";
    CsGraph = "scipy.sparse.csgraph", "scipy.sparse.csgraph.";
    SciPyLinalg = "scipy.linalg", "scipy.linalg.";
    Signal = "scipy.signal", "scipy.signal.";
    NdImage = "scipy.ndimage", "scipy.ndimage.";
    Spatial = "scipy.spatial", "scipy.spatial.";
    Distance = "scipy.spatial.distance", "scipy.spatial.distance.";
    Integrate = "scipy.integrate", "scipy.integrate.";
    Random = "numpy.random", "np.random.";
    Lib = "numpy.lib", "np.lib.";
    StrideTricks = "numpy.lib.stride_tricks", "np.lib.stride_tricks.";
    /// A method of a random generator.
    Generator = "", ".";
    /// For the library's own functions.
    Internal = "", "";
}

impl Space {
    /// The module that a path names.
    #[must_use]
    pub fn of_module(path: &str) -> Option<Self> {
        let path = if path == "builtins" { Self::Bare.path() } else { path };
        Self::modules().find(|space| space.path() == path)
    }

    /// All modules.
    pub fn modules() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|space| !space.path().is_empty())
    }

    /// The module inside this one that has a name.
    #[must_use]
    pub fn inside(self, name: &str) -> Option<Self> {
        Self::modules().find(|inner| inner.path().rsplit_once('.') == Some((self.path(), name)))
    }

    /// A name as programs write it.
    #[must_use]
    pub fn spelled(self, name: &str) -> String {
        format!("{}{name}", self.prefix())
    }
}

/// The names of a function, each with its space. Its room is fixed, since the catalogue's tables are constants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Names {
    all: [(Space, &'static str); Self::MOST],
    count: usize,
}

impl Names {
    const MOST: usize = 12;
    pub(super) const NONE: Self = Self { all: [(Space::Internal, ""); Self::MOST], count: 0 };

    /// These and others; more than there is room for is an error when the catalogue is compiled.
    pub(super) const fn and(mut self, space: Space, names: &[&'static str]) -> Self {
        let mut at = 0;
        while at < names.len() {
            self.all[self.count] = (space, names[at]);
            self.count += 1;
            at += 1;
        }
        self
    }

    pub(super) fn get(&self) -> &[(Space, &'static str)] {
        &self.all[..self.count]
    }
}
