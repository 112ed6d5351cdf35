//! Random bodies of `pfor` with affine indices: made from a seed, run by plain enumeration, and written as IR.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Index of the `pfor`, indices of two inner loops, the length parameter, the offset parameter.
const NAMES: [&str; 5] = ["%i", "%j", "%k", "%n", "%s"];
const LENGTH: usize = 3;
const OFFSET: usize = 4;

/// splitmix64
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `low` to `high`, both included.
    fn pick(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    fn percent(&mut self, chance: i64) -> bool {
        self.pick(0, 99) < chance
    }
}

/// A sum of multiples of what [`NAMES`] names.
#[derive(Clone, Default, Debug)]
struct Affine {
    factors: [i64; 5],
    constant: i64,
}

#[derive(Clone, Debug)]
enum Index {
    Plain(Affine),
    /// `affine // number` and `affine % number`
    Quotient(Affine, i64),
    Rest(Affine, i64),
}

#[derive(Clone, Debug)]
enum Stmt {
    /// Array 0 or 1.
    Access { writes: bool, array: usize, at: Vec<Index>, called: bool },
    /// The variable's number, and its range.
    Loop { variable: usize, start: Affine, stop: Affine, step: i64, body: Vec<Stmt> },
    /// `left op right`
    If { op: &'static str, left: Affine, right: Affine, body: Vec<Stmt> },
    /// A condition that depends on data.
    Maybe(Vec<Stmt>),
}

#[derive(Clone, Debug)]
pub struct Body {
    start: i64,
    stop: Affine,
    step: i64,
    dims: Vec<i64>,
    /// The function makes the array itself, so its lengths are known.
    own_array: bool,
    stmts: Vec<Stmt>,
}

/// What the parameters are in one run.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub n: i64,
    pub s: i64,
    /// What conditions on data give.
    pub maybe: bool,
}

impl Body {
    pub fn random(random: &mut Random) -> Self {
        let symbolic = random.percent(40);
        let dims = if random.percent(60) { vec![700] } else { vec![400, 400] };
        let down = random.percent(15);
        let (mut start, mut step) =
            (random.pick(0, 3), if random.percent(75) { 1 } else { random.pick(2, 3) });
        let mut stop = Affine::default();
        if symbolic {
            stop.factors[LENGTH] = 1;
        } else {
            stop.constant = start + random.pick(2, 10);
        }
        if down && !symbolic {
            (start, stop.constant, step) = (stop.constant - 1, start - 1, -step);
        }
        let own_array = random.percent(40);
        let mut body = Self { start, stop, step, dims, own_array, stmts: Vec::new() };
        let count = random.pick(1, 3);
        for number in 0..count {
            let stmt = body.stmt(random, 0, number == 0);
            body.stmts.push(stmt);
        }
        body
    }

    fn stmt(&self, random: &mut Random, depth: usize, writes: bool) -> Stmt {
        match random.pick(0, 99) {
            0..22 if depth < 2 => self.inner(random, depth, writes),
            22..34 => {
                let op = ["lt", "le", "gt", "ge", "eq", "ne"][random.pick(0, 5) as usize];
                let mut left = Affine::default();
                left.factors[0] = 1;
                if depth > 0 && random.percent(50) {
                    left.factors[1] = random.pick(-1, 1);
                }
                let right = Affine { constant: random.pick(0, 6), ..Affine::default() };
                Stmt::If { op, left, right, body: vec![self.stmt(random, depth, writes)] }
            }
            34..36 => Stmt::Maybe(vec![self.stmt(random, depth, writes)]),
            _ => Stmt::Access {
                writes: writes || random.percent(45),
                array: usize::from(!writes && random.percent(15)),
                at: (0..self.dims.len()).map(|axis| self.index(random, depth, axis)).collect(),
                called: random.percent(12),
            },
        }
    }

    fn inner(&self, random: &mut Random, depth: usize, writes: bool) -> Stmt {
        let number = |constant| Affine { constant, ..Affine::default() };
        let mut start = number(random.pick(0, 2));
        let mut stop = number(start.constant + random.pick(1, 5));
        let mut step = if random.percent(80) { 1 } else { 2 };
        match random.pick(0, 9) {
            // As long as the index says.
            0 => stop = Affine { factors: [1, 0, 0, 0, 0], constant: random.pick(0, 2) },
            1 if self.stop.factors[LENGTH] == 1 => {
                stop = Affine { factors: [0, 0, 0, 1, 0], constant: 0 };
            }
            2 => (start, stop, step) = (number(stop.constant - 1), number(start.constant - 1), -step),
            _ => {}
        }
        let body = (0..random.pick(1, 2)).map(|n| self.stmt(random, depth + 1, writes && n == 0)).collect();
        Stmt::Loop { variable: depth + 1, start, stop, step, body }
    }

    fn index(&self, random: &mut Random, depth: usize, axis: usize) -> Index {
        let mut affine = Affine::default();
        let own_axis = axis == 0 || random.percent(40);
        let stretch = if random.percent(70) { 1 } else { random.pick(2, 4) };
        let blocks = depth > 0 && self.dims.len() == 1 && random.percent(50);
        if blocks {
            // A block for each iteration, or nearly.
            affine.factors[0] = random.pick(4, 6);
            affine.factors[depth] = 1;
        } else {
            affine.factors[0] = if own_axis && random.percent(85) { stretch } else { 0 };
            for factor in &mut affine.factors[1..=depth] {
                *factor = if random.percent(35) { random.pick(1, 2) } else { 0 };
            }
        }
        affine.constant = match random.pick(0, 9) {
            0..6 => 0,
            6..8 => random.pick(1, 4),
            8 => random.pick(5, 12),
            _ => random.pick(-4, -1),
        };
        if random.percent(3) {
            affine.factors[0] = -affine.factors[0];
            affine.constant += 20;
        }
        if random.percent(3) {
            affine.factors[OFFSET] = 1;
        }
        if self.stop.factors[LENGTH] == 1 && random.percent(4) {
            affine.factors[LENGTH] = 1;
        }
        match random.pick(0, 29) {
            0 => Index::Quotient(affine, random.pick(2, 3)),
            1 => Index::Rest(affine, random.pick(2, 12)),
            _ => Index::Plain(affine),
        }
    }

    /// The same for short loops, with arrays that are no larger than that takes.
    pub fn small(mut self) -> Self {
        self.dims.fill(120);
        self
    }

    pub fn dims(&self) -> &[i64] {
        &self.dims
    }

    pub const fn array_params(&self) -> usize {
        if self.own_array { 1 } else { 2 }
    }

    /// Whether two iterations touch one element, and one of them writes it; `None` for an index out of range.
    pub fn conflicts(&self, run: Run) -> Option<bool> {
        let mut touched = Touched::default();
        let mut now = [0, 0, 0, run.n, run.s];
        for (round, i) in range(self.start, self.stop.at(&now), self.step).enumerate() {
            now[0] = i;
            touched.round = round;
            self.go(&self.stmts, &mut now, run, &mut touched)?;
        }
        Some(touched.conflict)
    }

    fn go(&self, stmts: &[Stmt], now: &mut [i64; 5], run: Run, touched: &mut Touched) -> Option<()> {
        for stmt in stmts {
            match stmt {
                Stmt::Access { writes, array, at, .. } => {
                    let mut element = vec![*array as i64];
                    for (index, &dim) in at.iter().zip(&self.dims) {
                        let index = index.at(now);
                        let index = if index < 0 { index + dim } else { index };
                        (0..dim).contains(&index).then_some(())?;
                        element.push(index);
                    }
                    touched.touch(element, *writes);
                }
                Stmt::Loop { variable, start, stop, step, body } => {
                    for value in range(start.at(now), stop.at(now), *step) {
                        now[*variable] = value;
                        self.go(body, now, run, touched)?;
                    }
                }
                Stmt::If { op, left, right, body } => {
                    let (a, b) = (left.at(now), right.at(now));
                    let holds = match *op {
                        "lt" => a < b,
                        "le" => a <= b,
                        "gt" => a > b,
                        "ge" => a >= b,
                        "eq" => a == b,
                        _ => a != b,
                    };
                    if holds {
                        self.go(body, now, run, touched)?;
                    }
                }
                Stmt::Maybe(body) => {
                    if run.maybe {
                        self.go(body, now, run, touched)?;
                    }
                }
            }
        }
        Some(())
    }

    /// `@f(a, b, n, s, maybe)`, or without `a`.
    pub fn ir(&self) -> String {
        self.text(false)
    }

    /// The same, where iterations also add up a float of each index, which the function gives.
    pub fn summing_ir(&self) -> String {
        self.text(true)
    }

    fn text(&self, sums: bool) -> String {
        let array = format!("array<f64, {}>", self.dims.len());
        let mut text = Text::default();
        let indices: Vec<String> = (0..self.dims.len()).map(|axis| format!("%x{axis}")).collect();
        let params: Vec<String> = indices.iter().map(|x| format!("{x}: i64")).collect();
        let (indices, params) = (indices.join(", "), params.join(", "));
        text.line(&format!("func @set array (%a: {array}, {params}) -> () {{"));
        text.line(&format!("%v: f64 = const 2.0\nstore %a, %v, {indices}\nreturn\n}}"));
        text.line(&format!("func @get array (%a: {array}, {params}) -> () {{"));
        text.line(&format!("%v: f64 = load %a, {indices}\nreturn\n}}"));
        let own = if self.own_array { String::new() } else { format!("%a0: {array}, ") };
        let result = if sums { "f64" } else { "" };
        text.line(&format!(
            "func @f array ({own}%a1: {array}, %n: i64, %s: i64, %maybe: bool) -> ({result}) {{"
        ));
        text.line("%value: f64 = const 1.0");
        if self.own_array {
            let dims: Vec<String> = self.dims.iter().map(|&dim| text.number(dim)).collect();
            text.line(&format!("%a0: {array} = zeros {}", dims.join(", ")));
        }
        let start = text.number(self.start);
        let stop = text.affine(&self.stop);
        let step = text.number(self.step);
        if sums {
            text.line(&format!(
                "%sum: f64 = pfor[sum] {start}, {stop}, {step}, %value {{\n(%i: i64, %before: f64):"
            ));
            text.stmts(&self.stmts);
            // Sums of such numbers depend on their order.
            text.line("%x: f64 = cast %i\n%y: f64 = sin %x\n%after: f64 = add %before, %y");
            text.line("continue[0] %after\n}\nreturn %sum\n}");
        } else {
            text.line(&format!("pfor {start}, {stop}, {step} {{\n(%i: i64):"));
            text.stmts(&self.stmts);
            text.line("continue[0]\n}\nreturn\n}");
        }
        text.numbered()
    }
}

impl Affine {
    fn at(&self, now: &[i64; 5]) -> i64 {
        self.factors.iter().zip(now).map(|(factor, value)| factor * value).sum::<i64>() + self.constant
    }
}

impl Index {
    fn at(&self, now: &[i64; 5]) -> i64 {
        match self {
            Self::Plain(affine) => affine.at(now),
            Self::Quotient(affine, by) => affine.at(now).div_euclid(*by),
            Self::Rest(affine, by) => affine.at(now).rem_euclid(*by),
        }
    }
}

fn range(start: i64, stop: i64, step: i64) -> impl Iterator<Item = i64> {
    (0..).map(move |k| start + k * step).take_while(move |&i| if step > 0 { i < stop } else { i > stop })
}

#[derive(Default)]
struct Touched {
    round: usize,
    /// By element: the first and the last round that touched it, and that wrote it.
    rounds: BTreeMap<Vec<i64>, [Option<(usize, usize)>; 2]>,
    conflict: bool,
}

impl Touched {
    fn touch(&mut self, element: Vec<i64>, writes: bool) {
        let round = self.round;
        let [all, writers] = self.rounds.entry(element).or_default();
        let before = if writes { &*all } else { &*writers };
        self.conflict |= before.is_some_and(|(first, last)| first != round || last != round);
        let add =
            |rounds: &mut Option<(usize, usize)>| *rounds = Some((rounds.map_or(round, |r| r.0), round));
        add(all);
        if writes {
            add(writers);
        }
    }
}

/// IR with names in the place of numbers.
#[derive(Default)]
struct Text {
    text: String,
    made: usize,
}

impl Text {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    fn make(&mut self, ty: &str, what: &str) -> String {
        self.made += 1;
        let name = format!("%t{}", self.made);
        self.line(&format!("{name}: {ty} = {what}"));
        name
    }

    fn number(&mut self, number: i64) -> String {
        self.make("i64", &format!("const {number}"))
    }

    fn affine(&mut self, affine: &Affine) -> String {
        let mut sum = None;
        for (&factor, name) in affine.factors.iter().zip(NAMES).filter(|(factor, _)| **factor != 0) {
            let term = if factor == 1 {
                name.to_owned()
            } else {
                let factor = self.number(factor);
                self.make("i64", &format!("mul {name}, {factor}"))
            };
            sum = Some(match sum {
                None => term,
                Some(sum) => self.make("i64", &format!("add {sum}, {term}")),
            });
        }
        match sum {
            None => self.number(affine.constant),
            Some(sum) if affine.constant == 0 => sum,
            Some(sum) => {
                let constant = self.number(affine.constant);
                self.make("i64", &format!("add {sum}, {constant}"))
            }
        }
    }

    fn index(&mut self, index: &Index) -> String {
        let (op, affine, by) = match index {
            Index::Plain(affine) => return self.affine(affine),
            Index::Quotient(affine, by) => ("floordiv", affine, by),
            Index::Rest(affine, by) => ("mod", affine, by),
        };
        let (number, by) = (self.affine(affine), self.number(*by));
        self.make("i64", &format!("{op} {number}, {by}"))
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Access { writes, array, at, called } => {
                let at: Vec<String> = at.iter().map(|index| self.index(index)).collect();
                let at = at.join(", ");
                match (called, writes) {
                    (true, true) => self.line(&format!("call[@set] %a{array}, {at}")),
                    (true, false) => self.line(&format!("call[@get] %a{array}, {at}")),
                    (false, true) => self.line(&format!("store %a{array}, %value, {at}")),
                    (false, false) => {
                        self.make("f64", &format!("load %a{array}, {at}"));
                    }
                }
            }
            Stmt::Loop { variable, start, stop, step, body } => {
                let (start, stop, step) = (self.affine(start), self.affine(stop), self.number(*step));
                let name = format!("{}_{}", NAMES[*variable], self.made);
                self.line(&format!("for {start}, {stop}, {step} {{\n({name}: i64):"));
                // The body knows the index by its plain name.
                let before = self.text.len();
                self.stmts(body);
                let inner = self.text.split_off(before);
                self.text.push_str(&renamed(&inner, NAMES[*variable], &name));
                self.line("continue[0]\n}");
            }
            Stmt::If { op, left, right, body } => {
                let (left, right) = (self.affine(left), self.affine(right));
                let test = self.make("bool", &format!("{op} {left}, {right}"));
                self.branch(&test, body);
            }
            Stmt::Maybe(body) => self.branch("%maybe", body),
        }
    }

    fn branch(&mut self, test: &str, body: &[Stmt]) {
        self.line(&format!("if {test} {{"));
        self.stmts(body);
        self.line("yield\n} else {\nyield\n}");
    }

    /// With a number for each name, counted in each function.
    fn numbered(&self) -> String {
        let mut out = String::new();
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        for line in self.text.lines() {
            if line.starts_with("func") {
                numbers.clear();
            }
            for (i, part) in line.split('%').enumerate() {
                if i == 0 {
                    out.push_str(part);
                    continue;
                }
                let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
                let next = numbers.len();
                let number = *numbers.entry(part[..end].to_owned()).or_insert(next);
                let _ = write!(out, "%{number}{}", &part[end..]);
            }
            out.push('\n');
        }
        out
    }
}

fn renamed(text: &str, from: &str, to: &str) -> String {
    let mut out = String::new();
    for (i, part) in text.split(from).enumerate() {
        if i > 0 {
            let whole = !part.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            out.push_str(if whole { to } else { from });
        }
        out.push_str(part);
    }
    out
}
