import Dispatch
import StoreFoundation
import Synchronization
import Testing

@Suite("Threads that tasks are given")
struct TaskThreadsTests {
    private struct Refusal: Error, Equatable {}

    @Test("What is done there runs on that executor, and so does a task begun within, if it asks which it is")
    func onExecutor() async {
        let threads = CountingThreads()
        #expect(TaskThreads.executor == nil)
        let seen = await TaskThreads.run(on: threads) { () async in
            let inner = await Task(executorPreference: TaskThreads.executor) { threads.isHere }.value
            let detached = await Task { threads.isHere }.value
            return (threads.isHere, inner, detached, TaskThreads.executor === threads)
        }
        #expect(seen == (true, true, false, true))
        #expect(TaskThreads.executor == nil)
        #expect(threads.count > 1)
    }

    @Test("Without an executor it runs where it is called, and keeps the one that is there already")
    func withoutExecutor() async {
        let threads = CountingThreads()
        let before = threads.count
        #expect(await TaskThreads.run(on: nil) { () async in TaskThreads.executor == nil })
        #expect(threads.count == before)
        let isKept = await TaskThreads.run(on: threads) { () async in
            await TaskThreads.run(on: nil) { () async in TaskThreads.executor === threads && threads.isHere }
        }
        #expect(isKept)
    }

    @Test("What is thrown there is thrown, with its type", arguments: [true, false])
    func throwing(isOnExecutor: Bool) async {
        let threads = isOnExecutor ? CountingThreads() : nil
        do throws(Refusal) {
            try await TaskThreads.run(on: threads) { () async throws(Refusal) in throw Refusal() }
            Issue.record("it did not throw")
        } catch {
            #expect(error == Refusal())
        }
    }
}

/// Runs jobs on a queue of its own, and counts them.
private final class CountingThreads: TaskExecutor {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    private let queue = DispatchQueue(label: "counting")
    private let jobs = Mutex(0)

    init() { queue.setSpecific(key: Self.key, value: ObjectIdentifier(self)) }

    var count: Int { jobs.withLock { $0 } }
    /// Whether the caller runs here.
    var isHere: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0 += 1 }
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
