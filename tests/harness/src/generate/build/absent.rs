//! Random variables that are None at first, and asked for before they are used.

use super::super::expression::Var;
use super::super::tree::{Bits, Elem, Stmt, Ty};
use super::Builder;

/// What a loop does with a number and a variable that may be None; what stands behind a line is its body.
const BODIES: [&[[&str; 2]]; 6] = [
    &[["if {} is None or {item} > {}:", "{} = {item}"]],
    &[["if {} is not None and {} == {item}:", "continue"], ["{} = {item}", ""]],
    &[["if {}:", "{} = None if {item} > {} else {item}"], ["else:", "{} = {item} + 1"]],
    &[["if not ({} is None or {item} < {}):", "break"], ["{} = {item}", ""]],
    &[["{} = {item} if {} is None else ({} + {item}) % 64", ""]],
    &[["w = d{}.get({item} % 3)", ""], ["if w is not None:", "{} = w"], ["d{}[{item} % 3] = {item}", ""]],
];

/// What the variable is at the end, as a number.
const ENDS: [&[[&str; 2]]; 3] = [
    &[["{value} = {} if {} is not None else np.int64(-1)", ""]],
    &[["if {} is None:", "{} = np.int64(7)"], ["{value} = {} % 32", ""]],
    &[["{value} = np.int64(3)", ""], ["if {} is not None and {} > 1:", "{value} = {}"]],
];

impl Builder<'_> {
    /// A variable that a loop may give a value, and that value.
    pub(super) fn absent(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        self.indices.push(("i".to_owned(), over.ty.dims[0]));
        let number = self.small_integer();
        self.indices.pop();
        let (name, value) = (self.fresh_name(), self.fresh_name());
        let (maybe, item) = (format!("maybe{name}"), format!("item{name}"));
        let filled =
            |line: &str| line.replace("{value}", &value).replace("{item}", &item).replace("{}", &maybe);
        let mut each = Stmt::of(&format!("for i in range({}.shape[0]):", over.name), vec![]);
        let mut body = vec![Stmt::of(&format!("{item} = {{}}"), vec![number])];
        let &does: &&[[&str; 2]] = self.random.pick(&BODIES[..]);
        body.extend(lines(does, filled));
        each.bodies.push(body);
        let mut stmts = vec![
            Stmt::of(&format!("{maybe} = None"), vec![]),
            Stmt::of(&format!("d{maybe}: Dict(int64, int64) = dict()"), vec![]),
            each,
        ];
        let &ends: &&[[&str; 2]] = self.random.pick(&ENDS[..]);
        stmts.extend(lines(ends, filled));
        self.vars.push(Var { name: value, ty: Ty::scalar(Elem::I64), bits: Bits { whole: 12, fraction: 0 } });
        stmts
    }
}

/// Statements of these lines; `else:` goes with the one before.
fn lines(patterns: &[[&str; 2]], filled: impl Fn(&str) -> String) -> Vec<Stmt> {
    let mut stmts: Vec<Stmt> = Vec::new();
    for [head, inner] in patterns {
        let inner = vec![Stmt::of(&filled(inner), vec![])];
        match (head, stmts.last_mut()) {
            (&"else:", Some(before)) => before.bodies.push(inner),
            _ => {
                let mut stmt = Stmt::of(&filled(head), vec![]);
                if head.ends_with(':') {
                    stmt.bodies.push(inner);
                }
                stmts.push(stmt);
            }
        }
    }
    stmts
}
