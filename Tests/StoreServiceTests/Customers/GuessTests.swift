import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("Wrong passwords and codes are counted", .bounded)
struct GuessTests {
    private static let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)

    @Test("X10: So many guesses are taken at once, then one in each interval, and a clock set back changes nothing")
    func limit() {
        let limit = GuessLimit(atOnce: 3, interval: .seconds(60))
        var end: Instant?
        func guess(after seconds: Int64) -> Duration? {
            let now = Self.now + .seconds(seconds)
            if let wait = limit.wait(end, at: now) { return wait }
            end = limit.counting(end, at: now)
            return nil
        }
        #expect((0..<3).allSatisfy { _ in guess(after: 0) == nil })
        #expect(guess(after: 0) == .seconds(60))
        #expect(guess(after: 59) == .seconds(1))
        #expect(guess(after: 60) == nil)
        #expect(guess(after: 60) == .seconds(60))
        end = end.map { limit.takingBack($0) }
        #expect(guess(after: 60) == nil)
        // All three come back in their time, and no more.
        #expect((0..<4).map { _ in guess(after: 1000) } == [nil, nil, nil, .seconds(60)])
        #expect(guess(after: -1_000_000) == .seconds(60))
    }

    /// An account with a password in a store, and what is logged there.
    private struct Scene {
        let scene: SaleScene
        let databases: StoreDatabases
        let customer: CustomerID
        let log = Observed<[LogEntry]>([])

        static let email = "ada@example.com"
        static let password = "correct horse"

        /// A server of the same database.
        func server() throws -> EnvironmentStore {
            try .sample(
                of: databases, processor: scene.processor, signers: scene.store.signers, wall: scene.time.reading,
                log: { [log] entry in log.update { $0.append(entry) } })
        }

        /// Guesses on a page from a network: the code of the refusal, and how long to wait.
        func guess(
            _ password: String = "wrong", at email: String = email, from network: String, on server: EnvironmentStore
        ) async throws -> Refused? {
            do {
                // The password comes before the code, which is unknown in any case.
                _ = try await Redemption(server).open(
                    "NOSUCHCODE", app: nil, email: email, password: password,
                    from: PeerAddress(host: network, port: 1), request: nil)
                return nil
            } catch let error as ServiceError {
                return error.code == .codeUnknown ? nil : Refused(code: error.code, wait: error.retryAfter)
            }
        }
    }

    private struct Refused: Equatable {
        let code: RefusalCode
        var wait: Duration?
        static let wrong = Refused(code: .credentialsWrong)
        static func tooMany(_ seconds: Int) -> Refused { Refused(code: .tooMany, wait: .seconds(seconds)) }
    }

    private func on(_ engine: StoreEngine, _ body: (Scene) async throws -> Void) async throws {
        try await engine.withStore { databases in
            try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("first", in: $0) }
            let scene = try SaleScene(databases)
            let made = try await Accounts(scene.store).create(
                .init(email: Scene.email, password: Scene.password), scene.store.cause(.owner))
            try await body(Scene(scene: scene, databases: databases, customer: made.customer.id))
        }
    }

    @Test(
        "X10: A stranger who knows an address keeps its owner from nothing where the owner has signed in before",
        arguments: StoreEngine.allCases)
    func stranger(_ engine: StoreEngine) async throws {
        try await on(engine) { scene in
            // Two servers count together.
            let servers = [try scene.server(), try scene.server()]
            #expect(try await scene.guess(Scene.password, from: "203.0.113.1", on: servers[0]) == nil)
            for number in 0..<10 {
                #expect(try await scene.guess(from: "198.51.100.1", on: servers[number % 2]) == .wrong)
            }
            #expect(try await scene.guess(from: "198.51.100.1", on: servers[0]) == .tooMany(60))
            #expect(try await scene.guess(from: "198.51.100.1", on: servers[1]) == .tooMany(60))
            // From other networks it goes on, for so long.
            for number in 0..<90 {
                let network = "198.51.100.\(2 + number / 9)"
                #expect(try await scene.guess(from: network, on: servers[number % 2]) == .wrong)
            }
            #expect(try await scene.guess(from: "198.51.100.200", on: servers[0]) == .tooMany(60))
            // Nor does the right password help there.
            #expect(
                try await scene.guess(Scene.password, from: "198.51.100.200", on: servers[0]) == .tooMany(60))
            let told = scene.log.value.filter { $0.event == "guesses.refused" }
            #expect(told.count == 3 && told.allSatisfy { $0.level == .warning })
            #expect(told.last?.fields.contains(.init("subject", .text("account \(scene.customer)"))) == true)
            #expect(told.last?.fields.contains(.init("place", "network 198.51.100.200")) == true)
            for _ in 0..<9 { #expect(try await scene.guess(from: "203.0.113.1", on: servers[0]) == .wrong) }
            #expect(try await scene.guess(Scene.password, from: "203.0.113.1", on: servers[1]) == nil)
            #expect(try await scene.guess(from: "203.0.113.1", on: servers[1]) == .wrong)
            #expect(try await scene.guess(from: "203.0.113.1", on: servers[1]) == .tooMany(60))
        }
    }

    @Test("X10: Another password forgets where an account signed in, but for the page where it was set")
    func anotherPassword() async throws {
        try await on(.memory) { scene in
            let (server, accounts) = (try scene.server(), Accounts(scene.scene.store))
            #expect(try await scene.guess(Scene.password, from: "203.0.113.1", on: server) == nil)
            let recovery = try await accounts.beginRecovery(of: Scene.email, scene.scene.store.cause(.owner))
            _ = try await accounts.recover(
                token: recovery.token, password: "battery staple", from: PeerAddress(host: "203.0.113.2", port: 1))
            for number in 0..<100 {
                let network = "198.51.100.\(1 + number / 9)"
                #expect(try await scene.guess(from: network, on: server) == .wrong)
            }
            #expect(try await scene.guess("battery staple", from: "203.0.113.1", on: server) == .tooMany(60))
            #expect(try await scene.guess("battery staple", from: "203.0.113.2", on: server) == nil)
        }
    }

    @Test("An address without an account is counted like one, and a network for all that is tried from it")
    func noAccount() async throws {
        try await on(.memory) { scene in
            let server = try scene.server()
            for _ in 0..<10 {
                #expect(try await scene.guess(at: "eve@example.com", from: "198.51.100.1", on: server) == .wrong)
            }
            #expect(try await scene.guess(at: "eve@example.com", from: "198.51.100.1", on: server) == .tooMany(60))
            for number in 0..<50 {
                let email = "eve\(number)@example.com"
                #expect(try await scene.guess(at: email, from: "198.51.100.1", on: server) == .wrong)
            }
            #expect(try await scene.guess(at: "bob@example.com", from: "198.51.100.1", on: server) == .tooMany(10))
            #expect(try await scene.guess(at: "bob@example.com", from: "198.51.100.2", on: server) == .wrong)
        }
    }

    @Test("What counts no more is removed, and so are places of which an account has too many")
    func rows() async throws {
        try await on(.memory) { scene in
            let server = try scene.server()
            for number in 0..<25 {
                #expect(try await scene.guess(Scene.password, from: "203.0.113.\(number)", on: server) == nil)
                scene.scene.time.pass(.seconds(60))
            }
            #expect(try await scene.scene.count("SELECT count(*) FROM familiar_place") == 20)
            #expect(try await scene.guess(from: "198.51.100.1", on: server) == .wrong)
            let removal = Removal(.standard, of: scene.databases.sandbox)
            _ = try await removal.turn(at: scene.scene.time.current)
            #expect(try await scene.scene.count("SELECT count(*) FROM wrong_guess") > 0)
            scene.scene.time.pass(.seconds(60))
            _ = try await removal.turn(at: scene.scene.time.current)
            #expect(try await scene.scene.count("SELECT count(*) FROM wrong_guess") == 0)
            #expect(try await scene.scene.count("SELECT count(*) FROM familiar_place") == 20)
            _ = try await removal.turn(at: scene.scene.time.current + .seconds(401 * 24 * 60 * 60))
            #expect(try await scene.scene.count("SELECT count(*) FROM familiar_place") == 0)
        }
    }
}
