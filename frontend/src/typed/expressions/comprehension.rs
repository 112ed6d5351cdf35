//! Comprehensions, and generators as arguments: loops over hidden variables.
//!
//! `[f(x) for x in xs if x > 0]` is walked as
//!
//! ```text
//! […] = []
//! for x in xs:
//!     if x > 0:
//!         […].append(f(x))
//! ```
//!
//! with names that are seen inside it alone; `sum`, `any` and `all` of a generator need no list.

use crate::source::Span;
use crate::syntax::ast::{
    self, BinaryOp, Branch, Clause, ComprehensionKind, ExprKind, For, FunctionDef, Ident, Stmt, StmtKind,
};
use crate::syntax::visit;
use crate::typed::flow::env::NameId;
use crate::typed::flow::infer::Infer;
use crate::typed::flow::iterate::Iteration;
use crate::typed::library::applied;
use crate::typed::library::keys;
use crate::typed::library::stacked::{self, Joint};
use crate::typed::program::tree::{self, Expr};
use crate::typed::types::dict_type::Container;
use crate::typed::types::promote::promote;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::Builtin;
use pydd_ir::{DType, OpKind};
use std::collections::BTreeMap;

/// How often one comprehension is looked at before its items' type is declared endless.
const MAX_ROUNDS: usize = 4;

/// What becomes of the elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gathering {
    List,
    Set,
    Dict,
    Sum,
    Any,
    All,
    /// The rows of a matrix, one list for all, with their number and length.
    Rows,
    /// Nothing: what type they have.
    Probe,
    /// The elements of arrays, one list for all, with their number and a list of lengths.
    Arrays(Joint),
    /// The sum of arrays, with their number.
    SumOfArrays,
}

/// The list that grows.
pub const LIST: &str = "[…]";

/// Variables of [`Gathering::Rows`]: the rows so far, the length of the first, the items so far.
pub const ROWS: [&str; 3] = ["rows of […]", "columns of […]", "items of […]"];

impl Gathering {
    /// The hidden variable, as messages show it.
    const fn name(self) -> &'static str {
        match self {
            Self::List | Self::Rows | Self::Probe | Self::Arrays(_) => LIST,
            Self::Set | Self::Dict => "{…}",
            Self::Sum | Self::SumOfArrays => "sum(…)",
            Self::Any => "any(…)",
            Self::All => "all(…)",
        }
    }
}

/// A comprehension.
pub struct Parts<'e> {
    kind: ComprehensionKind,
    element: &'e ast::Expr,
    clauses: &'e [Clause],
    /// What the first clause goes over, if that is evaluated already.
    over: Option<Expr>,
    span: Span,
}

impl<'e> Parts<'e> {
    /// `[element for …]`, over a list that is evaluated already, if there is one.
    pub const fn of_list(
        element: &'e ast::Expr,
        clauses: &'e [Clause],
        over: Option<Expr>,
        span: Span,
    ) -> Self {
        Self { kind: ComprehensionKind::List, element, clauses, over, span }
    }

    /// Whether it is `[… for …]`.
    pub fn is_list(&self) -> bool {
        self.kind == ComprehensionKind::List
    }
}

/// The comprehension that an expression is.
pub fn parts(expr: &ast::Expr) -> Option<Parts<'_>> {
    match &expr.kind {
        ExprKind::Comprehension { kind, element, clauses } => {
            Some(Parts { kind: *kind, element, clauses, over: None, span: expr.span })
        }
        _ => None,
    }
}

/// The names that comprehensions of a function bind, by their places.
pub fn hidden_names(def: &FunctionDef) -> Vec<(Span, String)> {
    let mut names = Vec::new();
    visit::walk_stmts(&def.body, &mut |stmt| {
        for expr in visit::exprs(stmt) {
            visit::walk_expr(expr, &mut |expr| {
                keys::hidden_names(expr, &mut names);
                applied::hidden_names(expr, &mut names);
                let Some(parts) = parts(expr) else { return };
                for gathering in
                    [Gathering::List, Gathering::Set, Gathering::Sum, Gathering::Any, Gathering::All]
                {
                    names.push((expr.span, gathering.name().to_owned()));
                }
                names.extend(ROWS.map(|name| (expr.span, name.to_owned())));
                let targets = parts.clauses.iter().flat_map(|clause| visit::target_names(&clause.target));
                names.extend(targets.map(|name| (expr.span, name.to_owned())));
            });
        }
    });
    names
}

impl Infer<'_, '_> {
    /// `[element for …]`, `{element for …}`, `{key: value for …}`.
    pub(in crate::typed) fn comprehension(&mut self, parts: &Parts<'_>) -> Expr {
        self.gathering(parts, Gathering::of(parts.kind), None)
    }

    /// As [`comprehension`](Self::comprehension), with the type of the list or dict declared.
    pub(in crate::typed) fn comprehension_as(&mut self, parts: &Parts<'_>, ty: &Ty) -> Expr {
        let gathering = Gathering::of(parts.kind);
        let fits = match ty {
            Ty::Dict(dict) => gathering == if dict.is_set() { Gathering::Set } else { Gathering::Dict },
            _ => gathering == Gathering::List,
        };
        self.gathering(parts, gathering, fits.then(|| ty.clone()))
    }

    /// A function of a comprehension that needs no list; None for others.
    pub(in crate::typed) fn reduced_comprehension(
        &mut self,
        builtin: Builtin,
        arg: &ast::Expr,
    ) -> Option<Expr> {
        let parts = parts(arg)?;
        let gathering = match (builtin, parts.kind) {
            (Builtin::Sum, ComprehensionKind::List | ComprehensionKind::Generator) => Gathering::Sum,
            // Of a list, all elements are computed first.
            (Builtin::Any, ComprehensionKind::Generator) => Gathering::Any,
            (Builtin::All, ComprehensionKind::Generator) => Gathering::All,
            _ => return None,
        };
        if gathering == Gathering::Sum && self.element_rank(&parts).is_some() {
            return Some(self.gathering(&parts, Gathering::SumOfArrays, None));
        }
        Some(self.gathering(&parts, gathering, None))
    }

    /// The type of the elements, as far as it is known.
    pub(in crate::typed) fn element_type(&mut self, parts: &Parts<'_>) -> Option<Ty> {
        let (mark, env, known) = (self.mark(), self.env.clone(), self.contents.clone());
        let again = self.walk_again;
        self.probed = None;
        self.block(|s| {
            s.gather_elements(parts, Gathering::Probe);
        });
        self.back_to(mark);
        self.env = env;
        self.contents = known;
        self.walk_again = again;
        self.probed.take()
    }

    /// The array that the elements, which are arrays, make together; `some`: there must be one.
    pub(in crate::typed) fn joined_parts(&mut self, parts: &Parts<'_>, joint: Joint, some: bool) -> Expr {
        self.needs_part = some;
        self.gathering(parts, Gathering::Arrays(joint), None)
    }

    /// A matrix of `[[f(x, y) for y in ys] for x in xs]` or `[[f(x), g(x)] for x in xs]`; None for others.
    pub(in crate::typed) fn matrix_of(&mut self, arg: &ast::Expr) -> Option<Expr> {
        let parts = parts(arg)?;
        let is_row = matches!(
            parts.element.kind,
            ExprKind::List(_)
                | ExprKind::Tuple(_)
                | ExprKind::Comprehension { kind: ComprehensionKind::List, .. }
        );
        (is_row && parts.kind == ComprehensionKind::List)
            .then(|| self.gathering(&parts, Gathering::Rows, None))
    }

    fn gathering(&mut self, parts: &Parts<'_>, gathering: Gathering, declared: Option<Ty>) -> Expr {
        let span = parts.span;
        if let Some(declared) = declared {
            self.contents.insert(span, declared);
        }
        for _ in 0..MAX_ROUNDS {
            let (mark, env, again) = (self.mark(), self.env.clone(), self.walk_again);
            let before = self.contents.clone();
            let mut result = Expr::error(span);
            let stmts = self.block(|s| result = s.gather_elements(parts, gathering));
            // What this list holds is all that was learned: no need to walk over the whole function again.
            let mut others = self.contents.clone();
            match before.get(&span) {
                Some(known) => others.insert(span, known.clone()),
                None => others.remove(&span),
            };
            if again || !self.walk_again || others != before {
                return if result.ty.is_silent() { result } else { Self::seq(stmts, result) };
            }
            self.back_to(mark);
            self.env = env;
            self.walk_again = false;
        }
        self.walk_again = true;
        Expr::silent([], span)
    }

    fn gather_elements(&mut self, parts: &Parts<'_>, gathering: Gathering) -> Expr {
        let Parts { clauses, span, ref over, .. } = *parts;
        let Some((first, rest)) = clauses.split_first() else { return Expr::error(span) };
        let mut hidden = vec![gathering.name()];
        if matches!(gathering, Gathering::Rows | Gathering::Arrays(_) | Gathering::SumOfArrays) {
            hidden.extend(ROWS);
        }
        let sum = match gathering {
            Gathering::SumOfArrays => self.element_type(parts),
            _ => None,
        };
        let outer = self.shadow(span, hidden.iter().map(|&name| name.to_owned()).collect());
        for name in hidden {
            let start = match (gathering, &sum) {
                (Gathering::SumOfArrays, Some(sum)) if name == gathering.name() => Self::no_sum(sum, span),
                (Gathering::Arrays(_), _) if name == ROWS[1] => {
                    Self::op(OpKind::ListNew, Vec::new(), Ty::List(Num::INT), span)
                }
                _ if name == gathering.name() => self.start(gathering, span),
                _ => Expr::int(0, span),
            };
            if let Some(index) = self.name_index(name) {
                self.assign(index, start, span);
            }
        }
        let innermost = gathering.body(parts.element, span);
        let body = nested(rest, innermost, gathering, span);
        let body = conditions(&first.conditions, body, span);
        // The first iterable is of the place outside.
        let iteration = match over {
            Some(list) => Ok(Iteration::Growing(list.clone())),
            None => self.iteration(&first.iter),
        };
        let targets = clauses.iter().flat_map(|clause| visit::target_names(&clause.target));
        let outer_targets = self.shadow(span, targets.map(str::to_owned).collect());
        let inner_targets = match (&parts.element.kind, gathering) {
            (ExprKind::Comprehension { clauses, .. }, Gathering::Rows) => {
                let targets = clauses.iter().flat_map(|clause| visit::target_names(&clause.target));
                self.shadow(parts.element.span, targets.map(str::to_owned).collect())
            }
            _ => BTreeMap::new(),
        };
        self.for_over(&loop_over(first, body), iteration, span);
        self.unshadow(inner_targets);
        self.unshadow(outer_targets);
        let result = match (&self.env, gathering) {
            (None, _) => Expr::error(span),
            (Some(_), Gathering::Rows) => self.rows(span),
            (Some(_), Gathering::Arrays(joint)) => self.parts_taken(joint, self.needs_part, span),
            (Some(_), Gathering::SumOfArrays) => self.sum_of_some(span),
            (Some(_), _) => self.name(gathering.name(), span),
        };
        self.unshadow(outer);
        result
    }

    /// The matrix whose items were gathered.
    fn rows(&mut self, span: Span) -> Expr {
        let items = self.name(Gathering::Rows.name(), span);
        let array = match items.ty {
            Ty::List(_) => self.array_of_list(items, span),
            Ty::EmptyList(_) => Self::empty_array(DType::F64, span),
            _ => return Expr::silent([&items], span),
        };
        let Some(num) = array.ty.num() else { return Expr::silent([&array], span) };
        let [rows, columns, _] = ROWS;
        let sizes = [rows, columns].map(|name| self.name(name, span));
        let operands = std::iter::once(array).chain(sizes).collect();
        Self::op(OpKind::Reshape, operands, Ty::array(num.dtype, 2), span)
    }

    /// What a sum of such arrays is before the first one: nothing, in the sum's type.
    fn no_sum(element: &Ty, span: Span) -> Expr {
        let Ty::Array { dtype, rank } = *element else { return Expr::error(span) };
        let sum = promote(Num::INT, Num::strong(dtype)).dtype;
        let sizes = (0..rank).map(|_| Expr::int(0, span)).collect();
        Self::op(OpKind::Empty, sizes, Ty::array(sum, rank), span)
    }

    /// The sum of arrays, unless there was none.
    fn sum_of_some(&mut self, span: Span) -> Expr {
        let count = self.name(ROWS[0], span);
        let needed = self.prelude_call("sequence", "need_one_array", vec![count], span);
        self.push(tree::StmtKind::Eval(needed), span);
        self.name(Gathering::SumOfArrays.name(), span)
    }

    fn start(&mut self, gathering: Gathering, span: Span) -> Expr {
        match gathering {
            Gathering::List | Gathering::Rows | Gathering::Arrays(_) => self.list(&[], None, span),
            // Nothing is put in.
            Gathering::Probe => Self::op(OpKind::ListNew, Vec::new(), Ty::List(Num::INT), span),
            Gathering::Set => self.empty_dict(Container::Set, span),
            Gathering::Dict => self.empty_dict(Container::Dict, span),
            Gathering::Sum | Gathering::SumOfArrays => Expr::int(0, span),
            Gathering::Any => Expr::bool(false, span),
            Gathering::All => Expr::bool(true, span),
        }
    }

    /// Makes names stand for the comprehension's own variables; gives what they stood for.
    pub(in crate::typed) fn shadow(
        &mut self,
        span: Span,
        names: Vec<String>,
    ) -> BTreeMap<String, Option<NameId>> {
        let mut outer = BTreeMap::new();
        for name in names {
            let Some(&own) = self.hidden.get(&(span, name.clone())) else { continue };
            let before = self.names.insert(name.clone(), own);
            outer.entry(name).or_insert(before);
        }
        outer
    }

    /// Ends [`shadow`](Self::shadow): the variables are not bound any more.
    pub(in crate::typed) fn unshadow(&mut self, outer: BTreeMap<String, Option<NameId>>) {
        for (name, before) in outer {
            let own = match before {
                Some(before) => self.names.insert(name, before),
                None => self.names.remove(&name),
            };
            if let (Some(own), Some(env)) = (own, &mut self.env) {
                env.set(own, None);
            }
        }
    }
}

impl Gathering {
    const fn of(kind: ComprehensionKind) -> Self {
        match kind {
            ComprehensionKind::Set => Self::Set,
            ComprehensionKind::Dict => Self::Dict,
            ComprehensionKind::List | ComprehensionKind::Generator => Self::List,
        }
    }

    /// What is done with an element.
    fn body(self, element: &ast::Expr, span: Span) -> Vec<Stmt> {
        let hidden = name(self.name(), span);
        let set = |value: ExprKind| {
            let value = expr(value, span);
            let targets = vec![hidden.clone()];
            stmt(StmtKind::Assign { targets, value, annotation: None }, span)
        };
        let found = |value: bool| vec![set(ExprKind::Bool(value)), stmt(StmtKind::Break, span)];
        match self {
            Self::List => vec![call_method(hidden, "append", element, span)],
            Self::Set => vec![call_method(hidden, "add", element, span)],
            Self::Dict => vec![store(hidden, element, span)],
            Self::Rows => row(&hidden, element, span),
            Self::Probe => vec![call_method(hidden, stacked::PROBE, element, span)],
            Self::Arrays(joint) => {
                vec![call_method(hidden, joint.method(), element, span), count(ROWS[0], span)]
            }
            Self::SumOfArrays => sum_of_arrays(&hidden, element, span),
            Self::Sum => {
                let (left, right) = (Box::new(hidden.clone()), Box::new(element.clone()));
                vec![set(ExprKind::Binary { op: BinaryOp::Add, left, right })]
            }
            Self::Any => vec![branch(element.clone(), found(true), span)],
            Self::All => {
                let operand = Box::new(element.clone());
                let test = expr(ExprKind::Unary { op: ast::UnaryOp::Not, operand }, element.span);
                vec![branch(test, found(false), span)]
            }
        }
    }

    /// After an inner loop: leaves the outer one as well, where the result is known.
    fn leave(self, span: Span) -> Option<Stmt> {
        let hidden = name(self.name(), span);
        let test = match self {
            Self::Any => hidden,
            Self::All => expr(ExprKind::Unary { op: ast::UnaryOp::Not, operand: Box::new(hidden) }, span),
            _ => return None,
        };
        Some(branch(test, vec![stmt(StmtKind::Break, span)], span))
    }
}

/// `hidden.method(element)`
fn call_method(hidden: ast::Expr, method: &str, element: &ast::Expr, span: Span) -> Stmt {
    let attr = Ident { name: method.to_owned(), span };
    let func = Box::new(expr(ExprKind::Attribute { value: Box::new(hidden), attr }, span));
    let call = ExprKind::Call { func, args: vec![element.clone()], keywords: Vec::new() };
    stmt(StmtKind::Expr(expr(call, span)), span)
}

/// `hidden[key] = value`, of a pair.
fn store(hidden: ast::Expr, pair: &ast::Expr, span: Span) -> Stmt {
    let (key, value) = match &pair.kind {
        ExprKind::Tuple(items) if items.len() == 2 => (items[0].clone(), items[1].clone()),
        _ => (pair.clone(), pair.clone()),
    };
    let value_of = Box::new(hidden);
    let target = expr(ExprKind::Subscript { value: value_of, indices: vec![key], tuple: false }, span);
    stmt(StmtKind::Assign { targets: vec![target], value, annotation: None }, span)
}

/// `variable = variable + 1`
fn count(variable: &str, span: Span) -> Stmt {
    let (left, right) = (Box::new(name(variable, span)), Box::new(expr(ExprKind::Int(1), span)));
    let value = expr(ExprKind::Binary { op: BinaryOp::Add, left, right }, span);
    stmt(StmtKind::Assign { targets: vec![name(variable, span)], value, annotation: None }, span)
}

/// The first one is added to 0, as Python does, each other one to those before it.
fn sum_of_arrays(hidden: &ast::Expr, element: &ast::Expr, span: Span) -> Vec<Stmt> {
    let add = |left: ast::Expr| {
        let (left, right) = (Box::new(left), Box::new(element.clone()));
        let value = expr(ExprKind::Binary { op: BinaryOp::Add, left, right }, span);
        vec![stmt(StmtKind::Assign { targets: vec![hidden.clone()], value, annotation: None }, span)]
    };
    let zero = expr(ExprKind::Int(0), span);
    let rest = vec![(ast::CompareOp::Eq, zero.clone())];
    let first = expr(ExprKind::Compare { first: Box::new(name(ROWS[0], span)), rest }, span);
    let branches = vec![Branch { test: first, body: add(zero), span }];
    let orelse = add(hidden.clone());
    vec![stmt(StmtKind::If { branches, orelse }, span), count(ROWS[0], span)]
}

/// Appends the items of a row, counts, and checks that all rows are as long as the first.
fn row(hidden: &ast::Expr, element: &ast::Expr, span: Span) -> Vec<Stmt> {
    let [rows, columns, items] = ROWS.map(|variable| name(variable, span));
    let binary = |op, left: &ast::Expr, right: &ast::Expr| {
        let (left, right) = (Box::new(left.clone()), Box::new(right.clone()));
        expr(ExprKind::Binary { op, left, right }, span)
    };
    let set = |target: &ast::Expr, value| {
        stmt(StmtKind::Assign { targets: vec![target.clone()], value, annotation: None }, span)
    };
    let one = expr(ExprKind::Int(1), span);
    let count = |variable| set(variable, binary(BinaryOp::Add, variable, &one));
    let compare = |left: &ast::Expr, op, right| {
        expr(ExprKind::Compare { first: Box::new(left.clone()), rest: vec![(op, right)] }, span)
    };
    let item =
        |element: &ast::Expr| vec![call_method(hidden.clone(), "append", element, span), count(&items)];
    let mut body = match &element.kind {
        ExprKind::Comprehension { element, clauses, .. } => {
            nested(clauses, item(element), Gathering::Rows, span)
        }
        ExprKind::List(all) | ExprKind::Tuple(all) => all.iter().flat_map(item).collect(),
        _ => item(element),
    };
    let first = compare(&rows, ast::CompareOp::Eq, one.clone());
    let ragged = compare(&items, ast::CompareOp::NotEq, binary(BinaryOp::Mul, &rows, &columns));
    let text = "setting an array element with a sequence. The requested array has an inhomogeneous shape";
    let error = ExprKind::Call {
        func: Box::new(name("ValueError", span)),
        args: vec![expr(ExprKind::Str(text.to_owned()), span)],
        keywords: Vec::new(),
    };
    body.push(count(&rows));
    body.push(branch(first, vec![set(&columns, items)], span));
    body.push(branch(ragged, vec![stmt(StmtKind::Raise(expr(error, span)), span)], span));
    body
}

/// The loops of inner clauses.
fn nested(clauses: &[Clause], innermost: Vec<Stmt>, gathering: Gathering, span: Span) -> Vec<Stmt> {
    clauses.iter().rev().fold(innermost, |body, clause| {
        let body = conditions(&clause.conditions, body, span);
        let repeat = StmtKind::For(Box::new(loop_over(clause, body)));
        std::iter::once(stmt(repeat, clause.iter.span)).chain(gathering.leave(span)).collect()
    })
}

fn conditions(conditions: &[ast::Expr], body: Vec<Stmt>, span: Span) -> Vec<Stmt> {
    conditions.iter().rev().fold(body, |body, test| vec![branch(test.clone(), body, span)])
}

fn loop_over(clause: &Clause, body: Vec<Stmt>) -> For {
    For {
        keyword: clause.iter.span,
        parallel: false,
        target: clause.target.clone(),
        iter: clause.iter.clone(),
        body,
        orelse: Vec::new(),
        annotation: None,
    }
}

fn branch(test: ast::Expr, body: Vec<Stmt>, span: Span) -> Stmt {
    stmt(StmtKind::If { branches: vec![Branch { test, body, span }], orelse: Vec::new() }, span)
}

fn name(name: &str, span: Span) -> ast::Expr {
    expr(ExprKind::Name(name.to_owned()), span)
}

fn expr(kind: ExprKind, span: Span) -> ast::Expr {
    ast::Expr { id: ast::ExprId(0), span, kind }
}

const fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt { span, kind }
}
