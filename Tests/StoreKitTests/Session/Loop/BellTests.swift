import Testing

@testable import StoreKit

@Suite("The bell that wakes the watching of the store", .timeLimit(.minutes(5)))
struct BellTests {
    /// Waits in a task of its own; gives what says whether that is over.
    private func waiting(_ bell: Bell) -> (task: Task<Void, Never>, isOver: Shared<Bool>) {
        let isOver = Shared(false)
        let task = Task {
            await bell.wait()
            isOver.set(true)
        }
        return (task, isOver)
    }

    /// Time enough for whoever need not wait.
    private func giveTime(until isOver: Shared<Bool>) async {
        for _ in 0..<2000 where !isOver.value { await Task.yield() }
    }

    @Test("A ring while nobody waits is kept for the next who does, and for nobody after that")
    func kept() async {
        let bell = Bell()
        bell.ring()
        bell.ring()
        let first = waiting(bell)
        await giveTime(until: first.isOver)
        #expect(first.isOver.value)
        first.task.cancel()
        await first.task.value

        let second = waiting(bell)
        await giveTime(until: second.isOver)
        #expect(!second.isOver.value)
        bell.ring()
        await second.task.value
    }

    @Test("Whoever is cancelled waits no more")
    func cancelled() async {
        let bell = Bell()
        let one = waiting(bell)
        one.task.cancel()
        await one.task.value
        #expect(one.isOver.value)
    }
}
