//! Text to module. Reads functions straight into their tables; names of values are resolved at the end of
//! each function and names of functions at the end of the text, so order and dominance are the verifier's
//! matter. No input makes it panic.

use std::collections::BTreeMap;

use super::claims::{Claims, check};
use super::lexer::{Pos, Tok, Token, tokenize};
use super::{MAX_NESTING, ParseError};
use crate::entity::{Block, Entity, FuncRef, Op, Value};
use crate::func::{ExceptionClass, Function, Loc, Module};
use crate::op::{Exc, Level, OpKind, Version};
use crate::places::Part;
use crate::types::{DType, Type};

/// Reads a module. What it claims about memory is checked, the rest of the verifier's rules are not.
///
/// # Errors
/// The first error in the text.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let tokens = tokenize(text)?;
    let mut parser = Parser::new(&tokens);
    parser.module()?;
    parser.resolve_functions()?;
    check(&parser.module, &parser.claims)?;
    Ok(parser.module)
}

pub(super) type Parsed<T> = Result<T, ParseError>;

/// Where the name of a function stands that is resolved at the end.
#[derive(Clone, Copy)]
pub(super) enum Mention {
    Call(FuncRef, Op),
    /// An export's entry.
    Entry(usize, usize),
}

pub(super) struct Parser<'t> {
    tokens: &'t [Token],
    next: usize,
    pub(super) module: Module,
    functions: BTreeMap<String, FuncRef>,
    pub(super) mentions: Vec<(Mention, String, Pos)>,
    /// The callee of the operation being read.
    callee: Option<(String, Pos)>,
    pub(super) claims: Claims,
}

/// The function being read.
struct Body {
    func: Function,
    index: FuncRef,
    names: BTreeMap<String, Value>,
    operands: Vec<(Op, Vec<(String, Pos)>)>,
    depth: usize,
}

/// `%0: i64 in m0`
struct Binding {
    name: String,
    ty: Type,
    claim: Option<Vec<u32>>,
    pos: Pos,
}

// ---- tokens ----
impl<'t> Parser<'t> {
    fn new(tokens: &'t [Token]) -> Self {
        Self {
            tokens,
            next: 0,
            module: Module::default(),
            functions: BTreeMap::new(),
            mentions: Vec::new(),
            callee: None,
            claims: Claims::default(),
        }
    }

    /// The next token; the last one, which is the end, stays.
    fn token(&self) -> &'t Token {
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    pub(super) fn peek(&self) -> &'t Tok {
        &self.token().tok
    }

    pub(super) fn pos(&self) -> Pos {
        self.token().pos
    }

    /// Where the token before stands.
    pub(super) fn before(&self) -> Pos {
        self.tokens[self.next.saturating_sub(1).min(self.tokens.len() - 1)].pos
    }

    pub(super) fn advance(&mut self) -> Tok {
        let tok = self.token().tok.clone();
        self.next += 1;
        tok
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        let found = *self.peek() == Tok::Punct(c);
        self.next += usize::from(found);
        found
    }

    /// As `eat`, only on the line of the token before.
    pub(super) fn eat_here(&mut self, c: char) -> bool {
        !self.token().first && self.eat(c)
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Tok::Ident(w) if w == word);
        self.next += usize::from(found);
        found
    }

    fn eat_word_here(&mut self, word: &str) -> bool {
        !self.token().first && self.eat_word(word)
    }

    pub(super) fn expected(&self, what: &str) -> ParseError {
        self.pos().error(format!("{what} was expected, not {}", self.peek().describe()))
    }

    pub(super) fn expect(&mut self, c: char) -> Parsed<()> {
        if self.eat(c) { Ok(()) } else { Err(self.expected(&format!("`{c}`"))) }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    fn expect_arrow(&mut self) -> Parsed<()> {
        if *self.peek() != Tok::Arrow {
            return Err(self.expected("`->`"));
        }
        self.next += 1;
        Ok(())
    }

    pub(super) fn ident(&mut self) -> Parsed<String> {
        let Tok::Ident(word) = self.peek() else { return Err(self.expected("a word")) };
        self.next += 1;
        Ok(word.clone())
    }

    pub(super) fn string(&mut self) -> Parsed<String> {
        let Tok::Str(text) = self.peek() else { return Err(self.expected("a string")) };
        self.next += 1;
        Ok(text.clone())
    }

    pub(super) fn func_name(&mut self) -> Parsed<String> {
        let Tok::Func(name) = self.peek() else { return Err(self.expected("`@name`")) };
        self.next += 1;
        Ok(name.clone())
    }

    pub(super) fn uint(&mut self) -> Parsed<u32> {
        let Tok::Int(value) = *self.peek() else { return Err(self.expected("a number")) };
        let value = u32::try_from(value).ok().filter(|&v| v < u32::MAX);
        let value = value.ok_or_else(|| self.pos().error("the number is out of range"))?;
        self.next += 1;
        Ok(value)
    }

    /// The number in a word such as `slot3` or `m3`.
    pub(super) fn numbered(&mut self, prefix: &str) -> Parsed<u32> {
        let number = match self.peek() {
            Tok::Ident(word) => word.strip_prefix(prefix).and_then(|digits| digits.parse().ok()),
            _ => None,
        };
        let number: u32 =
            number.filter(|&n| n < u32::MAX).ok_or_else(|| self.expected(&format!("`{prefix}0`, …")))?;
        self.next += 1;
        Ok(number)
    }

    /// Items between commas up to the closing character, after the opening one.
    pub(super) fn list<T>(&mut self, close: char, read: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(read(self)?);
            if self.eat(close) {
                return Ok(items);
            }
            if !self.eat(',') {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
        }
    }

    pub(super) fn callee(&mut self) -> Parsed<FuncRef> {
        let pos = self.pos();
        self.callee = Some((self.func_name()?, pos));
        Ok(FuncRef::new(0))
    }
}

// ---- modules ----
impl Parser<'_> {
    fn module(&mut self) -> Parsed<()> {
        if self.eat_word("module") {
            self.module.name = self.string()?;
            if self.eat_word("file") {
                self.module.file = self.string()?;
            }
            if self.eat_word("doc") {
                self.module.doc = Some(self.string()?);
            }
        }
        while self.eat_word("part") {
            let (start, file) = (self.uint()?, self.string()?);
            let (line, indent) = (self.uint()?, self.uint()?);
            self.module.parts.push(Part { start, file, line, indent });
        }
        if self.eat_word("scopes") {
            loop {
                let name = self.string()?;
                self.module.scopes.push(name);
                if !self.eat(',') {
                    break;
                }
            }
        }
        while self.eat_word("exception") {
            let name = self.string()?;
            self.expect('(')?;
            let pos = self.pos();
            let base =
                Exc::from_text(&self.ident()?).ok_or_else(|| pos.error("there is no such exception"))?;
            self.expect(')')?;
            let doc = if self.eat_word("doc") { Some(self.string()?) } else { None };
            self.module.exceptions.push(ExceptionClass { name, base, doc });
        }
        while *self.peek() != Tok::End {
            if self.eat_word("export") {
                self.export()?;
            } else if self.eat_word("func") {
                self.function()?;
            } else {
                return Err(self.expected("`func` or `export`"));
            }
        }
        Ok(())
    }

    fn resolve_functions(&mut self) -> Parsed<()> {
        for (mention, name, pos) in std::mem::take(&mut self.mentions) {
            let found = self.functions.get(&name).copied();
            let found = found.ok_or_else(|| pos.error(format!("there is no function `@{name}`")))?;
            match mention {
                Mention::Call(func, op) => match &mut self.module.funcs[func].ops[op].kind {
                    OpKind::Call(callee) | OpKind::Launch(callee) => *callee = found,
                    _ => {}
                },
                Mention::Entry(export, entry) => self.module.exports[export].entries[entry].func = found,
            }
        }
        Ok(())
    }

    pub(super) fn ty(&mut self) -> Parsed<Type> {
        let pos = self.pos();
        let word = self.ident()?;
        match word.as_str() {
            "array" => self.array().map(|(dtype, rank)| Type::array(dtype, rank)),
            "list" => {
                let mut depth = 1;
                self.expect('<')?;
                while self.eat_word("list") {
                    self.expect('<')?;
                    depth += 1;
                    if depth > Type::MAX_DEPTH {
                        return Err(pos.error("lists are not that deep"));
                    }
                }
                let (dtype, rank) = if self.eat_word("array") {
                    let (dtype, rank) = self.array()?;
                    (dtype, Some(rank))
                } else {
                    (self.dtype()?, None)
                };
                (0..depth).try_for_each(|_| self.expect('>'))?;
                Ok(Type::List { dtype, rank, depth })
            }
            "str" => Ok(Type::Str),
            _ => DType::from_name(&word)
                .map(Type::Scalar)
                .ok_or_else(|| pos.error(format!("there is no type `{word}`"))),
        }
    }

    /// What follows `array`: `<f64, 2>`.
    fn array(&mut self) -> Parsed<(DType, u8)> {
        self.expect('<')?;
        let dtype = self.dtype()?;
        self.expect(',')?;
        let rank = self.rank()?;
        self.expect('>')?;
        Ok((dtype, rank))
    }

    pub(super) fn dtype(&mut self) -> Parsed<DType> {
        let pos = self.pos();
        let word = self.ident()?;
        DType::from_name(&word).ok_or_else(|| pos.error(format!("there is no element type `{word}`")))
    }

    pub(super) fn rank(&mut self) -> Parsed<u8> {
        let pos = self.pos();
        u8::try_from(self.uint()?).map_err(|_| pos.error("a rank is at most 255"))
    }
}

// ---- functions ----
impl Parser<'_> {
    fn function(&mut self) -> Parsed<()> {
        let pos = self.pos();
        let name = self.func_name()?;
        let level = match self.ident()?.as_str() {
            "array" => Level::Array,
            "loop" => Level::Loop,
            _ => return Err(self.before().error("`array` or `loop` was expected")),
        };
        let mut func = Function::new(&name, level);
        self.function_properties(&mut func)?;
        let index = FuncRef::new(self.module.funcs.len());
        if self.functions.insert(name.clone(), index).is_some() {
            return Err(pos.error(format!("there is a function `@{name}` already")));
        }
        let mut body = Body { func, index, names: BTreeMap::new(), operands: Vec::new(), depth: 0 };
        self.expect('(')?;
        let params = self.list(')', Self::binding)?;
        let entry = body.func.entry;
        self.bind_params(&mut body, entry, params)?;
        self.expect_arrow()?;
        self.expect('(')?;
        body.func.results = self.list(')', Self::ty)?;
        self.expect('{')?;
        self.ops(&mut body, entry)?;
        body.resolve()?;
        self.module.funcs.push(body.func);
        Ok(())
    }

    fn function_properties(&mut self, func: &mut Function) -> Parsed<()> {
        if self.eat_word("fast") {
            func.version = Version::Fast;
        } else if self.eat_word("general") {
            func.version = Version::General;
        }
        func.device = self.eat_word("device");
        func.recursive = self.eat_word("recursive");
        func.operation = if self.eat_word("operation") { Some(self.string()?) } else { None };
        if self.eat_word("slots") {
            self.expect('=')?;
            func.slots = self.uint()?;
        }
        if self.eat_word("region") {
            func.region = Some(self.region_of_loop()?);
        }
        Ok(())
    }

    fn binding(&mut self) -> Parsed<Binding> {
        let pos = self.pos();
        let Tok::Value(name) = self.peek() else { return Err(self.expected("`%name: type`")) };
        self.next += 1;
        self.expect(':')?;
        let ty = self.ty()?;
        let claim = if self.eat_word("in") { Some(self.classes()?) } else { None };
        Ok(Binding { name: name.clone(), ty, claim, pos })
    }

    /// `m0|m1`
    fn classes(&mut self) -> Parsed<Vec<u32>> {
        let mut classes = vec![self.numbered("m")?];
        while self.eat('|') {
            classes.push(self.numbered("m")?);
        }
        Ok(classes)
    }

    fn bind(&mut self, body: &mut Body, value: Value, binding: Binding) -> Parsed<()> {
        if let Some(claim) = binding.claim {
            self.claims.value(body.index, value, claim, binding.pos);
        }
        match body.names.insert(binding.name, value) {
            Some(_) => Err(binding.pos.error("the value is defined twice")),
            None => Ok(()),
        }
    }

    fn bind_params(&mut self, body: &mut Body, block: Block, params: Vec<Binding>) -> Parsed<()> {
        for binding in params {
            let value = body.func.add_param(block, binding.ty);
            self.bind(body, value, binding)?;
        }
        Ok(())
    }

    /// Operations up to the closing brace.
    fn ops(&mut self, body: &mut Body, block: Block) -> Parsed<()> {
        while !self.eat('}') {
            if *self.peek() == Tok::End {
                return Err(self.expected("`}`"));
            }
            self.op(body, block)?;
        }
        Ok(())
    }

    fn region(&mut self, body: &mut Body) -> Parsed<Block> {
        body.depth += 1;
        if body.depth > MAX_NESTING {
            return Err(self.pos().error("regions are nested too deeply"));
        }
        let block = body.func.new_block();
        if self.eat('(') {
            let params = self.list(')', Self::binding)?;
            self.bind_params(body, block, params)?;
            self.expect(':')?;
        }
        self.ops(body, block)?;
        body.depth -= 1;
        Ok(block)
    }

    fn op(&mut self, body: &mut Body, block: Block) -> Parsed<()> {
        let op = self.op_header(body, block)?;
        let mut cold = self.eat_word_here("cold");
        if cold {
            self.expect('{')?;
        } else if !self.eat_here('{') {
            return Ok(());
        }
        loop {
            let region = self.region(body)?;
            body.func.blocks[region].cold = cold;
            body.func.ops[op].regions.push(region);
            if !self.eat_word_here("else") {
                return Ok(());
            }
            cold = self.eat_word_here("cold");
            self.expect('{')?;
        }
    }

    /// All of an operation but its regions.
    fn op_header(&mut self, body: &mut Body, block: Block) -> Parsed<Op> {
        let results = self.results()?;
        let pos = self.pos();
        let mnemonic = self.ident()?;
        let kind = self.kind(&mnemonic)?;
        let types: Vec<Type> = results.iter().map(|r| r.ty).collect();
        let op = body.func.new_op(kind, Vec::new(), &types, Vec::new(), Loc::default());
        body.func.blocks[block].ops.push(op);
        if let Some((name, pos)) = self.callee.take() {
            self.mentions.push((Mention::Call(body.index, op), name, pos));
        }
        for (i, binding) in results.into_iter().enumerate() {
            let value = body.func.ops[op].results[i];
            self.bind(body, value, binding)?;
        }
        let operands = self.operands()?;
        body.operands.push((op, operands));
        self.effects(body, op, pos)?;
        if self.eat_word_here("at") {
            body.func.ops[op].loc = self.location()?;
        }
        Ok(op)
    }

    fn results(&mut self) -> Parsed<Vec<Binding>> {
        if !matches!(self.peek(), Tok::Value(_)) {
            return Ok(Vec::new());
        }
        let mut results = vec![self.binding()?];
        while self.eat(',') {
            results.push(self.binding()?);
        }
        self.expect('=')?;
        Ok(results)
    }

    fn operands(&mut self) -> Parsed<Vec<(String, Pos)>> {
        let mut operands = Vec::new();
        if self.token().first || !matches!(self.peek(), Tok::Value(_)) {
            return Ok(operands);
        }
        loop {
            let pos = self.pos();
            let Tok::Value(name) = self.peek() else { return Err(self.expected("`%name`")) };
            self.next += 1;
            operands.push((name.clone(), pos));
            if !self.eat(',') {
                return Ok(operands);
            }
        }
    }

    /// `!r m0 !w m1|m2`
    fn effects(&mut self, body: &Body, op: Op, pos: Pos) -> Parsed<()> {
        while self.eat_here('!') {
            let reads = self.eat_word("r");
            if !reads {
                self.expect_word("w")?;
            }
            let classes = self.classes()?;
            self.claims.effect(body.index, op, reads, classes, pos);
        }
        Ok(())
    }

    /// `3:5 in "function"`
    fn location(&mut self) -> Parsed<Loc> {
        let line = self.uint()?;
        self.expect(':')?;
        let column = self.uint()?;
        let scope = if self.eat_word_here("in") {
            let name = self.string()?;
            self.module.scope(&name)
        } else {
            0
        };
        Ok(Loc { line, column, scope })
    }
}

impl Body {
    /// Puts values for the names of operands.
    fn resolve(&mut self) -> Parsed<()> {
        for (op, operands) in &self.operands {
            for (name, pos) in operands {
                let value = self.names.get(name).copied();
                let value = value.ok_or_else(|| pos.error(format!("there is no value `%{name}`")))?;
                self.func.ops[*op].args.push(value);
            }
        }
        Ok(())
    }
}
