//! Inference of one function for one list of parameter types: the state, and what all parts of it use.

use super::env::{Binding, Env, NameId, Way};
use super::hidden::Hidden;
use super::{reduced, sizes};
use crate::diagnostics::{Code, Diagnostic, code};
use crate::source::Span;
use crate::syntax::{ast, visit};
use crate::typed::library::Arguments;
use crate::typed::program::module_constant::KeptConstant;
use crate::typed::program::session::Session;
use crate::typed::program::tree::{Copy, EdgeId, Expr, ExprKind, Label, Local, LocalId, Stmt, StmtKind};
use crate::typed::program::unit::Unit;
use crate::typed::types::ty::{self, Num, Ty};
use pydd_ir::{ElemOp, Exc, Message, OpKind};
use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};

/// So many walks over a loop may find lower types at its head than they assumed, as where a test is decided by what they assume.
const NARROWING_WALKS: usize = 8;

/// The state of inferring a function.
///
/// It walks the tree once, in the order of execution, and makes typed statements as it goes. A loop whose
/// head turns out to need other types than the first look assumed is walked again ([`Infer::fixpoint`]).
pub struct Infer<'s, 'u> {
    pub session: &'s mut Session,
    pub unit: &'u Unit,
    pub def: &'u ast::FunctionDef,
    /// Of the parameters that are no constants.
    pub params: Vec<LocalId>,
    pub locals: Vec<Local>,
    by_type: BTreeMap<(NameId, Ty), LocalId>,
    flags: BTreeMap<NameId, LocalId>,
    pub names: BTreeMap<String, NameId>,
    /// The call of a library function whose text is being looked at.
    pub library_call: Option<Arguments>,
    name_list: Vec<String>,
    /// The variables of expressions, by the places of these.
    hidden: BTreeMap<(Span, Hidden), NameId>,
    /// `None` where no way leads.
    pub env: Option<Env>,
    pub out: Vec<Stmt>,
    pub edges: Vec<Vec<Copy>>,
    pub labels: u32,
    pub loops: Vec<LoopContext>,
    pub diagnostics: Vec<Diagnostic>,
    pub constants: Vec<Expr>,
    /// Constants of the module that the function keeps; see [`crate::typed::program::module_constant`].
    pub kept_constants: Vec<KeptConstant>,
    pub conflicts: Vec<[(Span, Ty); 2]>,
    /// The type after `->`.
    pub declared_result: Option<(Ty, Span)>,
    /// Axes whose lengths annotations name.
    pub sizes: BTreeMap<String, sizes::Named>,
    /// Each `return` and its type.
    pub returns: Vec<(Span, Ty)>,
    /// The types of these, each once, with the first `return` of it.
    pub returned: Vec<(usize, Ty)>,
    /// The types of `[]`, `{}` and their like, by place; found while going, for the next walk over the function.
    pub contents: BTreeMap<Span, Ty>,
    pub walk_again: bool,
    /// What the heads of loops were found to be in an earlier walk.
    heads: BTreeMap<Span, Env>,
    /// Temporaries whose array no other variable's memory overlaps.
    pub fresh: BTreeSet<LocalId>,
    /// Some sparse matrix has room for more entries.
    pub has_growing: bool,
    /// Inside an expression part that may not be evaluated.
    pub conditional: u32,
    /// Copies made of the bodies of loops over tuples.
    pub unrolled: usize,
    /// The first expression found to be of type `Error`; see [`Infer::note_wrong`].
    pub wrong: Option<Span>,
    /// The types of expressions and variables by place, where somebody asks for them.
    pub noted: Option<BTreeMap<Span, Ty>>,
    /// What calls of the function itself are taken to give.
    pub guess: Ty,
    /// Whether this is the first walk over the body of a loop around.
    pub in_first_walk: bool,
    /// The call, by its place, whose result must have so many axes.
    pub wanted_rank: Option<(Span, u8)>,
    /// Variables declared without a value.
    pub declared: BTreeMap<NameId, (Ty, Span)>,
    /// The types of what a `pfor` combines, where it is of one of several types before and after it.
    pub reduced: BTreeMap<NameId, reduced::Reduced>,
    /// The first declaration of each variable that has one.
    pub declarations: BTreeMap<NameId, (Ty, Span)>,
}

/// A loop around the place that is looked at.
pub struct LoopContext {
    pub break_to: Label,
    pub continue_to: Label,
    pub breaks: Vec<Way>,
    pub continues: Vec<Way>,
    /// The keyword of a `pfor`.
    pub pfor: Option<Span>,
}

/// How far diagnostics and such had come, to go back to.
pub struct Mark {
    wrong: Option<Span>,
    diagnostics: usize,
    returns: usize,
    edges: usize,
    constants: usize,
}

impl<'s, 'u> Infer<'s, 'u> {
    pub fn new(
        session: &'s mut Session,
        unit: &'u Unit,
        def: &'u ast::FunctionDef,
        contents: BTreeMap<Span, Ty>,
    ) -> Self {
        let mut name_list: Vec<String> = def.params.iter().map(|p| p.name.name.clone()).collect();
        let params: BTreeSet<&str> = def.params.iter().map(|p| p.name.name.as_str()).collect();
        let assigned = visit::assigned_names(&def.body).into_iter();
        name_list.extend(assigned.filter(|n| !params.contains(n)).map(str::to_owned));
        let names = name_list.iter().cloned().enumerate().map(|(i, n)| (n, i)).collect();
        Self {
            session,
            unit,
            def,
            params: Vec::new(),
            locals: Vec::new(),
            by_type: BTreeMap::new(),
            flags: BTreeMap::new(),
            names,
            hidden: BTreeMap::new(),
            env: Some(Env::new(name_list.len())),
            name_list,
            out: Vec::new(),
            edges: Vec::new(),
            labels: 0,
            loops: Vec::new(),
            diagnostics: Vec::new(),
            constants: Vec::new(),
            kept_constants: Vec::new(),
            conflicts: Vec::new(),
            declared_result: None,
            sizes: BTreeMap::new(),
            returns: Vec::new(),
            returned: Vec::new(),
            contents,
            walk_again: false,
            heads: BTreeMap::new(),
            fresh: BTreeSet::new(),
            has_growing: false,
            conditional: 0,
            unrolled: 0,
            library_call: None,
            wrong: None,
            noted: None,
            guess: Ty::Never,
            in_first_walk: false,
            wanted_rank: None,
            declared: BTreeMap::new(),
            reduced: BTreeMap::new(),
            declarations: BTreeMap::new(),
        }
    }

    // ---- diagnostics ----

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports an error and gives the expression that stands for it.
    pub fn fail(&mut self, diagnostic: Diagnostic) -> Expr {
        let span = diagnostic.span();
        self.report(diagnostic);
        Expr::error(span)
    }

    /// An error without further labels.
    pub fn error(&mut self, code: Code, span: Span, headline: impl Into<String>, label: &str) -> Expr {
        self.fail(Diagnostic::error(code, headline).primary(span, label))
    }

    /// Remembers an expression of type `Error`. Where such a one is in a program about which no error was
    /// reported, the compiler is wrong, and must not drop it in silence.
    pub fn note_wrong(&mut self, value: &Expr) {
        if value.ty == Ty::Error {
            self.wrong = self.wrong.or(Some(value.span));
        }
    }

    /// Remembers the type of what stands at a place. Of several walks over it the last one that found a type counts.
    pub fn note_type(&mut self, span: Span, ty: &Ty) {
        if let Some(noted) = self.noted.as_mut().filter(|_| !ty.is_silent()) {
            noted.insert(span, ty.clone());
        }
    }

    // ---- names and locals ----

    /// The number of a name that the function assigns; others are the module's.
    pub fn name_index(&self, name: &str) -> Option<NameId> {
        self.names.get(name).copied()
    }

    /// A variable that an expression has of its own, by the expression's place.
    pub fn hidden(&mut self, at: Span, variable: Hidden) -> NameId {
        match self.hidden.entry((at, variable)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                self.name_list.push(place.key().1.to_string());
                *place.insert(self.name_list.len() - 1)
            }
        }
    }

    pub fn name_of(&self, name: NameId) -> &str {
        &self.name_list[name]
    }

    pub fn all_names(&self) -> impl Iterator<Item = &str> {
        self.name_list.iter().map(String::as_str)
    }

    fn add_local(&mut self, name: String, ty: Ty) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Local { name, ty });
        id
    }

    /// The local that is this variable at this type.
    pub fn local_of(&mut self, name: NameId, ty: &Ty) -> LocalId {
        if let Some(&local) = self.by_type.get(&(name, ty.clone())) {
            return local;
        }
        let local = self.add_local(self.name_list[name].clone(), ty.clone());
        self.by_type.insert((name, ty.clone()), local);
        local
    }

    /// The local that says whether a variable is bound.
    pub fn flag(&mut self, name: NameId) -> LocalId {
        if let Some(&local) = self.flags.get(&name) {
            return local;
        }
        let local = self.add_local(format!("{} is bound", self.name_list[name]), Ty::BOOL);
        self.flags.insert(name, local);
        local
    }

    /// A local for an intermediate value.
    pub fn temporary(&mut self, ty: &Ty) -> LocalId {
        let name = format!("#{}", self.locals.len());
        self.add_local(name, ty.clone())
    }

    /// Evaluates `value` once: the statement that keeps it, if needed, goes to `before`.
    pub fn once(&mut self, value: Expr, before: &mut Vec<Stmt>) -> Expr {
        if value.is_constant() || value.ty.is_silent() {
            return value;
        }
        let (ty, span) = (value.ty.clone(), value.span);
        let local = self.temporary(&ty);
        if self.is_fresh(&value) {
            self.fresh.insert(local);
        }
        before.push(Stmt::new(StmtKind::Set(local, value), span));
        Expr::new(ExprKind::Local(local), ty, span)
    }

    /// As [`once`](Self::once), into the statements of this place.
    pub fn keep(&mut self, value: Expr) -> Expr {
        let mut before = Vec::new();
        let kept = self.once(value, &mut before);
        self.out.append(&mut before);
        kept
    }

    /// A value after statements.
    pub fn seq(before: Vec<Stmt>, value: Expr) -> Expr {
        if before.is_empty() {
            return value;
        }
        let (ty, span) = (value.ty.clone(), value.span);
        Expr::new(ExprKind::Seq(before, Box::new(value)), ty, span)
    }

    pub fn bind(&mut self, name: NameId, binding: Binding) {
        match binding {
            Binding::Local { local, def, .. } if self.noted.is_some() => {
                let ty = self.locals[local.index()].ty.clone();
                self.note_type(def, &ty);
            }
            _ => {}
        }
        if let Some(env) = &mut self.env {
            env.set(name, Some(binding));
        }
    }

    /// Makes the variable stand for `value` from here on.
    pub fn assign(&mut self, name: NameId, value: Expr, def: Span) {
        self.note_wrong(&value);
        let value = self.as_reduced(name, value);
        let local = self.local_of(name, &value.ty);
        self.bind(name, Binding::Local { local, flag: None, def });
        self.out.push(Stmt::new(StmtKind::Set(local, value), def));
    }

    // ---- statements ----

    pub fn push(&mut self, kind: StmtKind, span: Span) {
        self.out.push(Stmt::new(kind, span));
    }

    pub fn effect(&mut self, kind: OpKind, args: Vec<Expr>, span: Span) {
        self.push(StmtKind::Effect(kind, args), span);
    }

    /// A check as a statement.
    pub fn check(cond: Expr, exc: Exc, message: &str, payload: Vec<Expr>, span: Span) -> Stmt {
        let mut args = vec![cond];
        args.extend(payload);
        let message = Some(Message::text(message));
        Stmt::new(StmtKind::Effect(OpKind::Check { exc, message }, args), span)
    }

    pub fn edge(&mut self) -> EdgeId {
        self.edges.push(Vec::new());
        EdgeId(self.edges.len() as u32 - 1)
    }

    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    /// The statements that `build` makes.
    pub fn block(&mut self, build: impl FnOnce(&mut Self)) -> Vec<Stmt> {
        let outer = std::mem::take(&mut self.out);
        build(self);
        std::mem::replace(&mut self.out, outer)
    }

    /// Ends this way: an edge that leads to a join, if this place is reached at all.
    pub fn end_way(&mut self, ways: &mut Vec<Way>) {
        if let Some(env) = self.env.take() {
            let edge = self.edge();
            self.push(StmtKind::Edge(edge), Span::default());
            ways.push((edge, env));
        }
    }

    /// Walks a loop until what its head assumes is what leads to it. `run` walks the body with the head as
    /// the environment and gives the ways that lead back. Gives the environment of the head.
    pub fn fixpoint(&mut self, at: Span, mut run: impl FnMut(&mut Self) -> Vec<Way>) -> Option<Env> {
        let entry = self.env.take()?;
        let entry_edge = self.edge();
        self.push(StmtKind::Edge(entry_edge), at);
        let mut guess = match self.heads.get(&at) {
            Some(known) => entry.clone().or(known),
            None => entry.clone(),
        };
        // Each walk moves some variable up the lattice of types, which is a few steps high.
        let limit = 8 * (entry.len() + 2);
        for round in 0..limit {
            if self.walk_again && round > 0 {
                // Another walk over the function follows in any case; this one learns what else is stored.
                return Some(guess);
            }
            let mark = self.mark();
            self.env = Some(guess.clone());
            let mut ways = vec![(entry_edge, entry.clone())];
            let around = self.in_first_walk;
            self.in_first_walk |= round == 0;
            ways.extend(run(self));
            self.in_first_walk = around;
            ways[1..].iter_mut().for_each(|(_, env)| self.without_errors(env, &guess));
            if round >= NARROWING_WALKS {
                // No way, but what it assumes: no variable moves down again.
                ways.push((self.edge(), guess.clone()));
            }
            let joined = self.join(&ways)?.keep_conflicts(&guess);
            if joined.same(&guess) {
                self.heads.insert(at, joined.clone());
                return Some(joined);
            }
            if self.walk_again {
                // The ways out of the loop, which `run` keeps, name edges of this walk.
                return Some(joined);
            }
            self.back_to(mark);
            guess = joined;
        }
        self.error(code::MEET_CONFLICT, at, "the types of this loop's variables do not settle", "");
        None
    }

    /// What is wrong at the end of a loop's body says nothing about its head: if the head were wrong as well,
    /// the next walk would be silent about the cause, and the report of this one is taken back.
    fn without_errors(&self, env: &mut Env, head: &Env) {
        env.merge(head, |own, head| match own {
            Some(Binding::Local { local, .. }) if self.locals[local.index()].ty.has_error() => head,
            _ => own,
        });
    }

    pub fn mark(&self) -> Mark {
        let (diagnostics, returns) = (self.diagnostics.len(), self.returns.len());
        let constants = self.kept_constants.len();
        Mark { wrong: self.wrong, diagnostics, returns, edges: self.edges.len(), constants }
    }

    pub fn back_to(&mut self, mark: Mark) {
        self.wrong = mark.wrong;
        self.diagnostics.truncate(mark.diagnostics);
        self.returns.truncate(mark.returns);
        self.returned.retain(|&(first, _)| first < mark.returns);
        self.edges.truncate(mark.edges);
        // Their statements may name edges that are gone; they are made again where they are read again.
        self.kept_constants.truncate(mark.constants);
    }

    // ---- lists and dicts ----

    /// Learns what an empty display holds: all that is stored in it.
    pub fn note_contents(&mut self, from: &Ty, to: &Ty) {
        match (from, to) {
            (Ty::EmptyList(at), Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_)) => {
                if to.unknown() == Some(from) {
                    return;
                }
                let known = self.contents_at(*at).as_ref().and_then(Ty::list_item);
                let joined = match (known, to.list_item()) {
                    (Some(known), Some(item)) => {
                        self.meet_items(&known, &item).as_ref().and_then(Ty::list_of)
                    }
                    _ => Some(to.clone()),
                };
                // Items without a type in common: the one that is stored later is refused.
                if let Some(joined) = joined {
                    self.learn(*at, joined);
                }
            }
            (Ty::EmptyDict(at, _), Ty::Dict(dict)) => {
                let joined = match self.contents_at(*at) {
                    Some(Ty::Dict(known)) => known.joined(dict, |a, b| self.meet_items(a, b)),
                    _ => Some((**dict).clone()),
                };
                if let Some(joined) = joined {
                    self.learn(*at, Ty::Dict(Box::new(joined)));
                }
            }
            (Ty::Lists(a), Ty::Lists(b)) => self.note_contents(a, b),
            (Ty::Dict(a), Ty::Dict(b)) => self.note_contents(&a.value, &b.value),
            (Ty::Tuple(a), Ty::Tuple(b)) => self.note_all(a, b),
            (Ty::Tuples(a), Ty::Tuples(b)) => self.note_all(a, b),
            _ => {}
        }
    }

    fn note_all(&mut self, from: &[Ty], to: &[Ty]) {
        from.iter().zip(to).for_each(|(from, to)| self.note_contents(from, to));
    }

    /// What is known of what the display at a place holds, and the lists and dicts in that.
    pub fn contents_at(&self, at: Span) -> Option<Ty> {
        contents_at(&self.contents, at)
    }

    /// Learns what a list or dict holds of which this walk does not know it yet, so that there must be another one; of what came in
    /// empty, no walk knows it.
    pub fn learn_stored(&mut self, to: &Ty, stored: &Ty) {
        let Some(unknown) = to.unknown().filter(|_| stored.unknown().is_none()) else { return };
        self.note_contents(to, stored);
        let came_in = |&param: &LocalId| self.locals[param.index()].ty.unknown() == Some(unknown);
        self.walk_again |= !self.params.iter().any(came_in);
    }

    fn learn(&mut self, at: Span, ty: Ty) {
        if self.contents_at(at).as_ref() != Some(&ty) {
            self.contents.insert(at, ty);
            self.walk_again = true;
        }
    }

    // ---- building expressions ----

    /// An operation with one result.
    pub fn op(kind: OpKind, args: Vec<Expr>, ty: Ty, span: Span) -> Expr {
        if args.iter().any(|a| a.ty.is_silent()) {
            return Expr::silent(&args, span);
        }
        Expr::new(ExprKind::Op(kind, args), ty, span)
    }

    /// An elementwise operation on operands of one element type; the rank is the greatest of theirs. As in
    /// NumPy, what has rank 0 gives a number.
    pub fn elem(op: ElemOp, args: Vec<Expr>, weak: bool, span: Span) -> Expr {
        let args: Vec<Expr> = args.into_iter().map(Self::number_of_rank_zero).collect();
        let Some(num) = args.last().and_then(|a| a.ty.num()) else { return Expr::silent(&args, span) };
        let dtype = op.result_dtype(num.dtype);
        let ty = match args.iter().filter_map(|a| a.ty.rank()).max() {
            Some(rank) => Ty::array(dtype, rank),
            None => Ty::Scalar(Num { dtype, weak }),
        };
        Self::op(OpKind::Elem(op), args, ty, span)
    }

    /// The only element of an array of rank 0; anything else as it is.
    pub fn number_of_rank_zero(value: Expr) -> Expr {
        match value.ty {
            Ty::Array { dtype, rank: 0 } => {
                let span = value.span;
                Self::op(OpKind::Load, vec![value], Ty::strong(dtype), span)
            }
            _ => value,
        }
    }

    /// `not cond`, for a bool.
    pub fn not(cond: Expr) -> Expr {
        let span = cond.span;
        match cond.as_bool() {
            Some(value) => Expr::bool(!value, span),
            None => Self::elem(ElemOp::Not, vec![cond], true, span),
        }
    }

    /// `then if cond else orelse`, both of one type.
    pub fn choose(cond: Expr, then: Expr, orelse: Expr, span: Span) -> Expr {
        let ty = then.ty.clone();
        if cond.ty.is_silent() || ty.is_silent() {
            return Expr::silent([&cond, &then], span);
        }
        Expr::new(ExprKind::If(Box::new([cond, then, orelse])), ty, span)
    }

    /// Calls `build` inside a part of an expression that may not be evaluated.
    pub fn conditionally<R>(&mut self, build: impl FnOnce(&mut Self) -> R) -> R {
        self.conditional += 1;
        let result = build(self);
        self.conditional -= 1;
        result
    }
}

/// What the display at a place holds, by what is known of all places.
pub fn contents_at(contents: &BTreeMap<Span, Ty>, at: Span) -> Option<Ty> {
    Some(with_contents(contents.get(&at)?, contents, ty::MAX_DEPTH))
}

/// With what is known of the lists and dicts in a type, so deep: if they held themselves, there would be no end.
fn with_contents(ty: &Ty, contents: &BTreeMap<Span, Ty>, depth: usize) -> Ty {
    ty.with_known(&|empty| {
        let (Ty::EmptyList(at) | Ty::EmptyDict(at, _)) = empty else { return empty.clone() };
        match contents.get(at).filter(|_| depth > 0) {
            Some(inner) => with_contents(inner, contents, depth - 1),
            None => empty.clone(),
        }
    })
}
