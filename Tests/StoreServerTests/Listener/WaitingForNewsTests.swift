import Foundation
import StoreDatabase
import StoreModel
import StoreService
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import StoreServer

@Suite("Who waits for news of a customer that is not signed in any more", .bounded)
struct WaitingForNewsTests {
    private static let other = ["email": "grace@example.com", "password": ListenerBench.password]
    private static let account = "/customers/ada@example.com"

    /// What ends it that ada is signed in, and what the device is told that has waited with a place in her events.
    private enum Change: String, CaseIterable, CustomTestStringConvertible {
        case otherSignIn, signOut, operatorSignOut, recovery, deletion, copiedKey

        var testDescription: String { rawValue }
        var code: String {
            switch self {
            case .otherSignIn: "cursor_void"
            case .copiedKey: "token_invalid"
            default: "not_signed_in"
            }
        }

        func make(_ bench: ListenerBench, _ device: BenchDevice) async throws -> Int {
            switch self {
            case .otherSignIn: return try await device.ask("POST", "/sign-in", other).status
            case .signOut: return try await device.ask("POST", "/sign-out").status
            case .operatorSignOut:
                let listed = try await bench.control("GET", "/devices").json["items"] as? [[String: Any]]
                let id = try #require(listed?.first?["deviceId"] as? String)
                return try await bench.control("DELETE", "/devices/\(id)/sign-in").status
            case .recovery:
                let token = try await bench.control("POST", account + "/recovery").json["token"] as? String
                let body = ["token": try #require(token), "password": "another password"]
                return try await bench.control("POST", "/password-recoveries", body).status
            case .copiedKey:
                var copy = device
                copy.identifier = UUID()
                return try await copy.register().status
            case .deletion: return try await bench.control("DELETE", account).status
            }
        }
    }

    private static func bench(_ use: (ListenerBench, CountingDatabase) async throws -> Void) async throws {
        let made = Mutex<CountingDatabase?>(nil)
        // Nobody is woken by time here.
        let waiters = SignalWaiters(pause: { _ in try await Task.sleep(for: .seconds(3600)) })
        let bench = try await ListenerBench(waiters: waiters) { database in
            let counting = CountingDatabase(database)
            made.withLock { $0 = counting }
            return counting
        }
        let database = bench.store.database
        let follower = Task { try await waiters.follow(.customerEvents, of: database) }
        defer { follower.cancel() }
        try await waiters.untilFollowing(.customerEvents, of: database)
        try await use(bench, try #require(made.withLock { $0 }))
    }

    /// Asks for news, changes something once the request waits, and gives its answer.
    private static func answer(
        _ query: String, _ bench: ListenerBench, _ database: CountingDatabase, _ device: BenchDevice, _ change: Change
    ) async throws -> ListenerBench.Answer {
        var before = database.statements.value
        #expect(try await device.ask("GET", "/events?" + query).status == 200)
        let statements = database.statements.value - before
        before = database.statements.value
        async let answer = device.ask("GET", "/events?wait=25&" + query)
        // It has taken its place before it looked the first time.
        let begun = before + statements
        try await database.statements.wait { $0 >= begun }
        #expect(200..<300 ~= (try await change.make(bench, device)))
        return try await answer
    }

    @Test("hears of it at once, whoever ended it", arguments: Change.allCases)
    private func hears(_ change: Change) async throws {
        try await Self.bench { bench, database in
            _ = try await bench.control("POST", "/customers", Self.other)
            let device = try await bench.device()
            let cursor = try #require(try await device.ask("GET", "/events").json["cursor"] as? String)
            let answer = try await Self.answer("after=\(cursor)", bench, database, device, change)
            #expect(answer.code == change.code, "\(answer.text)")
        }
    }

    @Test("and has no place yet, gets the page of whoever is signed in by now")
    func withoutPlace() async throws {
        try await Self.bench { bench, database in
            _ = try await bench.control("POST", "/customers", Self.other)
            let device = try await bench.device()
            let answer = try await Self.answer("", bench, database, device, .otherSignIn)
            #expect(answer.status == 200)
            #expect((answer.json["events"] as? [Any])?.isEmpty == true)
            let again = try await device.ask("GET", "/events")
            #expect(answer.json["cursor"] as? String == again.json["cursor"] as? String)
        }
    }
}
