//! PTX text to a tree.

mod lexer;
mod parser;

pub use parser::parse;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub line: u32,
    pub text: String,
}

pub fn error<T>(line: u32, text: impl Into<String>) -> Result<T, Error> {
    Err(Error { line, text: text.into() })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    B8,
    B16,
    B32,
    B64,
    F16,
    Bf16,
    F32,
    F64,
    Predicate,
}

impl Type {
    pub fn named(name: &str) -> Option<Type> {
        use Type::*;
        Some(match name {
            "u8" => U8,
            "u16" => U16,
            "u32" => U32,
            "u64" => U64,
            "s8" => S8,
            "s16" => S16,
            "s32" => S32,
            "s64" => S64,
            "b8" => B8,
            "b16" => B16,
            "b32" => B32,
            "b64" => B64,
            "f16" => F16,
            "bf16" => Bf16,
            "f32" => F32,
            "f64" => F64,
            "pred" => Predicate,
            _ => return None,
        })
    }

    pub fn bytes(self) -> u32 {
        use Type::*;
        match self {
            U8 | S8 | B8 | Predicate => 1,
            U16 | S16 | B16 | F16 | Bf16 => 2,
            U32 | S32 | B32 | F32 => 4,
            U64 | S64 | B64 | F64 => 8,
        }
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Type::S8 | Type::S16 | Type::S32 | Type::S64)
    }

    pub fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::Bf16 | Type::F32 | Type::F64)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    Generic,
    Global,
    Const,
    Shared,
    Local,
    Param,
}

#[derive(Debug)]
pub struct Module {
    /// 7.8 is 78.
    pub version: u32,
    /// `sm_90a` is 90.
    pub level: u32,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
}

/// An initial value: a number's bits, or the address of a symbol plus an offset.
#[derive(Clone, Debug)]
pub enum Initial {
    Number(u64),
    Symbol(String, i64),
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub space: Space,
    pub name: String,
    pub ty: Type,
    pub align: u32,
    /// In bytes; zero for an array of unknown length.
    pub size: u64,
    pub initial: Vec<Initial>,
    pub external: bool,
    pub line: u32,
}

#[derive(Debug)]
pub struct Function {
    pub name: String,
    pub entry: bool,
    pub results: Vec<Variable>,
    pub parameters: Vec<Variable>,
    /// `.maxntid`, as a product.
    pub most_threads: Option<u32>,
    pub exact_block: Option<[u32; 3]>,
    /// None for a declaration.
    pub body: Option<Vec<Statement>>,
    pub line: u32,
}

#[derive(Debug)]
pub enum Statement {
    /// `.reg .b32 %r<5>`: the name, and how many for a numbered set.
    Registers(Type, String, Option<u32>),
    Variable(Variable),
    Label(String),
    /// A label of `.branchtargets`, with labels.
    Targets(String, Vec<String>),
    Scope(Vec<Statement>),
    Instruction(Instruction),
}

#[derive(Debug)]
pub struct Instruction {
    /// Register, and whether it is negated.
    pub guard: Option<(String, bool)>,
    pub op: String,
    pub modifiers: Vec<String>,
    pub operands: Vec<Operand>,
    pub line: u32,
}

impl Instruction {
    /// The instruction's name in full, for messages.
    pub fn name(&self) -> String {
        self.modifiers.iter().fold(self.op.clone(), |name, m| name + "." + m)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A register, a symbol, a label or a special register, with an offset.
    Name(String, i64),
    Negated(String),
    Integer(u64),
    Single(u32),
    Double(u64),
    Address(Box<Operand>),
    Vector(Vec<Operand>),
    /// `p|q`
    Pair(String, String),
    /// Arguments and results of a call.
    List(Vec<Operand>),
}
