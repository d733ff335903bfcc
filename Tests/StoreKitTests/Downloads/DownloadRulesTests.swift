import StoreModel
import Testing

@testable import StoreKit

/// The rules of one download, state by state, and of all of them together.
@Suite("The rules of downloads")
struct DownloadRulesTests {
    /// Every event with the states that it leads from and to; everything that is not here changes nothing.
    private static let table: [(DownloadEntry.Event, [DownloadEntry.State: DownloadEntry.State])] = [
        (.asked(.start, order: 2), [.waiting: .queued, .failed: .queued, .cancelled: .queued]),
        (.asked(.pause, order: 2), [.queued: .paused, .active: .paused]),
        (.asked(.resume, order: 2), [.paused: .queued]),
        (.asked(.cancel, order: 2), [.queued: .cancelled, .active: .cancelled, .paused: .cancelled]),
        (.begun, [.queued: .active]),
        (.received(10, secondsLeft: 3), [.queued: .active]),
        (.unpacked(folder: "f"), [.queued: .finished, .active: .finished, .paused: .finished]),
        (.failed(.restricted), [.queued: .failed, .active: .failed]),
        (
            .transactionOver(by: "me"),
            [.waiting: .cancelled, .queued: .cancelled, .active: .cancelled, .paused: .cancelled]
        ),
        (.cleared, [:]),
    ]

    @Test("R6.6, R6.7: every state answers every event as the table says", arguments: DownloadEntry.State.allCases)
    func table(state: DownloadEntry.State) throws {
        for (event, changes) in Self.table {
            var entry = try DownloadEntry.test(1, state)
            entry.handle(event)
            #expect(entry.state == changes[state] ?? state, "\(state), \(event)")
        }
    }

    @Test("R6.8: nothing happens to a download once its transaction is over", arguments: DownloadEntry.State.allCases)
    func over(state: DownloadEntry.State) throws {
        var entry = try DownloadEntry.test(1, state)
        entry.handle(.transactionOver(by: "me"))
        let ended = entry
        #expect(ended.isTerminal && ended.isOver && ended.endedBy == "me")
        for (event, _) in Self.table {
            entry.handle(event)
            #expect(entry == ended, "\(event)")
        }
    }

    @Test("R6.6: all has come before it has finished, and the folder is known only then")
    func progress() throws {
        var entry = try DownloadEntry.test(1, .active)
        entry.handle(.received(100, secondsLeft: 0))
        #expect(entry.received == 100 && entry.state == .active && entry.folder == nil)
        // A store that sends more than it said makes no progress beyond the end.
        entry.handle(.received(101, secondsLeft: nil))
        #expect(entry.received == 100 && entry.secondsLeft == nil)
        entry.handle(.unpacked(folder: "1-1.0"))
        #expect(entry.state == .finished && entry.folder == "1-1.0")
    }

    @Test("A version that is gone gives way to the newest, whose bytes are counted anew")
    func newerVersion() throws {
        var entry = try DownloadEntry.test(1, .active)
        entry.handle(.received(60, secondsLeft: nil))
        let manifest = DownloadEntry.Manifest(unpackedLength: 500, fileCount: 2)
        entry.handle(.linked(entry.content, manifest))
        #expect(entry.received == 60 && entry.manifest == manifest)
        entry.handle(.linked(DownloadableContent(version: "1.1", length: 200), manifest))
        #expect(entry.received == 0 && entry.content.version == "1.1" && entry.content.length == 200)
    }

    @Test("A start after a failure forgets the failure")
    func again() throws {
        var entry = try DownloadEntry.test(1, .active)
        entry.handle(.failed(.restricted))
        #expect(entry.failure == .restricted)
        entry.handle(.asked(.start, order: 9))
        #expect(entry.failure == nil && entry.order == 9)
    }

    // MARK: Several

    @Test("R6.7: three are fetched at once, in the order of their starts, and each end lets the next begin")
    func turns() throws {
        var script = Script()
        #expect(script.read([]) == [])
        var rows = try (1...5).map { try DownloadEntry.test($0, .queued, order: 10 - $0) }
        #expect(script.read(rows) == ["tell queued 1, 2, 3, 4, 5", "fetch 5", "fetch 4", "fetch 3"])
        rows[4].handle(.begun)
        #expect(script.read(rows) == ["tell active 5"])
        rows[4].handle(.unpacked(folder: "f"))
        // The task is still busy with the last steps.
        #expect(script.read(rows) == ["tell finished 5", "fetch 2"])
        #expect(script.handle(.ended(rows[4].transaction)) == [])
        #expect(script.read(rows) == [])
    }

    @Test("R6.7: what a process left active goes on before others begin, and what it left paused stays so")
    func interrupted() throws {
        var script = Script()
        let rows = [
            try DownloadEntry.test(1, .queued), try DownloadEntry.test(2, .paused), try DownloadEntry.test(3, .active),
            try DownloadEntry.test(4, .finished), try DownloadEntry.test(5, .failed),
        ]
        // What was so before the launch is told together with the transactions.
        #expect(script.read(rows) == ["fetch 3", "fetch 1"])
    }

    @Test("A process without the lease tells of everything and fetches nothing")
    func others() throws {
        var script = Script(isResponsible: false)
        _ = script.read([])
        var row = try DownloadEntry.test(1, .queued)
        #expect(script.read([row]) == ["tell queued 1"])
        row.handle(.begun)
        row.handle(.received(50, secondsLeft: nil))
        #expect(script.read([row]) == ["tell active 1"])
        script.isResponsible = true
        #expect(script.read([row]) == ["fetch 1"])
    }

    @Test("A pause stops the task, and what goes on before that has ended waits for it")
    func paused() throws {
        var script = Script()
        _ = script.read([])
        var row = try DownloadEntry.test(1, .queued)
        _ = script.read([row])
        row.handle(.begun)
        _ = script.read([row])
        row.handle(.asked(.pause, order: 2))
        #expect(script.read([row]) == ["tell paused 1", "stop 1"])
        row.handle(.asked(.resume, order: 3))
        #expect(script.read([row]) == ["tell queued 1"])
        _ = script.handle(.ended(row.transaction))
        #expect(script.read([row]) == ["fetch 1"])
    }

    @Test("What came of a cancelled download is removed, once nobody writes it any more")
    func cancelled() throws {
        var script = Script()
        _ = script.read([])
        var row = try DownloadEntry.test(1, .active)
        row.handle(.received(50, secondsLeft: nil))
        _ = script.read([row])
        row.handle(.asked(.cancel, order: 2))
        #expect(script.read([row]) == ["tell cancelled 1", "stop 1"])
        _ = script.handle(.ended(row.transaction))
        #expect(script.read([row]) == ["clear 1"])
        row.handle(.cleared)
        _ = script.handle(.ended(row.transaction))
        #expect(script.read([row]) == [])
    }

    @Test("R6.8: finished content of a finished transaction is removed when it may be, all else at once")
    func purged() throws {
        var script = Script()
        _ = script.read([])
        var (finished, failed) = (try DownloadEntry.test(1, .finished), try DownloadEntry.test(2, .failed))
        _ = script.read([finished, failed])
        finished.handle(.transactionOver(by: "me"))
        failed.handle(.transactionOver(by: "me"))
        #expect(script.read([finished, failed]) == ["clear 2"])
        #expect(script.read([finished], purgeable: [finished.transaction]) == ["clear 1"])
        // The row has gone with the files, and there is nothing to tell.
        #expect(script.read([]) == [])
    }

    @Test("P32: whoever starts what has ended already is told of it once more")
    func startedAgain() throws {
        var script = Script()
        let row = try DownloadEntry.test(1, .finished)
        _ = script.read([row])
        #expect(script.handle(.started([row.transaction])) == ["tell finished 1"])
    }
}

/// The rules with their actions as words.
private struct Script {
    var rules = DownloadQueue()
    var isResponsible = true

    mutating func read(_ rows: [DownloadEntry], purgeable: Set<TransactionID> = []) -> [String] {
        handle(.read(rows, isResponsible: isResponsible, purgeable: purgeable))
    }

    mutating func handle(_ event: DownloadQueue.Event) -> [String] { rules.handle(event).map(Self.word) }

    private static func word(_ action: DownloadQueue.Action) -> String {
        switch action {
        case .tell(let entries):
            "tell \(entries.first.map { "\($0.state)" } ?? "") "
                + entries.map { "\($0.transaction.number - DownloadEntry.testBase)" }.joined(separator: ", ")
        case .fetch(let id): "fetch \(id.number - DownloadEntry.testBase)"
        case .stop(let id): "stop \(id.number - DownloadEntry.testBase)"
        case .clear(let entry): "clear \(entry.transaction.number - DownloadEntry.testBase)"
        }
    }
}

extension DownloadEntry {
    static let testBase: Int64 = 2_000_000_000_000_000

    /// A download of 100 bytes that has come to a state.
    static func test(_ number: Int64, _ state: State, order: Int64 = 1) throws -> DownloadEntry {
        var entry = DownloadEntry(
            try TransactionID(number: testBase + number), product: "chapter",
            content: DownloadableContent(version: "1.0", length: 100))
        if state == .waiting { return entry }
        entry.handle(.asked(.start, order: order))
        switch state {
        case .waiting, .queued: break
        case .active: entry.handle(.begun)
        case .paused: entry.handle(.asked(.pause, order: order))
        case .cancelled: entry.handle(.asked(.cancel, order: order))
        case .failed: entry.handle(.failed(.restricted))
        case .finished: entry.handle(.unpacked(folder: "f"))
        }
        return entry
    }
}
