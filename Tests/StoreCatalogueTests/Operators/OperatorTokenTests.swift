import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("Tokens of operators", .bounded)
struct OperatorTokenTests {
    private static let now = CatalogueSample.now
    private static let token = OperatorTokens.token(of: Array(0..<32))

    private static func name(of token: String, _ store: StoreDatabases) async throws -> String? {
        try await OperatorTokens.open(with: token, at: now, of: store.catalogue)?.name
    }

    @Test("A token is known until it is revoked, and by its text alone", arguments: StoreEngine.allCases)
    func life(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            #expect(try await Self.name(of: Self.token, store) == nil)
            try await store.catalogue.write {
                _ = try OperatorTokens.add(
                    Self.token, name: "ci", for: .sandbox, CatalogueChange(.owner, at: Self.now, in: $0))
            }
            #expect(try await Self.name(of: Self.token, store) == "ci")
            #expect(try await Self.name(of: OperatorTokens.token(of: Array(1..<33)), store) == nil)
            try await store.catalogue.write {
                try OperatorTokens.revoke(name: "ci", CatalogueChange(.owner, at: Self.now, in: $0))
            }
            #expect(try await Self.name(of: Self.token, store) == nil)
            let all = try await store.catalogue.read { try OperatorTokens.all(in: $0) }
            #expect(all.map(\.name) == ["ci"] && all.map(\.createdAt) == [Self.now])
            #expect(all.map(\.revokedAt) == [Self.now])
        }
    }

    @Test("A token has an end, and says to a minute when it was used", arguments: StoreEngine.allCases)
    func use(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            try await store.catalogue.write {
                _ = try OperatorTokens.add(
                    Self.token, name: "ci", for: .production, life: .seconds(100),
                    CatalogueChange(.owner, at: Self.now, in: $0))
            }
            func used(after seconds: Int64) async throws -> (isOpen: Bool, last: Instant?) {
                let entry = try await OperatorTokens.open(
                    with: Self.token, at: Self.now + .seconds(seconds), of: store.catalogue)
                return (
                    entry != nil, try await store.catalogue.read { try OperatorTokens.all(in: $0) }.first?.lastUsedAt
                )
            }
            for (seconds, last) in [(1, 1), (60, 1), (61, 61), (99, 61)] as [(Int64, Int64)] {
                #expect(try await used(after: seconds) == (true, Self.now + .seconds(last)))
            }
            #expect(try await used(after: 100) == (false, Self.now + .seconds(61)))
        }
    }

    @Test("The database has no token, only hashes")
    func hashed() async throws {
        try await StoreEngine.memory.withStore { store in
            try await store.catalogue.write {
                _ = try OperatorTokens.add(
                    Self.token, name: "ci", for: .sandbox, CatalogueChange(.owner, at: Self.now, in: $0))
            }
            let hash = try await store.catalogue.read { transaction in
                try transaction.value("SELECT token_hash FROM operator_token", as: [UInt8].self)
            }
            #expect(hash.count == 32 && hash != Array(0..<32))
        }
    }

    @Test("A name is given once, also after its token was revoked")
    func names() async throws {
        try await StoreEngine.memory.withStore { store in
            let add: @Sendable (UInt8) async throws -> Void = { seed in
                let token = OperatorTokens.token(of: Array(repeating: seed, count: 32))
                try await store.catalogue.write {
                    _ = try OperatorTokens.add(
                        token, name: "ci", for: .sandbox, CatalogueChange(.owner, at: Self.now, in: $0))
                }
            }
            try await add(1)
            await #expect(throws: CatalogueError.self) { try await add(2) }
            try await store.catalogue.write {
                try OperatorTokens.revoke(name: "ci", CatalogueChange(.owner, at: Self.now, in: $0))
            }
            await #expect(throws: CatalogueError.self) { try await add(3) }
            await #expect(throws: CatalogueError.self) {
                try await store.catalogue.write {
                    try OperatorTokens.revoke(name: "no", CatalogueChange(.owner, at: Self.now, in: $0))
                }
            }
        }
    }

    @Test("What has not the form of a token is none")
    func form() {
        #expect(OperatorTokens.isWellFormed(Self.token))
        for text in ["", "till_", Self.token + "0", Self.token.uppercased(), String(Self.token.dropLast()) + "g", "x"] {
            #expect(!OperatorTokens.isWellFormed(text))
        }
    }

    @Test("Shared secrets are kept for an app and for all of them, by environment", arguments: StoreEngine.allCases)
    func secrets(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            let secret = SharedSecrets.secret(of: Array(0..<16))
            #expect(secret == "000102030405060708090a0b0c0d0e0f")
            let (app, cause) = (sample.app.id, CatalogueCause(.store, at: Self.now))
            /// The secrets of the app and of all, of the sandbox and of production.
            func secrets() async throws -> [String?] {
                try await store.catalogue.read { transaction in
                    try [StoreEnvironment.sandbox, .production].flatMap {
                        [
                            try SharedSecrets.find(of: app, in: $0, transaction),
                            try SharedSecrets.primary(in: $0, transaction),
                        ]
                    }
                }
            }
            try await store.catalogue.write { transaction in
                try SharedSecrets.set(secret, of: app, in: .sandbox, cause.change(in: transaction))
                try SharedSecrets.setPrimary("one", in: .sandbox, cause.change(in: transaction))
                try SharedSecrets.setPrimary("two", in: .sandbox, cause.change(in: transaction))
            }
            #expect(try await secrets() == [secret, "two", nil, nil])
            try await store.catalogue.write { transaction in
                try SharedSecrets.set("live", of: app, in: .production, cause.change(in: transaction))
                try SharedSecrets.setPrimary("all", in: .production, cause.change(in: transaction))
                try SharedSecrets.set(nil, of: app, in: .sandbox, cause.change(in: transaction))
                try SharedSecrets.setPrimary(nil, in: .sandbox, cause.change(in: transaction))
            }
            #expect(try await secrets() == [nil, nil, "live", "all"])
            #expect(try await store.catalogue.read { try SharedSecrets.all(in: .production, $0) } == [app: "live"])
            #expect(try await store.catalogue.read { try SharedSecrets.all(in: .sandbox, $0) }.isEmpty)
            let notes = try await store.catalogue.read {
                try CatalogueAudit.list(of: nil, team: nil, before: nil, limit: 7, in: $0)
            }
            #expect(notes.map(\.action).count { $0.contains("shared secret of") } == 7)
            #expect(notes.allSatisfy { !"\($0)".contains(secret) && !"\($0)".contains("live") })
        }
    }
}
