import Foundation
import StoreBackendClient
import StoreHTTP
import StoreModel
import TestSupport
import Testing

@Suite("Who uses an app, and what they have", .bounded)
struct UserTests {
    @Test("R5.5: Who signed in stays so after another start, and is nobody to another server")
    func staysSignedIn() async throws {
        try await PlayedServer.with { server, client in
            #expect(client.user == nil)
            #expect(try await failure { _ = try await client.balances() } == .notSignedIn)
            try await server.signIn(client)
            #expect(try server.client().user?.name == "ann")
            let elsewhere = try BackendClient(
                address: "https://other.example", bundleID: Played.bundle, folder: server.folder)
            #expect(elsewhere.user == nil)
            let file = server.folder.appendingPathComponent("session.json").path
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("R5.5: Whose session has ended signs out all the same")
    func signsOut() async throws {
        try await PlayedServer.with { server, client in
            try await server.signIn(client)
            server.play("DELETE /v1/sessions/current") { _ in
                throw APIError(.unauthorized, code: "not_signed_in", "The session has ended.")
            }
            try await client.signOut()
            #expect(client.user == nil)
        }
    }

    @Test("R5.7: An amount is spent under the key that the app gives, and a lack of it is told")
    func spends() async throws {
        let path = "POST /v1/balances/credits/spend"
        try await PlayedServer.with { server, client in
            try await server.signIn(client)
            server.play(path) { _ in try .json(UserBalance(name: "credits", amount: 7)) }
            #expect(try await client.spend(3, of: "credits", key: "jump-1").amount == 7)
            let asked = try #require(server.asked(path).first)
            #expect(asked.fields["Idempotency-Key"] == "jump-1")
            #expect(try asked.decode(SpendRequest.self).amount == 3)
            server.play(path) { _ in throw APIError(.conflict, code: "balance_too_low", "There are 7 credits.") }
            #expect(try await failure { try await client.spend(8, of: "credits", key: "jump-2") } == .balanceTooLow)
        }
    }

    @Test("R5.6: Whether the user may be asked to renew is the server's word")
    func prompts() async throws {
        let path = "POST /v1/subscriptions/2000000000000007/prompts"
        let isFirst = Observed(true)
        let next = try Instant(rfc3339: "2026-12-01T00:00:00Z")
        try await PlayedServer.with { server, client in
            try await server.signIn(client)
            server.play(path) { _ in
                let mayAsk = isFirst.update { first in
                    defer { first = false }
                    return first
                }
                let no = PromptAnswer(.tooSoon, "Issues come out once a month.", notBefore: next)
                return try .json(mayAsk ? PromptAnswer(.ask, "Nobody was asked.") : no)
            }
            #expect(try await client.mayPrompt(forSubscription: "2000000000000007"))
            #expect(try await !client.mayPrompt(forSubscription: "2000000000000007"))
            let answer = try await client.askToPrompt(forSubscription: "2000000000000007")
            #expect(answer == PromptAnswer(.tooSoon, "Issues come out once a month.", notBefore: next))
        }
    }

    @Test("What is no answer of such a server is told apart from a server that is down")
    func notAServer() async throws {
        try await PlayedServer.with { server, client in
            try await server.signIn(client)
            server.play("GET /v1/balances") { _ in .text("It works!") }
            #expect(try await failure { _ = try await client.balances() } == .malformedAnswer)
            server.play("GET /v1/balances") { _ in .text("Bad gateway", status: .unavailable) }
            #expect(try await failure { _ = try await client.balances() } == .unreachable)
        }
    }
}
