//! Which numbers of array IR are never negative, and never a negative zero. NaN may be among them.
//!
//! Of such numbers equal ones are alike, which decides where one may stand for another.

use std::cell::RefCell;
use std::collections::BTreeSet;

use pydd_ir::alias::MemoryInfo;
use pydd_ir::rewrite::{Layout, Uses};
use pydd_ir::{DType, ElemOp, Function, Literal, Op, OpKind, ReduceOp, Value, ValueDef};

use super::jumps::runs_to_its_end;

/// Values that are looked at for one answer, at most.
const MOST: usize = 200;

/// What numbers and elements are judged by.
pub struct Positive<'f> {
    pub func: &'f Function,
    pub memory: &'f MemoryInfo,
    pub layout: &'f Layout,
    pub uses: &'f Uses,
}

/// Values that were looked at. One "no" decides, so until then all of them are positive: what a loop carries is if the next
/// iteration's is, and what it starts from.
type Seen = RefCell<BTreeSet<Value>>;

impl Positive<'_> {
    /// Whether a number, or each element of an array, is such.
    #[must_use]
    pub fn holds(&self, value: Value) -> bool {
        self.of(value, &Seen::default())
    }

    fn of(&self, value: Value, seen: &Seen) -> bool {
        if !seen.borrow_mut().insert(value) {
            return true;
        }
        let Some(dtype) = self.func.ty(value).dtype().filter(|dtype| !dtype.is_complex()) else {
            return false;
        };
        if dtype == DType::Bool || dtype.is_unsigned_int() {
            return true;
        }
        if seen.borrow().len() > MOST {
            return false;
        }
        let changes =
            self.func.ty(value).is_array() && self.memory.classes(value).intersects(self.memory.written());
        match self.func.values[value].def {
            ValueDef::Result(op, _) if changes => {
                matches!(self.func.ops[op].kind, OpKind::Empty | OpKind::Zeros) && self.filled(value, seen)
            }
            ValueDef::Param(..) if changes => false,
            ValueDef::Result(op, place) => self.made(op, place as usize, seen),
            ValueDef::Param(block, place) => {
                let looped = self.layout.parent_of_block(block);
                let carries = looped.filter(|&op| place > 0 && self.func.ops[op].kind == OpKind::For);
                carries.is_some_and(|op| self.made(op, place as usize - 1, seen))
            }
        }
    }

    fn made(&self, op: Op, place: usize, seen: &Seen) -> bool {
        let func = self.func;
        let data = &func.ops[op];
        let holds = |&value: &Value| self.of(value, seen);
        let is_float = || func.ty(data.results[place]).dtype().is_some_and(DType::is_float);
        match &data.kind {
            OpKind::Const(Literal::Float(bits)) => {
                let number = f64::from_bits(*bits);
                number.is_nan() || number.is_sign_positive()
            }
            OpKind::Const(Literal::Int(number)) => *number >= 0,
            OpKind::Zeros | OpKind::Dim(_) => true,
            OpKind::Full | OpKind::Load | OpKind::Copy => holds(&data.args[0]),
            OpKind::View(_) | OpKind::Transpose(_) | OpKind::BroadcastTo | OpKind::Reshape => {
                holds(&data.args[0])
            }
            // Integers wrap around.
            OpKind::Cast => is_float() && holds(&data.args[0]),
            OpKind::Elem(elem) => is_float() && self.computed(*elem, &data.args, seen),
            OpKind::Reduce(spec) => {
                let keeps = matches!(spec.op, ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Min | ReduceOp::Max);
                keeps && is_float() && holds(&data.args[0])
            }
            OpKind::For => {
                let end = func.terminator(data.regions[0]);
                runs_to_its_end(func, data.regions[0])
                    && holds(&func.init(op)[place])
                    && end.is_some_and(|end| holds(&func.ops[end].args[place]))
            }
            OpKind::If => data.regions.iter().all(|&region| {
                let end = func.terminator(region).filter(|&end| func.ops[end].kind == OpKind::Yield);
                end.is_some_and(|end| holds(&func.ops[end].args[place]))
            }),
            _ => false,
        }
    }

    /// Whether what an operation makes of these is, a float.
    fn computed(&self, elem: ElemOp, args: &[Value], seen: &Seen) -> bool {
        let all = |args: &[Value]| args.iter().all(|&arg| self.of(arg, seen));
        match elem {
            ElemOp::Abs | ElemOp::Exp => true,
            ElemOp::Mul => args[0] == args[1] || all(args),
            ElemOp::Pow => all(&args[..1]),
            ElemOp::Add | ElemOp::Div | ElemOp::Min | ElemOp::Max | ElemOp::Sqrt => all(args),
            ElemOp::Select => all(&args[1..]),
            _ => false,
        }
    }

    /// Whether all that is put into a new array is, as far as it is known who has it.
    fn filled(&self, array: Value, seen: &Seen) -> bool {
        self.uses.of(array).iter().all(|used| {
            let data = &self.func.ops[used.op];
            match data.kind {
                OpKind::Store | OpKind::Assign if used.index == 0 => self.of(data.args[1], seen),
                OpKind::View(_) | OpKind::Transpose(_) => self.filled(data.results[0], seen),
                OpKind::Load | OpKind::Dim(_) | OpKind::Reduce(_) | OpKind::Elem(_) | OpKind::Cast => true,
                _ => false,
            }
        })
    }
}
