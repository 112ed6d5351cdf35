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
//! A `pfor` that stays is proved. A proved race refuses the program, and so does a list with which iterations do
//! anything else than to append to it; any other loop that is not proved becomes a `for`, with a remark. So that a program is accepted at all
//! optimisation levels or at none, it looks at a copy in which calls are inlined and constants folded.
//! What was there before the loop and is written in it must be [sliced](table::Sharing) by the index;
//! what an iteration makes for itself is private; reductions of scalars are in the operation already. A loop that
//! does nothing else than to combine values into elements of arrays is marked (`pfor[arrays]`), for
//! [`privatize`](super::privatize).
//!
//! Parameters are taken as different arrays that do not overlap. That holds in the fast version; in others
//! the backends run a `pfor` that could clash serially.
//!
//! It does not follow indices through memory (`a[idx[i]] = x`), and takes arrays that a loop around swaps as one.

mod access;
mod depend;
mod examples;
mod index;
mod integers;
mod overlap;
mod poly;
pub mod table;
#[cfg(test)]
mod tests;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::{
    ExportType, FuncRef, Function, Level, LibOp, Loc, Module, Op, OpKind, Type, Value, ValueDef, Version,
};

use crate::array::{canonicalize, cse, inline};
use crate::drop_unused;
use crate::pass::{Finding, Need, Pass, PassContext};
use std::collections::{BTreeMap, BTreeSet};
use table::{Conflict, Sharing, classify};

pub const PASS: Pass = Pass {
    name: "prove-pfor",
    summary: "prove that the iterations of parallel loops are independent, or make the loops serial",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::Always,
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let loops: Vec<(FuncRef, Op)> =
        module.funcs.iter().flat_map(|(f, func)| pfors(func).into_iter().map(move |op| (f, op))).collect();
    if loops.is_empty() {
        return Ok(());
    }
    let mut copy = module.clone();
    // In the copy a loop's place is its number, by which it is known wherever it is inlined.
    let mut places = Vec::new();
    for (n, &(f, op)) in (1..).zip(&loops) {
        places.push(std::mem::replace(&mut copy.funcs[f].ops[op].loc, Loc { line: n, ..Loc::default() }));
    }
    for pass in [&inline::PASS, &drop_unused::PASS, &canonicalize::PASS, &cse::PASS] {
        (pass.run)(&mut copy, &PassContext::quiet(cx.options))?;
    }
    let summaries = Summaries::of_callees(&copy);
    let funcs: Vec<FuncRef> = copy.funcs.keys().collect();
    let mut unproved: BTreeMap<usize, Finding> = BTreeMap::new();
    let mut reducing = BTreeSet::new();
    for f in funcs {
        let pfors = pfors(&copy.funcs[f]);
        if pfors.is_empty() {
            continue;
        }
        // Different parameters are different arrays, as in the fast version.
        copy.funcs[f].version = Version::Fast;
        let memory = MemoryInfo::new(&copy.funcs[f], &summaries);
        for pfor in pfors {
            let number = copy.funcs[f].ops[pfor].loc.line as usize - 1;
            let place = places[number];
            let proof = Proof { module: &copy, f, func: &copy.funcs[f], memory: &memory, pfor, place };
            match proof.check()? {
                Verdict::AnyOrder => {}
                Verdict::IntoArrays => {
                    reducing.insert(number);
                }
                Verdict::InOrder(remark) => {
                    unproved.entry(number).or_insert(remark);
                }
            }
        }
    }
    for number in reducing {
        let (f, op) = loops[number];
        if let OpKind::PFor(parallel) = &mut module.funcs[f].ops[op].kind {
            parallel.arrays = true;
        }
    }
    for (number, remark) in unproved {
        let (f, op) = loops[number];
        // What is to be watched is made a `for` by the pass that watches it.
        if !cx.options.check_races {
            module.funcs[f].ops[op].kind = OpKind::For;
        }
        cx.remark(remark);
    }
    Ok(())
}

fn pfors(func: &Function) -> Vec<Op> {
    func.all_ops().into_iter().filter(|&op| matches!(func.ops[op].kind, OpKind::PFor(_))).collect()
}

/// How a loop may run.
enum Verdict {
    AnyOrder,
    /// It reduces into arrays, and does nothing else that iterations share.
    IntoArrays,
    /// Not proved; the remark says why.
    InOrder(Finding),
}

/// One loop, and what its refusal is made of.
struct Proof<'a> {
    module: &'a Module,
    f: FuncRef,
    func: &'a Function,
    memory: &'a MemoryInfo,
    pfor: Op,
    place: Loc,
}

impl Proof<'_> {
    /// Refuses the program, or says how the loop may run.
    fn check(&self) -> Result<Verdict, Finding> {
        let mut remark = self.check_order();
        let mut reduces = false;
        let table = classify(self.func, self.memory, self.pfor);
        for (root, sharing) in &table.rows {
            let is_list = matches!(self.func.ty(*root), Type::List { .. });
            match sharing {
                Sharing::Contended(conflict) if is_list => return Err(self.list(conflict)),
                Sharing::Contended(conflict) if conflict.relation.is_certain() => {
                    return Err(self.race(*root, conflict));
                }
                Sharing::Contended(conflict) => {
                    remark.get_or_insert_with(|| self.undecided(*root, conflict));
                }
                Sharing::Reduced(_) => reduces |= self.func.ty(*root).is_array(),
                _ => {}
            }
        }
        Ok(match remark {
            Some(remark) => Verdict::InOrder(remark),
            None if reduces => Verdict::IntoArrays,
            None => Verdict::AnyOrder,
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
            OpKind::ListTruncate => "takes items away",
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
        let order = match conflict.example.as_ref().map(|[a, b]| (a.as_constant(), b.as_constant())) {
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
    let export = module.exports.iter().find(|export| export.fast == f);
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
