//! Says where the processor uses memory that a device may have.
//!
//! ```text
//! launch @f.device.region0 …, %u, %v                    launch @f.device.region0 …, %u, %v
//! for … {                                               host_access[read] %v
//!     %a = load_raw %v, %i                      ⇒       for … {
//!     …                                                     %a = load_raw %v, %i
//! ```
//!
//! What a loop on a device wrote stays there, and what it read is not copied again. So the processor asks before it uses memory that a loop of the call may have had on a
//! device: before the access, or before the outermost loop around it in which no device gets the memory. A question is about all memory of the array that a view is of,
//! and is not asked twice without a loop on a device between.
//!
//! It also tells each loop what need not be copied to a device ([`Residence`]): memory that nobody has touched since it was allocated; and whether what it only reads
//! is written later.
//!
//! Functions that launch nothing ask nothing: who calls them does, for all their arguments, as for functions of the runtime.

use std::collections::BTreeMap;

use pydd_ir::alias::{ClassSet, MemoryInfo, Summaries};
use pydd_ir::rewrite::{Layout, insert_before, is_defined_inside};
use pydd_ir::sharing::{Content, Residence};
use pydd_ir::{
    Block, Entity, FuncRef, Function, LAUNCH_CAPTURES, Level, Module, Op, OpKind, Value,
};

use super::device_loops::launching;
use crate::pass::{Finding, Need, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "coherence",
    summary: "say where the processor uses memory that a device may have",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::Always,
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    if !cx.options.device {
        return Ok(());
    }
    let uses_device = launching(module);
    let summaries = Summaries::of_callees(module);
    let is_host = |func: &Function| func.device && func.region.is_none();
    let funcs: Vec<FuncRef> =
        module.funcs.keys().filter(|&r| uses_device[r.index()] && is_host(&module.funcs[r])).collect();
    let mut residences: BTreeMap<(FuncRef, usize), Residence> = BTreeMap::new();
    for r in funcs {
        let mut walk = Walk::new(module, r, &uses_device, &summaries);
        walk.function(module.is_for_device(r));
        let Walk { questions, launches, .. } = walk;
        for (place, residence) in launches {
            residences.entry(place).and_modify(|all| *all = all.and(residence)).or_insert(residence);
        }
        ask(&mut module.funcs[r], &questions);
    }
    for ((region, at), residence) in residences {
        let region = module.funcs[region].region.as_mut().expect("a region is launched");
        region.captures[at].residence = residence;
    }
    Ok(())
}

/// A question, and the operation that it stands before.
struct Question {
    before: Op,
    array: Value,
    writes: bool,
}

fn ask(func: &mut Function, questions: &[Question]) {
    for &Question { before, array, writes } in questions {
        let loc = func.ops[before].loc;
        let op = func.new_op(OpKind::HostAccess { writes }, vec![array], &[], vec![], loc);
        insert_before(func, op, before);
    }
}

/// What is known at a place, whatever way led there.
#[derive(Clone, Default)]
struct State {
    /// Memory that a device may have.
    there: ClassSet,
    /// Arrays with all their memory that the processor may read in spite of that, and whether it may write.
    here: BTreeMap<Value, bool>,
    /// Arrays whose memory nobody touched since it was allocated, but for loops that a device may have run.
    blank: BTreeMap<Value, Content>,
}

impl State {
    /// What is known where two ways meet.
    fn meet(&mut self, other: &Self) {
        self.there.union(&other.there);
        self.here.retain(|value, writes| {
            other.here.get(value).is_some_and(|also| {
                *writes &= also;
                true
            })
        });
        self.blank.retain(|value, content| other.blank.get(value) == Some(content));
    }
}

/// An access of the processor's: the array whose memory it is in, and whether it writes.
type Access = (Value, bool);

struct Walk<'a> {
    module: &'a Module,
    func: &'a Function,
    memory: MemoryInfo,
    layout: Layout,
    uses_device: &'a [bool],
    /// Memory that loops on devices write.
    written: ClassSet,
    questions: Vec<Question>,
    launches: Vec<((FuncRef, usize), Residence)>,
}

impl<'a> Walk<'a> {
    fn new(module: &'a Module, r: FuncRef, uses_device: &'a [bool], summaries: &Summaries) -> Self {
        let func = &module.funcs[r];
        Self {
            module,
            func,
            memory: MemoryInfo::new(func, summaries),
            layout: Layout::new(func),
            uses_device,
            written: ClassSet::default(),
            questions: Vec::new(),
            launches: Vec::new(),
        }
    }

    /// A call begins without anything on a device; to functions that others call, everything may be there, and be written by them.
    fn function(&mut self, is_call: bool) {
        let mut state = State::default();
        if !is_call {
            for &param in self.func.params() {
                state.there.union(self.memory.classes(param));
            }
            self.written.union(&state.there);
        }
        for op in self.func.all_ops() {
            if self.is_on_device(op) {
                self.written.union(&self.memory.effects(op).writes);
            }
        }
        self.block(self.func.entry, &mut state);
    }

    /// Whether a device may have memory behind it, by itself or by what it calls.
    fn is_on_device(&self, op: Op) -> bool {
        match self.func.ops[op].kind {
            OpKind::Launch(region) => self.module.funcs[region].has_kernel(),
            OpKind::Call(callee) => self.uses_device[callee.index()] && self.module.funcs[callee].device,
            _ => false,
        }
    }

    fn touched(&self, op: Op) -> ClassSet {
        let effects = self.memory.effects(op);
        let mut all = effects.reads.clone();
        all.union(&effects.writes);
        all
    }

    /// The array that a view is of.
    fn root(&self, value: Value) -> Value {
        let view = self.func.def_op(value).map(|op| &self.func.ops[op]).filter(|data| data.kind.is_view());
        view.map_or(value, |data| self.root(data.args[0]))
    }

    /// What an operation that runs on the processor, and has nothing nested in it, does with arrays.
    fn accesses(&self, op: Op) -> Vec<Access> {
        let effects = self.memory.effects(op);
        let mut all = Vec::new();
        for &arg in self.func.ops[op].args.iter().filter(|&&arg| self.func.ty(arg).is_array()) {
            let classes = self.memory.classes(arg);
            let writes = effects.writes.intersects(classes);
            if writes || effects.reads.intersects(classes) {
                all.push((self.root(arg), writes));
            }
        }
        all
    }

    /// What is nested in an operation: the processor's accesses, what memory they are in, and what memory devices get.
    fn nested(&self, op: Op) -> (Vec<Access>, ClassSet, ClassSet) {
        let (mut accesses, mut here, mut there) = (Vec::new(), ClassSet::default(), ClassSet::default());
        for &region in &self.func.ops[op].regions {
            self.func.walk(region, &mut |inner| {
                if self.is_on_device(inner) {
                    there.union(&self.touched(inner));
                    if matches!(self.func.ops[inner].kind, OpKind::Call(_)) {
                        here.union(&self.touched(inner));
                    }
                } else if self.func.ops[inner].regions.is_empty() {
                    accesses.extend(self.accesses(inner));
                    here.union(&self.touched(inner));
                }
            });
        }
        (accesses, here, there)
    }

    /// Devices may get memory.
    fn goes(&self, state: &mut State, classes: &ClassSet) {
        state.there.union(classes);
        state.here.retain(|&value, _| !self.memory.classes(value).intersects(classes));
    }

    /// The processor touches memory.
    fn touches(&self, state: &mut State, classes: &ClassSet) {
        state.blank.retain(|&value, _| !self.memory.classes(value).intersects(classes));
    }

    fn ask(&mut self, state: &mut State, (array, writes): Access, before: Op) {
        let is_known = state.here.get(&array).is_some_and(|&may_write| may_write || !writes);
        if !is_known && self.memory.classes(array).intersects(&state.there) {
            self.questions.push(Question { before, array, writes });
            state.here.insert(array, writes);
        }
    }

    fn block(&mut self, block: Block, state: &mut State) {
        for &op in &self.func.blocks[block].ops {
            self.op(op, state);
        }
    }

    fn op(&mut self, op: Op, state: &mut State) {
        let func = self.func;
        let data = &func.ops[op];
        match &data.kind {
            OpKind::Empty | OpKind::Zeros => {
                let is_zero = data.kind == OpKind::Zeros;
                state.blank.insert(data.results[0], if is_zero { Content::Zeros } else { Content::Nothing });
                // What was there before in this place has been freed.
                state.here.insert(data.results[0], true);
            }
            OpKind::If => {
                let mut other = state.clone();
                self.block(data.regions[0], state);
                self.block(data.regions[1], &mut other);
                state.meet(&other);
            }
            OpKind::Scope => {
                let (_, here, there) = self.nested(op);
                let mut inside = state.clone();
                self.block(data.regions[0], &mut inside);
                self.goes(state, &there);
                self.touches(state, &here);
            }
            kind if kind.is_loop() => {
                let (accesses, here, there) = self.nested(op);
                self.goes(state, &there);
                self.touches(state, &here);
                let stays = |&(array, _): &Access| {
                    !is_defined_inside(func, &self.layout, array, op)
                        && !self.memory.classes(array).intersects(&there)
                };
                let before: Vec<Access> = accesses.into_iter().filter(stays).collect();
                for &(array, _) in &before {
                    let writes = before.iter().any(|&(other, writes)| other == array && writes);
                    self.ask(state, (array, writes), op);
                }
                for &region in &data.regions {
                    self.block(region, &mut state.clone());
                }
            }
            OpKind::Launch(region) if self.is_on_device(op) => {
                self.launch(op, *region, state);
                self.goes(state, &self.touched(op));
            }
            OpKind::Call(_) if self.is_on_device(op) => {
                let touched = self.touched(op);
                self.goes(state, &touched);
                self.touches(state, &touched);
            }
            _ => {
                for access in self.accesses(op) {
                    self.ask(state, access, op);
                }
                self.touches(state, &self.touched(op));
            }
        }
    }

    fn launch(&mut self, op: Op, region: FuncRef, state: &State) {
        let captures = self.module.funcs[region].region.as_ref().map_or(0, |region| region.captures.len());
        let passed = &self.func.ops[op].args[LAUNCH_CAPTURES..LAUNCH_CAPTURES + captures];
        for (at, &value) in passed.iter().enumerate() {
            let residence = Residence {
                written_later: self.memory.classes(value).intersects(&self.written),
                content: state.blank.get(&self.root(value)).copied().unwrap_or_default(),
            };
            if self.func.ty(value).is_array() {
                self.launches.push(((region, at), residence));
            }
        }
    }
}
