//! Proves that the iterations of each `pfor` are independent; runs them in order where it cannot.
//!
//! ```text
//! pfor 0, %n, 1 {                  independent: iteration i writes the elements [i] and no other
//! (%i: i64):
//!     store %a, %x, %i
//! }
//! pfor 1, %n, 1 {                  refused: iteration i reads what iteration i - 1 writes
//! (%i: i64):
//!     %x: f64 = load %a, (%i - 1)
//!     store %a, %x, %i
//! }
//! pfor 0, %n, 1 {                  becomes `for`: the indices may repeat
//! (%i: i64):
//!     %at: i64 = load %index, %i
//!     store %a, %x, %at
//! }
//! ```
//!
//! A `pfor` that stays is proved, and has the [table](pydd_ir::sharing) that says how its iterations share memory. A proved
//! race refuses the program, and so does a list with which iterations do
//! anything else than to append to it; any other loop that is not proved becomes a `for`, with a remark. So that a program is
//! accepted at all optimisation levels or at none, what simplifies programs runs before it at all of them.
//! What was there before the loop and is written in it must be [sliced](pydd_ir::Sharing) by the index, or reduced into
//! (see [`privatize`](super::privatize)); what an iteration makes for itself is private; reductions of scalars are in
//! the operation already.
//!
//! Parameters are taken as different arrays that do not overlap. That holds in the fast version; in others it is tested
//! before the loop (see [`outline`](crate::loops::outline)).
//!
//! It does not follow indices through memory (`a[idx[i]] = x`), and takes arrays that a loop around swaps as one.

mod access;
mod depend;
mod examples;
mod index;
mod integers;
mod overlap;
mod report;
mod segments;
pub mod table;
#[cfg(test)]
mod tests;
pub mod updates;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::Layout;
use pydd_ir::{
    ExportType, FuncRef, Function, Level, LibOp, Loc, Module, Op, OpKind, Table, Type, Value, ValueDef,
    Version,
};

use crate::array::{canonicalize, cse, inline};
use crate::drop_unused;
use crate::pass::{Finding, Need, Pass, PassContext};
use table::{Class, Conflict, classify};

pub const PASS: Pass = Pass {
    name: "prove-pfor",
    summary: "prove that the iterations of parallel loops are independent, or make the loops serial",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::Always,
    run,
};

/// What simplifies a program before its loops are looked at. It runs at all levels of optimisation where there is a
/// `pfor`, so that a program is accepted at all of them or at none.
const BEFORE: [&Pass; 4] = [&inline::PASS, &drop_unused::BEFORE_MASKS, &canonicalize::PASS, &cse::PASS];

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    if module.funcs.values().all(|func| pfors(func).is_empty()) {
        return Ok(());
    }
    BEFORE.iter().try_for_each(|pass| (pass.run)(module, &PassContext::quiet(cx.options)))?;
    module.funcs.values_mut().for_each(forget_tables);
    let summaries = Summaries::of_callees(module);
    let mut remarks = Vec::new();
    for f in module.funcs.keys().collect::<Vec<_>>() {
        let pfors = pfors(&module.funcs[f]);
        if pfors.is_empty() {
            continue;
        }
        // Different parameters are different arrays, as in the fast version; in others that is tested before the loop.
        let version = std::mem::replace(&mut module.funcs[f].version, Version::Fast);
        let func = &module.funcs[f];
        let (memory, layout) = (MemoryInfo::new(func, &summaries), Layout::new(func));
        let mut verdicts = Vec::new();
        for pfor in pfors {
            let proof =
                Proof { module, f, func, memory: &memory, layout: &layout, pfor, place: func.ops[pfor].loc };
            verdicts.push((pfor, proof.check(cx)?));
        }
        let func = &mut module.funcs[f];
        func.version = version;
        for (pfor, verdict) in verdicts {
            match verdict {
                Verdict::Parallel(table, operands) => {
                    let data = &mut func.ops[pfor];
                    data.args.extend(operands);
                    if let OpKind::PFor(parallel) = &mut data.kind {
                        parallel.table = Some(table);
                    }
                }
                Verdict::InOrder(remark) => {
                    // What is to be watched is made a `for` by the pass that watches it.
                    if !cx.options.check_races {
                        func.ops[pfor].kind = OpKind::For;
                    }
                    // Inlined copies of a loop stand in one place.
                    if !remarks.contains(&remark) {
                        remarks.push(remark);
                    }
                }
            }
        }
    }
    remarks.into_iter().for_each(|remark| cx.remark(remark));
    Ok(())
}

/// Loops that come with a table are looked at anew.
fn forget_tables(func: &mut Function) {
    for op in pfors(func) {
        let data = &mut func.ops[op];
        data.args.truncate(3 + data.results.len());
        if let OpKind::PFor(parallel) = &mut data.kind {
            parallel.table = None;
        }
    }
}

fn pfors(func: &Function) -> Vec<Op> {
    func.all_ops().into_iter().filter(|&op| matches!(func.ops[op].kind, OpKind::PFor(_))).collect()
}

/// How a loop may run.
enum Verdict {
    /// In any order; the table and its operands.
    Parallel(Table, Vec<Value>),
    /// Not proved; the remark says why.
    InOrder(Finding),
}

/// One loop, and what its refusal is made of.
struct Proof<'a> {
    module: &'a Module,
    f: FuncRef,
    func: &'a Function,
    memory: &'a MemoryInfo,
    layout: &'a Layout,
    pfor: Op,
    place: Loc,
}

impl Proof<'_> {
    /// Refuses the program, or says how the loop may run.
    fn check(&self, cx: &PassContext<'_>) -> Result<Verdict, Finding> {
        let mut remark = self.check_order();
        let classes = classify(self.func, self.memory, self.pfor);
        for (root, class) in &classes.rows {
            let is_list = matches!(self.func.ty(*root), Type::List { .. });
            match class {
                Class::Contended(conflict) if is_list => return Err(self.list(conflict)),
                Class::Contended(conflict) if conflict.relation.is_certain() => {
                    return Err(self.race(*root, conflict));
                }
                Class::Contended(conflict) => {
                    remark.get_or_insert_with(|| self.undecided(*root, conflict));
                }
                _ => {}
            }
        }
        cx.report(|| report::table(self, &classes, remark.is_none()));
        let table = if remark.is_none() {
            classes.table(self.func, self.memory, self.layout, self.pfor)
        } else {
            None
        };
        let in_order =
            || self.in_order(self.place, "it changes what it takes out of a list", "in each iteration");
        Ok(match table {
            Some((table, operands)) => Verdict::Parallel(table, operands),
            None => Verdict::InOrder(remark.unwrap_or_else(in_order)),
        })
    }

    fn loc(&self, op: Op) -> Loc {
        self.func.ops[op].loc
    }

    /// The remark that this loop keeps its order.
    fn in_order(&self, loc: Loc, why: &str, label: &str) -> Finding {
        let what = format!("this `pfor` runs in order, on one thread: {why}");
        Finding::new("pfor-undecided", self.place, what).label(loc, label)
    }

    /// Printing shows the order of iterations, as do draws from the stream of `np.random`.
    fn check_order(&self) -> Option<Finding> {
        let mut found = None;
        self.func.walk(self.func.ops[self.pfor].regions[0], &mut |op| {
            let prints = match self.func.ops[op].kind {
                OpKind::Print(_) => true,
                OpKind::Call(_) | OpKind::Lib(LibOp::Draw(_)) => self.memory.effects(op).io,
                _ => false,
            };
            found = found.or(prints.then_some(op));
        });
        let op = found?;
        let (why, label) = match self.func.ops[op].kind {
            OpKind::Print(_) => ("it prints", "prints in the order of iterations"),
            OpKind::Lib(_) => ("it draws random numbers", "draws from the stream that all iterations share"),
            _ => ("it prints or draws random numbers", "this function does"),
        };
        Some(self.in_order(self.loc(op), why, label))
    }

    /// Iterations change a list and do something else with it.
    fn list(&self, conflict: &Conflict) -> Finding {
        let does = |op: Op| match self.func.ops[op].kind {
            OpKind::ListAppend => "appends to it",
            OpKind::ListSet => "changes an item",
            OpKind::ListPrepend => "puts an item in front",
            OpKind::ListTruncate | OpKind::ListDropFront => "takes items away",
            OpKind::ListLen => "asks for its length",
            OpKind::ListGet => "reads an item",
            _ => "uses it in a way that is not known",
        };
        let (write, other) = (conflict.first, conflict.second);
        let what = "iterations of this `pfor` can only append to a list that they share";
        let mut finding =
            Finding::new("pfor-race", self.loc(other), what).label(self.loc(other), does(other));
        if write != other {
            finding = finding.label(self.loc(write), does(write));
        }
        finding
            .label(self.place, "iterations run in no fixed order")
            .help("use `for` to keep the order, or an array that iterations write elements of")
    }

    /// Iterations draw random numbers from one generator.
    fn shared_generator(&self, conflict: &Conflict) -> Finding {
        let (first, second) = (self.loc(conflict.first), self.loc(conflict.second));
        let what = "iterations of this `pfor` draw random numbers from one generator";
        let finding = Finding::new("pfor-race", first, what).label(first, "each draw changes the generator");
        let finding = if first == second { finding } else { finding.label(second, "drawn here as well") };
        finding.label(self.place, "iterations run in no fixed order").help(
            "use `for`, or give each iteration a generator of its own: `np.random.default_rng([seed, i])`",
        )
    }

    fn race(&self, root: Value, conflict: &Conflict) -> Finding {
        if matches!(self.func.ops[conflict.first].kind, OpKind::Lib(LibOp::Draw(_))) {
            return self.shared_generator(conflict);
        }
        let (first, second) = (self.loc(conflict.first), self.loc(conflict.second));
        let name = self.name(root);
        let order = match conflict.example.as_ref().map(|[a, b]| (a.as_i64(), b.as_i64())) {
            Some((Some(a), Some(b))) => {
                format!("iterations run in no fixed order; {} and {} meet", a.min(b), a.max(b))
            }
            _ => "iterations run in no fixed order".to_owned(),
        };
        let both_write = conflict.first_writes && conflict.second_writes;
        let refusal = if both_write && conflict.first == conflict.second {
            let what = format!("iterations of this `pfor` write the same elements of {name}");
            Finding::new("pfor-race", first, what).label(first, "written in every iteration")
        } else if both_write {
            let what = format!("iterations of this `pfor` write the same elements of {name}");
            let label = "another iteration writes the same element here";
            Finding::new("pfor-race", first, what).label(first, "written here").label(second, label)
        } else {
            let (read, write) = if conflict.first_writes { (second, first) } else { (first, second) };
            let what = format!("iterations of this `pfor` read elements of {name} that others write");
            let label = "reads what another iteration writes";
            let finding = Finding::new("pfor-race", read, what).label(read, label);
            if read == write { finding } else { finding.label(write, "written here") }
        };
        refusal.label(self.place, order).help("use `for` to keep the order")
    }

    fn undecided(&self, root: Value, conflict: &Conflict) -> Finding {
        let name = self.name(root);
        let both_write = conflict.first_writes && conflict.second_writes;
        let why = if both_write {
            format!("two iterations may write one element of {name}")
        } else {
            format!("an iteration may read an element of {name} that another one writes")
        };
        let (first, second) = (self.loc(conflict.first), self.loc(conflict.second));
        let verb = |writes| if writes { "writes" } else { "reads" };
        let text = format!(
            "{}, and nothing shows which iterations do so to one element",
            verb(conflict.first_writes)
        );
        let mut remark = self.in_order(first, &why, &text);
        if first != second {
            remark = remark.label(second, format!("{} here", verb(conflict.second_writes)));
        }
        remark
    }

    fn name(&self, root: Value) -> String {
        param_name(self.module, self.f, self.func, root)
    }
}

/// A variable's name in backquotes where it is an exported function's parameter.
#[must_use]
pub fn param_name(module: &Module, f: FuncRef, func: &Function, root: Value) -> String {
    let ValueDef::Param(block, index) = func.values[root].def else { return "an array".to_owned() };
    let export = module.exports.iter().find(|export| export.funcs().any(|func| func == f));
    let (Some(export), true) = (export, block == func.entry) else { return "an array".to_owned() };
    let mut next = 0;
    for param in &export.params {
        let mut types = Vec::new();
        ExportType::flatten(&param.ty, &mut types);
        next += types.len();
        if (index as usize) < next {
            return format!("`{}`", param.name);
        }
    }
    "an array".to_owned()
}
