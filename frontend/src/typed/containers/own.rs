//! Whether a variable is the only name of the dicts, sets or sparse matrices that are assigned to it, as far as the text tells:
//! then a change of them is seen by nobody else.
//!
//! These are many arrays and lists in the IR, of which it does not know that they are one object; so it is asked here. What
//! arrays and lists share is found by [`pydd_ir::alias`].

use crate::syntax::ast::{Expr, ExprKind, FunctionDef, StmtKind};
use crate::syntax::visit;
use crate::typed::flow::infer::Infer;
use crate::typed::program::unit::Global;
use pydd_ir::catalogue::{Sharing, container_sharing};

impl Infer<'_, '_> {
    /// Whether `name` is no parameter, is only assigned new containers, and is given to no other name.
    pub(in crate::typed) fn is_own(&self, name: &str) -> bool {
        let is_library = |name: &str| matches!(self.unit.global(name), Some(Global::Library(_)));
        Owner { name, is_library: &is_library }.owns(self.def)
    }
}

struct Owner<'a> {
    name: &'a str,
    /// Whether a bare name is a function of the library. One of the program may give back what it is given.
    is_library: &'a dyn Fn(&str) -> bool,
}

impl Owner<'_> {
    fn owns(&self, def: &FunctionDef) -> bool {
        let mut own = def.params.iter().all(|param| param.name.name != self.name);
        visit::walk_stmts(&def.body, &mut |stmt| match &stmt.kind {
            StmtKind::Assign { targets, value, .. } => {
                let to_it = targets.iter().any(|target| self.names(target));
                let only_to_it = matches!(targets.as_slice(), [Expr { kind: ExprKind::Name(_), .. }]);
                own &= !to_it || only_to_it && self.makes(value);
                own &= !self.hands_on(value);
            }
            StmtKind::Declare { target, value: Some(value), .. } => {
                own &= (!self.names(target) || self.makes(value)) && !self.hands_on(value);
            }
            // What goes over a dict names its keys.
            StmtKind::For(for_) => {
                own &= !self.names(&for_.target) && (self.is_it(&for_.iter) || !self.hands_on(&for_.iter));
            }
            // As of an item that a tuple or a list is given.
            StmtKind::AugAssign { value, .. } => own &= self.is_it(value) || !self.hands_on(value),
            // A method may put what it is given into its receiver.
            StmtKind::Expr(Expr { kind: ExprKind::Call { func, args, .. }, .. }) => {
                let keeps = matches!(func.kind, ExprKind::Attribute { .. });
                own &= !keeps || args.iter().all(|arg| self.is_it(arg) || !self.hands_on(arg));
            }
            _ => {}
        });
        own
    }

    fn is_it(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Name(name) if name == self.name)
    }

    /// Whether the name is a target, or part of one.
    fn names(&self, target: &Expr) -> bool {
        visit::target_names(target).contains(&self.name)
    }

    /// Whether an expression gives a new container: a display, arithmetic, or a call of a maker.
    fn makes(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Dict(_)
            | ExprKind::Set(_)
            | ExprKind::Comprehension { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Unary { .. } => true,
            ExprKind::Call { func, args, keywords } => {
                // What may give back what it is called on, as `.tocsr()`, gives a new container of a new one.
                let passes_on = match &func.kind {
                    ExprKind::Attribute { value, .. } => {
                        args.is_empty() && keywords.is_empty() && self.makes(value)
                    }
                    _ => false,
                };
                self.sharing(func) == Sharing::New || passes_on
            }
            _ => false,
        }
    }

    /// Whether the container itself may become the value of an expression, or part of it.
    fn hands_on(&self, value: &Expr) -> bool {
        match &value.kind {
            // A slice of an array of a matrix shares it.
            ExprKind::Subscript { value, indices, .. } => {
                let slices = indices.iter().any(|index| matches!(index.kind, ExprKind::Slice { .. }));
                let part = matches!(value.kind, ExprKind::Attribute { .. });
                !self.is_it(value) && (slices || !part) && self.hands_on(value)
            }
            ExprKind::Attribute { value, attr } => {
                container_sharing(&attr.name) == Sharing::Shared && self.hands_on(value)
            }
            ExprKind::Call { func, .. } => {
                self.sharing(func) == Sharing::Shared && self.given(value).any(|arg| self.hands_on(arg))
            }
            // Arithmetic gives new values, but for sums of tuples and lists.
            ExprKind::Binary { left, right, .. } => {
                let holds = |operand: &Expr| matches!(operand.kind, ExprKind::Tuple(_) | ExprKind::List(_));
                [left, right].into_iter().any(|operand| holds(operand) && self.hands_on(operand))
            }
            ExprKind::Comprehension { element, .. } => self.hands_on(element),
            ExprKind::Unary { .. } | ExprKind::Compare { .. } | ExprKind::Format { .. } => false,
            _ => self.is_it(value) || visit::children(value).into_iter().any(|part| self.hands_on(part)),
        }
    }

    /// What a call is given, a receiver included.
    fn given<'e>(&self, call: &'e Expr) -> impl Iterator<Item = &'e Expr> {
        let (receiver, args, keywords) = match &call.kind {
            ExprKind::Call { func, args, keywords } => {
                let receiver = match &func.kind {
                    ExprKind::Attribute { value, .. } => Some(&**value),
                    _ => None,
                };
                (receiver, args.as_slice(), keywords.as_slice())
            }
            _ => (None, [].as_slice(), [].as_slice()),
        };
        receiver.into_iter().chain(args).chain(keywords.iter().map(|keyword| &keyword.value))
    }

    /// What a function of the library does with a container that it is given.
    fn sharing(&self, func: &Expr) -> Sharing {
        match &func.kind {
            ExprKind::Name(name) if (self.is_library)(name) => container_sharing(name),
            ExprKind::Attribute { attr, .. } => container_sharing(&attr.name),
            _ => Sharing::Shared,
        }
    }
}
