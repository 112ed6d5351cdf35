//! What the optimiser does with a program, line by line: found out in the background when somebody first asks.

use crate::options::{Options, Report};
use crate::{backend, report, session};
use pydd_frontend::diagnostics::Diagnostic;
use pydd_frontend::editor::Analysis;
use pydd_frontend::source::SourceFile;
use pydd_frontend::stack::on_big_stack;
use pydd_ir::Module;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long an answer waits for it.
const PATIENCE: Duration = Duration::from_millis(500);

/// One text is looked at after the other, so that typing in a long one does not keep all processors busy.
static TURN: Mutex<()> = Mutex::new(());

/// The remarks on one text.
pub struct Remarks(Arc<(Mutex<State>, Condvar)>);

enum State {
    /// Nobody has asked.
    Ready(Box<(SourceFile, Module)>),
    Working,
    /// Each with its line.
    Found(Vec<(u32, Diagnostic)>),
}

impl Remarks {
    /// Those on the program; on one that is wrong there are none.
    pub fn new(analysis: &Analysis) -> Self {
        let state = match &analysis.module {
            Some(module) => State::Ready(Box::new((analysis.source.clone(), module.clone()))),
            None => State::Found(Vec::new()),
        };
        Self(Arc::new((Mutex::new(state), Condvar::new())))
    }

    /// The remarks on a line, from 1, as far as they are there within a moment.
    pub fn of_line(&self, line: u32) -> Vec<Diagnostic> {
        self.begin();
        let (state, found) = &*self.0;
        let waits = |state: &mut State| !matches!(state, State::Found(_));
        let waited = found.wait_timeout_while(lock(state), PATIENCE, waits);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let State::Found(all) = &*state else { return Vec::new() };
        all.iter().filter(|(at, _)| *at == line).map(|(_, remark)| remark.clone()).collect()
    }

    /// Starts the work, once.
    fn begin(&self) {
        let mut state = lock(&self.0.0);
        if !matches!(*state, State::Ready(_)) {
            return;
        }
        let State::Ready(program) = std::mem::replace(&mut *state, State::Working) else { return };
        let shared = Arc::clone(&self.0);
        let work = move || {
            let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
            // A text that was changed while this waited is of no interest any more.
            if Arc::strong_count(&shared) == 1 {
                return;
            }
            let (source, mut module) = *program;
            // What goes wrong here goes wrong when the program is compiled, and is reported there.
            let all = catch_unwind(AssertUnwindSafe(|| on_big_stack(|| all(&source, &mut module))))
                .unwrap_or_default();
            *lock(&shared.0) = State::Found(all);
            shared.1.notify_all();
        };
        if std::thread::Builder::new().spawn(work).is_err() {
            *state = State::Found(Vec::new());
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn all(source: &SourceFile, module: &mut Module) -> Vec<(u32, Diagnostic)> {
    let options = Options { report: Some(Report::Text), ..Options::default() };
    let mut findings = Vec::new();
    let vector_bits = backend::best_vector_bits(&options);
    if session::run_passes(module, &options, vector_bits, &mut findings).is_err() {
        return Vec::new();
    }
    let remarks = report::remarks(source, &findings).into_iter();
    remarks.map(|remark| (source.line_column(remark.span().start).line, remark)).collect()
}
