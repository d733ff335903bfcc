import StoreHTTP
import Synchronization

/// The handler of a request runs on the thread of its connection, after its suspensions too: one that has its answer
/// without waiting for another thread needs neither suspension nor wake-up, and one that waits is not queued behind
/// other tasks of the process.
///
/// While the connection waits for its client, no thread of its own is there to run a job; the threads of the process
/// run it.
extension Exchange: TaskExecutor {
    /// How many jobs of a handler run in a row before other connections are served.
    private static let turns = 8

    /// Announces a task whose jobs may run here. Called on the thread.
    func hostsHandler() {
        guard !hasHandler.exchange(true, ordering: .relaxed) else { return }
        state.withLock { $0.isAttended = true }
    }

    /// Enqueues a job of the handler; called on any thread.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        var isTaken = false
        wake { state in
            guard state.isAttended || state.isSuspended else { return }
            state.jobs.append(job)
            isTaken = true
        }
        if !isTaken { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }

    /// Runs the enqueued jobs. Called on the thread, while attended.
    func work() {
        for _ in 0..<Self.turns {
            guard let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else { return }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
        passOn(unless: { _ in false })
    }

    /// The thread leaves for other connections. It comes back for jobs that became ready meanwhile only if the
    /// connection is resumed.
    func leave() {
        passOn { state in
            state.isAttended = false
            return state.isSuspended
        }
    }

    /// Leaves jobs to the threads of the process, unless the connection's own thread comes back to them.
    private func passOn(unless isKept: (inout ExchangeState) -> Bool) {
        let jobs = state.withLock { state -> [UnownedJob] in
            if isKept(&state) { return [] }
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }
}
