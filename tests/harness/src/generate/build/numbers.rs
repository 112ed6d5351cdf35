//! Random numbers of Python's and of NumPy's widths in one variable: in branches, loops, choices, `min` and `max`.
//!
//! What is printed shows values and how they are computed with. Types that become one where they meet are not mixed:
//! Python's integers with floats or int64, float32 with what makes float64 of it; and no variable gets more than four.

use super::super::tree::Stmt;
use super::Builder;

/// Element types, values of an array, Python's numbers that meet them, and operations on both.
struct Kind {
    dtypes: &'static [&'static str],
    items: &'static [&'static str],
    python: &'static [&'static str],
    steps: &'static [&'static str],
    /// Whether sums round, so that they are the same in source order alone.
    rounds: bool,
}

const KINDS: [Kind; 4] = [
    Kind {
        dtypes: &["int8", "int16", "int32", "uint8", "uint16"],
        items: &["0", "1", "3", "77", "100", "127"],
        python: &["0", "-1", "5", "77", "300", "70000"],
        steps: &[
            "{} + 1",
            "{} * 3",
            "{} - 2",
            "{} // 2",
            "{} % 7",
            "-{}",
            "abs({})",
            "~{}",
            "{} & 63",
            "{} >> 1",
            "{} ** 2 % 50",
        ],
        rounds: false,
    },
    Kind {
        dtypes: &["float32"],
        items: &["0", "1", "3", "77", "100", "127"],
        python: &["0.0", "0.1", "-1.5", "0.7", "5e4", "3.0"],
        steps: &["{} + 1", "{} * 3", "{} - 2", "{} % 7", "-{}", "abs({})", "{} * 0.1", "{} + 0.7"],
        rounds: true,
    },
    Kind {
        dtypes: &["float32"],
        items: &["0", "1", "3", "7"],
        python: &["0.0", "0.25", "-1.5", "3.0"],
        steps: &["{} + 1", "{} - 2", "{} % 7", "-{}", "abs({})", "{} + 0.75"],
        rounds: false,
    },
    // NumPy's alone.
    Kind {
        dtypes: &["int8", "int16", "int32", "int64"],
        items: &["0", "1", "3", "77", "100", "127"],
        python: &["np.int8(5)", "np.int8(-128)", "np.int16(300)"],
        steps: &["{} + 1", "{} * 3", "{} - 2", "{} // 2", "{} % 7", "-{}", "abs({})", "~{}"],
        rounds: false,
    },
];

const TESTS: [&str; 6] = ["{} > {}", "{} <= {}", "{} == {}", "i % 2 == 0", "i > 1", "{} != {}"];
const STATEMENTS: [&str; 9] = [
    "{x} = {v}",
    "{x} = {v} if {t} else {v}",
    "{x} = min({x}, {v})",
    "{x} = max({v}, {x})",
    "{x} += {e}",
    "{x} = {s}",
    "{x} = {s} + {e}",
    "{x}, {y} = {y}, {v}",
    "{x} = max({x}, {y}, {e})",
];

impl Builder<'_> {
    /// Variables that a loop gives numbers of several types, and what comes of them.
    pub(super) fn numbers(&mut self, may_round: bool) -> Vec<Stmt> {
        let over = {
            let arrays = self.arrays();
            self.random.pick(&arrays).clone()
        };
        let name = self.fresh_name();
        let kinds: Vec<&Kind> = KINDS.iter().filter(|kind| may_round || !kind.rounds).collect();
        let kind = *self.random.pick(&kinds);
        let mut made = Vec::new();
        let arrays = [format!("{name}a"), format!("{name}b")];
        for array in &arrays {
            let items: Vec<&str> = (0..3).map(|_| *self.random.pick(kind.items)).collect();
            let dtype = self.random.pick(kind.dtypes);
            made.push(line(&format!("{array} = np.array([{}], dtype=np.{dtype})", items.join(", "))));
        }
        let vars = [format!("{name}x"), format!("{name}y"), format!("{name}z")];
        for var in &vars {
            let value = self.start(kind, &arrays);
            made.push(line(&format!("{var} = {value}")));
        }
        let keyword = if self.random.one_in(4) { "while" } else { "for" };
        let count = 2 + self.random.below(4);
        let mut body: Vec<Stmt> =
            (0..count).flat_map(|_| self.step_of_numbers(kind, &vars, &arrays)).collect();
        let mut stmt = match keyword {
            "for" => line(&format!("for i in range(len({})):", over.name)),
            _ => {
                made.push(line("i = 0"));
                body.push(line("i += 1"));
                line(&format!("while i < len({}):", over.name))
            }
        };
        stmt.bodies.push(body);
        made.push(stmt);
        let shown: Vec<String> =
            vars.iter().map(|var| self.random.pick(kind.steps).replace("{}", var)).collect();
        let [x, y, z] = &vars;
        made.push(line(&format!(
            "print({x}, {y}, {z}, {}, {x} / 4, {x} == {y}, {y} < {z})",
            shown.join(", ")
        )));
        made.push(line(&format!("print(f\"{{{x}}} {{{y}!r}}\", ({z}, {x}))")));
        if self.random.one_in(3) {
            // An integer of Python's may not fit; one of NumPy's wraps.
            let array = &arrays[0];
            made.push(line(&format!("{array}[1] = {x}")));
            made.push(line(&format!("print({array}[1])")));
        }
        made
    }

    fn start(&mut self, kind: &Kind, arrays: &[String]) -> String {
        if self.random.one_in(3) {
            return format!("{}[1]", self.random.pick(arrays));
        }
        (*self.random.pick(kind.python)).to_owned()
    }

    fn element_of(&mut self, arrays: &[String]) -> String {
        let index = *self.random.pick(&["0", "-1", "i % 3"]);
        format!("{}[{index}]", self.random.pick(arrays))
    }

    fn value_of(&mut self, kind: &Kind, vars: &[String], arrays: &[String]) -> String {
        match self.random.below(5) {
            0 | 1 => self.element_of(arrays),
            2 => (*self.random.pick(kind.python)).to_owned(),
            3 => self.random.pick(vars).clone(),
            _ => {
                let var = self.random.pick(vars).clone();
                self.random.pick(kind.steps).replace("{}", &var)
            }
        }
    }

    fn test_of(&mut self, vars: &[String], arrays: &[String]) -> String {
        let mut test = (*self.random.pick(&TESTS)).to_owned();
        while test.contains("{}") {
            let operand =
                if self.random.one_in(2) { self.random.pick(vars).clone() } else { self.element_of(arrays) };
            test = test.replacen("{}", &operand, 1);
        }
        test
    }

    fn step_of_numbers(&mut self, kind: &Kind, vars: &[String], arrays: &[String]) -> Vec<Stmt> {
        if self.random.one_in(3) {
            let mut stmt = line(&format!("if {}:", self.test_of(vars, arrays)));
            for _ in 0..=self.random.below(2) {
                let inner = self.plain_step(kind, vars, arrays);
                stmt.bodies.push(vec![inner]);
            }
            return vec![stmt];
        }
        vec![self.plain_step(kind, vars, arrays)]
    }

    fn plain_step(&mut self, kind: &Kind, vars: &[String], arrays: &[String]) -> Stmt {
        let (x, y) = (self.random.pick(vars).clone(), self.random.pick(vars).clone());
        let mut text = self.random.pick(&STATEMENTS).replace("{x}", &x).replace("{y}", &y);
        while text.contains("{v}") {
            text = text.replacen("{v}", &self.value_of(kind, vars, arrays), 1);
        }
        text = text.replace("{t}", &self.test_of(vars, arrays)).replace("{e}", &self.element_of(arrays));
        line(&text.replace("{s}", &self.random.pick(kind.steps).replace("{}", &x)))
    }
}

fn line(text: &str) -> Stmt {
    Stmt::of(text, vec![])
}
