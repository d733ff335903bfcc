import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// Who hears what of `Transaction.updates`, without a store.
@Suite("X1: Updates of transactions", .bounded)
struct UpdateLogTests {
    private func update(_ number: Int64, isRevoked: Bool = false) throws -> UpdateLog.Update {
        let id = try TransactionID(number: number)
        return UpdateLog.Update(
            key: .init(id: id, isRevoked: isRevoked), value: .unverified(Transaction(signed: ""), .invalidEncoding),
            entry: .transaction(id))
    }

    private func number(_ update: UpdateLog.Update?) -> Int64? { update?.key.id.number }

    @Test("P22: What comes before the first reader waits for it; each of two readers hears everything afterwards")
    func readers() async throws {
        let log = UpdateLog()
        log.add(try update(1))
        let (first, second) = (log.open(), log.open())
        #expect(number(await log.next(first)) == 1)
        log.add(try update(2))
        #expect(number(await log.next(second)) == 2)
        #expect(number(await log.next(first)) == 2)
    }

    @Test("P9, P12: A transaction is told once, and once more when it is taken back")
    func once() async throws {
        let log = UpdateLog()
        let reader = log.open()
        log.add(try update(1))
        log.add(try update(1))
        log.add(try update(1, isRevoked: true))
        log.add(try update(2))
        var told: [String] = []
        for _ in 0..<3 {
            let next = await log.next(reader)
            told.append("\(number(next) ?? 0) \(next?.key.isRevoked ?? false)")
        }
        #expect(told == ["1 false", "1 true", "2 false"])
    }

    @Test("What a cancelled reader has not taken waits for the next one")
    func cancelled() async throws {
        let log = UpdateLog()
        let reader = log.open()
        let task = Task { await log.next(reader) }
        task.cancel()
        #expect(number(await task.value) == nil)
        log.add(try update(1))
        log.close(reader)
        #expect(number(await log.next(log.open())) == 1)
    }

    @Test("What was finished before anybody took it is not told; what one has taken the other hears too")
    func finished() async throws {
        let log = UpdateLog()
        let (first, second) = (log.open(), log.open())
        log.add(try update(1))
        log.remove(.transaction(try TransactionID(number: 1)))
        log.add(try update(2))
        #expect(number(await log.next(first)) == 2)
        log.remove(.transaction(try TransactionID(number: 2)))
        #expect(number(await log.next(second)) == 2)
    }

    @Test("Another process of the app ends the readers, and hears everything anew")
    func relaunched() async throws {
        let log = UpdateLog()
        let reader = log.open()
        log.add(try update(1))
        #expect(number(await log.next(reader)) == 1)
        async let end = log.next(reader)
        log.restart()
        #expect(number(await end) == nil)
        log.add(try update(1))
        #expect(number(await log.next(log.open())) == 1)
    }
}
