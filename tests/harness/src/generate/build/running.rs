//! Running sums and extremes, which a loop stores.

use super::super::expression::{Var, small};
use super::super::tree::{Bits, Elem, Stmt, Ty};
use super::Builder;

/// Of at most 19 small numbers.
const SUM: Bits = Bits { whole: 10, fraction: 2 };

impl Builder<'_> {
    /// ```text
    /// s = np.float64(0)
    /// out = np.zeros(len(a))
    /// for i in range(len(a)):
    ///     s += …
    ///     out[i] = s
    /// ```
    pub(super) fn running(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        let elem = *self.random.pick(&[Elem::F64, Elem::I64, Elem::I64, Elem::I32]);
        let (value, out) = (self.fresh_name(), self.fresh_name());
        self.indices.push(("i".to_owned(), over.ty.dims[0]));
        let term = small(self.scope().expr(&Ty::scalar(elem), 2));
        self.indices.pop();
        // Integers of Python's would widen what goes on.
        let term = vec![term];
        let step = match (elem, self.random.below(3)) {
            // Which of two zeros is the greatest is left open.
            (Elem::F64, 0) => format!("{value} = max({value}, np.float64({{}}) + 0.0)"),
            (_, 0) => format!("{value} = max({value}, {}({{}}))", elem.numpy()),
            (Elem::I32, _) => format!("{value} += np.int32({{}})"),
            _ => format!("{value} += {{}}"),
        };
        let store = Stmt::of(&format!("{out}[i] = {value}"), vec![]);
        let step = Stmt::of(&step, term);
        // What was before it, or what it is now.
        let body = if self.random.one_in(3) { vec![store, step] } else { vec![step, store] };
        let mut stmt = Stmt::of(&format!("for i in range(len({})):", over.name), vec![]);
        stmt.bodies.push(body);
        let made = vec![
            Stmt::of(&format!("{value} = {}(0)", elem.numpy()), vec![]),
            Stmt::of(&format!("{out} = np.zeros(len({}), {})", over.name, elem.numpy()), vec![]),
            stmt,
        ];
        self.vars.push(Var { name: value, ty: Ty::scalar(elem), bits: SUM });
        let dims = over.ty.dims[..1].to_vec();
        self.vars.push(Var { name: out, ty: Ty { elem, dims }, bits: SUM });
        made
    }

    /// ```text
    /// out = np.zeros(len(a))
    /// k = 0
    /// for i in range(len(a)):
    ///     if …:
    ///         out[k] = …
    ///         k += 1
    /// ```
    pub(super) fn kept(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        let elem = *self.random.pick(&[Elem::F64, Elem::I64, Elem::I32, Elem::F32]);
        let (count, out) = (self.fresh_name(), self.fresh_name());
        self.indices.push(("i".to_owned(), over.ty.dims[0]));
        let value = small(self.scope().expr(&Ty::scalar(elem), 2));
        let condition = self.scope().expr(&Ty::scalar(Elem::Bool), 2);
        self.indices.pop();
        let bits = value.bits;
        let mut branch = Stmt::of("if {}:", vec![condition]);
        let store = Stmt::of(&format!("{out}[{count}] = {{}}"), vec![value]);
        branch.bodies.push(vec![store, Stmt::of(&format!("{count} += 1"), vec![])]);
        let mut stmt = Stmt::of(&format!("for i in range(len({})):", over.name), vec![]);
        stmt.bodies.push(vec![branch]);
        let made = vec![
            Stmt::of(&format!("{count} = 0"), vec![]),
            Stmt::of(&format!("{out} = np.zeros(len({}), {})", over.name, elem.numpy()), vec![]),
            stmt,
        ];
        let dims = over.ty.dims[..1].to_vec();
        self.vars.push(Var { name: out, ty: Ty { elem, dims }, bits });
        made
    }
}
