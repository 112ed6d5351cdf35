//! Random lists of tuples: filled in loops, as heaps or not, put in another order, and read.

use super::super::expression::Var;
use super::super::tree::{Bits, Elem, Stmt, Ty};
use super::Builder;

/// Tuples of two small integers and an index, their type, the names to unpack them to, and a number made of these.
const FORMS: [[&str; 4]; 4] = [
    ["(({}) % 4, ({}) % 5)", "Tuple(int64, int64)", "p, q", "p * 5 + q"],
    [
        "(({}) % 3 * 0.5, i, ({}) % 2 == 0)",
        "Tuple(float64, int, bool)",
        "p, q, r",
        "int(p * 2) * 7 + q * 2 + (1 if r else 0)",
    ],
    [
        "((({}) % 2, i % 3), ({}) % 4 * 0.25)",
        "Tuple(Tuple(int64, int), float64)",
        "(p, q), r",
        "p * 3 + q + int(r * 4)",
    ],
    [
        "(-i % 3, (({}) % 3, ({}) % 2, i))",
        "Tuple(int, Tuple(int64, int64, int))",
        "p, (q, r, s)",
        "p * 5 + q * 3 + r + s",
    ],
];

/// What puts a list of tuples in another order, or changes it.
const CHANGES: [&str; 10] = [
    "{}.sort()",
    "{}.sort(reverse=True)",
    "{}.sort(key=lambda t: t[1])",
    "{}.sort(key=lambda t: (t[1], t[0]), reverse=True)",
    "heapq.heapify({})",
    "{}.reverse()",
    "{} = sorted({}) + {}[:2]",
    "{} = heapq.nlargest(3, {}) + {}[::-1]",
    "{} = [t for t in {} if t != {}[0]]",
    "{}.extend({}[1:3])",
];

impl Builder<'_> {
    /// A list of tuples that a loop fills, on threads or not, and a number that depends on its items in their order.
    pub(super) fn tuples(&mut self, parallel: bool) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        let (name, value) = (self.fresh_name(), self.fresh_name());
        let list = format!("t{name}");
        self.indices.push(("i".to_owned(), over.ty.dims[0]));
        let items = vec![self.small_integer(), self.small_integer()];
        let condition = self.scope().expr(&Ty::scalar(Elem::Bool), 2);
        self.indices.pop();
        let &[form, ty, targets, number] = self.random.pick(&FORMS);
        let add = match parallel || self.random.one_in(2) {
            true => format!("{list}.append({form})"),
            false => format!("heapq.heappush({list}, {form})"),
        };
        let add = Stmt::of(&add, items);
        // Under a condition that is never met, nothing would be known of the items.
        let (made, body) = match self.random.one_in(2) {
            true => (format!("{list} = []"), add),
            false => {
                let mut test = Stmt::of("if {}:", vec![condition]);
                test.bodies.push(vec![add]);
                (format!("{list}: List({ty}) = []"), test)
            }
        };
        let keyword = if parallel { "pfor" } else { "for" };
        let mut fill = Stmt::of(&format!("{keyword} i in range({}.shape[0]):", over.name), vec![]);
        fill.bodies.push(vec![body]);
        let mut stmts = vec![Stmt::of(&made, vec![]), fill];
        for _ in 0..self.random.below(3) {
            stmts.push(Stmt::of(&self.random.pick(&CHANGES).replace("{}", &list), vec![]));
        }
        stmts.push(Stmt::of(&format!("{value} = np.int64(len({list}))"), vec![]));
        let next = Stmt::of(&format!("{value} = ({value} * 3 + {number}) % 1024"), vec![]);
        let read = match self.random.below(3) {
            0 => {
                let mut read = Stmt::of(&format!("while {list}:"), vec![]);
                read.bodies.push(vec![Stmt::of(&format!("{targets} = heapq.heappop({list})"), vec![]), next]);
                read
            }
            1 => {
                let mut read = Stmt::of(&format!("for k, ({targets}) in enumerate({list}):"), vec![]);
                read.bodies.push(vec![next]);
                read
            }
            _ => {
                let mut read = Stmt::of(&format!("for {targets} in {list}:"), vec![]);
                read.bodies.push(vec![next]);
                read
            }
        };
        stmts.push(read);
        self.vars.push(Var { name: value, ty: Ty::scalar(Elem::I64), bits: Bits { whole: 12, fraction: 0 } });
        stmts
    }
}
