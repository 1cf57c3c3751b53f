//! Many jobs that do not know of each other → their results in order, over all cores. Knows no policies; what comes out is the
//! same however many cores there are.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How far a proof has come, for whoever watches.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Progress {
    /// Overlays that are through, and all there are.
    pub fn seen(&self) -> (usize, usize) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    pub(super) fn expect(&self, overlays: usize) {
        self.total.store(overlays, Ordering::Relaxed);
    }

    pub(super) fn one_more(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

/// Jobs taken at a time: few enough that no core waits long for another, many enough that taking costs nothing.
const HANDFUL: usize = 8;

/// The stack of a worker: sets are walked by recursion, and their depth is bounded by the reader of policies.
const STACK: usize = 16 << 20;

/// `job` of every index below `count`, in order.
pub(super) fn each<T: Send>(count: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if cores == 1 || count <= HANDFUL {
        return (0..count).map(job).collect();
    }
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(count));
    let work = || {
        loop {
            let from = next.fetch_add(HANDFUL, Ordering::Relaxed);
            if from >= count {
                return;
            }
            let mine: Vec<(usize, T)> = (from..count.min(from + HANDFUL)).map(|at| (at, job(at))).collect();
            found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend(mine);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..cores {
            // Where no thread is to be had, this one does the work.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
        work();
    });
    let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        for count in [0, 1, 7, 8, 9, 1_000] {
            assert_eq!(each(count, |at| at * 2), (0..count).map(|at| at * 2).collect::<Vec<_>>());
        }
    }
}
