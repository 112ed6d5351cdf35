//! Parameters that make versions of a function: optional ones, literals, unions.

use super::super::data;
use super::super::expression::{Var, small};
use super::super::tree::{Bits, Choice, Elem, Extra, Stmt, Ty};
use super::Builder;

const TEXTS: [&str; 3] = ["\"up\"", "\"down\"", "\"flat\""];

impl Builder<'_> {
    /// Up to two of them.
    pub(super) fn extras(&mut self) -> Vec<Extra> {
        let kinds = [
            Choice::Optional(Elem::F64),
            Choice::Optional(Elem::I32),
            Choice::Text,
            Choice::Number,
            Choice::Flag,
            Choice::Scalars,
            Choice::Arrays,
        ];
        let count = self.random.below(3);
        (0..count)
            .map(|i| {
                let choice = *self.random.pick(&kinds);
                Extra {
                    name: format!("o{i}"),
                    choice,
                    is_keyword: self.random.one_in(3) || matches!(choice, Choice::Arrays),
                }
            })
            .collect()
    }

    /// Variables of what was given, made in each version otherwise.
    pub(super) fn take(&mut self, extra: &Extra) -> Vec<Stmt> {
        let name = &extra.name;
        let value = self.fresh_name();
        let ty = Ty::scalar(Elem::F64);
        let mut given = |pattern: &str| {
            let other = small(self.scope().expr(&ty, 2));
            Stmt::of(&format!("{value} = np.float64({pattern})").replace("@", name), vec![other])
        };
        let stmts = match extra.choice {
            Choice::Optional(_) => {
                let mut test = Stmt::of(&format!("if {name} is None:"), vec![]);
                test.bodies = vec![vec![given("{}")], vec![given("np.floor(@.sum() + {}) % 16")]];
                if self.random.one_in(2) {
                    test.line = Stmt::of(&format!("if {name} is not None:"), vec![]).line;
                    test.bodies.reverse();
                }
                vec![test]
            }
            Choice::Text => {
                let mut inner = Stmt::of(&format!("if {name} == {}:", TEXTS[1]), vec![]);
                inner.bodies = vec![vec![given("-({})")], vec![given("{}")]];
                let mut test = Stmt::of(&format!("if {name} == {}:", TEXTS[0]), vec![]);
                test.bodies = vec![vec![given("{}")], vec![inner]];
                vec![test]
            }
            Choice::Number => vec![given("@ + {}")],
            Choice::Flag => vec![given("1 if @ else {}")],
            Choice::Scalars => vec![given("np.float64(@) + {}")],
            Choice::Arrays => vec![given("np.floor(@.astype(np.float64).sum() + {}) % 16")],
        };
        let bits = Bits { whole: 6, fraction: 2 };
        self.vars.push(Var { name: value, ty, bits });
        stmts
    }

    /// What a case gives for it, if anything.
    pub(super) fn given(&mut self, extra: &Extra, n: usize) -> Option<String> {
        if !matches!(extra.choice, Choice::Arrays) && self.random.one_in(3) {
            return None;
        }
        let random = &mut *self.random;
        let array = |random: &mut _, elem| data::argument(random, &Ty { elem, dims: vec![0] }, n);
        let value = match extra.choice {
            Choice::Optional(_) if random.one_in(4) => "None".to_owned(),
            Choice::Optional(elem) => array(random, elem),
            Choice::Text => (*random.pick(&TEXTS)).to_owned(),
            Choice::Number => (*random.pick(&["1", "2", "-3"])).to_owned(),
            Choice::Flag => (*random.pick(&["True", "False"])).to_owned(),
            Choice::Scalars => (*random.pick(&["2", "-1", "2.5", "-0.0"])).to_owned(),
            Choice::Arrays => {
                let elem = *random.pick(&[Elem::F32, Elem::I64]);
                array(random, elem)
            }
        };
        Some(format!("{}={value}", extra.name))
    }
}
