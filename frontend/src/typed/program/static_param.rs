//! Parameters of templates whose values decide about types: `axis`, `keepdims` and their like, passed on.

use crate::syntax::ast::{Expr, ExprKind, FunctionDef};
use crate::syntax::visit;
use pydd_ir::catalogue::{self, Found, Space};

/// Whether a function passes its parameter `name` to a library function's parameter that must be a constant.
pub fn is_static(def: &FunctionDef, name: &str) -> bool {
    let mut found = false;
    visit::walk_stmts(&def.body, &mut |stmt| {
        for expr in visit::exprs(stmt) {
            visit::walk_expr(expr, &mut |expr| found |= passes_on(expr, name));
        }
    });
    found
}

fn passes_on(expr: &Expr, name: &str) -> bool {
    let ExprKind::Call { func, args, keywords } = &expr.kind else { return false };
    let spaces = Space::modules().chain([Space::Method]);
    let callee = match &func.kind {
        ExprKind::Name(callee) => callee,
        ExprKind::Attribute { attr, .. } => &attr.name,
        _ => return false,
    };
    spaces.filter_map(|space| catalogue::find(space, callee)).any(|found| {
        let by_name = |keyword: &str| found.entry.params.iter().any(|p| p.constant && p.name == keyword);
        keywords.iter().any(|k| is_name(&k.value, name) && by_name(&k.name.name))
            || args.iter().enumerate().any(|(at, arg)| is_name(arg, name) && by_position(&found, at))
    })
}

/// Whether the parameter of a positional argument must be a constant; a method's first is before the dot.
fn by_position(found: &Found, at: usize) -> bool {
    let at = at + usize::from(found.space == Space::Method);
    found.entry.params.get(at).is_some_and(|p| p.constant)
}

fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(own) if own == name)
}
