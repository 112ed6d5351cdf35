//! The operations of both levels, and what is true of each wherever it stands: a row for each, and none for "all others", so that a new
//! one must say all of it.
//!
//! Array IR and loop IR share one container (see [`crate::func`]). [`Level`] says which operations a
//! function may hold: whole-array operations and checked accesses live in array IR; raw accesses, raw
//! views and ownership live in loop IR; scalar code, control and calls live in both.

use crate::elem::{ElemOp, ReduceOp};
use crate::entity::{FuncRef, Slot};
use crate::facts::{
    ALL, ARRAY, ARRAY_MAKES, CALL_COST, DRAW_COST, ELEMENTWISE, FIRST, FREE, Facts, LIBRARY_COST, LOOP,
    Levels, MAKES, NONE, PLAIN, RAISES, Role, SECOND, When, assign_raises, check_raises, draws_from_stream,
    elementwise_raises, map_raises, may_be_negative, range_raises, reduction_raises, view_raises,
};
use crate::op::{
    ComplexPart, Exc, IndexItem, Keep, Level, LibOp, Literal, MapTarget, Message, Parallel, PrintSpec,
    ReduceSpec,
};

/// An operation by itself for its name, where it has no attributes.
macro_rules! plain {
    ($word:ident, $name:ident = $text:literal) => {
        if $word == $text {
            return Some(Self::$name);
        }
    };
    ($word:ident, $name:ident $attributes:tt = $text:literal) => {};
}

/// Makes [`OpKind`] of the operations and their names in the text form.
macro_rules! operations {
    (
        families { $($(#[$about:meta])* $family:ident($member:ty);)* }
        $($(#[$doc:meta])* $name:ident $(($attribute:ty))? $({ $($field:ident: $ty:ty),* })? = $text:literal;)*
    ) => {
        /// An operation's kind with its attributes. Operands, results and regions are in [`crate::OpData`].
        ///
        /// Notation: `(operands) -> results {regions}`. "Dims" are i64 scalars, one for each axis.
        /// Dimension operands that are negative raise ValueError, sizes that can't be had MemoryError.
        #[derive(Clone, PartialEq, Debug)]
        pub enum OpKind {
            $($(#[$about])* $family($member),)*
            $($(#[$doc])* $name $(($attribute))? $({ $($field: $ty),* })?,)*
        }

        impl OpKind {
            /// The operation's name in the text form.
            #[must_use]
            pub fn mnemonic(&self) -> &'static str {
                match self {
                    $(Self::$family(member) => member.name(),)*
                    $(Self::$name { .. } => $text,)*
                }
            }

            /// The operation of this name, if it has no attributes.
            pub(crate) fn plain(word: &str) -> Option<Self> {
                $(if let Some(member) = <$member>::from_name(word) {
                    return Some(Self::$family(member));
                })*
                $(plain!(word, $name $(($attribute))? $({ $($field)* })? = $text);)*
                None
            }
        }
    };
}

operations! {
    // Their members have names of their own.
    families {
        /// `(a, …) -> r`: scalars; in array IR also arrays with broadcasting (ValueError on mismatch). A fresh array has the
        /// operands' order of axes, as NumPy has it (`order='K'`); so has that of `Cast`. Where anything depends on it, the
        /// pass `keep-order` says it by other operations.
        Elem(ElemOp);
        /// Library functions; operands and results by the function.
        Lib(LibOp);
    }
    // ---- values, both levels ----
    /// `() -> c`
    Const(Literal) = "const";
    /// `(a) -> r`: converts elements to the result's dtype as `astype` does where NumPy leaves it to an x86-64
    /// processor. A float is cut off to an int32, or, for int64, uint32 and uint64, to an int64, which is the least
    /// one for NaN and for what does not fit; of that the low bits are taken. uint64 has 2^63 taken off before and
    /// added after where the float is not below it. Complex to real takes the real part; anything to bool is `!= 0`.
    Cast = "cast";
    /// `(array) -> i64`: length of an axis.
    Dim(u8) = "dim";
    /// `(array) -> i64`: stride of an axis in bytes.
    Stride(u8) = "stride";

    // ---- arrays, array IR ----
    /// `(dims…) -> fresh array`, contents unspecified. Both levels.
    Empty = "empty";
    /// `(dims…) -> fresh array` of zeros. Both levels.
    Zeros = "zeros";
    /// `(dims…, strides…) -> fresh array`, contents unspecified, whose elements lie at these strides, in bytes: those of
    /// some order of the axes without gaps. Lengths are those of an array.
    EmptyStrided = "empty_strided";
    /// `(a, others…) -> a or a copy` with the order of axes that follows from the others': one, of as many axes, or for `Elem`
    /// several, of at most as many. The first is fresh, and nothing else uses it. Taken out by the pass `keep-order`.
    KeepOrder(Keep) = "keep_order";
    /// `(value, dims…) -> fresh array`
    Full = "full";
    /// `(start, step, count: i64) -> fresh 1-D array`: element i is `start + i * step`, the first one `start` itself. A negative count is 0.
    Iota = "iota";
    /// `(a) -> fresh row-major array`
    Copy = "copy";
    /// As `Copy`, of an array that is one object of the whole module: nothing may write to it or return it.
    ModuleConstant = "module_constant";
    /// `(a, index operands…) -> view`. Axes without an item are kept whole.
    View(Vec<IndexItem>) = "view";
    /// `(a) -> view` with axes in this order.
    Transpose(Vec<u8>) = "transpose";
    /// `(a, dims…) -> view where possible, else a copy`. One dim may be -1. ValueError on a wrong size.
    /// Without dims and with a result of one axis all elements in row-major order: a view where the array has no
    /// gaps, else a copy.
    Reshape = "reshape";
    /// `(a, dims…) -> view` with stride 0 on stretched axes. ValueError on mismatch.
    BroadcastTo = "broadcast_to";
    /// `(a) -> view` of the diagonal of the last two axes, which becomes one axis behind the others.
    Diagonal = "diagonal";
    /// `(a, n: i64) -> view` of each n neighbours along the first axis: what is within them is the last axis. ValueError where there
    /// are less than n, or n is negative. One element has many indices, so it is only read.
    Windows = "windows";
    /// `(a) -> view` of the real or the imaginary parts of complex elements.
    Part(ComplexPart) = "part";
    /// `(a) -> view` of all of it, to which nothing may be written: ValueError.
    ReadOnly = "read_only";
    /// `(a, others…) -> bool`: whether the stretch of memory from the first to the last element of an array meets that of
    /// another one. An array without elements meets none.
    Overlaps = "overlaps";
    /// `() -> bool`: whether this is for a device, where loops that write one behind the other on a condition are to be as they are
    /// written. Decided where functions for devices are made; either is right.
    OnDevice = "on_device";
    /// `(iterations) -> i64`: how many parts, at least one, a loop of so many iterations is cut into. Which loop: the `for` in
    /// the body of the `pfor` that stops at this number. Follows from the iterations and their cost, never from the machine.
    Parts = "parts";
    /// `(array, indices…) -> scalar`: an integer for each axis; negative ones count from the end; IndexError.
    Load = "load";
    /// `(array, value, indices…)`: as `Load`.
    Store = "store";
    /// `(array, value, indices…)`: combines the value into an element; on a device others may do so at once. As `Load`.
    Update(ReduceOp) = "update";
    /// `(dst array, src scalar or array)`: `dst[...] = src`, as if src were copied first; src broadcasts.
    Assign = "assign";
    /// `(inputs…) -> results {(one scalar for each input) … yield}`: elementwise; see [`MapTarget`].
    Map(MapTarget) = "map";
    /// `(array) -> scalar or array`
    Reduce(ReduceSpec) = "reduce";

    // ---- lists, both levels ----
    /// `(items…) -> fresh list`
    ListNew = "list_new";
    /// `(list) -> i64`
    ListLen = "list_len";
    /// `(list, index) -> item`; negative counts from the end; IndexError "list index out of range". An item that is a list
    /// stays shared with the list.
    ListGet = "list_get";
    /// `(list, index, value)`; IndexError "list assignment index out of range".
    ListSet = "list_set";
    /// `(list, value)`
    ListAppend = "list_append";
    /// `(list, value)`: puts it before the first item.
    ListPrepend = "list_prepend";
    /// `(list, length)`: keeps the first items. A length below 0 is 0, one above the list's own changes nothing.
    ListTruncate = "list_truncate";
    /// `(list, count)`: takes the first items off. A count below 0 is 0, one above the list's length takes all.
    ListDropFront = "list_drop_front";

    // ---- control, both levels ----
    /// `(cond: bool) -> results {then () … yield} {else () … yield}`. A region that leaves otherwise yields nothing.
    If = "if";
    /// `(start, stop, step, init…) -> carried {(index, carried…) … continue}`: Python's `range`; a zero step
    /// raises ValueError "range() arg 3 must not be zero". All i64. Results are the carried values at the
    /// end, or those of `break`.
    For = "for";
    /// `(start, stop, step, init…, operands of the table…) -> carried {(index, carried…) … continue}`: as `For`, iterations
    /// in no order. Each carried value is a scalar reduced by the operator in the
    /// list: a part starts from the operator's identity (`Min`, `Max`, `And`: from the initial value).
    /// No `break`; only level-0 `continue` leaves an iteration. See [`crate::sharing`].
    PFor(Parallel) = "pfor";
    /// `(init…) -> results {(carried…) … continue}`: for ever; `break` gives the results.
    Loop = "loop";
    /// `() -> results {() …}`: `break` gives the results; there is no `continue`. Made by inlining.
    Scope = "scope";
    /// `(args…) -> results`: arrays and lists by reference.
    Call(FuncRef) = "call";
    /// `(cond, payload…)`: raises with the message unless cond. `{0}`… in the message are the payload (i64).
    Check { exc: Exc, message: Option<Message> } = "check";
    /// `(items…)`: Python's `print`.
    Print(PrintSpec) = "print";

    // ---- loop IR ----
    /// `(array, indices…) -> scalar`: indices are within `0..dim`.
    LoadRaw = "load_raw";
    /// `(array, value, indices…)`: as `LoadRaw`.
    StoreRaw = "store_raw";
    /// `(array, value, indices…)`: `Update`, with indices as of `LoadRaw`.
    UpdateRaw(ReduceOp) = "update_raw";
    /// `(array) -> i64`: where its first element is.
    Address = "address";
    /// `(base array, byte offset, dims…, strides…) -> view` of the result's dtype and rank. Strides are in
    /// bytes. Where a dim is 0 the offset may point outside of the base.
    RawView = "raw_view";
    /// `(array) -> bool`: whether the elements lie in row-major order without gaps.
    IsContiguous = "is_contiguous";
    /// `(array or list)`: the slot's old owner is released; the slot takes over the operand's one count
    /// (`retain = false`, for fresh values) or adds one (`retain = true`), before the old one is released.
    Own { slot: Slot, retain: bool } = "own";
    /// `()`: releases what the slot holds, if anything. All slots are released where a function is left.
    Disown(Slot) = "disown";
    /// `(start, stop, step, cost, free: bool, captures…, init…) -> accumulators`: the iterations of a parallel loop whose body
    /// is the function, which is a [`crate::Region`]. They are cut into parts by their number and the cost of one, in scalar
    /// operations; parts run at once where `free` is true, and their accumulators are combined in a balanced
    /// tree, neighbours first. A zero step raises ValueError.
    Launch(FuncRef) = "launch";

    /// `() -> bool`: whether loops of this call should run on a device now. It may be wrong, at some cost in time. Both levels, of functions for devices.
    DeviceWanted = "device_wanted";
    /// `(array)`: behind this the processor may read the memory that the array spans, or write to it, whatever a device may have of it.
    /// Of functions for devices ([`crate::device`]).
    HostAccess { writes: bool } = "host_access";

    // ---- terminators ----
    /// `(values…)`: ends a region of `If` or `Map`.
    Yield = "yield";
    /// `(carried…)`: next iteration of the loop `depth` breakable operations up (0: the innermost).
    /// Breakable are `For`, `PFor`, `Loop` and `Scope`.
    Continue(u32) = "continue";
    /// `(results…)`: leaves the breakable operation `depth` up.
    Break(u32) = "break";
    /// `(results…)`
    Return = "return";
    /// `(payload…)`
    Raise { exc: Exc, message: Option<Message> } = "raise";
    /// After operations that never end normally.
    Unreachable = "unreachable";
}

impl OpKind {
    /// What is true of the operation at a level.
    #[must_use]
    pub fn facts(&self, level: Level) -> Facts {
        let array = level == Level::Array;
        match self {
            Self::Const(_) | Self::Dim(_) | Self::Stride(_) | Self::Parts => FREE,
            Self::Elem(elem) if array => {
                Facts { raises: When::If(elementwise_raises), cost: elem.cost(), ..ELEMENTWISE }
            }
            Self::Elem(elem) => Facts { cost: elem.cost(), ..ELEMENTWISE },
            Self::Cast => ELEMENTWISE,
            // ---- arrays ----
            Self::Empty | Self::Zeros => {
                Facts { raises: When::If(|f, op| may_be_negative(f, op, 0)), cost: CALL_COST, ..MAKES }
            }
            Self::Full => Facts { raises: When::If(|f, op| may_be_negative(f, op, 1)), ..ARRAY_MAKES },
            Self::EmptyStrided => MAKES,
            Self::Iota => ARRAY_MAKES,
            Self::KeepOrder(_) => Facts { reads: ALL, ..MAKES },
            Self::Copy | Self::ModuleConstant => Facts { reads: ALL, ..ARRAY_MAKES },
            Self::View(_) => Facts { raises: When::If(view_raises), ..ARRAY },
            Self::Reshape => Facts { reads: FIRST, raises: When::Always, ..ARRAY_MAKES },
            Self::BroadcastTo | Self::Windows => Facts { raises: When::Always, ..ARRAY },
            Self::Transpose(_)
            | Self::Diagonal
            | Self::Part(_)
            | Self::ReadOnly
            | Self::Overlaps
            | Self::OnDevice => ARRAY,
            Self::Load => Facts { reads: FIRST, raises: When::Always, ..ARRAY },
            Self::Store => Facts { writes: FIRST, raises: When::Always, ..ARRAY },
            Self::Update(_) => Facts { reads: FIRST, writes: FIRST, raises: When::Always, ..ARRAY },
            Self::Assign => Facts { reads: SECOND, writes: FIRST, raises: When::If(assign_raises), ..ARRAY },
            Self::Map(target) => {
                let writes = if *target == MapTarget::Into { FIRST } else { NONE };
                Facts { levels: Levels::ArrayOnly, writes, raises: When::If(map_raises), ..ELEMENTWISE }
            }
            Self::Reduce(_) => {
                Facts { levels: Levels::ArrayOnly, raises: When::If(reduction_raises), ..ELEMENTWISE }
            }
            // ---- the library; in loop IR the last operand of `matmul` and `sort` is the destination ----
            Self::Lib(LibOp::Matmul) => {
                let (writes, raises) = if array { (NONE, When::Always) } else { (2..3, When::Never) };
                Facts { writes, raises, cost: LIBRARY_COST, ..ELEMENTWISE }
            }
            Self::Lib(LibOp::Sort) => {
                Facts { writes: if array { NONE } else { FIRST }, cost: LIBRARY_COST, ..ELEMENTWISE }
            }
            Self::Lib(LibOp::Time) => Facts { io: When::Always, cost: LIBRARY_COST, ..PLAIN },
            Self::Lib(LibOp::Routine(routine)) => {
                let facts = routine.facts();
                let raises = if facts.raises { When::Always } else { When::Never };
                let (inputs, all) = (facts.inputs, facts.inputs + facts.outputs);
                Facts { reads: 0..inputs, writes: inputs..all, raises, cost: LIBRARY_COST, ..PLAIN }
            }
            Self::Lib(LibOp::Draw(_)) => Facts {
                reads: FIRST,
                writes: FIRST,
                io: When::If(draws_from_stream),
                cost: DRAW_COST,
                ..PLAIN
            },
            // ---- lists ----
            Self::ListNew => Facts { cost: CALL_COST, ..MAKES },
            Self::ListLen => Facts { reads: FIRST, ..PLAIN },
            Self::ListGet => Facts { reads: FIRST, ..RAISES },
            Self::ListSet => Facts { writes: FIRST, ..RAISES },
            Self::ListAppend | Self::ListPrepend => Facts { writes: FIRST, ..MAKES },
            Self::ListTruncate | Self::ListDropFront => Facts { writes: FIRST, ..PLAIN },
            // ---- control ----
            Self::If | Self::Scope => PLAIN,
            Self::For | Self::PFor(_) => Facts { raises: When::If(range_raises), ..PLAIN },
            Self::Loop => Facts { diverges: true, ..PLAIN },
            // What the callee does comes from its summary.
            Self::Call(_) => Facts { cost: CALL_COST, ..PLAIN },
            Self::Launch(_) => Facts { cost: LIBRARY_COST, raises: When::If(range_raises), ..LOOP },
            Self::Check { .. } => Facts { raises: When::If(check_raises), ..PLAIN },
            Self::Print(_) => Facts { reads: ALL, io: When::Always, cost: LIBRARY_COST, ..RAISES },
            // ---- loop IR ----
            Self::LoadRaw => Facts { reads: FIRST, guarded: true, ..LOOP },
            Self::StoreRaw => Facts { writes: FIRST, guarded: true, ..LOOP },
            Self::UpdateRaw(_) => Facts { reads: FIRST, writes: FIRST, guarded: true, ..LOOP },
            // What runs before it changes it, so it stays where it is.
            Self::DeviceWanted => Facts { io: When::Always, cost: CALL_COST, ..PLAIN },
            Self::Address | Self::RawView | Self::IsContiguous => LOOP,
            Self::Own { .. } | Self::Disown(_) => Facts { owns: true, ..LOOP },
            Self::HostAccess { writes: false } => Facts { reads: FIRST, raises: When::Always, ..LOOP },
            Self::HostAccess { writes: true } => Facts { writes: FIRST, raises: When::Always, ..LOOP },
            // ---- terminators; that they leave is seen where they stand ----
            Self::Raise { .. } => RAISES,
            Self::Yield | Self::Continue(_) | Self::Break(_) | Self::Return | Self::Unreachable => PLAIN,
        }
    }

    /// What the operation is to the blocks around it.
    #[must_use]
    #[inline]
    pub const fn role(&self) -> Role {
        match self {
            Self::View(_)
            | Self::Transpose(_)
            | Self::BroadcastTo
            | Self::Diagonal
            | Self::Windows
            | Self::Part(_)
            | Self::ReadOnly
            | Self::RawView => Role::View,
            Self::For | Self::PFor(_) | Self::Loop => Role::Loop,
            Self::Scope => Role::Scope,
            Self::Yield
            | Self::Continue(_)
            | Self::Break(_)
            | Self::Return
            | Self::Raise { .. }
            | Self::Unreachable => Role::Terminator,
            Self::Const(_)
            | Self::Elem(_)
            | Self::Cast
            | Self::Dim(_)
            | Self::Stride(_)
            | Self::Empty
            | Self::Zeros
            | Self::EmptyStrided
            | Self::KeepOrder(_)
            | Self::Full
            | Self::Iota
            | Self::Copy
            | Self::ModuleConstant
            | Self::Reshape
            | Self::Overlaps
            | Self::OnDevice
            | Self::Parts
            | Self::Load
            | Self::Store
            | Self::Update(_)
            | Self::Assign
            | Self::Map(_)
            | Self::Reduce(_)
            | Self::Lib(_)
            | Self::ListNew
            | Self::ListLen
            | Self::ListGet
            | Self::ListSet
            | Self::ListAppend
            | Self::ListPrepend
            | Self::ListTruncate
            | Self::ListDropFront
            | Self::If
            | Self::Call(_)
            | Self::Launch(_)
            | Self::Check { .. }
            | Self::Print(_)
            | Self::LoadRaw
            | Self::StoreRaw
            | Self::UpdateRaw(_)
            | Self::DeviceWanted
            | Self::Address
            | Self::IsContiguous
            | Self::Own { .. }
            | Self::Disown(_)
            | Self::HostAccess { .. } => Role::Plain,
        }
    }

    /// Whether the result is a view of the first operand, whatever its layout is.
    #[must_use]
    pub const fn is_view(&self) -> bool {
        matches!(self.role(), Role::View)
    }

    #[must_use]
    pub const fn is_terminator(&self) -> bool {
        matches!(self.role(), Role::Terminator)
    }

    /// What `Break` and `Continue` count.
    #[must_use]
    pub const fn is_breakable(&self) -> bool {
        matches!(self.role(), Role::Loop | Role::Scope)
    }

    #[must_use]
    pub const fn is_loop(&self) -> bool {
        matches!(self.role(), Role::Loop)
    }

    /// Whether the operation may stand at this level.
    #[must_use]
    pub fn allowed_at(&self, level: Level) -> bool {
        match self.facts(level).levels {
            Levels::Both => true,
            Levels::ArrayOnly => level == Level::Array,
            Levels::LoopOnly => level == Level::Loop,
        }
    }
}
