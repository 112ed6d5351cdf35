//! What a long compilation is at, on the last line of the terminal. In pipes and files nothing is shown, and what else is
//! written to the terminal goes before it.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Who waits no longer than this wants to know nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// From one drawing of the line to the next.
const PERIOD: Duration = Duration::from_millis(100);
/// Characters of a line: on no terminal is it more than one.
const WIDTH: usize = 79;
/// Back to the start of the line, and nothing on it.
const CLEAR: &str = "\r\x1b[K";

/// The line of the terminal: one for the process.
static LINE: Mutex<Line> = Mutex::new(Line { work: None, drawn: false });

/// See [`aside`].
pub struct Line {
    work: Option<Work>,
    /// Whether it is on the terminal now.
    drawn: bool,
}

struct Work {
    module: String,
    phase: String,
    since: Instant,
}

/// Shows progress until it is dropped.
pub struct Progress {
    ended: Arc<(Mutex<bool>, Condvar)>,
    drawer: Option<JoinHandle<()>>,
}

impl Progress {
    /// Begins to make a module, where there is a terminal to say so on.
    #[must_use]
    pub fn begin(module: &str) -> Option<Self> {
        let understands = std::env::var_os("TERM").is_some_and(|term| term != "dumb");
        (std::io::stderr().is_terminal() && understands).then(|| Self::begin_on(module, PATIENCE))
    }

    fn begin_on(module: &str, patience: Duration) -> Self {
        let (module, phase) = (module.to_owned(), String::new());
        line().work = Some(Work { module, phase, since: Instant::now() });
        let ended = Arc::new((Mutex::new(false), Condvar::new()));
        let end = Arc::clone(&ended);
        // Without a thread there is no line.
        let drawer = std::thread::Builder::new().spawn(move || draw(&end, patience)).ok();
        Self { ended, drawer }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let (ended, waits) = &*self.ended;
        *ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        waits.notify_all();
        if let Some(drawer) = self.drawer.take() {
            // It has nothing to tell.
            let _ = drawer.join();
        }
        let mut line = line();
        line.hide();
        line.work = None;
    }
}

/// Draws the line from time to time.
fn draw((ended, waits): &(Mutex<bool>, Condvar), patience: Duration) {
    let mut wait = patience;
    let mut over = ended.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        over = waits.wait_timeout(over, wait).unwrap_or_else(PoisonError::into_inner).0;
        if *over {
            return;
        }
        line().show();
        wait = PERIOD;
    }
}

impl Line {
    fn show(&mut self) {
        let Some(work) = &self.work else { return };
        // Nobody is left to tell when the terminal is gone.
        let _ = write!(std::io::stderr().lock(), "{CLEAR}{}", work.text());
        self.drawn = true;
    }

    fn hide(&mut self) {
        if self.drawn {
            let _ = write!(std::io::stderr().lock(), "{CLEAR}");
            self.drawn = false;
        }
    }
}

impl Work {
    fn text(&self) -> String {
        let Self { module, phase, since } = self;
        let text = format!("Compiling {module}: {phase} ({} s)", since.elapsed().as_secs());
        text.chars().take(WIDTH).collect()
    }
}

/// Says what the compilation is at.
pub fn phase(phase: impl FnOnce() -> String) {
    if let Some(work) = &mut line().work {
        work.phase = phase();
    }
}

/// Room for what else goes to the terminal: the line is away, and does not come back as long as this is kept.
#[must_use]
pub fn aside() -> Aside {
    let mut line = line();
    line.hide();
    Aside { _line: line }
}

/// See [`aside`].
pub struct Aside {
    _line: MutexGuard<'static, Line>,
}

fn line() -> MutexGuard<'static, Line> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_done_and_goes_away() {
        let progress = Progress::begin_on("kernels.pydd", Duration::ZERO);
        phase(|| "x".repeat(200));
        let text = line().work.as_ref().unwrap().text();
        assert!(text.starts_with("Compiling kernels.pydd: xxx"), "{text}");
        assert_eq!(text.len(), WIDTH);
        while !line().drawn {
            std::thread::yield_now();
        }
        drop(aside());
        drop(progress);
        assert!(line().work.is_none() && !line().drawn);
        // Without a compilation there is nothing to say.
        phase(|| unreachable!());
    }
}
