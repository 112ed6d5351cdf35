//! Random texts: f-strings, tuples and dicts that are printed, and messages; variables that a loop's first iteration
//! gives their value, and arrays that an index chooses among.

use super::super::expression::small;
use super::super::tree::{Elem, Stmt, Ty};
use super::Builder;

/// Formats of integers, floats and bools; `$` is the value.
const INTS: [&str; 7] = ["{$}", "{$:d}", "{$:5d}|", "{$:05d}", "{$:+d}", "{$!r}", "{$=}"];
const FLOATS: [&str; 7] = ["{$}", "{$:.3f}", "{$:10.2f}|", "{$:.2e}", "{$:<12.1f}|", "{$!r}", "{$ = }"];
const BOOLS: [&str; 2] = ["{$}", "{$!r}"];

impl Builder<'_> {
    /// What is printed of two numbers.
    pub(super) fn printed(&mut self) -> Vec<Stmt> {
        let elem = *self.random.pick(&[Elem::F64, Elem::I64, Elem::F32, Elem::I32, Elem::Bool]);
        let names = [self.fresh_name(), self.fresh_name()];
        let mut made = Vec::new();
        for name in &names {
            let value = small(self.scope().expr(&Ty::scalar(elem), 2));
            made.push(Stmt::of(&format!("{name} = {{}}"), vec![value]));
        }
        let [p, q] = &names;
        let form = self.form_of(elem, p);
        let other = self.form_of(elem, q);
        let text = match self.random.below(5) {
            0 => format!("print(f\"{form} and {other}\")"),
            1 => format!("print({p}, f'<{form}>', {q}, sep=\"; \")"),
            2 => format!("print(({p}, {q}), ({q},), 1.5, end=\".\\n\")"),
            // Python's and NumPy's numbers in one container are those of one of them.
            3 if elem == Elem::Bool => format!("print({{1: bool({p}), 2: bool({q})}})"),
            3 => format!("print({{1: {p}, 2: {q}}}, [({p}, 1), ({q}, 2)])"),
            _ => format!("m{p} = f\"{{{{{form}}}}}\"\nprint(m{p}, m{p})"),
        };
        made.extend(text.lines().map(line));
        if elem != Elem::Bool && self.random.one_in(4) {
            made.push(line(&format!("t{p} = type({p})")));
            made.push(line(&format!("print(t{p}(1) + {p} * t{p}(2))")));
        }
        if self.random.one_in(6) {
            made.push(line(&format!("assert {p} == {q}, f\"{form} is not {other}\"")));
        }
        made
    }

    fn form_of(&mut self, elem: Elem, name: &str) -> String {
        let form = match elem {
            Elem::Bool => *self.random.pick(&BOOLS),
            elem if elem.is_float() => *self.random.pick(&FLOATS),
            _ => *self.random.pick(&INTS),
        };
        form.replace('$', name)
    }

    /// A number that has no value before a loop: without an iteration, reading it raises.
    pub(super) fn first_in_loop(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        let name = self.fresh_name();
        let first = small(self.scope().expr(&Ty::scalar(Elem::I64), 2));
        let mut test = line("if i == 0:");
        test.bodies.push(vec![Stmt::of(&format!("{name} = {{}}"), vec![first])]);
        test.bodies.push(vec![line(&format!("{name} = {name} * 3 % 8 + i"))]);
        let mut stmt = line(&format!("for i in range(len({})):", over.name));
        stmt.bodies.push(vec![test]);
        vec![stmt, line(&format!("print({name})"))]
    }

    /// Arrays of a tuple that an index chooses among.
    pub(super) fn chosen(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let arrays: Vec<_> = arrays.into_iter().filter(|v| v.ty.elem != Elem::Bool).collect();
        let one = self.random.pick(&arrays).clone();
        let alike: Vec<_> = arrays
            .iter()
            .filter(|v| v.ty.elem == one.ty.elem && v.ty.rank() == one.ty.rank())
            .cloned()
            .collect();
        let other = self.random.pick(&alike).clone();
        let name = self.fresh_name();
        let reverse = *self.random.pick(&["", "[::-1]"]);
        let mut stmt = line("for i in range(4):");
        stmt.bodies.push(vec![
            line(&format!("t{name}[i % 2][:1] += 1")),
            line(&format!("t{name}[i % 2][:] %= 16")),
            line(&format!("print((1, 4, 3)[i % 3], t{name}[i - 2 if i < 2 else 0].shape)")),
        ]);
        vec![line(&format!("t{name} = ({}, {}{reverse})", one.name, other.name)), stmt]
    }
}

fn line(text: &str) -> Stmt {
    Stmt::of(text, vec![])
}
