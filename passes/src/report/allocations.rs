//! Arrays that a call of a function makes, as the program says it and as it is compiled.
//!
//! It counts operations, not what they do when they run: one in a loop counts once and says so, and of two branches the one
//! counts that makes more. Sizes are given where they follow from lengths of arguments.

use std::collections::BTreeMap;

use pydd_ir::rewrite::Uses;
use pydd_ir::{Block, FuncRef, Function, Level, LibOp, Loc, MapTarget, Module, Op, OpKind, Value};

use super::words::{counted, variable};
use super::{CONTRACTED, KEPT, first_loc, usual_regions};
use crate::analysis::arithmetic;
use crate::analysis::shapes::{Length, Shapes};
use crate::analysis::symbol::{Poly, Symbol};
use crate::pass::Finding;

/// Functions that call each other are followed so far.
const DEPTH: usize = 4;
/// And operations that a length is made of.
const FOLLOWED: u32 = 6;

/// What a call of one exported function makes.
#[derive(Clone, PartialEq, Debug)]
pub struct Allocations {
    /// Python's name.
    pub name: String,
    pub loc: Loc,
    pub arrays: Vec<Array>,
}

/// An array that is made.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    pub loc: Loc,
    /// Its variable, where it has one.
    pub name: Option<String>,
    /// Its bytes, in terms of arguments.
    pub bytes: Option<String>,
    pub often: Often,
    /// Whether it is a result of the function.
    pub returned: bool,
}

/// How often an operation is done in a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Often {
    Once,
    /// In each part of a parallel loop.
    Parts(Loc),
    /// In each iteration of a loop.
    Iterations(Loc),
}

impl Often {
    /// As it follows a size.
    const fn words(self) -> &'static str {
        match self {
            Self::Once => "",
            Self::Parts(_) => " in each part of a parallel loop",
            Self::Iterations(_) => " in each iteration of a loop",
        }
    }
}

/// The arrays of all exported functions, in versions for ordinary arguments.
#[must_use]
pub fn of(module: &Module) -> Vec<Allocations> {
    let mut all: Vec<Allocations> = Vec::new();
    for export in &module.exports {
        let Some(entry) = export.entries.first() else { continue };
        let Some(loc) = first_loc(&module.funcs[entry.func]) else { continue };
        // Of overloads the first stands for all.
        if all.iter().any(|known| known.name == export.name) {
            continue;
        }
        let mut walk = Walk { module, arrays: Vec::new() };
        walk.function(entry.func, None, 0);
        all.push(Allocations { name: export.name.clone(), loc, arrays: walk.arrays });
    }
    all
}

struct Walk<'m> {
    module: &'m Module,
    arrays: Vec<Array>,
}

/// A function that is walked through.
struct Frame<'m> {
    func: &'m Function,
    shapes: Option<Shapes<'m>>,
    uses: Uses,
    /// Where it is called, of a callee.
    called: Option<Loc>,
    depth: usize,
}

impl<'m> Walk<'m> {
    fn function(&mut self, r: FuncRef, called: Option<Loc>, depth: usize) {
        let func = &self.module.funcs[r];
        let shapes = (func.level == Level::Array).then(|| Shapes::of(func));
        let frame = Frame { func, shapes, uses: Uses::new(func), called, depth };
        self.block(&frame, func.entry, Often::Once);
    }

    fn block(&mut self, frame: &Frame<'m>, block: Block, often: Often) {
        let func = frame.func;
        for (at, &op) in func.blocks[block].ops.iter().enumerate() {
            let data = &func.ops[op];
            match data.kind {
                OpKind::If => {
                    let most = usual_regions(func, block, at).iter().map(|&region| {
                        let mut branch = Walk { module: self.module, arrays: Vec::new() };
                        branch.block(frame, region, often);
                        branch.arrays
                    });
                    // The first of those that make as many.
                    let most = most.reduce(|most, other| if other.len() > most.len() { other } else { most });
                    self.arrays.extend(most.unwrap_or_default());
                }
                OpKind::Call(callee) if frame.depth < DEPTH => {
                    self.function(callee, Some(frame.called.unwrap_or(data.loc)), frame.depth + 1);
                }
                OpKind::Launch(callee) => {
                    let region = &self.module.funcs[callee];
                    let frame = Frame {
                        func: region,
                        shapes: None,
                        uses: Uses::new(region),
                        called: frame.called,
                        depth: frame.depth,
                    };
                    self.block(&frame, region.entry, Often::Parts(data.loc));
                }
                _ if data.kind.is_loop() => {
                    data.regions
                        .iter()
                        .for_each(|&region| self.block(frame, region, Often::Iterations(data.loc)));
                }
                // The body of a map is scalar code.
                OpKind::Map(_) => self.array(frame, op, often),
                _ => {
                    self.array(frame, op, often);
                    data.regions.iter().for_each(|&region| self.block(frame, region, often));
                }
            }
        }
    }

    fn array(&mut self, frame: &Frame<'m>, op: Op, often: Often) {
        let func = frame.func;
        let data = &func.ops[op];
        let arrays = data.results.iter().filter(|&&result| func.ty(result).is_array());
        for &result in arrays.filter(|_| makes_array(&data.kind)) {
            let ends = |user: Op| func.ops[user].kind == OpKind::Return;
            self.arrays.push(Array {
                loc: frame.called.unwrap_or(data.loc),
                name: variable(func, result).map(str::to_owned),
                bytes: frame.called.is_none().then(|| bytes(frame, op, result)).flatten(),
                often,
                returned: frame.called.is_none() && frame.uses.of(result).iter().any(|one| ends(one.op)),
            });
        }
    }
}

const fn makes_array(kind: &OpKind) -> bool {
    matches!(
        kind,
        OpKind::Elem(_)
            | OpKind::Cast
            | OpKind::Empty
            | OpKind::Zeros
            | OpKind::EmptyStrided
            | OpKind::KeepOrder(_)
            | OpKind::Full
            | OpKind::Iota
            | OpKind::Copy
            | OpKind::Reduce(_)
            | OpKind::Map(MapTarget::Fresh | MapTarget::Reduce(_))
            | OpKind::Lib(LibOp::Matmul | LibOp::Sort)
    )
}

/// The bytes of an array in terms of arguments.
fn bytes(frame: &Frame<'_>, op: Op, array: Value) -> Option<String> {
    let func = frame.func;
    let dims: Vec<Poly> = match &frame.shapes {
        Some(shapes) => {
            let dims = shapes.layout(array).dims.iter();
            dims.map(|&dim| length(func, dim)).collect::<Option<_>>()?
        }
        None => func.ops[op].args.iter().map(|&dim| number(func, dim, FOLLOWED)).collect::<Option<_>>()?,
    };
    let size = i128::from(func.ty(array).dtype()?.size());
    let total = dims.iter().try_fold(Poly::constant(size), |all, dim| all.mul(dim))?;
    total.text(&mut |symbol| match symbol {
        Symbol::Value(value) => variable(func, value).map(str::to_owned),
        Symbol::Length(array, axis) => {
            let name = variable(func, array)?;
            Some(match func.ty(array).rank() {
                1 => format!("len({name})"),
                _ => format!("{name}.shape[{axis}]"),
            })
        }
        _ => None,
    })
}

fn length(func: &Function, length: Length) -> Option<Poly> {
    match length {
        Length::Const(value) => Some(Poly::constant(value)),
        Length::Scalar(value) => number(func, value, FOLLOWED),
        Length::Axis(array, axis) => Some(Poly::symbol(Symbol::length(array, axis)?)),
    }
}

/// An integer in terms of lengths and variables; operations are followed so far.
fn number(func: &Function, value: Value, depth: u32) -> Option<Poly> {
    if let Some(value) = func.as_int(value) {
        return Some(Poly::constant(value));
    }
    if let Some(data) = func.def_op(value).map(|op| &func.ops[op])
        && let OpKind::Dim(axis) = data.kind
    {
        return Some(Poly::symbol(Symbol::length(data.args[0], axis)?));
    }
    let less = depth.checked_sub(1);
    let sum = less.and_then(|less| arithmetic::sum(func, value, &mut |arg| number(func, arg, less)));
    sum.or_else(|| Some(Poly::symbol(Symbol::Value(value))))
}

/// A finding for each function, which compares what it makes with what it made `before`, and one for each array that is left, with why
/// it is no part of a loop where that was `said` before.
#[must_use]
pub fn findings(before: &[Allocations], after: &[Allocations], said: &[Finding]) -> Vec<Finding> {
    let mut found = Vec::new();
    for function in after {
        let written = before.iter().find(|other| other.name == function.name);
        let written = written.filter(|written| written.arrays.len() + function.arrays.len() > 0);
        found.extend(written.map(|written| compared(written, function)));
        for array in function.arrays.iter().filter(|array| array.loc.line != 0) {
            let here =
                |code: &str| said.iter().find(|finding| finding.code == code && finding.loc == array.loc);
            found.push(made(array, here(KEPT), here(CONTRACTED).is_some()));
        }
    }
    found
}

fn compared(before: &Allocations, after: &Allocations) -> Finding {
    let name = &after.name;
    let (was, is) = (before.arrays.len(), after.arrays.len());
    let message = match (was, is) {
        _ if was == is => format!("`{name}` makes {}, as it is written", counted(is, "array")),
        (_, 0) => format!("`{name}` makes no array; as it is written, {was}"),
        _ => format!("`{name}` makes {}; as it is written, {was}", counted(is, "array")),
    };
    let mut finding = Finding::new("allocations", after.loc, message);
    finding.badge =
        Some(if was == is { counted(is, "array") } else { format!("{}, not {was}", counted(is, "array")) });
    let (is, was) = (total(&after.arrays), total(&before.arrays));
    let written = was.filter(|was| is.as_ref() != Some(was));
    finding.notes.extend(is.map(|bytes| format!("bytes of a call: {bytes}")));
    finding.notes.extend(written.map(|bytes| format!("bytes of the operations as written: {bytes}")));
    finding
}

/// The bytes of all arrays, equal ones together.
fn total(arrays: &[Array]) -> Option<String> {
    let mut sizes: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut unknown = 0;
    for array in arrays {
        match &array.bytes {
            Some(bytes) => *sizes.entry((array.often.words(), bytes.as_str())).or_default() += 1,
            None => unknown += 1,
        }
    }
    let mut parts: Vec<String> = sizes
        .into_iter()
        .map(|((often, bytes), count)| {
            let times = if count == 1 { String::new() } else { format!("{count} × ") };
            format!("{times}{bytes}{often}")
        })
        .collect();
    if unknown > 0 {
        parts.push(format!("{} of sizes that are known when it runs", counted(unknown, "array")));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn made(array: &Array, reason: Option<&Finding>, contracted: bool) -> Finding {
    let what = array.name.as_ref().map_or_else(|| "an array".to_owned(), |name| format!("`{name}`"));
    let size = array.bytes.as_ref().map_or_else(String::new, |bytes| format!(" of {bytes} bytes"));
    let message = match array.name {
        Some(_) => format!("{what} is an array{size}"),
        None => format!("{what}{size} is made here"),
    };
    let said = reason.and_then(|finding| finding.labels.first()).map(|(_, text)| text.clone());
    let why = match () {
        () if array.returned => Some("it is given back".to_owned()),
        () if contracted => Some("what one iteration needs of it".to_owned()),
        () => said,
    };
    let finding = Finding::new(KEPT, array.loc, message).label(array.loc, why.unwrap_or_default());
    match array.often {
        Often::Parts(looped) if looped != array.loc => finding.label(looped, "in each part of this loop"),
        Often::Iterations(looped) if looped != array.loc => {
            finding.label(looped, "in each iteration of this loop")
        }
        _ => finding,
    }
}
