//! Functions and modules: values, operations and blocks in dense tables, regions nested by reference.

use crate::entity::{Block, FuncRef, Op, PrimaryMap, Value};
use crate::entries::Entry;
use crate::entries::Guard;
use crate::op::{Exc, Level, Literal, OpKind, Version};
use crate::places::Part;
use crate::sharing::Region;
use crate::types::{DType, SparseType, Type};
use std::collections::BTreeMap;

/// A place in the source; line 0 is "nowhere".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Loc {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// Index into [`Module::scopes`]: the source function's name, for tracebacks of inlined code.
    pub scope: u32,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    Result(Op, u32),
    Param(Block, u32),
}

/// Operands of a `launch` before the captures: start, stop, step, the cost of an iteration, whether parts may run at once.
pub const LAUNCH_CAPTURES: usize = 5;

#[derive(Clone, PartialEq, Debug)]
pub struct ValueData {
    pub ty: Type,
    pub def: ValueDef,
}

#[derive(Clone, PartialEq, Debug)]
pub struct OpData {
    pub kind: OpKind,
    pub args: Vec<Value>,
    pub results: Vec<Value>,
    pub regions: Vec<Block>,
    pub loc: Loc,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct BlockData {
    pub params: Vec<Value>,
    /// The last one is a terminator.
    pub ops: Vec<Op>,
    /// It is there in case, and seldom runs: passes that copy loops to make them faster leave its loops alone.
    pub cold: bool,
}

/// A function. The parameters are those of the entry block.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    pub name: String,
    pub level: Level,
    pub version: Version,
    pub results: Vec<Type>,
    pub entry: Block,
    pub values: PrimaryMap<Value, ValueData>,
    pub ops: PrimaryMap<Op, OpData>,
    pub blocks: PrimaryMap<Block, BlockData>,
    /// Owner slots of the frame (loop IR).
    pub slots: u32,
    /// Takes part in recursion: checks the stack on entry.
    pub recursive: bool,
    /// The operation of the library, written in the language, that the function is. Its places are "nowhere": an
    /// error is the caller's.
    pub operation: Option<String>,
    /// Made for machines with a device: what its parallel loops do, a device does where that is worth it.
    pub device: bool,
    /// Of a function that the body of a parallel loop became: what it captures. Such a function is only launched.
    pub region: Option<Region>,
    /// Variables of the source that a value is the value of, for debuggers. Not part of the text form.
    pub names: BTreeMap<Value, Vec<String>>,
}

/// A type as the source has it, for what Python sees of an exported function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExportType {
    None,
    /// `weak`: of Python's own family (`int`, `float`, `complex`, `bool`).
    Scalar {
        dtype: DType,
        weak: bool,
    },
    /// A value that a version of a function is for, and to which parameters are equal then: an integer, a bool, a text. Of parameters alone.
    Constant(Literal),
    /// A number of one of several types, each with whether it is weak: as the first type, which holds the values of
    /// all, and a tag that says which it is. Of results alone. See [`either_tag`].
    Either(DType, Vec<(DType, bool)>),
    /// A value or None: a flag, and the value, which means nothing where the flag is false. Of results alone.
    Maybe(Box<ExportType>),
    Array {
        dtype: DType,
        rank: u8,
    },
    /// An array to which nothing may be written; of results alone.
    ReadOnly {
        dtype: DType,
        rank: u8,
    },
    List(DType),
    /// A list of tuples, with the types of a tuple's items. See [`Self::flatten`].
    Tuples(Vec<ExportType>),
    /// A list of arrays, lists or dicts. See [`Self::flatten`].
    Lists(Box<ExportType>),
    Sparse(SparseType),
    /// Of what lists can hold; without values a set. See [`Self::flatten`].
    Dict {
        key: Box<ExportType>,
        value: Option<Box<ExportType>>,
    },
    Tuple(Vec<ExportType>),
    /// A list of so many values, whose types may differ; of results alone.
    Items(Vec<ExportType>),
}

/// The type of tags of numbers that may have one of several types.
pub const EITHER_TAG: DType = DType::I8;

/// The tag of a number of this type.
#[must_use]
pub const fn either_tag(dtype: DType, weak: bool) -> i64 {
    2 * dtype as i64 + weak as i64
}

/// The lists of a dict behind those of its keys and values.
pub const DICT_LISTS: [Type; 2] = [Type::list(DType::I32), Type::list(DType::Bool)];

impl ExportType {
    /// The IR values that carry it. Those of a list are a list for each value that carries an item. Those of a dict are
    /// the lists of its keys and values, the table that finds entries, and flags of deleted entries: of a parameter's
    /// dict the last two come empty.
    pub fn flatten(&self, out: &mut Vec<Type>) {
        match self {
            Self::None | Self::Constant(_) => {}
            Self::Scalar { dtype, .. } => out.push(Type::Scalar(*dtype)),
            Self::Array { dtype, rank } | Self::ReadOnly { dtype, rank } => {
                out.push(Type::array(*dtype, *rank))
            }
            Self::Either(wide, _) => out.extend([Type::Scalar(*wide), Type::Scalar(EITHER_TAG)]),
            Self::Maybe(value) => {
                out.push(Type::Scalar(DType::Bool));
                value.flatten(out);
            }
            Self::List(dtype) => out.push(Type::list(*dtype)),
            Self::Tuples(items) => {
                let mut columns = Vec::new();
                items.iter().for_each(|item| item.flatten(&mut columns));
                out.extend(columns.into_iter().filter_map(Type::list_of));
            }
            Self::Lists(item) => {
                let mut columns = Vec::new();
                item.flatten(&mut columns);
                out.extend(columns.into_iter().filter_map(Type::list_of));
            }
            Self::Sparse(sparse) => out.extend(sparse.parts()),
            Self::Dict { key, value } => {
                let mut columns = Vec::new();
                key.flatten(&mut columns);
                value.iter().for_each(|value| value.flatten(&mut columns));
                out.extend(columns.into_iter().filter_map(Type::list_of));
                out.extend(DICT_LISTS);
            }
            Self::Tuple(items) | Self::Items(items) => items.iter().for_each(|item| item.flatten(out)),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct ExportParam {
    pub name: String,
    pub ty: ExportType,
    /// A scalar default. Of a parameter that is None, `false` says that it may be left out; of one that is a constant, the constant.
    pub default: Option<Literal>,
    /// Whether the source writes to it, even where no run gets: no pass changes it. See [`crate::alias::note_written`].
    pub written: bool,
    /// Only given by its name; none without follows.
    pub keyword_only: bool,
    /// Never given by its name; none without comes before.
    pub positional_only: bool,
    /// Of an array: what Python passes of another type is converted, where nothing is written to it.
    pub cast: bool,
    /// Of an array with two axes or more: it is expected to be column-major (Fortran's order), as [`crate::Guard::Contiguous`] then says.
    pub column_major: bool,
}

/// A function that Python can call.
#[derive(Clone, PartialEq, Debug)]
pub struct Export {
    /// Python's name; several exports of one name are overloads, tried in order.
    pub name: String,
    pub doc: Option<String>,
    pub params: Vec<ExportParam>,
    pub result: ExportType,
    /// What a call may run; the first one is taken whose guards all hold.
    pub entries: Vec<Entry>,
    /// It is a loop of a ufunc, which Python sees in its place; exports of one name are loops of one.
    pub ufunc: Option<Ufunc>,
}

/// A NumPy ufunc. Its loops take all operands as arrays whose first axis goes over the items, and return nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ufunc {
    /// The core dimensions of the operands: `(n),(n)->()`.
    pub core: String,
    /// Whether loops get the core dimensions, as further axes; else items are numbers.
    pub is_generalized: bool,
    pub identity: Option<Identity>,
}

impl Ufunc {
    /// How many operands are inputs; outputs follow.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.core.split("->").next().map_or(0, |inputs| inputs.matches('(').count())
    }
}

/// What a ufunc's `reduce` gives of nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identity {
    Zero,
    One,
    /// There is none, but the order of axes does not matter.
    Reorderable,
}

impl Identity {
    pub const ALL: [Self; 3] = [Self::Zero, Self::One, Self::Reorderable];

    /// As the text form has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::One => "one",
            Self::Reorderable => "reorderable",
        }
    }
}

/// A compiled file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Module {
    pub name: String,
    pub doc: Option<String>,
    /// Path of the source, for tracebacks.
    pub file: String,
    /// The files that lines of the source come from, where it is put together of parts; [`Loc`]s count its own lines.
    pub parts: Vec<Part>,
    pub funcs: PrimaryMap<FuncRef, Function>,
    pub exports: Vec<Export>,
    /// Names of source functions, by [`Loc::scope`].
    pub scopes: Vec<String>,
    /// Exception classes, by the number of [`Exc::Own`].
    pub exceptions: Vec<ExceptionClass>,
}

/// A class `class name(base): "doc"`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExceptionClass {
    pub name: String,
    /// A built-in exception, or a class before this one.
    pub base: Exc,
    pub doc: Option<String>,
}

impl Module {
    /// Python's name of an exception.
    #[must_use]
    pub fn exception_name(&self, exc: Exc) -> &str {
        match exc {
            Exc::Own(index) => {
                self.exceptions.get(usize::from(index)).map_or("?", |class| class.name.as_str())
            }
            built_in => built_in.name(),
        }
    }

    /// The function of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<FuncRef> {
        self.funcs.iter().find(|(_, f)| f.name == name).map(|(r, _)| r)
    }

    /// Whether a function is what a call runs in a process that has a device.
    #[must_use]
    pub fn is_for_device(&self, func: FuncRef) -> bool {
        let mut entries = self.exports.iter().flat_map(|export| &export.entries);
        entries.any(|entry| entry.func == func && entry.guards.contains(&Guard::Device))
    }

    /// The index of a source function's name, added where it is new.
    pub fn scope(&mut self, name: &str) -> u32 {
        let found = self.scopes.iter().position(|s| s == name);
        let index = found.unwrap_or_else(|| {
            self.scopes.push(name.to_owned());
            self.scopes.len() - 1
        });
        u32::try_from(index).expect("fewer than 2^32 functions")
    }
}

impl Function {
    #[must_use]
    pub fn new(name: &str, level: Level) -> Self {
        let mut blocks = PrimaryMap::default();
        let entry = blocks.push(BlockData::default());
        Self {
            name: name.to_owned(),
            level,
            version: Version::Any,
            results: Vec::new(),
            entry,
            values: PrimaryMap::default(),
            ops: PrimaryMap::default(),
            blocks,
            slots: 0,
            device: false,
            recursive: false,
            operation: None,
            region: None,
            names: BTreeMap::new(),
        }
    }

    #[must_use]
    pub fn params(&self) -> &[Value] {
        &self.blocks[self.entry].params
    }

    /// Whether callers, launches and exports can take this function for the other.
    #[must_use]
    pub fn has_signature_of(&self, other: &Self) -> bool {
        let types = |func: &Self| func.params().iter().map(|&param| func.ty(param)).collect::<Vec<_>>();
        (&self.name, self.level, self.version, &self.results, &self.region, types(self))
            == (&other.name, other.level, other.version, &other.results, &other.region, types(other))
    }

    #[must_use]
    pub fn ty(&self, value: Value) -> Type {
        self.values[value].ty
    }

    #[must_use]
    pub fn new_block(&mut self) -> Block {
        self.blocks.push(BlockData::default())
    }

    pub fn add_param(&mut self, block: Block, ty: Type) -> Value {
        let index = u32::try_from(self.blocks[block].params.len()).expect("fewer than 2^32 parameters");
        let value = self.values.push(ValueData { ty, def: ValueDef::Param(block, index) });
        self.blocks[block].params.push(value);
        value
    }

    /// Notes that a variable of the source has this value.
    pub fn add_name(&mut self, value: Value, name: &str) {
        let names = self.names.entry(value).or_default();
        if names.iter().all(|known| known != name) {
            names.push(name.to_owned());
        }
    }

    /// Makes an operation that stands in no block yet.
    pub fn new_op(
        &mut self,
        kind: OpKind,
        args: Vec<Value>,
        results: &[Type],
        regions: Vec<Block>,
        loc: Loc,
    ) -> Op {
        let op = self.ops.push(OpData { kind, args, results: Vec::new(), regions, loc });
        for &ty in results {
            self.add_result(op, ty);
        }
        op
    }

    pub fn add_result(&mut self, op: Op, ty: Type) -> Value {
        let index = u32::try_from(self.ops[op].results.len()).expect("fewer than 2^32 results");
        let value = self.values.push(ValueData { ty, def: ValueDef::Result(op, index) });
        self.ops[op].results.push(value);
        value
    }

    #[must_use]
    pub fn result(&self, op: Op) -> Value {
        self.ops[op].results[0]
    }

    /// The operation that a value is the result of.
    #[must_use]
    pub fn def_op(&self, value: Value) -> Option<Op> {
        match self.values[value].def {
            ValueDef::Result(op, _) => Some(op),
            ValueDef::Param(..) => None,
        }
    }

    /// The constant that a value is, if it is one.
    #[must_use]
    pub fn as_const(&self, value: Value) -> Option<&Literal> {
        match &self.ops[self.def_op(value)?].kind {
            OpKind::Const(literal) => Some(literal),
            _ => None,
        }
    }

    /// The integer that a value is, if it is a constant one: its bits, sign- or zero-extended.
    #[must_use]
    pub fn as_int(&self, value: Value) -> Option<i64> {
        match self.as_const(value)? {
            Literal::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The number that a value is, if it is a constant one, and real. Integers beyond 2^53 are rounded.
    #[must_use]
    pub fn as_number(&self, value: Value) -> Option<f64> {
        match self.as_const(value)? {
            #[allow(clippy::cast_precision_loss, reason = "said above")]
            Literal::Int(value) => Some(*value as f64),
            Literal::Float(bits) | Literal::Complex(bits, 0) => Some(f64::from_bits(*bits)),
            _ => None,
        }
    }

    /// The initial values of what a `for` or `pfor` carries.
    #[must_use]
    pub fn init(&self, op: Op) -> &[Value] {
        let data = &self.ops[op];
        let from = 3.min(data.args.len());
        &data.args[from..(from + data.results.len()).min(data.args.len())]
    }

    /// The function that an operation calls or launches, the operands that it passes on, and the parameter that the first of
    /// them becomes.
    #[must_use]
    pub fn passed(&self, op: Op) -> Option<(FuncRef, &[Value], usize)> {
        let data = &self.ops[op];
        match data.kind {
            OpKind::Call(callee) => Some((callee, &data.args, 0)),
            OpKind::Launch(callee) => {
                Some((callee, data.args.get(LAUNCH_CAPTURES..).unwrap_or_default(), Region::CAPTURES))
            }
            _ => None,
        }
    }

    /// The operands of the table of a `pfor`.
    #[must_use]
    pub fn table_args(&self, op: Op) -> &[Value] {
        let data = &self.ops[op];
        &data.args[(3 + data.results.len()).min(data.args.len())..]
    }

    #[must_use]
    pub fn terminator(&self, block: Block) -> Option<Op> {
        self.blocks[block].ops.last().copied().filter(|&op| self.ops[op].kind.is_terminator())
    }

    /// Calls `visit` for each operation in `block` and, after it, those nested in it, in order.
    pub fn walk(&self, block: Block, visit: &mut impl FnMut(Op)) {
        for &op in &self.blocks[block].ops {
            visit(op);
            for &region in &self.ops[op].regions {
                self.walk(region, visit);
            }
        }
    }

    /// All operations of the function, outer before inner, in order.
    #[must_use]
    pub fn all_ops(&self) -> Vec<Op> {
        let mut ops = Vec::new();
        self.walk(self.entry, &mut |op| ops.push(op));
        ops
    }

    /// Whether a device can run the function, the body of a parallel loop, as a kernel: behind the pass `device-loops`.
    #[must_use]
    pub const fn has_kernel(&self) -> bool {
        self.device && self.region.is_some()
    }

    /// The operations that are worth more code: all but those in cold blocks, in the same order.
    #[must_use]
    pub fn hot_ops(&self) -> Vec<Op> {
        let mut ops = Vec::new();
        self.walk_hot(self.entry, &mut ops);
        ops
    }

    fn walk_hot(&self, block: Block, ops: &mut Vec<Op>) {
        if !self.blocks[block].cold {
            for &op in &self.blocks[block].ops {
                ops.push(op);
                self.ops[op].regions.iter().for_each(|&region| self.walk_hot(region, ops));
            }
        }
    }

    /// Replaces operands all over the function: `map(v)` is what stands for `v` from now on.
    pub fn replace_uses(&mut self, map: impl Fn(Value) -> Value) {
        for op in self.ops.values_mut() {
            for arg in &mut op.args {
                *arg = map(*arg);
            }
        }
    }
}
