//! Says how long the backend takes for loop IR, as `pyddc --emit loops` prints it; `--text` prints what it
//! hands to LLVM's passes instead.
//!
//!     pyddc --emit loops kernel.pydd > kernel.pir
//!     cargo run --release -p pydd-codegen-llvm --example timing -- kernel.pir [-O2] [--cpu=NAME] [--text]

use pydd_codegen::CodegenOptions;
use pydd_codegen_llvm::{Stage, compile, llvm_text};
use std::time::Instant;

fn main() {
    let mut options = CodegenOptions::default();
    let (mut path, mut text) = (None, false);
    for arg in std::env::args().skip(1) {
        if let Some(level) = arg.strip_prefix("-O") {
            options.opt_level = level.parse().expect("a level");
        } else if let Some(cpu) = arg.strip_prefix("--cpu=") {
            cpu.clone_into(&mut options.cpu);
        } else if arg == "--text" {
            text = true;
        } else {
            path = Some(arg);
        }
    }
    let source = std::fs::read_to_string(path.expect("a file")).expect("readable");
    let module = pydd_ir::text::parse(&source).expect("loop IR");
    if text {
        println!("{}", llvm_text(&module, &options, Stage::BeforePasses).expect("lowers"));
        return;
    }
    for _ in 0..5 {
        let start = Instant::now();
        let lowered = llvm_text(&module, &options, Stage::BeforePasses).expect("lowers").len();
        let lowering = start.elapsed();
        let start = Instant::now();
        let object = compile(&module, &options).expect("compiles").object.len();
        println!(
            "lowering {lowering:?} ({lowered} bytes of text), all {:?} ({object} bytes)",
            start.elapsed()
        );
    }
}
