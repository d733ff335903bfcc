import Foundation
import TestSupport
import Testing

@testable import StoreDatabase

@Suite("The queue of a database", .bounded)
struct JobQueueTests {
    private func job(_ name: String) -> ScriptedJob { ScriptedJob(name) { _, _ in 0 } }

    @Test("First come, first served")
    func order() {
        let queue = JobQueue<TransactionJob>(limit: 9)
        let jobs = ["a", "b", "c"].map(job)
        for job in jobs { queue.append(job) }
        for job in jobs { #expect(queue.next() === job) }
        #expect(queue.nextWaiting { _ in true } == nil)
    }

    @Test("A full queue refuses at once, as retryable, and takes more when there is room")
    func full() {
        let queue = JobQueue<TransactionJob>(limit: 2)
        let jobs = ["a", "b", "c", "d"].map(job)
        for job in jobs.prefix(3) { queue.append(job) }
        #expect(jobs[2].endings == [.refused("queue_full", isRetryable: true)])
        #expect(queue.next() === jobs[0])
        queue.append(jobs[3])
        #expect(jobs.filter { $0.endings.isEmpty }.map(\.name) == ["a", "b", "d"])
    }

    @Test("A job is withdrawn while it waits, before it waits, and not once it has begun")
    func withdrawing() {
        let queue = JobQueue<TransactionJob>(limit: 9)
        let jobs = ["waiting", "early", "begun"].map(job)
        queue.append(jobs[0])
        queue.withdraw(jobs[0])
        #expect(jobs[0].endings == [.refused("CancellationError()", isRetryable: false)])
        queue.withdraw(jobs[1])
        queue.append(jobs[1])
        #expect(jobs[1].endings == [.refused("CancellationError()", isRetryable: false)])
        queue.append(jobs[2])
        #expect(queue.next() === jobs[2])
        queue.withdraw(jobs[2])
        #expect(jobs[2].endings == [])
    }

    @Test("A closed queue refuses who waits and who comes, and lets threads go")
    func closing() {
        let queue = JobQueue<TransactionJob>(limit: 9)
        let jobs = ["a", "b"].map(job)
        queue.append(jobs[0])
        queue.close()
        queue.append(jobs[1])
        for job in jobs { #expect(job.endings == [.refused("closed", isRetryable: false)]) }
        #expect(queue.next() == nil)
    }

    @Test("As many threads as there are jobs work at once, though only one is woken at a time")
    func waking() async {
        for _ in 0..<50 {
            let queue = JobQueue<TransactionJob>(limit: 9)
            let (taken, gate, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
            for _ in 0..<4 {
                ended.enter()
                Thread.detachNewThread {
                    while queue.next() != nil {
                        taken.signal()
                        // Whoever has a job is busy until all four have one.
                        gate.wait()
                    }
                    ended.leave()
                }
            }
            await onThread {
                for _ in 0..<2 {
                    for name in ["a", "b", "c", "d"] { queue.append(job(name)) }
                    for _ in 0..<4 { taken.wait() }
                    for _ in 0..<4 { gate.signal() }
                }
                queue.close()
                ended.wait()
            }
        }
    }

    private func onThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                body()
                continuation.resume()
            }
        }
    }

    @Test("Only a job of the right kind joins a batch, and only if it is the next")
    func kinds() {
        let queue = JobQueue<TransactionJob>(limit: 9)
        let jobs = ["a", "b"].map(job)
        for job in jobs { queue.append(job) }
        #expect(queue.nextWaiting { $0 === jobs[1] } == nil)
        #expect(queue.nextWaiting { $0 === jobs[0] } === jobs[0])
    }
}
