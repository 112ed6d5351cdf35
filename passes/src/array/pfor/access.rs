//! Which elements of which arrays the operations of a `pfor`'s body touch.

use pydd_ir::alias::MemoryInfo;
use pydd_ir::rewrite::{Layout, is_defined_inside};
use pydd_ir::sharing::Segment;
use pydd_ir::{Block, Function, IndexItem, MapTarget, Op, OpKind, Value};

use super::index::{Indices, Side};
use super::segments::Segments;
use crate::analysis::shapes::Shapes;
use crate::analysis::symbol::{Poly, Symbol, small};

/// How often an index may be counted from the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    NeverNegative,
    AlwaysNegative,
    /// Depends on the iteration, as far as is known.
    Either,
}

/// What is touched along one axis: nothing outside of `low..=high`, for any of the bounds. Indices are as
/// written, before negative ones are counted from the end. No bounds: maybe the whole axis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extent {
    pub low: Vec<Poly>,
    pub high: Vec<Poly>,
    pub sign: Sign,
    /// All of what is between these is touched.
    pub exact: Option<(Poly, Poly)>,
    /// The whole axis is touched.
    pub covers: bool,
    /// Nothing outside of it is touched, where pointers are as they should be.
    pub segment: Option<Segment<Symbol>>,
}

impl Extent {
    fn all() -> Self {
        Self {
            low: Vec::new(),
            high: Vec::new(),
            sign: Sign::NeverNegative,
            exact: None,
            covers: true,
            segment: None,
        }
    }

    fn point(index: Poly, sign: Sign) -> Self {
        let exact = Some((index.clone(), index.clone()));
        Self { low: vec![index.clone()], high: vec![index], sign, exact, covers: false, segment: None }
    }

    /// Some of it, nobody knows which.
    fn some(&self) -> Self {
        Self { exact: None, covers: false, ..self.clone() }
    }
}

/// The same as it is written, with the indices of inner loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    All,
    /// Nobody knows.
    Any,
    /// `offset + scale * index`; one that wraps may be counted from the end.
    At {
        offset: Poly,
        scale: i64,
        index: Value,
        wraps: bool,
        never_negative: bool,
    },
    /// `low`, `low + stride` and so on, none of it above any of `high`; all of these if it is whole.
    Run {
        low: Poly,
        stride: i64,
        high: Vec<Poly>,
        whole: bool,
    },
}

impl Place {
    /// Some of it, nobody knows which.
    fn some(&self) -> Self {
        match self {
            Self::Run { low, stride: 1, high, .. } => {
                Self::Run { low: low.clone(), stride: 1, high: high.clone(), whole: false }
            }
            _ => Self::Any,
        }
    }
}

/// One operand of one operation.
#[derive(Clone, Debug)]
pub struct Access {
    pub op: Op,
    pub writes: bool,
    /// The array that the operand is a view of.
    pub root: Value,
    /// By axis of the root; nothing where the root is not the same in all iterations.
    pub extents: Option<Vec<Extent>>,
    /// Likewise.
    pub places: Option<Vec<Place>>,
    /// Done in each iteration.
    pub certain: bool,
    /// Done wherever the conditions around it hold.
    pub reached: bool,
    /// Of the iterations in order, none leaves it out or touches less than it is written to, as under a condition or where a
    /// slice ends with its array: an index out of range raises before products of numbers from outside can wrap.
    pub plain: bool,
}

/// How sure it is that an operation is done.
#[derive(Clone, Copy)]
struct When {
    certain: bool,
    reached: bool,
    plain: bool,
}

/// An axis of the root, seen through views.
#[derive(Clone)]
struct Axis {
    /// Offset and step of the root's index for an index into the view; `None`: unknown.
    map: Option<(Poly, i64)>,
    /// The view's axis is the root's, so that a negative index means the same.
    whole: bool,
    extent: Extent,
    place: Place,
}

impl Axis {
    /// Whether an index that is not negative is the root's.
    fn begins_with_root(&self) -> bool {
        self.map.as_ref().is_some_and(|(offset, step)| offset.is_zero() && *step == 1)
    }

    /// Some of it, nobody knows which.
    fn blur(&mut self) {
        self.extent = self.extent.some();
        self.place = self.place.some();
    }
}

/// A view as a part of its root.
struct Path {
    root: Value,
    axes: Vec<Axis>,
    /// By axis of the view: the root's axis that it goes along.
    of: Vec<Option<usize>>,
}

pub struct Collector<'a> {
    pub func: &'a Function,
    pub memory: &'a MemoryInfo,
    pub layout: &'a Layout,
    pub shapes: &'a Shapes<'a>,
    pub indices: &'a Indices<'a>,
    pub pfor: Op,
}

impl Collector<'_> {
    /// All accesses to memory that was there before the `pfor`.
    #[must_use]
    pub fn collect(&self) -> Vec<Access> {
        let mut found = Vec::new();
        let always = When { certain: true, reached: true, plain: true };
        self.block(self.func.ops[self.pfor].regions[0], always, &mut found);
        found
    }

    fn block(&self, block: Block, mut when: When, found: &mut Vec<Access>) {
        for &op in &self.func.blocks[block].ops {
            let data = &self.func.ops[op];
            self.op(op, when, found);
            let repeats = matches!(data.kind, OpKind::For | OpKind::PFor(_) | OpKind::Map(_));
            let inside = When {
                certain: when.certain && repeats && self.runs_alike(op),
                reached: when.reached && (repeats || matches!(data.kind, OpKind::If | OpKind::Scope)),
                plain: when.plain && repeats && self.has_plain_bounds(op),
            };
            data.regions.iter().for_each(|&region| self.block(region, inside, found));
            let stays = !self.memory.effects(op).leaves;
            when = When {
                certain: when.certain && stays,
                reached: when.reached && stays,
                plain: when.plain && stays,
            };
        }
    }

    /// Whether the bounds of a loop are sums that cannot wrap to fewer rounds.
    fn has_plain_bounds(&self, op: Op) -> bool {
        let data = &self.func.ops[op];
        let (OpKind::For | OpKind::PFor(_), [start, stop, ..]) = (&data.kind, data.args.as_slice()) else {
            return true;
        };
        [start, stop]
            .into_iter()
            .all(|&bound| self.indices.poly(bound).is_some_and(|poly| self.indices.is_plain(&poly)))
    }

    /// Whether a loop goes over the same range in all iterations, which is not known to be empty.
    fn runs_alike(&self, op: Op) -> bool {
        let data = &self.func.ops[op];
        let (OpKind::For | OpKind::PFor(_), &[start, stop, step, ..]) = (&data.kind, data.args.as_slice())
        else {
            return true;
        };
        let constant = |value: Value| self.indices.poly(value).and_then(|poly| poly.as_i64());
        let is_empty = match (constant(start), constant(stop), constant(step)) {
            (Some(start), Some(stop), Some(step)) if step > 0 => start >= stop,
            (Some(start), Some(stop), Some(_)) => start <= stop,
            _ => false,
        };
        !is_empty && [start, stop, step].into_iter().all(|value| self.indices.is_invariant(value))
    }

    fn op(&self, op: Op, when: When, found: &mut Vec<Access>) {
        let data = &self.func.ops[op];
        let args = data.args.as_slice();
        let mut add = |array: Value, indices: &[Value], writes: bool| {
            if !self.is_private(array) {
                found.push(self.access(op, array, indices, writes, when));
            }
        };
        match &data.kind {
            OpKind::Load => add(args[0], &args[1..], false),
            OpKind::Store => add(args[0], &args[2..], true),
            OpKind::LoadRaw => add(args[0], &args[1..], false),
            OpKind::StoreRaw => add(args[0], &args[2..], true),
            OpKind::Assign | OpKind::Map(MapTarget::Into) => {
                add(args[0], &[], true);
                args[1..].iter().filter(|&&arg| self.is_memory(arg)).for_each(|&arg| add(arg, &[], false));
            }
            OpKind::Map(_) => {
                args.iter().filter(|&&arg| self.is_memory(arg)).for_each(|&arg| add(arg, &[], false));
            }
            // Which elements a callee touches is not known.
            _ if data.regions.is_empty() => {
                let known = !matches!(data.kind, OpKind::Call(_));
                let when =
                    When { certain: when.certain && known, reached: when.reached && known, plain: false };
                let effects = self.memory.effects(op);
                for &arg in args.iter().filter(|&&arg| self.is_memory(arg)) {
                    let classes = self.memory.classes(arg);
                    let writes = classes.intersects(&effects.writes);
                    let reads = classes.intersects(&effects.reads);
                    if (writes || reads || self.is_put_away(op, arg)) && !self.is_private(arg) {
                        let when = if writes || reads { when } else { When { certain: false, ..when } };
                        found.push(self.access(op, arg, &[], writes, when));
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether an operation may put memory into a list, where others find it under another name.
    fn is_put_away(&self, op: Op, item: Value) -> bool {
        let data = &self.func.ops[op];
        let ty = self.func.ty(item);
        let lists = data.args.iter().chain(&data.results);
        let puts = matches!(
            data.kind,
            OpKind::ListNew | OpKind::ListAppend | OpKind::ListPrepend | OpKind::ListSet | OpKind::Call(_)
        );
        puts && lists.into_iter().any(|&list| self.func.ty(list).may_hold(ty))
    }

    fn is_memory(&self, value: Value) -> bool {
        !self.memory.classes(value).is_empty()
    }

    /// Whether all memory that the value may be is made in the iteration.
    #[must_use]
    pub fn is_private(&self, value: Value) -> bool {
        self.memory.is_made_by(value, |op| self.layout.is_inside(op, self.pfor))
    }

    fn is_inside(&self, value: Value) -> bool {
        is_defined_inside(self.func, self.layout, value, self.pfor)
    }

    fn access(&self, op: Op, array: Value, indices: &[Value], writes: bool, when: When) -> Access {
        self.indices.assume_reached([op, op]);
        // Raw accesses are behind the checks that they need, and never count from the end.
        let raw = matches!(self.func.ops[op].kind, OpKind::LoadRaw | OpKind::StoreRaw);
        let mut path = self.path(array);
        for (axis, &index) in indices.iter().enumerate() {
            if let Some(root_axis) = path.of[axis] {
                self.at(&mut path.axes[root_axis], index, raw);
            }
        }
        let places = path.axes.iter().map(|axis| axis.place.clone()).collect();
        let extents = path.axes.into_iter().map(|axis| self.in_iteration(axis.extent)).collect();
        let known = !self.is_inside(path.root);
        Access {
            op,
            writes,
            root: path.root,
            extents: known.then_some(extents),
            places: known.then_some(places),
            certain: when.certain,
            reached: when.reached,
            plain: when.plain && !self.is_cut(array),
        }
    }

    /// Whether a view between the array and its root is a slice that moves with the iterations.
    fn is_cut(&self, array: Value) -> bool {
        let Some(op) = self.func.def_op(array).filter(|_| self.is_inside(array)) else { return false };
        let data = &self.func.ops[op];
        let slices = matches!(&data.kind, OpKind::View(items) if items.iter().any(|item| {
            matches!(item, IndexItem::Slice { start, stop, .. } if *start || *stop)
        }));
        slices || data.args.first().is_some_and(|&of| self.is_cut(of))
    }

    /// Bounds that do not speak of what changes within an iteration.
    fn in_iteration(&self, extent: Extent) -> Extent {
        let bounds = |polys: &[Poly], side| {
            polys.iter().flat_map(|poly| self.indices.bounds_in_iteration(poly, side)).collect()
        };
        Extent { low: bounds(&extent.low, Side::Below), high: bounds(&extent.high, Side::Above), ..extent }
    }

    fn path(&self, array: Value) -> Path {
        let Some(op) = self.func.def_op(array) else { return self.root(array) };
        let data = &self.func.ops[op];
        match &data.kind {
            OpKind::View(items) => self.view(self.path(data.args[0]), items, &data.args[1..]),
            OpKind::Transpose(axes) => {
                let mut path = self.path(data.args[0]);
                path.of = axes.iter().map(|&axis| path.of[usize::from(axis)]).collect();
                path
            }
            OpKind::Part(_) | OpKind::ReadOnly => self.path(data.args[0]),
            OpKind::Diagonal => self.diagonal(self.path(data.args[0])),
            OpKind::Windows => {
                let mut path = self.path(data.args[0]);
                if let Some(axis) = path.of[0].take() {
                    path.axes[axis].blur();
                }
                path.of.push(None);
                path
            }
            OpKind::BroadcastTo => self.broadcast(self.path(data.args[0]), data.args[0], array),
            // Its elements are different ones for different indices, so it is as good a root as any.
            OpKind::Reshape if self.is_inside(array) => {
                let mut path = self.path(data.args[0]);
                path.axes.iter_mut().for_each(Axis::blur);
                path.of = vec![None; usize::from(self.func.ty(array).rank())];
                path
            }
            _ => self.root(array),
        }
    }

    fn root(&self, root: Value) -> Path {
        let rank = usize::from(self.func.ty(root).rank());
        let axis =
            Axis { map: Some((Poly::constant(0), 1)), whole: true, extent: Extent::all(), place: Place::All };
        Path { root, axes: vec![axis; rank], of: (0..rank).map(Some).collect() }
    }

    /// An index names an element of two axes at once, which is not followed.
    fn diagonal(&self, mut path: Path) -> Path {
        for axis in path.of.split_off(path.of.len() - 2).into_iter().flatten() {
            path.axes[axis].blur();
        }
        path.of.push(None);
        path
    }

    fn broadcast(&self, mut path: Path, source: Value, result: Value) -> Path {
        let (from, to) = (&self.shapes.layout(source).dims, &self.shapes.layout(result).dims);
        let extra = to.len() - from.len();
        let kept = |axis: usize| from[axis] == to[axis + extra];
        for (_, root) in path.of.iter_mut().enumerate().filter(|&(axis, _)| !kept(axis)) {
            if let Some(root) = root.take() {
                path.axes[root].blur();
            }
        }
        path.of.splice(..0, vec![None; extra]);
        path
    }

    fn view(&self, mut path: Path, items: &[IndexItem], operands: &[Value]) -> Path {
        let (mut source, mut next, mut of) = (0, 0, Vec::new());
        for item in items {
            let operands = &operands[next..next + item.operands()];
            next += item.operands();
            if *item == IndexItem::New {
                of.push(None);
                continue;
            }
            let root_axis = path.of[source];
            source += 1;
            if let Some(axis) = root_axis.map(|axis| &mut path.axes[axis]) {
                match *item {
                    IndexItem::At => self.at(axis, operands[0], false),
                    IndexItem::Slice { start, stop, step } => {
                        let mut operands = operands.iter().copied();
                        let mut part = |there: bool| if there { operands.next() } else { None };
                        let parts = [part(start), part(stop), part(step)];
                        *axis = self.slice(axis, parts);
                    }
                    IndexItem::New => {}
                }
            }
            if *item != IndexItem::At {
                of.push(root_axis);
            }
        }
        of.extend_from_slice(&path.of[source..]);
        path.of = of;
        path
    }

    /// Narrows an axis to what an index along the view touches.
    fn at(&self, axis: &mut Axis, index: Value, raw: bool) {
        let own = axis.begins_with_root().then(|| self.segments().of_index(index)).flatten();
        let segment = own.or_else(|| axis.extent.segment.clone());
        self.narrow(axis, index, raw);
        axis.extent.segment = segment;
    }

    fn narrow(&self, axis: &mut Axis, index: Value, raw: bool) {
        let never_negative = raw || self.indices.is_nonnegative(index);
        let Some((offset, step)) = axis.map.clone() else { return axis.blur() };
        if !axis.whole && !never_negative {
            return axis.blur();
        }
        let poly = self.indices.poly(index);
        axis.extent = match &poly {
            None => axis.extent.some(),
            Some(poly) if axis.whole && raw => Extent::point(poly.clone(), Sign::NeverNegative),
            Some(poly) if axis.whole => Extent::point(poly.clone(), self.sign(index, poly)),
            Some(poly) => match offset.plus(step, poly).and_then(small) {
                Some(place) => Extent::point(place, Sign::NeverNegative),
                None => axis.extent.some(),
            },
        };
        axis.place = Place::At { offset, scale: step, index, wraps: axis.whole, never_negative };
    }

    fn segments(&self) -> Segments<'_> {
        Segments { func: self.func, memory: self.memory, indices: self.indices, pfor: self.pfor }
    }

    fn sign(&self, index: Value, poly: &Poly) -> Sign {
        if self.indices.is_nonnegative(index) {
            return Sign::NeverNegative;
        }
        let below_zero = poly.neg().shift(-1).is_some_and(|poly| self.indices.is_never_negative(&poly));
        if below_zero { Sign::AlwaysNegative } else { Sign::Either }
    }

    fn slice(&self, axis: &Axis, [start, stop, step]: [Option<Value>; 3]) -> Axis {
        if let [None, None, None] = [start, stop, step] {
            return axis.clone();
        }
        let mut unknown =
            Axis { map: None, whole: false, extent: axis.extent.some(), place: axis.place.some() };
        if let ([Some(start), Some(stop), _], true) = ([start, stop, step], axis.begins_with_root()) {
            unknown.extent.segment = self.segments().between(start, stop);
        }
        let stride = match step.map(|step| self.func.as_int(step)) {
            None => 1,
            Some(Some(step)) if step > 0 => step,
            Some(_) => return unknown,
        };
        let first = match start {
            None => Some(Poly::constant(0)),
            Some(start) => self.indices.poly(start).filter(|_| self.indices.is_nonnegative(start)),
        };
        let (Some((offset, scale)), Some(first)) = (&axis.map, first) else { return unknown };
        let scaled = |index: &Poly| offset.plus(*scale, index).and_then(small);
        let (Some(low), Some(stride)) = (scaled(&first), scale.checked_mul(stride)) else { return unknown };
        let stop = stop.filter(|&stop| self.indices.is_nonnegative(stop));
        let ends = stop.map_or_else(Vec::new, |stop| self.indices.bounds_of(stop, Side::Above));
        let mut high: Vec<Poly> =
            ends.iter().filter_map(|end| end.shift(-1)).filter_map(|last| scaled(&last)).collect();
        let exact =
            high.first().filter(|_| stride == 1 && ends.len() == 1).map(|high| (low.clone(), high.clone()));
        let run = Place::Run {
            low: low.clone(),
            stride,
            high: match &axis.place {
                Place::Run { high: outer, .. } => [high.as_slice(), outer].concat(),
                _ => high.clone(),
            },
            whole: ends.len() == 1 && axis.whole,
        };
        high.extend_from_slice(&axis.extent.high);
        let sign = Sign::NeverNegative;
        let segment = unknown.extent.segment;
        let extent = Extent { low: vec![low.clone()], high, sign, exact, covers: false, segment };
        Axis { map: Some((low, stride)), whole: false, extent, place: run }
    }
}
