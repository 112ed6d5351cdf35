//! Computes the entries of a sampled product where they are used, so that no sparse matrix is made of them.
//!
//! ```text
//! %p, %q, %v, … = if %few {                                %x = if %few {
//!     yield call[@multiply.sampled] %sparse…                   yield call[@matmul.joined] %k, %sparse…
//! } else {                                            ⇒    } else {
//!     yield call[@multiply] %sparse…, %product                 %p, %q, %v, … = call[@multiply] %sparse…, %product
//! }                                                            yield call[@matmul] %k, %p, %q, %v, …
//! %x = call[@matmul] %k, %p, %q, %v, …                     }
//! ```
//!
//! `@matmul.joined` is `@matmul` with what `@multiply.sampled` computes of an entry in place of the entry: SDDMM into SpMM. It does so
//! where nothing else uses the matrix, where the one function makes all entries of a row, row by row, and where the other one looks at
//! each of them once. What stands between the two may not be noticed, since all of it then comes first. It looks at calls that are left:
//! what one place alone calls has become part of it.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Cloner, Layout, Replacements, Uses, is_defined_inside, position};
use pydd_ir::sharing::Sharing;
use pydd_ir::{Block, Builder, FuncRef, Function, Level, Module, Op, OpKind, Type, Value, ValueDef};

use super::sample::{is_recomputed, recomputed};
use crate::analysis::patterns::counts_up;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "join-samples",
    summary: "compute entries of sampled products where they are used",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let makers: BTreeMap<FuncRef, Maker> =
        module.funcs.iter().filter_map(|(f, func)| Maker::of(func).map(|maker| (f, maker))).collect();
    if makers.is_empty() {
        return Ok(());
    }
    let mut made: BTreeMap<(FuncRef, FuncRef, Vec<usize>), FuncRef> = BTreeMap::new();
    for f in module.funcs.keys().collect::<Vec<_>>() {
        while let Some(joint) = find(module, f, &makers) {
            report::used_in_place(cx, &module.funcs[f], joint.choice, joint.user);
            let key = (joint.maker, joint.callee, joint.places.clone());
            let special = match made.get(&key) {
                Some(&special) => special,
                None => {
                    let maker = (&module.funcs[joint.maker], &makers[&joint.maker]);
                    let mut func = composed(maker, &module.funcs[joint.callee], &joint);
                    func.name = format!("{}.joined.{}", func.name, module.funcs.len());
                    module.funcs.push(func)
                }
            };
            made.insert(key, special);
            let maker = module.funcs[joint.maker].clone();
            apply(&mut module.funcs[f], &joint, (&maker, &makers[&joint.maker]), special);
        }
    }
    Ok(())
}

/// A loop over the entries of a row within a loop over rows: `for row { for entry in pointers[row], pointers[row + 1] { … } }`.
struct Rows {
    row: Value,
    entry: Value,
    body: Block,
    /// The array that says where rows begin.
    pointers: Value,
}

impl Rows {
    /// The rows that an element of an entry is loaded or stored in.
    fn around(func: &Function, layout: &Layout, op: Op) -> Option<Self> {
        let mut loops = layout.ancestors(op);
        let (entries, rows) = (loops.next()?, loops.next()?);
        let is_outermost = loops.all(|op| matches!(func.ops[op].kind, OpKind::PFor(_) | OpKind::If));
        if !(is_outermost && counts_up(func, entries) && counts_up(func, rows)) {
            return None;
        }
        let index = |op: Op| func.blocks[func.ops[op].regions[0]].params[0];
        let (row, data) = (index(rows), &func.ops[entries]);
        let ends = [0, 1].map(|end| loaded(func, data.args[end]));
        let ([Some((pointers, first)), Some((others, next))], body) = (ends, data.regions[0]) else {
            return None;
        };
        let step = &func.ops[func.def_op(next)?];
        let is_next = matches!(step.kind, OpKind::Elem(pydd_ir::ElemOp::Add))
            && step.args.contains(&row)
            && step.args.iter().any(|&arg| func.as_int(arg) == Some(1));
        (pointers == others && first == row && is_next).then(|| Self {
            row,
            entry: index(entries),
            body,
            pointers,
        })
    }
}

/// The vector and the index that a number is loaded from, converted or not.
fn loaded(func: &Function, value: Value) -> Option<(Value, Value)> {
    let mut op = func.def_op(value)?;
    if func.ops[op].kind == OpKind::Cast {
        op = func.def_op(func.ops[op].args[0])?;
    }
    match (&func.ops[op].kind, func.ops[op].args.as_slice()) {
        (OpKind::Load, &[array, index]) => Some((array, index)),
        _ => None,
    }
}

/// A function that gives the structure of a matrix in compressed rows with other entries.
struct Maker {
    rows: Rows,
    /// Where the matrix's arrays stand among the parameters: pointers, indices, entries.
    parts: [usize; 3],
    store: Op,
    /// What the lengths of the shape are in the function.
    lengths: [Value; 2],
}

impl Maker {
    fn of(func: &Function) -> Option<Self> {
        func.operation.as_ref()?;
        let end = func.terminator(func.entry).filter(|&end| func.ops[end].kind == OpKind::Return)?;
        let &[pointers, indices, made, rows, columns] = func.ops[end].args.as_slice() else { return None };
        let (uses, layout) = (Uses::new(func), Layout::new(func));
        let empty = func.def_op(made).filter(|&op| func.ops[op].kind == OpKind::Empty)?;
        let stores: Vec<Op> =
            uses.of(func.result(empty)).iter().map(|found| found.op).filter(|&op| op != end).collect();
        let &[store] = stores.as_slice() else { return None };
        let found = Rows::around(func, &layout, store)?;
        let is_entry = func.ops[store].kind == OpKind::Store
            && func.ops[store].args[2..] == [found.entry]
            && layout.block_of(store) == Some(found.body);
        let place = |value: Value| func.params().iter().position(|&param| param == value);
        let (pointers, indices) = (place(whole(func, pointers))?, place(whole(func, indices))?);
        let entries = func.blocks[found.body].ops.iter().find_map(|&op| {
            let data = &func.ops[op];
            let is_own = data.kind == OpKind::Load && data.args[1..] == [found.entry];
            let array = data.args.first().copied()?;
            let alike = func.ty(array) == func.ty(made);
            place(array).filter(|&at| is_own && alike && at != pointers && at != indices)
        })?;
        let maker =
            Self { parts: [pointers, indices, entries], store, lengths: [rows, columns], rows: found };
        let over_own = place(maker.rows.pointers) == Some(pointers);
        let has_lengths = maker.lengths.iter().all(|&length| is_recomputed(func, length));
        (is_entry && over_own && has_lengths && maker.can_be_copied(func)).then_some(maker)
    }

    /// The operations that an entry is made by.
    fn steps(&self, func: &Function) -> Vec<Op> {
        func.blocks[self.rows.body].ops.iter().copied().take_while(|&op| op != self.store).collect()
    }

    /// Whether what an entry is made of is there in another function: parameters, and numbers that follow from them.
    fn can_be_copied(&self, func: &Function) -> bool {
        let layout = Layout::new(func);
        let Some(looped) = layout.parent_of_block(self.rows.body) else { return false };
        let mut fine = true;
        func.walk(self.rows.body, &mut |op| {
            let data = &func.ops[op];
            let is_step = match data.kind {
                OpKind::Store => op == self.store,
                OpKind::Load | OpKind::Elem(_) | OpKind::Cast | OpKind::Const(_) | OpKind::Dim(_) => true,
                OpKind::Check { .. } | OpKind::If | OpKind::For | OpKind::Yield => true,
                OpKind::Continue(depth) => depth == 0,
                _ => false,
            };
            // The array that is stored into is none of the copy's.
            let args = &data.args[usize::from(op == self.store)..];
            fine &= is_step && args.iter().all(|&arg| self.is_known(func, &layout, looped, arg));
        });
        fine && func.blocks[self.rows.body].ops.iter().rev().nth(1) == Some(&self.store)
    }

    fn is_known(&self, func: &Function, layout: &Layout, looped: Op, value: Value) -> bool {
        value == self.rows.row || is_defined_inside(func, layout, value, looped) || is_number(func, value)
    }
}

/// What an array is a copy of, as a whole or up to some length.
fn whole(func: &Function, mut value: Value) -> Value {
    while let Some(op) = func.def_op(value) {
        match func.ops[op].kind {
            OpKind::Copy | OpKind::View(_) => value = func.ops[op].args[0],
            _ => break,
        }
    }
    value
}

/// A matrix that is made in one of two ways and used once.
struct Joint {
    choice: Op,
    user: Op,
    maker: FuncRef,
    callee: FuncRef,
    /// Where each of the matrix's parts stands among the user's operands.
    places: Vec<usize>,
    /// Where the callee loads entries.
    entries: Vec<(Op, Rows)>,
}

fn find(module: &Module, f: FuncRef, makers: &BTreeMap<FuncRef, Maker>) -> Option<Joint> {
    let func = &module.funcs[f];
    let calls = |op: Op| match func.ops[op].kind {
        OpKind::Call(callee) => Some(callee),
        _ => None,
    };
    let choices: Vec<(Op, FuncRef)> = func
        .all_ops()
        .into_iter()
        .filter_map(|op| {
            let data = &func.ops[op];
            let then = (data.kind == OpKind::If).then(|| &func.blocks[data.regions[0]].ops)?;
            let &[call, end] = then.as_slice() else { return None };
            let maker = calls(call).filter(|callee| makers.contains_key(callee))?;
            (func.ops[end].args == func.ops[call].results).then_some((op, maker))
        })
        .collect();
    if choices.is_empty() {
        return None;
    }
    let (uses, summaries) = (Uses::new(func), Summaries::of_callees(module));
    let memory = MemoryInfo::new(func, &summaries);
    choices.into_iter().find_map(|(choice, maker)| {
        let results = &func.ops[choice].results;
        let user = uses.single(results[2])?.op;
        let callee = calls(user)?;
        let mut places = Vec::new();
        for (part, &result) in results.iter().enumerate() {
            let mut own = uses.of(result).iter().filter(|used| used.op == user);
            places.push(own.next()?.index as usize);
            // Others may ask for the shape alone, which is the sparse operand's.
            let is_length = part >= 3;
            if own.next().is_some() || !is_length && uses.count(result) > 1 {
                return None;
            }
        }
        // All in one block, and nothing between that could be noticed.
        let (block, start) = position(func, choice)?;
        let (other, end) = position(func, user)?;
        let quiet = func.blocks[block].ops.get(start + 1..end)?.iter().all(|&op| {
            let effects = memory.effects(op);
            effects.writes.is_empty() && !effects.may_exit() && !effects.io
        });
        let entries = entries(&module.funcs[callee], &places)?;
        let alike = module.funcs[maker]
            .params()
            .get(makers[&maker].parts[2])
            .map(|&param| module.funcs[maker].ty(param));
        let fits = alike == Some(func.ty(results[2]));
        (block == other && quiet && fits).then_some(Joint { choice, user, maker, callee, places, entries })
    })
}

/// Where a function loads entries of a matrix, each once, row by row.
fn entries(func: &Function, places: &[usize]) -> Option<Vec<(Op, Rows)>> {
    func.operation.as_ref()?;
    let (uses, layout) = (Uses::new(func), Layout::new(func));
    let param = |part: usize| func.params()[places[part]];
    let mut found = Vec::new();
    for used in uses.of(param(2)) {
        match func.ops[used.op].kind {
            OpKind::Dim(_) | OpKind::PFor(_) => {}
            OpKind::Load => {
                let rows = Rows::around(func, &layout, used.op)?;
                let once = layout.block_of(used.op) == Some(rows.body)
                    && func.ops[used.op].args[1..] == [rows.entry]
                    && rows.pointers == param(0);
                found.push(once.then_some((used.op, rows))?);
            }
            _ => return None,
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Of the parameters of a maker those that the user's function does not have.
fn further((func, maker): (&Function, &Maker)) -> Vec<Value> {
    let own = maker.parts.map(|at| func.params()[at]);
    func.params().iter().copied().filter(|param| !own.contains(param)).collect()
}

/// The user's function that computes entries.
fn composed(maker: (&Function, &Maker), user: &Function, joint: &Joint) -> Function {
    let mut func = user.clone();
    let entry = func.entry;
    let mut params: BTreeMap<Value, Value> = BTreeMap::new();
    for (part, at) in maker.1.parts.into_iter().enumerate() {
        params.insert(maker.0.params()[at], func.params()[joint.places[part]]);
    }
    let mut new = Vec::new();
    for param in further(maker) {
        let copy = func.add_param(entry, maker.0.ty(param));
        params.insert(param, copy);
        new.push(copy);
    }
    let mut inside = BTreeSet::from([maker.1.rows.row]);
    maker.0.walk(maker.1.rows.body, &mut |op| {
        let data = &maker.0.ops[op];
        inside.extend(&data.results);
        data.regions.iter().for_each(|&region| inside.extend(&maker.0.blocks[region].params));
    });
    let layout = Layout::new(&func);
    know_lengths(maker.0, &params, &inside, &mut func);
    for (load, rows) in &joint.entries {
        let mut cloner = Cloner::default();
        params.iter().for_each(|(&old, &new)| cloner.values.insert(old, new));
        cloner.values.insert(maker.1.rows.row, rows.row);
        cloner.values.insert(maker.1.rows.entry, rows.entry);
        let scratch = func.new_block();
        for op in maker.1.steps(maker.0) {
            bring(maker.0, op, &inside, &mut cloner, (&mut func, scratch));
            let copy = cloner.op(&mut func, Some(maker.0), op);
            func.blocks[scratch].ops.push(copy);
        }
        let value = maker.0.ops[maker.1.store].args[1];
        let value = cloner.values.get(value).expect("made by the steps");
        let made = std::mem::take(&mut func.blocks[scratch].ops);
        let old = func.result(*load);
        let (block, at) = position(&func, *load).expect("it stands in a block");
        func.blocks[block].ops.splice(at..=at, made);
        func.replace_uses(|one| if one == old { value } else { one });
        for around in layout.ancestors(*load).collect::<Vec<_>>() {
            share(&mut func, around, &new);
        }
    }
    func
}

/// Copies the numbers that one of the steps takes from outside of them.
fn bring(
    src: &Function,
    op: Op,
    inside: &BTreeSet<Value>,
    cloner: &mut Cloner,
    (dst, block): (&mut Function, Block),
) {
    let mut wanted = src.ops[op].args.clone();
    src.ops[op]
        .regions
        .iter()
        .for_each(|&region| src.walk(region, &mut |op| wanted.extend(&src.ops[op].args)));
    for value in wanted {
        if inside.contains(&value) || cloner.values.get(value).is_some() {
            continue;
        }
        if let ValueDef::Result(made, _) = src.values[value].def {
            bring(src, made, inside, cloner, (dst, block));
            let copy = cloner.op(dst, Some(src), made);
            dst.blocks[block].ops.push(copy);
        }
    }
}

/// The lengths that the maker tests, which say that all indices are good.
fn know_lengths(
    src: &Function,
    params: &BTreeMap<Value, Value>,
    inside: &BTreeSet<Value>,
    dst: &mut Function,
) {
    let mut cloner = Cloner::default();
    params.iter().for_each(|(&old, &new)| cloner.values.insert(old, new));
    let block = dst.new_block();
    for &op in &src.blocks[src.entry].ops {
        let data = &src.ops[op];
        if matches!(data.kind, OpKind::Check { .. }) && data.args.iter().all(|&arg| is_number(src, arg)) {
            bring(src, op, inside, &mut cloner, (dst, block));
            let copy = cloner.op(dst, Some(src), op);
            dst.blocks[block].ops.push(copy);
        }
    }
    let made = std::mem::take(&mut dst.blocks[block].ops);
    let entry = dst.entry;
    dst.blocks[entry].ops.splice(0..0, made);
}

/// Whether a value is a number that follows from parameters.
fn is_number(func: &Function, value: Value) -> bool {
    match func.values[value].def {
        ValueDef::Param(block, _) => block == func.entry,
        ValueDef::Result(op, _) => {
            let data = &func.ops[op];
            matches!(data.kind, OpKind::Const(_) | OpKind::Dim(_) | OpKind::Elem(_) | OpKind::Cast)
                && func.ty(value).is_scalar()
                && data.args.iter().all(|&arg| is_number(func, arg))
        }
    }
}

/// Iterations of a parallel loop only read what came in.
fn share(func: &mut Function, looped: Op, new: &[Value]) {
    if let OpKind::PFor(parallel) = &mut func.ops[looped].kind
        && let Some(table) = &mut parallel.table
    {
        table.rows.extend(new.iter().map(|_| Sharing::Invariant));
        func.ops[looped].args.extend(new);
    }
}

/// Puts the user into both ways.
fn apply(func: &mut Function, joint: &Joint, maker: (&Function, &Maker), special: FuncRef) {
    let (choice, user) = (func.ops[joint.choice].clone(), func.ops[joint.user].clone());
    let types: Vec<Type> = user.results.iter().map(|&result| func.ty(result)).collect();
    let (few, many) = (choice.regions[0], choice.regions[1]);
    let call = func.blocks[few].ops[0];
    let made_of = func.ops[call].args.clone();

    let mut known: BTreeMap<Value, Value> =
        maker.0.params().iter().copied().zip(made_of.iter().copied()).collect();
    let before = func.new_block();
    let mut b = Builder::new(func, before);
    b.loc = choice.loc;
    let lengths =
        maker.1.lengths.map(|length| recomputed(&mut b, maker.0, length, &mut known).expect("asked before"));
    let before = std::mem::take(&mut func.blocks[before].ops);
    let asked: BTreeMap<Value, Value> = choice.results[3..].iter().copied().zip(lengths).collect();
    let (block, at) = position(func, joint.choice).expect("it stands in a block");
    func.blocks[block].ops.splice(at..=at, before);

    let then = func.new_block();
    let mut b = Builder::new(func, then);
    b.loc = user.loc;
    let mut args = user.args.clone();
    for (part, at) in maker.1.parts.into_iter().enumerate() {
        args[joint.places[part]] = made_of[at];
    }
    for (part, length) in lengths.into_iter().enumerate() {
        args[joint.places[3 + part]] = length;
    }
    args.extend(further(maker).iter().map(|param| known[param]));
    let joined = b.op(OpKind::Call(special), args, &types, vec![]);
    let results = b.func.ops[joined].results.clone();
    b.effect(OpKind::Yield, results);

    let end = func.terminator(many).expect("blocks end");
    let mut args = user.args.clone();
    for (&at, &value) in joint.places.iter().zip(&func.ops[end].args.clone()) {
        args[at] = value;
    }
    func.blocks[many].ops.pop();
    let mut b = Builder::new(func, many);
    b.loc = user.loc;
    let whole = b.op(user.kind.clone(), args, &types, vec![]);
    let results = b.func.ops[whole].results.clone();
    b.effect(OpKind::Yield, results);

    let new = func.new_op(OpKind::If, choice.args, &types, vec![then, many], choice.loc);
    let (block, at) = position(func, joint.user).expect("it stands in a block");
    func.blocks[block].ops[at] = new;
    let mut map = Replacements::default();
    map.replace_all(&user.results, &func.ops[new].results);
    asked.into_iter().for_each(|(old, new)| map.replace(old, new));
    map.apply(func);
}
