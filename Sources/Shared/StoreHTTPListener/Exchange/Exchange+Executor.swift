import StoreHTTP
import Synchronization

/// The handler of a request runs on the thread of its connection, after its suspensions too: one that has its answer
/// without waiting for another thread costs neither a suspension nor a wake, and one that waits is not queued behind
/// whatever else the process does.
///
/// A part of a handler that can run while the connection waits for its client has nobody to run it there; the threads
/// of the process do.
extension Exchange: TaskExecutor {
    /// How many parts of a handler run in a row before other connections get their turn.
    private static let turns = 8

    /// From now on there is a task whose parts may run here. Called on the thread.
    func hostsHandler() {
        guard !hasHandler.exchange(true, ordering: .relaxed) else { return }
        state.withLock { $0.isAttended = true }
    }

    /// Takes a part of the handler that can run; called on any thread.
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

    /// Runs what of the handler can run. Called on the thread, attended.
    func work() {
        for _ in 0..<Self.turns {
            guard let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else { return }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
        passOn(unless: { _ in false })
    }

    /// The thread turns to other connections. What has become ready meanwhile it would only see again if it has
    /// something to come back for.
    func leave() {
        passOn { state in
            state.isAttended = false
            return state.isSuspended
        }
    }

    /// Leaves parts of the handler to the threads of the process, unless the connection's own comes back to them.
    func passOn(unless isKept: (inout ExchangeState) -> Bool) {
        let jobs = state.withLock { state -> [UnownedJob] in
            if isKept(&state) { return [] }
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }
}
