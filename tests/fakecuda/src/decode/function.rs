//! One function: its names, its frame, and the walk over its statements.

use super::words::Words;
use super::{
    Address, Function, Instruction, NEGATED, NONE, Op, PARAM_WINDOW, Place, Program, Register, Slot, Special,
    Symbol,
};
use super::{CODE_WINDOW, DYNAMIC_SHARED, LaneMask};
use crate::parse::{self, Error, Operand, Space, Statement, Type, Variable, error};
use std::collections::BTreeMap;

/// Lays variables out behind each other.
fn place(variable: &Variable, end: &mut u32) -> Slot {
    let offset = end.next_multiple_of(variable.align.max(1));
    *end = offset + variable.size as u32;
    Slot { offset, size: variable.size as u32 }
}

/// A function before its body is decoded: what callers need.
pub fn signature(function: &parse::Function) -> Function {
    let (mut parameter_bytes, mut frame_bytes) = (0, 0);
    let end = if function.entry { &mut parameter_bytes } else { &mut frame_bytes };
    let parameters = function.parameters.iter().map(|p| place(p, end)).collect();
    let results = function.results.iter().map(|p| place(p, end)).collect();
    Function {
        name: function.name.clone(),
        entry: function.entry,
        frame_bytes,
        parameters,
        results,
        parameter_bytes,
        most_threads: function.most_threads,
        exact_block: function.exact_block,
        ..Function::default()
    }
}

/// What a name stands for within a function.
#[derive(Clone, Debug)]
enum Local {
    Register(Register, Type),
    /// `.reg .b32 %r<5>`
    Numbered(Register, u32, Type),
    /// An offset in the frame, and whether it is a parameter (or what is passed as one).
    Frame(u32, bool),
    Parameter(u32),
    Shared(usize),
    Targets(Vec<String>),
}

pub struct Decoder<'a> {
    pub program: &'a mut Program,
    symbols: &'a BTreeMap<String, Symbol>,
    number: usize,
    scopes: Vec<BTreeMap<String, Local>>,
    labels: BTreeMap<String, u32>,
    /// Places of branches to be filled in: an instruction, or an entry of `lists`.
    jumps: Vec<(Jump, String, u32)>,
    registers: u32,
    frame_bytes: u32,
    constants: Vec<u64>,
    guard: u32,
    pub line: u32,
}

pub enum Jump {
    Instruction(usize),
    List(usize),
}

/// What a thread may have of local memory (CUDA's programming guide, compute capabilities).
const LARGEST_FRAME: u64 = 512 << 10;

/// Constants are numbered from here until the number of registers is known.
const CONSTANTS: u32 = 1 << 30;

pub fn decode(
    program: &mut Program,
    symbols: &BTreeMap<String, Symbol>,
    number: usize,
    function: &parse::Function,
) -> Result<(), Error> {
    let frame_bytes = program.functions[number].frame_bytes;
    let start = program.instructions.len();
    program.functions[number].start = start as u32;
    let mut decoder = Decoder {
        program,
        symbols,
        number,
        scopes: vec![BTreeMap::new()],
        labels: BTreeMap::new(),
        jumps: Vec::new(),
        registers: 0,
        frame_bytes,
        constants: Vec::new(),
        guard: NONE,
        line: function.line,
    };
    decoder.parameters(function);
    decoder.statements(function.body.as_deref().unwrap_or(&[]))?;
    decoder.emit(Op::Return);
    decoder.jumps()?;
    let (registers, constants, frame_bytes) = (decoder.registers, decoder.constants, decoder.frame_bytes);
    for instruction in &mut program.instructions[start..] {
        settle(instruction, registers);
    }
    // Lists hold registers, offsets and places; only registers can be this large.
    let function = &mut program.functions[number];
    function.registers = registers + constants.len() as u32;
    function.constants = constants;
    // So that the next frame is aligned for the widest vectors.
    function.frame_bytes = frame_bytes.next_multiple_of(64);
    for entry in &mut program.lists {
        settle_register(entry, registers);
    }
    Ok(())
}

fn settle_register(register: &mut u32, registers: u32) {
    if *register != NONE && *register & CONSTANTS != 0 {
        *register = *register - CONSTANTS + registers;
    }
}

/// Gives constants their places behind the registers.
fn settle(instruction: &mut Instruction, registers: u32) {
    let mut all: Vec<&mut u32> = Vec::new();
    match &mut instruction.op {
        Op::Unary { a, .. } | Op::Move { a, .. } | Op::Unpack { a, .. } | Op::IsSpace { a, .. } => {
            all.push(a)
        }
        Op::Binary { a, b, .. } | Op::Carry { a, b, .. } | Op::Compare { a, b, .. } => all.extend([a, b]),
        Op::Ternary { a, b, c, .. } | Op::SelectBySign { a, b, c, .. } => all.extend([a, b, c]),
        Op::InsertField { operands, .. } => all.extend(operands),
        Op::Select { a, b, p, .. } => all.extend([a, b, p]),
        Op::Load { at, .. } | Op::LoadVector { at, .. } | Op::StoreVector { at, .. } => {
            all.push(&mut at.base)
        }
        Op::Store { at, a, .. } => all.extend([&mut at.base, a]),
        Op::Atomic { at, b, c, .. } => all.extend([&mut at.base, b, c]),
        Op::BranchTable { index, .. } => all.push(index),
        Op::Call { register, .. } => all.push(register),
        Op::Barrier { id, count, .. } => all.extend([id, count]),
        Op::Warp { mask, operands, .. } => {
            all.push(mask);
            all.extend(operands);
        }
        _ => {}
    }
    for register in all {
        settle_register(register, registers);
    }
}

impl<'a> Decoder<'a> {
    fn parameters(&mut self, function: &parse::Function) {
        let signature = &self.program.functions[self.number];
        let slots: Vec<Slot> = signature.parameters.iter().chain(&signature.results).copied().collect();
        for (variable, slot) in function.parameters.iter().chain(&function.results).zip(slots) {
            let local =
                if function.entry { Local::Parameter(slot.offset) } else { Local::Frame(slot.offset, true) };
            self.scopes[0].insert(variable.name.clone(), local);
        }
    }

    pub fn fail<T>(&self, text: impl Into<String>) -> Result<T, Error> {
        error(self.line, text)
    }

    pub fn emit(&mut self, op: Op) -> usize {
        self.program.instructions.push(Instruction { guard: self.guard, op });
        self.program.lines.push(self.line);
        self.program.instructions.len() - 1
    }

    fn declare(&mut self, name: String, local: Local) {
        self.scopes.last_mut().expect("a scope").insert(name, local);
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<(), Error> {
        for statement in statements {
            match statement {
                Statement::Registers(ty, name, count) => {
                    let first = self.registers;
                    self.registers += count.unwrap_or(1);
                    let local = match count {
                        Some(count) => Local::Numbered(first, *count, *ty),
                        None => Local::Register(first, *ty),
                    };
                    self.declare(name.clone(), local);
                }
                Statement::Variable(variable) => self.variable(variable)?,
                Statement::Label(name) => {
                    let here = self.program.instructions.len() as u32;
                    self.labels.insert(name.clone(), here);
                }
                Statement::Targets(name, labels) => {
                    self.scopes[0].insert(name.clone(), Local::Targets(labels.clone())).map_or((), drop)
                }
                Statement::Scope(inner) => {
                    self.scopes.push(BTreeMap::new());
                    self.statements(inner)?;
                    self.scopes.pop();
                }
                Statement::Instruction(instruction) => self.guarded(instruction)?,
            }
        }
        Ok(())
    }

    fn variable(&mut self, variable: &Variable) -> Result<(), Error> {
        self.line = variable.line;
        if variable.space != Space::Shared && u64::from(self.frame_bytes) + variable.size > LARGEST_FRAME {
            return self.fail(format!("more than {LARGEST_FRAME} bytes of local memory"));
        }
        let local = match variable.space {
            Space::Local => Local::Frame(place(variable, &mut self.frame_bytes).offset, false),
            Space::Param => Local::Frame(place(variable, &mut self.frame_bytes).offset, true),
            Space::Shared => Local::Shared(self.program.add_shared(variable)),
            _ => return self.fail("a variable in this space belongs outside of functions"),
        };
        self.declare(variable.name.clone(), local);
        Ok(())
    }

    fn guarded(&mut self, instruction: &parse::Instruction) -> Result<(), Error> {
        self.line = instruction.line;
        self.guard = match &instruction.guard {
            None => NONE,
            Some((name, negated)) => self.predicate(name)? | if *negated { NEGATED } else { 0 },
        };
        self.instruction(instruction)?;
        self.guard = NONE;
        Ok(())
    }

    fn instruction(&mut self, i: &parse::Instruction) -> Result<(), Error> {
        match i.op.as_str() {
            "ld" | "ldu" | "st" | "atom" | "red" | "cvta" | "isspacep" | "mov" | "prefetch" | "prefetchu" => {
                self.memory(i)
            }
            "bra" | "brx" | "call" | "ret" | "exit" | "trap" | "bar" | "barrier" | "membar" | "fence"
            | "nanosleep" => self.control(i),
            "shfl" | "vote" | "match" | "redux" | "activemask" | "elect" => self.warp(i),
            _ => self.arithmetic(i),
        }
    }

    fn jumps(&mut self) -> Result<(), Error> {
        for (jump, label, line) in std::mem::take(&mut self.jumps) {
            let Some(&place) = self.labels.get(&label) else {
                return error(line, format!("no label `{label}` in this function"));
            };
            match jump {
                Jump::Instruction(at) => self.program.instructions[at].op = Op::Branch { target: place },
                Jump::List(at) => self.program.lists[at] = place,
            }
        }
        Ok(())
    }

    pub fn jump(&mut self, jump: Jump, label: &str) {
        self.jumps.push((jump, label.to_string(), self.line));
    }

    pub fn targets(&self, name: &str) -> Result<Vec<String>, Error> {
        // The list may stand behind the branch, but LLVM and nvcc write it before.
        match self.lookup(name) {
            Some(Local::Targets(labels)) => Ok(labels),
            _ => self.fail(format!("`{name}` is no list of branch targets")),
        }
    }

    fn lookup(&self, name: &str) -> Option<Local> {
        for scope in self.scopes.iter().rev() {
            if let Some(local) = scope.get(name) {
                return Some(local.clone());
            }
            let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
            if let Some(Local::Numbered(first, count, ty)) = scope.get(prefix)
                && let Ok(number) = name[prefix.len()..].parse::<u32>()
                && number < *count
            {
                return Some(Local::Register(first + number, *ty));
            }
        }
        None
    }

    /// A register that nothing in the text names.
    pub fn temporary(&mut self) -> Register {
        self.registers += 1;
        self.registers - 1
    }

    pub fn constant(&mut self, value: u64) -> Register {
        let at = self.constants.iter().position(|c| *c == value).unwrap_or_else(|| {
            self.constants.push(value);
            self.constants.len() - 1
        });
        CONSTANTS + at as u32
    }

    pub fn list(&mut self, entries: Vec<u32>) -> u32 {
        let start = self.program.lists.len() as u32;
        self.program.lists.extend(entries);
        start
    }

    pub fn register(&self, name: &str) -> Result<Register, Error> {
        match self.lookup(name) {
            Some(Local::Register(register, ty)) if ty != Type::Predicate => Ok(register),
            Some(Local::Register(..)) => self.fail(format!("`{name}` is a predicate")),
            _ => self.fail(format!("`{name}` is no register")),
        }
    }

    pub fn predicate(&self, name: &str) -> Result<Register, Error> {
        match self.lookup(name) {
            Some(Local::Register(register, Type::Predicate)) => Ok(register),
            _ => self.fail(format!("`{name}` is no predicate")),
        }
    }

    /// Where an instruction writes a value of type `ty`; `_` is nowhere.
    pub fn destination(&mut self, operand: &Operand, ty: Type) -> Result<Register, Error> {
        match operand {
            Operand::Name(name, 0) if name == "_" => Ok(self.temporary()),
            Operand::Name(name, 0) if ty == Type::Predicate => self.predicate(name),
            Operand::Name(name, 0) => self.register(name),
            _ => self.fail("the destination must be a register"),
        }
    }

    /// A register or a number as an operand of type `ty`.
    pub fn value(&mut self, operand: &Operand, ty: Type) -> Result<Register, Error> {
        Ok(match operand {
            Operand::Name(name, 0) if ty == Type::Predicate => self.predicate(name)?,
            Operand::Name(name, 0) if name == "WARP_SZ" => self.constant(32),
            Operand::Name(name, 0) => self.register(name)?,
            Operand::Integer(value) if ty.is_float() => self.constant(match ty {
                Type::F64 => (*value as i64 as f64).to_bits(),
                Type::F32 => u64::from((*value as i64 as f32).to_bits()),
                _ => *value,
            }),
            Operand::Integer(value) => self.constant(*value),
            Operand::Single(bits) if ty == Type::F64 => {
                self.constant(f64::from(f32::from_bits(*bits)).to_bits())
            }
            Operand::Single(bits) => self.constant((*bits).into()),
            Operand::Double(bits) if ty.bytes() == 4 => {
                self.constant(u64::from((f64::from_bits(*bits) as f32).to_bits()))
            }
            Operand::Double(bits) => self.constant(*bits),
            _ => return self.fail("an operand that does not fit here"),
        })
    }

    /// A predicate that may be negated, as in a guard.
    pub fn maybe_negated(&mut self, operand: &Operand) -> Result<u32, Error> {
        match operand {
            Operand::Name(name, 0) => self.predicate(name),
            Operand::Negated(name) => Ok(self.predicate(name)? | NEGATED),
            Operand::Integer(value) => {
                // A constant predicate: of a register that is set first.
                let d = self.temporary();
                let a = self.constant(u64::from(*value != 0));
                self.emit(Op::Move { d, a });
                Ok(d)
            }
            _ => self.fail("a predicate expected"),
        }
    }

    /// `mov` from a name that is no register: an address or a special register.
    pub fn move_name(&mut self, d: Register, name: &str, offset: i64) -> Result<(), Error> {
        if let Some(which) = special(name) {
            self.emit(Op::Special { d, which });
            return Ok(());
        }
        let value = match self.lookup(name) {
            Some(Local::Register(a, _)) if offset == 0 => {
                self.emit(Op::Move { d, a });
                return Ok(());
            }
            Some(Local::Frame(at, window)) => {
                let offset = (i64::from(at) + offset) as u32;
                // The address of a parameter is used as it is; that of a local variable goes through `cvta`.
                self.emit(Op::FrameAddress { d, offset, window });
                return Ok(());
            }
            Some(Local::Parameter(at)) => PARAM_WINDOW + u64::from(at),
            Some(Local::Shared(v)) => self.shared(v),
            _ => match self.symbols.get(name) {
                Some(Symbol::Global(address)) => *address,
                Some(Symbol::Shared(v)) => self.shared(*v),
                Some(Symbol::DynamicShared) => DYNAMIC_SHARED,
                Some(Symbol::Function(f)) => {
                    self.program.functions[self.number].calls.push(*f);
                    CODE_WINDOW + u64::from(*f)
                }
                None => match name {
                    "WARP_SZ" => 32,
                    _ => return self.fail(format!("`{name}` is not declared")),
                },
            },
        };
        let a = self.constant(value.wrapping_add(offset as u64));
        self.emit(Op::Move { d, a });
        Ok(())
    }

    fn shared(&mut self, variable: usize) -> u64 {
        self.program.functions[self.number].shared.push(variable);
        self.program.shared[variable].offset
    }

    /// What stands between brackets, in a space.
    pub fn address(&mut self, operand: &Operand, space: Space) -> Result<Address, Error> {
        let place = match space {
            Space::Generic | Space::Param => Place::Generic,
            Space::Global | Space::Const => Place::Global,
            Space::Shared => Place::Shared,
            Space::Local => Place::Local,
        };
        let Operand::Address(inner) = operand else { return self.fail("an address in brackets expected") };
        let (name, offset) = match inner.as_ref() {
            Operand::Name(name, offset) => (name, *offset),
            Operand::Integer(value) => {
                let base = self.constant(*value);
                return Ok(Address { place, base, offset: 0 });
            }
            _ => return self.fail("an address that is neither a name nor a number"),
        };
        match self.lookup(name) {
            Some(Local::Register(base, _)) => Ok(Address { place, base, offset }),
            Some(Local::Frame(at, _)) => {
                let base = self.constant(0);
                Ok(Address { place: Place::Frame, base, offset: i64::from(at) + offset })
            }
            _ => {
                let d = self.temporary();
                let guard = std::mem::replace(&mut self.guard, NONE);
                self.move_name(d, name, 0)?;
                self.guard = guard;
                // The move was of a constant: use that, and no instruction.
                if let Some(Instruction { op: Op::Move { a, .. }, .. }) =
                    self.program.instructions.last().copied()
                {
                    self.program.instructions.pop();
                    self.program.lines.pop();
                    let window = matches!(self.symbols.get(name), Some(Symbol::Global(_)));
                    let place = if window { Place::Global } else { place };
                    return Ok(Address { place, base: a, offset });
                }
                Ok(Address { place, base: d, offset })
            }
        }
    }

    /// The offset in the frame of what a call passes.
    pub fn frame_offset(&self, operand: &Operand) -> Result<u32, Error> {
        match operand {
            Operand::Name(name, 0) => match self.lookup(name) {
                Some(Local::Frame(offset, true)) => Ok(offset),
                _ => self.fail(format!("`{name}`: only .param variables are passed in calls")),
            },
            _ => self.fail("only .param variables are passed in calls"),
        }
    }

    /// A function, or None for a register.
    pub fn callee(&mut self, name: &str) -> Result<Option<u32>, Error> {
        if self.lookup(name).is_some() {
            return Ok(None);
        }
        match self.symbols.get(name) {
            Some(Symbol::Function(f)) => {
                self.program.functions[self.number].calls.push(*f);
                Ok(Some(*f))
            }
            _ => self.fail(format!("function `{name}` is declared but not defined in this module")),
        }
    }

    pub fn operands<'b, const N: usize>(&self, i: &'b parse::Instruction) -> Result<&'b [Operand; N], Error> {
        match i.operands.as_slice().try_into() {
            Ok(operands) => Ok(operands),
            Err(_) => self.fail(format!("`{}` has {N} operands, not {}", i.name(), i.operands.len())),
        }
    }

    pub fn words<'b>(&self, i: &'b parse::Instruction) -> Words<'b> {
        Words::of(i)
    }
}

fn special(name: &str) -> Option<Special> {
    let axis = |name: &str| match name.rsplit_once('.') {
        Some((_, "x")) => Some(0u8),
        Some((_, "y")) => Some(1),
        Some((_, "z")) => Some(2),
        _ => None,
    };
    Some(match name {
        n if n.starts_with("%tid.") => Special::ThreadIndex(axis(n)?),
        n if n.starts_with("%ntid.") => Special::BlockExtent(axis(n)?),
        n if n.starts_with("%ctaid.") => Special::BlockIndex(axis(n)?),
        n if n.starts_with("%nctaid.") => Special::GridExtent(axis(n)?),
        "%laneid" => Special::Lane,
        "%warpid" => Special::Warp,
        "%nwarpid" => Special::Warps,
        "%lanemask_eq" => Special::LaneMask(LaneMask::Eq),
        "%lanemask_lt" => Special::LaneMask(LaneMask::Lt),
        "%lanemask_le" => Special::LaneMask(LaneMask::Le),
        "%lanemask_gt" => Special::LaneMask(LaneMask::Gt),
        "%lanemask_ge" => Special::LaneMask(LaneMask::Ge),
        "%clock" | "%clock64" | "%globaltimer" | "%globaltimer_lo" => Special::Clock,
        "%dynamic_smem_size" => Special::DynamicShared,
        _ => return None,
    })
}
