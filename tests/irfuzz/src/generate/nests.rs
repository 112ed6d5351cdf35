//! Nests of loops that single passes look for: iterations that go on for different numbers of steps (`lanes`), steps of elements that
//! need only themselves (`interchange`, `if-convert`), neighbours that wrap (`split-ranges`), arrays that each step makes anew
//! (`update-in-place`), links that are followed again and again (`check-once`), loops over one range whose rows lie between pointers (`fuse-loops`).

use pydd_ir::{DType, ElemOp, OpKind, Type, Value};

use super::{Dim, FIRST_DIM, Frame, FrameKind, Gen, Known};

/// Types that numbers of such nests have.
const TYPES: [DType; 7] =
    [DType::F64, DType::F32, DType::C128, DType::C64, DType::I64, DType::I32, DType::Bool];

/// Whether a length is that of an axis of a parameter.
fn is_of_param(dim: &Dim) -> bool {
    matches!(dim, Dim::Id(id) if *id < FIRST_DIM)
}

impl Gen<'_> {
    pub(super) fn nest(&mut self) {
        if self.frames.len() > 1 || self.frames.iter().any(|frame| frame.kind == FrameKind::Parallel) {
            return;
        }
        match self.rng.below(71) {
            0..3 => self.escapes(),
            3..7 | 42..45 | 54..57 | 64..68 => self.steps(),
            7..9 => self.ring(),
            9..11 => self.generations(),
            11 => self.rows(),
            12 => self.taps(),
            13..15 => self.stencil(),
            15..18 => self.scan(),
            18..20 => self.kept(),
            20..23 => self.filled_list(),
            23..25 => self.carried_list(),
            25..27 => self.table(),
            27..30 => self.small_state(),
            30 => self.bits(),
            31..34 => self.pivots(),
            34..37 => self.recurrence(),
            37..40 => self.columns(),
            40..42 => self.marked(),
            45..48 => self.bordered(),
            48..51 => self.moving(),
            57..61 => self.down_columns(),
            61..64 => self.updates(),
            68..71 => self.links(),
            _ => self.nearest(),
        }
    }

    /// A type of the module's that such a nest may compute with.
    pub(super) fn number_type(&mut self) -> DType {
        let own: Vec<DType> = self.dtypes.iter().copied().filter(|dtype| TYPES.contains(dtype)).collect();
        self.rng.pick(&own)
    }

    /// A float of the module's, if it has any.
    pub(super) fn float_type(&mut self) -> Option<DType> {
        let inexact = |dtype: &DType| dtype.is_float() || dtype.is_complex();
        let own: Vec<DType> =
            self.dtypes.iter().copied().filter(|dtype| TYPES.contains(dtype) && inexact(dtype)).collect();
        (!own.is_empty()).then(|| self.rng.pick(&own))
    }

    /// A number of this type without a conversion.
    pub(super) fn number(&mut self, dtype: DType) -> Value {
        match self.find(|known| known.ty == Type::Scalar(dtype)).filter(|_| self.rng.percent(85)) {
            Some(known) => known.value,
            None => self.constant(dtype),
        }
    }

    /// An operation on numbers that never raises.
    pub(super) fn quiet_op(&mut self, dtype: DType) -> Value {
        let found = (0..20).filter_map(|_| self.elem_op(dtype));
        // Remainders branch, which is why `lanes` leaves them alone.
        let branches = |op: &ElemOp| matches!(op, ElemOp::FloorDiv | ElemOp::Mod | ElemOp::Fmod);
        let wanted = |op: &ElemOp| !branches(op) && !op.may_raise(dtype) && op.result_dtype(dtype) == dtype;
        let ops: Vec<ElemOp> = found.filter(wanted).collect();
        let Some(&op) = ops.first() else { return self.number(dtype) };
        let mut args = Vec::new();
        if op == ElemOp::Select {
            args.push(self.condition());
        }
        while args.len() < op.arity() {
            let arg = self.number(dtype);
            args.push(arg);
        }
        let value = self.make(OpKind::Elem(op), args, Type::Scalar(dtype));
        self.know_scalar(value);
        value
    }

    fn quiet_ops(&mut self, most: usize) {
        for _ in 0..1 + self.rng.below(most) {
            let dtype = self.number_type();
            self.quiet_op(dtype);
        }
    }

    pub(super) fn condition(&mut self) -> Value {
        if self.rng.percent(8)
            && let Some(value) = self.compared_root()
        {
            self.know_scalar(value);
            return value;
        }
        let dtype = self.number_type();
        let op = self.rng.pick(&[ElemOp::Eq, ElemOp::Ne, ElemOp::Lt, ElemOp::Le, ElemOp::Gt, ElemOp::Ge]);
        let (a, b) = (self.number(dtype), self.number(dtype));
        let value = self.make(OpKind::Elem(op), vec![a, b], Type::BOOL);
        self.know_scalar(value);
        value
    }

    /// A loop by one; `body` is given its index and makes all but the end.
    pub(super) fn count(
        &mut self,
        range: [Value; 2],
        index: Option<Dim>,
        body: impl FnOnce(&mut Self, Value),
    ) {
        let one = self.int(1);
        let region = self.region(&[Type::I64], |g, values| {
            g.know_scalar(values[0]);
            g.env.last_mut().expect("just pushed").indexes = index;
            g.frames.push(Frame { kind: FrameKind::For, carried: vec![], results: vec![] });
            body(g, values[0]);
            g.frames.pop();
            g.op(OpKind::Continue(0), vec![], &[], vec![]);
        });
        self.op(OpKind::For, vec![range[0], range[1], one], &[], vec![region]);
    }

    pub(super) fn if_then(&mut self, cond: Value, then: impl FnOnce(&mut Self)) {
        let first = self.region(&[], |g, _| {
            then(g);
            g.op(OpKind::Yield, vec![], &[], vec![]);
        });
        let second = self.region(&[], |g, _| {
            g.op(OpKind::Yield, vec![], &[], vec![]);
        });
        self.op(OpKind::If, vec![cond], &[], vec![first, second]);
    }

    /// ```text
    /// for i in 0, n { x = a[i]; z = loop x { … break unless c … }; b[i] = z }
    /// ```
    fn escapes(&mut self) {
        let Some(dtype) = self.float_type() else { return };
        let Some(a) = self.source(&[Type::array(dtype, 1)]) else { return };
        let length = self.builder().dim(a.value, 0);
        // In place, where iterations need only their own element.
        let in_place = !a.fixed && self.rng.percent(25);
        let result = if in_place { dtype } else { self.number_type() };
        let target = if in_place {
            a.clone()
        } else {
            let value = self.make(OpKind::Empty, vec![length], Type::array(result, 1));
            let fill = self.number(result);
            self.op(OpKind::Assign, vec![value, fill], &[], vec![]);
            self.know(value, a.shape.clone(), false, true)
        };
        let start = self.rng.pick(&[0, 0, 0, 1]);
        let start = self.int(start);
        self.count([start, length], Some(a.shape[0]), |g, i| {
            let x = g.make(OpKind::Load, vec![a.value, i], Type::Scalar(dtype));
            g.know_scalar(x);
            g.quiet_ops(3);
            let state: Vec<Value> = (0..1 + g.rng.below(3))
                .map(|number| {
                    let dtype = if number == 0 { dtype } else { g.number_type() };
                    g.number(dtype)
                })
                .collect();
            let values = g.within(state);
            for value in values {
                g.know_scalar(value);
            }
            if g.rng.percent(30) {
                g.quiet_ops(2);
            }
            let stored = g.number(result);
            if g.rng.percent(15) {
                let cond = g.condition();
                g.if_then(cond, |g| {
                    g.op(OpKind::Store, vec![target.value, stored, i], &[], vec![]);
                });
            } else {
                g.op(OpKind::Store, vec![target.value, stored, i], &[], vec![]);
            }
            if g.rng.percent(15) {
                g.log();
            }
        });
        self.show(target);
    }

    /// An array of one of these types, mostly as long as an argument: loops over few elements are written out.
    pub(super) fn source(&mut self, types: &[Type]) -> Option<Known> {
        let fits = |known: &Known| types.contains(&known.ty);
        let found = self.find(|known| fits(known) && known.shape.iter().all(is_of_param));
        if found.is_some() || self.rng.percent(20) {
            return found.or_else(|| self.find(fits));
        }
        let dtype = types[0].dtype().filter(|dtype| dtype.is_float())?;
        let given = self.find(|known| known.ty.is_array() && known.shape.first().is_some_and(is_of_param))?;
        let count = self.builder().dim(given.value, 0);
        let (start, step) = (self.constant(dtype), self.constant(dtype));
        let value = self.make(OpKind::Iota, vec![start, step, count], Type::array(dtype, 1));
        Some(self.know(value, given.shape[..1].to_vec(), false, true))
    }

    /// A loop of numbers, maybe within a branch or a scope. Gives what comes out.
    fn within(&mut self, state: Vec<Value>) -> Vec<Value> {
        let types: Vec<Type> = state.iter().map(|&value| self.ty(value)).collect();
        match self.rng.below(6) {
            0 => {
                let cond = self.condition();
                let (inner, outer) = (state.clone(), state);
                let looped = self.region(&[], |g, _| {
                    let values = g.stepped(inner, 0);
                    g.op(OpKind::Yield, values, &[], vec![]);
                });
                let other = self.region(&[], |g, _| {
                    g.op(OpKind::Yield, outer, &[], vec![]);
                });
                let op = self.op(OpKind::If, vec![cond], &types, vec![looped, other]);
                self.func.ops[op].results.clone()
            }
            1 => {
                // As `for … else`: the loop may leave it.
                let body = self.region(&[], |g, _| {
                    let values = g.stepped(state, 1);
                    for &value in &values {
                        g.know_scalar(value);
                    }
                    let values = types.iter().map(|ty| g.number(ty.dtype().expect("a number"))).collect();
                    g.op(OpKind::Break(0), values, &[], vec![]);
                });
                let op = self.op(OpKind::Scope, vec![], &types, vec![body]);
                self.func.ops[op].results.clone()
            }
            _ => self.stepped(state, 0),
        }
    }

    /// A loop that changes numbers for a few steps; it may also jump out of so many scopes around it, which have results of the same types.
    fn stepped(&mut self, state: Vec<Value>, scopes: u32) -> Vec<Value> {
        let types: Vec<Type> = state.iter().map(|&value| self.ty(value)).collect();
        let most = self.rng.range(1, 7);
        let (zero, one, most) = (self.int(0), self.int(1), self.int(most));
        let by_range = self.rng.percent(40);
        let params = [&[Type::I64], types.as_slice()].concat();
        let body = self.region(&params, |g, values| {
            let (count, mut current) = (values[0], values[1..].to_vec());
            values.iter().for_each(|&value| g.know_scalar(value));
            if !by_range {
                let done = g.make(OpKind::Elem(ElemOp::Ge), vec![count, most], Type::BOOL);
                g.leave(done, OpKind::Break(0), current.clone());
            }
            for _ in 0..1 + g.rng.below(3) {
                for (value, &ty) in current.iter_mut().zip(&types) {
                    if g.rng.percent(70) {
                        *value = g.changed(ty, *value);
                    }
                }
                let cond = g.condition();
                match g.rng.below(8) {
                    0..3 => g.leave(cond, OpKind::Break(0), current.clone()),
                    3 if scopes > 0 => g.leave(cond, OpKind::Break(1), current.clone()),
                    4 => {
                        let next = g.next_step(by_range, count, one, &current);
                        g.leave(cond, OpKind::Continue(0), next);
                    }
                    _ => {}
                }
            }
            let next = g.next_step(by_range, count, one, &current);
            g.op(OpKind::Continue(0), next, &[], vec![]);
        });
        let (kind, args) = if by_range {
            (OpKind::For, [&[zero, most, one], state.as_slice()].concat())
        } else {
            (OpKind::Loop, [&[zero], state.as_slice()].concat())
        };
        let op = self.op(kind, args, &types, vec![body]);
        self.func.ops[op].results.clone()
    }

    fn next_step(&mut self, by_range: bool, count: Value, one: Value, current: &[Value]) -> Vec<Value> {
        if by_range {
            return current.to_vec();
        }
        let next = self.builder().add(count, one);
        [&[next], current].concat()
    }

    /// Another number of this type, maybe under a condition.
    fn changed(&mut self, ty: Type, old: Value) -> Value {
        let dtype = ty.dtype().expect("a number");
        if self.rng.percent(70) {
            return self.quiet_op(dtype);
        }
        let cond = self.condition();
        let then = self.region(&[], |g, _| {
            g.quiet_ops(2);
            let value = g.quiet_op(dtype);
            g.op(OpKind::Yield, vec![value], &[], vec![]);
        });
        let other = self.region(&[], |g, _| {
            g.op(OpKind::Yield, vec![old], &[], vec![]);
        });
        let op = self.op(OpKind::If, vec![cond], &[ty], vec![then, other]);
        let value = self.func.result(op);
        self.know_scalar(value);
        value
    }

    pub(super) fn leave(&mut self, cond: Value, jump: OpKind, values: Vec<Value>) {
        let away = self.region(&[], |g, _| {
            if g.rng.percent(25) {
                g.quiet_ops(2);
            }
            g.op(jump, values, &[], vec![]);
        });
        let stay = self.region(&[], |g, _| {
            g.op(OpKind::Yield, vec![], &[], vec![]);
        });
        let regions = if self.rng.percent(80) { vec![away, stay] } else { vec![stay, away] };
        self.op(OpKind::If, vec![cond], &[], regions);
    }

    /// ```text
    /// for t in 0, m { for i in 0, n { x = z[i]; … z[i] = c ? y : x } }
    /// ```
    fn steps(&mut self) {
        let Some(dtype) = self.float_type() else { return };
        let types = [Type::array(dtype, 1), Type::array(dtype, 2)];
        let Some(source) = self.source(&types) else { return };
        let z = self.make(OpKind::Copy, vec![source.value], source.ty);
        let rank = source.ty.rank();
        let lengths: Vec<Value> = (0..rank).map(|axis| self.builder().dim(z, axis)).collect();
        let mut arrays = vec![z];
        if self.rng.percent(40) {
            let other = self.number_type();
            let value = self.make(OpKind::Zeros, lengths.clone(), Type::array(other, rank));
            arrays.push(value);
        }
        let most = self.rng.range(0, 6);
        let (zero, most) =
            (self.int(0), if self.rng.percent(70) { self.int(most) } else { self.clamped(0, 6) });
        self.count([zero, most], None, |g, _| {
            if g.rng.percent(20) {
                g.quiet_ops(1);
            }
            g.over(&lengths, &source, &arrays, &mut Vec::new());
        });
        for array in arrays {
            let known = self.know(array, source.shape.clone(), false, true);
            self.show(known);
        }
    }

    /// The loops over elements, outermost first, and what is done with an element.
    fn over(&mut self, lengths: &[Value], source: &Known, arrays: &[Value], indices: &mut Vec<Value>) {
        if let Some(&length) = lengths.get(indices.len()) {
            let zero = self.int(0);
            let dim = source.shape[indices.len()];
            return self.count([zero, length], Some(dim), |g, index| {
                indices.push(index);
                g.over(lengths, source, arrays, indices);
            });
        }
        let element = |g: &mut Self, array: Value| {
            let dtype = g.ty(array).dtype().expect("arrays have elements");
            let args = [&[array], indices.as_slice()].concat();
            let value = g.make(OpKind::Load, args, Type::Scalar(dtype));
            g.know_scalar(value);
            value
        };
        // What is given has another value in each place, and stays.
        if self.rng.percent(50) {
            element(self, source.value);
        }
        let old: Vec<Value> = arrays.iter().map(|&array| element(self, array)).collect();
        let cond = self.condition();
        let by_branch = self.rng.percent(45);
        for (&array, &old) in arrays.iter().zip(&old) {
            let ty = self.ty(old);
            let dtype = ty.dtype().expect("a number");
            let new = self.changed(ty, old);
            if by_branch {
                let indices = indices.clone();
                self.if_then(cond, |g| {
                    g.op(OpKind::Store, [&[array, new], indices.as_slice()].concat(), &[], vec![]);
                });
                continue;
            }
            let masked = self.rng.percent(75);
            let stored = if masked {
                self.make(OpKind::Elem(ElemOp::Select), vec![cond, new, old], Type::Scalar(dtype))
            } else {
                new
            };
            self.op(OpKind::Store, [&[array, stored], indices.as_slice()].concat(), &[], vec![]);
        }
    }

    /// ```text
    /// for i in 0, n { … a[(i + k) % n] … b[i] = y }
    /// ```
    fn ring(&mut self) {
        let dtype = self.number_type();
        let Some(a) = self.source(&[Type::array(dtype, 1)]) else { return };
        let length = self.builder().dim(a.value, 0);
        let in_place = !a.fixed && self.rng.percent(25);
        let target = if in_place {
            a.clone()
        } else {
            let value = self.make(OpKind::Zeros, vec![length], Type::array(dtype, 1));
            self.know(value, a.shape.clone(), false, true)
        };
        let start = self.rng.pick(&[0, 0, 1]);
        let start = self.int(start);
        self.count([start, length], Some(a.shape[0]), |g, i| {
            for _ in 0..1 + g.rng.below(3) {
                let place = g.wrapped(i, length);
                let x = g.make(OpKind::Load, vec![a.value, place], Type::Scalar(dtype));
                g.know_scalar(x);
            }
            let stored = g.quiet_op(dtype);
            if g.rng.percent(20) {
                let cond = g.condition();
                g.if_then(cond, |g| {
                    g.op(OpKind::Store, vec![target.value, stored, i], &[], vec![]);
                });
            } else {
                g.op(OpKind::Store, vec![target.value, stored, i], &[], vec![]);
            }
        });
        self.show(target);
    }

    /// The remainder of an index and an offset by a length.
    pub(super) fn wrapped(&mut self, i: Value, length: Value) -> Value {
        let offset = if self.rng.percent(70) {
            let near = self.rng.range(-3, 4);
            self.int(near)
        } else {
            self.number(DType::I64)
        };
        let elem = self.rng.pick(&[ElemOp::Add, ElemOp::Sub]);
        let mut sum = self.make(OpKind::Elem(elem), vec![i, offset], Type::I64);
        if self.rng.percent(30) {
            sum = self.builder().add(sum, length);
        }
        let place = self.make(OpKind::Elem(ElemOp::Mod), vec![sum, length], Type::I64);
        self.know_scalar(place);
        place
    }

    /// ```text
    /// for t in 0, m, carried u { v = empty; for i in 0, n { … u[i] … v[i] = y }; continue v }
    /// ```
    fn generations(&mut self) {
        let Some(dtype) = self.float_type() else { return };
        let Some(source) = self.source(&[Type::array(dtype, 1)]) else { return };
        let length = self.builder().dim(source.value, 0);
        let ty = Type::array(dtype, 1);
        let count = 1 + self.rng.below(2);
        // Made anew, zeros that all share, or what somebody else has a name for.
        let zeros = self.make(OpKind::Zeros, vec![length], ty);
        let init: Vec<Value> = (0..count)
            .map(|_| match self.rng.below(8) {
                0..5 => self.make(OpKind::Copy, vec![source.value], ty),
                5 | 6 => zeros,
                _ => source.value,
            })
            .collect();
        let most = self.rng.range(0, 5);
        let (zero, one, most) = (self.int(0), self.int(1), self.int(most));
        let types = vec![ty; count];
        let params = [&[Type::I64], types.as_slice()].concat();
        let body = self.region(&params, |g, values| {
            g.frames.push(Frame { kind: FrameKind::For, carried: vec![], results: vec![] });
            let old = values[1..].to_vec();
            let new: Vec<Value> = old
                .iter()
                .map(|_| {
                    let kind = if g.rng.percent(85) { OpKind::Empty } else { OpKind::Zeros };
                    g.make(kind, vec![length], ty)
                })
                .collect();
            g.count([zero, length], Some(source.shape[0]), |g, i| {
                for (at, &made) in new.iter().enumerate() {
                    for &array in &old {
                        let place = if g.rng.percent(90) { i } else { g.wrapped(i, length) };
                        let x = g.make(OpKind::Load, vec![array, place], Type::Scalar(dtype));
                        g.know_scalar(x);
                    }
                    let own = old_element(g, old[at], i, dtype);
                    let y = g.changed(Type::Scalar(dtype), own);
                    g.op(OpKind::Store, vec![made, y, i], &[], vec![]);
                }
            });
            let mut next = new;
            if g.rng.percent(15) {
                next[0] = old[old.len() - 1];
            }
            if g.rng.percent(25) {
                next.reverse();
            }
            g.frames.pop();
            g.op(OpKind::Continue(0), next, &[], vec![]);
        });
        let op = self.op(OpKind::For, [&[zero, most, one], init.as_slice()].concat(), &types, vec![body]);
        let mut shown = self.func.ops[op].results.clone();
        if self.rng.percent(30) {
            shown.push(init[0]);
        }
        for value in shown {
            let known = self.know(value, source.shape.clone(), true, true);
            self.show(known);
        }
    }

    /// ```text
    /// for i in 0, n { for k in p[i], p[i + 1] { … a[k] … } }
    /// for i in 0, n { for k in p[i], p[i + 1] { … a[k] … } }
    /// ```
    fn rows(&mut self) {
        let Some(source) = self.find(|known| known.ty == Type::array(DType::I64, 1)) else { return };
        let seven = self.int(7);
        let p = self.make(OpKind::Elem(ElemOp::And), vec![source.value, seven], source.ty);
        let dtype = self.number_type();
        let length = self.rng.range(5, 8);
        let length = self.int(length);
        let a = self.make(OpKind::Zeros, vec![length], Type::array(dtype, 1));
        let (zero, one) = (self.int(0), self.int(1));
        let pointers = self.builder().dim(p, 0);
        let stop = self.builder().sub(pointers, one);
        for _ in 0..2 {
            self.count([zero, stop], None, |g, i| {
                let next = g.builder().add(i, one);
                let first = g.make(OpKind::Load, vec![p, i], Type::I64);
                let last = g.make(OpKind::Load, vec![p, next], Type::I64);
                let (x, updates) = (g.number(dtype), g.rng.percent(60));
                g.count([first, last], None, |g, k| {
                    let below = g.make(OpKind::Elem(ElemOp::Lt), vec![k, length], Type::BOOL);
                    let above = g.make(OpKind::Elem(ElemOp::Ge), vec![k, zero], Type::BOOL);
                    let inside = g.make(OpKind::Elem(ElemOp::And), vec![below, above], Type::BOOL);
                    g.if_then(inside, |g| {
                        g.know_scalar(x);
                        if updates {
                            let old = g.make(OpKind::Load, vec![a, k], Type::Scalar(dtype));
                            g.know_scalar(old);
                        }
                        let value = g.quiet_op(dtype);
                        g.op(OpKind::Store, vec![a, value, k], &[], vec![]);
                    });
                });
            });
        }
        let dim = self.fresh_dim();
        let known = self.know(a, vec![dim], false, true);
        self.show(known);
    }
}

/// The element of an array at an index.
fn old_element(g: &mut Gen<'_>, array: Value, index: Value, dtype: DType) -> Value {
    let value = g.make(OpKind::Load, vec![array, index], Type::Scalar(dtype));
    g.know_scalar(value);
    value
}
