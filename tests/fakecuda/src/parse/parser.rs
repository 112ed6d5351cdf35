//! Tokens to the tree. What an instruction means is `decode`'s matter.

use super::lexer::{Token, tokens};
use super::{
    Error, Function, Initial, Instruction, Module, Operand, Space, Statement, Type, Variable, error,
};

pub fn parse(text: &str) -> Result<Module, Error> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0 };
    let mut module = Module { version: 0, level: 0, variables: Vec::new(), functions: Vec::new() };
    while parser.next < parser.tokens.len() {
        parser.item(&mut module)?;
    }
    if module.version == 0 || module.level == 0 {
        return error(1, "a module begins with .version and .target");
    }
    Ok(module)
}

struct Parser {
    tokens: Vec<(Token, u32)>,
    next: usize,
}

/// No device's memory here is as large.
const LARGEST_VARIABLE: u64 = 1 << 31;

const LINKING: [&str; 5] = ["visible", "extern", "weak", "common", "internal"];

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    fn line(&self) -> u32 {
        self.tokens.get(self.next).or(self.tokens.last()).map_or(1, |(_, line)| *line)
    }

    fn unexpected<T>(&self, wanted: &str) -> Result<T, Error> {
        let found = match self.peek() {
            Some(Token::Name(n)) => format!("`{n}`"),
            Some(Token::Dot(n)) => format!("`.{n}`"),
            Some(Token::Symbol(c)) => format!("`{c}`"),
            Some(token) => format!("{token:?}"),
            None => "the end".to_string(),
        };
        error(self.line(), format!("{wanted} expected, found {found}"))
    }

    fn symbol(&mut self, c: char) -> bool {
        let is = self.peek() == Some(&Token::Symbol(c));
        self.next += usize::from(is);
        is
    }

    fn expect(&mut self, c: char) -> Result<(), Error> {
        if self.symbol(c) { Ok(()) } else { self.unexpected(&format!("`{c}`")) }
    }

    fn name(&mut self) -> Result<String, Error> {
        match self.peek() {
            Some(Token::Name(name)) => {
                let name = name.clone();
                self.next += 1;
                Ok(name)
            }
            _ => self.unexpected("a name"),
        }
    }

    /// The directive that comes next, if it is one of `words`.
    fn directive(&mut self, words: &[&str]) -> Option<String> {
        let Some(Token::Dot(word)) = self.peek() else { return None };
        let found = words.contains(&word.as_str()).then(|| word.clone())?;
        self.next += 1;
        Some(found)
    }

    fn integer(&mut self) -> Result<u64, Error> {
        let negative = self.symbol('-');
        match self.peek() {
            Some(Token::Integer(value)) => {
                let value = *value;
                self.next += 1;
                Ok(if negative { value.wrapping_neg() } else { value })
            }
            _ => self.unexpected("an integer"),
        }
    }

    fn skip_line(&mut self) {
        let line = self.line();
        while self.next < self.tokens.len() && self.line() == line {
            self.next += 1;
        }
    }

    /// Debug information, which nothing here needs. True if there was some.
    fn skip_debug(&mut self) -> bool {
        match self.directive(&["loc", "file", "section", "pragma"]).as_deref() {
            Some("section") => {
                while self.next < self.tokens.len() && !self.symbol('{') {
                    self.next += 1;
                }
                while self.next < self.tokens.len() && !self.symbol('}') {
                    self.next += 1;
                }
                true
            }
            Some(_) => {
                let line = self.tokens[self.next - 1].1;
                while self.next < self.tokens.len() && self.line() == line {
                    self.next += 1;
                }
                true
            }
            None => false,
        }
    }

    fn item(&mut self, module: &mut Module) -> Result<(), Error> {
        if self.skip_debug() {
            return Ok(());
        }
        let line = self.line();
        match self.directive(&["version", "target", "address_size"]).as_deref() {
            Some("version") => return self.version(module),
            Some("target") => {
                let name = self.name()?;
                let digits: String = name.chars().filter(char::is_ascii_digit).collect();
                module.level =
                    digits.parse().map_err(|_| Error { line, text: format!("unknown target `{name}`") })?;
                self.skip_rest_of(line);
                return Ok(());
            }
            Some(_) => {
                let size = self.integer()?;
                return if size == 64 { Ok(()) } else { error(line, "only .address_size 64 is supported") };
            }
            None => {}
        }
        let mut external = false;
        while let Some(word) = self.directive(&LINKING) {
            external |= word == "extern";
        }
        match self.directive(&["entry", "func"]) {
            Some(kind) => {
                let function = self.function(kind == "entry")?;
                module.functions.push(function);
            }
            None => module.variables.extend(self.variables(external)?),
        }
        Ok(())
    }

    fn skip_rest_of(&mut self, line: u32) {
        if self.line() == line {
            self.skip_line();
        }
    }

    /// `7.8` is read as a number with a fraction.
    fn version(&mut self, module: &mut Module) -> Result<(), Error> {
        match self.peek() {
            Some(Token::Double(bits)) => {
                module.version = (f64::from_bits(*bits) * 10.0).round() as u32;
                self.next += 1;
                Ok(())
            }
            _ => self.unexpected("a version"),
        }
    }

    fn function(&mut self, entry: bool) -> Result<Function, Error> {
        let line = self.line();
        let results = if self.symbol('(') { self.parameters()? } else { Vec::new() };
        let name = self.name()?;
        let parameters = if self.symbol('(') { self.parameters()? } else { Vec::new() };
        let mut function = Function {
            name,
            entry,
            results,
            parameters,
            most_threads: None,
            exact_block: None,
            body: None,
            line,
        };
        self.limits(&mut function)?;
        if !self.symbol(';') {
            self.expect('{')?;
            function.body = Some(self.statements()?);
        }
        Ok(function)
    }

    fn limits(&mut self, function: &mut Function) -> Result<(), Error> {
        let words = ["maxntid", "reqntid", "minnctapersm", "maxnctapersm", "maxnreg", "noreturn", "pragma"];
        while let Some(word) = self.directive(&words) {
            if word == "pragma" {
                self.next += 1;
                self.expect(';')?;
            }
            let mut numbers = Vec::new();
            while matches!(self.peek(), Some(Token::Integer(_))) {
                numbers.push(self.integer()? as u32);
                self.symbol(',');
            }
            match word.as_str() {
                "maxntid" => function.most_threads = Some(numbers.iter().product()),
                "reqntid" => {
                    let axis = |i: usize| numbers.get(i).copied().unwrap_or(1);
                    function.exact_block = Some([axis(0), axis(1), axis(2)]);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn parameters(&mut self) -> Result<Vec<Variable>, Error> {
        let mut parameters = Vec::new();
        while !self.symbol(')') {
            if self.symbol('_') {
                continue;
            }
            parameters.push(self.variable(false)?);
            self.symbol(',');
        }
        Ok(parameters)
    }

    /// A declaration up to the semicolon, of one or several names.
    fn variables(&mut self, external: bool) -> Result<Vec<Variable>, Error> {
        let mut all = vec![self.variable(external)?];
        while self.symbol(',') {
            let mut next = all[0].clone();
            next.name = self.name()?;
            self.shape(&mut next)?;
            all.push(next);
        }
        self.expect(';')?;
        Ok(all)
    }

    fn variable(&mut self, external: bool) -> Result<Variable, Error> {
        let line = self.line();
        let space = match self.directive(&["global", "const", "shared", "local", "param", "reg"]).as_deref() {
            Some("global") => Space::Global,
            Some("const") => Space::Const,
            Some("shared") => Space::Shared,
            Some("local") => Space::Local,
            // A `.reg` among parameters is one that a call passes, as `.param`.
            Some(_) => Space::Param,
            None => return self.unexpected("a declaration"),
        };
        let (mut ty, mut align, mut vector) = (None, None, 1);
        loop {
            if self.directive(&["align"]).is_some() {
                align = Some(self.integer()? as u32);
            } else if let Some(v) = self.directive(&["v2", "v4"]) {
                vector = if v == "v2" { 2 } else { 4 };
            } else if self.directive(&["ptr"]).is_some() {
                self.directive(&["global", "const", "shared", "local"]);
            } else if let Some(Token::Dot(word)) = self.peek() {
                match Type::named(word) {
                    Some(found) => ty = Some(ty.unwrap_or(found)),
                    None if word.starts_with("attribute") || word == "unified" => {}
                    None => return self.unexpected("a type"),
                }
                self.next += 1;
            } else {
                break;
            }
        }
        let Some(ty) = ty else { return self.unexpected("a type") };
        let size = u64::from(ty.bytes()) * vector;
        let align = align.unwrap_or(size as u32);
        let name = self.name()?;
        let mut variable = Variable { space, name, ty, align, size, initial: Vec::new(), external, line };
        self.shape(&mut variable)?;
        Ok(variable)
    }

    /// Extents and initial values behind a name.
    fn shape(&mut self, variable: &mut Variable) -> Result<(), Error> {
        variable.initial.clear();
        let mut open = false;
        while self.symbol('[') {
            if self.symbol(']') {
                open = true;
                continue;
            }
            let line = self.line();
            match variable.size.checked_mul(self.integer()?) {
                Some(size) if size <= LARGEST_VARIABLE => variable.size = size,
                _ => return error(line, format!("`{}` is too large", variable.name)),
            }
            self.expect(']')?;
        }
        if self.symbol('=') {
            self.initial(variable)?;
        }
        if open {
            variable.size = variable.initial.len() as u64 * u64::from(variable.ty.bytes());
        }
        Ok(())
    }

    fn initial(&mut self, variable: &mut Variable) -> Result<(), Error> {
        if self.symbol('{') {
            while !self.symbol('}') {
                self.initial(variable)?;
                self.symbol(',');
            }
            return Ok(());
        }
        let value = match self.peek().cloned() {
            Some(Token::Name(name)) if name == "generic" => {
                self.next += 1;
                self.expect('(')?;
                let name = self.name()?;
                self.expect(')')?;
                Initial::Symbol(name, self.offset()?)
            }
            Some(Token::Name(name)) => {
                self.next += 1;
                Initial::Symbol(name, self.offset()?)
            }
            Some(Token::Single(bits)) => {
                self.next += 1;
                Initial::Number(if variable.ty == Type::F64 {
                    f64::from(f32::from_bits(bits)).to_bits()
                } else {
                    bits.into()
                })
            }
            Some(Token::Double(bits)) => {
                self.next += 1;
                let narrow = u64::from((f64::from_bits(bits) as f32).to_bits());
                Initial::Number(if variable.ty == Type::F32 { narrow } else { bits })
            }
            _ => Initial::Number(self.integer()?),
        };
        variable.initial.push(value);
        Ok(())
    }

    fn offset(&mut self) -> Result<i64, Error> {
        if self.symbol('+') {
            return Ok(self.integer()? as i64);
        }
        match self.peek() {
            Some(Token::Symbol('-')) => Ok(self.integer()? as i64),
            _ => Ok(0),
        }
    }

    fn statements(&mut self) -> Result<Vec<Statement>, Error> {
        let mut all = Vec::new();
        while !self.symbol('}') {
            if self.skip_debug() {
                continue;
            }
            match self.peek() {
                None => return self.unexpected("`}`"),
                Some(Token::Symbol('{')) => {
                    self.next += 1;
                    all.push(Statement::Scope(self.statements()?));
                }
                Some(Token::Symbol(';')) => self.next += 1,
                Some(Token::Dot(word)) if word == "reg" => self.registers(&mut all)?,
                Some(Token::Dot(_)) => {
                    all.extend(self.variables(false)?.into_iter().map(Statement::Variable))
                }
                Some(Token::Name(_)) if self.is_label() => self.label(&mut all)?,
                _ => all.push(Statement::Instruction(self.instruction()?)),
            }
        }
        Ok(all)
    }

    fn registers(&mut self, all: &mut Vec<Statement>) -> Result<(), Error> {
        self.next += 1;
        let ty = match self.peek() {
            Some(Token::Dot(word)) => Type::named(word),
            _ => None,
        };
        let Some(ty) = ty else { return self.unexpected("a register's type") };
        self.next += 1;
        loop {
            let name = self.name()?;
            let count = if self.symbol('<') {
                let count = self.integer()? as u32;
                self.expect('>')?;
                Some(count)
            } else {
                None
            };
            all.push(Statement::Registers(ty, name, count));
            if !self.symbol(',') {
                return self.expect(';');
            }
        }
    }

    fn is_label(&self) -> bool {
        matches!(self.tokens.get(self.next + 1), Some((Token::Symbol(':'), _)))
    }

    fn label(&mut self, all: &mut Vec<Statement>) -> Result<(), Error> {
        let name = self.name()?;
        self.expect(':')?;
        match self.directive(&["branchtargets", "callprototype", "calltargets"]).as_deref() {
            Some("branchtargets") => {
                let mut labels = vec![self.name()?];
                while self.symbol(',') {
                    labels.push(self.name()?);
                }
                self.expect(';')?;
                all.push(Statement::Targets(name, labels));
            }
            Some(_) => {
                // An indirect call copies as many bytes as the callee has.
                while self.next < self.tokens.len() && !self.symbol(';') {
                    self.next += 1;
                }
            }
            None => all.push(Statement::Label(name)),
        }
        Ok(())
    }

    fn instruction(&mut self) -> Result<Instruction, Error> {
        let line = self.line();
        let guard = if self.symbol('@') {
            let negated = self.symbol('!');
            Some((self.name()?, negated))
        } else {
            None
        };
        let op = self.name()?;
        let mut modifiers = Vec::new();
        while let Some(Token::Dot(word)) = self.peek() {
            modifiers.push(word.clone());
            self.next += 1;
        }
        let mut operands = Vec::new();
        while !self.symbol(';') {
            operands.push(self.operand()?);
            if !self.symbol(',') {
                self.expect(';')?;
                break;
            }
        }
        Ok(Instruction { guard, op, modifiers, operands, line })
    }

    fn list(&mut self, end: char) -> Result<Vec<Operand>, Error> {
        let mut all = Vec::new();
        while !self.symbol(end) {
            all.push(self.operand()?);
            self.symbol(',');
        }
        Ok(all)
    }

    fn operand(&mut self) -> Result<Operand, Error> {
        if self.symbol('[') {
            let inner = self.operand()?;
            self.expect(']')?;
            return Ok(Operand::Address(Box::new(inner)));
        }
        if self.symbol('{') {
            return Ok(Operand::Vector(self.list('}')?));
        }
        if self.symbol('(') {
            return Ok(Operand::List(self.list(')')?));
        }
        if self.symbol('!') {
            return Ok(Operand::Negated(self.name()?));
        }
        match self.peek().cloned() {
            Some(Token::Name(name)) => {
                self.next += 1;
                if self.symbol('|') {
                    return Ok(Operand::Pair(name, self.name()?));
                }
                Ok(Operand::Name(name, self.offset()?))
            }
            Some(Token::Single(bits)) => {
                self.next += 1;
                Ok(Operand::Single(bits))
            }
            Some(Token::Double(bits)) => {
                self.next += 1;
                Ok(Operand::Double(bits))
            }
            _ => {
                let base = self.integer()?;
                Ok(Operand::Integer(base.wrapping_add(self.offset()? as u64)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = ".version 6.0\n.target sm_70, debug\n.address_size 64\n";

    #[test]
    fn a_module() {
        let text = format!(
            "{HEAD}.extern .shared .align 4 .b8 buffer[];\n.global .align 8 .u64 table[2] = {{generic(x)+8, 3}};\n\
             .visible .entry k(.param .u64 .ptr .global .align 8 k_param_0)\n.maxntid 128, 1, 1\n{{\n.reg .pred %p<2>;\n\
             // comment\n.loc 1 2 3\n@!%p1 bra $L1;\nld.global.nc.L1::no_allocate.v2.f32 {{%f1, %f2}}, [%rd1+-8];\n$L1:\nret;\n}}\n"
        );
        let module = parse(&text).unwrap();
        assert_eq!((module.version, module.level), (60, 70));
        assert_eq!(module.variables[1].size, 16);
        assert!(matches!(&module.variables[1].initial[0], Initial::Symbol(n, 8) if n == "x"));
        let function = &module.functions[0];
        assert_eq!(function.most_threads, Some(128));
        let Statement::Instruction(load) = &function.body.as_ref().unwrap()[2] else { panic!() };
        assert_eq!(load.name(), "ld.global.nc.L1::no_allocate.v2.f32");
        assert_eq!(load.operands[1], Operand::Address(Box::new(Operand::Name("%rd1".into(), -8))));
        assert_eq!(load.line, 13);
    }

    #[test]
    fn errors_have_lines() {
        assert_eq!(parse(&format!("{HEAD}\n.entry k(\n{{")).unwrap_err().line, 6);
        assert!(parse("").is_err());
        assert!(parse(&format!("{HEAD}.entry k() {{ add.s32 %r1 %r2; }}")).unwrap_err().text.contains("`;`"));
        assert!(parse(&format!("{HEAD}.entry k() {{ ret;")).is_err());
    }
}
