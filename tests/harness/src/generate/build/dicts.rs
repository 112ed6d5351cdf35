//! Random dicts and sets: filled in loops, with deletions, and read in their order.

use super::super::expression::{Var, small};
use super::super::tree::{Bits, Elem, Expr, Stmt, Ty};
use super::Builder;

impl Builder<'_> {
    /// A dict of integers that a loop fills, on threads or not, and a number that depends on all that is in it.
    pub(super) fn dict(&mut self, parallel: bool) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        let (name, value) = (self.fresh_name(), self.fresh_name());
        let dict = format!("d{name}");
        self.indices.push(("i".to_owned(), over.ty.dims[0]));
        let (key, item) = (self.small_integer(), self.small_integer());
        let keys = *self.random.pick(&["({}) % 4", "({}) % 3, i % 2", "(({}) % 3 == 1, i % 3)"]);
        let condition = self.scope().expr(&Ty::scalar(Elem::Bool), 2);
        self.indices.pop();
        let made = *self.random.pick(&["defaultdict(int)", "dict()"]);
        let made = format!("{dict} = {made}");
        let at_key = format!("k{name}");
        let set_key = Stmt::of(&format!("{at_key} = {keys}"), vec![key]);
        let combined =
            Stmt::of(&format!("{dict}[{at_key}] = {dict}.get({at_key}, 0) + {{}}"), vec![item.clone()]);
        let body = match self.random.below(3) {
            _ if parallel => vec![set_key, combined],
            0 => vec![set_key, combined],
            1 => vec![set_key, Stmt::of(&format!("{dict}[{at_key}] = {{}}"), vec![item])],
            _ => {
                let mut test = Stmt::of(&format!("if {at_key} in {dict} and {{}}:"), vec![condition]);
                test.bodies.push(vec![Stmt::of(&format!("del {dict}[{at_key}]"), vec![])]);
                test.bodies.push(vec![Stmt::of(&format!("{dict}[{at_key}] = {{}}"), vec![item])]);
                vec![set_key, test]
            }
        };
        let keyword = if parallel { "pfor" } else { "for" };
        let mut fill = Stmt::of(&format!("{keyword} i in range({}.shape[0]):", over.name), vec![]);
        fill.bodies.push(body);
        let start = *self.random.pick(&["len({})", "sum({}.values())", "len({}.copy())"]);
        let mut read = Stmt::of(&format!("for m{name} in {dict}.values():"), vec![]);
        read.bodies.push(vec![Stmt::of(&format!("{value} = ({value} * 3 + m{name}) % 1024"), vec![])]);
        let first = format!("{value} = np.int64({})", start.replace("{}", &dict));
        self.vars.push(Var { name: value, ty: Ty::scalar(Elem::I64), bits: Bits { whole: 12, fraction: 0 } });
        vec![Stmt::of(&made, vec![]), fill, Stmt::of(&first, vec![]), read]
    }

    /// A set of integers, and what is in it.
    pub(super) fn set(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        let (name, value) = (self.fresh_name(), self.fresh_name());
        let set = format!("s{name}");
        self.indices.push(("i".to_owned(), over.ty.dims[0]));
        let (item, other) = (self.small_integer(), self.small_integer());
        self.indices.pop();
        let change = *self.random.pick(&["add", "add", "discard"]);
        let mut fill = Stmt::of(&format!("for i in range({}.shape[0]):", over.name), vec![]);
        fill.bodies.push(vec![
            Stmt::of(&format!("{set}.add(({{}}) % 6)"), vec![item]),
            Stmt::of(&format!("{set}.{change}(({{}}) % 5)"), vec![other]),
        ]);
        let read = *self.random.pick(&[
            "len({})",
            "sum({})",
            "sum({} | {1, 2, 9}) + len({} & {0, 1})",
            "len({} ^ {3}) + (1 if {} <= {0, 1, 2, 3, 4, 5} else 0)",
            "sum(sorted({})[:2])",
        ]);
        let read = read.replace("{}", &set);
        self.vars.push(Var {
            name: value.clone(),
            ty: Ty::scalar(Elem::I64),
            bits: Bits { whole: 12, fraction: 0 },
        });
        let made = Stmt::of(&format!("{set} = set()"), vec![]);
        vec![made, fill, Stmt::of(&format!("{value} = np.int64({read})"), vec![])]
    }

    /// Lists or sets that a loop fills, in a dict or a list, and a number that depends on all that is in them.
    pub(super) fn held(&mut self) -> Vec<Stmt> {
        let arrays = self.arrays();
        let over = self.random.pick(&arrays).clone();
        let (name, value) = (self.fresh_name(), self.fresh_name());
        let held = format!("h{name}");
        self.indices.push(("i".to_owned(), over.ty.dims[0]));
        let (key, item) = (self.small_integer(), self.small_integer());
        self.indices.pop();
        let at_key = format!("k{name}");
        let set_key = Stmt::of(&format!("{at_key} = ({{}}) % 4"), vec![key]);
        let (made, change, items) = *self.random.pick(&[
            ("defaultdict(list)", "{h}[{k}].append({})", "xs"),
            ("dict()", "{h}.setdefault({k}, []).append({})", "xs"),
            ("{j: [j] for j in range(4)}", "{h}[{k}] += [{}, i]", "xs"),
            ("{j: [j] for j in range(4)}", "{h}[{k}] = [{}] + {h}[(i + 1) % 4]", "xs"),
            ("defaultdict(set)", "{h}[{k}].add(({}) % 5)", "sorted(xs)"),
            ("defaultdict(lambda: defaultdict(int))", "{h}[{k}][i % 2] += {}", "xs.values()"),
            ("{j: {j} for j in range(4)}", "{h}[{k}] |= {{}, 7}", "sorted(xs)"),
            ("[set() for j in range(4)]", "{h}[{k}].add(({}) % 6)", "sorted(xs)"),
            ("[{j: j} for j in range(4)]", "{h}[{k}][i % 3] = {}", "xs.values()"),
            ("[[j] for j in range(4)]", "{h}[{k}] += [{}]", "xs"),
        ]);
        let change = change.replace("{h}", &held).replace("{k}", &at_key);
        let mut body = vec![set_key, Stmt::of(&change, vec![item])];
        let is_list = made.starts_with('[');
        if !is_list && self.random.one_in(3) {
            let mut test = Stmt::of(&format!("if i % 3 == 2 and 1 in {held}:"), vec![]);
            let changes = [format!("del {held}[1]"), format!("{held}[3] = {held}.pop(1)")];
            test.bodies.push(vec![Stmt::of(self.random.pick::<String>(&changes), vec![])]);
            // The others need all keys.
            if made.starts_with("default") || made == "dict()" {
                body.push(test);
            }
        }
        let mut fill = Stmt::of(&format!("for i in range({}.shape[0]):", over.name), vec![]);
        fill.bodies.push(body);
        let all = if is_list { held.clone() } else { format!("{held}.values()") };
        let mut read = Stmt::of(&format!("for xs in {all}:"), vec![]);
        let mut inner = Stmt::of(&format!("for m{name} in {items}:"), vec![]);
        inner.bodies.push(vec![Stmt::of(&format!("{value} = ({value} * 3 + m{name}) % 1024"), vec![])]);
        read.bodies.push(vec![inner]);
        self.vars.push(Var {
            name: value.clone(),
            ty: Ty::scalar(Elem::I64),
            bits: Bits { whole: 12, fraction: 0 },
        });
        let made = Stmt::of(&format!("{held} = {made}"), vec![]);
        vec![made, fill, Stmt::of(&format!("{value} = np.int64(len({held}))"), vec![]), read]
    }

    pub(super) fn small_integer(&mut self) -> Expr {
        small(self.scope().expr(&Ty::scalar(Elem::I64), 2))
    }
}
