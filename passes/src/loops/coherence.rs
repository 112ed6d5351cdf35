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
//! and is not asked twice without a loop on a device between. Where the processor reads one element, the question is about that alone.
//!
//! It also tells each loop what need not be copied to a device ([`Residence`]): memory that nobody has touched since it was allocated, or that its iterations overwrite;
//! and whether what it only reads is written later.
//!
//! Functions that launch nothing ask nothing: who calls them does, for all their arguments, as for functions of the runtime.

mod covers;

use std::collections::BTreeMap;

use pydd_ir::alias::{ClassSet, MemoryInfo, Summaries};
use pydd_ir::rewrite::{Layout, insert_before, is_defined_inside};
use pydd_ir::sharing::{Content, Residence};
use pydd_ir::{
    Block, Builder, Entity, FuncRef, Function, LAUNCH_CAPTURES, Level, LibOp, Module, Op, OpKind, Type, Value,
};

use super::device_loops::launching;
use crate::analysis::patterns::viewed;
use crate::pass::{Finding, Need, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "coherence",
    summary: "say where the processor uses memory that a device may have",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::Always,
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let uses_device = launching(module);
    if !uses_device.contains(&true) {
        return Ok(());
    }
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
    /// Or a list of arrays, all of which it is about.
    array: Value,
    /// Of an element of the array, if it is about one alone.
    indices: Option<Vec<Value>>,
    writes: bool,
}

fn ask(func: &mut Function, questions: &[Question]) {
    for Question { before, array, indices, writes } in questions {
        let loc = func.ops[*before].loc;
        let holder = func.new_block();
        let mut b = Builder::new(func, holder);
        b.loc = loc;
        let asked = indices.as_ref().map_or(*array, |indices| element(&mut b, *array, indices));
        ask_for_all(&mut b, asked, *writes);
        let made = std::mem::take(&mut func.blocks[holder].ops);
        made.into_iter().for_each(|op| insert_before(func, op, *before));
    }
}

/// Asks for an array, or for all arrays of a list.
fn ask_for_all(b: &mut Builder<'_>, asked: Value, writes: bool) {
    let Some(item) = b.func.ty(asked).list_item() else {
        b.effect(OpKind::HostAccess { writes }, vec![asked]);
        return;
    };
    let (zero, one) = (b.int(0), b.int(1));
    let length = b.value(OpKind::ListLen, vec![asked], Type::I64);
    b.for_loop([zero, length, one], &[], |b, i, _| {
        let item = b.value(OpKind::ListGet, vec![asked, i], item);
        ask_for_all(b, item, writes);
        vec![]
    });
}

/// An array of one element of another one.
fn element(b: &mut Builder<'_>, array: Value, indices: &[Value]) -> Value {
    let mut offset = b.int(0);
    for (axis, &index) in (0..).zip(indices) {
        let stride = b.value(OpKind::Stride(axis), vec![array], Type::I64);
        let along = b.mul(index, stride);
        offset = b.add(offset, along);
    }
    let dtype = b.func.ty(array).dtype().expect("arrays have elements");
    b.value(OpKind::RawView, vec![array, offset], Type::array(dtype, 0))
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
    summaries: &'a Summaries,
    /// Memory that loops of the call write on devices, and that with all that may have been written there before.
    written: ClassSet,
    differs: ClassSet,
    questions: Vec<Question>,
    launches: Vec<((FuncRef, usize), Residence)>,
}

impl<'a> Walk<'a> {
    fn new(module: &'a Module, r: FuncRef, uses_device: &'a [bool], summaries: &'a Summaries) -> Self {
        let func = &module.funcs[r];
        Self {
            module,
            func,
            memory: MemoryInfo::new(func, summaries),
            layout: Layout::new(func),
            uses_device,
            summaries,
            written: ClassSet::default(),
            differs: ClassSet::default(),
            questions: Vec::new(),
            launches: Vec::new(),
        }
    }

    /// All arguments may be on a device, and be written there: by the function that calls this one, or since they live there.
    fn function(&mut self, is_call: bool) {
        let mut state = State::default();
        for &param in self.func.params() {
            state.there.union(self.memory.classes(param));
        }
        if !is_call {
            self.written.union(&state.there);
        }
        self.differs.union(&state.there);
        for op in self.func.all_ops() {
            if self.is_on_device(op) {
                self.written.union(&self.memory.effects(op).writes);
                self.written.union(&self.made(op));
            }
        }
        self.differs.union(&self.written);
        self.block(self.func.entry, &mut state);
    }

    /// Whether a device may have memory behind it, by itself or by what it calls.
    fn is_on_device(&self, op: Op) -> bool {
        match self.func.ops[op].kind {
            OpKind::Launch(region) => self.module.funcs[region].has_kernel(),
            OpKind::Lib(LibOp::Routine(routine)) => routine.on_processor().is_some(),
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

    /// What a call gives may have been written on a device.
    fn made(&self, op: Op) -> ClassSet {
        let mut all = ClassSet::default();
        for &result in &self.func.ops[op].results {
            all.union(self.memory.classes(result));
        }
        all
    }

    /// What an operation that runs on the processor, and has nothing nested in it, does with arrays.
    fn accesses(&self, op: Op) -> Vec<Access> {
        let data = &self.func.ops[op];
        let facts = data.kind.facts(Level::Loop);
        let passed = self.func.passed(op);
        let mut all = Vec::new();
        for (at, &arg) in data.args.iter().enumerate().filter(|&(_, &arg)| self.func.ty(arg).is_array()) {
            let (reads, writes) = match passed {
                None => (facts.reads.contains(&at), facts.writes.contains(&at)),
                Some((callee, args, first)) => self.summaries.get(callee).map_or((true, true), |callee| {
                    let param = first + at - (data.args.len() - args.len());
                    let param = u32::try_from(param).unwrap_or(u32::MAX);
                    (callee.reads.contains(param), callee.writes.contains(param))
                }),
            };
            if reads || writes {
                all.push((viewed(self.func, arg), writes));
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
                    there.union(&self.made(inner));
                    if matches!(self.func.ops[inner].kind, OpKind::Call(_) | OpKind::Lib(_)) {
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

    fn ask(&mut self, state: &mut State, access: Access, before: Op) {
        if self.has_to_ask(state, access) {
            let (array, writes) = access;
            self.questions.push(Question { before, array, indices: None, writes });
            state.here.insert(array, writes);
        }
    }

    fn has_to_ask(&self, state: &State, (array, writes): Access) -> bool {
        let is_known = state.here.get(&array).is_some_and(|&may_write| may_write || !writes);
        let classes = self.memory.classes(array);
        // What devices only read they do not change.
        let may_differ = classes.intersects(&state.there) && (writes || classes.intersects(&self.differs));
        !is_known && may_differ
    }

    /// What a function on the processor is passed in lists.
    fn ask_for_lists(&mut self, state: &State, op: Op) {
        let Some((_, args, _)) = self.func.passed(op) else { return };
        let holds_arrays = |arg: &Value| matches!(self.func.ty(*arg), Type::List { rank: Some(_), .. });
        let lists: Vec<Value> = args.iter().copied().filter(holds_arrays).collect();
        let effects = self.memory.effects(op);
        let writes = effects.writes.intersects(&state.there);
        let reads = [&effects.reads, &effects.writes].into_iter().any(|touched| {
            touched.iter().any(|class| state.there.contains(class) && self.differs.contains(class))
        });
        if writes || reads {
            let question = |array| Question { before: op, array, indices: None, writes };
            self.questions.extend(lists.into_iter().map(question));
        }
    }

    /// An element is read.
    fn load(&mut self, state: &State, op: Op) {
        let (array, indices) = self.func.ops[op].args.split_first().expect("an array and indices");
        if self.has_to_ask(state, (viewed(self.func, *array), false)) {
            let indices = Some(indices.to_vec());
            self.questions.push(Question { before: op, array: *array, indices, writes: false });
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
            OpKind::Call(_) | OpKind::Lib(_) if self.is_on_device(op) => {
                let mut touched = self.touched(op);
                touched.union(&self.made(op));
                self.goes(state, &touched);
                self.touches(state, &touched);
            }
            OpKind::LoadRaw => {
                self.load(state, op);
                self.touches(state, &self.touched(op));
            }
            _ => {
                for access in self.accesses(op) {
                    self.ask(state, access, op);
                }
                self.ask_for_lists(state, op);
                self.touches(state, &self.touched(op));
            }
        }
    }

    fn launch(&mut self, op: Op, region: FuncRef, state: &State) {
        let captures = self.module.funcs[region].region.as_ref().map_or(0, |region| region.captures.len());
        let passed = &self.func.ops[op].args[LAUNCH_CAPTURES..LAUNCH_CAPTURES + captures];
        for (at, &value) in passed.iter().enumerate() {
            let residence = Residence {
                cover: covers::cover(&self.module.funcs[region], at),
                written_later: self.memory.classes(value).intersects(&self.written),
                content: state.blank.get(&viewed(self.func, value)).copied().unwrap_or_default(),
            };
            if self.func.ty(value).is_array() {
                self.launches.push(((region, at), residence));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::{device_loops, outline};
    use crate::testing::{parse, run_pass, text};

    /// A loop writes an array that was just made, a second one combines it with an argument, which a third one writes.
    const TEXT: &str = r#"module "m" file "m"

func @f loop device (%0: array<f64, 1> in m0) -> (array<f64, 1>) {
  %1: i64 = const 0
  %2: i64 = const 1
  %3: f64 = const 2.0
  %4: i64 = dim[0] %0
  %5: array<f64, 1> in m1 = zeros %4
  pfor[| sliced write [i]] %1, %4, %2, %5 !w m1 {
  (%6: i64):
    store_raw %5, %3, %6 !w m1
    continue[0]
  }
  pfor[| sliced write [i], sliced read [i]] %1, %4, %2, %5, %0 !r m0|m1 !w m1 {
  (%7: i64):
    %8: f64 = load_raw %0, %7 !r m0
    %9: f64 = load_raw %5, %7 !r m1
    %10: f64 = add %8, %9
    store_raw %5, %10, %7 !w m1
    continue[0]
  }
  pfor[| sliced write [i]] %1, %4, %2, %0 !w m0 {
  (%11: i64):
    store_raw %0, %3, %11 !w m0
    continue[0]
  }
  return %5
}
export "f"("a": written array<f64, 1>) -> array<f64, 1> = @f if device, @f
"#;

    #[test]
    fn loops_know_what_need_not_be_copied() {
        let mut module = parse(TEXT);
        [&outline::PASS, &device_loops::PASS, &PASS].iter().for_each(|pass| run_pass(pass, &mut module));
        let text = text(&module);
        assert!(text.contains("region[| m0 written_later zeros fills sliced write [i]]"), "{text}");
        let second =
            "region[| m0 written_later zeros covers sliced write [i], m1 written_later sliced read [i]]";
        assert!(text.contains(second), "{text}");
        assert!(text.contains("region[| m0 written_later fills sliced write [i]]"), "{text}");
        // And so it is read again.
        assert_eq!(crate::testing::text(&parse(&text)), text);
    }
}
