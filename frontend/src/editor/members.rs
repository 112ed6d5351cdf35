//! What values and modules have behind a dot.

use super::Analysis;
use crate::syntax::ast::{Expr, ExprKind};
use crate::typed::program::unit::Global;
use crate::typed::types::dict_type::Container;
use crate::typed::types::ty::Ty;
use pydd_ir::catalogue::{self, Found, Space};

/// Where the catalogue has the methods and attributes of values of a type.
pub fn spaces(ty: &Ty) -> &'static [Space] {
    match ty {
        Ty::Array { .. } | Ty::Scalar(_) | Ty::Either(_) => &[Space::Attribute, Space::Method],
        Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) | Ty::EmptyList(_) => &[Space::Method],
        Ty::Sparse(_) | Ty::OtherForm(..) => &[Space::SparseAttribute, Space::Sparse],
        Ty::Dict(dict) if dict.is_set() => &[Space::Set],
        Ty::EmptyDict(_, Container::Set) => &[Space::Set],
        Ty::Dict(_) | Ty::EmptyDict(..) => &[Space::Dict],
        Ty::Generator => &[Space::Generator],
        _ => &[],
    }
}

/// The functions of some spaces: each name once.
pub fn functions(spaces: &[Space]) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    for &space in spaces {
        for found in catalogue::names(space).filter_map(|name| catalogue::find(space, name)) {
            if !all.iter().any(|known| known.name == found.name) {
                all.push(found);
            }
        }
    }
    all
}

/// The modules inside a module, by their last names.
pub fn modules(space: Space) -> impl Iterator<Item = &'static str> {
    Space::modules().filter_map(move |inner| {
        let (outer, name) = inner.path().rsplit_once('.')?;
        (outer == space.path()).then_some(name)
    })
}

impl Analysis {
    /// The module that a dotted name stands for: `np.linalg`.
    pub fn module_named(&self, path: &str) -> Option<Space> {
        let mut parts = path.split('.');
        let Global::Module(mut space) = self.unit.as_ref()?.global(parts.next()?)? else { return None };
        for part in parts {
            space = space.inside(part)?;
        }
        Some(space)
    }

    /// The module that an expression stands for.
    pub(super) fn module_of(&self, expr: &Expr) -> Option<Space> {
        match &expr.kind {
            ExprKind::Name(name) if self.definitions_in_functions(name, expr.span.start) => None,
            ExprKind::Name(name) => self.module_named(name),
            ExprKind::Attribute { value, attr } => self.module_of(value)?.inside(&attr.name),
            _ => None,
        }
    }

    /// Whether a function around a place binds a name.
    fn definitions_in_functions(&self, name: &str, at: u32) -> bool {
        self.functions_around(at)
            .iter()
            .any(|def| super::scope::bound(def).iter().any(|(own, _)| *own == name))
    }

    /// What a name means at a place, where it is one of the library's.
    pub fn library_name(&self, name: &str, at: u32) -> Option<Found> {
        if self.definitions_in_functions(name, at) {
            return None;
        }
        match self.unit.as_ref()?.global(name)? {
            Global::Library(found) => Some(found),
            _ => None,
        }
    }

    /// What a method or attribute of a value of these types may be; of a value of which nothing is known, any of that name.
    pub fn member(&self, types: &[Ty], name: &str) -> Vec<Found> {
        const ANY: [Space; 7] = [
            Space::Attribute,
            Space::Method,
            Space::SparseAttribute,
            Space::Sparse,
            Space::Dict,
            Space::Set,
            Space::Generator,
        ];
        let mut all: Vec<Found> = Vec::new();
        let known: Vec<Space> = types.iter().flat_map(|ty| spaces(ty)).copied().collect();
        let looked_at = if types.is_empty() { ANY.to_vec() } else { known };
        for found in looked_at.into_iter().filter_map(|space| catalogue::find(space, name)) {
            if !all.iter().any(|known| std::ptr::eq(known.entry, found.entry)) {
                all.push(found);
            }
        }
        all
    }
}
