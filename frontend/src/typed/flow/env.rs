//! What each name of a function stands for at a place, and what it stands for where ways meet.

use super::infer::Infer;
use crate::source::Span;
use crate::typed::program::tree::{Copy, EdgeId, Expr, ExprKind, LocalId};
use crate::typed::types::ty::Ty;
use std::rc::Rc;

/// A name assigned in a function, by [`Infer::name_index`].
pub type NameId = usize;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binding {
    /// A variable; `flag` says whether it is bound, where that is not sure.
    Local { local: LocalId, flag: Option<LocalId>, def: Span },
    /// A constant argument of a template; index into [`Infer::constants`].
    Constant(usize),
    /// Definitions that do not agree; index into [`Infer::conflicts`].
    Conflict(usize),
    /// Assigned by other iterations of the `pfor` here; the assignment.
    OtherIteration { pfor: Span, write: Span },
    /// Assigned in a `pfor` that has ended; the assignment.
    AfterPfor { pfor: Span, write: Span },
}

impl Binding {
    /// Whether both stand for the same, wherever defined.
    fn same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Local { local: a, flag: f, .. }, Self::Local { local: b, flag: g, .. }) => {
                a == b && f == g
            }
            (Self::Conflict(_), Self::Conflict(_)) => true,
            _ => self == other,
        }
    }

    /// Whether reading it is an error.
    const fn is_poison(self) -> bool {
        matches!(self, Self::Conflict(_) | Self::OtherIteration { .. } | Self::AfterPfor { .. })
    }
}

/// So many names lie together.
const CHUNK: usize = 32;

type Chunk = [Option<Binding>; CHUNK];

/// By [`NameId`]; `None`: not bound.
///
/// Each branch has an environment of its own that differs from others in a few names, so what is equal is shared: a copy
/// costs nothing, and where ways meet, names that no way has touched are not looked at.
#[derive(Clone, Debug, Default)]
pub struct Env {
    chunks: Rc<Vec<Rc<Chunk>>>,
}

impl Env {
    /// Of so many names, none of them bound.
    pub fn new(names: usize) -> Self {
        let none: Rc<Chunk> = Rc::default();
        Self { chunks: Rc::new(std::iter::repeat_n(none, names.div_ceil(CHUNK)).collect()) }
    }

    /// At least as many as there were names when the last one was bound.
    pub fn len(&self) -> usize {
        self.chunks.len() * CHUNK
    }

    /// Names that came up later are not bound.
    pub fn get(&self, name: NameId) -> Option<Binding> {
        self.chunks.get(name / CHUNK)?[name % CHUNK]
    }

    pub fn set(&mut self, name: NameId, binding: Option<Binding>) {
        self.grow(name / CHUNK + 1);
        Rc::make_mut(&mut Rc::make_mut(&mut self.chunks)[name / CHUNK])[name % CHUNK] = binding;
    }

    /// Makes room for names that came up later.
    fn grow(&mut self, chunks: usize) {
        if self.chunks.len() < chunks {
            Rc::make_mut(&mut self.chunks).resize_with(chunks, Rc::default);
        }
    }

    /// Whether some names certainly stand for the same in both.
    fn shares(&self, other: &Self, chunk: usize) -> bool {
        match (self.chunks.get(chunk), other.chunks.get(chunk)) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    pub fn same(&self, other: &Self) -> bool {
        let chunks = self.chunks.len().max(other.chunks.len());
        (0..chunks).filter(|&chunk| !self.shares(other, chunk)).all(|chunk| {
            let mut names = chunk * CHUNK..(chunk + 1) * CHUNK;
            names.all(|name| same_binding(self.get(name), other.get(name)))
        })
    }

    /// Each name's binding becomes what `change` makes of it and of that of `other`, where these may differ.
    pub fn merge(
        &mut self,
        other: &Self,
        change: impl Fn(Option<Binding>, Option<Binding>) -> Option<Binding>,
    ) {
        self.grow(other.chunks.len());
        for (index, chunk) in other.chunks.iter().enumerate() {
            if Rc::ptr_eq(&self.chunks[index], chunk) {
                continue;
            }
            let mut changed = *self.chunks[index];
            for (own, other) in changed.iter_mut().zip(chunk.iter()) {
                *own = change(*own, *other);
            }
            if changed != *self.chunks[index] {
                Rc::make_mut(&mut self.chunks)[index] = Rc::new(changed);
            }
        }
    }

    /// Conflicts of `other` stay conflicts, however the ways that read them went on.
    pub fn keep_conflicts(mut self, other: &Self) -> Self {
        self.merge(other, |own, other| match other {
            Some(Binding::Conflict(_)) => other,
            _ => own,
        });
        self
    }

    /// What `other` binds and this one does not, added.
    pub fn or(mut self, other: &Self) -> Self {
        self.merge(other, Option::or);
        self
    }
}

fn same_binding(a: Option<Binding>, b: Option<Binding>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.same(b),
        (None, None) => true,
        _ => false,
    }
}

/// A way into a join: its edge, and what names stand for on it.
pub type Way = (EdgeId, Env);

impl Infer<'_, '_> {
    /// What names stand for where these ways meet; the edges get the conversions. `None`: no way leads here.
    pub fn join(&mut self, ways: &[Way]) -> Option<Env> {
        let (_, first) = ways.first()?;
        for (edge, _) in ways {
            self.edges[edge.index()].clear();
        }
        let mut env = first.clone();
        let chunks = ways.iter().map(|(_, way)| way.chunks.len()).max().unwrap_or(0);
        for chunk in 0..chunks {
            if ways.iter().all(|(_, way)| way.shares(first, chunk)) {
                continue;
            }
            for name in chunk * CHUNK..(chunk + 1) * CHUNK {
                let joined = self.join_name(name, ways);
                if joined != env.get(name) {
                    env.set(name, joined);
                }
            }
        }
        Some(env)
    }

    fn join_name(&mut self, name: NameId, ways: &[Way]) -> Option<Binding> {
        let first = ways[0].1.get(name);
        if ways.iter().all(|(_, env)| same_binding(env.get(name), first)) {
            return first;
        }
        let bindings: Vec<Option<Binding>> = ways.iter().map(|(_, env)| env.get(name)).collect();
        if let Some(poison) = bindings.iter().flatten().find(|b| b.is_poison()) {
            return Some(*poison);
        }
        let ty = match self.meet_all(&bindings) {
            Ok(ty) => ty,
            Err(conflict) => return Some(conflict),
        };
        let sure = bindings
            .iter()
            .all(|b| matches!(b, Some(Binding::Local { flag: None, .. } | Binding::Constant(_))));
        let flag = if sure { None } else { Some(self.flag(name)) };
        let local = self.local_of(name, &ty);
        let mut def = Span::default();
        for ((edge, _), binding) in ways.iter().zip(bindings) {
            if let Some(Binding::Local { def: at, .. }) = binding {
                def = at;
            }
            let copies = self.copies_to(local, &ty, flag, binding);
            self.edges[edge.index()].extend(copies);
        }
        Some(Binding::Local { local, flag, def })
    }

    /// The common type of all bindings, or the binding that says that there is none.
    fn meet_all(&mut self, bindings: &[Option<Binding>]) -> Result<Ty, Binding> {
        let mut common: Option<(Span, Ty)> = None;
        for binding in bindings.iter().flatten() {
            let (span, ty) = self.typed(*binding);
            common = match common {
                None => Some((span, ty)),
                Some((at, so_far)) => match self.meet(&so_far, &ty) {
                    Some(met) => {
                        self.note_contents(&so_far, &met);
                        self.note_contents(&ty, &met);
                        Some((at, met))
                    }
                    None => {
                        self.conflicts.push([(at, so_far), (span, ty)]);
                        return Err(Binding::Conflict(self.conflicts.len() - 1));
                    }
                },
            };
        }
        Ok(common.map_or(Ty::Error, |(_, ty)| ty))
    }

    fn typed(&self, binding: Binding) -> (Span, Ty) {
        match binding {
            Binding::Local { local, def, .. } => (def, self.locals[local.index()].ty.clone()),
            Binding::Constant(index) => (self.constants[index].span, self.constants[index].ty.clone()),
            _ => (Span::default(), Ty::Error),
        }
    }

    fn copies_to(
        &mut self,
        target: LocalId,
        ty: &Ty,
        flag: Option<LocalId>,
        from: Option<Binding>,
    ) -> Vec<Copy> {
        let mut copies = Vec::new();
        let own_flag = match from {
            Some(Binding::Local { local, flag, def }) => {
                if local != target {
                    let source = self.locals[local.index()].ty.clone();
                    let value = Expr::new(ExprKind::Local(local), source, def);
                    copies.push(Copy { target, value: Some(self.convert_to(value, ty)) });
                }
                flag
            }
            Some(Binding::Constant(index)) => {
                let value = self.constants[index].clone();
                copies.push(Copy { target, value: Some(self.convert_to(value, ty)) });
                None
            }
            _ => {
                copies.push(Copy { target, value: None });
                None
            }
        };
        if let (Some(flag), None) = (flag, own_flag) {
            let bound = Expr::bool(from.is_some(), Span::default());
            copies.push(Copy { target: flag, value: Some(bound) });
        }
        copies
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_come_up_later_are_not_bound_before() {
        let early = Env::new(1);
        let mut late = early.clone();
        late.set(3 * CHUNK, Some(Binding::Constant(0)));
        assert_eq!(early.get(3 * CHUNK), None);
        assert!(!early.same(&late) && !late.same(&early));
        let mut both = early.clone();
        both.merge(&late, Option::or);
        assert!(both.same(&late));
        late.set(3 * CHUNK, None);
        assert!(early.same(&late) && late.same(&early));
    }
}
