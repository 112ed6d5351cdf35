//! Random ufuncs: of one loop with any statements, and of a loop for each combination of types. Python calls them with arrays of
//! these and of narrower types, functions with numbers and arrays.

use super::super::data;
use super::super::expression::{Var, small};
use super::super::tree::{Bits, Elem, Stmt, Ty, Ufunc};
use super::Builder;

/// Types that a parameter of several loops has.
const SEVERAL: [[Elem; 2]; 5] = [
    [Elem::I64, Elem::F64],
    [Elem::I32, Elem::F64],
    [Elem::F32, Elem::F64],
    [Elem::I64, Elem::F32],
    [Elem::F64, Elem::I32],
];

/// What is computed with operands of any types.
const OF_ANY: [&str; 5] = ["p + q", "p * q - q", "(p - q) * p", "-p + q", "p * p + q * q"];
const NUMBERS: [Elem; 4] = [Elem::F64, Elem::I64, Elem::F32, Elem::I32];

impl Builder<'_> {
    pub(super) fn ufunc(mut self, name: String) -> Ufunc {
        let (params, result, body) = if self.random.one_in(3) { self.of_several() } else { self.of_one() };
        let cases = [(4, 4), (1, 4), (0, 1), (3, 0), (3, 3)];
        let cases = cases.iter().map(|&lengths| self.operands(&params, lengths)).collect();
        Ufunc { name, params, result, body, cases }
    }

    /// A variable of what a ufunc gives for arrays or numbers.
    pub(super) fn called(&mut self) -> Vec<Stmt> {
        let vars = self.vars.clone();
        let like = self.random.pick(&vars).ty.dims.clone();
        let dims = if self.random.one_in(3) { vec![] } else { like };
        let mut scope = self.scope();
        let call = (0..20).find_map(|_| {
            let elem = *scope.random.pick(&[Elem::F64, Elem::I64, Elem::F32, Elem::I32, Elem::Bool]);
            scope.by_elements(&Ty { elem, dims: dims.clone() }, 2)
        });
        let value = call.unwrap_or_else(|| scope.expr(&Ty::scalar(Elem::F64), 2));
        let name = self.fresh_name();
        self.vars.push(Var { name: name.clone(), ty: value.ty.clone(), bits: value.bits });
        vec![Stmt::of(&format!("{name} = {{}}"), vec![value])]
    }

    /// A loop for each combination of types.
    fn of_several(&mut self) -> (Vec<(String, Vec<Elem>)>, Option<Elem>, Vec<Stmt>) {
        let elems = self.random.pick(&SEVERAL).to_vec();
        let params = ["p", "q"].map(|name| (name.to_owned(), elems.clone())).to_vec();
        (params, None, vec![Stmt::of(&format!("return {}", self.random.pick(&OF_ANY)), vec![])])
    }

    fn of_one(&mut self) -> (Vec<(String, Vec<Elem>)>, Option<Elem>, Vec<Stmt>) {
        let count = 1 + self.random.below(3);
        let mut params = Vec::new();
        for name in ["p", "q", "r"].iter().take(count) {
            let elem = *self.random.pick(&NUMBERS);
            self.vars.push(Var { name: (*name).to_owned(), ty: Ty::scalar(elem), bits: Bits::SMALL });
            params.push(((*name).to_owned(), vec![elem]));
        }
        // Of a type that a parameter has there is more to compute than with constants.
        let own = self.vars[self.random.below(count)].ty.elem;
        let result = Ty::scalar(*self.random.pick(&[own, own, Elem::F64, Elem::Bool]));
        let mut body = Vec::new();
        if self.random.one_in(2) {
            let mut test = Stmt::of("if {}:", vec![self.scope().expr(&Ty::scalar(Elem::Bool), 2)]);
            let early = small(self.scope().expr(&result, 2));
            test.bodies.push(vec![Stmt::of("return {}", vec![early])]);
            body.push(test);
        }
        let value = small(self.scope().expr(&result, 3));
        body.push(Stmt::of("return {}", vec![value]));
        (params, Some(result.elem), body)
    }

    /// Arrays of types that are cast safely to those of a loop: one of so many elements, and others of as many, of a column, or of none.
    fn operands(&mut self, params: &[(String, Vec<Elem>)], (first, others): (usize, usize)) -> Vec<String> {
        let mut operands = Vec::new();
        for (at, (_, elems)) in params.iter().enumerate() {
            let elem = *self.random.pick(elems);
            let narrower: &[Elem] = match elem {
                Elem::F64 => &[Elem::F64, Elem::F32, Elem::I32, Elem::I64, Elem::Bool],
                Elem::I64 => &[Elem::I64, Elem::I32, Elem::Bool],
                Elem::F32 => &[Elem::F32, Elem::Bool],
                other => &[other, Elem::Bool],
            };
            let own = *self.random.pick(narrower);
            let length = if at == 0 { first } else { others };
            let array = data::argument(self.random, &Ty { elem: own, dims: vec![0] }, length);
            // Different lengths are broadcast.
            let column = if at > 0 && first != others { "[:, None]" } else { "" };
            operands.push(if self.random.one_in(8) {
                self.number_of(own)
            } else {
                format!("{array}{column}")
            });
        }
        operands
    }

    /// A number of NumPy's: how Python's adapt is another matter.
    fn number_of(&mut self, elem: Elem) -> String {
        format!("{}({})", elem.numpy(), data::argument(self.random, &Ty::scalar(elem), 0))
    }
}
