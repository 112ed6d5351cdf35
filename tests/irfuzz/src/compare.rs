//! What a call gives, in a form that all ways of running share.

use crate::args::ArgSet;
use pydd_interp::{Array, Interp, Scalar, Stop, Val};
use pydd_ir::{DType, FuncRef, Module};

/// A result, elements in row-major order.
#[derive(Clone, Debug)]
pub enum Item {
    Scalar(Scalar),
    /// `view`: the buffer and the offset in it of the first element, where an argument's memory is viewed.
    Array {
        dims: Vec<i64>,
        items: Vec<Scalar>,
        view: Option<(usize, i64)>,
    },
    List(Vec<Scalar>),
}

#[derive(Clone, Debug)]
pub enum Outcome {
    Returned {
        results: Vec<Item>,
        /// Argument memory and lists afterwards.
        buffers: Vec<Vec<u8>>,
        lists: Vec<Vec<Scalar>>,
    },
    Raised {
        exc: &'static str,
        message: String,
        line: u32,
    },
    /// Says nothing about others.
    TooLong,
    /// A broken rule of the IR.
    Fault(String),
    /// Memory that is still owned.
    Leak(String),
}

/// Bitwise equal, any NaN as good as another.
fn same_scalar(a: Scalar, b: Scalar) -> bool {
    let float = |x: f64, y: f64| (x.is_nan() && y.is_nan()) || x.to_bits() == y.to_bits();
    match (a, b) {
        (Scalar::Float(x, d), Scalar::Float(y, e)) => d == e && float(x, y),
        (Scalar::Complex(a, b, d), Scalar::Complex(x, y, e)) => d == e && float(a, x) && float(b, y),
        _ => a == b,
    }
}

fn same_scalars(a: &[Scalar], b: &[Scalar]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&x, &y)| same_scalar(x, y))
}

fn same_item(a: &Item, b: &Item) -> bool {
    match (a, b) {
        (Item::Scalar(a), Item::Scalar(b)) => same_scalar(*a, *b),
        (Item::List(a), Item::List(b)) => same_scalars(a, b),
        (Item::Array { dims: d, items: a, view: v }, Item::Array { dims: e, items: b, view: w }) => {
            d == e && same_scalars(a, b) && (a.is_empty() || v == w)
        }
        _ => false,
    }
}

fn same_buffer(a: &[u8], b: &[u8], (dtype, first): (DType, usize)) -> bool {
    if a == b {
        return true;
    }
    let size = usize::try_from(dtype.size()).expect("small");
    let scalars = |bytes: &[u8]| -> Vec<Scalar> {
        bytes[first..].chunks_exact(size).map(|c| Scalar::from_bytes(c, dtype)).collect()
    };
    // A bool other than 0 and 1 is a difference.
    a.len() == b.len()
        && a[..first] == b[..first]
        && dtype != DType::Bool
        && same_scalars(&scalars(a), &scalars(b))
}

/// What differs, as a word and in detail.
#[must_use]
pub fn differ(expected: &Outcome, got: &Outcome, args: &ArgSet) -> Option<(&'static str, String)> {
    let detail = |what: &str| Some(format!("{what}\nexpected: {expected:?}\n     got: {got:?}"));
    match (expected, got) {
        (Outcome::TooLong, _) | (_, Outcome::TooLong) => None,
        (_, Outcome::Fault(what)) => detail(what).map(|d| ("fault", d)),
        (_, Outcome::Leak(what)) => detail(what).map(|d| ("leak", d)),
        (
            Outcome::Returned { results, buffers, lists },
            Outcome::Returned { results: r, buffers: b, lists: l },
        ) => {
            let wrong = (0..results.len().max(r.len()))
                .find(|&i| !matches!((results.get(i), r.get(i)), (Some(x), Some(y)) if same_item(x, y)));
            if let Some(i) = wrong {
                let text = format!("result {i}\nexpected: {:?}\n     got: {:?}", results.get(i), r.get(i));
                return Some(("value", text));
            }
            for (i, (x, y)) in buffers.iter().zip(b).enumerate() {
                if !same_buffer(x, y, args.grain[i]) {
                    let d = args.grain[i].0;
                    return Some(("memory", format!("buffer {i} of {d}\nexpected: {x:?}\n     got: {y:?}")));
                }
            }
            let same = lists.len() == l.len() && lists.iter().zip(l).all(|(x, y)| same_scalars(x, y));
            (!same).then(|| ("lists", format!("lists\nexpected: {lists:?}\n     got: {l:?}")))
        }
        (Outcome::Raised { exc, message, line }, Outcome::Raised { exc: e, message: m, line: n }) => {
            if exc != e {
                return detail("exception").map(|d| ("exception", d));
            }
            // Where CPython notices endless recursion is its own matter.
            if *exc == "RecursionError" {
                return None;
            }
            if line != n {
                return detail("line").map(|d| ("line", d));
            }
            // Messages with many lengths show none.
            let cut = m.len() > 20 && message.starts_with(m.as_str());
            if message != m && !cut {
                return detail("message").map(|d| ("message", d));
            }
            None
        }
        _ => detail("exception or none").map(|d| ("raises", d)),
    }
}

/// Calls a function in the interpreter.
#[must_use]
pub fn interpret(module: &Module, func: FuncRef, args: &ArgSet, steps: u64) -> Outcome {
    let (vals, memory) = args.vals();
    let mut interp = Interp::new(module).with_steps(steps);
    let given = vals.clone();
    let lists = || -> Vec<Vec<Scalar>> {
        let list = |v: &Val| match v {
            Val::List(_, items) => Some(items.borrow().iter().filter_map(Val::as_scalar).collect()),
            _ => None,
        };
        given.iter().filter_map(list).collect()
    };
    let outcome = match interp.call(func, vals) {
        Ok(results) => {
            let items = results.iter().map(|v| item(v, &memory)).collect();
            interp.release(&results);
            Outcome::Returned {
                results: items,
                buffers: memory.iter().map(|b| b.borrow().clone()).collect(),
                lists: lists(),
            }
        }
        Err(Stop::Raise(raised)) => Outcome::Raised {
            exc: raised.exc.name(),
            message: raised.message.unwrap_or_default(),
            line: raised.loc.line,
        },
        Err(Stop::Fault(what)) => return Outcome::Fault(what),
        Err(Stop::OutOfSteps) => return Outcome::TooLong,
    };
    match interp.live() {
        0 => outcome,
        // Before the pass that places releases.
        _ if module.funcs.values().all(|f| f.slots == 0) => outcome,
        n => Outcome::Leak(format!("{n} arrays or lists are still owned")),
    }
}

fn item(value: &Val, memory: &[std::rc::Rc<std::cell::RefCell<Vec<u8>>>]) -> Item {
    match value {
        Val::Scalar(s) => Item::Scalar(*s),
        Val::List(_, items) => Item::List(items.borrow().iter().filter_map(Val::as_scalar).collect()),
        Val::Array(a) => array_item(a, memory),
        Val::Str(_) => Item::List(Vec::new()),
    }
}

fn array_item(a: &Array, memory: &[std::rc::Rc<std::cell::RefCell<Vec<u8>>>]) -> Item {
    let place = memory.iter().position(|m| std::rc::Rc::ptr_eq(m, &a.bytes));
    let items = if a.size() == 0 { Vec::new() } else { a.scalars() };
    Item::Array { dims: a.dims.clone(), items, view: place.map(|i| (i, a.offset)) }
}
