//! What a backend is: a builder of functions out of a small core of instructions.
//!
//! `lower` walks the loop IR once for all backends and calls these methods; a backend says what each of
//! them is on its side and nothing else. So no backend decides what a program means: division by zero,
//! complex numbers, NaN, saturation, checks and owners are `lower`'s.
//!
//! Blocks have parameters: a jump carries a value for each of its target's. A conditional branch carries
//! none. All instructions are total but for [`IntOp`]'s divisions and shifts, whose operands `lower` keeps in range.

use crate::Image;
use crate::math::MathFunction;
use pydd_ir::alias::SortedSet;
use pydd_ir::{FuncRef, Type, Version};
use std::fmt::Debug;

/// The type of a value of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    /// A truth value.
    I1,
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
    Ptr,
}

impl Ty {
    /// Width of an integer.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::I1 => 1,
            Self::I8 => 8,
            Self::I16 => 16,
            Self::I32 | Self::F32 => 32,
            Self::I64 | Self::F64 | Self::Ptr => 64,
        }
    }

    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

/// Arithmetic of two integers of one type. It wraps, but where `Nsw` (signed) or `Nuw` (unsigned) promises
/// that it need not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    AddNsw,
    SubNsw,
    MulNsw,
    AddNuw,
    /// The divisor is neither 0 nor -1.
    Sdiv,
    /// The divisor is not 0, as for `Srem` (and not -1) and `Urem`.
    Udiv,
    Srem,
    Urem,
    And,
    Or,
    Xor,
    /// The count is less than the width, as for the other shifts.
    Shl,
    Ashr,
    Lshr,
    Smin,
    Smax,
    Umin,
    Umax,
    /// The high half of the product of unsigned numbers, of i64.
    UmulHigh,
}

/// Comparison of two integers or pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntCmp {
    Eq,
    Ne,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
}

/// Comparison of two floats: false with NaN, but for `Une` and `Uno`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatCmp {
    Oeq,
    Une,
    Olt,
    Ole,
    Ogt,
    Oge,
    /// Neither is NaN.
    Ord,
    /// One is NaN.
    Uno,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
}

/// Functions of one float that are exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatFn {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// To the nearest integer, halves to even.
    Rint,
}

/// The smaller or greater of two floats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extremum {
    pub greatest: bool,
    /// Whether NaN wins over numbers; else numbers win.
    pub nan_wins: bool,
}

/// What a backend may do with a float operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freedom {
    /// Nothing: the operation is rounded by itself.
    Exact,
    /// Make multiply-adds.
    Contract,
    /// Also reorder an accumulation. NaN, infinities and signed zeros stay.
    Reassociate,
    /// Everything that is right for real numbers.
    Real,
}

/// What is known of an access to memory.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// The classes of memory that it touches, of those that [`Emit::memory_classes`] told of; accesses
    /// without a class in common do not overlap. Empty: nothing is known.
    pub classes: SortedSet<usize>,
    /// The address may be no multiple of the size.
    pub unaligned: bool,
    /// The memory never changes.
    pub constant: bool,
}

/// Parameters and results (two at most) of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signature {
    pub params: Vec<Ty>,
    pub results: Vec<Ty>,
}

impl Signature {
    #[must_use]
    pub fn new(params: &[Ty], results: &[Ty]) -> Self {
        Self { params: params.to_vec(), results: results.to_vec() }
    }
}

/// Who sees a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// Only its own object.
    Private,
    /// All objects of the module, and nobody who loads it.
    Shared,
    Export,
    Import,
}

/// A function to be declared.
#[derive(Clone, Debug)]
pub struct Declaration<'a> {
    /// Unique among the functions of its linkage.
    pub name: &'a str,
    pub signature: Signature,
    pub linkage: Linkage,
    /// `General` code is to be small.
    pub version: Version,
    /// Depends on nothing but its arguments, and ends.
    pub pure: bool,
    /// Calls itself, so that each call needs a frame of its own.
    pub recursive: bool,
    /// Never put in the place of its calls: where that was worth it, a pass did it.
    pub outlined: bool,
    /// Whose code it is.
    pub source: Option<SourceFunction<'a>>,
    /// Loops compute functions that take much longer than memory does: of vectors the widest are worth their while.
    pub wide: bool,
    /// Seldom called; each call stays at its place, so that what it is given is not made ready before.
    pub cold: bool,
}

/// A function of the source, for debuggers.
#[derive(Clone, Copy, Debug)]
pub struct SourceFunction<'a> {
    pub name: &'a str,
    /// Path of the file.
    pub file: &'a str,
    pub line: u32,
}

impl<'a> Declaration<'a> {
    #[must_use]
    pub const fn new(name: &'a str, signature: Signature, linkage: Linkage) -> Self {
        let version = Version::Any;
        Self {
            name,
            signature,
            linkage,
            version,
            pure: false,
            recursive: false,
            outlined: false,
            wide: false,
            source: None,
            cold: false,
        }
    }
}

const OF_DEVICES: &str = "only devices do this";

/// Whose value a thread of a warp gets.
#[derive(Clone, Copy, Debug)]
pub enum Exchange<V> {
    /// That of the thread so far behind.
    Behind(V),
    /// That of the segment's first thread.
    First,
}

/// What a call through a pointer may touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touches {
    Anything,
    /// What its arguments point to and what generated code can't reach; no array.
    Arguments,
    /// Nothing: it gives the same each time, and does nothing else.
    Nothing,
}

/// Builds one function of an object at a time, at a position in it.
///
/// A mismatch of types is a compiler bug, and panics.
pub trait Emit: Sized {
    /// A value, or a constant, of the function that is being built.
    type V: Copy + Debug;
    type Label: Copy;
    type Function: Copy;

    /// Whether there is [`copy_memory`](Self::copy_memory).
    const COPIES_MEMORY: bool = false;

    // ---- functions of the object ----

    fn declare(&self, declaration: &Declaration<'_>) -> Self::Function;

    /// A builder that stands where the code of `function` begins, with the function's parameters.
    fn open(&self, function: Self::Function) -> (Self, Vec<Self::V>);

    /// Ends the function. What goes wrong is told when the object is made.
    fn close(self);

    /// What is built from now on stands at this line and column of the source.
    fn at_source(&self, _line: u32, _column: u32) {}

    /// From here on a variable of the source has this value: a number (bool as `I1`), two of a complex number, a
    /// pointer, or an array's data, dimensions and strides.
    fn watch(&self, _name: &str, _ty: Type, _parts: &[Self::V]) {}

    /// Tells how many classes of memory the function's accesses name, before any of them.
    fn memory_classes(&self, count: usize);

    // ---- constants ----

    fn ty(&self, value: Self::V) -> Ty;

    /// An integer; the bits that do not fit are cut off.
    fn int(&self, ty: Ty, value: i64) -> Self::V;

    /// A float, rounded to the type.
    fn float(&self, ty: Ty, value: f64) -> Self::V;

    fn null(&self) -> Self::V;

    /// The constant that an integer is, sign-extended; null is 0.
    fn const_int(&self, value: Self::V) -> Option<i64>;

    /// A pointer to a C string.
    fn string(&self, text: &str) -> Self::V;

    fn function_pointer(&self, function: Self::Function) -> Self::V;

    /// A pointer to constant data; `entry` says what code its pointers to entries mean.
    fn image(&self, image: &Image, entry: &dyn Fn(FuncRef) -> Self::Function) -> Self::V;

    /// Defines constant data under a symbol that the module's other objects can refer to.
    fn shared_image(&self, symbol: &str, image: &Image, entry: &dyn Fn(FuncRef) -> Self::Function);

    // ---- values ----

    fn int_op(&self, op: IntOp, a: Self::V, b: Self::V) -> Self::V;

    /// The absolute value; that of the smallest number is itself.
    fn int_abs(&self, a: Self::V) -> Self::V;

    /// How many bits of an integer are zero above the highest one that is not.
    fn leading_zeros(&self, a: Self::V) -> Self::V;

    fn icmp(&self, cmp: IntCmp, a: Self::V, b: Self::V) -> Self::V;

    fn float_op(&self, op: FloatOp, a: Self::V, b: Self::V, freedom: Freedom) -> Self::V;
    /// `a * b + c`, in one step where the processor has one for it.
    fn fmuladd(&self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        let product = self.float_op(FloatOp::Mul, a, b, Freedom::Contract);
        self.float_op(FloatOp::Add, product, c, Freedom::Contract)
    }

    fn float_fn(&self, function: FloatFn, a: Self::V) -> Self::V;

    /// `size` with the sign of `sign`.
    fn copysign(&self, size: Self::V, sign: Self::V) -> Self::V;

    fn fcmp(&self, cmp: FloatCmp, a: Self::V, b: Self::V) -> Self::V;

    /// An instruction for it, if there is one that is fast. It may give any of two zeros.
    fn extremum(&self, _which: Extremum, _a: Self::V, _b: Self::V) -> Option<Self::V> {
        None
    }

    /// Calls an elementary function, whose operands and result are of one type; `inline`: where it shall become part
    /// of a loop.
    fn math(&self, function: MathFunction, inline: bool, args: &[Self::V]) -> Self::V;

    fn select(&self, cond: Self::V, a: Self::V, b: Self::V) -> Self::V;

    /// Widens or narrows an integer.
    fn int_cast(&self, a: Self::V, ty: Ty, signed: bool) -> Self::V;

    fn int_to_float(&self, a: Self::V, ty: Ty, signed: bool) -> Self::V;

    /// Widens or narrows a float.
    fn float_cast(&self, a: Self::V, ty: Ty) -> Self::V;

    /// A float cut off to an int32 or int64; the least one for NaN and for what does not fit. `asked`: whether
    /// the result is compared with the least one, so that the code won't be vectorised anyway.
    fn float_to_int(&self, a: Self::V, ty: Ty, asked: bool) -> Self::V;

    /// The bits of a float.
    fn float_bits(&self, a: Self::V) -> Self::V;

    // ---- neighbouring threads, on devices alone ----

    /// The number of the thread in its warp.
    fn thread_in_warp(&self) -> Self::V {
        unreachable!("{OF_DEVICES}");
    }

    /// The number of the thread in its block, as an i64.
    fn thread_in_block(&self) -> Self::V {
        unreachable!("{OF_DEVICES}");
    }

    /// The number of the block, as an i64.
    fn block_in_grid(&self) -> Self::V {
        unreachable!("{OF_DEVICES}");
    }

    /// Memory that the threads of a block share: so many words, the same ones each time.
    fn words_of_block(&self, _count: usize) -> Self::V {
        unreachable!("{OF_DEVICES}");
    }

    /// Adds to a number of those that the threads of a block share, and gives what it was: so many numbers of 32 bits, the same ones each time.
    fn add_in_block(&self, _count: usize, _place: Self::V, _value: Self::V) -> Self::V {
        unreachable!("{OF_DEVICES}");
    }

    /// Waits for the block's other threads, which come here as well.
    fn barrier(&self) {
        unreachable!("{OF_DEVICES}");
    }

    /// What another thread of the segment has for `value`, of any type of numbers. All threads in `members`, a bit for each of the warp, come here; `segments` says how a warp is cut
    /// into segments, as PTX has it.
    fn exchange(
        &self,
        _from: Exchange<Self::V>,
        _value: Self::V,
        _members: Self::V,
        _segments: Self::V,
    ) -> Self::V {
        unreachable!("{OF_DEVICES}");
    }

    /// Whether a condition holds in any of the threads in `members`.
    fn holds_in_any(&self, _condition: Self::V, _members: Self::V) -> Self::V {
        unreachable!("{OF_DEVICES}");
    }

    // ---- memory ----

    /// So many 64-bit words on the stack, as long as the function runs.
    fn stack_words(&self, count: usize) -> Self::V;

    /// A 64-bit word on the stack that holds `value` when the function begins.
    fn stack_word(&self, value: i64) -> Self::V;

    /// Where the stack is.
    fn stack_pointer(&self) -> Self::V;

    fn load_with(&self, ty: Ty, base: Self::V, offset: usize, access: &Access) -> Self::V;

    fn store_with(&self, base: Self::V, offset: usize, value: Self::V, access: &Access);

    /// Combines a value into what memory holds, which other threads may do at once; the operation is one of those that have no order. On devices alone.
    fn update(&self, _op: IntOp, _at: Self::V, _value: Self::V) {
        unreachable!("{OF_DEVICES}");
    }

    /// Copies so many bytes from a place to another one that does not overlap it.
    fn copy_memory(&self, _to: Self::V, _from: Self::V, _bytes: Self::V) {
        unreachable!("the backend says that it can't");
    }

    /// `base + offset` bytes, within the object that `base` points into.
    fn offset(&self, base: Self::V, offset: Self::V) -> Self::V;

    /// `base + offset` bytes, wherever that is.
    fn wild_offset(&self, base: Self::V, offset: Self::V) -> Self::V;

    // ---- control ----

    /// A new block. It is given its [`Self::params`] before anything jumps to it.
    fn label(&self, name: &str) -> Self::Label;

    fn params(&self, label: Self::Label, types: &[Ty]) -> Vec<Self::V>;

    /// Stands at the end of a block.
    fn at(&self, label: Self::Label);

    fn br(&self, to: Self::Label, args: &[Self::V]);

    /// Goes back to the start of a loop that is worth no vectors, and, unless it is `hot`, no unrolling.
    fn br_back_plain(&self, to: Self::Label, args: &[Self::V], _hot: bool) {
        self.br(to, args);
    }

    /// Goes back to the start of a loop whose iterations cost so much that the last few are better one vector under a mask.
    fn br_back_masked(&self, to: Self::Label, args: &[Self::V]) {
        self.br(to, args);
    }

    /// Goes back to the start of a loop of which one vector at a time is computed.
    fn br_back_single(&self, to: Self::Label, args: &[Self::V]) {
        self.br(to, args);
    }

    fn cond_br(&self, cond: Self::V, yes: Self::Label, no: Self::Label);

    /// Branches where `no` is rare.
    fn likely(&self, cond: Self::V, yes: Self::Label, no: Self::Label);

    fn ret(&self, values: &[Self::V]);

    /// Ends a block that control never reaches the end of.
    fn unreachable(&self);

    fn call(&self, function: Self::Function, args: &[Self::V]) -> Vec<Self::V>;

    fn call_pointer(
        &self,
        signature: &Signature,
        pointer: Self::V,
        args: &[Self::V],
        touches: Touches,
    ) -> Vec<Self::V>;
}

macro_rules! int_ops {
    ($($name:ident $op:ident)*) => {
        $(fn $name(&self, a: Self::V, b: Self::V) -> Self::V {
            self.int_op(IntOp::$op, a, b)
        })*
    };
}

macro_rules! float_ops {
    ($($name:ident $op:ident)*) => {
        $(fn $name(&self, a: Self::V, b: Self::V, freedom: Freedom) -> Self::V {
            self.float_op(FloatOp::$op, a, b, freedom)
        })*
    };
}

/// Short names, for `lower`.
pub trait EmitExt: Emit {
    int_ops! {
        add Add  sub Sub  mul Mul  umul_high UmulHigh  add_nsw AddNsw  sub_nsw SubNsw  mul_nsw MulNsw  add_nuw AddNuw
        sdiv Sdiv  udiv Udiv  srem Srem  urem Urem  and And  or Or  xor Xor  shl Shl  ashr Ashr  lshr Lshr
    }

    float_ops! { fadd Add  fsub Sub  fmul Mul  fdiv Div }

    fn bool(&self, value: bool) -> Self::V {
        self.int(Ty::I1, i64::from(value))
    }

    fn i8(&self, value: u8) -> Self::V {
        self.int(Ty::I8, i64::from(value))
    }

    fn i32(&self, value: u32) -> Self::V {
        self.int(Ty::I32, i64::from(value))
    }

    fn i64(&self, value: i64) -> Self::V {
        self.int(Ty::I64, value)
    }

    /// A count as an i64.
    fn count(&self, count: usize) -> Self::V {
        self.i64(i64::try_from(count).expect("small"))
    }

    /// An integer of the type of `like`.
    fn int_like(&self, value: i64, like: Self::V) -> Self::V {
        self.int(self.ty(like), value)
    }

    fn float_like(&self, value: f64, like: Self::V) -> Self::V {
        self.float(self.ty(like), value)
    }

    fn not(&self, a: Self::V) -> Self::V {
        self.xor(a, self.int_like(-1, a))
    }

    fn neg(&self, a: Self::V) -> Self::V {
        self.sub(self.int_like(0, a), a)
    }

    fn eq(&self, a: Self::V, b: Self::V) -> Self::V {
        self.icmp(IntCmp::Eq, a, b)
    }

    fn ne(&self, a: Self::V, b: Self::V) -> Self::V {
        self.icmp(IntCmp::Ne, a, b)
    }

    fn slt(&self, a: Self::V, b: Self::V) -> Self::V {
        self.icmp(IntCmp::Slt, a, b)
    }

    fn sgt(&self, a: Self::V, b: Self::V) -> Self::V {
        self.icmp(IntCmp::Sgt, a, b)
    }

    fn ult(&self, a: Self::V, b: Self::V) -> Self::V {
        self.icmp(IntCmp::Ult, a, b)
    }

    fn is_null(&self, a: Self::V) -> Self::V {
        self.eq(a, self.null())
    }

    fn is_zero(&self, a: Self::V) -> Self::V {
        self.eq(a, self.int_like(0, a))
    }

    fn is_negative(&self, a: Self::V) -> Self::V {
        self.slt(a, self.int_like(0, a))
    }

    fn fneg(&self, a: Self::V) -> Self::V {
        self.float_fn(FloatFn::Neg, a)
    }

    fn fabs(&self, a: Self::V) -> Self::V {
        self.float_fn(FloatFn::Abs, a)
    }

    /// Compares with a constant.
    fn fcmp_const(&self, cmp: FloatCmp, a: Self::V, b: f64) -> Self::V {
        self.fcmp(cmp, a, self.float_like(b, a))
    }

    fn load(&self, ty: Ty, base: Self::V, offset: usize) -> Self::V {
        self.load_with(ty, base, offset, &Access::default())
    }

    /// Loads what never changes.
    fn load_constant(&self, ty: Ty, base: Self::V, offset: usize) -> Self::V {
        self.load_with(ty, base, offset, &Access { constant: true, ..Access::default() })
    }

    fn store(&self, base: Self::V, offset: usize, value: Self::V) {
        self.store_with(base, offset, value, &Access::default());
    }

    /// The field at a constant offset.
    fn field(&self, base: Self::V, offset: usize) -> Self::V {
        if offset == 0 { base } else { self.offset(base, self.count(offset)) }
    }

    /// Calls a function that has one result.
    fn call_one(&self, function: Self::Function, args: &[Self::V]) -> Self::V {
        self.call(function, args)[0]
    }
}

impl<E: Emit> EmitExt for E {}
