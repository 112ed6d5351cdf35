use super::*;
use crate::pass::OptLevel;
use crate::testing::{call, parse};
use pydd_ir::Level;

/// A bit of everything: calls, temporaries, views, loops with carried arrays, early exits.
const PROGRAM: &str = r#"
export "f"("a": written array<f64, 1>, "n": i64) -> (array<f64, 1>, f64) = @f
func @f array (%0: array<f64, 1>, %1: i64) -> (array<f64, 1>, f64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = const 2.0
  %5: array<f64, 1> = copy %0
  %6: array<f64, 1>, %7: f64 = for %2, %1, %3, %5, %4 {
  (%8: i64, %9: array<f64, 1>, %10: f64):
    %11: array<f64, 1> = mul %9, %4
    %12: array<f64, 1> = add %11, %0
    %13: f64 = load %12, %8
    %14: bool = gt %13, %10
    if %14 {
      store %0, %10, %8
      yield
    } else {
      yield
    }
    %15: f64 = call[@norm] %12
    %16: f64 = const 1e6
    %17: bool = gt %15, %16
    if %17 {
      break[0] %12, %15
    } else {
      yield
    }
    %18: array<f64, 1> = view[start:] %12, %2
    %19: f64 = add %10, %15
    continue[0] %18, %19
  }
  return %6, %7
}
func @norm array (%0: array<f64, 1>) -> (f64) {
  %1: array<f64, 1> = mul %0, %0
  %2: f64 = reduce[sum] %1
  return %2
}
"#;

const CALLS: [&str; 5] = ["[1, 2, 3], 2", "[1, 2, 3], 0", "[1, 2, 3], 4", "[], 0", "[500, 500], 2"];

#[derive(Default)]
struct Names(Vec<&'static str>);

impl Observer for Names {
    fn after(&mut self, pass: &Pass, _: &Module, _: Duration) {
        self.0.push(pass.name);
    }
}

fn compiled(options: &Options) -> (Module, Vec<&'static str>) {
    let mut module = parse(PROGRAM);
    let mut names = Names::default();
    run_pipeline(&mut module, options, &mut names).expect("the program compiles");
    (module, names.0)
}

fn agrees(module: &Module) {
    let source = parse(PROGRAM);
    let export = &module.exports[0];
    assert_eq!(export.entries.len(), 2);
    for func in export.funcs() {
        let func = &module.funcs[func];
        assert_eq!(func.level, Level::Loop);
        for args in CALLS {
            assert_eq!(call(module, &func.name, args), call(&source, "f", args), "{} of {args}", func.name);
        }
    }
}

#[test]
fn every_level_gives_the_same() {
    for opt_level in [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3] {
        let options = Options { opt_level, verify: true, ..Options::default() };
        agrees(&compiled(&options).0);
    }
}

#[test]
fn bisection_leaves_out_the_last_optional_passes() {
    let (_, all) = compiled(&Options::default());
    let needed = PIPELINE.iter().filter(|pass| pass.need == Need::Always).count();
    for limit in 0..all.len() - needed {
        let limit = u32::try_from(limit).unwrap();
        let (module, ran) = compiled(&Options { bisect: Some(limit), verify: true, ..Options::default() });
        assert_eq!(ran.len(), needed + limit as usize);
        agrees(&module);
    }
}

#[test]
fn fast_version_of_nothing_level_runs_only_what_must() {
    let (_, ran) = compiled(&Options { opt_level: OptLevel::O0, ..Options::default() });
    assert!(ran.iter().all(|name| find(name).is_some_and(|pass| pass.need == Need::Always)));
}

#[test]
fn verifier_names_the_pass() {
    const BREAKS: Pass = Pass {
        name: "breaks",
        summary: "leaves the module broken",
        takes: Level::Array,
        gives: Level::Array,
        need: Need::Always,
        run: |module, _| {
            module.funcs.values_mut().for_each(|func| func.name.clear());
            Ok(())
        },
    };
    let options = Options { verify: true, ..Options::default() };
    let stopped = run_one(&BREAKS, &mut parse(PROGRAM), &options, &mut Quiet).unwrap_err();
    assert!(matches!(stopped, Stopped::Broken { pass: "breaks", .. }), "{stopped:?}");
}

#[test]
fn names_find_passes() {
    for pass in PIPELINE {
        assert_eq!(find(pass.name).map(|p| p.name), Some(pass.name));
    }
    assert!(find("nothing").is_none());
}
