//! Random draws of random numbers, from a generator and from the streams of `np.random` and of Python's `random`, all seeded.

use super::super::expression::Var;
use super::super::tree::{Bits, Elem, Stmt, Ty};
use super::Builder;

/// What a draw of a small integer may be.
const DRAWS: [&str; 14] = [
    "{}.integers(9)",
    "{}.integers(-3, 2**40) % 8",
    "int({}.random() * 8.0)",
    "int({}.normal() > 0.25)",
    "{}.poisson(2.5)",
    "int({}.choice(i + 1))",
    "np.random.randint(7)",
    "int(np.random.rand() * 8.0)",
    "int(np.random.randn() > 0.25)",
    "np.random.poisson(12.0) % 16",
    "random.randrange(7)",
    "random.randint(-3, 2**40) % 8",
    "int(random.gauss(0.5, 2.0) > 0.25)",
    "random.choice(range(i + 1))",
];

impl Builder<'_> {
    /// Draws in a loop, some of them under a condition and some unused, and an array of draws.
    pub(super) fn draws(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        let (name, drawn) = (self.fresh_name(), self.fresh_name());
        let rng = format!("rng{name}");
        self.indices.push(("i".to_owned(), over.ty.dims[0]));
        let condition = self.scope().expr(&Ty::scalar(Elem::Bool), 2);
        self.indices.pop();
        let mut draw = || self.random.pick(&DRAWS).replace("{}", &rng);
        let (sometimes, always, unused) = (draw(), draw(), draw());
        let mut test = Stmt::of("if {}:", vec![condition]);
        test.bodies.push(vec![Stmt::of(&format!("{name} += {sometimes}"), vec![])]);
        let mut stmt = Stmt::of(&format!("for i in range({}.shape[0]):", over.name), vec![]);
        stmt.bodies.push(vec![
            test,
            Stmt::of(&format!("u{name} = {unused}"), vec![]),
            Stmt::of(&format!("{name} = ({name} * 3 + {always}) % 1024"), vec![]),
        ]);
        let seed = self.random.below(1000);
        let made = vec![
            Stmt::of(&format!("{rng} = np.random.default_rng({seed})"), vec![]),
            Stmt::of(&format!("np.random.seed({seed})"), vec![]),
            Stmt::of(&format!("random.seed({seed})"), vec![]),
            Stmt::of(&format!("{name} = np.int64(0)"), vec![]),
            stmt,
            Stmt::of(&format!("{drawn} = {rng}.integers(-8, 8, {}.shape)", over.name), vec![]),
        ];
        self.vars.push(Var { name, ty: Ty::scalar(Elem::I64), bits: Bits { whole: 12, fraction: 0 } });
        let ty = Ty { elem: Elem::I64, dims: over.ty.dims };
        self.vars.push(Var { name: drawn, ty, bits: Bits::SMALL });
        made
    }
}
