//! The words of the language that are no names of the library, with what an editor says of them.

/// What kind of word it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It begins a statement or is a part of one.
    Statement,
    /// It stands in annotations.
    Type,
}

/// A word and what it means.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// As it is written.
    pub name: &'static str,
    /// What kind of word it is.
    pub kind: Kind,
    /// One or two sentences; empty for words that mean what they mean in Python.
    pub doc: &'static str,
}

macro_rules! words {
    ($($kind:ident { $($name:literal $doc:literal,)* })*) => {
        /// All words.
        pub const WORDS: &[Word] = &[$($(Word { name: $name, kind: Kind::$kind, doc: $doc },)*)*];
    };
}

words! {
    Statement {
        "pfor" "`pfor i in range(…):` runs the iterations of a loop on all processors, in no order. They must not read what others write; \
            sums, products, minima, counts and appends are combined in a fixed order.",
        "async" "`async:` runs its block as a task. It sees the values that variables have now, and the same arrays.",
        "finish" "`finish:` waits at the end of its block for all tasks that were started in it.",
        "isolated" "`isolated:` runs its block while no other `isolated:` block runs.",
        "and" "", "as" "", "assert" "", "break" "", "continue" "", "def" "", "del" "", "elif" "", "else" "", "for" "", "from" "",
        "if" "", "import" "", "in" "", "is" "", "lambda" "", "not" "", "or" "", "pass" "", "raise" "", "return" "", "while" "",
        "with" "", "True" "", "False" "", "None" "",
    }
    Type {
        "Array" "`Array(T, n)`: an array of NumPy with `n` dimensions and elements of type `T`. Without `n` the uses say how many there are.",
        "List" "`List(T)`: a list of numbers, of tuples of numbers, of arrays, or of such lists.",
        "Dict" "`Dict(K, V)`: a dict with keys of type `K` and values of type `V`.",
        "Set" "`Set(K)`: a set.",
        "Tuple" "`Tuple(A, B)`: a tuple whose items have these types.",
        "Heap" "`Heap(K)`, `Heap(K, V)`: a heap of keys, or of keys with values.",
        "SparseMat" "`SparseMat(T)`: a sparse matrix in compressed rows, as `scipy.sparse.csr_matrix`; `*` is an error, `@` the matrix product.",
        "SparseArray" "`SparseArray(T, 2)`: a sparse array in compressed rows, as `scipy.sparse.csr_array`; `*` is elementwise.",
    }
}

/// What is known of a word.
pub fn find(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name == name)
}
