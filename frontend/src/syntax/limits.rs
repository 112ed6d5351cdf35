//! How deep a program may nest. What is deeper is refused before a tree is made of it, so that no walk over
//! a tree, and no drop of one, runs out of stack.

/// Brackets inside brackets; CPython's tokenizer has the same limit.
pub const BRACKETS: usize = 200;

/// Axes of an array.
pub const RANK: u8 = 16;

/// Blocks inside blocks; CPython's tokenizer has the same limit.
pub const BLOCKS: usize = 100;

/// Operators, calls and subscripts that end up inside each other: the length of a sum, for example.
pub const OPERATORS: u32 = 3000;

/// `elif`s of one `if`: the parser nests them.
pub const ELIFS: u32 = 1000;

/// Digits of a number; CPython's limit for decimal integers.
pub const DIGITS: usize = 4300;

/// Characters of a type comment or an annotation in quotes, which are parsed apart.
pub const TYPE_TEXT: usize = 1000;

/// Bytes of a source file: spans hold 32 bits, and a megabyte is a large program.
pub const SOURCE: usize = 64 << 20;

/// Syntax errors that are reported for one file; after so many, the rest is noise.
pub const SYNTAX_ERRORS: usize = 100;
