import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@Suite("Customers who are signed in on pages", .bounded)
struct WebSessionTests {
    private static let (email, password) = ("ada@example.com", "correct horse")
    private static let peer = PeerAddress(host: "192.0.2.7", port: 1)

    /// A scene with an account that has a password.
    private func on(
        _ engine: StoreEngine, _ body: (SaleScene, WebSessions, Customer) async throws -> Void
    ) async throws {
        try await SaleScene.on(engine) { scene in
            let account = try await Accounts(scene.store).create(
                .init(email: Self.email, password: Self.password), scene.store.cause(.owner))
            try await body(scene, WebSessions(scene.store), account.customer)
        }
    }

    private func signIn(_ sessions: WebSessions, replacing former: WebToken? = nil) async throws -> WebSessions.Begun {
        try await sessions.signIn(
            email: Self.email, password: Self.password, replacing: former, from: Self.peer)
    }

    @Test("A session is of whoever knows its secret, until it is signed out", arguments: StoreEngine.allCases)
    func life(_ engine: StoreEngine) async throws {
        try await on(engine) { scene, sessions, ada in
            let begun = try await signIn(sessions)
            let found = try await sessions.find(begun.token)
            #expect(found == begun.session)
            #expect(found?.scope == WebScope(customer: ada.id, storefront: ada.storefront))
            #expect(try await sessions.find(WebToken(text: begun.token.text + "x")) == nil)
            let kept = try await scene.store.database.read {
                try $0.value("SELECT session_hash FROM web_session", as: [UInt8].self)
            }
            #expect(kept != Array(begun.token.text.utf8))
            try await sessions.signOut(begun.token)
            #expect(try await sessions.find(begun.token) == nil)
        }
    }

    @Test("Signing in again ends the session that the browser had", arguments: StoreEngine.usual)
    func replaced(_ engine: StoreEngine) async throws {
        try await on(engine) { _, sessions, _ in
            let first = try await signIn(sessions)
            let second = try await signIn(sessions, replacing: first.token)
            #expect(try await sessions.find(first.token) == nil)
            #expect(try await sessions.find(second.token) != nil)
        }
    }

    @Test(
        "A session ends by itself, with another password, and with the account", arguments: StoreEngine.usual)
    func ends(_ engine: StoreEngine) async throws {
        try await on(engine) { scene, sessions, ada in
            let old = try await signIn(sessions)
            scene.time.pass(WebSessions.life)
            #expect(try await sessions.find(old.token) == nil)

            let another = try await signIn(sessions)
            let hash = try await scene.store.passwords.hash("another one", for: .operators)
            try await scene.store.database.write { try Customers.setPassword(hash, of: ada.id, in: $0) }
            #expect(try await sessions.find(another.token) == nil)

            let last = try await sessions.signIn(
                email: Self.email, password: "another one", replacing: nil, from: Self.peer)
            try await Accounts(scene.store).delete(Self.email, scene.store.cause(.owner))
            #expect(try await sessions.find(last.token) == nil)
        }
    }

    @Test("A wrong password begins nothing, and guesses are counted as everywhere", arguments: StoreEngine.usual)
    func guesses(_ engine: StoreEngine) async throws {
        try await on(engine) { scene, sessions, _ in
            var codes: [RefusalCode] = []
            for _ in 0..<(GuessLimit.accountAtPlace.atOnce + 1) {
                do {
                    _ = try await sessions.signIn(
                        email: Self.email, password: "wrong", replacing: nil, from: Self.peer)
                } catch let error as ServiceError {
                    codes.append(error.code)
                }
            }
            #expect(Set(codes.dropLast()) == [.credentialsWrong])
            #expect(codes.last == .tooMany)
            #expect(try await scene.count("SELECT count(*) FROM web_session") == 0)
        }
    }

    @Test("An account has so many sessions, and the oldest makes room", arguments: StoreEngine.usual)
    func limit(_ engine: StoreEngine) async throws {
        try await on(engine) { scene, sessions, ada in
            let oldest = try await signIn(sessions)
            let (now, random) = (scene.time.current, scene.store.random)
            try await scene.store.database.write { transaction in
                for number in 1..<WebSessions.limit {
                    try transaction.insert(
                        into: "web_session",
                        [
                            "session_hash": try random(32), "customer_id": ada.id,
                            "begun_at": now + .seconds(number), "expires_at": now + WebSessions.life,
                        ])
                }
            }
            scene.time.pass(.seconds(60 * 60))
            let newest = try await signIn(sessions)
            #expect(try await scene.count("SELECT count(*) FROM web_session") == WebSessions.limit)
            #expect(try await sessions.find(oldest.token) == nil)
            #expect(try await sessions.find(newest.token) != nil)
        }
    }

    @Test("Testers are made by developers, not on a page")
    func testers() async throws {
        try await on(.memory) { _, sessions, _ in
            let error = await #expect(throws: ServiceError.self) {
                _ = try await sessions.signUp(
                    .init(email: "new@example.com", password: "long enough"), replacing: nil, from: Self.peer,
                    request: nil)
            }
            #expect(error?.code == .notAllowed)
        }
    }
}
