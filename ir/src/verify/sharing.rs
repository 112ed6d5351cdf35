//! Rules 22 to 24: tables of parallel loops, and the functions that their bodies become.

use std::cell::LazyCell;

use super::jumps::list;
use super::{Check, Context, Fault, Faults, ensure, fault};
use crate::alias::{MemoryInfo, Summaries};
use crate::device::only_updates;
use crate::entity::{Block, FuncRef, Op, Value};
use crate::func::{Function, LAUNCH_CAPTURES};
use crate::op::{OpKind, Parallel};
use crate::rewrite::Layout;
use crate::sharing::{Region, Sharing, Symbol};
use crate::types::{DType, Type};

impl Context<'_> {
    /// Rule 22.
    pub(super) fn table(&self, op: Op, parallel: &Parallel) -> Check {
        let Some(table) = &parallel.table else { return Ok(()) };
        let operands = self.types(self.func.table_args(op));
        operands[table.rows.len()..].iter().try_for_each(|&ty| number(ty))?;
        for (row, &ty) in table.rows.iter().zip(&operands) {
            ensure(ty.is_memory(), 22, || format!("a row is about {ty}, which is no memory"))?;
            suits(row, ty, &operands)?;
        }
        Ok(())
    }

    /// Rule 24, of a function itself.
    pub(super) fn region_function(&self) -> Check {
        let Some(region) = &self.func.region else { return Ok(()) };
        let params = self.types(self.func.params());
        let count = region.accumulators() + region.reduce.len();
        ensure(params.len() == count, 24, || format!("there are {} parameters, not {count}", params.len()))?;
        ensure(params[..Region::CAPTURES].iter().all(|&ty| ty == Type::I64), 24, || {
            format!("the first parameters are ({})", list(&params[..Region::CAPTURES]))
        })?;
        let (captures, carried) = params[Region::CAPTURES..].split_at(region.captures.len());
        self.reductions(carried, &region.reduce)?;
        ensure(self.func.results == carried, 24, || "the results are not the accumulators".to_owned())?;
        for (capture, &ty) in region.captures.iter().zip(captures) {
            suits(&capture.sharing, ty, captures)?;
        }
        Ok(())
    }

    /// Rule 24, where a function is called.
    pub(super) fn not_launched(&self, callee: FuncRef) -> Check {
        let callee = &self.module.funcs[callee];
        ensure(callee.region.is_none(), 24, || format!("@{} is launched, not called", callee.name))
    }

    /// Rule 24, where a function is launched.
    pub(super) fn launch(&self, op: Op, callee: FuncRef, args: &[Type]) -> Check {
        let callee = &self.module.funcs[callee];
        let Some(region) = &callee.region else {
            return fault(24, format!("@{} is not the body of a loop", callee.name));
        };
        let params = self.module_types(callee);
        let head = [Type::I64, Type::I64, Type::I64, Type::I64, Type::BOOL];
        let expected: Vec<Type> = head.into_iter().chain(params.into_iter().skip(Region::CAPTURES)).collect();
        ensure(args == expected, 24, || {
            format!("@{} is launched with ({}), not ({})", callee.name, list(&expected), list(args))
        })?;
        self.gives(op, args.get(LAUNCH_CAPTURES + region.captures.len()..).unwrap_or_default())
    }

    fn module_types(&self, func: &Function) -> Vec<Type> {
        func.params().iter().map(|&param| func.ty(param)).collect()
    }
}

fn number(ty: Type) -> Check {
    ensure(ty == Type::I64, 22, || format!("a number of a table is {ty}"))
}

/// Whether a row can be about a value of this type.
fn suits(row: &Sharing<Symbol>, ty: Type, operands: &[Type]) -> Check {
    match row {
        Sharing::Invariant => Ok(()),
        Sharing::Reduced(_) => {
            ensure(ty.is_array(), 22, || format!("{ty} is reduced as if it were an array"))
        }
        Sharing::Appended => ensure(matches!(ty, Type::List { .. }), 22, || {
            format!("{ty} is appended to as if it were a list")
        }),
        Sharing::Sliced { footprint, .. } => {
            let (spans, rank) = (footprint.0.len(), usize::from(ty.rank()));
            ensure(spans == rank, 22, || format!("{spans} parts for {rank} axes"))?;
            footprint.segments().try_for_each(|segment| pointers(segment.pointers, operands))?;
            let mut symbols = footprint.polys().flat_map(|poly| poly.symbols());
            symbols.try_for_each(|symbol| named(symbol, operands))
        }
    }
}

/// Whether what segments lie between is there.
fn pointers(symbol: Symbol, operands: &[Type]) -> Check {
    let ty = symbol.operand().and_then(|operand| operands.get(operand as usize).copied());
    let fits = |ty: &Type| ty.rank() == 1 && ty.is_array() && ty.dtype().is_some_and(DType::is_int);
    ensure(ty.as_ref().is_some_and(fits), 22, || {
        let found = ty.map_or_else(|| "nothing".to_owned(), |ty| ty.to_string());
        format!("segments lie between elements of an array of integers, not of {found}")
    })
}

/// Whether what a footprint names is there.
fn named(symbol: Symbol, operands: &[Type]) -> Check {
    let Some(operand) = symbol.operand() else { return Ok(()) };
    let ty = operands.get(operand as usize).copied();
    let ty = ty.map_or_else(|| fault(22, format!("there is no operand {operand} of the table")), Ok)?;
    match symbol {
        Symbol::Length(_, axis) => {
            ensure(ty.is_array() && axis < ty.rank(), 22, || format!("{ty} has no axis {axis}"))
        }
        _ => number(ty),
    }
}

/// Whether a function says what its loops, or it for a loop, do with memory.
pub(super) fn has_tables(func: &Function) -> bool {
    func.region.is_some() || !loops_with_tables(func).is_empty()
}

fn loops_with_tables(func: &Function) -> Vec<Op> {
    let has_table =
        |op: &Op| matches!(&func.ops[*op].kind, OpKind::PFor(parallel) if parallel.table.is_some());
    func.all_ops().into_iter().filter(has_table).collect()
}

/// Rule 23, and 24 of what is written.
pub(super) fn stale<F: FnOnce() -> Summaries>(func: &Function, summaries: &LazyCell<Summaries, F>) -> Faults {
    let loops = loops_with_tables(func);
    if loops.is_empty() && func.region.is_none() {
        return Vec::new();
    }
    // Tables take parameters as memory of their own.
    let memory = MemoryInfo::with_own_params(func, summaries);
    let layout = Layout::new(func);
    let mut faults = Vec::new();
    for op in loops {
        let OpKind::PFor(Parallel { table: Some(table), .. }) = &func.ops[op].kind else { continue };
        let inside = |made| layout.is_inside(made, op);
        let written = written(func, &memory, func.ops[op].regions[0], &inside);
        let rows: Vec<_> = table.rows.iter().zip(func.table_args(op).iter().copied()).collect();
        if let Err(fault) = agree(&memory, &written, &rows, 23) {
            faults.push((Some(op), fault));
        }
    }
    if let Some(region) = &func.region {
        let params = func.params().iter().skip(Region::CAPTURES).copied();
        let rows: Vec<_> = region.captures.iter().map(|capture| &capture.sharing).zip(params).collect();
        let written = written(func, &memory, func.entry, &|_| true);
        if let Err(fault) = agree(&memory, &written, &rows, 24).and_then(|()| updated(func, &memory, &rows)) {
            faults.push((None, fault));
        }
    }
    faults
}

/// Whether memory that iterations combine values into is used for nothing else.
fn updated(func: &Function, memory: &MemoryInfo, rows: &[(&Sharing<Symbol>, Value)]) -> Check {
    for &(row, about) in rows {
        let Sharing::Reduced(reduce) = *row else { continue };
        ensure(only_updates(func, memory, func.entry, about, reduce), 24, || {
            format!("the table says `{row}` of what is not only updated: {}", memory.classes(about))
        })?;
    }
    Ok(())
}

/// What the operations of a block write of memory that no `own` operation makes.
fn written(func: &Function, memory: &MemoryInfo, block: Block, own: &dyn Fn(Op) -> bool) -> Vec<Value> {
    let mut written = Vec::new();
    func.walk(block, &mut |op| {
        let data = &func.ops[op];
        let writes = &memory.effects(op).writes;
        if data.regions.is_empty() && !writes.is_empty() {
            let is_written =
                |&&arg: &&Value| memory.classes(arg).intersects(writes) && !memory.is_made_by(arg, own);
            written.extend(data.args.iter().filter(is_written));
        }
    });
    written
}

/// Whether what is written is what rows call written.
fn agree(memory: &MemoryInfo, written: &[Value], rows: &[(&Sharing<Symbol>, Value)], rule: u8) -> Check {
    for &value in written {
        let said =
            |(row, about): &&(&Sharing<Symbol>, Value)| row.writes() && memory.may_alias(*about, value);
        let read =
            |(row, about): &&(&Sharing<Symbol>, Value)| !row.writes() && memory.may_alias(*about, value);
        if let Some((row, about)) = rows.iter().find(read) {
            let classes = memory.classes(*about);
            return Err(Fault {
                rule,
                message: format!("the table says `{row}` of what is written: {classes}"),
            });
        }
        ensure(rows.iter().any(|row| said(&row)), rule, || {
            format!("the table does not say that {} is written", memory.classes(value))
        })?;
    }
    Ok(())
}
