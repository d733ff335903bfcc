import StoreModel
import TestSupport
import Testing

@testable import StoreBackend

@Suite("Balances", .bounded)
struct BalanceTests {
    private static let now = BackendSample.now

    @Test(
        "R5.7: What is spent under a key is spent once, and another amount under it is refused",
        arguments: engines)
    func keys(dialect: SQLDialect) async throws {
        try await Self.withCredits(dialect) { sample in
            let left = Balance(name: "credits", amount: 70)
            let first = try await sample.spend(30, key: "a")
            #expect(first == left)
            #expect(try await sample.spend(20, key: "b").amount == 50)
            #expect(try await sample.spend(30, key: "a") == left, "the answer is that of the first time")
            #expect(try await sample.credits(of: sample.mary) == 50)
            #expect(await code { _ = try await sample.spend(31, key: "a") } == .keyReused)
            #expect(await code { _ = try await sample.spend(51, key: "c") } == .balanceTooLow)
            #expect(try await sample.spend(50, key: "c").amount == 0, "a key that spent nothing is free")
            #expect(await code { _ = try await sample.spend(0, key: "d") } == .invalidValue)
            #expect(await code { _ = try await sample.spend(-1, key: "d") } == .invalidValue)
            #expect(await code { _ = try await sample.spend(1, key: "") } == .invalidValue)
            let foreign = await code {
                _ = try await sample.backend.spend(1, of: "credits", key: "a", for: sample.john, at: Self.now)
            }
            #expect(foreign == .balanceTooLow)
        }
    }

    @Test("R5.7: Several devices that spend at once never spend more than there is", arguments: engines)
    func devices(dialect: SQLDialect) async throws {
        try await Self.withCredits(dialect) { sample in
            let spent = await withTaskGroup(of: Bool.self) { group in
                for device in 0..<16 {
                    group.addTask { await code { _ = try await sample.spend(15, key: "device \(device)") } == nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(spent == 6)
            let left = try await sample.credits(of: sample.mary)
            #expect(left == 10)
        }
    }

    private static func withCredits(
        _ dialect: SQLDialect, _ body: (BackendSample) async throws -> Void
    ) async throws {
        try await BackendSample.with(dialect) { sample in
            try await sample.record(BackendSample.bought(BackendSample.credits))
            try await body(sample)
        }
    }
}

extension BackendSample {
    fileprivate func spend(_ amount: Int64, key: String) async throws -> Balance {
        try await backend.spend(amount, of: "credits", key: key, for: mary, at: Self.now)
    }
}

@Suite("The audit of a backend", .bounded)
struct AuditTests {
    @Test("R5.5: The database itself refuses to change or remove what was noted", arguments: engines)
    func appendOnly(dialect: SQLDialect) async throws {
        try await BackendSample.with(dialect) { sample in
            try await sample.record(BackendSample.bought(BackendSample.credits))
            let before = try await sample.backend.audit()
            for statement in ["UPDATE backend_audit SET detail = ''", "DELETE FROM backend_audit"] {
                let refused = await code { try await sample.database.transaction { _ = try $0.run(statement) } }
                #expect(refused == .database)
            }
            #expect(try await sample.backend.audit() == before)
            #expect(before.map(\.action) == [.listPublished, .purchaseRecorded, .ownerFirst, .credited])
            #expect(before.last?.productID == BackendSample.credits.productID)
            #expect(before.last?.environment == .sandbox)
        }
    }

    @Test("A page of the audit goes on behind the last one, of all or of one user")
    func pages() async throws {
        var settings = BackendSettings(bundleIDs: [BackendSample.app])
        settings.limits.auditEntriesPerPage = 2
        try await BackendSample.with(settings: settings) { sample in
            try await sample.record(BackendSample.bought(BackendSample.credits, 1))
            try await sample.record(BackendSample.bought(BackendSample.issue, 2), for: sample.john)
            var numbers: [Int64] = []
            while true {
                let page = try await sample.backend.audit(after: numbers.last ?? 0)
                #expect(page.count <= 2)
                numbers += page.map(\.number)
                if page.isEmpty { break }
            }
            #expect(numbers.count == 6)
            #expect(numbers == numbers.sorted())
            #expect(try await sample.actions(of: sample.john) == [.purchaseRecorded, .ownerFirst])
        }
    }

    @Test(
        "The audit of a user says what became of the user's purchases, and whom it is about by name", arguments: engines
    )
    func auditOfUser(dialect: SQLDialect) async throws {
        try await BackendSample.with(dialect) { sample in
            let lisa = try await sample.backend.accounts.signUp(
                name: "Lisa", password: "correct horse", from: nil, at: BackendSample.now
            ).user
            let bought = BackendSample.bought(BackendSample.issue)
            try await sample.record(bought, for: lisa)
            try await sample.record(BackendSample.bought(BackendSample.issue, 2), for: sample.john)
            try await sample.database.transaction { connection in
                var recorder = sample.backend.recorder(connection, at: BackendSample.now)
                try recorder.update(bought.refunded(after: 5))
            }
            let entries = try await sample.backend.audit(of: lisa)
            #expect(entries.map(\.action).suffix(3) == [.purchaseRecorded, .ownerFirst, .purchaseChanged])
            #expect(entries.map(\.number) == entries.map(\.number).sorted())
            #expect(Set(entries.compactMap(\.userName)) == ["Lisa"])
            #expect(Set(entries.compactMap(\.transactionID)) == [bought.transactionID])
        }
    }

    @Test("Tables are made once, however many servers start", arguments: engines)
    func prepared(dialect: SQLDialect) async throws {
        try await BackendPlace.with(dialect) { place in
            let servers = try (0..<4).map { _ in try place.open() }
            defer { for server in servers { server.close() } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for server in servers {
                    group.addTask {
                        try await server.transaction { try BackendSchema.prepare($0, at: BackendSample.now) }
                    }
                }
                try await group.waitForAll()
            }
            let steps = try await servers[0].transaction { try $0.run("SELECT step FROM backend_schema") }
            #expect(steps.count == BackendSchema.steps.count)
        }
    }
}
