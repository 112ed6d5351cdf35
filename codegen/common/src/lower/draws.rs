//! Random numbers. Floats of 53 bits, and integers below a bound of 32, are made where they are drawn: of words that the thread's stream has ready; the former also by a step of a
//! generator of its state.

use crate::emit::{Access, Emit, EmitExt, Freedom, IntCmp, Signature, Touches, Ty};
use crate::lower::function::FuncCx;
use crate::lower::library::function;
use crate::lower::values::Val;
use pydd_abi::{PCG64_MULTIPLIER, RANDOM_WORDS, RuntimeFn, layout};
use pydd_ir::{DType, Draw, Function, LibOp, Op, OpKind, Value, Version};

/// Streams of the Mersenne Twister that a thread has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// That of `np.random`.
    Numpy,
    /// That of Python's `random`.
    Python,
}

impl Stream {
    const ALL: [Self; 2] = [Self::Numpy, Self::Python];
}

/// What is made without a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Made {
    /// 53 bits, in [0, 1).
    Fraction,
    /// The same within bounds.
    Uniform,
    /// 0 to a number, both included: words cut to as many bits as it has until one is not above it. NumPy takes the lower ones of a word, Python the upper ones.
    Interval,
    /// The same from another number on.
    Integer,
}

impl Made {
    fn of(draw: Draw) -> Option<(Self, Stream)> {
        match draw {
            Draw::Double => Some((Self::Fraction, Stream::Numpy)),
            Draw::Uniform => Some((Self::Uniform, Stream::Numpy)),
            Draw::Interval => Some((Self::Interval, Stream::Numpy)),
            Draw::Integer => Some((Self::Integer, Stream::Numpy)),
            Draw::PythonDouble => Some((Self::Fraction, Stream::Python)),
            Draw::PythonUniform => Some((Self::Uniform, Stream::Python)),
            Draw::PythonBelow => Some((Self::Interval, Stream::Python)),
            _ => None,
        }
    }

    /// Whether a generator's numbers are made so as well.
    fn is_of_generators(self) -> bool {
        matches!(self, Self::Fraction | Self::Uniform)
    }
}

/// Where in a generator's words its state and its increment are, the high half of each first.
const STATE: [usize; 2] = [0, 8];
const INCREMENT: [usize; 2] = [16, 24];

impl<E: Emit> FuncCx<'_, E> {
    /// Asks where the streams are that the function draws from, before its loops do so.
    pub fn find_streams(&mut self) {
        if self.draws_by_calls() {
            return;
        }
        for stream in Stream::ALL {
            if draws_from(self.func, stream) {
                let words = self.ask_for_words(stream);
                self.streams.push((stream, words));
            }
        }
    }

    /// Whether code is to be small.
    fn draws_by_calls(&self) -> bool {
        self.func.version == Version::General || self.m.options.opt_level < 2
    }

    pub fn draw(&mut self, op: Op, draw: Draw) {
        let args = &self.func.ops[op].args;
        let (generator, params) = args.split_at(args.len() - draw.params().len());
        let params: Vec<E::V> = params.iter().map(|&param| self.scalar(param)).collect();
        let made = Made::of(draw).filter(|(made, _)| generator.is_empty() || made.is_of_generators());
        let drawn = match made {
            Some((made, stream)) if !self.is_cold && !self.draws_by_calls() => {
                self.make(made, stream, generator.first().copied(), &params)
            }
            _ => {
                let generator = generator.first().map_or_else(|| self.ir.null(), |&g| self.val(g).parts()[0]);
                self.call_for(draw, generator, &params)
            }
        };
        self.bind(self.func.result(op), Val::Scalar(drawn));
    }

    fn make(&self, made: Made, stream: Stream, generator: Option<Value>, params: &[E::V]) -> E::V {
        let fraction = || match generator {
            Some(generator) => self.step_generator(generator),
            None => self.fraction_of_stream(stream),
        };
        match (made, params) {
            (Made::Fraction, []) => fraction(),
            (Made::Uniform, &[low, range]) => {
                let scaled = self.ir.fmul(range, fraction(), Freedom::Exact);
                self.ir.fadd(low, scaled, Freedom::Exact)
            }
            (Made::Interval, &[max]) => self.interval_of_stream(stream, max),
            (Made::Integer, &[low, range]) => self.ir.add(low, self.interval_of_stream(stream, range)),
            _ => unreachable!("the verifier counts operands"),
        }
    }

    /// From a generator's words, or where these are null from the thread's stream.
    fn call_for(&self, draw: Draw, generator: E::V, params: &[E::V]) -> E::V {
        let machine = |dtype: DType| if dtype.is_float() { Ty::F64 } else { Ty::I64 };
        let types = std::iter::once(Ty::Ptr).chain(draw.params().iter().copied().map(machine)).collect();
        let signature = Signature { params: types, results: vec![machine(draw.result())] };
        let args: Vec<E::V> = std::iter::once(generator).chain(params.iter().copied()).collect();
        self.ir.call_pointer(&signature, self.table_entry(function(draw.name())), &args, Touches::Anything)[0]
    }

    /// Where the words of a stream of the thread's are.
    fn ask_for_words(&self, stream: Stream) -> E::V {
        let signature = Signature::new(&[Ty::I32], &[Ty::Ptr]);
        let entry = self.table_entry(RuntimeFn::random_words);
        let which = self.ir.i32(u32::from(stream == Stream::Python));
        self.ir.call_pointer(&signature, entry, &[which], Touches::Nothing)[0]
    }

    /// The next words of a stream, if it has so many ready; else control goes to `more`.
    fn take(&self, stream: Stream, count: usize, more: E::Label) -> Vec<E::V> {
        let known = self.streams.iter().find(|(known, _)| *known == stream).map(|&(_, words)| words);
        let words = known.unwrap_or_else(|| self.ask_for_words(stream));
        let ir = &self.ir;
        let ready = ir.label("ready");
        let used = ir.load(Ty::I64, words, layout::RANDOM_USED);
        ir.likely(ir.ult(used, ir.count(RANDOM_WORDS + 1 - count)), ready, more);
        ir.at(ready);
        let at = ir.offset(words, ir.shl(used, ir.i64(2)));
        let word = |i| ir.load(Ty::I32, at, layout::RANDOM_FIRST + size_of::<u32>() * i);
        let taken = (0..count).map(|i| ir.int_cast(word(i), Ty::I64, false)).collect();
        ir.store(words, layout::RANDOM_USED, ir.add(used, ir.count(count)));
        taken
    }

    /// 53 bits of two words of a stream, in [0, 1).
    fn fraction_of_stream(&self, stream: Stream) -> E::V {
        let ir = &self.ir;
        let [more, done] = ["more", "drawn"].map(|name| ir.label(name));
        let drawn = ir.params(done, &[Ty::F64])[0];
        let words = self.take(stream, 2, more);
        let high = ir.shl(ir.lshr(words[0], ir.i64(5)), ir.i64(26));
        let bits = ir.or(high, ir.lshr(words[1], ir.i64(6)));
        ir.br(done, &[self.fraction(bits)]);

        ir.at(more);
        let draw = if stream == Stream::Python { Draw::PythonDouble } else { Draw::Double };
        ir.br(done, &[self.call_for(draw, ir.null(), &[])]);

        ir.at(done);
        drawn
    }

    /// 0 to `max`, both included: of one word, or of more by a call.
    fn interval_of_stream(&self, stream: Stream, max: E::V) -> E::V {
        let ir = &self.ir;
        let [short, more, done] = ["short", "more", "drawn"].map(|name| ir.label(name));
        let drawn = ir.params(done, &[Ty::I64])[0];
        // No word is taken for 0 by NumPy, and more than one for what has more bits.
        let (least, draw) = match stream {
            Stream::Numpy => (1, Draw::Interval),
            Stream::Python => (0, Draw::PythonBelow),
        };
        let above = ir.sub(max, ir.i64(least));
        ir.likely(ir.ult(above, ir.i64(i64::from(u32::MAX))), short, more);
        ir.at(short);
        let word = self.take(stream, 1, more)[0];
        let bits = match stream {
            Stream::Numpy => ir.and(word, ir.lshr(ir.i64(-1), ir.leading_zeros(max))),
            Stream::Python => {
                let unused = ir.sub(ir.leading_zeros(ir.add(max, ir.i64(1))), ir.i64(32));
                ir.lshr(word, unused)
            }
        };
        // A word that says too much is taken nevertheless.
        let fits = ir.label("fits");
        ir.cond_br(ir.icmp(IntCmp::Ule, bits, max), fits, more);
        ir.at(fits);
        ir.br(done, &[bits]);

        ir.at(more);
        ir.br(done, &[self.call_for(draw, ir.null(), &[max])]);

        ir.at(done);
        drawn
    }

    /// A number below 2^53 as a fraction of it.
    fn fraction(&self, bits: E::V) -> E::V {
        let ir = &self.ir;
        let number = ir.int_to_float(bits, Ty::F64, true);
        ir.fmul(number, ir.float(Ty::F64, 1.0 / 9_007_199_254_740_992.0), Freedom::Exact)
    }

    /// 53 bits of a step of a generator, in [0, 1).
    fn step_generator(&self, generator: Value) -> E::V {
        let ir = &self.ir;
        let (at, access) = (self.val(generator).parts()[0], self.array_access(generator));
        let load = |[high, low]: [usize; 2], access: &Access| {
            [ir.load_with(Ty::I64, at, high, access), ir.load_with(Ty::I64, at, low, access)]
        };
        let [high, low] = load(STATE, &access);
        let [more_high, more_low] = load(INCREMENT, &access);
        let [by_high, by_low] =
            [PCG64_MULTIPLIER >> 64, PCG64_MULTIPLIER].map(|half| ir.i64((half as u64).cast_signed()));
        let crossed = ir.add(ir.mul(high, by_low), ir.mul(low, by_high));
        let product = [ir.add(ir.umul_high(low, by_low), crossed), ir.mul(low, by_low)];
        let low = ir.add(product[1], more_low);
        let carry = ir.int_cast(ir.ult(low, more_low), Ty::I64, false);
        let high = ir.add(ir.add(product[0], more_high), carry);
        ir.store_with(at, STATE[0], high, &access);
        ir.store_with(at, STATE[1], low, &access);
        // The halves folded, and rotated by the upper bits.
        let (folded, count) = (ir.xor(high, low), ir.lshr(high, ir.i64(58)));
        let back = ir.and(ir.neg(count), ir.i64(63));
        let rotated = ir.or(ir.lshr(folded, count), ir.shl(folded, back));
        self.fraction(ir.lshr(rotated, ir.i64(11)))
    }
}

/// Whether a function makes numbers of a stream's words.
fn draws_from(func: &Function, stream: Stream) -> bool {
    let mut found = false;
    func.walk(func.entry, &mut |op| {
        let data = &func.ops[op];
        if let OpKind::Lib(LibOp::Draw(draw)) = data.kind {
            let is_of_thread = data.args.len() == draw.params().len();
            found |= is_of_thread && Made::of(draw).is_some_and(|(_, of)| of == stream);
        }
    });
    found
}
