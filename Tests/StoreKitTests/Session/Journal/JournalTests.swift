import Foundation
import StoreModel
import StoreSQLite
import Synchronization
import Testing

@testable import StoreKit

/// What the journal keeps, whatever happens to the process.
@Suite("The journal of a session")
struct JournalTests {
    @Test("What was kept is there when the file is opened again")
    func kept() throws {
        try withJournal { path in
            let log = Transcript()
            let journal = try Journal(at: path) { log.write($0) }
            var payment = Self.payment("coins")
            payment = try journal.keep(payment)
            try journal.set(.confirmed, of: payment.key)
            let failed = try journal.keep(Self.payment("jungle"))
            #expect(try journal.fail(failed.key, .cancelled))
            #expect(try !journal.fail(failed.key, .restricted))
            try journal.set([.cursor: "a", .token: "t"])
            try journal.set([.token: nil])

            let reopened = try Journal(at: path) { log.write($0) }
            payment.state = .confirmed
            let kept = try reopened.payments()
            #expect(kept.map(\.state) == [.confirmed, .failed])
            #expect(kept.first == payment)
            #expect(kept.last?.failure == .cancelled)
            #expect(try reopened.value(.cursor) == "a")
            #expect(try reopened.value(.token) == nil)
            #expect(log.lines == [])
        }
    }

    @Test("Several processes may make the journal at once")
    func madeAtOnce() throws {
        let count = 3
        for _ in 0..<100 {
            try withJournal { path in
                let failures = Mutex<[String]>([])
                let (ready, all) = (DispatchGroup(), DispatchGroup())
                for _ in 0..<count { ready.enter() }
                for _ in 0..<count {
                    all.enter()
                    Thread.detachNewThread {
                        ready.leave()
                        ready.wait()
                        do {
                            _ = try Journal(at: path) { line in failures.withLock { $0.append(line) } }
                        } catch {
                            failures.withLock { $0.append("\(error)") }
                        }
                        all.leave()
                    }
                }
                all.wait()
                #expect(failures.withLock { $0 } == [])
            }
        }
    }

    @Test("A transaction settles its payment, waits for the app, and is remembered as finished until the store knows")
    func transaction() throws {
        try withJournal { path in
            let journal = try Journal(at: path) { _ in }
            let payment = try journal.keep(Self.payment("coins", username: "ada"))
            let bought = try Self.bought(7, of: payment.key)
            try journal.store([bought])
            #expect(try journal.payment(payment.key)?.state == .purchased)
            #expect(try journal.transaction(bought.id)?.username == "ada")
            #expect(try journal.news(after: nil).waiting == [bought.id])
            #expect(try !journal.fail(payment.key, .cancelled))
            try journal.finish(bought.id)
            #expect(try journal.payments() == [])
            #expect(try journal.finishes() == [bought.id])
            // The store has not heard of it yet, and tells of it again.
            try journal.store([bought])
            #expect(try journal.news(after: nil).waiting == [])
            try journal.replaceAll([bought], cursor: "c", since: journal.lastChange())
            #expect(try journal.news(after: nil).waiting == [])
            try journal.acknowledge(bought.id)
            #expect(try journal.finishes() == [])
        }
    }

    @Test("After what waits for no disk, also after its failure, the next change waits again")
    func durability() throws {
        try withJournal { path in
            let journal = try Journal(at: path) { _ in }
            let full: [Int64] = [2]
            func level() throws -> [Int64] {
                try journal.use { database in try database.query("PRAGMA synchronous") { try $0.integer(0) } }
            }
            #expect(try level() == full)
            let payment = try journal.keep(Self.payment("coins"))
            #expect(try level() == full)
            #expect(throws: (any Error).self) { try journal.keep(payment) }
            #expect(try level() == full)
            try journal.acknowledge(Self.bought(7, of: nil).id)
            #expect(try level() == full)
            let during = try journal.change(isDurable: false) { database in
                try database.query("PRAGMA synchronous") { try $0.integer(0) }
            }
            #expect(during == [1])
        }
    }

    @Test("What must not be forgotten waits for the disk: a yes, a failure, a finish and what is read anew")
    func waiting() throws {
        try withJournal { path in
            let log = Transcript()
            let journal = try Journal(at: path, report: { _ in }, observer: { log.write($0) })
            /// How often something is kept by what is done, and how much of that does not wait.
            func kept(_ body: () throws -> Void) rethrows -> [Int] {
                let before = log.lines.count
                try body()
                let lines = log.lines.dropFirst(before)
                return [lines.count { $0 == "COMMIT" }, lines.count { $0 == "PRAGMA synchronous = NORMAL" }]
            }
            let (payment, other) = (Self.payment("coins"), Self.payment("jungle"))
            let bought = try Self.bought(7, of: payment.key)
            let (waits, doesNotWait) = ([1, 0], [1, 1])
            #expect(try kept { _ = try journal.keep(payment) } == doesNotWait)
            #expect(try kept { _ = try journal.keep(other) } == doesNotWait)
            #expect(try kept { try journal.set(.confirmed, of: payment.key) } == waits)
            #expect(try kept { try journal.store([bought]) } == doesNotWait)
            #expect(try kept { try journal.set(receipt: [1], of: bought.id) } == waits)
            #expect(try kept { try journal.finish(bought.id) } == waits)
            #expect(try kept { try journal.acknowledge(bought.id) } == doesNotWait)
            #expect(try kept { _ = try journal.fail(other.key, .cancelled) } == waits)
            #expect(try kept { _ = try journal.adopt(other.key, of: "me", by: "you") } == waits)
            #expect(try kept { try journal.forget(other.key) } == waits)
            #expect(try kept { try journal.set([.signOuts: "1"]) } == waits)
            #expect(try kept { try journal.replaceAll([], cursor: "c", since: journal.lastChange()) } == waits)
            #expect(try kept { try journal.forgetCustomer() } == waits)
        }
    }

    @Test("A transaction that comes again for a new payment waits again")
    func again() throws {
        try withJournal { path in
            let journal = try Journal(at: path) { _ in }
            let bought = try Self.bought(7, of: nil)
            try journal.store([bought])
            try journal.finish(bought.id)
            let payment = try journal.keep(Self.payment("club"))
            let before = try journal.lastChange()
            var answer = bought
            answer.payment = payment.key
            answer.state = .finished
            try journal.store([answer])
            #expect(try journal.news(after: before).waiting == [bought.id])
            #expect(try journal.news(after: before).changed.map(\.id) == [bought.id])
            #expect(try journal.finishes() == [])
            // The events tell of it once more.
            try journal.store([answer])
            #expect(try journal.news(after: before).waiting == [bought.id])
        }
    }

    @Test("What is told again, without its receipt, keeps the one it had, and its original and its name")
    func toldAgain() throws {
        try withJournal { path in
            let journal = try Journal(at: path) { _ in }
            var bought = try Self.bought(7, of: nil)
            let news = bought
            (bought.receipt, bought.originalSigned, bought.username) = ([1, 2], "original", "ada")
            try journal.store([bought])
            try journal.store([news])
            let kept = try journal.transaction(bought.id)
            #expect(kept?.receipt == [1, 2])
            #expect(kept?.originalSigned == "original")
            #expect(kept?.username == "ada")
        }
    }

    @Test("What was finished before the journal knew of it does not wait when the store tells of it")
    func finishedUnknown() throws {
        try withJournal { path in
            // As after a damage: the app has it still, and the journal is a new one.
            let journal = try Journal(at: path) { _ in }
            let bought = try Self.bought(7, of: nil)
            try journal.finish(bought.id)
            try journal.store([bought])
            #expect(try journal.news(after: nil).waiting == [])
            #expect(try journal.finishes() == [bought.id])
        }
    }

    @Test("Events and the place after them are kept together, and only by the first who has them")
    func cursor() throws {
        try withJournal { path in
            let journal = try Journal(at: path) { _ in }
            try journal.replaceAll([], cursor: "one", since: journal.lastChange())
            try journal.store([Self.bought(7, of: nil)], cursor: "two", after: "one")
            #expect(try journal.value(.cursor) == "two")
            try journal.store([Self.bought(8, of: nil)], cursor: "two", after: "one")
            #expect(try journal.news(after: nil).waiting.count == 1)
            try journal.forgetCustomer()
            #expect(try journal.value(.cursor) == nil)
            #expect(try journal.news(after: nil).waiting == [])
        }
    }

    @Test("Everything is read again: what is gone goes, what was finished here stays finished")
    func replace() throws {
        try withJournal { path in
            let journal = try Journal(at: path) { _ in }
            let payment = try journal.keep(Self.payment("coins"))
            let (lost, found) = (try journal.keep(Self.payment("lost")), try journal.keep(Self.payment("found")))
            try journal.store([try Self.bought(7, of: lost.key), try Self.bought(8, of: nil)])
            try journal.store([try Self.bought(9, of: found.key)])
            try journal.finish(try TransactionID(number: 8))
            let all = [try Self.bought(8, of: nil), try Self.bought(9, of: found.key)]
            try journal.replaceAll([], isWhole: false, cursor: "b", since: journal.lastChange())
            #expect(try journal.news(after: nil).waiting == [])
            #expect(try journal.payments().map(\.key) == [payment.key, lost.key, found.key])
            try journal.store([try Self.bought(7, of: lost.key), try Self.bought(9, of: found.key)])
            try journal.replaceAll(all, cursor: "c", since: journal.lastChange())
            #expect(try journal.news(after: nil).waiting == [TransactionID(number: 9)])
            #expect(try journal.payments().map(\.key) == [payment.key, found.key])
        }
    }

    @Test("What came while everything was being read stays, and stays finished")
    func overtaken() throws {
        try withJournal { path in
            let journal = try Journal(at: path) { _ in }
            try journal.store([Self.bought(7, of: nil)])
            let asked = try journal.lastChange()
            // The store has answered, without this one; it comes as the answer to a payment, and is finished.
            let payment = try journal.keep(Self.payment("coins"))
            let bought = try Self.bought(8, of: payment.key)
            try journal.store([bought])
            try journal.finish(bought.id)
            try journal.acknowledge(bought.id)
            try journal.replaceAll([], cursor: "c", since: asked)
            #expect(try journal.transaction(TransactionID(number: 7)) == nil)
            #expect(try journal.transaction(bought.id)?.state == .finished)
            // The events go on from the place of the answer, and tell of it.
            try journal.store([bought], cursor: "d", after: "c")
            #expect(try journal.news(after: nil).waiting == [])
        }
    }

    @Test("Two processes write to one journal, and each hears what the other wrote")
    func shared() throws {
        try withJournal { path in
            let (one, other) = (try Journal(at: path) { _ in }, try Journal(at: path) { _ in })
            let before = try other.lastChange()
            let payment = try one.keep(Self.payment("coins"))
            #expect(try other.payments().map(\.key) == [payment.key])
            try one.store([try Self.bought(7, of: payment.key)])
            #expect(try other.news(after: before).changed.count == 1)
            #expect(try other.adopt(payment.key, of: "me", by: "you"))
            #expect(try !one.adopt(payment.key, of: "me", by: "others"))
        }
    }

    @Test("Too many payments, and texts that are too long, are refused and change nothing")
    func limits() throws {
        try withJournal { path in
            let journal = try Journal(at: path) { _ in }
            for _ in 0..<JournalLimits.payments { _ = try journal.keep(Self.payment("coins")) }
            #expect(throws: SessionFailure.self) { try journal.keep(Self.payment("coins")) }
            try journal.forget(try #require(try journal.payments().first).key)
            #expect(throws: SessionFailure.self) {
                try journal.keep(Self.payment(String(repeating: "x", count: JournalLimits.textBytes + 1)))
            }
            #expect(try journal.payments().count == JournalLimits.payments - 1)
            var bought = try Self.bought(7, of: nil)
            bought.signed = String(repeating: "x", count: JournalLimits.signedBytes + 1)
            #expect(throws: SessionFailure.self) { try journal.store([bought], cursor: "two") }
            #expect(try journal.value(.cursor) == nil)
        }
    }

    @Test("A damaged file is set aside with one line, and a new journal begun", arguments: [0, 100, 4096])
    func damaged(at offset: Int) throws {
        try withJournal { path in
            let log = Transcript()
            do {
                let journal = try Journal(at: path) { log.write($0) }
                for number in 1...50 { try journal.store([try Self.bought(Int64(number), of: nil)]) }
            }
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(bytes.count > 8192)
            // Deep inside, everything from there on; at the beginning a few bytes are enough.
            let end = offset < 4096 ? offset + 64 : bytes.count
            bytes.replaceSubrange(offset..<end, with: [UInt8](repeating: 0xA5, count: end - offset))
            try bytes.write(to: URL(fileURLWithPath: path))
            let journal = try Journal(at: path) { log.write($0) }
            // What is damaged deep inside is found when it is read.
            _ = try? journal.news(after: nil)
            #expect(try journal.news(after: nil).waiting == [])
            #expect(journal.resetCount == 1)
            #expect(log.lines.count == 1)
            _ = try journal.keep(Self.payment("coins"))
            #expect(FileManager.default.fileExists(atPath: path + ".damaged-1"))
        }
    }

    @Test("P9: Of what was taken back the journal knows whether the app has had it, also after its customer was away")
    func had() throws {
        try withJournal { path in
            let journal = try Journal(at: path) { _ in }
            func store(_ id: Int64, isRevoked: Bool, isElsewhere: Bool = false) throws {
                var transaction = try Self.bought(id, of: nil)
                (transaction.isRevoked, transaction.wasHad) = (isRevoked, !isRevoked && !isElsewhere)
                if isElsewhere { transaction.state = .finished }
                try journal.store([transaction])
            }
            func had() throws -> [Bool?] {
                try (1...3).map { try journal.transaction(TransactionID(number: $0))?.wasHad }
            }
            // One that the app had, one that was taken back before it came, and one that another device has used up.
            try store(1, isRevoked: false)
            try store(2, isRevoked: true)
            try store(3, isRevoked: false, isElsewhere: true)
            try store(3, isRevoked: true, isElsewhere: true)
            #expect(try had() == [true, false, false])
            try journal.forgetCustomer()
            for id in 1...3 { try store(Int64(id), isRevoked: true) }
            #expect(try had() == [true, false, false])
            // What is given back is the app's.
            try store(2, isRevoked: false)
            try store(2, isRevoked: true)
            #expect(try had() == [true, true, false])
        }
    }

    @Test("A journal of a newer StoreKit is left alone")
    func newer() throws {
        try withJournal { path in
            _ = try Journal(at: path) { _ in }
            let connection = try SQLiteConnection(.file(path))
            try connection.run("PRAGMA user_version = 99")
            #expect(throws: (any Error).self) { try Journal(at: path) { _ in } }
            #expect(!FileManager.default.fileExists(atPath: path + ".damaged-1"))
        }
    }

    static func payment(_ product: String, username: String? = nil) -> JournalPayment {
        JournalPayment(
            key: PurchaseKey(UUID()), payment: Payment(product, username: username), owner: "me",
            addedAt: SessionTime.start)
    }

    static func bought(_ id: Int64, of payment: PurchaseKey?) throws -> JournalTransaction {
        JournalTransaction(
            id: try TransactionID(number: id), signed: String(repeating: "s", count: 2000), payment: payment,
            state: .waiting)
    }
}

func withJournal(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("till-journal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path + "/journal.sqlite")
}
