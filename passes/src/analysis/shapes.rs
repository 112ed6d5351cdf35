//! Symbolic shapes of arrays in array IR: which axes are equally long, and what lies without gaps.
//!
//! A length is a constant, a scalar of the function, or "axis k of array a" where nothing more is known.
//! Equal descriptions mean equal lengths. Loop-carried arrays are assumed to keep their first value's
//! layout, and the loop is walked again where that turns out wrong (the optimistic half of Click and
//! Cooper, "Combining analyses, combining optimizations", 1995).
//!
//! It does not do arithmetic on lengths: `n + 1` and `1 + n` differ.

use pydd_ir::facts::is_nonnegative;
use pydd_ir::{Entity, Function, IndexItem, Literal, MapTarget, Op, OpKind, ReduceSpec, Value, Version};

/// The length of an axis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Length {
    Const(i64),
    /// An i64 scalar.
    Scalar(Value),
    /// Whatever length this axis of this array has.
    Axis(Value, u8),
}

/// What is known of an array's shape and place in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    pub dims: Vec<Length>,
    /// Certainly row-major without gaps.
    pub contiguous: bool,
}

/// The layouts of all arrays of a function.
pub struct Shapes<'f> {
    func: &'f Function,
    layouts: Vec<Option<Layout>>,
    /// Whether a value's definition dominates the operation being looked at.
    visible: Vec<bool>,
    /// The breakable operations around it, outermost first.
    nest: Vec<Frame>,
}

/// What was seen of a breakable operation's exits and next iterations.
struct Frame {
    op: Op,
    breaks: Vec<Vec<Option<Layout>>>,
    continues: Vec<Vec<Option<Layout>>>,
}

impl<'f> Shapes<'f> {
    #[must_use]
    pub fn of(func: &'f Function) -> Self {
        let mut shapes = Self {
            func,
            layouts: vec![None; func.values.len()],
            visible: vec![false; func.values.len()],
            nest: Vec::new(),
        };
        for &param in func.params() {
            shapes.visible[param.index()] = true;
            if func.ty(param).is_array() {
                let layout = shapes.unknown(param, func.version == Version::Fast);
                shapes.set(param, layout);
            }
        }
        shapes.block(func.entry);
        shapes
    }

    /// The layout of an array.
    ///
    /// # Panics
    /// Where the value is no array of the function's reachable code.
    #[must_use]
    pub fn layout(&self, array: Value) -> &Layout {
        self.layouts[array.index()].as_ref().expect("arrays have a layout")
    }

    /// An i64 scalar as a length.
    #[must_use]
    pub fn length(&self, scalar: Value) -> Length {
        let Some(op) = self.func.def_op(scalar) else { return Length::Scalar(scalar) };
        match &self.func.ops[op].kind {
            OpKind::Const(Literal::Int(value)) => Length::Const(*value),
            OpKind::Dim(axis) => match &self.layouts[self.func.ops[op].args[0].index()] {
                Some(layout) => layout.dims[usize::from(*axis)],
                None => Length::Scalar(scalar),
            },
            _ => Length::Scalar(scalar),
        }
    }

    fn set(&mut self, value: Value, layout: Layout) {
        self.layouts[value.index()] = Some(layout);
    }

    fn unknown(&self, array: Value, contiguous: bool) -> Layout {
        let dims = (0..self.func.ty(array).rank()).map(|axis| Length::Axis(array, axis)).collect();
        Layout { dims, contiguous }
    }

    fn block(&mut self, block: pydd_ir::Block) {
        let func = self.func;
        for &op in &func.blocks[block].ops {
            self.op(op);
            for &result in &func.ops[op].results {
                self.visible[result.index()] = true;
            }
        }
    }

    /// Walks a region; its values are out of sight afterwards.
    fn region(&mut self, block: pydd_ir::Block) {
        let func = self.func;
        for &param in &func.blocks[block].params {
            self.visible[param.index()] = true;
        }
        self.block(block);
        for &param in &func.blocks[block].params {
            self.visible[param.index()] = false;
        }
        for &op in &func.blocks[block].ops {
            for &result in &func.ops[op].results {
                self.visible[result.index()] = false;
            }
        }
    }

    fn op(&mut self, op: Op) {
        let data = &self.func.ops[op];
        match &data.kind {
            OpKind::If => self.if_op(op),
            OpKind::For | OpKind::PFor(_) | OpKind::Loop | OpKind::Scope => self.breakable(op),
            OpKind::Break(depth) => {
                let exit = self.layouts_of(&data.args);
                self.frame(*depth).breaks.push(exit);
            }
            OpKind::Continue(depth) => {
                let next = self.layouts_of(&data.args);
                self.frame(*depth).continues.push(next);
            }
            _ => {
                for &region in &data.regions {
                    self.region(region);
                }
                for &result in &data.results {
                    if self.func.ty(result).is_array() {
                        let layout = self.transfer(op, result);
                        self.set(result, layout);
                    }
                }
            }
        }
    }

    fn frame(&mut self, depth: u32) -> &mut Frame {
        let index = self.nest.len() - 1 - depth as usize;
        &mut self.nest[index]
    }

    fn layouts_of(&self, values: &[Value]) -> Vec<Option<Layout>> {
        values.iter().map(|v| self.layouts[v.index()].clone()).collect()
    }

    fn if_op(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let mut yields = Vec::new();
        for &region in &data.regions {
            self.region(region);
            if let Some(end) = self.func.terminator(region)
                && self.func.ops[end].kind == OpKind::Yield
            {
                yields.push(self.layouts_of(&self.func.ops[end].args));
            }
        }
        self.meet_into(&data.results, &yields);
    }

    /// Loops and scopes: the parameters' layouts hold when the body confirms them.
    fn breakable(&mut self, op: Op) {
        let data = &self.func.ops[op];
        let body = data.regions[0];
        let (skip, init) = match data.kind {
            OpKind::For | OpKind::PFor(_) => (1, self.func.init(op)),
            _ => (0, &data.args[..]),
        };
        let carried = &self.func.blocks[body].params[skip..];
        let mut start = self.layouts_of(init);
        for (&param, layout) in carried.iter().zip(&mut start) {
            if let (Some(seen), Some(layout)) = (&self.layouts[param.index()], layout) {
                forget_again(param, seen, layout);
            }
        }
        loop {
            for (&param, layout) in carried.iter().zip(&start) {
                self.layouts[param.index()].clone_from(layout);
            }
            self.nest.push(Frame { op, breaks: Vec::new(), continues: Vec::new() });
            self.region(body);
            let frame = self.nest.pop().expect("pushed above");
            debug_assert_eq!(frame.op, op);
            let mut next = start.clone();
            for (k, &param) in carried.iter().enumerate() {
                let paths: Vec<_> = frame.continues.iter().map(|c| c[k].as_ref()).collect();
                next[k] = start[k].as_ref().map(|first| self.meet(param, first, &paths));
            }
            if next == start {
                let mut exits = frame.breaks;
                if matches!(data.kind, OpKind::For | OpKind::PFor(_)) {
                    exits.push(start);
                }
                return self.meet_into(&data.results, &exits);
            }
            start = next;
        }
    }

    /// What holds of `first` and all of `paths`; what does not is named after `value`.
    fn meet(&self, value: Value, first: &Layout, paths: &[Option<&Layout>]) -> Layout {
        let mut met = first.clone();
        for path in paths {
            let Some(path) = path else { continue };
            met.contiguous &= path.contiguous;
            for (axis, dim) in met.dims.iter_mut().enumerate() {
                if *dim != path.dims[axis] {
                    *dim = Length::Axis(value, u8::try_from(axis).expect("ranks are small"));
                }
            }
        }
        met
    }

    /// Sets the layouts of results to what all `exits` agree on and is visible here.
    fn meet_into(&mut self, results: &[Value], exits: &[Vec<Option<Layout>>]) {
        for (k, &result) in results.iter().enumerate().filter(|(_, r)| self.func.ty(**r).is_array()) {
            let paths: Vec<_> = exits.iter().map(|e| e[k].as_ref()).collect();
            let mut layout = match paths.split_first() {
                Some((Some(first), rest)) => self.meet(result, first, rest),
                _ => self.unknown(result, false),
            };
            for (axis, dim) in layout.dims.iter_mut().enumerate() {
                let seen = match *dim {
                    Length::Const(_) => true,
                    Length::Scalar(v) | Length::Axis(v, _) => self.visible[v.index()],
                };
                if !seen {
                    *dim = Length::Axis(result, u8::try_from(axis).expect("ranks are small"));
                }
            }
            self.set(result, layout);
        }
    }

    fn transfer(&self, op: Op, result: Value) -> Layout {
        let data = &self.func.ops[op];
        let args = &data.args;
        let fresh = |dims: Vec<Length>| Layout { dims, contiguous: true };
        let lengths = |from: usize| args[from..].iter().map(|&d| self.length(d)).collect();
        let source = || self.layout(args[0]);
        match &data.kind {
            OpKind::Empty | OpKind::Zeros => fresh(lengths(0)),
            OpKind::EmptyStrided => {
                let dims = args[..args.len() / 2].iter().map(|&d| self.length(d)).collect();
                Layout { dims, contiguous: false }
            }
            OpKind::Full => fresh(lengths(1)),
            OpKind::Copy
            | OpKind::ModuleConstant
            | OpKind::KeepOrder(_)
            | OpKind::Cast
            | OpKind::Lib(pydd_ir::LibOp::Sort) => fresh(source().dims.clone()),
            OpKind::View(items) => self.view(op, items, result),
            OpKind::Transpose(axes) => {
                let dims = axes.iter().map(|&a| source().dims[usize::from(a)]).collect();
                Layout { dims, contiguous: source().contiguous && axes.is_sorted() }
            }
            OpKind::Reshape => Layout {
                dims: self.reshaped(&args[1..], result),
                contiguous: source().contiguous || args.len() == 1,
            },
            OpKind::Diagonal => self.diagonal(op, result),
            OpKind::Windows => {
                let mut dims = source().dims.clone();
                dims[0] = Length::Axis(result, 0);
                dims.push(self.length(args[1]));
                Layout { dims, contiguous: false }
            }
            OpKind::ReadOnly => source().clone(),
            OpKind::Part(_) => Layout { dims: source().dims.clone(), contiguous: false },
            OpKind::BroadcastTo => Layout { dims: lengths(1), contiguous: false },
            OpKind::Elem(_) | OpKind::Map(MapTarget::Fresh) => fresh(self.broadcast(args, result)),
            OpKind::Map(MapTarget::Reduce(spec)) => {
                let mut dims = reduced(spec, &self.broadcast(args, result));
                // Lengths that are not known before are the result's own, whose axes are not the operands'.
                for (axis, dim) in dims.iter_mut().enumerate() {
                    if matches!(dim, Length::Axis(array, _) if *array == result) {
                        *dim = Length::Axis(result, u8::try_from(axis).expect("ranks are small"));
                    }
                }
                fresh(dims)
            }
            OpKind::Reduce(spec) => fresh(reduced(spec, &source().dims)),
            OpKind::Iota if is_nonnegative(self.func, args[2]) => fresh(lengths(2)),
            OpKind::Iota | OpKind::Lib(_) => self.unknown(result, true),
            _ => self.unknown(result, false),
        }
    }

    fn diagonal(&self, op: Op, result: Value) -> Layout {
        let mut dims = self.layout(self.func.ops[op].args[0]).dims.clone();
        let lengths = dims.split_off(dims.len() - 2);
        let own = Length::Axis(result, u8::try_from(dims.len()).expect("ranks are small"));
        dims.push(if lengths[0] == lengths[1] { lengths[0] } else { own });
        Layout { dims, contiguous: false }
    }

    fn reshaped(&self, dims: &[Value], result: Value) -> Vec<Length> {
        let own = self.unknown(result, true).dims;
        if dims.is_empty() {
            return own;
        }
        let known = |d: Value| match self.length(d) {
            Length::Scalar(_) => None,
            Length::Const(n) if n < 0 => None,
            length => Some(length),
        };
        dims.iter().zip(own).map(|(&d, own)| known(d).unwrap_or(own)).collect()
    }

    fn broadcast(&self, inputs: &[Value], result: Value) -> Vec<Length> {
        let shapes: Vec<&[Length]> =
            inputs.iter().filter_map(|v| self.layouts[v.index()].as_ref()).map(|l| &l.dims[..]).collect();
        let rank = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
        (0..rank)
            .map(|axis| {
                let mut known = None;
                for dims in shapes.iter().filter(|s| axis + s.len() >= rank) {
                    match (dims[axis + dims.len() - rank], known) {
                        (Length::Const(1), _) => {}
                        (dim, None) => known = Some(dim),
                        (dim, Some(seen)) if dim == seen => {}
                        // What goes with several elements is as long, or stretched to them.
                        (several @ Length::Const(_), Some(_)) => known = Some(several),
                        (_, Some(Length::Const(_))) => {}
                        _ => return Length::Axis(result, u8::try_from(axis).expect("ranks are small")),
                    }
                }
                known.unwrap_or(Length::Const(1))
            })
            .collect()
    }

    fn view(&self, op: Op, items: &[IndexItem], result: Value) -> Layout {
        let data = &self.func.ops[op];
        let source = self.layout(data.args[0]);
        let (mut dims, mut axis, mut operand) = (Vec::new(), 0, 1);
        for item in items {
            let own = Length::Axis(result, u8::try_from(dims.len()).expect("ranks are small"));
            match *item {
                IndexItem::At => axis += 1,
                IndexItem::New => dims.push(Length::Const(1)),
                IndexItem::Slice { start: false, stop: false, step: false } => {
                    dims.push(source.dims[axis]);
                    axis += 1;
                }
                IndexItem::Slice { .. } => {
                    dims.push(own);
                    axis += 1;
                }
            }
            operand += item.operands();
        }
        debug_assert_eq!(operand, data.args.len());
        dims.extend_from_slice(&source.dims[axis..]);
        let unit = |step: Value| self.func.as_int(step) == Some(1);
        Layout { dims, contiguous: source.contiguous && keeps_contiguous(items, &data.args[1..], unit) }
    }
}

/// What an earlier walk found out not to hold of a loop's parameter need not be found out again. This keeps
/// the number of walks linear in nested loops.
fn forget_again(param: Value, seen: &Layout, layout: &mut Layout) {
    layout.contiguous &= seen.contiguous;
    for (axis, &dim) in seen.dims.iter().enumerate() {
        if dim == Length::Axis(param, u8::try_from(axis).expect("ranks are small")) {
            layout.dims[axis] = dim;
        }
    }
}

/// Whether a view of an array without gaps has none: some leading `At`, then at most one part of unit
/// step, then whole axes.
pub fn keeps_contiguous(items: &[IndexItem], operands: &[Value], unit: impl Fn(Value) -> bool) -> bool {
    let (mut operand, mut kept, mut partial) = (0, false, false);
    for item in items {
        let last = operand + item.operands();
        match *item {
            IndexItem::At if kept => return false,
            IndexItem::At | IndexItem::New => {}
            IndexItem::Slice { start: false, stop: false, step: false } => kept = true,
            IndexItem::Slice { step, .. } => {
                if kept || partial || (step && !unit(operands[last - 1])) {
                    return false;
                }
                (kept, partial) = (true, true);
            }
        }
        operand = last;
    }
    true
}

fn reduced(spec: &ReduceSpec, dims: &[Length]) -> Vec<Length> {
    let gone =
        |axis: usize| spec.axes.as_ref().is_none_or(|axes| axes.iter().any(|&a| usize::from(a) == axis));
    let kept = dims.iter().enumerate().filter(|&(axis, _)| spec.keepdims || !gone(axis));
    kept.map(|(axis, &dim)| if gone(axis) { Length::Const(1) } else { dim }).collect()
}

#[cfg(test)]
mod tests;
