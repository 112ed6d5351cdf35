//! The registry of codes. Each has a page in `frontend/errors`, which `pyddc explain CODE` shows.

use std::fmt;

/// Names the rule that a diagnostic is about; kebab-case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

impl Code {
    /// As it is shown: `undefined-name`.
    pub fn name(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The page about a code.
pub fn explain(code: &str) -> Option<&'static str> {
    let index = PAGES.binary_search_by_key(&code, |(known, _)| known.name()).ok()?;
    Some(PAGES[index].1)
}

/// All codes, in alphabetical order.
pub fn all() -> impl Iterator<Item = Code> {
    PAGES.iter().map(|(code, _)| *code)
}

/// Makes a constant for each code, and the table of pages.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        $($(#[$doc])* pub const $name: Code = Code($code);)*

        static PAGES: &[(Code, &str)] = &[
            $((Code($code), include_str!(concat!("../../errors/", $code, ".md"))),)*
        ];
    };
}

codes! {
    // In alphabetical order, for the search.
    /// How many arrays a call makes.
    ALLOCATIONS = "allocations",
    /// A type has arguments that it does not take, or lacks some.
    ANNOTATION_ARGUMENTS = "annotation-arguments",
    /// A variable is declared with two types.
    ANNOTATION_CONFLICT = "annotation-conflict",
    /// A value does not convert to the annotated type.
    ANNOTATION_CONVERSION = "annotation-conversion",
    /// An annotation is not written as a type.
    ANNOTATION_SYNTAX = "annotation-syntax",
    /// An annotation names a type that does not exist.
    ANNOTATION_UNKNOWN_TYPE = "annotation-unknown-type",
    /// An argument decides about the result's type and must be known when compiling.
    ARGUMENT_NOT_CONSTANT = "argument-not-constant",
    /// An array is computed an element or a row at a time.
    ARRAY_CONTRACTED = "array-contracted",
    /// The elements of an array are numbers.
    ARRAY_IN_REGISTERS = "array-in-registers",
    /// An array is made.
    ARRAY_MADE = "array-made",
    /// Something is assigned to that is no name, element or slice.
    ASSIGN_TO_EXPRESSION = "assign-to-expression",
    /// A function's name is assigned to, or used as a value.
    ASSIGN_TO_FUNCTION = "assign-to-function",
    /// An axis is named that the array does not have.
    AXIS_OUT_OF_RANGE = "axis-out-of-range",
    /// The file is not UTF-8.
    BAD_ENCODING = "bad-encoding",
    /// A line's indentation fits no block.
    BAD_INDENTATION = "bad-indentation",
    /// A string has an escape that means no character.
    BAD_STRING_ESCAPE = "bad-string-escape",
    /// `else` after a parallel loop or block.
    BLOCK_ELSE = "block-else",
    /// An array is used as a condition.
    BOOL_OF_ARRAY = "bool-of-array",
    /// `break` or `continue` outside a loop.
    BREAK_OUTSIDE_LOOP = "break-outside-loop",
    /// Nothing says what type this value has.
    CANNOT_INFER_TYPE = "cannot-infer-type",
    /// Neighbouring columns are gone down side by side.
    COLUMNS_SIDE_BY_SIDE = "columns-side-by-side",
    /// Complex numbers are compared by size.
    COMPLEX_ORDER = "complex-order",
    /// The value of a constant of the module is not known when compiling.
    CONSTANT_NOT_CONSTANT = "constant-not-constant",
    /// A constant does not fit the type that it is used as.
    CONSTANT_OVERFLOW = "constant-overflow",
    /// A copy is not made.
    COPY_LEFT_OUT = "copy-left-out",
    /// The default of a parameter is not a constant.
    DEFAULT_NOT_CONSTANT = "default-not-constant",
    /// A division by the constant zero.
    DIVISION_BY_ZERO = "division-by-zero",
    /// Two arrays must have the same element type here and do not.
    DTYPE_MISMATCH = "dtype-mismatch",
    /// A parameter is given both by position and by name.
    DUPLICATE_ARGUMENT = "duplicate-argument",
    /// A function is defined twice.
    DUPLICATE_FUNCTION = "duplicate-function",
    /// A call gives the same keyword argument twice.
    DUPLICATE_KEYWORD = "duplicate-keyword",
    /// A function has two parameters of the same name.
    DUPLICATE_PARAMETER = "duplicate-parameter",
    /// There is code of its own for equal lengths.
    EQUAL_LENGTHS = "equal-lengths",
    /// The source file is too large.
    FILE_TOO_LARGE = "file-too-large",
    /// `finish:` inside `isolated:`.
    FINISH_IN_ISOLATED = "finish-in-isolated",
    /// A float is used where an integer is needed.
    FLOAT_TO_INT = "float-to-int",
    /// An array is indexed with more indices than it has dimensions.
    INDEX_COUNT = "index-count",
    /// A constant index lies outside.
    INDEX_OUT_OF_RANGE = "index-out-of-range",
    /// Something is used as an index that is no integer, slice, or array of integers or booleans.
    INDEX_TYPE = "index-type",
    /// An in-place operation gives a type that the array cannot hold.
    INPLACE_DTYPE = "inplace-dtype",
    /// An in-place operation gives more dimensions than the array has.
    INPLACE_SHAPE = "inplace-shape",
    /// An integer literal does not fit 64 bits.
    INTEGER_TOO_LARGE = "integer-too-large",
    /// A character has no place in a program.
    INVALID_CHARACTER = "invalid-character",
    /// A number is written wrongly.
    INVALID_NUMBER = "invalid-number",
    /// `is` compares identities, which values of these types do not have.
    IS_OPERATOR = "is-operator",
    /// A function has no parameter of this name.
    KEYWORD_ARGUMENT_UNKNOWN = "keyword-argument-unknown",
    /// `return`, `break` or `continue` jumps out of `async:`, `finish:` or `isolated:`.
    LEAVES_BLOCK = "leaves-block",
    /// A function is compiled with less effort.
    LESS_EFFORT = "less-effort",
    /// A check runs in each iteration of a loop.
    LOOP_CHECK = "loop-check",
    /// Several iterations of a loop run side by side.
    LOOP_IN_LANES = "loop-in-lanes",
    /// A loop is not made parallel.
    LOOP_IN_ORDER = "loop-in-order",
    /// No device runs a loop.
    LOOP_NOT_ON_DEVICE = "loop-not-on-device",
    /// A loop handles one element at a time.
    LOOP_NOT_VECTORIZED = "loop-not-vectorized",
    /// A device can run a loop.
    LOOP_ON_DEVICE = "loop-on-device",
    /// A loop was made parallel.
    LOOP_PARALLEL = "loop-parallel",
    /// A loop handles several elements at a time.
    LOOP_VECTORIZED = "loop-vectorized",
    /// A loop was compiled with and without checks.
    LOOP_VERSIONED = "loop-versioned",
    /// Two loops over one range stay two.
    LOOPS_APART = "loops-apart",
    /// Loops over one range are one.
    LOOPS_JOINED = "loops-joined",
    /// Memory for an array is taken before a loop.
    MADE_ONCE = "made-once",
    /// Masked elements are not copied.
    MASK_IN_PLACE = "mask-in-place",
    /// Elements of groups are found before a loop over these.
    MASKS_GROUPED = "masks-grouped",
    /// `@` is used on a value that is neither vector nor matrix.
    MATMUL_RANK = "matmul-rank",
    /// Two definitions of a variable meet whose types do not fit together.
    MEET_CONFLICT = "meet-conflict",
    /// A closing bracket does not fit the open one, or closes nothing.
    MISMATCHED_BRACKET = "mismatched-bracket",
    /// The first line of a block does not end in a colon.
    MISSING_COLON = "missing-colon",
    /// A function that returns a value can reach its end without doing so.
    MISSING_RETURN = "missing-return",
    /// Something is computed once, before a loop.
    MOVED_OUT_OF_LOOP = "moved-out-of-loop",
    /// The program nests too deep or an expression is too long.
    NESTING_TOO_DEEP = "nesting-too-deep",
    /// The elements of a list, or the branches of an expression, have no type in common.
    NO_COMMON_TYPE = "no-common-type",
    /// `None` is used where a value is needed.
    NONE_VALUE = "none-value",
    /// Something is called that is no function.
    NOT_CALLABLE = "not-callable",
    /// This part of Python is not in the language.
    NOT_IN_LANGUAGE = "not-in-language",
    /// Something is indexed that has no elements.
    NOT_INDEXABLE = "not-indexable",
    /// A loop runs over something that has no elements.
    NOT_ITERABLE = "not-iterable",
    /// A value has no fixed number of elements to unpack.
    NOT_UNPACKABLE = "not-unpackable",
    /// An element is assigned to in something that cannot change.
    NOT_WRITABLE = "not-writable",
    /// Operations over elements are one loop.
    OPERATIONS_FUSED = "operations-fused",
    /// Of a result only the part is computed that is used.
    PART_COMPUTED = "part-computed",
    /// `break` in a `pfor` loop.
    PFOR_BREAK = "pfor-break",
    /// A value is carried from one `pfor` iteration to another.
    PFOR_CARRIED = "pfor-carried",
    /// A `pfor` loop over something whose elements cannot be taken in any order.
    PFOR_ITERABLE = "pfor-iterable",
    /// A variable that is assigned in a `pfor` body is used after the loop.
    PFOR_LOCAL_AFTER = "pfor-local-after",
    /// Two `pfor` iterations write the same element, or one writes what another reads.
    PFOR_RACE = "pfor-race",
    /// `return` in a `pfor` loop.
    PFOR_RETURN = "pfor-return",
    /// How `pfor` iterations share what they use.
    PFOR_TABLE = "pfor-table",
    /// It cannot be decided whether `pfor` iterations are independent.
    PFOR_UNDECIDED = "pfor-undecided",
    /// A positional argument follows a keyword argument.
    POSITIONAL_AFTER_KEYWORD = "positional-after-keyword",
    /// A variable may have no value where it is used, because only some paths assign it.
    POSSIBLY_UNBOUND = "possibly-unbound",
    /// Parts of a parallel loop have arrays of their own.
    PRIVATE_COPIES = "private-copies",
    /// A product of sparse matrices is computed where it is multiplied by something.
    PRODUCT_MASKED = "product-masked",
    /// A product of matrices is computed where it is wanted.
    PRODUCT_SAMPLED = "product-sampled",
    /// Something is raised that is no built-in exception.
    RAISE_TYPE = "raise-type",
    /// An array has another number of dimensions than its place asks for.
    RANK_MISMATCH = "rank-mismatch",
    /// The result type of functions that call each other depends on itself.
    RECURSIVE_TYPE = "recursive-type",
    /// A parameter without a default follows one with a default.
    REQUIRED_AFTER_DEFAULT = "required-after-default",
    /// Two `return` statements give types that do not fit together, or not the annotated one.
    RETURN_MISMATCH = "return-mismatch",
    /// `return` outside a function.
    RETURN_OUTSIDE_FUNCTION = "return-outside-function",
    /// Iterations of a loop around a recurrence run side by side.
    ROWS_SIDE_BY_SIDE = "rows-side-by-side",
    /// Two shapes that are known when compiling do not fit each other.
    SHAPE_MISMATCH = "shape-mismatch",
    /// There is code of its own for points of few coordinates.
    SHORT_AXIS = "short-axis",
    /// `*` between sparse matrices means two things in SciPy.
    SPARSE_MULTIPLY = "sparse-multiply",
    /// A statement stands outside any function.
    STATEMENT_OUTSIDE_FUNCTION = "statement-outside-function",
    /// Neighbouring statements are one operation on vectors.
    STATEMENTS_VECTORIZED = "statements-vectorized",
    /// Strings are for messages and dict keys; this operation on them is not in the language.
    STRING_OPERATION = "string-operation",
    /// A statement is not formed as Python wants it.
    SYNTAX_ERROR = "syntax-error",
    /// A loop over time runs within the loop over elements.
    TIME_INSIDE = "time-inside",
    /// A template is specialised for too many argument types.
    TOO_MANY_SPECIALIZATIONS = "too-many-specializations",
    /// A tuple whose elements differ in type is indexed by a variable.
    TUPLE_INDEX_NOT_CONSTANT = "tuple-index-not-constant",
    /// The name of a type is used as something else, or stands for itself.
    TYPE_ALIAS = "type-alias",
    /// A function's type comment does not have one type for each parameter.
    TYPE_COMMENT_MISMATCH = "type-comment-mismatch",
    /// A value has another type than its place asks for.
    TYPE_MISMATCH = "type-mismatch",
    /// A function cannot become a ufunc as its decorator says.
    UFUNC = "ufunc",
    /// A function without annotations is a template: it is not exported.
    UNANNOTATED_FUNCTION = "unannotated-function",
    /// A bracket is never closed.
    UNCLOSED_BRACKET = "unclosed-bracket",
    /// A name is used that nothing defines.
    UNDEFINED_NAME = "undefined-name",
    /// A value of this type has no attribute or method of this name.
    UNKNOWN_ATTRIBUTE = "unknown-attribute",
    /// No library function has this name.
    UNKNOWN_FUNCTION = "unknown-function",
    /// A module has no such name that kernels can use.
    UNKNOWN_IMPORT = "unknown-import",
    /// A module is imported that kernels cannot use.
    UNKNOWN_MODULE = "unknown-module",
    /// The number of names differs from the number of values.
    UNPACK_COUNT = "unpack-count",
    /// A statement is never reached.
    UNREACHABLE_CODE = "unreachable-code",
    /// An operator does not work on operands of these types.
    UNSUPPORTED_OPERAND = "unsupported-operand",
    /// This is in the language, and this version of the compiler cannot compile it.
    UNSUPPORTED_YET = "unsupported-yet",
    /// A string is never closed.
    UNTERMINATED_STRING = "unterminated-string",
    /// The result of an expression is thrown away and nothing else happens.
    UNUSED_RESULT = "unused-result",
    /// A type comment stands where it has no effect.
    UNUSED_TYPE_COMMENT = "unused-type-comment",
    /// A call has too few or too many arguments.
    WRONG_ARGUMENT_COUNT = "wrong-argument-count",
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn each_page_has_a_code() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("errors");
        let mut pages: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        pages.sort();
        let codes: Vec<&str> = all().map(Code::name).collect();
        assert_eq!(pages, codes, "files in `errors` against `code.rs`, which must be sorted");
    }

    #[test]
    fn each_page_shows_what_to_write_instead() {
        for code in all() {
            let page = explain(code.name()).unwrap();
            assert!(page.starts_with(&format!("# {code}\n\n")), "{code}: title");
            assert_eq!(page.matches("```python\n").count(), 2, "{code}: examples");
            assert!(page.contains("\nWrite instead:\n"), "{code}");
        }
        assert_eq!(explain("no-such-code"), None);
    }
}
