//! Loops within loops that single passes look for: iterations that end at different steps, and steps over elements that need only themselves.

use super::super::expression::{Var, small};
use super::super::tree::{Bits, Elem, Stmt, Ty};
use super::Builder;

/// What a step makes of the number `{0}`, which stays small, with a small whole one `{1}`.
const STEPS: [&str; 5] = [
    "{0} = {0} * 0.5 + 1.0",
    "{0} = {0} * 0.5 - {1}",
    "{0} = {1} - {0} * 0.5",
    "{0} = {0} * 0.5 if {0} > {1} else {0} * 0.5 + 2.0",
    "{0} = abs({0}) * 0.5 + {1}",
];
/// A number after as many steps as there may be, each of which halves it.
const STEPPED: Bits = Bits { whole: 6, fraction: 6 };

impl Builder<'_> {
    /// An array of one axis.
    fn row(&mut self) -> Option<Var> {
        let rows: Vec<Var> = self.arrays().into_iter().filter(|var| var.ty.rank() == 1).collect();
        (!rows.is_empty()).then(|| self.random.pick(&rows).clone())
    }

    fn step_of(&mut self, number: &str, other: &str) -> Stmt {
        Stmt::of(&self.random.pick(&STEPS).replace("{0}", number).replace("{1}", other), vec![])
    }

    /// What a number is compared with.
    fn limit(&mut self, number: &str) -> String {
        let sign = *self.random.pick(&["<", ">", ">=", "!="]);
        format!("{number} {sign} {}", self.random.pick(&["2.0", "0.5", "-1.0"]))
    }

    /// A number for each element, until it has had enough.
    pub(super) fn escapes(&mut self) -> Vec<Stmt> {
        let Some(over) = self.row() else { return self.definition() };
        let (out, count) = (self.fresh_name(), self.fresh_name());
        let (z, y, c) = (format!("z{out}"), format!("y{out}"), format!("c{out}"));
        self.indices.push(("i".to_owned(), over.ty.dims[0]));
        let first = small(self.scope().expr(&Ty::scalar(Elem::F64), 2));
        let other = small(self.scope().expr(&Ty::scalar(Elem::F64), 1));
        self.indices.pop();
        let by_range = self.random.one_in(2);
        let leave = if by_range { *self.random.pick(&["break", "continue"]) } else { "break" };
        let mut test = Stmt::of(&format!("if {}:", self.limit(&z)), vec![]);
        test.bodies.push(vec![Stmt::of(leave, vec![])]);
        let mut steps = vec![self.step_of(&z, &y), Stmt::of(&format!("{c} += k"), vec![])];
        steps.insert(self.random.below(3), test);
        steps.extend((!by_range).then(|| Stmt::of("k += 1", vec![])));
        let head = if by_range { "for k in range(5):" } else { "while k < 5:" };
        let mut inner = Stmt::of(head, vec![]);
        inner.bodies.push(steps);
        let mut outer = Stmt::of(&format!("for i in range(len({})):", over.name), vec![]);
        outer.bodies.push(vec![
            Stmt::of(&format!("{z} = np.float64({{}})"), vec![first]),
            Stmt::of(&format!("{y} = np.float64({{}})"), vec![other]),
            Stmt::of(&format!("{c} = 0"), vec![]),
            Stmt::of("k = 0", vec![]),
            inner,
            Stmt::of(&format!("{out}[i] = {z}"), vec![]),
            Stmt::of(&format!("{count}[i] = {c}"), vec![]),
        ]);
        let made = vec![
            Stmt::of(&format!("{out} = np.zeros(len({}))", over.name), vec![]),
            Stmt::of(&format!("{count} = np.zeros(len({}), np.int64)", over.name), vec![]),
            outer,
        ];
        let dims = over.ty.dims;
        self.vars.push(Var { name: out, ty: Ty { elem: Elem::F64, dims: dims.clone() }, bits: STEPPED });
        self.vars.push(Var { name: count, ty: Ty { elem: Elem::I64, dims }, bits: Bits::SMALL });
        self.is_long = true;
        made
    }

    /// All elements step by step, some of them under a condition.
    pub(super) fn steps(&mut self) -> Vec<Stmt> {
        let Some(over) = self.row() else { return self.definition() };
        let out = self.fresh_name();
        let first = small(self.scope().expr(&Ty { elem: Elem::F64, dims: over.ty.dims.clone() }, 2));
        let other = small(self.scope().expr(&Ty { elem: Elem::F64, dims: over.ty.dims.clone() }, 1));
        let z = format!("{out}[i]");
        let body = if self.random.one_in(3) {
            let mask = self.limit(&out);
            vec![
                Stmt::of(&format!("m{out} = {mask}"), vec![]),
                Stmt::of(&format!("{out}[m{out}] = {out}[m{out}] * 0.5 + y{out}[m{out}]"), vec![]),
            ]
        } else {
            let mut elements = Stmt::of(&format!("for i in range(len({})):", over.name), vec![]);
            let step = self.step_of(&z, &format!("y{out}[i]"));
            let mut test = Stmt::of(&format!("if {}:", self.limit(&z)), vec![]);
            test.bodies.push(vec![step.clone()]);
            elements.bodies.push(vec![if self.random.one_in(3) { step } else { test }]);
            vec![elements]
        };
        let mut time = Stmt::of(&format!("for t in range(len({}) % 6):", over.name), vec![]);
        time.bodies.push(body);
        let made = vec![
            Stmt::of(&format!("{out} = np.array({{}}, np.float64)"), vec![first]),
            Stmt::of(&format!("y{out} = np.array({{}}, np.float64)"), vec![other]),
            time,
        ];
        self.vars.push(Var { name: out, ty: Ty { elem: Elem::F64, dims: over.ty.dims }, bits: STEPPED });
        self.is_long = true;
        made
    }
}
