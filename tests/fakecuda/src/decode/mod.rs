//! The tree to a program: registers are numbers, labels places, and each instruction knows its function. Nothing is looked up by
//! name while a kernel runs.
//!
//! An instruction, a modifier or an operand that is not known is an error here, with its line: a module loads entirely or not at all.

mod arithmetic;
mod control;
mod function;
mod memory;
mod warp;
mod words;

use crate::arithmetic::{Binary, Mode, Ternary, Unary};
use crate::parse::{self, Error, Module, Space, Variable, error};
use std::collections::BTreeMap;

/// A register: its place in the frame.
pub type Register = u32;
pub const NONE: u32 = u32::MAX;
/// In a guard: the instruction runs where the predicate is false.
pub const NEGATED: u32 = 1 << 31;

/// Windows of generic addresses. None is an address that a host process can have.
pub const SHARED_WINDOW: u64 = 0x0020_0000_0000_0000;
pub const LOCAL_WINDOW: u64 = 0x0030_0000_0000_0000;
pub const PARAM_WINDOW: u64 = 0x0040_0000_0000_0000;
/// "Addresses" of functions, for indirect calls.
pub const CODE_WINDOW: u64 = 0x0050_0000_0000_0000;
pub const WINDOW_BYTES: u64 = 1 << 32;
/// Shared memory that variables may take; the rest is for launches that ask for it.
pub const STATIC_SHARED: u32 = 48 << 10;
/// Where `extern .shared` arrays begin in shared memory.
pub const DYNAMIC_SHARED: u64 = 1 << 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Generic,
    /// Global and constant memory.
    Global,
    Shared,
    Local,
    /// The offset counts from the function's frame.
    Frame,
}

/// Where a load, store or atomic goes: a register and a constant.
#[derive(Clone, Copy)]
pub struct Address {
    pub place: Place,
    pub base: Register,
    pub offset: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    ThreadIndex(u8),
    BlockExtent(u8),
    BlockIndex(u8),
    GridExtent(u8),
    Lane,
    Warp,
    Warps,
    LaneMask(LaneMask),
    Clock,
    DynamicShared,
    ActiveMask,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneMask {
    Eq,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    None,
    Count,
    And,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarpWork {
    Synchronize,
    Shuffle(Shuffle),
    VoteAll,
    VoteAny,
    VoteUniform,
    Ballot,
    MatchAny(u8),
    MatchAll(u8),
    Reduce(WarpReduction),
    Elect,
}

/// The function of `redux.sync`, by the type's sign and the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarpReduction {
    Add,
    MinSigned,
    MaxSigned,
    Min,
    Max,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

#[derive(Clone, Copy)]
pub enum Op {
    Unary {
        f: Unary,
        mode: Mode,
        d: Register,
        a: Register,
    },
    Binary {
        f: Binary,
        mode: Mode,
        d: Register,
        a: Register,
        b: Register,
    },
    Ternary {
        f: Ternary,
        mode: Mode,
        d: Register,
        a: Register,
        b: Register,
        c: Register,
    },
    InsertField {
        wide: bool,
        d: Register,
        operands: [Register; 4],
    },
    /// `add.cc`, `subc` and their like: the carry in and out are the thread's.
    Carry {
        subtract: bool,
        wide: bool,
        reads: bool,
        writes: bool,
        d: Register,
        a: Register,
        b: Register,
    },
    Move {
        d: Register,
        a: Register,
    },
    /// `mov.b64 %rd, {%r1, %r2}`: fields of `bits` bits, in `lists`.
    Pack {
        d: Register,
        bits: u8,
        list: u32,
        count: u8,
    },
    Unpack {
        a: Register,
        bits: u8,
        list: u32,
        count: u8,
    },
    Select {
        d: Register,
        a: Register,
        b: Register,
        p: Register,
    },
    SelectBySign {
        d: Register,
        a: Register,
        b: Register,
        c: Register,
        float: bool,
    },
    /// `setp` with a second destination or a combined predicate.
    Compare {
        f: Binary,
        mode: Mode,
        p: Register,
        q: Register,
        a: Register,
        b: Register,
        with: u32,
        logic: Logic,
    },
    Load {
        at: Address,
        bytes: u8,
        signed: bool,
        d: Register,
    },
    Store {
        at: Address,
        bytes: u8,
        a: Register,
    },
    LoadVector {
        at: Address,
        bytes: u8,
        signed: bool,
        list: u32,
        count: u8,
    },
    StoreVector {
        at: Address,
        bytes: u8,
        list: u32,
        count: u8,
    },
    Atomic {
        at: Address,
        f: Ternary,
        mode: Mode,
        bytes: u8,
        d: Register,
        b: Register,
        c: Register,
    },
    FrameAddress {
        d: Register,
        offset: u32,
        window: bool,
    },
    IsSpace {
        d: Register,
        a: Register,
        space: Space,
    },
    Special {
        d: Register,
        which: Special,
    },
    Branch {
        target: u32,
    },
    BranchTable {
        index: Register,
        list: u32,
        count: u32,
    },
    /// Offsets of arguments, then of results, in the caller's frame are in `lists`.
    Call {
        function: u32,
        register: Register,
        list: u32,
        arguments: u8,
        results: u8,
    },
    Return,
    Exit,
    Trap,
    Barrier {
        id: Register,
        count: Register,
        aligned: bool,
        reduction: Reduction,
        d: Register,
        p: u32,
    },
    Warp {
        work: WarpWork,
        mask: Register,
        d: Register,
        predicate: Register,
        operands: [Register; 3],
    },
    Nothing,
}

#[derive(Clone, Copy)]
pub struct Instruction {
    /// A predicate register, with `NEGATED` perhaps, or `NONE`.
    pub guard: u32,
    pub op: Op,
}

/// Where a parameter or result lies: in a kernel's parameters, or in a function's frame.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub offset: u32,
    pub size: u32,
}

#[derive(Debug, Default)]
pub struct Function {
    pub name: String,
    pub entry: bool,
    pub start: u32,
    /// Registers, of which the last are `constants`.
    pub registers: u32,
    pub constants: Vec<u64>,
    pub frame_bytes: u32,
    pub parameters: Vec<Slot>,
    pub results: Vec<Slot>,
    pub parameter_bytes: u32,
    pub most_threads: Option<u32>,
    pub exact_block: Option<[u32; 3]>,
    /// Shared variables that it names and functions that it calls, from which `shared_bytes` is computed.
    pub shared: Vec<usize>,
    pub calls: Vec<u32>,
    pub shared_bytes: u32,
}

/// A variable in shared memory.
#[derive(Debug, Clone, Copy)]
pub struct SharedVariable {
    pub offset: u64,
    pub size: u64,
}

#[derive(Default)]
pub struct Program {
    pub instructions: Vec<Instruction>,
    pub lines: Vec<u32>,
    pub lists: Vec<u32>,
    pub functions: Vec<Function>,
    /// In rising order of offsets, with gaps between.
    pub shared: Vec<SharedVariable>,
}

impl Program {
    pub fn entry(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|f| f.entry && f.name == name)
    }

    /// The function that an instruction belongs to, and its line.
    pub fn place_of(&self, pc: u32) -> String {
        let function = self.functions.iter().filter(|f| f.start <= pc).max_by_key(|f| f.start);
        let line = self.lines.get(pc as usize).copied().unwrap_or(0);
        format!("`{}`, line {line} of the PTX", function.map_or("?", |f| &f.name))
    }

    fn add_shared(&mut self, variable: &Variable) -> usize {
        let end = self.shared.last().map_or(0, |v| v.offset + v.size + 16);
        let align = u64::from(variable.align.max(1));
        self.shared.push(SharedVariable { offset: end.next_multiple_of(align), size: variable.size });
        self.shared.len() - 1
    }
}

/// What a name stands for in the whole module.
#[derive(Clone, Copy, Debug)]
enum Symbol {
    /// An address in global or constant memory.
    Global(u64),
    Shared(usize),
    DynamicShared,
    Function(u32),
}

/// Makes the program of a module whose global variables lie at `addresses`.
pub fn decode(module: &Module, addresses: &BTreeMap<String, u64>) -> Result<Program, Error> {
    let mut program = Program::default();
    let mut symbols = BTreeMap::new();
    for (name, address) in addresses {
        symbols.insert(name.clone(), Symbol::Global(*address));
    }
    for variable in module.variables.iter().filter(|v| v.space == Space::Shared) {
        let symbol = match variable.size {
            0 if variable.external => Symbol::DynamicShared,
            _ => Symbol::Shared(program.add_shared(variable)),
        };
        symbols.insert(variable.name.clone(), symbol);
    }
    let defined: Vec<&parse::Function> = module.functions.iter().filter(|f| f.body.is_some()).collect();
    for (number, function) in defined.iter().enumerate() {
        if symbols.insert(function.name.clone(), Symbol::Function(number as u32)).is_some() {
            return error(function.line, format!("`{}` is defined twice", function.name));
        }
        program.functions.push(function::signature(function));
    }
    for (number, function) in defined.iter().enumerate() {
        function::decode(&mut program, &symbols, number, function)?;
    }
    for (number, function) in defined.iter().enumerate() {
        let bytes = shared_bytes(&program, number as u32);
        let kernel = &mut program.functions[number];
        if kernel.entry && bytes > STATIC_SHARED {
            let text = format!(
                "`{}` uses {bytes} bytes of shared variables, of at most {STATIC_SHARED}",
                kernel.name
            );
            return error(function.line, text);
        }
        kernel.shared_bytes = bytes;
    }
    Ok(program)
}

/// The shared memory of all that a kernel can reach.
fn shared_bytes(program: &Program, kernel: u32) -> u32 {
    let mut functions = vec![kernel];
    let mut next = 0;
    let mut variables: Vec<usize> = Vec::new();
    while next < functions.len() {
        let function = &program.functions[functions[next] as usize];
        variables.extend(&function.shared);
        for call in &function.calls {
            if !functions.contains(call) {
                functions.push(*call);
            }
        }
        next += 1;
    }
    variables.sort_unstable();
    variables.dedup();
    variables
        .iter()
        .map(|&v| u32::try_from(program.shared[v].size).unwrap_or(u32::MAX))
        .fold(0, u32::saturating_add)
}
