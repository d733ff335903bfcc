import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreBackend

@Suite("Accounts of a backend", .bounded)
struct AccountTests {
    private static let now = BackendSample.now
    private static let password = "correct horse"

    @Test("R5.5: Who signs up or in is known by the token, until it ends", arguments: engines)
    func tokens(dialect: SQLDialect) async throws {
        try await BackendSample.with(dialect) { sample in
            let accounts = sample.backend.accounts
            let first = try await accounts.signUp(name: "Mary", password: Self.password, from: nil, at: Self.now)
            let second = try await accounts.signIn(name: "mary", password: Self.password, from: nil, at: Self.now)
            #expect(second.user == first.user)
            #expect(first.user.appAccountToken?.description == first.user.id)
            for signedIn in [first, second] {
                let user = try await sample.backend.user(withToken: signedIn.token, at: Self.now)
                #expect(user == first.user)
            }
            try await accounts.signOut(token: first.token, at: Self.now)
            #expect(try await accounts.user(withToken: first.token, at: Self.now) == nil)
            let last = second.expires.adding(milliseconds: -1)
            #expect(try await accounts.user(withToken: second.token, at: last) == first.user)
            let ended = await code { _ = try await sample.backend.user(withToken: second.token, at: second.expires) }
            #expect(ended == .notSignedIn)
            #expect(try await sample.actions(of: first.user) == [.userAdded, .signedIn, .signedOut])
        }
    }

    @Test("A name that is taken, in capitals or not, is refused, and so are names and passwords that break a rule")
    func names() async throws {
        try await BackendSample.with { sample in
            let accounts = sample.backend.accounts
            _ = try await accounts.signUp(name: "Ärzte", password: Self.password, from: nil, at: Self.now)
            let wrong: [(String, String, BackendError.Code, String)] = [
                ("ärzte", Self.password, .nameTaken, "name"), (" mary", Self.password, .invalidValue, "name"),
                ("", Self.password, .invalidValue, "name"), ("ärz\u{200D}te", Self.password, .nameTaken, "name"),
                ("ärz\u{200B}te", Self.password, .invalidValue, "name"),
                ("a\u{202E}b", Self.password, .invalidValue, "name"),
                (String(repeating: "a", count: 101), Self.password, .invalidValue, "name"),
                ("mary", "seven77", .invalidValue, "password"),
                ("mary", String(repeating: "a", count: 1025), .invalidValue, "password"),
            ]
            for (name, password, code, parameter) in wrong {
                let error = await #expect(throws: BackendError.self) {
                    try await accounts.signUp(name: name, password: password, from: nil, at: Self.now)
                }
                #expect(error?.code == code)
                #expect(error?.parameter == parameter)
            }
            #expect(try await accounts.list().map(\.name) == ["Ärzte"])
        }
    }

    @Test("R5.9: After ten guesses from an address the right password waits too, elsewhere it does not")
    func guesses() async throws {
        try await BackendSample.with { sample in
            let accounts = sample.backend.accounts
            _ = try await accounts.signUp(name: "Mary", password: Self.password, from: nil, at: Self.now)
            @Sendable func signIn(
                _ password: String, name: String = "Mary", from address: String = "192.0.2.1",
                at now: Instant = Self.now
            ) async -> BackendError.Code? {
                await code { _ = try await accounts.signIn(name: name, password: password, from: address, at: now) }
            }
            #expect(await signIn(Self.password) == nil)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<10 { group.addTask { #expect(await signIn("wrong") == .notSignedIn) } }
            }
            #expect(await signIn(Self.password) == .tooManyRequests)
            #expect(await signIn(Self.password, from: "192.0.2.2") == nil)
            #expect(await signIn("wrong", name: "Nobody") == .notSignedIn, "the same answer as for who is there")
            #expect(await signIn(Self.password, at: Self.now + .seconds(15 * 60)) == nil)
            #expect(try await sample.actions().filter { $0 == .guessesExhausted }.count == 1)
        }
    }

    @Test("Accounts without end are refused to an address, with when to come again, and who has one signs in")
    func accountsOfAnAddress() async throws {
        var settings = BackendSettings(bundleIDs: [BackendSample.app])
        (settings.limits.accountsPerAddress, settings.limits.guessesPerAddress) = (3, 2)
        try await BackendSample.with(settings: settings) { sample in
            let accounts = sample.backend.accounts
            func signUp(_ number: Int, from address: String? = "192.0.2.1") async throws -> SignedIn {
                try await accounts.signUp(
                    name: "user \(number)", password: Self.password, from: address, at: Self.now + .seconds(60))
            }
            for number in 0..<3 { _ = try await signUp(number) }
            let error = await #expect(throws: BackendError.self) { try await signUp(3) }
            #expect(error?.code == .tooManyRequests)
            #expect(error?.retryAfter == 15 * 60)
            _ = try await signUp(4, from: "192.0.2.2")
            _ = try await signUp(5, from: nil)
            for name in ["user 0", "user 1", "user 2"] {
                _ = try await accounts.signIn(name: name, password: Self.password, from: "192.0.2.1", at: Self.now)
            }
        }
    }

    @Test("Another password ends what was signed in, and so does a session too many, the oldest first")
    func sessions() async throws {
        var settings = BackendSettings(bundleIDs: [BackendSample.app])
        settings.limits.sessionsPerUser = 2
        try await BackendSample.with(settings: settings) { sample in
            let accounts = sample.backend.accounts
            var tokens = [
                try await accounts.signUp(name: "Mary", password: Self.password, from: nil, at: Self.now).token
            ]
            for seconds: Int64 in [1, 2] {
                let now = Self.now + .seconds(seconds)
                tokens.append(
                    try await accounts.signIn(name: "Mary", password: Self.password, from: nil, at: now).token)
            }
            func known() async throws -> [Bool] {
                var known: [Bool] = []
                for token in tokens { known.append(try await accounts.user(withToken: token, at: Self.now) != nil) }
                return known
            }
            #expect(try await known() == [false, true, true])
            let mary = try #require(try await accounts.user(named: "MARY"))
            try await accounts.changePassword(of: mary, to: "another horse", at: Self.now)
            #expect(try await known() == [false, false, false])
            let old = await code {
                _ = try await accounts.signIn(name: "Mary", password: Self.password, from: nil, at: Self.now)
            }
            #expect(old == .notSignedIn)
        }
    }

    @Test("P27: What belonged to an account that is removed belongs to the next who brings it, and is credited once")
    func removed() async throws {
        try await BackendSample.with { sample in
            let accounts = sample.backend.accounts
            let mary = try await accounts.signUp(name: "Mary", password: Self.password, from: nil, at: Self.now).user
            try await sample.record(BackendSample.bought(BackendSample.credits), for: mary)
            try await accounts.remove(mary, at: Self.now)
            #expect(try await accounts.user(named: "Mary") == nil)
            let recorded = try await sample.record(BackendSample.bought(BackendSample.credits), for: sample.john)
            #expect(recorded.map(\.state) == [.granted])
            #expect(try await sample.credits(of: sample.john) == 0)
            #expect(await code { try await accounts.remove(mary, at: Self.now) } == .unknownUser)
        }
    }

    @Test("The database has neither a password nor a token")
    func secrets() async throws {
        try await BackendSample.with { sample in
            let signedIn = try await sample.backend.accounts.signUp(
                name: "Mary", password: Self.password, from: nil, at: Self.now)
            let rows = try await sample.database.transaction { connection in
                try ["backend_user", "backend_session", "backend_audit"].flatMap {
                    try connection.run("SELECT * FROM \($0)")
                }
            }
            let cells = "\(rows.flatMap(\.cells))"
            #expect(cells.contains("$scrypt$"))
            #expect(!cells.contains(Self.password))
            #expect(!cells.contains(signedIn.token))
        }
    }

    @Test("R5.5: Users of an existing directory are known by its tokens")
    func directory() async throws {
        struct Directory: UserDirectory {
            func user(withToken token: String, at now: Instant) async throws -> BackendUser? {
                token.hasPrefix("ours ") ? try BackendUser(id: String(token.dropFirst(5))) : nil
            }
        }
        try await BackendSample.with(users: Directory()) { sample in
            let mary = try await sample.backend.user(withToken: "ours mary", at: Self.now)
            #expect(mary == sample.mary)
            let foreign = await code { _ = try await sample.backend.user(withToken: "mary", at: Self.now) }
            #expect(foreign == .notSignedIn)
        }
        #expect(throws: BackendError.self) { try BackendUser(id: "") }
    }
}
