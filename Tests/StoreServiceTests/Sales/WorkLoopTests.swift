import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@Suite(.bounded) struct WorkLoopTests {
    @Test("The loop waits for what is due, does it, and ends with its task", arguments: StoreEngine.allCases)
    func loop(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            await scene.processor.plan("authorise", .lostBefore)
            let purchase = try await scene.buy(.sample(.consumable), on: scene.device(scene.customer()))
            let pauses = Mutex<[Duration]>([])
            let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
            let time = scene.time
            let loop = WorkLoop(scene.store, name: "loop") { duration in
                let count = pauses.withLock { pauses in
                    pauses.append(duration)
                    return pauses.count
                }
                time.pass(duration)
                if count == 6 {
                    continuation.yield()
                    try await Task.sleep(for: .seconds(600))
                }
            }
            let task = Task { await loop.run() }
            for await _ in ended { break }
            task.cancel()
            await task.value
            #expect(try await scene.purchase(purchase.id).state == .purchased)
            // Twenty seconds in steps of five, and then there is nothing to wait for.
            #expect(pauses.withLock { $0 } == Array(repeating: .seconds(5), count: 6))
        }
    }

    @Test("A loop whose database fails tries again")
    func failing() async throws {
        let databases = try await StoreDatabases.inMemory(.current())
        let scene = try SaleScene(databases)
        await databases.close()
        let (paused, continuation) = AsyncStream.makeStream(of: Duration.self)
        let loop = WorkLoop(scene.store, name: "loop") { duration in
            continuation.yield(duration)
            // Somebody has to get to listen.
            try await Task.sleep(for: .milliseconds(1))
        }
        let task = Task { await loop.run() }
        var count = 0
        for await duration in paused {
            #expect(duration == .seconds(5))
            count += 1
            if count == 3 { break }
        }
        task.cancel()
        await task.value
    }
}
