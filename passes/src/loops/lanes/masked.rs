//! Writes a loop within a loop for several iterations of the outer one at once, each a lane that takes part as long as its own loop
//! goes on: branches become selections, and what leaves a loop takes its lane out.
//!
//! Lanes that have left go on computing numbers that nobody looks at, so all that stands here can be computed for any operands.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::rewrite::Uses;
use pydd_ir::{Block, Builder, DType, ElemOp, Function, Op, OpKind, Type, Value};

use super::divergence::Divergence;

/// A value of all lanes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lanes {
    Uniform(Value),
    Each(Vec<Value>),
}

impl Lanes {
    #[must_use]
    pub fn of(&self, lane: usize) -> Value {
        match self {
            Self::Uniform(value) => *value,
            Self::Each(values) => values[lane],
        }
    }
}

/// The lanes that take part; None is all.
type Mask = Option<Lanes>;

/// A breakable operation around the place that is written.
#[derive(Clone)]
struct Target {
    op: Op,
    /// What its results are of the lanes that have left for its end.
    results: Vec<Option<Lanes>>,
    /// Lanes that have left for its end.
    left: Option<Lanes>,
    /// What the next iteration is given, and the lanes that are.
    next: Vec<Option<Lanes>>,
    going_on: Option<Mask>,
    is_loop: bool,
}

/// A value that a written loop carries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// Of the loop itself, by its place.
    Param(usize),
    /// The result of the target at this height.
    Result(usize, usize),
    /// The lanes that have left for that target's end.
    Left(usize),
    /// The lanes that go on.
    Active,
}

pub struct Writer<'f> {
    pub func: &'f mut Function,
    pub block: Block,
    width: usize,
    divergence: &'f Divergence,
    uses: &'f Uses,
    values: BTreeMap<Value, Lanes>,
    targets: Vec<Target>,
}

impl<'f> Writer<'f> {
    pub fn new(
        func: &'f mut Function,
        block: Block,
        width: usize,
        divergence: &'f Divergence,
        uses: &'f Uses,
    ) -> Self {
        let values = BTreeMap::new();
        Self { func, block, width, divergence, uses, values, targets: Vec::new() }
    }

    pub fn insert(&mut self, value: Value, lanes: Vec<Value>) {
        self.values.insert(value, Lanes::Each(lanes));
    }

    /// What a value is of the lanes; what stands outside is one for all.
    #[must_use]
    pub fn lanes(&self, value: Value) -> Lanes {
        self.values.get(&value).cloned().unwrap_or(Lanes::Uniform(value))
    }

    /// Writes an operation of the body. None where it can't be done.
    pub fn op(&mut self, op: Op) -> Option<()> {
        self.one(op, &mut None)
    }

    fn build(&mut self) -> Builder<'_> {
        Builder::new(self.func, self.block)
    }

    fn all_of(&mut self, values: &[Value]) -> Vec<Lanes> {
        values.iter().map(|&value| self.lanes(value)).collect()
    }

    /// A value for each lane of the operands' values in it, or one for all where the operands are.
    fn each(&mut self, args: &[&Lanes], build: impl Fn(&mut Builder<'_>, Vec<Value>) -> Value) -> Lanes {
        let uniform = args.iter().all(|lanes| matches!(lanes, Lanes::Uniform(_)));
        let width = if uniform { 1 } else { self.width };
        let mut b = self.build();
        let values = (0..width).map(|lane| build(&mut b, args.iter().map(|lanes| lanes.of(lane)).collect()));
        let values: Vec<Value> = values.collect();
        if uniform { Lanes::Uniform(values[0]) } else { Lanes::Each(values) }
    }

    fn elem(&mut self, kind: ElemOp, args: &[&Lanes]) -> Lanes {
        self.each(args, |b, args| b.elem(kind, &args))
    }

    fn select(&mut self, mask: &Lanes, a: &Lanes, b: &Lanes) -> Lanes {
        if a == b { a.clone() } else { self.elem(ElemOp::Select, &[mask, a, b]) }
    }

    fn and(&mut self, mask: &Mask, cond: &Lanes) -> Lanes {
        match mask {
            None => cond.clone(),
            Some(mask) => self.elem(ElemOp::And, &[mask, cond]),
        }
    }

    fn and_not(&mut self, mask: &Mask, cond: &Lanes) -> Lanes {
        let other = self.elem(ElemOp::Not, &[cond]);
        self.and(mask, &other)
    }

    fn spread(&self, lanes: &Lanes) -> Lanes {
        Lanes::Each((0..self.width).map(|lane| lanes.of(lane)).collect())
    }

    /// Zero of a type, for all.
    fn nothing(&mut self, ty: Type) -> Option<Lanes> {
        let Type::Scalar(dtype) = ty else { return None };
        Some(Lanes::Uniform(self.build().number(0.0, dtype)))
    }

    fn all(&mut self) -> Lanes {
        Lanes::Uniform(self.build().bool(true))
    }

    /// Writes a region; the lanes that come to its end, and what it yields, unless all leave before.
    fn region(&mut self, block: Block, mut mask: Mask) -> Option<Option<(Mask, Vec<Lanes>)>> {
        let ops = self.func.blocks[block].ops.clone();
        let (&end, before) = ops.split_last()?;
        for &op in before {
            self.one(op, &mut mask)?;
        }
        let args = self.func.ops[end].args.clone();
        let args = self.all_of(&args);
        match self.func.ops[end].kind {
            OpKind::Yield => return Some(Some((mask, args))),
            OpKind::Break(depth) => self.leave(depth, &args, &mask)?,
            OpKind::Continue(depth) => self.go_on(depth, &args, &mask)?,
            _ => return None,
        }
        Some(None)
    }

    fn one(&mut self, op: Op, mask: &mut Mask) -> Option<()> {
        match self.func.ops[op].kind {
            // A load that is left here is made in each step.
            OpKind::Const(_) | OpKind::Elem(_) | OpKind::Cast | OpKind::LoadRaw => self.scalar(op),
            OpKind::If => self.branch(op, mask)?,
            OpKind::Scope => self.scope(op, mask)?,
            OpKind::Loop | OpKind::For => self.looped(op, mask)?,
            _ => return None,
        }
        Some(())
    }

    fn scalar(&mut self, op: Op) {
        let data = self.func.ops[op].clone();
        let args = self.all_of(&data.args);
        let ty = self.func.ty(data.results[0]);
        let args: Vec<&Lanes> = args.iter().collect();
        let lanes = self.each(&args, |b, args| {
            b.loc = data.loc;
            b.value(data.kind.clone(), args, ty)
        });
        self.values.insert(data.results[0], lanes);
    }

    fn branch(&mut self, op: Op, mask: &mut Mask) -> Option<()> {
        let data = self.func.ops[op].clone();
        let cond = self.lanes(data.args[0]);
        let leaves = data.regions.iter().any(|&region| self.leaves(region));
        if !leaves && self.is_rare(op) {
            return self.branch_if_any(op, mask);
        }
        let (first, second) = if leaves {
            (Some(self.and(mask, &cond)), Some(self.and_not(mask, &cond)))
        } else {
            (mask.clone(), mask.clone())
        };
        let first = self.region(data.regions[0], first)?;
        let second = self.region(data.regions[1], second)?;
        let (after, values) = match (first, second) {
            (Some((first, a)), Some((second, b))) => {
                let values = a.iter().zip(&b).map(|(a, b)| self.select(&cond, a, b)).collect();
                let after = match (leaves, first, second) {
                    (true, Some(first), Some(second)) => Some(self.elem(ElemOp::Or, &[&first, &second])),
                    _ => mask.clone(),
                };
                (after, values)
            }
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return None,
        };
        *mask = after;
        self.values.extend(data.results.iter().copied().zip(values));
        Some(())
    }

    /// Whether one way computes a root and the other one nothing.
    fn is_rare(&self, op: Op) -> bool {
        let regions = &self.func.ops[op].regions;
        let ops = |region: Block| &self.func.blocks[region].ops;
        let is_root = |op: &Op| self.func.ops[*op].kind == OpKind::Elem(ElemOp::Sqrt);
        ops(regions[0]).iter().any(is_root) && ops(regions[1]).iter().all(|&op| self.is_constant_or_end(op))
    }

    fn is_constant_or_end(&self, op: Op) -> bool {
        matches!(self.func.ops[op].kind, OpKind::Const(_) | OpKind::Yield)
    }

    /// Writes a branch whose first way is taken if any lane takes it.
    fn branch_if_any(&mut self, op: Op, mask: &Mask) -> Option<()> {
        let data = self.func.ops[op].clone();
        let cond = self.lanes(data.args[0]);
        let (_, usual) = self.region(data.regions[1], mask.clone())??;
        let usual: Vec<Lanes> = usual.iter().map(|lanes| self.spread(lanes)).collect();
        let asked = self.and(mask, &cond);
        let any = self.any(&asked);
        let rare = self.func.new_block();
        let home = std::mem::replace(&mut self.block, rare);
        let (_, values) = self.region(data.regions[0], mask.clone())??;
        let mut chosen = Vec::new();
        for (value, usual) in values.iter().zip(&usual) {
            let value = self.select(&cond, value, usual);
            chosen.extend(self.pack(&value, usual)?);
        }
        self.build().effect(OpKind::Yield, chosen);
        self.block = home;
        let mut packed = Vec::new();
        for lanes in &usual {
            packed.extend(self.pack(lanes, lanes)?);
        }
        let types: Vec<Type> = packed.iter().map(|&value| self.func.ty(value)).collect();
        let other = self.build().region(&[], |b, _| {
            b.effect(OpKind::Yield, packed);
        });
        let mut b = self.build();
        b.loc = data.loc;
        let made = b.op(OpKind::If, vec![any], &types, vec![rare, other]);
        let mut given = self.func.ops[made].results.clone();
        for (&result, lanes) in data.results.iter().zip(&usual) {
            let lanes = self.unpack(lanes, &mut given);
            self.values.insert(result, lanes);
        }
        Some(())
    }

    /// Whether anything within jumps out of a region.
    fn leaves(&self, region: Block) -> bool {
        let mut found = false;
        self.func.walk(region, &mut |op| {
            found |= matches!(self.func.ops[op].kind, OpKind::Break(_) | OpKind::Continue(_));
        });
        found
    }

    fn target(&self, depth: u32) -> Option<usize> {
        self.targets.len().checked_sub(usize::try_from(depth).ok()? + 1)
    }

    /// The lanes of `mask` end the operation so many up, with these results.
    fn leave(&mut self, depth: u32, args: &[Lanes], mask: &Mask) -> Option<()> {
        let at = self.target(depth)?;
        let results = self.func.ops[self.targets[at].op].results.clone();
        for (place, (arg, &result)) in args.iter().zip(&results).enumerate() {
            // No loop on the way carries what nobody uses.
            if self.uses.is_unused(result) {
                continue;
            }
            let before = self.targets[at].results[place].take();
            let merged = self.merge(mask, arg, before);
            self.targets[at].results[place] = Some(merged);
        }
        let mask = match mask {
            Some(mask) => mask.clone(),
            None => self.all(),
        };
        let left = match self.targets[at].left.take() {
            Some(before) => self.elem(ElemOp::Or, &[&before, &mask]),
            None => mask,
        };
        self.targets[at].left = Some(left);
        Some(())
    }

    /// The lanes of `mask` begin another iteration with these values.
    fn go_on(&mut self, depth: u32, args: &[Lanes], mask: &Mask) -> Option<()> {
        let at = self.target(depth).filter(|&at| depth == 0 && self.targets[at].is_loop)?;
        for (place, arg) in args.iter().enumerate() {
            let before = self.targets[at].next[place].take();
            let merged = self.merge(mask, arg, before);
            self.targets[at].next[place] = Some(merged);
        }
        let going_on = match self.targets[at].going_on.take() {
            None => mask.clone(),
            Some(Some(before)) => mask.as_ref().map(|mask| self.elem(ElemOp::Or, &[&before, mask])),
            Some(None) => None,
        };
        self.targets[at].going_on = Some(going_on);
        Some(())
    }

    fn merge(&mut self, mask: &Mask, value: &Lanes, before: Option<Lanes>) -> Lanes {
        match (before, mask) {
            (Some(before), Some(mask)) => self.select(mask, value, &before),
            _ => value.clone(),
        }
    }

    /// The lanes of `mask` that have not left for the end of an operation around the place.
    fn stayed(&mut self, mask: &Mask) -> Mask {
        let gone: Vec<Lanes> = self.targets.iter().filter_map(|target| target.left.clone()).collect();
        let mut mask = mask.clone();
        for left in gone {
            mask = Some(self.and_not(&mask, &left));
        }
        mask
    }

    fn scope(&mut self, op: Op, mask: &mut Mask) -> Option<()> {
        let data = self.func.ops[op].clone();
        let results = vec![None; data.results.len()];
        self.targets.push(Target { op, results, left: None, next: vec![], going_on: None, is_loop: false });
        if self.region(data.regions[0], mask.clone())?.is_some() {
            return None;
        }
        let done = self.targets.pop()?;
        for (&result, lanes) in data.results.iter().zip(done.results) {
            if !self.uses.is_unused(result) {
                self.values.insert(result, lanes?);
            }
        }
        *mask = self.stayed(mask);
        Some(())
    }

    fn looped(&mut self, op: Op, mask: &mut Mask) -> Option<()> {
        let data = self.func.ops[op].clone();
        let mut args = self.range(op)?;
        let slots = self.slots(op, mask)?;
        for (_, lanes) in &slots {
            args.extend(self.pack(lanes, lanes)?);
        }
        let carried = &args[range_args(&data.kind)..];
        let types: Vec<Type> = carried.iter().map(|&value| self.func.ty(value)).collect();
        let results = vec![None; data.results.len()];
        let next = vec![None; data.args.len() - range_args(&data.kind)];
        self.targets.push(Target { op, results, left: None, next, going_on: None, is_loop: true });
        let body = self.loop_body(op, &slots, &types, mask)?;

        let mut b = self.build();
        b.loc = data.loc;
        let made = b.op(data.kind, args, &types, vec![body]);
        self.loop_results(op, made, &slots, mask)
    }

    /// Start, stop and step of a `for`, which are one for all.
    fn range(&self, op: Op) -> Option<Vec<Value>> {
        let data = &self.func.ops[op];
        let uniform = |&value: &Value| match self.lanes(value) {
            Lanes::Uniform(value) => Some(value),
            Lanes::Each(_) => None,
        };
        data.args[..range_args(&data.kind)].iter().map(uniform).collect()
    }

    /// What a loop carries, and its value before the loop.
    fn slots(&mut self, op: Op, mask: &Mask) -> Option<Vec<(Slot, Lanes)>> {
        let data = self.func.ops[op].clone();
        let body = data.regions[0];
        let params = self.func.blocks[body].params.clone();
        let params = &params[usize::from(data.kind == OpKind::For)..];
        let init = self.all_of(&data.args[range_args(&data.kind)..]);
        let mut slots: Vec<(Slot, Lanes)> = Vec::new();
        for (place, lanes) in init.iter().enumerate() {
            let each = self.divergence.contains(params[place]);
            slots.push((Slot::Param(place), if each { self.spread(lanes) } else { lanes.clone() }));
        }
        let leaves = self.leaving(body, 0);
        for &height in &leaves {
            self.add_target(op, height, &mut slots)?;
        }
        if !leaves.is_empty() {
            let all = match mask {
                Some(mask) => mask.clone(),
                None => self.all(),
            };
            slots.push((Slot::Active, self.spread(&all)));
        }
        // Vectors are made of what stands side by side: numbers that are one for all stand behind them, and no lanes of integers
        // beside a loop's index.
        slots.sort_by_key(|(_, lanes)| match lanes {
            Lanes::Each(values) => u8::from(self.func.ty(values[0]) == Type::I64),
            Lanes::Uniform(_) => 2,
        });
        Some(slots)
    }

    /// Adds what a loop carries of the operation at a height whose end it jumps to: one around it, or itself.
    fn add_target(&mut self, op: Op, height: usize, slots: &mut Vec<(Slot, Lanes)>) -> Option<()> {
        let outer = self.targets.get(height).cloned();
        let results = self.func.ops[outer.as_ref().map_or(op, |target| target.op)].results.clone();
        for (place, &result) in results.iter().enumerate() {
            if self.uses.is_unused(result) {
                continue;
            }
            let known = outer.as_ref().and_then(|target| target.results[place].clone());
            let lanes = match known {
                Some(lanes) => lanes,
                None => self.nothing(self.func.ty(result))?,
            };
            slots.push((Slot::Result(height, place), self.spread(&lanes)));
        }
        if let Some(outer) = outer {
            let left = outer.left.unwrap_or_else(|| Lanes::Uniform(self.build().bool(false)));
            slots.push((Slot::Left(height), self.spread(&left)));
        }
        Some(())
    }

    /// Writes the body of a loop, which ends when no lane goes on.
    fn loop_body(&mut self, op: Op, slots: &[(Slot, Lanes)], types: &[Type], mask: &Mask) -> Option<Block> {
        let own = self.targets.len() - 1;
        let body = self.func.ops[op].regions[0];
        let params = self.func.blocks[body].params.clone();
        let (index, params) = params.split_at(usize::from(self.func.ops[op].kind == OpKind::For));
        let inner = self.func.new_block();
        let home = std::mem::replace(&mut self.block, inner);
        if let &[index] = index {
            let value = self.func.add_param(inner, Type::I64);
            self.values.insert(index, Lanes::Uniform(value));
        }
        let mut active = mask.clone();
        let mut own_params: Vec<Value> = types.iter().map(|&ty| self.func.add_param(inner, ty)).collect();
        for (slot, lanes) in slots {
            let mine = self.unpack(lanes, &mut own_params);
            match *slot {
                Slot::Param(place) => {
                    self.values.insert(params[place], mine);
                }
                Slot::Active => active = Some(mine),
                _ => self.set_target(*slot, mine),
            }
        }
        if self.region(body, active)?.is_some() {
            return None;
        }
        let going_on = self.targets[own].going_on.take()?;
        let mut next = Vec::new();
        for (slot, before) in slots {
            let value = match *slot {
                Slot::Param(place) => self.targets[own].next[place].take()?,
                Slot::Active => going_on.clone()?,
                Slot::Result(height, place) => self.targets[height].results[place].clone()?,
                Slot::Left(height) => self.targets[height].left.clone()?,
            };
            next.extend(self.pack(&value, before)?);
        }
        let is_left = slots.iter().any(|(slot, _)| *slot == Slot::Active);
        if let (Some(lanes), true) = (&going_on, is_left) {
            let any = self.any(lanes);
            let staying = self.build().region(&[], |b, _| {
                b.effect(OpKind::Yield, vec![]);
            });
            let leaving = next.clone();
            let leaving = self.build().region(&[], |b, _| {
                b.effect(OpKind::Break(0), leaving);
            });
            self.build().op(OpKind::If, vec![any], &[], vec![staying, leaving]);
        }
        self.build().effect(OpKind::Continue(0), next);
        self.block = home;
        Some(inner)
    }

    /// What is known of a target from now on.
    fn set_target(&mut self, slot: Slot, lanes: Lanes) {
        match slot {
            Slot::Result(height, place) => self.targets[height].results[place] = Some(lanes),
            Slot::Left(height) => self.targets[height].left = Some(lanes),
            Slot::Param(_) | Slot::Active => unreachable!("of the loop itself"),
        }
    }

    /// What a loop gives, and which lanes go on behind it.
    fn loop_results(&mut self, op: Op, made: Op, slots: &[(Slot, Lanes)], mask: &mut Mask) -> Option<()> {
        let mut given = self.func.ops[made].results.clone();
        let is_for = self.func.ops[op].kind == OpKind::For;
        let results = self.func.ops[op].results.clone();
        // Of what it carries, its values at the end of the range, and the lanes that come there.
        let mut ends: Vec<Option<Lanes>> = vec![None; slots.len()];
        let mut still = mask.clone();
        for (slot, before) in slots {
            let lanes = self.unpack(before, &mut given);
            match *slot {
                Slot::Param(place) => ends[place] = Some(lanes),
                Slot::Active => still = Some(lanes),
                _ => self.set_target(*slot, lanes),
            }
        }
        let done = self.targets.pop()?;
        for (place, &result) in results.iter().enumerate() {
            if self.uses.is_unused(result) {
                continue;
            }
            let lanes = match (is_for, done.results[place].clone()) {
                (true, Some(left)) => match &still {
                    Some(still) => self.select(still, ends[place].as_ref()?, &left),
                    None => ends[place].clone()?,
                },
                (true, None) => ends[place].clone()?,
                (false, left) => left?,
            };
            self.values.insert(result, lanes);
        }
        *mask = self.stayed(mask);
        Some(())
    }

    /// The values that carry those of lanes, as `like` does.
    fn pack(&mut self, lanes: &Lanes, like: &Lanes) -> Option<Vec<Value>> {
        match (like, lanes) {
            (Lanes::Uniform(_), Lanes::Uniform(value)) => Some(vec![*value]),
            (Lanes::Uniform(_), Lanes::Each(_)) => None,
            (Lanes::Each(_), lanes) => {
                let values: Vec<Value> = (0..self.width).map(|lane| lanes.of(lane)).collect();
                Some(pack(&mut self.build(), &values))
            }
        }
    }

    /// Lanes as `like` of the first values, which are taken.
    fn unpack(&mut self, like: &Lanes, values: &mut Vec<Value>) -> Lanes {
        match like {
            Lanes::Uniform(_) => Lanes::Uniform(values.remove(0)),
            Lanes::Each(each) => {
                let complex = is_complex(self.func, each[0]);
                let width = self.width;
                Lanes::Each(unpack(&mut self.build(), complex, width, values))
            }
        }
    }

    /// The heights of the operations whose end is jumped to from a loop's body, which has the next height.
    fn leaving(&self, body: Block, depth: usize) -> BTreeSet<usize> {
        let own = self.targets.len();
        let mut found = BTreeSet::new();
        for &op in &self.func.blocks[body].ops {
            let data = &self.func.ops[op];
            if let OpKind::Break(levels) = data.kind {
                let levels = usize::try_from(levels).expect("small");
                // Of what stands within, nothing.
                if levels >= depth {
                    found.extend((own + depth).checked_sub(levels));
                }
            }
            let inside = depth + usize::from(data.kind.is_breakable());
            for &region in &data.regions {
                found.extend(self.leaving(region, inside));
            }
        }
        found
    }

    /// Whether any lane is set, asked in pairs.
    fn any(&mut self, lanes: &Lanes) -> Value {
        let mut values: Vec<Value> = match lanes {
            Lanes::Uniform(value) => return *value,
            Lanes::Each(values) => values.clone(),
        };
        while values.len() > 1 {
            values = values
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => self.build().elem(ElemOp::Or, &[a, b]),
                    _ => pair[0],
                })
                .collect();
        }
        values[0]
    }
}

/// How many operands of a loop are its range.
const fn range_args(kind: &OpKind) -> usize {
    if matches!(kind, OpKind::For) { 3 } else { 0 }
}

pub fn is_complex(func: &Function, value: Value) -> bool {
    func.ty(value).dtype().is_some_and(DType::is_complex)
}

/// The values that carry those of lanes: of complex numbers all real parts and then all imaginary ones, so that vectors are made of
/// parts of one kind.
pub fn pack(b: &mut Builder<'_>, lanes: &[Value]) -> Vec<Value> {
    if !is_complex(b.func, lanes[0]) {
        return lanes.to_vec();
    }
    let mut part = |elem| lanes.iter().map(|&value| b.elem(elem, &[value])).collect::<Vec<_>>();
    [part(ElemOp::Re), part(ElemOp::Im)].concat()
}

/// The values of lanes of what carries them: the first values, which are taken.
pub fn unpack(b: &mut Builder<'_>, complex: bool, width: usize, values: &mut Vec<Value>) -> Vec<Value> {
    if !complex {
        return values.drain(..width).collect();
    }
    let parts: Vec<Value> = values.drain(..2 * width).collect();
    let (real, imaginary) = parts.split_at(width);
    real.iter().zip(imaginary).map(|(&re, &im)| b.elem(ElemOp::MakeComplex, &[re, im])).collect()
}
