//! Random lists of lists: filled in loops, with rows that stand in several places, put in another order, and read.

use super::super::expression::Var;
use super::super::tree::{Bits, Elem, Stmt, Ty};
use super::Builder;

/// Lists of four rows of integers.
const MADE: [&str; 5] = [
    "{} = [[0] * 3 for _ in range(4)]",
    "{} = [[] for _ in range(4)]",
    "{} = [[i % 2] * i for i in range(4)]",
    "{} = [[1, 2], [3]] * 2",
    "{}: List(List(int)) = [[k, k + 1] for k in range(4)]",
];

/// What an iteration does with the rows `{0}`, given integers.
const STEPS: [&[&str]; 7] = [
    &["{0}[i % 4].append(int({1}) % 7)"],
    &["{0}[i % 4] = {0}[({1}) % 4]"],
    &["{0}.append({0}[i % 4])", "{0}[-1].append(i)"],
    &["{0}[i % 4] = {0}[i % 4][:2] + [int({1}) % 3]"],
    &["{0}row = {0}[i % 4]", "{0}[i % 4] = [i]", "{0}row.append(int({1}) % 5)"],
    &["{0}[0], {0}[({1}) % 4] = {0}[({1}) % 4], {0}[0]"],
    &["{0}row = {0}.pop(0)", "{0}.append({0}row + {0}[0])"],
];

/// What puts the rows in another order, or changes them.
const CHANGES: [&str; 8] = [
    "{}.sort()",
    "{}.sort(key=lambda r: len(r), reverse=True)",
    "{}.reverse()",
    "{} = sorted({}) + {}[:2]",
    "{} = [r for r in {} if r != {}[0]]",
    "{}.extend([r[:] for r in {}[1:3]])",
    "{}[1:3] = [[7], {}[0]]",
    "{} = [[x + 1 for x in r] for r in {}]",
];

/// How all items are visited, in order.
const READS: [&str; 3] = ["for {0}row in {0}:", "for k, {0}row in enumerate({0}):", "while {0}:"];

impl Builder<'_> {
    /// Rows that a loop changes, and a number that depends on all items in their order.
    pub(super) fn nested(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        let (name, value) = (self.fresh_name(), self.fresh_name());
        let rows = format!("r{name}");
        let mut fill = Stmt::of(&format!("for i in range({}.shape[0]):", over.name), vec![]);
        let mut body = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            for step in *self.random.pick(&STEPS) {
                body.push(self.step(step, &rows, over.ty.dims[0]));
            }
        }
        fill.bodies.push(body);
        let made = self.random.pick(&MADE).replace("{}", &rows);
        // Of rows that nothing is appended to, nothing would be known.
        let known = Stmt::of(&format!("{rows}[3].append(2)"), vec![]);
        let mut stmts = vec![Stmt::of(&made, vec![]), known, fill];
        for _ in 0..self.random.below(3) {
            stmts.push(Stmt::of(&self.random.pick(&CHANGES).replace("{}", &rows), vec![]));
        }
        stmts.push(Stmt::of(&format!("{value} = np.int64(len({rows}))"), vec![]));
        let head = *self.random.pick(&READS);
        let mut read = Stmt::of(&head.replace("{0}", &rows), vec![]);
        let mut items = Stmt::of(&format!("for {rows}x in {rows}row:"), vec![]);
        items.bodies.push(vec![Stmt::of(&format!("{value} = ({value} * 3 + {rows}x) % 1024"), vec![])]);
        let next = Stmt::of(&format!("{value} = ({value} * 5 + len({rows}row)) % 1024"), vec![]);
        let pop = head.starts_with("while").then(|| Stmt::of(&format!("{rows}row = {rows}.pop()"), vec![]));
        read.bodies.push(pop.into_iter().chain([next, items]).collect());
        stmts.push(read);
        self.vars.push(Var { name: value, ty: Ty::scalar(Elem::I64), bits: Bits { whole: 12, fraction: 0 } });
        stmts
    }

    /// A step of the loop over an axis of this length.
    fn step(&mut self, step: &str, rows: &str, dim: u32) -> Stmt {
        let text = step.replace("{0}", rows);
        let count = text.matches("{1}").count();
        self.indices.push(("i".to_owned(), dim));
        // The same integer in each place.
        let integer = self.small_integer();
        self.indices.pop();
        Stmt::of(&text.replace("{1}", "{}"), vec![integer; count])
    }
}
