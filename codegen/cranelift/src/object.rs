//! One object: its functions, strings and data.

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{self, AbiParam, types};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa, TargetIsa};
use cranelift_module::{DataDescription, DataId, FuncId, Module as _, ModuleReloc};
use cranelift_object::{ObjectBuilder, ObjectModule};
use pydd_codegen::emit::{Declaration, Linkage, Signature, Ty};
use pydd_codegen::requirements::{self, Used};
use pydd_codegen::{CodegenError, CodegenOptions, Image, Target, Variant};
use pydd_ir::{FuncRef, threads};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What can be shown of functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Text {
    /// Cranelift's IR, as `lower` made it.
    Clif,
    Assembly,
}

/// The object that is being made.
pub struct Object {
    pub module: RefCell<ObjectModule>,
    /// What each function takes and gives; a machine's type says less.
    signatures: RefCell<BTreeMap<FuncId, Signature>>,
    strings: RefCell<BTreeMap<String, DataId>>,
    variant: Variant,
    /// The symbol of the list of features that the code uses.
    features: String,
    /// Features that the code may use.
    allowed: Vec<&'static str>,
    text: Option<Text>,
    /// Functions as lowered; they are compiled side by side in the end.
    defined: RefCell<Vec<(FuncId, ir::Function)>>,
    failure: Cell<Option<CodegenError>>,
}

impl Object {
    pub fn new(
        name: &str,
        options: &CodegenOptions,
        isa: OwnedTargetIsa,
        allowed: Vec<&'static str>,
        text: Option<Text>,
    ) -> Result<Self, CodegenError> {
        let builder = ObjectBuilder::new(isa, name, cranelift_module::default_libcall_names());
        let builder = builder.map_err(|e| CodegenError::Internal(e.to_string()))?;
        Ok(Self {
            module: RefCell::new(ObjectModule::new(builder)),
            signatures: RefCell::default(),
            strings: RefCell::default(),
            variant: options.variant.clone(),
            features: options.features(),
            allowed,
            text,
            defined: RefCell::default(),
            failure: Cell::default(),
        })
    }

    /// Compiles the functions.
    pub fn finish(self) -> Result<Finished, CodegenError> {
        let mut listing = String::new();
        let module = self.module.borrow();
        let isa = module.isa();
        let defined = self.defined.take();
        if self.text == Some(Text::Clif) {
            for (id, function) in &defined {
                write!(listing, "; {}\n{}\n", self.name(*id), function.display())
                    .expect("a String takes all");
            }
        }
        let with_text = self.text == Some(Text::Assembly);
        let is_asked = self.variant.is_base && !self.allowed.is_empty();
        let compiled = threads::map(
            defined,
            |(_, function)| function.dfg.num_insts(),
            |(id, function)| (id, Compiled::new(isa, id, function, with_text, is_asked)),
        );
        drop(module);
        let mut all_used = Vec::new();
        for (id, compiled) in compiled {
            let defined = compiled.and_then(|code| {
                let Compiled { alignment, bytes, relocs, text, used } = code;
                all_used.push(used);
                if let Some(text) = text {
                    write!(listing, "; {}\n{text}\n", self.name(id)).expect("a String takes all");
                }
                let mut module = self.module.borrow_mut();
                module.define_function_bytes(id, alignment, &bytes, &relocs).map_err(|e| e.to_string())
            });
            if let Err(why) = defined {
                self.fail(&self.name(id), &why);
            }
        }
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let product = self.module.into_inner().finish();
        let mut bytes = product.emit().map_err(|e| CodegenError::Internal(e.to_string()))?;
        if is_asked {
            requirements::write(&mut bytes, &self.features, &Used::by_all(&all_used).of(&self.allowed))?;
        }
        Ok(Finished { bytes, listing })
    }

    /// Keeps the first failure, for [`Self::finish`].
    fn fail(&self, what: &str, error: &dyn std::fmt::Display) {
        let earlier = self.failure.take();
        self.failure.set(earlier.or_else(|| Some(CodegenError::Internal(format!("{what}: {error}")))));
    }

    pub fn declare(&self, declaration: &Declaration<'_>) -> FuncId {
        let signature = machine_signature(&declaration.signature);
        let mut module = self.module.borrow_mut();
        let made = match declaration.linkage {
            Linkage::Import => {
                module.declare_function(declaration.name, cranelift_module::Linkage::Import, &signature)
            }
            Linkage::Export => {
                module.declare_function(declaration.name, cranelift_module::Linkage::Export, &signature)
            }
            Linkage::Private | Linkage::Shared => {
                // A symbol's name ends at a NUL.
                let name = format!("{}.{}", self.variant.symbols, declaration.name.replace('\0', "\u{fffd}"));
                let is_local = declaration.linkage == Linkage::Private;
                use cranelift_module::Linkage::{Hidden, Local};
                module.declare_function(&name, if is_local { Local } else { Hidden }, &signature)
            }
        };
        let id = made.unwrap_or_else(|error| panic!("declaring {}: {error}", declaration.name));
        self.signatures.borrow_mut().insert(id, declaration.signature.clone());
        id
    }

    /// What a function was declared with.
    pub fn signature_of(&self, id: FuncId) -> Signature {
        self.signatures.borrow()[&id].clone()
    }

    /// Gives a function its body.
    pub fn define(&self, id: FuncId, function: ir::Function) {
        self.defined.borrow_mut().push((id, function));
    }

    fn name(&self, id: FuncId) -> String {
        let module = self.module.borrow();
        module.declarations().get_function_decl(id).linkage_name(id).into_owned()
    }

    /// A C string.
    pub fn string(&self, text: &str) -> DataId {
        if let Some(&made) = self.strings.borrow().get(text) {
            return made;
        }
        let mut data = DataDescription::new();
        data.define(pydd_codegen::image::c_string(text).into_boxed_slice());
        let mut module = self.module.borrow_mut();
        let id = module.declare_anonymous_data(false, false).expect("data without a name");
        if let Err(error) = module.define_data(id, &data) {
            self.fail("a string", &error);
        }
        self.strings.borrow_mut().insert(text.to_owned(), id);
        id
    }

    /// Constant data with pointers to itself and to entries.
    pub fn image(&self, image: &Image, entry: &dyn Fn(FuncRef) -> FuncId) -> DataId {
        let id = self.module.borrow_mut().declare_anonymous_data(false, false).expect("data without a name");
        self.define_image(id, image, entry);
        id
    }

    /// Such data under a symbol that the module's other objects see.
    pub fn shared_image(&self, symbol: &str, image: &Image, entry: &dyn Fn(FuncRef) -> FuncId) {
        let id =
            self.module.borrow_mut().declare_data(symbol, cranelift_module::Linkage::Hidden, false, false);
        self.define_image(id.expect("a symbol of its own"), image, entry);
    }

    fn define_image(&self, id: DataId, image: &Image, entry: &dyn Fn(FuncRef) -> FuncId) {
        let mut data = DataDescription::new();
        data.define(image.bytes.clone().into_boxed_slice());
        data.set_align(8);
        let mut module = self.module.borrow_mut();
        let base = module.declare_data_in_data(id, &mut data);
        for (at, target) in &image.pointers {
            let at = u32::try_from(*at).expect("less than 4 GiB");
            match target {
                Target::Image(offset) => {
                    data.write_data_addr(at, base, i64::try_from(*offset).expect("small"));
                }
                Target::Entry(func) => {
                    let function = module.declare_func_in_data(entry(*func), &mut data);
                    data.write_function_addr(at, function);
                }
                Target::Symbol(symbol) => {
                    let hidden = cranelift_module::Linkage::Hidden;
                    let other = module.declare_data(symbol, hidden, false, false).expect("data");
                    let other = module.declare_data_in_data(other, &mut data);
                    data.write_data_addr(at, other, 0);
                }
            }
        }
        if let Err(error) = module.define_data(id, &data) {
            self.fail("the module's description", &error);
        }
    }
}

/// What compiling an object gives.
pub struct Finished {
    pub bytes: Vec<u8>,
    /// What was asked to be shown of its functions.
    pub listing: String,
}

/// A function's machine code.
struct Compiled {
    alignment: u64,
    bytes: Vec<u8>,
    relocs: Vec<ModuleReloc>,
    /// Its assembly, where that is asked for.
    text: Option<String>,
    used: Used,
}

impl Compiled {
    fn new(
        isa: &dyn TargetIsa,
        id: FuncId,
        function: ir::Function,
        with_text: bool,
        is_asked: bool,
    ) -> Result<Self, String> {
        let mut context = Context::for_function(function);
        context.set_disasm(with_text);
        // An error of the verifier says little without its source.
        context.compile(isa, &mut ControlPlane::default()).map_err(|error| format!("{error:?}"))?;
        let code = context.compiled_code().ok_or("no code")?;
        let reloc = |reloc| ModuleReloc::from_mach_reloc(reloc, &context.func, id);
        Ok(Self {
            alignment: u64::from(code.buffer.alignment),
            bytes: code.buffer.data().to_vec(),
            relocs: code.buffer.relocs().iter().map(reloc).collect(),
            text: code.vcode.clone(),
            // Constants lie behind the code.
            used: if is_asked { Used::by_function(code.buffer.data()) } else { Used::default() },
        })
    }
}

/// A signature in C's calling convention.
pub fn machine_signature(signature: &Signature) -> ir::Signature {
    let mut made = ir::Signature::new(CallConv::SystemV);
    made.params.extend(signature.params.iter().map(|&ty| AbiParam::new(machine_type(ty))));
    made.returns.extend(signature.results.iter().map(|&ty| AbiParam::new(machine_type(ty))));
    made
}

/// The type of a value of the machine; bool is a byte of 0 or 1.
pub const fn machine_type(ty: Ty) -> ir::Type {
    match ty {
        Ty::I1 | Ty::I8 => types::I8,
        Ty::I16 => types::I16,
        Ty::I32 => types::I32,
        Ty::I64 | Ty::Ptr => types::I64,
        Ty::F32 => types::F32,
        Ty::F64 => types::F64,
    }
}
