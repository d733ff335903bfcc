import Foundation
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import Synchronization
import TestSupport
import Testing

@testable import StoreServer

@Suite("While the database cannot, a client is told to come back", .bounded)
struct UnavailableStoreTests {
    private static let passing: [DatabaseError.Code] = [
        .busy, .serialization, .timeout, .interrupted, .unavailable, .closed, .queueFull, .full, .outOfMemory,
    ]
    private static let lasting: [DatabaseError.Code] = [
        .corrupt, .schema, .inputOutput, .statement, .unexpectedValue, .uniqueViolation,
    ]

    private struct Scene {
        let bench: ListenerBench
        let database: TroubledDatabase
        let device: BenchDevice
    }

    private func scene() async throws -> Scene {
        let made = Mutex<TroubledDatabase?>(nil)
        let bench = try await ListenerBench { database in
            let troubled = TroubledDatabase(database)
            made.withLock { $0 = troubled }
            return troubled
        }
        let device = try await bench.device()
        return Scene(bench: bench, database: try #require(made.withLock { $0 }), device: device)
    }

    /// Reads and changes, by devices and by operators.
    private func answers(_ scene: Scene) async throws -> [ListenerBench.Answer] {
        let (bench, device) = (scene.bench, scene.device)
        return [
            try await device.ask("GET", "/device"), try await device.ask("GET", "/transactions"),
            try await device.ask("POST", "/sign-out"),
            try await device.ask(
                "POST", "/purchases", ["productId": "\(ListenerBench.bundle).credits5"], key: UUID().uuidString),
            try await bench.control("GET", "/customers"),
            try await bench.control("POST", "/customers", ["email": "new@example.com"]),
        ]
    }

    @Test("What passes is 503 with a time to come back, and the log has the cause", arguments: passing)
    func unavailable(code: DatabaseError.Code) async throws {
        let scene = try await scene()
        scene.database.fail(DatabaseError(code, "the cause is secret"))
        let answers = try await answers(scene)
        for answer in answers {
            #expect(answer.status == 503 && answer.code == "store_unavailable", "\(answer.text)")
            #expect(answer.fields["Retry-After"] == "5")
            #expect(!answer.text.contains("cause"))
        }
        #expect(scene.bench.log.reasons.count { $0 == "the cause is secret" } == answers.count)
        scene.database.fail(nil)
        #expect(try await scene.device.ask("GET", "/device").status == 200)
    }

    @Test("What waiting does not mend is 500", arguments: lasting)
    func broken(code: DatabaseError.Code) async throws {
        let scene = try await scene()
        scene.database.fail(DatabaseError(code, "the cause is secret"))
        for answer in try await answers(scene) {
            #expect(answer.status == 500 && answer.code == "internal", "\(answer.text)")
            #expect(answer.fields["Retry-After"] == nil && !answer.text.contains("cause"))
        }
    }

    @Test("Where nobody knows whether it was done, nobody is told to do it again")
    func unknown() async throws {
        let scene = try await scene()
        scene.database.fail(DatabaseError(.commitUnknown, "the connection broke", isRetryable: true))
        #expect(try await scene.bench.control("POST", "/customers", ["email": "new@example.com"]).status == 500)
        scene.database.fail(DatabaseError(.commitFailed, "the disk was full", isRetryable: true))
        #expect(try await scene.bench.control("POST", "/customers", ["email": "new@example.com"]).status == 503)
    }

    @Test("verifyReceipt says it in its own way, with 200")
    func receipts() async throws {
        let scene = try await scene()
        let bought = try await scene.device.buy("\(ListenerBench.bundle).credits5")
        #expect(bought.json["state"] as? String == "purchased", "\(bought.text)")
        let receipt = try #require(try await scene.device.ask("GET", "/receipt").json["receipt"])
        let kinds: [(DatabaseError.Code, String)] = [
            (.queueFull, #"{"status":21005}"#), (.full, #"{"status":21009}"#),
            (.busy, #"{"status":21100,"is-retryable":true}"#),
        ]
        for (code, text) in kinds {
            scene.database.fail(DatabaseError(code, "the cause"))
            let answer = try await scene.bench.ask("POST", "/verifyReceipt", ["receipt-data": receipt])
            #expect(answer.status == 200 && answer.text == text)
        }
        scene.database.fail(nil)
        #expect(
            try await scene.bench.ask("POST", "/verifyReceipt", ["receipt-data": receipt]).json["status"] as? Int == 0)
    }

    @Test("The description says so of every operation that has errors")
    func described() async throws {
        let routes = try await ListenerBench().listener.routes
        for documentation in routes.compactMap(\.documentation) where documentation.bearer != nil {
            // Servers are told in another interface's words.
            if documentation.bearer == "serverToken" { continue }
            #expect(documentation.responses.count { $0.status == .unavailable } == 1, "\(documentation.id)")
        }
    }
}
