import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// What the developer hears of a store that cannot be used; the person is told no more than that it cannot be reached.
@Suite("Trouble with the store", .bounded)
struct TroubleLogTests {
    private func error(_ kind: ConnectionError.Kind, _ code: String) -> ConnectionError {
        ConnectionError(kind, code: code, "Why.", request: "abc")
    }

    @Test("Each kind of trouble is said once, with the store and the request; a task that was cancelled is none")
    func once() throws {
        let log = Transcript()
        let trouble = TroubleLog(try StoreAddress(parsing: "http://127.0.0.1:1")) { log.write($0) }
        trouble.note(error(.cancelled, "cancelled"))
        #expect(log.lines == [])
        trouble.note(error(.unavailable, "status_503"))
        trouble.note(error(.unavailable, "status_503"))
        #expect(log.lines == ["the store at http://127.0.0.1:1 cannot answer now: Why. (status_503, request abc)"])
        trouble.note(error(.refused(status: 403), "registration_refused"))
        #expect(log.lines.last == "the store at http://127.0.0.1:1 refuses: Why. (registration_refused, request abc)")
        trouble.note(error(.refused(status: 401), "not_signed_in"))
        #expect(log.lines.last?.hasPrefix("nobody is signed in to the store at http://127.0.0.1:1;") == true)
    }

    @Test("A store that knows the app no more is told of by a request, once, and by the watching of the store")
    func refused() async throws {
        let bench = try await SessionBench(SessionStore(), connection: RefusingConnection())
        let line = "the store at http://127.0.0.1:1 refuses: Make another profile. (registration_refused)"
        try await bench.withSession { app in
            await #expect(throws: SessionFailure.self) { try await app.session.products(for: [SessionStore.credits]) }
            #expect(bench.log.lines == [line])
            await #expect(throws: SessionFailure.self) { try await app.session.refreshReceipt() }
            #expect(bench.log.lines == [line])
        }
        let other = try await SessionBench(SessionStore(), connection: RefusingConnection())
        try await other.withSession { app in
            app.attach()
            try await other.log.until(line)
        }
    }

    @Test("An app hears whether the store can be reached, as soon as that is known", arguments: [0, 1])
    func reachability(cutAt first: Int) async throws {
        let bench = try await SessionBench(SessionStore())
        let connection = CutConnection(bench.connection, at: first, .before, length: .max / 2)
        let expected: NetworkStatus = first == 0 ? .reachable : .unreachable
        try await bench.withSession(connection: connection) { app in
            await CurrentSession.$own.withValue(SessionContext(app.session)) {
                #expect(NetworkStatus.current == nil)
                let changes = NetworkStatus.changes
                _ = try? await app.session.products(for: [SessionStore.credits])
                #expect(NetworkStatus.current == expected)
                for await status in changes {
                    #expect(status == expected)
                    break
                }
            }
        }
    }

    @Test("A second restore is ignored while one is running, and the developer is told so")
    func restoredTwice() async throws {
        let bench = try await SessionBench(SessionStore())
        let gate = Gate()
        try await bench.withSession(prompt: SlowPrompt(gate: gate)) { app in
            app.attach()
            app.session.restore(applicationUsername: nil)
            app.session.restore(applicationUsername: nil)
            #expect(bench.log.lines == ["a restore is running already; the second one is ignored"])
            gate.open()
            try await app.until("restore failed: cancelled")
            app.session.restore(applicationUsername: nil)
            try await app.until("restore failed: cancelled", times: 2)
            #expect(bench.log.lines.count == 1)
        }
    }
}

/// A person who says no after a while.
private struct SlowPrompt: PurchasePrompt {
    let gate: Gate
    let asksPerson = true

    func ask(_ question: PromptQuestion) async -> PromptReply {
        await gate.pass()
        return .cancelled
    }

    func tell(_ notice: PromptNotice) async {}
}

/// A store that does not take the profile.
private struct RefusingConnection: StoreConnection {
    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        let body = #"{"error": {"code": "registration_refused", "message": "Make another profile."}}"#
        return StoreAnswer(status: 403, fields: [:], body: Array(body.utf8))
    }
}
