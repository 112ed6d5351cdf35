//! Random statements and functions.

mod absent;
mod dicts;
mod draws;
mod iterators;
mod nested;
mod nests;
mod numbers;
mod printed;
mod running;
mod tuples;
mod ufuncs;
mod versions;

use super::data;
use super::expression::{Scope, Var, small};
use super::random::Random;
use super::tree::{Bits, Choice, Elem, Extra, Func, Param, Program, Stmt, Ty, Ufunc};

/// Programs in a module, each of them a function with its cases.
pub const FUNCTIONS: usize = 4;
/// The dimension of all array parameters.
const N: u32 = 0;
const ELEMS: [Elem; 6] = [Elem::F64, Elem::F64, Elem::I64, Elem::F32, Elem::I32, Elem::Bool];

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let count = random.below(3);
    let ufuncs: Vec<Ufunc> =
        (0..count).map(|i| Builder::new(&mut random, &[], &[]).ufunc(format!("u{i}"))).collect();
    let mut funcs: Vec<Func> = Vec::new();
    for i in 0..FUNCTIONS {
        let func = Builder::new(&mut random, &funcs, &ufuncs).function(format!("f{i}"));
        funcs.push(func);
    }
    Program { seed, ufuncs, funcs, rounds: false }
}

/// Ufuncs in a module of [`ufuncs`].
const MANY: usize = 8;

/// A program of ufuncs, and a function that calls them.
pub fn ufuncs(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let ufuncs: Vec<Ufunc> =
        (0..MANY).map(|i| Builder::new(&mut random, &[], &[]).ufunc(format!("u{i}"))).collect();
    let func = Builder::new(&mut random, &[], &ufuncs).function_of_ufuncs("f0".to_owned());
    Program { seed, ufuncs, funcs: vec![func], rounds: false }
}

/// Functions in a module of [`numbers`].
pub const FUNCTIONS_OF_NUMBERS: usize = 20;

/// A program whose variables get numbers of Python's and of NumPy's widths, and nothing else.
pub fn numbers(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let func = |i| Builder::new(&mut random, &[], &[]).function_of_numbers(format!("f{i}"));
    Program { seed, ufuncs: vec![], funcs: (0..FUNCTIONS_OF_NUMBERS).map(func).collect(), rounds: true }
}

struct Builder<'a> {
    random: &'a mut Random,
    callable: &'a [Func],
    ufuncs: &'a [Ufunc],
    vars: Vec<Var>,
    indices: Vec<(String, u32)>,
    names: usize,
    dims: u32,
    /// Whether there is a loop that is made otherwise for more than a few iterations.
    is_long: bool,
}

fn param(name: &str, elem: Elem, rank: usize) -> Param {
    Param { name: name.to_owned(), ty: Ty { elem, dims: vec![N; rank] }, is_column_major: false }
}

fn variable(param: &Param) -> Var {
    Var { name: param.name.clone(), ty: param.ty.clone(), bits: Bits::SMALL }
}

impl<'a> Builder<'a> {
    fn new(random: &'a mut Random, callable: &'a [Func], ufuncs: &'a [Ufunc]) -> Self {
        Self {
            random,
            callable,
            ufuncs,
            vars: vec![],
            indices: vec![],
            names: 0,
            dims: N + 1,
            is_long: false,
        }
    }

    fn function(mut self, name: String) -> Func {
        let mut params = vec![param("a", Elem::F64, 1)];
        for each in ["b", "c", "d", "x"].iter().take(1 + self.random.below(4)) {
            let rank = self.random.below(3).min(if *each == "x" { 0 } else { 2 });
            let elem = *self.random.pick(&ELEMS);
            let is_column_major = rank > 1 && self.random.one_in(3);
            params.push(Param { is_column_major, ..param(each, elem, rank) });
        }
        self.vars = params.iter().map(variable).collect();
        let extras = self.extras();
        let mut body: Vec<Stmt> = extras.iter().flat_map(|extra| self.take(extra)).collect();
        let count = 3 + self.random.below(5);
        body.extend(self.block(count, 2));
        let results = self.results();
        let early = if self.random.one_in(3) { self.early_return(&results) } else { vec![] };
        body.extend(early);
        body.push(Stmt::of(&format!("return {}", results.join(", ")), vec![]));
        let long = if self.is_long { 19 } else { 3 };
        let cases = [4, 1, 0, long].iter().map(|&n| self.arguments(&params, &extras, n)).collect();
        let by_position = self.random.below(3).min(params.len());
        Func { name, params, extras, by_position, body, cases }
    }

    /// A result of Python's numbers in the place of NumPy's.
    fn early_return(&mut self, results: &[String]) -> Vec<Stmt> {
        let condition = self.scope().expr(&Ty::scalar(Elem::Bool), 2);
        let own = |name: &String| {
            let var = self.vars.iter().find(|var| var.name == *name);
            match var.filter(|var| var.ty.rank() == 0).map(|var| var.ty.elem) {
                Some(elem) if elem.is_float() => "1".to_owned(),
                _ => name.clone(),
            }
        };
        let own: Vec<String> = results.iter().map(own).collect();
        let mut stmt = Stmt::of("if {}:", vec![condition]);
        stmt.bodies.push(vec![Stmt::of(&format!("return {}", own.join(", ")), vec![])]);
        vec![stmt]
    }

    fn function_of_ufuncs(mut self, name: String) -> Func {
        let params = [("a", Elem::F64, 1), ("b", Elem::I64, 1), ("c", Elem::F32, 2), ("d", Elem::I32, 1)]
            .map(|(name, elem, rank)| param(name, elem, rank))
            .to_vec();
        self.vars = params.iter().map(variable).collect();
        let mut body: Vec<Stmt> = (0..4).flat_map(|_| self.called()).collect();
        body.extend(self.counted_loop(1));
        let results: Vec<String> = (1..=4).map(|at| format!("v{at}")).collect();
        body.push(Stmt::of(&format!("return {}", results.join(", ")), vec![]));
        let cases = [4, 1, 0].iter().map(|&n| self.arguments(&params, &[], n)).collect();
        Func { name, params, extras: vec![], by_position: 0, body, cases }
    }

    fn function_of_numbers(mut self, name: String) -> Func {
        let params = vec![param("a", Elem::F64, 1)];
        self.vars = params.iter().map(variable).collect();
        let mut body = self.numbers(true);
        let latest = format!("v{}", self.names);
        body.push(Stmt::of(&format!("return {latest}x, {latest}y, {latest}z"), vec![]));
        let cases = [4, 1, 0].iter().map(|&n| self.arguments(&params, &[], n)).collect();
        Func { name, params, extras: vec![], by_position: 0, body, cases }
    }

    fn arguments(&mut self, params: &[Param], extras: &[Extra], n: usize) -> Vec<String> {
        let mut given: Vec<String> = params.iter().map(|param| self.argument(param, n)).collect();
        given.extend(extras.iter().filter_map(|extra| self.given(extra, n)));
        given
    }

    fn argument(&mut self, param: &Param, n: usize) -> String {
        let array = data::argument(self.random, &param.ty, n);
        // Others take the general version.
        if param.is_column_major && !self.random.one_in(8) {
            format!("np.asfortranarray({array})")
        } else {
            array
        }
    }

    fn results(&mut self) -> Vec<String> {
        let latest = self.vars.len().saturating_sub(4);
        let mut names: Vec<String> = self.vars[latest..].iter().map(|v| v.name.clone()).collect();
        names.truncate(3);
        names
    }

    fn block(&mut self, count: usize, depth: usize) -> Vec<Stmt> {
        (0..count).flat_map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Vec<Stmt> {
        match self.random.below(46) {
            0..=2 => self.definition(),
            3 => self.view(),
            4 => self.reassignment(),
            5 => self.element_store(),
            6 => self.slice_store(),
            7 => self.in_place(),
            8 if depth > 0 => self.branch(depth),
            9 if depth > 0 => self.counted_loop(depth),
            10 if depth == 2 => self.parallel_loop(),
            11 => self.call(),
            12 => self.masked_store(),
            13 => self.scatter(),
            14 if depth > 0 => self.conditional_loop(depth),
            15 if depth > 0 => self.stopped_loop(depth),
            16 => self.list(),
            17 => self.dict(false),
            18 => self.set(),
            19 if depth == 2 => self.dict(true),
            20 => self.tuples(false),
            21 if depth == 2 => self.tuples(true),
            22 => self.draws(),
            23 => self.nested(),
            24..=26 => self.numbers(false),
            27..=29 => self.printed(),
            30 => self.first_in_loop(),
            31 => self.chosen(),
            32 | 33 if depth == 2 => self.escapes(),
            34 | 35 if depth == 2 => self.steps(),
            36 | 37 => self.running(),
            38 | 39 => self.kept(),
            40 | 41 => self.held(),
            42 | 43 => self.iterators(),
            44 | 45 => self.absent(),
            _ => self.definition(),
        }
    }

    fn scope(&mut self) -> Scope<'_> {
        Scope { random: self.random, ufuncs: self.ufuncs, vars: &self.vars, indices: &self.indices }
    }

    fn fresh_name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn arrays(&self) -> Vec<Var> {
        self.vars.iter().filter(|v| v.ty.rank() > 0).cloned().collect()
    }

    /// A new variable. Inside loops its numbers stay small: it may be carried round.
    fn definition(&mut self) -> Vec<Stmt> {
        let elem = *self.random.pick(&ELEMS);
        let arrays = self.arrays();
        let dims = if self.random.one_in(2) { vec![] } else { self.random.pick(&arrays).ty.dims.clone() };
        let expr = self.scope().expr(&Ty { elem, dims }, 3);
        let name = self.fresh_name();
        self.vars.push(Var { name: name.clone(), ty: expr.ty.clone(), bits: expr.bits });
        vec![Stmt::of(&format!("{name} = {{}}"), vec![expr])]
    }

    fn view(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let base = self.random.pick(&arrays).clone();
        let mut dims = base.ty.dims.clone();
        let slice = match self.random.below(6) {
            0 => "[::-1]",
            1 if dims.len() == 2 => {
                dims.reverse();
                ".T"
            }
            2 if dims.len() == 2 => {
                dims.remove(0);
                *self.random.pick(&["[0]", "[-1]"])
            }
            3 if dims.len() == 2 => {
                dims.remove(1);
                "[:, 0]"
            }
            _ => {
                dims[0] = self.dims;
                self.dims += 1;
                *self.random.pick(&["[1:]", "[:-1]", "[::2]", "[slice(1, -1)]", "[slice(-2, None)]"])
            }
        };
        let name = self.fresh_name();
        let ty = Ty { elem: base.ty.elem, dims };
        self.vars.push(Var { name: name.clone(), ty, bits: base.bits });
        vec![Stmt::of(&format!("{name} = {}{slice}", base.name), vec![])]
    }

    /// Another value for a variable that is not a parameter: parameters' arrays stay what the caller passed.
    fn reassignment(&mut self) -> Vec<Stmt> {
        let own: Vec<usize> = (0..self.vars.len()).filter(|&i| self.vars[i].name.starts_with('v')).collect();
        if own.is_empty() {
            return self.definition();
        }
        let at = *self.random.pick(&own);
        let var = self.vars[at].clone();
        let expr = small(self.scope().expr(&var.ty, 2));
        self.vars[at].bits = var.bits.or(expr.bits);
        vec![Stmt::of(&format!("{} = {{}}", var.name), vec![expr])]
    }

    fn element_store(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let target = self.random.pick(&arrays).clone();
        let value = small(self.scope().expr(&Ty::scalar(target.ty.elem), 2));
        let index: Vec<String> = target.ty.dims.iter().map(|&d| self.scope().index(d)).collect();
        vec![Stmt::of(&format!("{}[{}] = {{}}", target.name, index.join(", ")), vec![value])]
    }

    fn slice_store(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let target = self.random.pick(&arrays).clone();
        let value = small(self.scope().expr(&target.ty, 2));
        let slice = *self.random.pick(&["[:]", "[::-1]", "[...]"]);
        vec![Stmt::of(&format!("{}{slice} = {{}}", target.name), vec![value])]
    }

    /// `a[mask] = e` and its like.
    fn masked_store(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let target = self.random.pick(&arrays).clone();
        let mask = self.scope().expr(&Ty { elem: Elem::Bool, dims: target.ty.dims.clone() }, 2);
        let value = small(self.scope().expr(&Ty::scalar(target.ty.elem), 2));
        if target.ty.elem == Elem::Bool || self.random.one_in(2) {
            return vec![Stmt::of(&format!("{}[{{}}] = {{}}", target.name), vec![mask, value])];
        }
        let operator = *self.random.pick(&["+=", "-=", "*="]);
        let first = Stmt::of(&format!("{}[{{}}] {operator} {{}}", target.name), vec![mask, value]);
        vec![first, Stmt::of(&format!("{} %= 16", target.name), vec![])]
    }

    /// `a[indices] = e`.
    fn scatter(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let target = self.random.pick(&arrays).clone();
        let Some(order) = self.scope().order(target.ty.dims[0], 2) else { return self.slice_store() };
        let value = small(self.scope().expr(&target.ty, 2));
        vec![Stmt::of(&format!("{}[{{}}] = {{}}", target.name), vec![order, value])]
    }

    /// `a += e`, and then back to small numbers.
    fn in_place(&mut self) -> Vec<Stmt> {
        let arrays: Vec<Var> = self.arrays().into_iter().filter(|v| v.ty.elem != Elem::Bool).collect();
        let target = self.random.pick(&arrays).clone();
        let value = small(self.scope().expr(&target.ty, 2));
        let operator = *self.random.pick(&["+=", "-=", "*="]);
        let first = Stmt::of(&format!("{} {operator} {{}}", target.name), vec![value]);
        vec![first, Stmt::of(&format!("{} %= 16", target.name), vec![])]
    }

    /// Runs `make` with variables of its own.
    fn inner<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let count = self.vars.len();
        let made = make(self);
        self.vars.truncate(count);
        made
    }

    /// Before a loop: what its body may assign has small numbers or those of before.
    fn widen(&mut self) {
        for var in &mut self.vars {
            var.bits = var.bits.or(Bits::SMALL);
        }
    }

    fn branch(&mut self, depth: usize) -> Vec<Stmt> {
        let condition = self.scope().expr(&Ty::scalar(Elem::Bool), 2);
        self.widen();
        let mut stmt = Stmt::of("if {}:", vec![condition]);
        for _ in 0..=self.random.below(2) {
            let count = 1 + self.random.below(3);
            stmt.bodies.push(self.inner(|b| b.block(count, depth - 1)));
        }
        vec![stmt]
    }

    fn counted_loop(&mut self, depth: usize) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        let index = format!("i{depth}");
        let header = *self.random.pick(&["range({})", "range({})", "range({} - 1, -1, -1)"]);
        let header = header.replace("{}", &format!("{}.shape[0]", over.name));
        self.widen();
        self.indices.push((index.clone(), over.ty.dims[0]));
        let count = 1 + self.random.below(3);
        let body = self.inner(|b| b.block(count, depth - 1));
        self.indices.pop();
        let mut stmt = Stmt::of(&format!("for {index} in {header}:"), vec![]);
        stmt.bodies.push(body);
        vec![stmt]
    }

    /// A `while` loop that counts.
    fn conditional_loop(&mut self, depth: usize) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        let index = format!("w{depth}");
        self.widen();
        self.indices.push((index.clone(), over.ty.dims[0]));
        let count = 1 + self.random.below(2);
        let mut body = self.inner(|b| b.block(count, depth - 1));
        self.indices.pop();
        body.push(Stmt::of(&format!("{index} += 1"), vec![]));
        let mut stmt = Stmt::of(&format!("while {index} < len({}):", over.name), vec![]);
        stmt.bodies.push(body);
        vec![Stmt::of(&format!("{index} = 0"), vec![]), stmt]
    }

    /// A loop over elements that may be left, and that says whether it was.
    fn stopped_loop(&mut self, depth: usize) -> Vec<Stmt> {
        let arrays: Vec<Var> = self.arrays().into_iter().filter(|v| v.ty.rank() == 1).collect();
        if arrays.is_empty() {
            return self.definition();
        }
        let over = self.random.pick(&arrays).clone();
        let (item, found) = (format!("e{depth}"), self.fresh_name());
        let before = Stmt::of(&format!("{found} = np.int64(0)"), vec![]);
        let item_type = Ty::scalar(over.ty.elem);
        self.widen();
        let mut stmt = Stmt::of(&format!("for {item} in {}:", over.name), vec![]);
        let (condition, value) = self.inner(|b| {
            b.vars.push(Var { name: item, ty: item_type, bits: over.bits.or(Bits::SMALL) });
            let condition = b.scope().expr(&Ty::scalar(Elem::Bool), 2);
            (condition, small(b.scope().expr(&Ty::scalar(Elem::I64), 2)))
        });
        let mut test = Stmt::of("if {}:", vec![condition]);
        let leave = *self.random.pick(&["break", "continue"]);
        test.bodies.push(vec![Stmt::of(leave, vec![])]);
        stmt.bodies.push(vec![test, Stmt::of(&format!("{found} += {{}}"), vec![value])]);
        stmt.bodies.push(vec![Stmt::of(&format!("{found} += 1"), vec![])]);
        self.vars.push(Var { name: found, ty: Ty::scalar(Elem::I64), bits: Bits::UNKNOWN });
        vec![before, stmt]
    }

    /// A list that grows, and what is in it.
    fn list(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        let elem = *self.random.pick(&[Elem::F64, Elem::I64]);
        let ty = Ty::scalar(elem);
        let first = small(self.scope().expr(&ty, 2));
        self.indices.push(("i".to_owned(), over.ty.dims[0]));
        let next = small(self.scope().expr(&ty, 2));
        self.indices.pop();
        let (name, value) = (self.fresh_name(), self.fresh_name());
        let list = format!("xs{name}");
        let mut grow = Stmt::of(&format!("for i in range(len({})):", over.name), vec![]);
        grow.bodies.push(vec![Stmt::of(&format!("{list}.append({{}})"), vec![next])]);
        // Which of several zeros is the greatest is left open.
        let read = *self.random.pick(&[
            "{}[-1] + {}[0]",
            "sum({})",
            "{}[len({}) // 2]",
            "max({}) + 0",
            "{}[-1:][0]",
        ]);
        let read = read.replace("{}", &list);
        self.vars.push(Var { name: value.clone(), ty, bits: Bits { whole: 12, fraction: 0 } });
        let made = Stmt::of(&format!("{list} = [{{}}]"), vec![first]);
        vec![made, grow, Stmt::of(&format!("{value} = {read}"), vec![])]
    }

    /// A `pfor` that writes a fresh array, adds up a number, appends to a list, and finds the place of an extreme value.
    fn parallel_loop(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        let (out, sum, last) = (self.fresh_name(), self.fresh_name(), self.fresh_name());
        let list = format!("xs{last}");
        self.indices.push(("i".to_owned(), over.ty.dims[0]));
        let value = small(self.scope().expr(&Ty::scalar(Elem::F64), 2));
        let term = small(self.scope().expr(&Ty::scalar(Elem::I64), 2));
        let condition = self.scope().expr(&Ty::scalar(Elem::Bool), 2);
        let item = small(self.scope().expr(&Ty::scalar(Elem::I64), 2));
        let candidate = small(self.scope().expr(&Ty::scalar(Elem::F64), 2));
        self.indices.pop();
        let (best, at) = (self.fresh_name(), self.fresh_name());
        let less = *self.random.pick(&["<", ">", ">="]);
        let mut wins = Stmt::of(&format!("if c{best} {less} {best}:"), vec![]);
        wins.bodies.push(vec![
            Stmt::of(&format!("{best} = c{best}"), vec![]),
            Stmt::of(&format!("{at} = np.int64(i)"), vec![]),
        ]);
        let mut append = Stmt::of("if {}:", vec![condition]);
        append.bodies.push(vec![Stmt::of(&format!("{list}.append({{}})"), vec![item])]);
        let mut stmt = Stmt::of(&format!("pfor i in range({}.shape[0]):", over.name), vec![]);
        stmt.bodies.push(vec![
            Stmt::of(&format!("{out}[i] = {{}}"), vec![value]),
            Stmt::of(&format!("{sum} += {{}}"), vec![term]),
            append,
            Stmt::of(&format!("c{best} = np.float64({{}})"), vec![candidate]),
            wins,
        ]);
        let made = vec![
            Stmt::of(&format!("{out} = np.zeros({}.shape[0])", over.name), vec![]),
            Stmt::of(&format!("{sum} = np.int64(1)"), vec![]),
            Stmt::of(&format!("{list} = [np.int64(2)]"), vec![]),
            Stmt::of(&format!("{best} = np.float64(0.5)"), vec![]),
            Stmt::of(&format!("{at} = np.int64(-1)"), vec![]),
            stmt,
            Stmt::of(&format!("{last} = {list}[-1] + len({list})"), vec![]),
        ];
        for (name, elem) in [(best, Elem::F64), (at, Elem::I64)] {
            self.vars.push(Var { name, ty: Ty::scalar(elem), bits: Bits::SMALL });
        }
        self.vars.push(Var { name: last, ty: Ty::scalar(Elem::I64), bits: Bits { whole: 12, fraction: 0 } });
        self.vars.push(Var {
            name: out,
            ty: Ty { elem: Elem::F64, dims: over.ty.dims[..1].to_vec() },
            bits: Bits::SMALL,
        });
        self.vars.push(Var { name: sum, ty: Ty::scalar(Elem::I64), bits: Bits::UNKNOWN });
        made
    }

    /// A call for its effects on arrays, with variables of the parameters' types.
    fn call(&mut self) -> Vec<Stmt> {
        if self.callable.is_empty() {
            return self.view();
        }
        let callee = self.random.pick(self.callable).clone();
        if callee.extras.iter().any(|extra| matches!(extra.choice, Choice::Arrays)) {
            return self.view();
        }
        let mut arguments = Vec::new();
        for Param { ty, .. } in &callee.params {
            let same = |v: &&Var| v.ty.elem == ty.elem && v.ty.rank() == ty.rank() && v.bits == Bits::SMALL;
            let fitting: Vec<String> = self.vars.iter().filter(same).map(|v| v.name.clone()).collect();
            if fitting.is_empty() {
                return self.definition();
            }
            arguments.push(self.random.pick(&fitting).clone());
        }
        vec![Stmt::of(&format!("{}({})", callee.name, arguments.join(", ")), vec![])]
    }
}
