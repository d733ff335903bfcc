import TestSupport
import Testing

@testable import StoreKit

@Suite("The signal that wakes the watching of the store", .bounded)
struct SignalTests {
    /// Waits in a task of its own, which has begun to wait when this returns; gives what says whether that is over.
    private func waiting(_ signal: Signal) -> (task: Task<Void, Never>, isOver: Shared<Bool>) {
        let isOver = Shared(false)
        let task = Task.immediate {
            await signal.wait()
            isOver.set(true)
        }
        return (task, isOver)
    }

    @Test("A signal while no task waits is kept for the next one, and for none after that")
    func kept() async {
        let signal = Signal()
        signal.raise()
        signal.raise()
        let first = waiting(signal)
        await first.task.value

        let second = waiting(signal)
        #expect(!second.isOver.value)
        signal.raise()
        await second.task.value
    }

    @Test("A task that is cancelled waits no more")
    func cancelled() async {
        let signal = Signal()
        let one = waiting(signal)
        one.task.cancel()
        await one.task.value
        #expect(one.isOver.value)
    }
}
