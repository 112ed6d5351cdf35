//! `itertools` in loops: `for a, b in product(xs, ys)`.
//!
//! What takes items by their position (`islice`, `count`, `repeat`) is positions. The rest is loops around the body:
//!
//! ```text
//! for i in range(len(pool)):              for a, b in combinations(pool, 2)
//!     for j in range(i + 1, len(pool)):
//!         a, b = pool[i], pool[j]
//!         body
//! ```
//!
//! A `break` of the body leaves all of them. Nothing is made ahead but a copy of what `product` and its like choose from, which CPython
//! copies as well: a body that changes what is gone over sees what it sees there.

use super::env::Way;
use super::hidden::Hidden;
use super::infer::Infer;
use super::iterate::{Item, Iteration, Positions};
use super::loops::{Each, Place};
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, Keyword};
use crate::typed::containers::list_ops::is_starred;
use crate::typed::library::Given;
use crate::typed::program::tree::{Expr, Label};
use crate::typed::types::ty::Ty;
use pydd_ir::catalogue::Itertool;
use pydd_ir::{ElemOp, Exc};

/// Loops that one call may nest.
const MAX_LEVELS: usize = 16;

/// How a loop goes over what is no sequence.
#[derive(Clone, Debug)]
pub enum Composed {
    /// A loop for each item of the tuples.
    Nest(Nest),
    Chain(Vec<Iteration>),
    /// The items of all items.
    Flatten(Box<Iteration>),
    Pairs(Positions),
    Running(Running),
    /// With a counter from a start.
    Counted(Box<Iteration>, Expr),
}

/// Loops inside each other, each over a pool.
#[derive(Clone, Debug)]
pub struct Nest {
    pools: Vec<Positions>,
    order: Order,
}

/// Which places an inner loop goes over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    All,
    /// Behind the place of the loop around it.
    Behind,
    /// From the place of the loop around it.
    From,
    /// All but those of the loops around it.
    Others,
}

/// `accumulate(over, function, initial=…)`
#[derive(Clone, Debug)]
pub struct Running {
    over: Positions,
    function: Option<Box<ast::Expr>>,
    initial: Option<Expr>,
}

/// A call of one of `itertools`.
#[derive(Clone, Copy)]
struct Call<'e> {
    tool: Itertool,
    args: &'e [ast::Expr],
    keywords: &'e [Keyword],
    span: Span,
}

impl<'e> Call<'e> {
    /// An argument by its place, or by its name where it has one.
    fn argument(&self, at: usize, name: &str) -> Option<&'e ast::Expr> {
        let named = self.keywords.iter().find(|keyword| keyword.name.name == name);
        self.args.get(at).or(named.map(|keyword| &keyword.value))
    }

    /// How many arguments it may have by place, and names of those that may be given by name.
    const fn takes(&self) -> (usize, &'static [&'static str]) {
        match self.tool {
            Itertool::Product => (usize::MAX, &["repeat"]),
            Itertool::Combinations | Itertool::WithReplacement | Itertool::Permutations => {
                (2, &["iterable", "r"])
            }
            Itertool::Accumulate => (2, &["iterable", "func", "initial"]),
            Itertool::Chain => (usize::MAX, &[]),
            Itertool::Flatten | Itertool::Pairwise => (1, &[]),
            Itertool::Islice => (4, &[]),
            Itertool::Count => (2, &["start", "step"]),
            Itertool::Repeat => (2, &["object", "times"]),
        }
    }
}

impl Positions {
    /// Those from a position on.
    fn behind(self, first: i64, span: Span) -> Self {
        let first = Expr::int(first, span);
        let left = |count: Expr| Infer::elem(ElemOp::Sub, vec![count, first.clone()], true, span);
        Self {
            count: Infer::elem(ElemOp::Max, vec![left(self.count), Expr::int(0, span)], true, span),
            fixed: self.fixed.map(left),
            items: Item::Strided(Box::new(self.items), first, Expr::int(1, span)),
            grows: self.grows,
        }
    }
}

impl Infer<'_, '_> {
    /// Whether positions tell the items, so that `zip` and its like can take them.
    pub(super) const fn has_positions(tool: Itertool) -> bool {
        matches!(tool, Itertool::Islice | Itertool::Count | Itertool::Repeat)
    }

    /// Whether all is chosen from copies, so that a list of it is what a loop would see.
    pub(super) const fn is_of_copies(tool: Itertool) -> bool {
        matches!(
            tool,
            Itertool::Product | Itertool::Combinations | Itertool::WithReplacement | Itertool::Permutations
        )
    }

    /// How a loop over a call of `itertools` goes.
    pub(super) fn itertool(&mut self, tool: Itertool, iter: &ast::Expr) -> Result<Iteration, Ty> {
        let ast::ExprKind::Call { args, keywords, .. } = &iter.kind else { return Err(Ty::Error) };
        let call = Call { tool, args, keywords, span: iter.span };
        if !self.is_well_called(call) {
            return Err(Ty::Error);
        }
        let composed = match tool {
            Itertool::Product => self.product_of(call)?,
            Itertool::Combinations => self.choices(call, Order::Behind)?,
            Itertool::WithReplacement => self.choices(call, Order::From)?,
            Itertool::Permutations => self.choices(call, Order::Others)?,
            Itertool::Accumulate => self.running(call)?,
            Itertool::Chain => self.one_behind_the_other(call)?,
            Itertool::Flatten => Composed::Flatten(Box::new(self.iteration(&args[0])?)),
            Itertool::Pairwise => Composed::Pairs(self.indexed(&args[0])?),
            Itertool::Islice => return Ok(Iteration::Indexed(self.islice(call)?)),
            Itertool::Count => return Ok(Iteration::Indexed(self.counter(call))),
            Itertool::Repeat => return Ok(Iteration::Indexed(self.repeated(call)?)),
        };
        Ok(Iteration::Composed(composed))
    }

    fn is_well_called(&mut self, call: Call<'_>) -> bool {
        let (most, names) = call.takes();
        let unknown = call.keywords.iter().find(|keyword| !names.contains(&keyword.name.name.as_str()));
        if let Some(keyword) = unknown {
            let headline = format!("this function does not take `{}=`", keyword.name.name);
            self.error(code::KEYWORD_ARGUMENT_UNKNOWN, keyword.name.span, headline, "not known");
            return false;
        }
        let least = match call.tool {
            Itertool::Product | Itertool::Chain | Itertool::Count => 0,
            Itertool::Combinations | Itertool::WithReplacement | Itertool::Islice => 2,
            _ => 1,
        };
        let given = call.args.len() + call.keywords.len();
        if call.args.len() > most || given < least {
            let headline = format!("this function takes {least} arguments at least, and was given {given}");
            self.error(code::WRONG_ARGUMENT_COUNT, call.span, headline, "");
            return false;
        }
        match call.args.iter().find(|arg| is_starred(arg)) {
            Some(arg) if call.tool != Itertool::Chain || call.args.len() > 1 => {
                self.later(arg.span, "unpacking among the arguments of this function");
                false
            }
            _ => true,
        }
    }

    // ---- what is gone over ----

    /// What `product` and its like choose from: a copy, but for what never changes.
    fn pool(&mut self, arg: &ast::Expr) -> Result<Positions, Ty> {
        let values = match self.iterated(arg) {
            Some(list) => list,
            None => {
                let value = self.expr(arg);
                self.listed(value)
            }
        };
        let copy = match &values.ty {
            Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) if !self.is_fresh(&values) => {
                self.list_of(values, arg.span)
            }
            Ty::Array { rank: 1, .. } => self.list_of(values, arg.span),
            _ => values,
        };
        let copy = self.keep_parts(copy);
        self.indexed_value(copy)
    }

    fn product_of(&mut self, call: Call<'_>) -> Result<Composed, Ty> {
        let mut pools = Vec::new();
        for arg in call.args {
            pools.push(self.pool(arg)?);
        }
        let times = match call.argument(usize::MAX, "repeat") {
            Some(times) => self.level_count(times, "repeat")?,
            None => 1,
        };
        let levels = pools.len() * times;
        let pools = pools.iter().cycle().take(levels).cloned().collect();
        Ok(Composed::Nest(Nest { pools, order: Order::All }))
    }

    fn choices(&mut self, call: Call<'_>, order: Order) -> Result<Composed, Ty> {
        let Some(over) = call.argument(0, "iterable") else { return Err(Ty::Error) };
        let pool = self.pool(over)?;
        let levels = match call.argument(1, "r") {
            Some(count) => self.level_count(count, "r")?,
            None => {
                let diagnostic = Diagnostic::error(
                    code::ARGUMENT_NOT_CONSTANT,
                    "the number of items must be known when the program is compiled",
                )
                .primary(call.span, "as many as there are")
                .help("say how many: `permutations(xs, 3)`");
                self.report(diagnostic);
                return Err(Ty::Error);
            }
        };
        Ok(Composed::Nest(Nest { pools: vec![pool; levels], order }))
    }

    /// How many items the tuples have, for which there are loops.
    fn level_count(&mut self, count: &ast::Expr, name: &str) -> Result<usize, Ty> {
        let value = self.integer(count);
        if value.ty.is_silent() {
            return Err(value.ty);
        }
        match value.as_int().map(usize::try_from) {
            Some(Ok(count)) if count <= MAX_LEVELS => Ok(count),
            Some(_) => {
                let headline = format!("`{name}` is from 0 to {MAX_LEVELS} here");
                self.error(code::ARGUMENT_NOT_CONSTANT, count.span, headline, "not among these");
                Err(Ty::Error)
            }
            None => {
                self.not_constant(name, &value);
                Err(Ty::Error)
            }
        }
    }

    fn one_behind_the_other(&mut self, call: Call<'_>) -> Result<Composed, Ty> {
        if let [ast::Expr { kind: ast::ExprKind::Starred(all), .. }] = call.args {
            return Ok(Composed::Flatten(Box::new(self.iteration(all)?)));
        }
        let mut parts = Vec::new();
        for arg in call.args {
            parts.push(self.iteration(arg)?);
        }
        Ok(Composed::Chain(parts))
    }

    fn running(&mut self, call: Call<'_>) -> Result<Composed, Ty> {
        let Some(over) = call.argument(0, "iterable") else { return Err(Ty::Error) };
        let over = self.indexed(over)?;
        let is_given = |arg: &&ast::Expr| !matches!(arg.kind, ast::ExprKind::None);
        let function = call.argument(1, "func").filter(is_given).map(|function| Box::new(function.clone()));
        let initial = match call.argument(usize::MAX, "initial").filter(is_given) {
            Some(initial) => {
                let initial = self.expr(initial);
                Some(self.keep(initial))
            }
            None => None,
        };
        Ok(Composed::Running(Running { over, function, initial }))
    }

    fn counter(&mut self, call: Call<'_>) -> Positions {
        let part = |s: &mut Self, at, name, default| match call.argument(at, name) {
            Some(part) => {
                let part = s.integer(part);
                s.keep(part)
            }
            None => Expr::int(default, call.span),
        };
        let (start, step) = (part(self, 0, "start", 0), part(self, 1, "step", 1));
        Positions::fixed(Expr::int(i64::MAX, call.span), Item::Counter(start, step))
    }

    fn repeated(&mut self, call: Call<'_>) -> Result<Positions, Ty> {
        let Some(object) = call.argument(0, "object") else { return Err(Ty::Error) };
        let object = self.expr(object);
        let object = self.keep(object);
        let times = match call.argument(1, "times") {
            Some(times) => {
                let times = self.integer(times);
                let times = Self::elem(ElemOp::Max, vec![times, Expr::int(0, call.span)], true, call.span);
                self.keep(times)
            }
            None => Expr::int(i64::MAX, call.span),
        };
        Ok(Positions::fixed(times, Item::Same(object)))
    }

    /// `islice(over, stop)`, `islice(over, start, stop, step)`
    fn islice(&mut self, call: Call<'_>) -> Result<Positions, Ty> {
        let span = call.span;
        let over = self.indexed(&call.args[0])?;
        let (start, stop, step) = match &call.args[1..] {
            [stop] => (None, Some(stop), None),
            [start, stop, rest @ ..] => (Some(start), Some(stop), rest.first()),
            [] => return Err(Ty::Error),
        };
        let indices = "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.";
        let stop_text = match start {
            Some(_) => indices,
            None => "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.",
        };
        let start = self.bound(start, 0, indices, span);
        let stop = self.bound(stop, 0, stop_text, span);
        let step = self.bound(step, 1, "Step for islice() must be a positive integer or None.", span);
        let start = start.unwrap_or_else(|| Expr::int(0, span));
        let step = step.unwrap_or_else(|| Expr::int(1, span));
        let least = |a: Expr, b: &Expr| Self::elem(ElemOp::Min, vec![a, b.clone()], true, span);
        let up_to = |count: Expr| stop.iter().fold(count, least);
        let fixed = match over.fixed {
            Some(count) => Some(up_to(count)),
            None => stop.clone(),
        };
        let taken = |end: Expr| Self::range_length(&[start.clone(), end, step.clone()], span);
        let count = taken(up_to(over.count));
        let count = self.keep(count);
        let fixed = fixed.map(|end| self.keep(taken(end)));
        let items = Item::Strided(Box::new(over.items), start.clone(), step.clone());
        Ok(Positions { items, count, fixed, grows: over.grows })
    }

    /// A bound of a slice, which is at least so large; None where it is left out.
    fn bound(&mut self, bound: Option<&ast::Expr>, least: i64, text: &str, span: Span) -> Option<Expr> {
        let bound = bound.filter(|bound| !matches!(bound.kind, ast::ExprKind::None))?;
        let bound = self.integer(bound);
        let bound = self.keep(bound);
        let fits = Self::elem(ElemOp::Ge, vec![bound.clone(), Expr::int(least, span)], true, span);
        if !bound.ty.is_silent() {
            self.out.push(Self::check(fits, Exc::ValueError, text, vec![], span));
        }
        Some(bound)
    }

    // ---- loops ----

    /// A loop over what is no sequence, and what stands behind it where nothing breaks it.
    pub(super) fn composed(
        &mut self,
        at: Place,
        composed: &Composed,
        each: Each<'_, Self>,
        orelse: impl FnOnce(&mut Self),
    ) {
        self.leaving(at.whole, |s, outer| s.compose(at, composed, outer, each), orelse);
    }

    /// The loops of an iteration; `break` leads to `outer`.
    fn drive(&mut self, at: Place, iteration: &Iteration, outer: Label, each: Each<'_, Self>) -> Vec<Way> {
        match iteration {
            _ if self.env.is_none() => Vec::new(),
            Iteration::Unrolled(items) => self.one_by_one(at, items.clone(), outer, each),
            Iteration::Composed(composed) => self.compose(at, composed, outer, each),
            _ => self.counted(at, iteration, Some(outer), each),
        }
    }

    fn compose(&mut self, at: Place, composed: &Composed, outer: Label, each: Each<'_, Self>) -> Vec<Way> {
        match composed {
            Composed::Nest(nest) if nest.pools.is_empty() => {
                self.one_by_one(at, vec![Self::tuple(Vec::new(), at.over)], outer, each)
            }
            Composed::Nest(nest) => self.level(at, nest, &mut Vec::new(), outer, each),
            Composed::Chain(parts) => {
                let mut breaks = Vec::new();
                for part in parts {
                    breaks.extend(self.drive(at, part, outer, &mut *each));
                }
                breaks
            }
            Composed::Flatten(over) => self.drive(at, over, outer, &mut |s, item| {
                let item = s.keep(item);
                match s.iteration_of(item, false) {
                    Ok(inner) => {
                        let breaks = s.drive(at, &inner, outer, &mut *each);
                        s.pass_on(breaks);
                    }
                    Err(silent) => s.after_bad_iteration(Expr::silent_as(silent, at.over), &mut *each),
                }
            }),
            Composed::Pairs(over) => self.pairs(at, over, outer, each),
            Composed::Running(running) => self.running_values(at, running, outer, each),
            Composed::Counted(over, start) => self.with_counter(at, over, start, outer, each),
        }
    }

    /// Ways out of an inner loop that leave the loop around it as well.
    fn pass_on(&mut self, breaks: Vec<Way>) {
        if let Some(context) = self.loops.last_mut() {
            context.breaks.extend(breaks);
        }
    }

    /// The loops from a level on; `chosen` are places and items of those around them.
    fn level(
        &mut self,
        at: Place,
        nest: &Nest,
        chosen: &mut Vec<(Expr, Expr)>,
        outer: Label,
        each: Each<'_, Self>,
    ) -> Vec<Way> {
        let span = at.over;
        let Some(pool) = nest.pools.get(chosen.len()) else {
            let items = chosen.iter().map(|(_, item)| item.clone()).collect();
            each(self, Self::tuple(items, span));
            return Vec::new();
        };
        let start = match (nest.order, chosen.last()) {
            (Order::From, Some((place, _))) => place.clone(),
            (Order::Behind, Some((place, _))) => {
                Self::elem(ElemOp::Add, vec![place.clone(), Expr::int(1, span)], true, span)
            }
            _ => Expr::int(0, span),
        };
        let range = Iteration::Range([start, pool.count.clone(), Expr::int(1, span)]);
        self.counted(at, &range, Some(outer), &mut |s, place| {
            let is_other = match nest.order {
                Order::Others => Self::is_none_of(&place, chosen, span),
                _ => Expr::bool(true, span),
            };
            s.where_true(is_other, span, |s| {
                let item = s.item_at(&pool.items, &place, span);
                let item = s.keep(item);
                chosen.push((place, item));
                let breaks = s.level(at, nest, chosen, outer, &mut *each);
                chosen.pop();
                s.pass_on(breaks);
            });
        })
    }

    fn is_none_of(place: &Expr, chosen: &[(Expr, Expr)], span: Span) -> Expr {
        let differs = |(other, _): &(Expr, Expr)| {
            Self::elem(ElemOp::Ne, vec![place.clone(), other.clone()], true, span)
        };
        let both = |a, b| Self::elem(ElemOp::And, vec![a, b], true, span);
        chosen.iter().map(differs).reduce(both).unwrap_or_else(|| Expr::bool(true, span))
    }

    /// Each item with the one before it, which was taken when it was the next one.
    fn pairs(&mut self, at: Place, over: &Positions, outer: Label, each: Each<'_, Self>) -> Vec<Way> {
        let span = at.over;
        let before = self.hidden(span, Hidden::Before);
        let mut breaks = Vec::new();
        self.where_any(over, span, |s| {
            let first = s.item_at(&over.items, &Expr::int(0, span), span);
            s.assign_name(before, first, span);
            let rest = Iteration::Indexed(over.clone().behind(1, span));
            breaks = s.drive(at, &rest, outer, &mut |s, item| {
                let item = s.keep(item);
                let last = s.variable(before, span);
                let last = s.keep(last);
                s.assign_name(before, item.clone(), span);
                each(s, Self::tuple(vec![last, item], span));
            });
        });
        self.unbind(before);
        breaks
    }

    /// What `then` does where there is a first item.
    fn where_any(&mut self, over: &Positions, span: Span, then: impl FnOnce(&mut Self)) {
        let any = Self::elem(ElemOp::Gt, vec![over.count.clone(), Expr::int(0, span)], true, span);
        self.where_true(any, span, then);
    }

    /// The values that a running sum, or a function in its place, has.
    fn running_values(
        &mut self,
        at: Place,
        running: &Running,
        outer: Label,
        each: Each<'_, Self>,
    ) -> Vec<Way> {
        let span = at.over;
        let total = self.hidden(span, Hidden::Sum);
        let mut breaks = Vec::new();
        let mut from = |s: &mut Self, first: Expr, rest: Positions| {
            s.assign_name(total, first, span);
            let first = s.variable(total, span);
            breaks.extend(s.one_by_one(at, vec![first], outer, &mut *each));
            let rest = Iteration::Indexed(rest);
            breaks.extend(s.drive(at, &rest, outer, &mut |s, item| {
                s.add_to_running(total, running.function.as_deref(), item, span);
                let value = s.variable(total, span);
                let value = s.keep(value);
                each(s, value);
            }));
        };
        match &running.initial {
            Some(initial) => from(self, initial.clone(), running.over.clone()),
            None => self.where_any(&running.over, span, |s| {
                let first = s.item_at(&running.over.items, &Expr::int(0, span), span);
                from(s, first, running.over.clone().behind(1, span));
            }),
        }
        self.unbind(total);
        breaks
    }

    /// `total = function(total, item)`, or `total + item`.
    fn add_to_running(&mut self, total: usize, function: Option<&ast::Expr>, item: Expr, span: Span) {
        let item = self.keep(item);
        let so_far = self.variable(total, span);
        let value = match function {
            Some(function) => {
                let none = Given { named: Vec::new(), rest: Vec::new(), keywords: Vec::new() };
                self.apply(function, &[so_far, item], &none)
            }
            None => self.binary(BinaryOp::Add, so_far, item, span),
        };
        self.assign_name(total, value, span);
    }

    fn with_counter(
        &mut self,
        at: Place,
        over: &Iteration,
        start: &Expr,
        outer: Label,
        each: Each<'_, Self>,
    ) -> Vec<Way> {
        let span = at.over;
        let counter = self.hidden(span, Hidden::Counter);
        self.assign_name(counter, start.clone(), span);
        let breaks = self.drive(at, over, outer, &mut |s, item| {
            let item = s.keep(item);
            let count = s.variable(counter, span);
            let count = s.keep(count);
            s.count(counter, span);
            each(s, Self::tuple(vec![count, item], span));
        });
        self.unbind(counter);
        breaks
    }

    /// `functools.reduce(function, iterable, initial)`
    pub(in crate::typed) fn reduced_by(&mut self, given: &Given<'_>, span: Span) -> Expr {
        let (Some(function), Some(iterable)) = (given.required(0), given.required(1)) else {
            return Expr::error(span);
        };
        let over = match self.indexed(iterable) {
            Ok(over) => over,
            Err(silent) => return Expr::silent_as(silent, span),
        };
        let total = self.hidden(span, Hidden::Sum);
        let rest = match given.required(2) {
            Some(initial) => {
                let initial = self.expr(initial);
                self.assign_name(total, initial, span);
                over
            }
            None => {
                let any = Self::elem(ElemOp::Gt, vec![over.count.clone(), Expr::int(0, span)], true, span);
                let text = "reduce() of empty iterable with no initial value";
                self.out.push(Self::check(any, Exc::TypeError, text, vec![], span));
                let first = self.item_at(&over.items, &Expr::int(0, span), span);
                self.assign_name(total, first, span);
                over.behind(1, span)
            }
        };
        let at = Place { whole: span, over: iterable.span };
        self.for_each(at, span, Ok(Iteration::Indexed(rest)), &mut |s, item| {
            s.add_to_running(total, Some(function), item, span);
        });
        self.end_of(total, span)
    }
}
