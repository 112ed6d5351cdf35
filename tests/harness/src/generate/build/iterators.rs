//! Random loops over what `itertools` makes of a list, with a body that may leave them or change the list.

use super::super::expression::Var;
use super::super::tree::{Bits, Elem, Stmt, Ty};
use super::Builder;

/// What a loop over a list looks like, and a number made of its targets.
const LOOPS: [[&str; 2]; 13] = [
    ["for p, q in combinations({}, 2):", "p * 3 + q"],
    ["for p, q in combinations_with_replacement({}, 2):", "p - q * 2"],
    ["for p, q in permutations({}, 2):", "p * 3 - q"],
    ["for p, q in product({}, {}[:2]):", "p * 5 + q"],
    ["for p, q, r in product({}[:3], repeat=3):", "p + q * 3 + r"],
    ["for p, q in pairwise({}):", "q * 3 - p"],
    ["for p, q in enumerate(accumulate({}), 1):", "p * 2 + q"],
    ["for q in accumulate({}, max, initial=2):", "q + 1"],
    ["for q in chain({}, {}[1:], (1, 2)):", "q * 3"],
    ["for q in islice({}, 1, None, 2):", "q + 2"],
    ["for p, q in zip({}, count(3)):", "p * q"],
    ["for p, *r in [{}, {}[::-1], {}[:1]]:", "p * 4 + len(r) + sum(r)"],
    ["for p, q in enumerate(combinations({}, 2)):", "p + q[0] * q[1]"],
];

/// What a body does on a condition.
const WAYS: [&str; 4] = ["break", "continue", "{}[-1] = 3", "{}[0] += 1"];

impl Builder<'_> {
    /// A list that a loop fills, loops over it, and a number that depends on all items that these gave.
    pub(super) fn iterators(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        self.indices.push(("i".to_owned(), over.ty.dims[0]));
        let item = self.small_integer();
        self.indices.pop();
        let (name, value) = (self.fresh_name(), self.fresh_name());
        let list = format!("xs{name}");
        let mut fill = Stmt::of(&format!("for i in range({}.shape[0]):", over.name), vec![]);
        fill.bodies.push(vec![Stmt::of(&format!("{list}.append({{}} % 16)"), vec![item])]);
        let mut stmts = vec![
            Stmt::of(&format!("{list} = [np.int64(2)]"), vec![]),
            fill,
            Stmt::of(&format!("{value} = np.int64(1)"), vec![]),
        ];
        for _ in 0..=self.random.below(2) {
            stmts.push(self.iterator_loop(&list, &value));
        }
        self.vars.push(Var { name: value, ty: Ty::scalar(Elem::I64), bits: Bits { whole: 12, fraction: 0 } });
        stmts
    }

    fn iterator_loop(&mut self, list: &str, value: &str) -> Stmt {
        let &[header, number] = self.random.pick(&LOOPS);
        let way = self.random.pick(&WAYS).replace("{}", list);
        let mut test = Stmt::of(&format!("if ({number}) % 5 == {}:", self.random.below(5)), vec![]);
        test.bodies.push(vec![Stmt::of(&way, vec![])]);
        let next = Stmt::of(&format!("{value} = ({value} * 3 + {number}) % 1024"), vec![]);
        let mut body = vec![next];
        body.insert(self.random.below(2), test);
        let mut read = Stmt::of(&header.replace("{}", list), vec![]);
        read.bodies.push(body);
        if self.random.one_in(3) {
            read.bodies.push(vec![Stmt::of(&format!("{value} += 1"), vec![])]);
        }
        read
    }
}
