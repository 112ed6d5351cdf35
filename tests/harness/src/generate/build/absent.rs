//! Random variables that are None at first, and asked for before they are used.

use super::super::expression::Var;
use super::super::tree::{Bits, Elem, Stmt, Ty};
use super::Builder;

/// What a loop does with a number `c` and a variable that may be None; what stands behind a line is its body.
const BODIES: [&[[&str; 2]]; 6] = [
    &[["if {} is None or c > {}:", "{} = c"]],
    &[["if {} is not None and {} == c:", "continue"], ["{} = c", ""]],
    &[["if {}:", "{} = None if c > {} else c"], ["else:", "{} = c + 1"]],
    &[["if not ({} is None or c < {}):", "break"], ["{} = c", ""]],
    &[["{} = c if {} is None else ({} + c) % 64", ""]],
    &[["w = d{}.get(c % 3)", ""], ["if w is not None:", "{} = w"], ["d{}[c % 3] = c", ""]],
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
        let item = self.small_integer();
        self.indices.pop();
        let (name, value) = (self.fresh_name(), self.fresh_name());
        let maybe = format!("maybe{name}");
        let filled = |line: &str| line.replace("{value}", &value).replace("{}", &maybe);
        let mut each = Stmt::of(&format!("for i in range({}.shape[0]):", over.name), vec![]);
        let mut body = vec![Stmt::of("c = {}", vec![item])];
        let &does: &&[[&str; 2]] = self.random.pick(&BODIES[..]);
        body.extend(lines(does, &filled));
        each.bodies.push(body);
        let mut stmts = vec![
            Stmt::of(&format!("{maybe} = None"), vec![]),
            Stmt::of(&format!("d{maybe}: Dict(int64, int64) = dict()"), vec![]),
            each,
        ];
        let &ends: &&[[&str; 2]] = self.random.pick(&ENDS[..]);
        stmts.extend(lines(ends, &filled));
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
